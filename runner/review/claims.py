"""Claims of a log: each decision that makes one or may challenge one, with the truth that the rules know.

The rules are played again for it, and the chance that a claim is false is worked out exactly, so it takes a while.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.core import Claim, Doubt
from runner.match.header import SeatRecord
from runner.record.reader import Log
from runner.record.replay import detached, opening, replay_decision
from runner.review.denials import denies


class ClaimRow(NamedTuple):
    """Decision `number` (from 1) of a seat: the claim it makes, or the claim that it challenges or lets pass (`doubt`).

    `player` had the seat then. `denied`: the reason behind the answer denies what it claims; None without a reason.
    `is_copied`: a fork copied the decision from its parent.
    """

    number: int
    seat: int
    player: str
    claim: Claim | None
    doubt: Doubt | None
    denied: bool | None
    is_copied: bool


def claim_rows(log: Log) -> Iterator[ClaimRow]:
    """The claims and challenges of a log in order. LogDamagedError where the log does not follow from the rules."""
    game, state = opening(log.header)
    players, reasons, number = _Players(log), dict[int, str | None](), 0
    for place, (line, record) in enumerate(log.records):
        players.begin(place)
        match record["kind"]:
            case "resumed" if "seats" in record:
                players.seats = record["seats"]
            case "attempt":
                reasons[record["seat"]] = record.get("reason")
            case "decision":
                number += 1
                seat, answer = record["seat"], record["action"]
                claim, doubt = game.claim(state, seat, answer), game.doubt(state, seat, answer)
                reason = reasons.pop(seat, None)
                if claim or doubt:
                    denied = denies(reason, claim.what) if claim and reason else None
                    yield ClaimRow(number, seat, players.name(seat), claim, doubt, denied, players.is_copied)
                state = detached(replay_decision(line, state, record)[0])


class _Players:
    """The player of each seat, followed record by record."""

    def __init__(self, log: Log) -> None:
        fork = log.header.get("fork")
        self._copied = fork["lines"] if fork else 0
        self._own = log.header["seats"]
        self.seats: Sequence[SeatRecord] = fork["seats"] if fork else self._own
        self.is_copied = self._copied > 0

    def begin(self, place: int) -> None:
        """Seat the fork's own players, if this is the first record that it did not copy."""
        if self.is_copied and place == self._copied:
            self.is_copied, self.seats = False, self._own

    def name(self, seat: int) -> str:
        return self.seats[seat]["name"]
