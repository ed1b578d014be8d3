"""Withheld thoughts: what players thought while it could give away hidden cards, told once it cannot any more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from games.core import State
from games.scenes import Heading, script_of


class _Kept(NamedTuple):
    thought: Any
    seat: int
    moment: str
    own: Mapping[str, Any]


class Withheld:
    """The thoughts of a match that somebody who sees what is public may not read yet."""

    def __init__(self) -> None:
        self._kept: list[_Kept] = []

    def keep(self, thought: Any, seat: int, state: State) -> None:
        """Keep a thought, with what its seat alone knew in the state."""
        heading = Heading.of(state)
        own = state.view(seat)["own"]
        self._kept.append(_Kept(thought, seat, f"{heading.round_word} {heading.round}", own))

    def released(self, state: State) -> list[tuple[Any, str]]:
        """The thoughts of which nothing is hidden in a state, each with its round, oldest first; at the end all."""
        if not self._kept:
            return []
        view, is_open = state.view(None), script_of(state.game).is_open
        found = [one for one in self._kept if state.has_ended or is_open(one.own, one.seat, view)]
        self._kept = [one for one in self._kept if one not in found]
        return [(one.thought, one.moment) for one in found]
