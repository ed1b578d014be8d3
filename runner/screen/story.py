"""Story: what happens in a match, and what players think and say, as lines of which the newest are shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from runner.screen.line_breaks import HangingText, hanging
from runner.screen.narrator import is_highlight

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


class Story:
    """The last lines of a match. `back`: how many of the newest are left out, to look back; `count`: how many were told."""

    def __init__(self) -> None:
        self.lines: list[StoryLine] = []
        self.back = self.count = 0

    def tell(self, texts: Iterable[Text], now: float | None = None) -> None:
        """Add what happened, and (a HangingText) what players think and say. With the time `now` highlights flash."""
        for text in texts:
            until = now + _FLASH_SECONDS if now is not None and is_highlight(text) else 0.0
            self.count += 1
            self.lines.append(StoryLine(hanging(text), isinstance(text, HangingText), until))
        del self.lines[:-_KEPT]

    def tick(self, now: float) -> bool:
        """End the flashes whose time is over; whether there were any."""
        over = [place for place, line in enumerate(self.lines) if 0 < line.until <= now]
        for place in over:
            self.lines[place] = self.lines[place]._replace(until=0.0)
        return bool(over)

    def newest(self, is_mind: bool | None = None, most: int = _KEPT) -> NewestLines:
        """What happened, or what players think and say, or (None) both in their order."""
        lines = [line for line in self.lines[: max(1, len(self.lines) - self.back)] if is_mind in (None, line.is_mind)]
        return NewestLines(lines[-most:], is_mixed=is_mind is None)


@dataclass(frozen=True, slots=True)
class NewestLines:
    """The newest lines that fit the height, oldest first, the oldest one cut. `is_mixed`: thoughts are cut short."""

    lines: Sequence[StoryLine]
    is_mixed: bool

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = options.height or options.max_height
        shown: list[Text] = []
        for told in reversed(self.lines):
            if len(shown) >= room:
                break
            left = room - len(shown)
            most = min(left, max(_LEAST, room // _SHARE)) if told.is_mind and self.is_mixed else left
            shown = [*self._fitted(console, options, told, most), *shown]
        yield from shown

    def _fitted(self, console: Console, options: ConsoleOptions, told: StoryLine, most: int) -> Sequence[Text]:
        """A text in at most `most` lines: the beginning of a thought and of the newest text, else the end."""
        line = told.line
        if told.until:
            flashed = line.copy()
            flashed.stylize(_FLASH)
            line = hanging(flashed)
        if told.is_mind or told is self.lines[-1]:
            return line.first_lines(console, options.max_width, most)
        return line.wrap(console, options.max_width)[-most:]
