"""Story: what happens in a match, and what players think and say, as lines of which the newest are shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from runner.screen.hanging_text import HangingText, hanging

_KEPT = 400
_FLASH = "reverse"
_FLASH_SECONDS = 1.5
_LEAST, _SHARE = 2, 4
"""Lines of a thought where it takes turns with what happens: these, or one part in four of the room."""


class StoryLine(NamedTuple):
    """A line of the story; with `is_mind` a thought or table talk. `until`: the time at which its flash ends."""

    line: HangingText
    is_mind: bool = False
    until: float = 0.0


@dataclass(slots=True)
class Story:
    """The last lines of a match. `version` changes whenever other lines would be shown."""

    lines: list[StoryLine] = field(default_factory=list)
    version: int = 0
    _flashes_until: float = 0.0

    def tell(self, texts: Iterable[Text], is_mind: bool = False, flash: float | None = None) -> None:
        """Add what happened, or with `is_mind` what a player thinks or says. `flash`: mark it for a moment from this time."""
        until = 0.0 if flash is None else flash + _FLASH_SECONDS
        new = [StoryLine(hanging(text), is_mind, until) for text in texts]
        self.lines = [*self.lines, *new][-_KEPT:]
        self.version += bool(new)
        self._flashes_until = max(self._flashes_until, until)

    def clear(self) -> None:
        """Forget everything."""
        self.lines, self._flashes_until = [], 0.0
        self.version += 1

    def tick(self, now: float) -> None:
        """End the flashes whose time is over."""
        if 0 < self._flashes_until <= now:
            self._flashes_until = 0.0
            self.lines = [line._replace(until=0.0) for line in self.lines]
            self.version += 1

    def happened(self) -> NewestLines:
        """What happened."""
        return NewestLines([line for line in self.lines if not line.is_mind])

    def minds(self) -> NewestLines:
        """What players think and say."""
        return NewestLines([line for line in self.lines if line.is_mind])

    def mixed(self) -> NewestLines:
        """Both in their order, thoughts and talk cut short."""
        return NewestLines(self.lines, is_mixed=True)


@dataclass(frozen=True, slots=True)
class NewestLines:
    """The newest lines that fit the height, oldest first, the oldest one cut. `is_mixed`: thoughts are cut short."""

    lines: Sequence[StoryLine]
    is_mixed: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = options.height or options.max_height
        shown: list[Text] = []
        for told in reversed(self.lines):
            if len(shown) >= room:
                break
            left = room - len(shown)
            most = min(left, max(_LEAST, room // _SHARE)) if told.is_mind and self.is_mixed else left
            shown = [_marked(line, told) for line in self._fitted(console, options, told, most)] + shown
        yield from shown

    def _fitted(self, console: Console, options: ConsoleOptions, told: StoryLine, most: int) -> Sequence[Text]:
        """A text in at most `most` lines: the beginning of a thought and of the newest text, else the end."""
        if told.is_mind or told is self.lines[-1]:
            return told.line.first_lines(console, options.max_width, most)
        return told.line.wrap(console, options.max_width)[-most:]


def _marked(line: Text, told: StoryLine) -> Text:
    if told.until:
        line = line.copy()
        line.stylize(_FLASH)
    return line
