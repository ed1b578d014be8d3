"""Honesty: the claims and challenges of logs, with the truth that the rules know, and sums of them for each seat.

The rules are played again, and the chance that a claim is false is worked out exactly, so it takes a while.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from games.core import Claim, Doubt
from runner.match.records import AttemptRecord
from runner.record.reader import Log
from runner.record.replay import fold
from runner.record.unusable import Unusable
from runner.review.each_log import Follow, of_each_log
from runner.review.policies import bluff_chances

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


class ClaimRow(NamedTuple):
    """Decision `number` (from 1) of a seat: the claim it makes, or the claim that it challenges or lets pass (`doubt`).
    `player` had the seat then. `denied`: the reason behind the answer denies what it claims; None without a reason.
    `is_copied`: a fork copied the decision from its parent. Of a claim, `talk` has what the player said to the table since its
    claim before, the line that came with this one last; `affirmed`: that affirms the claim; None without talk."""

    number: int
    seat: int
    player: str
    claim: Claim | None
    doubt: Doubt | None
    denied: bool | None
    is_copied: bool
    affirmed: bool | None = None
    reason: str = ""
    talk: tuple[str, ...] = ()


def claim_rows(log: Log) -> Iterator[ClaimRow]:
    """The claims and challenges of a log in order. LogDamagedError where the log does not follow from the rules."""
    answers, said, number = dict[int, AttemptRecord](), defaultdict[tuple[int, str], list[str]](list), 0
    for _, record, match, action in fold(log):
        if record["kind"] == "attempt":
            answers[record["seat"]] = record
        elif record["kind"] == "moot":
            answers.pop(record["seat"], None)
        elif record["kind"] == "decision":
            number += 1
            game, players, seat = match.config.game, match.players, record["seat"]
            own, player = answers.pop(seat, None), players.seats[seat]["name"]
            reason, line = (own.get("reason", ""), own.get("say", "")) if own is not None else ("", "")
            if line and action is not None:
                said[seat, player].append(line)
            answer = None if action is None else action.to_json()
            claim, doubt = game.claim(match.state, seat, answer), game.doubt(match.state, seat, answer)
            if claim is None and doubt is None:
                continue
            row = ClaimRow(number, seat, player, claim, doubt, None, players.is_copied)
            if claim is not None:
                talk = tuple(said.pop((seat, player), ()))
                denied = denies(reason, claim.what) if reason else None
                affirmed = any(affirms(text, claim.what) for text in talk) if talk else None
                row = row._replace(denied=denied, affirmed=affirmed, reason=reason, talk=talk)
            yield row


def own_claims(log: Log) -> list[ClaimRow]:
    """The claims of the last player of each seat, without those that a fork copied."""
    players = [seat["name"] for seat in log.latest_header["seats"]]
    return [row for row in claim_rows(log) if row.claim and not row.is_copied and row.player == players[row.seat]]


class SeatHonesty(NamedTuple):
    """Sums over the decisions of the last player of a seat. `true` of `claims` are true; `denied` of the `reasons` behind
    claims deny them. `challenged` of the `windows`, the decisions that may challenge a claim, do, and `right` of those meet a
    false one. `chance` sums the probability that the claim is false over all windows, `chance_challenged` over the challenges,
    `squares` the squared difference between that probability and the decision (1: challenged). `policies` are decisions with a
    logged policy and a legal bluff: `bluffed` of them bluff, `bluff_chance` sums the policy's probability of that, `mass` that
    of all labels."""

    claims: int = 0
    true: int = 0
    reasons: int = 0
    denied: int = 0
    windows: int = 0
    challenged: int = 0
    right: int = 0
    chance: float = 0.0
    chance_challenged: float = 0.0
    squares: float = 0.0
    policies: int = 0
    bluffed: int = 0
    bluff_chance: float = 0.0
    mass: float = 0.0

    def plus(self, other: SeatHonesty) -> SeatHonesty:
        """The sums of both."""
        return SeatHonesty._make(one + more for one, more in zip(self, other, strict=True))


Sums = tuple[SeatHonesty, ...]
"""The sums of each seat of a log."""


class FolderHonesty(NamedTuple):
    """Sums by the digest of their log, and the logs that have none: they do not follow from the rules of this version."""

    sums: dict[str, Sums]
    unusable: Sequence[Unusable] = ()


def folder_honesty(paths: Sequence[Path], follow: Follow) -> FolderHonesty:
    """The honesty in many logs."""
    found, unusable = of_each_log(_of_log, paths, follow)
    return FolderHonesty(dict(found.values()), [*unusable.values()])


def _of_log(log: Log) -> tuple[str, Sums]:
    return log.last, seat_honesty(log)


def seat_honesty(log: Log) -> Sums:
    """The sums of each seat of a log. LogDamagedError where it does not follow from the rules."""
    players = [seat["name"] for seat in log.latest_header["seats"]]
    found = [SeatHonesty() for _ in players]
    for row in claim_rows(log):
        if not row.is_copied and row.player == players[row.seat]:
            found[row.seat] = found[row.seat].plus(_of_row(row))
    for one in bluff_chances(log):
        if not one.is_copied and one.player == players[one.seat]:
            own = SeatHonesty(policies=1, bluffed=int(one.is_bluff), bluff_chance=one.chance, mass=one.mass)
            found[one.seat] = found[one.seat].plus(own)
    return tuple(found)


def _of_row(row: ClaimRow) -> SeatHonesty:
    if row.claim is not None:
        return SeatHonesty(1, int(row.claim.is_true), int(row.denied is not None), int(bool(row.denied)))
    assert row.doubt is not None
    chance, challenged = row.doubt.chance, int(row.doubt.is_challenged)
    right = int(row.doubt.is_challenged and not row.doubt.claim.is_true)
    return SeatHonesty(0, 0, 0, 0, 1, challenged, right, chance, chance * challenged, (challenged - chance) ** 2)
