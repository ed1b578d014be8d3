"""Logged answers: what seats answered in a match, with the states that a judge of them needs, and sums by seat.

The rules are played again, so it takes a while.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from games.core import Action, Game, State
from runner.match.records import AttemptRecord
from runner.record.reader import Log
from runner.record.replay import fold


@dataclass(frozen=True, kw_only=True)
class OfPlayer:
    """Something at decision `number` (from 1) of a seat, which `player` had then. `is_copied`: a fork copied it from its
    parent. `is_own`: it is of the seat's last player, and not copied."""

    number: int
    seat: int
    player: str
    is_copied: bool = False
    is_own: bool = True

    @property
    def by(self) -> dict[str, Any]:
        """The fields that say whose it is, for something else of the same decision."""
        return {name: getattr(self, name) for name in OfPlayer.__dataclass_fields__}


@dataclass(frozen=True, kw_only=True)
class LoggedAnswer(OfPlayer):
    """A decision, or an answer that another decision made moot. The seat was asked in the state `asked`; the states `before`
    and `after` are those around the decision. `action` is None for a strike-out and for what is moot. `attempt` has the valid
    answer; None for a seat that gave none: it was not asked, or was struck out."""

    is_moot: bool
    game: Game
    asked: State
    before: State
    after: State
    action: Action | None
    attempt: AttemptRecord | None


def logged_answers(log: Log) -> Iterator[LoggedAnswer]:
    """The decisions and the moot answers of a log in order. LogDamagedError where the log does not follow from the rules."""
    last, number, names, match = None, 1, [seat["name"] for seat in log.latest_header["seats"]], None
    for _, record, match, action in fold(log):
        if last is not None:
            yield replace(last, after=match.state)
            last = None
        if record["kind"] in ("decision", "moot"):
            seat, players, before = record["seat"], match.players, match.state
            attempt, player = match.open[seat].answer if seat in match.open else None, players.seats[seat]["name"]
            last = LoggedAnswer(
                number=number,
                seat=seat,
                player=player,
                is_copied=players.is_copied,
                is_own=player == names[seat] and not players.is_copied,
                is_moot=record["kind"] == "moot",
                game=match.config.game,
                asked=before if attempt is None else match.asking,
                before=before,
                after=before,
                action=action,
                attempt=attempt,
            )
            number += not last.is_moot
    if last is not None and match is not None:
        yield replace(last, after=match.state)


SeatSums = tuple[Counter[str], ...]
"""Named sums of each seat of a log."""


def seat_sums(log: Log, terms: Iterable[tuple[OfPlayer, Mapping[str, float]]]) -> SeatSums:
    """The sums of terms over what the last player of each seat did, without what a fork copied."""
    found: SeatSums = tuple(Counter[str]() for _ in log.header["seats"])
    for one, own in terms:
        if one.is_own:
            found[one.seat].update(own)
    return found
