"""The region at the bottom of a terminal: what stands there, what scrolls away, and what is left in the end."""

from __future__ import annotations

import random
from io import StringIO

import pyte
from rich.console import Console
from rich.text import Text

from runner.screen.region import Region


class Glass:
    """A terminal as a person sees it, with everything that has scrolled off its top."""

    def __init__(self, width: int = 40, height: int = 12) -> None:
        self.screen = pyte.HistoryScreen(width, height, history=10_000)
        self._stream = pyte.Stream(self.screen)
        self._file = StringIO()
        self.console = Console(
            file=self._file, width=width, height=height, force_terminal=True, color_system="256", highlight=False
        )
        self.region = Region(self.console)
        self.written = ""

    def show(self, told: list[str], parts: list[str]) -> list[str]:
        top, *middle, bottom = (Text(part) for part in parts)
        self.region.show([Text(line) for line in told], top, Text("\n").join(middle), bottom)
        return self.look()

    def look(self) -> list[str]:
        self.written = self._file.getvalue()
        self._file.seek(0)
        self._file.truncate()
        self._stream.feed(self.written.replace("\n", "\r\n"))
        gone = ["".join(line[x].data for x in range(self.screen.columns)) for line in self.screen.history.top]
        return [line.rstrip() for line in (*gone, *self.screen.display)]

    def resize(self, width: int, height: int) -> None:
        self.screen.resize(height, width)
        self.console.size = (width, height)


def filled(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines.pop()
    return lines


def test_the_story_scrolls_away_whole_over_a_region_of_any_height() -> None:
    glass, chance, story = Glass(), random.Random(1), list[str]()
    for frame in range(200):
        told = [f"line {len(story) + number}" for number in range(chance.choice((0, 0, 1, 3, 15)))]
        story += told
        region = [
            f"frame {frame} " + "x" * chance.choice((0, 5, 40 - len(f"frame {frame} "))) for _ in range(chance.randint(3, 11))
        ]
        assert filled(glass.show(told, region)) == [line.rstrip() for line in (*story, *region)]
    glass.region.hide([Text("the end")])
    assert filled(glass.look()) == [*story, "the end"]
    assert not glass.screen.cursor.hidden


def test_nothing_is_written_where_nothing_changed() -> None:
    glass = Glass()
    glass.show(["a"], ["one", "two", "three"])
    glass.show([], ["one", "two", "three"])
    assert glass.written == ""
    glass.show([], ["one", "2", "three"])
    assert "2" in glass.written
    assert not {"one", "three"} & set(glass.written.split())


def test_a_terminal_that_is_too_low_keeps_what_stands_first_and_last() -> None:
    glass = Glass(40, 10)
    shown = filled(glass.show([], [f"row {number}" for number in range(30)]))
    assert len(shown) == 9
    assert shown[0] == "row 0"
    assert shown[-1] == "row 29"
    assert "22 lines do not fit" in "\n".join(shown)


def test_after_a_change_of_size_everything_is_drawn_anew() -> None:
    glass = Glass(60, 14)
    story = [f"line {number}" for number in range(8)]
    for line in story:
        glass.show([line], ["head", "x" * 60, "foot"])
    for width, height in ((30, 14), (80, 20), (25, 8), (60, 14)):
        glass.resize(width, height)
        glass.show([], ["head", "x" * width, "foot"])
        display = filled([line.rstrip() for line in glass.screen.display])
        assert display[-3:] == ["head", "x" * width, "foot"]
        assert display[:-3] == story[-(height - 4) :]
    glass.region.hide()
    glass.look()
    assert filled([line.rstrip() for line in glass.screen.display]) == story
