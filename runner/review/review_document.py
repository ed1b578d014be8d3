"""Review document: what `tabletop review --json` prints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from games.core import Answer
from runner.review.decision_review import Reviewed
from runner.review.grades import GradeName

_DIGITS = 4
_TWO_SIDED = 1.96
"""Standard errors of a 95 % interval."""

Share = Annotated[float, Field(ge=0, le=1)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0)]


class SeatEntry(TypedDict):
    """A seat of a review."""

    seat: Count
    player: str
    """the player's name"""
    decisions: Count
    """how many of its decisions are graded, forced ones not counted"""
    given_up: Share | None
    """mean `regret` of its graded decisions, at least 0; null without any"""
    interval: Annotated[list[Share], Field(min_length=2, max_length=2)] | None
    """95 % interval of that mean for these decisions: it allows for the sampling of worlds, not for other matches"""
    relative: Share | None
    """its regrets divided by the shares of the best answers: the part of what it could still win that it gave up"""
    blunders: Count
    mistakes: Count
    inaccuracies: Count
    start: Share
    """share of the win before the first decision, from the true state"""
    result: Share | None
    """share of the win at the end; null for a match that has not ended"""
    skill: Number
    """sum, over its graded decisions, of its share with the decision minus the share that the policy's own play expects"""
    luck: Number | None
    """result minus start minus skill: hidden cards, draws and what the others did; null for a match that has not ended"""


class DecisionEntry(TypedDict):
    """A graded decision; shares are those of the win, from 0 to 1, of the seat that decided, from what it knew."""

    decision: Count
    """its number in the log, from 1"""
    seat: Count
    answer: Answer | None
    share: Share
    """expected share with this answer"""
    best: Answer | None
    """the best answer found"""
    best_share: Share
    """expected share with that"""
    given_up: Share
    """best_share minus share, at least 0"""
    se: Share
    """standard error of that difference"""
    regret: Number
    """best_share minus share without the favour of chance, for means; can be below 0"""
    grade: GradeName


class NotGraded(TypedDict):
    """A decision that cannot be graded."""

    decision: Count
    seat: Count
    why: str


class ReviewDocument(TypedDict):
    """The review of one log."""

    log: str
    game: str
    playouts: Count
    seed: int
    view: NotRequired[str]
    """whose view this is, such as P-1 or public; a review without it shows everything"""
    digest: NotRequired[str]
    """the hash of the log's last line that was reviewed"""
    seats: list[SeatEntry]
    decisions: list[DecisionEntry]
    chances: list[list[Share]]
    """each seat's share of the win before every decision: from the true state, so that hidden cards show in it; in a
    restricted view from what that view knows"""
    not_graded: list[NotGraded]


def decision_entry(found: Reviewed) -> DecisionEntry:
    """The entry of a graded decision."""
    share, best_share = round(found.share, _DIGITS), round(found.best_share, _DIGITS)
    return {
        "decision": found.number,
        "seat": found.seat,
        "answer": found.answer,
        "share": share,
        "best": found.best,
        "best_share": best_share,
        "given_up": round(max(0.0, best_share - share), _DIGITS),
        "se": round(found.error, _DIGITS),
        "regret": round(found.regret, _DIGITS),
        "grade": found.grade,
    }


def seat_entry(seat: int, player: str, found: Sequence[Reviewed], start: float, result: float | None) -> SeatEntry:
    """The entry of a seat; `found` are its decisions, graded or not."""
    graded = [decision_entry(one) for one in found if not one.why and one.grade != "forced"]
    grades = [one["grade"] for one in graded]
    given_up = sum(one["regret"] for one in graded) / len(graded) if graded else None
    skill = sum(one.share - one.expected for one in found if not one.why and one.grade != "forced")
    return {
        "seat": seat,
        "player": player,
        "decisions": len(graded),
        "given_up": None if given_up is None else round(max(0.0, given_up), _DIGITS),
        "interval": None if given_up is None else _interval(given_up, [one["se"] for one in graded]),
        "relative": _relative(graded),
        "blunders": grades.count("blunder"),
        "mistakes": grades.count("mistake"),
        "inaccuracies": grades.count("inaccuracy"),
        "start": round(start, _DIGITS),
        "result": None if result is None else round(result, _DIGITS),
        "skill": round(skill, _DIGITS),
        "luck": None if result is None else round(result - start - skill, _DIGITS),
    }


def _relative(graded: Sequence[DecisionEntry]) -> float | None:
    best = sum(one["best_share"] for one in graded)
    return round(min(1.0, max(0.0, sum(one["regret"] for one in graded) / best)), _DIGITS) if best else None


def _interval(mean: float, errors: Sequence[float]) -> list[float]:
    reach = _TWO_SIDED * sum(error * error for error in errors) ** 0.5 / len(errors)
    return rounded([max(0.0, mean - reach), min(1.0, max(0.0, mean + reach))])


def rounded(shares: Iterable[float]) -> list[float]:
    """Shares with the digits of the document."""
    return [round(share, _DIGITS) for share in shares]
