"""Logged answers: what seats answered in a match, with the states that a judge of them needs, what models were found to give to
their legal answers, and sums by seat.

The rules are played again, so it takes a while.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from games.core import Action, Answer, Game, IllegalAction, State
from games.core.claim import no_claim
from runner.match.records import AttemptRecord, PolicyRecord
from runner.record.reader import Log
from runner.record.replay import fail, fold


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


class LoggedPolicy(NamedTuple):
    """A policy in a log, and its line. With `is_drawn` it is the policy that played; otherwise the model answered by itself."""

    line: int
    record: PolicyRecord

    @property
    def is_drawn(self) -> bool:
        return "draw" in self.record

    def chances(self, state: State, seat: int) -> list[tuple[Action, float]]:
        """The legal answers with their probabilities, which add up to 1, or are all 0 where no label was listed. An answer that
        was not listed has 0. `state` is the one in which the seat was asked. LogDamagedError for an illegal one."""
        answers = self.record["answers"]
        total = sum(one["chance"] or 0.0 for one in answers) or 1.0
        try:
            return [(state.read(seat, one["answer"]), (one["chance"] or 0.0) / total) for one in answers]
        except IllegalAction as refusal:
            fail(self.line, f"the policy of seat {seat} has an answer that is not legal: {refusal}")


def logged_policies(log: Log) -> dict[int, LoggedPolicy]:
    """The policy that was logged for each decision, by its number from 1."""
    asked, found, number = dict[int, LoggedPolicy](), dict[int, LoggedPolicy](), 0
    for line, record in log.records:
        if record["kind"] == "attempt" and "policy" in record:
            asked[record["seat"]] = LoggedPolicy(line, record["policy"])
        elif record["kind"] in ("decision", "moot"):
            number += record["kind"] == "decision"
            own = asked.pop(record["seat"], None)
            if own is not None and record["kind"] == "decision" and record["how"] == "answer":
                found[number] = own
    return found


@dataclass(frozen=True, kw_only=True)
class PolicyRow(OfPlayer):
    """A legal answer of a decision. `chance` is None where the endpoint did not list it. `is_bluff`: it makes a false claim;
    None in a game without claims. `mass` is the probability of all labels, `unlisted` what is left for those not listed."""

    answer: Answer
    chance: float | None
    is_bluff: bool | None
    is_played: bool
    is_drawn: bool
    mass: float
    unlisted: float


def policy_rows(log: Log) -> Iterator[PolicyRow]:
    """The policies of a log in order. LogDamagedError where the log does not follow from the rules."""
    policies = logged_policies(log)
    for one in logged_answers(log) if policies else ():
        policy = policies.get(one.number)
        if one.action is None or policy is None:
            continue
        for (own, _), listed in zip(policy.chances(one.asked, one.seat), policy.record["answers"], strict=True):
            answer = own.to_json()
            claim = one.game.claim(one.before, one.seat, answer)
            yield PolicyRow(
                **one.by,
                answer=answer,
                chance=listed["chance"],
                is_bluff=None if one.game.claim is no_claim else claim is not None and not claim.is_true,
                is_played=answer == one.action.to_json(),
                is_drawn=policy.is_drawn,
                mass=policy.record["mass"],
                unlisted=policy.record["unlisted"],
            )


def bluffs(log: Log) -> Iterator[tuple[PolicyRow, float, bool]]:
    """The decisions of a log with a policy and a bluff among the legal answers: a row of each, the probability of all bluffs,
    and whether one was played."""
    for _, answers in groupby(policy_rows(log), key=attrgetter("number")):
        rows = list(answers)
        total = sum(row.chance or 0.0 for row in rows)
        if total and (bluffing := [row for row in rows if row.is_bluff]):
            yield rows[0], sum(row.chance or 0.0 for row in bluffing) / total, any(row.is_played for row in bluffing)
