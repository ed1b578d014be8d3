"""Frames: what a viewer is shown at once, and for how long."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from games.core.drama import AT_ONCE, SECONDS
from games.core.scene import Scene
from games.core.unfolding import Told
from games.scenes import Heading
from runner.match.records import Record


class Line(NamedTuple):
    """What is told as one line: events, of which several are routine, or the record of an attempt or of table talk. `moment`:
    the round of a thought that is told later."""

    told: tuple[Told, ...] = ()
    record: Record | None = None
    moment: str = ""


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
