"""Highlights of a match: the remarks on its events that are worth jumping to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.core import Event, Game, Remark, State
from runner.record.decisions import LoggedDecision, decisions
from runner.record.reader import Log

BEST = 3
"""How many highlights a summary lists."""


class Highlight(NamedTuple):
    """A remark with a kind, on an event of decision `number`, counted from 1 (0: the deal), which was made in `round`."""

    number: int
    round: int
    event: Event
    remark: Remark

    @property
    def kind(self) -> str:
        """The kind, one of the game's `highlight_kinds`."""
        return self.remark.kind

    @property
    def text(self) -> str:
        """The event and the remark in words."""
        return remarked(self.event.text, self.remark.text)


def remarked(text: str, *remarks: str) -> str:
    """A sentence with remarks in brackets: `P-0 claims Duke (bluff).`"""
    said = ", ".join(filter(None, remarks))
    return f"{text.removesuffix('.')} ({said}){'.' * text.endswith('.')}" if said else text


def highlights_at(number: int, before: State | None, state: State, events: Sequence[Event], sees_all: bool) -> list[Highlight]:
    """The highlights of a transition; only public ones unless `sees_all`."""
    round_number = (state if before is None else before).round
    found = [remark for remark in state.game.remarks(before, state, events) if remark.kind]
    return [Highlight(number, round_number, events[remark.event], remark) for remark in found if sees_all or remark.is_public]


def highlights_in(decision: LoggedDecision, sees_all: bool) -> list[Highlight]:
    """The highlights of a logged decision."""
    before = decision.before if decision.number else None
    return highlights_at(decision.number, before, decision.state, decision.events, sees_all)


def highlights_of(log: Log, sees_all: bool) -> list[Highlight]:
    """The highlights of a log in order; only public ones unless `sees_all`. LogDamagedError where the log is damaged."""
    return [highlight for decision in decisions(log) for highlight in highlights_in(decision, sees_all)]


def best(highlights: Iterable[Highlight], most: int = BEST) -> list[Highlight]:
    """The highlights of the greatest weight, in order of play; of equal ones the earlier."""
    chosen = sorted(highlights, key=lambda highlight: -highlight.remark.weight)[:most]
    return sorted(chosen, key=lambda highlight: highlight.number)


def highlight_counts(game: Game, highlights: Sequence[Highlight]) -> dict[str, int]:
    """How many highlights there are of each kind, by the kind's words, in the game's order; none for a kind without any."""
    kinds = [highlight.kind for highlight in highlights]
    return {words: kinds.count(kind) for kind, words in game.highlight_kinds.items() if kind in kinds}
