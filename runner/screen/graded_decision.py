"""Graded decision: what a screen or a page says of a reviewed decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rich.text import Text

from games.core import Answer, IllegalAction, State
from runner.review.grades import FAULTS, GradeName
from runner.review.review_document import DecisionEntry
from runner.screen.palette import BAD, GOOD, QUIET, seat_text
from runner.screen.safe_text import clean
from runner.screen.win_shares import percent

SIGNS: Mapping[GradeName, str] = dict(zip(FAULTS, ("?!", "?", "??"), strict=True))
"""The signs of chess."""

STYLES: Mapping[GradeName, str] = {
    "best": GOOD,
    "good": QUIET,
    "inaccuracy": "yellow",
    "mistake": "bold yellow",
    "blunder": BAD,
    "forced": QUIET,
}
_LONGEST, _LONGEST_EFFECT = 100, 300


class Words(NamedTuple):
    """An answer in words: the names of its steps, as the menu of choices has them, and what they do."""

    names: str
    effects: str


class GradedDecision(NamedTuple):
    """A decision with its grade, in words. `cards` is what the seat held, empty where the view has no such list.

    Shares are those of the win, from 0 to 1; `error` is the standard error of what was given up.
    """

    number: int
    seat: int
    grade: GradeName
    phase: str
    cards: str
    played: Words
    better: Words
    share: float
    best_share: float
    given_up: float
    error: float

    @property
    def sign(self) -> str:
        """The sign of a fault; empty for any other grade."""
        return SIGNS.get(self.grade, "")

    @property
    def loss(self) -> str:
        """What was given up, with its standard error."""
        return f"{percent(self.given_up)} ± {percent(self.error)}"

    @property
    def known(self) -> str:
        """The phase, and the cards that the seat held."""
        return f"{self.phase} · {self.cards}" if self.cards else self.phase

    @property
    def line(self) -> Text:
        """The grade in one line: what was given up, and what would have been better."""
        style = STYLES[self.grade]
        if self.sign:
            head = Text.assemble((f"{self.sign} ", style), seat_text(self.seat), f" gave up {self.loss} of the win")
            return head + Text(f"; better: {self.better.names} ({percent(self.best_share)}, not {percent(self.share)})")
        if self.grade == "best":
            return Text(f"Best answer found: {self.played.names} ({percent(self.share)} of the win)", style=style)
        best = f"{self.better.names} ({percent(self.best_share)}, played: {percent(self.share)})"
        return Text(f"Good answer; best found: {best}", style=style)


def graded_decision(entry: DecisionEntry, before: State) -> GradedDecision | None:
    """A graded decision of a review, with the state before it; None for a forced one, which has no alternative."""
    if entry["grade"] == "forced":
        return None
    seat = entry["seat"]
    return GradedDecision(
        number=entry["decision"],
        seat=seat,
        grade=entry["grade"],
        phase=clean(before.phase.name, _LONGEST),
        cards=_cards(before, seat),
        played=_words(before, seat, entry["answer"]),
        better=_words(before, seat, entry["best"]),
        share=entry["share"],
        best_share=entry["best_share"],
        given_up=entry["given_up"],
        error=entry["se"],
    )


def _words(before: State, seat: int, answer: Answer | None) -> Words:
    """An answer in words; its values where the rules refuse it."""
    found = answer or {}
    try:
        steps = before.read(seat, found).steps
    except IllegalAction:
        return Words(clean(", ".join(map(str, found.values())), _LONGEST), "")
    names, effects = ", ".join(step.name for step in steps), "; ".join(step.effect for step in steps if step.effect)
    return Words(clean(names, _LONGEST), clean(effects, _LONGEST_EFFECT))


def _cards(before: State, seat: int) -> str:
    """The first list of the seat's own facts, which is its hand, where it holds names or numbers."""
    hand = next((value for value in before.view(seat)["own"].values() if isinstance(value, list)), [])
    return clean(", ".join(map(str, hand)), _LONGEST) if all(isinstance(card, str | int) for card in hand) else ""
