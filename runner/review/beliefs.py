"""Beliefs: what models stated of propositions, against the truth that the rules know and against the chance, and sums of them.

The rules are played again. A chance that the game does not count is the share of worlds drawn from the seat's information set,
as often as the cards alone make them likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log as natural_log
from pathlib import Path
from typing import NamedTuple

import games
from games.core import Action, Proposition, Rng, State
from games.search.evaluation import evaluating
from games.search.policy import has_playing_policy, playing_policy
from games.search.steps import finished
from games.search.worlds import Worlds, worlds_of
from runner.match.records import StatedRecord
from runner.record.reader import Log
from runner.record.replay import fold, match_of
from runner.record.unusable import Unusable
from runner.review.each_log import Follow, of_each_log

WORLDS = 200
"""Worlds from which a chance is estimated, and the most draws for a world in which a proposition has a given truth."""

PLAYOUTS = 100
"""Playouts of the candidates of a decision in worlds of one kind."""

BINS = 10
"""Parts of equal width into which stated probabilities fall for a calibration curve."""

_SUM = 0.015
"""By how much the stated probabilities of a group may differ from 1: what rounding to whole percentages leaves."""

_LEAST = 0.005
"""A stated 0 or 1 counts as this, or 1 minus this, in the logarithmic score: half a percent, since percentages are whole."""


class BeliefRow(NamedTuple):
    """A proposition that a model was asked about, before decision `number` (from 1) of a seat. `stated` is None where the model
    stated nothing, `holds` where it never came out. `player` had the seat then; `is_copied`: a fork copied it."""

    number: int
    seat: int
    player: str
    text: str
    group: str
    stated: float | None
    holds: bool | None
    chance: float | None
    is_copied: bool


class Choice(NamedTuple):
    """A decision whose model was asked about one proposition: `loss` is the share of the win that the answer gives up against
    the best one by the model's own stated probability."""

    number: int
    seat: int
    player: str
    loss: float
    is_copied: bool


def belief_rows(log: Log, worlds: int = WORLDS) -> Iterator[BeliefRow]:
    """The stated probabilities of a log in order. LogDamagedError where the log does not follow from the rules."""
    open_rows, number, match = list[tuple[BeliefRow, Proposition]](), 0, match_of(log.header)
    for _, record, match, _ in fold(log):
        if record["kind"] == "decision":
            number += 1
            open_rows = [*_settled(open_rows, match.state)]
            yield from (row for row, _ in open_rows if row.holds is not None)
            open_rows = [(row, one) for row, one in open_rows if row.holds is None]
        elif record["kind"] == "attempt" and record["outcome"] == "answer" and (stated := record.get("belief")):
            seat, state, players = record["seat"], match.asking, match.players
            known = {one.text: one for one in match.config.game.propositions(state, seat)}
            for one in stated:
                if (proposition := known.get(one["text"])) is not None:
                    row = BeliefRow(
                        number + 1,
                        seat,
                        players.seats[seat]["name"],
                        one["text"],
                        proposition.group,
                        one["chance"],
                        proposition.holds(state),
                        _chance(proposition, state, seat, worlds, Rng.of("belief", number, seat)),
                        players.is_copied,
                    )
                    open_rows.append((row, proposition))
    yield from (row for row, _ in _settled(open_rows, match.state))


def _settled(rows: Sequence[tuple[BeliefRow, Proposition]], state: State) -> Iterator[tuple[BeliefRow, Proposition]]:
    for row, one in rows:
        yield (row if row.holds is not None else row._replace(holds=one.holds(state))), one


def _chance(proposition: Proposition, state: State, seat: int, worlds: int, rng: Rng) -> float | None:
    """The probability of a proposition by what the seat knows of the cards; None where worlds do not tell either."""
    if proposition.chance is not None:
        return proposition.chance
    if not games.load(state.game.name).has_worlds:
        return None
    found = [proposition.holds(state.resample(seat, Rng(rng.next()))) for _ in range(worlds)]
    return None if None in found else sum(map(bool, found)) / worlds


def choices_of(log: Log, playouts: int = PLAYOUTS) -> Iterator[Choice]:
    """The decisions of a log before which a model was asked about one proposition, judged by its own probability p: an answer
    is worth p times its share of the win in worlds where the proposition holds, plus 1 - p times that where it does not."""
    stated, number = dict[int, tuple[State, Sequence[StatedRecord]]](), 0
    for _, record, match, action in fold(log):
        if record["kind"] == "attempt" and record["outcome"] == "answer":
            stated[record["seat"]] = match.asking, record.get("belief", ())
        elif record["kind"] == "decision":
            number += 1
            seat, players = record["seat"], match.players
            state, said = stated.pop(seat, (match.state, ()))
            if action is None or len(said) != 1 or (chance := said[0]["chance"]) is None:
                continue
            one = next((one for one in state.game.propositions(state, seat) if one.text == said[0]["text"]), None)
            loss = None if one is None else _loss(state, state.read(seat, record["action"]), one, chance, playouts, number)
            if loss is not None:
                yield Choice(number, seat, players.seats[seat]["name"], loss, players.is_copied)


def _loss(state: State, action: Action, one: Proposition, chance: float, playouts: int, number: int) -> float | None:
    """What an answer gives up by a probability; None without a choice, a policy for playouts, or worlds of both kinds."""
    seat, candidates = action.seat, state.actions_of(action.seat)
    if len(candidates) < 2 or not has_playing_policy(state.game) or not games.load(state.game.name).has_worlds:
        return None
    shares, policy = dict.fromkeys(candidates, 0.0), playing_policy(state.game)
    for truth, weight in ((True, chance), (False, 1 - chance)):
        if weight:
            rng = Rng.of("belief and action", number, truth)
            try:
                worlds = _where(worlds_of(state, seat), one, truth)
                found = finished(evaluating(worlds, candidates, rng, playouts * len(candidates), policy, candidates))
            except _NoWorldError:
                return None
            for grade in found.grades:
                shares[grade.action] += weight * grade.share
    own = next(share for candidate, share in shares.items() if candidate == action)
    return max(shares.values()) - own


class _NoWorldError(Exception):
    """No world was found in which a proposition has a given truth."""


def _where(worlds: Worlds, one: Proposition, truth: bool) -> Worlds:
    """The worlds in which a proposition has a truth."""

    def drawn(rng: Rng) -> State:
        for _ in range(WORLDS):
            if one.holds(world := worlds(rng)) is truth:
                return world
        raise _NoWorldError

    return Worlds(drawn)


class SeatBeliefs(NamedTuple):
    """Sums over what the last player of a seat stated. Of the `asked` propositions it left out `missing`; `unsummed` of the
    `groups`, whose probabilities have to add up to 1, do not. Over the `settled` ones, stated and come out: the squared
    difference from the truth (`brier`), minus the natural logarithm of the probability of what was true (`log`). Over those
    `compared` with a chance: the squared difference of the chance from the truth (`chance_brier`), and of what was stated from
    the chance (`gap`). `bins` has for each part of 0 to 1 how many were stated there, their sum, and how many came out true.
    `loss` sums what `choices` gave up by the model's own probability."""

    asked: int = 0
    missing: int = 0
    groups: int = 0
    unsummed: int = 0
    settled: int = 0
    brier: float = 0.0
    log: float = 0.0
    compared: int = 0
    chance_brier: float = 0.0
    gap: float = 0.0
    choices: int = 0
    loss: float = 0.0
    bins: tuple[tuple[int, float, int], ...] = ((0, 0.0, 0),) * BINS

    def plus(self, other: SeatBeliefs) -> SeatBeliefs:
        """The sums of both."""
        bins = tuple((n + m, s + t, h + i) for (n, s, h), (m, t, i) in zip(self.bins, other.bins, strict=True))
        own, more = self._asdict(), other._asdict()
        return SeatBeliefs(**{name: own[name] + more[name] for name in own if name != "bins"}, bins=bins)


Sums = tuple[SeatBeliefs, ...]
"""The sums of each seat of a log."""


class FolderBeliefs(NamedTuple):
    """Sums by the digest of their log, and the logs that have none: they do not follow from the rules of this version."""

    sums: Mapping[str, Sums]
    unusable: Sequence[Unusable] = ()


def folder_beliefs(paths: Sequence[Path], follow: Follow) -> FolderBeliefs:
    """The beliefs in many logs."""
    found, unusable = of_each_log(_of_log, paths, follow)
    return FolderBeliefs(dict(found.values()), [*unusable.values()])


def _of_log(log: Log) -> tuple[str, Sums]:
    return log.last, seat_beliefs(log)


def seat_beliefs(log: Log, playouts: int = PLAYOUTS) -> Sums:
    """The sums of each seat of a log. LogDamagedError where it does not follow from the rules."""
    players = [seat["name"] for seat in log.latest_header["seats"]]
    found = [SeatBeliefs() for _ in players]
    groups = dict[tuple[int, int, str], list[float | None]]()
    for row in belief_rows(log):
        if not row.is_copied and row.player == players[row.seat]:
            found[row.seat] = found[row.seat].plus(_of_row(row))
            if row.group:
                groups.setdefault((row.seat, row.number, row.group), []).append(row.stated)
    for (seat, *_), stated in groups.items():
        is_whole = None not in stated and abs(sum(filter(None, stated)) - 1) <= _SUM
        found[seat] = found[seat].plus(SeatBeliefs(groups=1, unsummed=int(not is_whole)))
    for one in choices_of(log, playouts):
        if not one.is_copied and one.player == players[one.seat]:
            found[one.seat] = found[one.seat].plus(SeatBeliefs(choices=1, loss=one.loss))
    return tuple(found)


def _of_row(row: BeliefRow) -> SeatBeliefs:
    if row.stated is None or row.holds is None:
        return SeatBeliefs(asked=1, missing=int(row.stated is None))
    stated, holds = row.stated, int(row.holds)
    bins = [(0, 0.0, 0)] * BINS
    bins[min(BINS - 1, int(stated * BINS))] = 1, stated, holds
    own = SeatBeliefs(
        asked=1,
        settled=1,
        brier=(stated - holds) ** 2,
        log=-natural_log(min(1 - _LEAST, max(_LEAST, stated if holds else 1 - stated))),
        bins=tuple(bins),
    )
    if row.chance is None:
        return own
    return own._replace(compared=1, chance_brier=(row.chance - holds) ** 2, gap=(stated - row.chance) ** 2)
