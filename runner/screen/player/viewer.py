"""Viewer: the position in a logged match, and the effect of each key."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from runner.errors import LogDamagedError
from runner.record.moments import Moment, Moments
from runner.screen.perspective import Perspective

SPEEDS = (5.0, 3.0, 2.0, 1.0, 0.5, 0.25, 0.1)
_PAGE = 10
_LONGEST_TYPED = 60

_MARKS: dict[str, tuple[str, Callable[[Moment], bool]]] = {
    "x": ("invalid answer", lambda moment: moment.has_strike),
    "p": ("penalty", lambda moment: moment.has_penalty),
    "c": ("challenge", lambda moment: moment.has_challenge),
    "s": ("change of score", lambda moment: moment.has_points),
}


@dataclass
class Viewer:
    """Position, perspective, and what is open on the screen. `said` is the message of the last key."""

    moments: Moments
    perspective: Perspective
    pause: float = 1.0
    has_thoughts: bool = False
    moment: Moment = field(init=False)
    is_playing: bool = False
    has_texts: bool = False
    has_help: bool = False
    has_quit: bool = False
    scroll: int = 0
    typed: str | None = None
    wanted: str = ""
    said: str = ""

    def __post_init__(self) -> None:
        self.moment = self.moments.at(0)

    def press(self, key: str) -> None:
        """Handle a key."""
        self.said = ""
        if self.typed is not None:
            self._type(key)
        elif self.has_help:
            self.has_help = False
        elif key in _ACTIONS:
            _ACTIONS[key](self)
        elif key.lower() in _MARKS:
            self._seek(*_MARKS[key.lower()], -1 if key.isupper() else 1)
        elif key.isdecimal() or key == "/":
            self.typed = key

    def tick(self) -> None:
        """Go to the next decision, or stop automatic play at the end."""
        self.go(self.moment.number + 1)
        self.is_playing = self.is_playing and self.moment.number < self.moments.last

    def go(self, number: int) -> None:
        """Go to the moment after a decision, or to the nearest one."""
        try:
            self.moment = self.moments.at(max(0, min(number, self.moments.last)))
            self.scroll = 0
        except LogDamagedError as damage:
            self.said, self.is_playing = str(damage), False

    def _type(self, key: str) -> None:
        assert self.typed is not None
        if key == "enter":
            typed, self.typed = self.typed, None
            if typed.startswith("/"):
                self.wanted = typed[1:] or self.wanted
                self._search(1)
            elif typed.isdecimal():
                self.go(int(typed))
        elif key == "escape":
            self.typed = None
        elif key == "backspace":
            self.typed = self.typed[:-1] or None
        elif len(self.typed) < _LONGEST_TYPED and (key == "space" or len(key) == 1):
            self.typed += " " if key == "space" else key

    def _seek(self, name: str, wanted: Callable[[Moment], bool], step: int) -> None:
        try:
            found = self.moments.find(self.moment.number, step, wanted)
        except LogDamagedError as damage:
            self.said = str(damage)
            return
        if found is None:
            self.said = f"No {name} {'after' if step > 0 else 'before'} this decision."
        else:
            self.go(found)

    def _search(self, step: int) -> None:
        if self.wanted:
            self._seek(f"“{self.wanted}”", _text_search(self.moments, self.perspective, self.wanted), step)

    def go_to_round(self, step: int) -> None:
        """Go to the start of the next or previous round."""
        try:
            found = self.moments.find(self.moment.number, step, lambda moment: moment.begins_round or moment.number == 0)
        except LogDamagedError as damage:
            self.said = str(damage)
            return
        self.go(found if found is not None else self.moments.last if step > 0 else 0)

    def _turn(self, step: int) -> None:
        """Change the view: all, public, each seat."""
        seats = [Perspective(seat=seat) for seat in range(self.moment.state.setup.players)]
        views = [Perspective(sees_all=True), Perspective(), *seats]
        self.perspective = views[(views.index(self.perspective) + step) % len(views)]
        self.scroll = 0

    def _set(self, name: str) -> None:
        setattr(self, name, not getattr(self, name))
        self.scroll = 0

    def _change_speed(self, step: int) -> None:
        nearest = min(range(len(SPEEDS)), key=lambda index: abs(SPEEDS[index] - self.pause))
        self.pause = SPEEDS[max(0, min(len(SPEEDS) - 1, nearest + step))]

    def _scroll_by(self, lines: int) -> None:
        self.scroll = max(0, self.scroll + lines)


_ACTIONS: dict[str, Callable[[Viewer], None]] = {
    "space": lambda viewer: viewer.go(viewer.moment.number + 1),
    "right": lambda viewer: viewer.go(viewer.moment.number + 1),
    "left": lambda viewer: viewer.go(viewer.moment.number - 1),
    "backspace": lambda viewer: viewer.go(viewer.moment.number - 1),
    "down": lambda viewer: viewer.go_to_round(1),
    "up": lambda viewer: viewer.go_to_round(-1),
    "home": lambda viewer: viewer.go(0),
    "g": lambda viewer: viewer.go(0),
    "end": lambda viewer: viewer.go(viewer.moments.last),
    "G": lambda viewer: viewer.go(viewer.moments.last),
    "n": lambda viewer: viewer._search(1),
    "N": lambda viewer: viewer._search(-1),
    "v": lambda viewer: viewer._turn(1),
    "V": lambda viewer: viewer._turn(-1),
    "t": lambda viewer: viewer._set("has_texts"),
    "enter": lambda viewer: viewer._set("has_texts"),
    "a": lambda viewer: viewer._set("is_playing"),
    "?": lambda viewer: viewer._set("has_help"),
    "h": lambda viewer: viewer._set("has_help"),
    "+": lambda viewer: viewer._change_speed(1),
    "-": lambda viewer: viewer._change_speed(-1),
    "pgdn": lambda viewer: viewer._scroll_by(_PAGE),
    "pgup": lambda viewer: viewer._scroll_by(-_PAGE),
    "j": lambda viewer: viewer._scroll_by(1),
    "k": lambda viewer: viewer._scroll_by(-1),
    "q": lambda viewer: setattr(viewer, "has_quit", True),
    "escape": lambda viewer: setattr(viewer, "has_quit", True),
    "eof": lambda viewer: setattr(viewer, "has_quit", True),
    "gone": lambda viewer: setattr(viewer, "has_quit", True),
}


def _text_search(moments: Moments, perspective: Perspective, words: str) -> Callable[[Moment], bool]:
    """A test whether any text of a moment that the perspective may see contains the words, ignoring case."""
    wanted = words.casefold()
    return lambda moment: any(wanted in text.casefold() for text in _texts(moments, moment, perspective))


def _texts(moments: Moments, moment: Moment, perspective: Perspective) -> Iterator[str]:
    yield from (event.text for event in perspective.visible_events(moment.events))
    decided = moment.decided
    if decided is None or not perspective.reads(decided.seat):
        return
    yield json.dumps(moments.record(moment).get("action"), ensure_ascii=False)
    for line in decided.attempts:
        attempt = moments.index.record(line)
        reply = attempt.get("reply") or {}
        yield from (str(reply[name]) for name in ("text", "reasoning") if reply.get(name))
        yield str(attempt.get("why", ""))
        yield from (message["content"] for message in moments.index.messages(attempt))
