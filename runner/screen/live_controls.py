"""Live controls: what keys do while a match is shown: pause, step, speed, view, thoughts, help."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Protocol

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from runner.screen.live_keys import LiveKeys
from runner.screen.narrator import Narrator
from runner.screen.pacing import Pacing
from runner.screen.palette import QUIET, TITLE
from runner.screen.perspective import Perspective

_KEYS = (
    ("space", "pause, continue; no seat is asked while it is paused"),
    ("→ .", "the next step now; while it is paused, that step alone"),
    ("- +", "slower, faster"),
    ("v", "next view: all, public, each seat; only if the view is all at the start"),
    ("t", "show or hide what players think"),
    ("?", "show or hide this help"),
    ("Ctrl-C", "stop; a match that is played can be resumed"),
)


class ControlledScreen(Protocol):
    """A screen that keys control."""

    narrator: Narrator
    """Whose knowledge it shows, and whether it shows thoughts."""
    keys: tuple[Text, ...]
    """The keys and the speed, for the title line: the longest text that fits."""
    cover: RenderableType | None
    """What is shown in place of the table."""

    def draw(self) -> None:
        """Bring the terminal up to date."""


class LiveControls:
    """The keys of a screen. A view that hides something never changes; the view of all goes to the others and back."""

    def __init__(self, screen: ControlledScreen, pacing: Pacing) -> None:
        self._screen = screen
        self._pacing = pacing
        self._keys = LiveKeys(self.press)
        self._views = [screen.narrator.perspective]
        self._said = ""

    def start(self, players: int) -> None:
        """Read keys for a match of this many players."""
        if self._views[0].sees_all:
            self._views = [self._views[0], Perspective(), *(Perspective(seat=seat) for seat in range(players))]
        self._tell()
        self.read()

    def read(self) -> None:
        """Read keys until `stop`."""
        self._keys.start()

    def stop(self) -> None:
        """Stop reading keys."""
        self._keys.stop()

    def press(self, key: str) -> None:
        """Handle a key."""
        self._said = ""
        is_help = key in ("?", "h")
        if self._screen.cover is not None:
            self._screen.cover = None
        elif is_help:
            self._screen.cover = _help()
        if not is_help and key in _ACTIONS:
            _ACTIONS[key](self)
        self._tell()
        self._screen.draw()

    def pause(self) -> None:
        """Pause, or continue."""
        self._pacing.pause(not self._pacing.is_paused)

    def step(self) -> None:
        """Show the next step."""
        self._pacing.step()

    def change_speed(self, step: int) -> None:
        """Go faster (1) or slower (-1)."""
        self._pacing.change_speed(step)

    def turn(self, step: int) -> None:
        """Go to the next view (1) or the previous one (-1)."""
        if len(self._views) == 1:
            self._said = f"the view stays {self._views[0].name}"
            return
        narrator = self._screen.narrator
        place = self._views.index(narrator.perspective) + step
        self._screen.narrator = replace(narrator, perspective=self._views[place % len(self._views)])

    def switch_thoughts(self) -> None:
        """Show or hide thoughts."""
        narrator = self._screen.narrator
        self._screen.narrator = replace(narrator, has_thoughts=not narrator.has_thoughts)
        self._said = "thoughts on" if self._screen.narrator.has_thoughts else "thoughts off"

    def refuse_to_quit(self) -> None:
        """Say how to stop: a paid match should not end by one key."""
        self._said = "Ctrl-C stops"

    def _tell(self) -> None:
        self._screen.keys = tuple(self._texts())

    def _texts(self) -> Iterator[Text]:
        """The state and the keys, the longest text first."""
        pacing, narrator = self._pacing, self._screen.narrator
        view = f"view v {narrator.perspective.name}" if len(self._views) > 1 else ""
        speed = f"speed -+ {pacing.seconds:g} s"
        pause = "continue ␣" if pacing.is_paused else "pause ␣"
        keys = [pause, "step →", speed, view, "thoughts t", "help ?"]
        for kept in (keys, keys[:3] + keys[-1:], [pause, "help ?"], [pause, "?"], ["?"]):
            yield self._state() + Text("  ".join(filter(None, kept)), style=QUIET)

    def _state(self) -> Text:
        said = " · ".join(filter(None, ("paused" * self._pacing.is_paused, self._said)))
        return Text(f"{said}  ", style="bold yellow") if said else Text()


def _help() -> Table:
    rows = Table.grid(padding=(0, 2))
    rows.add_column(no_wrap=True, style=TITLE)
    rows.add_column()
    for key, what in _KEYS:
        rows.add_row(key, what)
    return rows


_ACTIONS: dict[str, Callable[[LiveControls], None]] = {
    "space": LiveControls.pause,
    "right": LiveControls.step,
    ".": LiveControls.step,
    "-": lambda controls: controls.change_speed(-1),
    "+": lambda controls: controls.change_speed(1),
    "=": lambda controls: controls.change_speed(1),
    "v": lambda controls: controls.turn(1),
    "V": lambda controls: controls.turn(-1),
    "t": LiveControls.switch_thoughts,
    "q": LiveControls.refuse_to_quit,
    "escape": LiveControls.refuse_to_quit,
}
