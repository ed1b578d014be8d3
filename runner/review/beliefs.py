"""Beliefs: what models stated of propositions, against the truth and the chance, and sums of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from games.core import Proposition, Rng
from games.search.stated import PLAYOUTS, WORLDS, chance_of, loss_by, scores
from runner.match.records import StatedRecord
from runner.record.reader import Log
from runner.review.logged_answers import LoggedAnswer, OfPlayer, SeatSums, logged_answers, seat_sums

_SUM = 0.015
"""By how much the stated probabilities of a group may differ from 1: what rounding to whole percentages leaves."""


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
        chance=chance_of(one, answer.asked, answer.seat, worlds, Rng.of("belief", answer.number, answer.seat)),
    )


def choices_of(log: Log, playouts: int = PLAYOUTS) -> Iterator[tuple[OfPlayer, float]]:
    """The decisions of a log before which a model was asked about one proposition, with the share of the win that the answer
    gives up by the model's own probability."""
    for answer in logged_answers(log):
        if answer.action is None or len(_stated(answer)) != 1:
            continue
        for stated, one in _about(answer):
            if (chance := stated["chance"]) is not None:
                action = answer.asked.read(answer.seat, answer.action.to_json())
                if (loss := loss_by(action, one, chance, playouts, answer.number)) is not None:
                    yield answer, loss


def seat_beliefs(log: Log, playouts: int = PLAYOUTS) -> SeatSums:
    """Sums over what the last player of each seat stated, of which standings make `BeliefData`. LogDamagedError where the log
    does not follow from the rules."""
    return seat_sums(log, _terms(log, playouts))


def _terms(log: Log, playouts: int) -> Iterator[tuple[OfPlayer, Mapping[str, float]]]:
    groups = dict[tuple[int, int, str], list[BeliefRow]]()
    for row in belief_rows(log):
        yield row, scores(row.stated, row.holds, row.chance)
        if row.group:
            groups.setdefault((row.seat, row.number, row.group), []).append(row)
    for rows in groups.values():
        stated = [row.stated for row in rows]
        is_whole = None not in stated and abs(sum(filter(None, stated)) - 1) <= _SUM
        yield rows[0], {"groups": 1, "unsummed": int(not is_whole)}
    for answer, loss in choices_of(log, playouts):
        yield answer, {"choices": 1, "loss": loss}
