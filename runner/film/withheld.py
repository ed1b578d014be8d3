"""Withheld thoughts: what players thought while it could give away hidden cards, told once it cannot any more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from games.core import State
from games.scenes import Heading, script_of
from runner.film.frame import Line
from runner.match.records import AttemptRecord


class _Kept(NamedTuple):
    record: AttemptRecord
    moment: str
    own: Mapping[str, Any]


class Withheld:
    """The attempts of a match with thoughts that somebody who sees what is public may not read yet."""

    def __init__(self) -> None:
        self._kept: list[_Kept] = []

    def keep(self, record: AttemptRecord, state: State) -> None:
        """Keep an attempt, with what its seat alone knew in the state."""
        heading = Heading.of(state)
        own = state.view(record["seat"])["own"]
        self._kept.append(_Kept(record, f"{heading.round_word} {heading.round}", own))

    def released(self, state: State) -> tuple[Line, ...]:
        """The attempts of which nothing is hidden in a state, oldest first; at the end of a match all that are left."""
        if not self._kept:
            return ()
        view, is_open = state.view(None), script_of(state.game).is_open
        found = [one for one in self._kept if state.has_ended or is_open(one.own, one.record["seat"], view)]
        self._kept = [one for one in self._kept if one not in found]
        return tuple(Line(record=one.record, moment=one.moment) for one in found)
