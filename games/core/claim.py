"""Claims: what a decision claims before everybody, how likely one is that may be challenged, and what words say of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Claim(NamedTuple):
    """What a seat claims to have, in one word of the rules (`Duke`), and whether it is true."""

    what: str
    is_true: bool


class Doubt(NamedTuple):
    """A claim that a seat may challenge, or lets pass.

    `chance` is the probability that it is false, by the cards that the seat knows of alone: how anybody plays does not count.
    """

    claimant: int
    claim: Claim
    chance: float
    is_challenged: bool


Answer = Mapping[str, Any] | None
"""The data of an answer; None for a strike-out."""

Claiming = Callable[[Any, int, Answer], Claim | None]
"""Gives the claim of a decision, from the state before it, the seat and its answer; None where it claims nothing."""

Doubting = Callable[[Any, int, Answer], Doubt | None]
"""Gives the claim that a decision is about, in the same way; None where there is none to challenge."""


def no_claim(before: Any, seat: int, answer: Answer) -> None:
    """The claim of a decision in a game in which nothing is claimed."""


_SENTENCE = re.compile(r"(?<=[.!?;\n])\s+")
_UNSURE = re.compile(
    r"\b(?:if|unless|could|would|might|may|maybe|perhaps|should|instead of|rather than|not bluff\w*)\b|n't bluff", re.IGNORECASE
)
_DENIAL = (
    r"\bI (?:do not|don't) (?:actually |really |even )?(?:have|hold) (?:a |an |the |any )?{what}s?\b",
    r"\bI (?:have|hold|am holding) no {what}s?\b",
    r"\bI(?: am|'m) (?:bluffing|pretending|lying)\b",
    r"\bI(?: will|'ll| am going to|'m going to| want to) (?:bluff|lie|pretend)\b",
    r"\b(?:bluff|bluffing) (?:with |as |that I have )?(?:a |an |the )?{what}\b",
    r"\b(?:pretend|pretending) to (?:have|hold|be) (?:a |an |the )?{what}\b",
    r"\bfalsely claim(?:ing)? (?:a |an |the )?{what}\b",
)
_DOUBTFUL = re.compile(
    r"\b(?:if|unless|could|would|might|may|maybe|perhaps|should|had|instead of|rather than)\b|\?", re.IGNORECASE
)
_AFFIRMATION = (
    r"\bI (?:do |really |actually |truly |honestly |already )*(?:have|hold) (?:a |an |the |my )?{what}\b",
    r"\bI(?: am|'m) (?:really |truly |honestly )?(?:holding )?(?:a |an |the )?{what}\b",
    r"\bI(?: have|'ve) got (?:a |an |the )?{what}\b",
    r"\b(?:I(?: am|'m)|(?:this|that|it) is|it's|that's) (?:not|no)(?: a)? (?:bluff|bluffing|lie|lying|pretending)\b",
    r"^no bluff\b",
)


def denies(reason: str, what: str) -> bool:
    """Whether a sentence of the reason says plainly that the player lacks it, or bluffs with it."""
    return _states(reason, what, _DENIAL, _UNSURE)


def affirms(talk: str, what: str) -> bool:
    """Whether a sentence of the talk says plainly that the player has it, or does not bluff."""
    return _states(talk, what, _AFFIRMATION, _DOUBTFUL)


def _states(text: str, what: str, wordings: Sequence[str], unsure: re.Pattern[str]) -> bool:
    patterns = [re.compile(wording.format(what=re.escape(what)), re.IGNORECASE) for wording in wordings]
    plain = (sentence for sentence in _SENTENCE.split(text.replace("’", "'")) if not unsure.search(sentence))
    return any(pattern.search(sentence) for sentence in plain for pattern in patterns)
