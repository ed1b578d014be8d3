"""Recaps: the rules' own account of what matters of a match so far, in a few lines, for a player who remembers nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

from games.core.definition import View
from games.core.event import PHASE, Event

LATEST = 30

Recapping = Callable[[View, Sequence[Event]], Iterable[str]]
"""Gives the lines from a seat's view and the events that it was told of since the deal, oldest first. It has to do with fewer
events, as a player who takes a seat over was not told all. Words of players stand in it as JSON strings (`spoken`)."""


def latest_events(view: View, told: Sequence[Event]) -> Iterable[str]:
    """The recap of a game that brings none: the latest events in words, each as a JSON string."""
    return [spoken(event.text) for event in told if event.kind != PHASE][-LATEST:]


def spoken(text: str) -> str:
    """Words of a player, or of anybody, as a JSON string."""
    return json.dumps(text, ensure_ascii=False)
