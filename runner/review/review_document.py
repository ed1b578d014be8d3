"""Review document: what `tabletop review --json` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired

from typing_extensions import TypedDict

from games.core import Answer
from runner.review.decision_review import Reviewed
from runner.review.grades import GradeName

_DIGITS = 4
_TWO_SIDED = 1.96
"""Standard errors of a 95 % interval."""


class SeatEntry(TypedDict):
    """A seat of a review."""

    seat: int
    player: str
    """the player's name"""
    decisions: int
    """how many of its decisions are graded, forced ones not counted"""
    given_up: float | None
    """mean share of the win given up a graded decision; null without any"""
    interval: list[float] | None
    """95 % interval of that mean, for the sampling of worlds alone"""
    blunders: int
    mistakes: int
    inaccuracies: int
    start: float
    """share of the win before the first decision, from the true state"""
    result: float | None
    """share of the win at the end; null for a match that has not ended"""
    skill: float
    """sum, over its graded decisions, of its share after the decision minus the share that the policy's own play expects"""
    luck: float | None
    """result minus start minus skill: hidden cards, draws and what the others did; null for a match that has not ended"""


class DecisionEntry(TypedDict):
    """A graded decision; shares are those of the win, from 0 to 1, of the seat that decided, from what it knew."""

    decision: int
    """its number in the log, from 1"""
    seat: int
    answer: Answer | None
    share: float
    """expected share with this answer"""
    best: Answer | None
    """the best answer found"""
    best_share: float
    """expected share with that"""
    given_up: float
    """best_share minus share, at least 0"""
    se: float
    """standard error of that difference"""
    grade: GradeName


class NotGraded(TypedDict):
    """A decision that cannot be graded."""

    decision: int
    seat: int
    why: str


class ReviewDocument(TypedDict):
    """The review of one log."""

    log: str
    game: str
    playouts: int
    seed: int
    digest: NotRequired[str]
    """the hash of the log's last line that was reviewed"""
    seats: list[SeatEntry]
    decisions: list[DecisionEntry]
    chances: list[list[float]]
    """each seat's share of the win before every decision, from the true state: hidden cards show in it"""
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
        "grade": found.grade,
    }


def seat_entry(seat: int, player: str, found: Sequence[Reviewed], start: float, result: float | None) -> SeatEntry:
    """The entry of a seat; `found` are its decisions, graded or not."""
    graded = [decision_entry(one) for one in found if not one.why and one.grade != "forced"]
    grades = [one["grade"] for one in graded]
    given_up = sum(one["given_up"] for one in graded) / len(graded) if graded else None
    skill = sum(one.share - one.expected for one in found if not one.why and one.grade != "forced")
    return {
        "seat": seat,
        "player": player,
        "decisions": len(graded),
        "given_up": None if given_up is None else round(given_up, _DIGITS),
        "interval": None if given_up is None else _interval(given_up, [one["se"] for one in graded]),
        "blunders": grades.count("blunder"),
        "mistakes": grades.count("mistake"),
        "inaccuracies": grades.count("inaccuracy"),
        "start": round(start, _DIGITS),
        "result": None if result is None else round(result, _DIGITS),
        "skill": round(skill, _DIGITS),
        "luck": None if result is None else round(result - start - skill, _DIGITS),
    }


def _interval(mean: float, errors: Sequence[float]) -> list[float]:
    reach = _TWO_SIDED * sum(error * error for error in errors) ** 0.5 / len(errors)
    return [round(max(0.0, mean - reach), _DIGITS), round(mean + reach, _DIGITS)]
