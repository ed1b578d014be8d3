"""Frames: what a viewer is shown at once, and for how long."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from games.core import Event, Remark, State
from games.core.drama import ACT, BREATH, CONSEQUENCE, ELIMINATION, FINALE, REVEAL, ROUTINE, VOTE
from games.core.scene import Scene
from runner.film.scenes import script_of
from runner.match.records import Record

Told = tuple[Event, Sequence[Remark]]
"""An event with its remarks."""

AT_ONCE = ""
"""The beat of what takes no time of its own: a question, an attempt."""
SECONDS: Mapping[str, float] = {
    AT_ONCE: 0.0,
    ROUTINE: 0.5,
    VOTE: 0.6,
    ACT: 1.0,
    CONSEQUENCE: 1.2,
    REVEAL: 1.6,
    BREATH: 2.0,
    ELIMINATION: 2.4,
    FINALE: 6.0,
}
"""How long a beat is shown, in units of the speed. Where somebody can press a key, a finale stays until they do."""


class Line(NamedTuple):
    """What is told as one line: events, of which several are routine, or the record of an attempt or of table talk. `moment`:
    the round of a thought that is told later."""

    told: tuple[Told, ...] = ()
    record: Record | None = None
    moment: str = ""


class Heading(NamedTuple):
    """Where the match is: the round or turn with its number, and the phase in words."""

    round_word: str
    round: int
    phase: str

    @classmethod
    def of(cls, state: State) -> Heading:
        """Where the match is in a state."""
        phase = state.phase
        return cls(state.game.round_word, state.round, script_of(state.game).titles.get(phase.id, phase.name))

    def __str__(self) -> str:
        return f"{self.round_word} {self.round} · {self.phase}"


@dataclass(frozen=True)
class Frame:
    """What a viewer is shown at once: the table, where the match is, what is told, the kind of beat, the seats that are waited
    for, and the seconds that they have, None: as long as they like. `record` is what happened, of the first frame that shows
    it; with the last one (`is_last`) all that it brings is shown, and perhaps a phase begins (`begins`)."""

    see: Callable[[], Scene]
    header: Heading
    lines: tuple[Line, ...] = ()
    beat: str = AT_ONCE
    waiting: frozenset[int] = frozenset()
    deadline: float | None = None
    record: Record | None = None
    is_last: bool = True
    begins: bool = False

    @cached_property
    def scene(self) -> Scene:
        """The table; it is made when it is first looked at."""
        return self.see()

    @property
    def weight(self) -> float:
        """How long the frame is shown, in units of the speed."""
        return SECONDS[self.beat]
