"""The alternate screen of a terminal: what is written, and what is left in the end."""

from __future__ import annotations

from io import StringIO

import pyte
from rich.console import Console
from rich.text import Text

from runner.screen.full_screen import FullScreen


class Glass:
    """A terminal as a person sees it."""

    def __init__(self, width: int = 20, height: int = 4) -> None:
        self.screen = pyte.Screen(width, height)
        self._stream = pyte.Stream(self.screen)
        self._file = StringIO()
        self.console = Console(
            file=self._file, width=width, height=height, force_terminal=True, color_system="256", highlight=False
        )
        self.page = FullScreen(self.console)
        self.written = ""

    def show(self, *lines: str) -> list[str]:
        self.page.show(Text("\n".join(line.ljust(self.console.width) for line in lines)))
        return self.look()

    def look(self) -> list[str]:
        self.written = self._file.getvalue()
        self._file.seek(0)
        self._file.truncate()
        self._stream.feed(self.written.replace("\n", "\r\n"))
        return [line.rstrip() for line in self.screen.display]

    def resize(self, width: int, height: int) -> None:
        self.screen.resize(height, width)
        self.console.size = (width, height)


def test_only_changed_lines_are_written() -> None:
    glass = Glass()
    assert glass.show("one", "x" * 20, "three", "four") == ["one", "x" * 20, "three", "four"]
    glass.show("one", "x" * 20, "three", "four")
    assert glass.written == ""
    assert glass.show("one", "2", "three", "four") == ["one", "2", "three", "four"]
    assert not {"one", "three", "four"} & set(glass.written.split())


def test_after_a_change_of_size_everything_is_drawn_again() -> None:
    glass = Glass()
    glass.show("one", "two", "three", "four")
    glass.resize(10, 2)
    assert glass.show("one", "2") == ["one", "2"]
    glass.resize(30, 3)
    assert glass.show("one", "2", "y" * 30) == ["one", "2", "y" * 30]


def test_hiding_restores_the_terminal_and_what_is_left_is_printed() -> None:
    glass = Glass()
    glass.show("one", "two", "three", "four")
    assert glass.written.startswith("\x1b[?1049h")
    assert glass.screen.cursor.hidden
    glass.page.hide()
    glass.look()
    assert glass.written.endswith("\x1b[?1049l")
    assert not glass.screen.cursor.hidden
    glass.page.hide()
    glass.page.leave([Text("the end")])
    glass.look()
    assert glass.written == "the end\n"
