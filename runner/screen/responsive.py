"""Responsive layout: the largest of several layouts that fits the height."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment


@dataclass(frozen=True, slots=True)
class ResponsiveLayout:
    """Layouts, the largest first. The last one is drawn if none fits."""

    layouts: Sequence[RenderableType]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines: list[list[Segment]] = []
        for layout in self.layouts:
            lines = console.render_lines(layout, options, pad=False)
            if len(lines) <= options.max_height:
                break
        for line in lines:
            yield from line
            yield Segment.line()


@dataclass(frozen=True, slots=True)
class MaxHeight:
    """A renderable that is asked to use at most `height` lines."""

    part: RenderableType
    height: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        bounded = options.copy()
        bounded.max_height = max(1, self.height)
        yield from console.render(self.part, bounded)
