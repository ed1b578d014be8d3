"""Highlights: the remarks on the events of a match that are worth jumping to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from games.core.event import Event
from games.core.game import Game
from games.core.remark import Remark
from games.core.state import State

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
        return self.remark.kind

    @property
    def text(self) -> str:
        return remarked(self.event.text, self.remark.text)


def remarked(text: str, *remarks: str) -> str:
    """A sentence with remarks in brackets: `P-0 claims Duke (bluff).`"""
    said = ", ".join(filter(None, remarks))
    return f"{text.removesuffix('.')} ({said}){'.' * text.endswith('.')}" if said else text


def remarks_on(state: State, events: Sequence[Event]) -> list[Remark]:
    """The remarks on the transition that has just led to a state, which still knows its origin; none without events."""
    return [] if not events else list(state.game.remarks(state.origin[0] if state.origin else None, state, events))


def best(highlights: Sequence[Highlight], most: int = BEST) -> list[Highlight]:
    """The highlights of the greatest weight, in order of play; of equal ones those of other kinds, rarer kinds, later ones."""
    kinds, chosen, left = Counter(highlight.kind for highlight in highlights), Counter[str](), list(highlights)

    def rank(highlight: Highlight) -> tuple[int, int, int, int]:
        return -highlight.remark.weight, chosen[highlight.kind], kinds[highlight.kind], -highlight.number

    found = list[Highlight]()
    while left and len(found) < most:
        found.append(min(left, key=rank))
        left.remove(found[-1])
        chosen[found[-1].kind] += 1
    return sorted(found, key=lambda highlight: highlight.number)


def highlight_counts(game: Game, highlights: Sequence[Highlight]) -> dict[str, int]:
    """How many highlights there are of each kind, by the kind's words, in the game's order; none for a kind without any."""
    kinds = Counter(highlight.kind for highlight in highlights)
    return {words: kinds[kind] for kind, words in game.highlight_kinds.items() if kind in kinds}


OUT = "out"
"""The kind of a highlight by which a player is out for good."""


def eliminated(highlights: Sequence[Highlight]) -> list[int]:
    """The players who are out, in that order."""
    return [highlight.remark.seat for highlight in highlights if highlight.kind == OUT and highlight.remark.seat is not None]


def highlight_facts(highlights: Sequence[Highlight]) -> list[dict[str, object]]:
    """The highlights as JSON data."""
    return [
        {
            "decision": highlight.number,
            "round": highlight.round,
            "kind": highlight.kind,
            "seat": highlight.remark.seat,
            "weight": highlight.remark.weight,
            "text": highlight.text,
        }
        for highlight in highlights
    ]
