"""Denials: whether a player's reason says that it does not have what its answer claims to have.

The check is lexical and errs on the side of silence: it takes English sentences in the first person, and leaves out those that
weigh what might be. It misses other wordings and languages, and cannot tell a quotation from the player's own words.
"""

from __future__ import annotations

import re

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


def denies(reason: str, what: str) -> bool:
    """Whether a sentence of the reason says plainly that the player lacks it, or bluffs with it."""
    text = reason.replace("’", "'")
    patterns = [re.compile(pattern.format(what=re.escape(what)), re.IGNORECASE) for pattern in _DENIAL]
    plain = (sentence for sentence in _SENTENCE.split(text) if not _UNSURE.search(sentence))
    return any(pattern.search(sentence) for sentence in plain for pattern in patterns)
