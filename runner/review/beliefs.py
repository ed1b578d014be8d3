"""Beliefs: what models stated of propositions, against the truth that the rules know and against the chance, and sums of them.

A chance that the game does not count is the share of worlds drawn from the seat's information set, as often as the cards alone
make them likely.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log as natural_log

import games
from games.core import Action, Proposition, Rng, State
from games.search.evaluation import evaluating
from games.search.policy import has_playing_policy, playing_policy
from games.search.steps import finished
from games.search.worlds import Worlds, worlds_of
from runner.match.records import StatedRecord
from runner.record.reader import Log
from runner.review.logged_answers import LoggedAnswer, OfPlayer, SeatSums, logged_answers, seat_sums

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


@dataclass(frozen=True, kw_only=True)
class BeliefRow(OfPlayer):
    """A proposition that a model was asked about before a decision. `stated` is None where the model stated nothing, `holds`
    where it never came out."""

    text: str
    group: str
    stated: float | None
    holds: bool | None
    chance: float | None


def belief_rows(log: Log, worlds: int = WORLDS) -> Iterator[BeliefRow]:
    """The stated probabilities of a log, each as soon as it came out. LogDamagedError where the log does not follow from the
    rules."""
    waiting = list[tuple[BeliefRow, Proposition]]()
    for answer in logged_answers(log):
        waiting += ((_row(answer, stated, one, worlds), one) for stated, one in _about(answer))
        settled = [(row if row.holds is not None else replace(row, holds=one.holds(answer.after)), one) for row, one in waiting]
        yield from (row for row, _ in settled if row.holds is not None)
        waiting = [(row, one) for row, one in settled if row.holds is None]
    yield from (row for row, _ in waiting)


def _stated(answer: LoggedAnswer) -> Sequence[StatedRecord]:
    return answer.attempt.get("belief", ()) if answer.attempt is not None else ()


def _about(answer: LoggedAnswer) -> list[tuple[StatedRecord, Proposition]]:
    """What was stated before an answer, with the propositions."""
    if not (stated := _stated(answer)):
        return []
    known = {one.text: one for one in answer.game.propositions(answer.asked, answer.seat)}
    return [(one, known[one["text"]]) for one in stated if one["text"] in known]


def _row(answer: LoggedAnswer, stated: StatedRecord, one: Proposition, worlds: int) -> BeliefRow:
    return BeliefRow(
        **answer.by,
        text=one.text,
        group=one.group,
        stated=stated["chance"],
        holds=one.holds(answer.asked),
        chance=_chance(one, answer.asked, answer.seat, worlds, Rng.of("belief", answer.number, answer.seat)),
    )


def _chance(proposition: Proposition, state: State, seat: int, worlds: int, rng: Rng) -> float | None:
    """The probability of a proposition by what the seat knows of the cards; None where worlds do not tell either."""
    if proposition.chance is not None:
        return proposition.chance
    if not games.load(state.game.name).has_worlds:
        return None
    found = [proposition.holds(state.resample(seat, Rng(rng.next()))) for _ in range(worlds)]
    return None if None in found else sum(map(bool, found)) / worlds


def choices_of(log: Log, playouts: int = PLAYOUTS) -> Iterator[tuple[OfPlayer, float]]:
    """The decisions of a log before which a model was asked about one proposition, with the share of the win that the answer
    gives up by the model's own probability p: an answer is worth p times its share in worlds where the proposition holds, plus
    1 - p times that where it does not."""
    for answer in logged_answers(log):
        if answer.action is None or len(_stated(answer)) != 1:
            continue
        for stated, one in _about(answer):
            if (chance := stated["chance"]) is not None:
                action = answer.asked.read(answer.seat, answer.action.to_json())
                loss = _loss(answer.asked, action, one, chance, playouts, answer.number)
                if loss is not None:
                    yield answer, loss


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
    def drawn(rng: Rng) -> State:
        for _ in range(WORLDS):
            if one.holds(world := worlds(rng)) is truth:
                return world
        raise _NoWorldError

    return Worlds(drawn)


def seat_beliefs(log: Log, playouts: int = PLAYOUTS) -> SeatSums:
    """Sums over what the last player of each seat stated, of which standings make `BeliefData`: `settled` propositions were
    stated and came out, those `compared` have a chance, too. For each part of 0 to 1 with a number from 0, `stated 0` is how
    many probabilities were stated there, `sum 0` their sum, `true 0` how many came out true. LogDamagedError where the log
    does not follow from the rules."""
    return seat_sums(log, _terms(log, playouts))


def _terms(log: Log, playouts: int) -> Iterator[tuple[OfPlayer, Mapping[str, float]]]:
    groups = dict[tuple[int, int, str], list[BeliefRow]]()
    for row in belief_rows(log):
        yield row, _of_row(row)
        if row.group:
            groups.setdefault((row.seat, row.number, row.group), []).append(row)
    for rows in groups.values():
        stated = [row.stated for row in rows]
        is_whole = None not in stated and abs(sum(filter(None, stated)) - 1) <= _SUM
        yield rows[0], {"groups": 1, "unsummed": int(not is_whole)}
    for answer, loss in choices_of(log, playouts):
        yield answer, {"choices": 1, "loss": loss}


def _of_row(row: BeliefRow) -> Mapping[str, float]:
    if row.stated is None or row.holds is None:
        return {"asked": 1, "missing": int(row.stated is None)}
    stated, holds = row.stated, int(row.holds)
    part, score = min(BINS - 1, int(stated * BINS)), min(1 - _LEAST, max(_LEAST, stated if holds else 1 - stated))
    own = {"asked": 1, "settled": 1, "log": -natural_log(score)}
    own |= {f"stated {part}": 1, f"sum {part}": stated, f"true {part}": holds}
    if row.chance is not None:
        squares = {"brier": (stated - holds) ** 2, "chance_brier": (row.chance - holds) ** 2, "gap": (stated - row.chance) ** 2}
        own |= {"compared": 1, **squares}
    return own
