"""Viewer: the position in a logged match, and the effect of each key."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from runner.errors import LogDamagedError
from runner.record.decisions import LoggedDecision
from runner.record.highlights import Highlight, highlights_in
from runner.record.seek import SeekableDecisions
from runner.screen.perspective import Perspective
from runner.screen.seen_review import SeenReview
from runner.screen.thoughts import thoughts

TEXTS, THOUGHTS = "texts", "thoughts"
"""The panels that can be opened."""
SPEEDS = (5.0, 3.0, 2.0, 1.0, 0.5, 0.25, 0.1)
_PAGE = 10
_LONGEST_TYPED = 60

_MARKS: dict[str, tuple[str, Callable[[LoggedDecision], bool]]] = {
    "x": ("invalid answer", lambda decision: decision.has_strike),
    "p": ("penalty", lambda decision: decision.has_penalty),
    "c": ("challenge", lambda decision: decision.has_challenge),
    "s": ("change of score", lambda decision: decision.has_points),
}


@dataclass
class Viewer:
    """Position, perspective, and what is open on the screen. `said` is the message of the last key.

    The view changes by key only if the viewer was opened with the view of all.
    """

    decisions: SeekableDecisions
    perspective: Perspective
    pause: float = 1.0
    has_thoughts: bool = False
    review: SeenReview | None = None
    decision: LoggedDecision = field(init=False)
    is_playing: bool = False
    opened: str = ""
    """What is open beside the table: `texts`, `thoughts`, or nothing."""
    has_help: bool = False
    has_quit: bool = False
    is_alone: bool = False
    """Whether the terminal is gone."""
    scroll: int = 0
    typed: str | None = None
    wanted: str = ""
    said: str = ""

    def __post_init__(self) -> None:
        self.decision = self.decisions.at(0)
        self._has_all_views = self.perspective.sees_all
        self._highlights = dict[bool, list[Highlight]]()

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
        self.go(self.decision.number + 1)
        self.is_playing = self.is_playing and self.decision.number < self.decisions.last

    def go(self, number: int) -> None:
        """Go to a decision, or to the nearest one."""
        try:
            self.decision = self.decisions.at(max(0, min(number, self.decisions.last)))
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
            self.wanted = "" if self.typed.startswith("/") else self.wanted
            self.typed = None
        elif key == "backspace":
            self.typed = self.typed[:-1] or None
        elif len(self.typed) < _LONGEST_TYPED and (key == "space" or len(key) == 1):
            self.typed += " " if key == "space" else key

    def _seek(self, name: str, wanted: Callable[[LoggedDecision], bool], step: int) -> None:
        try:
            found = self.decisions.find(self.decision.number, step, wanted)
        except LogDamagedError as damage:
            self.said = str(damage)
            return
        if found is None:
            self.said = f"No {name} {'after' if step > 0 else 'before'} this decision."
        else:
            self.go(found)

    def _search(self, step: int) -> None:
        if self.wanted:
            self._seek(f"“{self.wanted}”", _text_search(self.perspective, self.wanted), step)

    def go_to_mark(self, step: int) -> None:
        """Go to the next or previous decision that the review marks as a fault."""
        here, marked = self.decision.number, [] if self.review is None else self.review.marked(self.perspective)
        found = [number for number in marked if (number - here) * step > 0]
        if found:
            self.go(found[0] if step > 0 else found[-1])
        elif self.review is None:
            self.said = f"No review of this match is kept: run `tabletop review {self.decisions.index.path}`."
        else:
            where = "after" if step > 0 else "before"
            self.said = f"No marked decision {where} this decision in the view {self.perspective.name}."

    def _search_or_highlight(self, step: int) -> None:
        """Go to a match of the search; to a highlight where nothing was searched for."""
        if self.wanted:
            self._search(step)
        else:
            self._seek("highlight", lambda decision: bool(highlights_in(decision, self.perspective.sees_all)), step)

    @property
    def highlights(self) -> list[Highlight]:
        """The highlights of the match that the perspective may know."""
        sees_all = self.perspective.sees_all
        if sees_all not in self._highlights:
            found = [highlight for decision in self.decisions.each() for highlight in highlights_in(decision, sees_all)]
            self._highlights[sees_all] = found
        return self._highlights[sees_all]

    def go_to_round(self, step: int) -> None:
        """Go to the start of the next or previous round."""
        try:
            found = self.decisions.find(self.decision.number, step, lambda found: found.begins_round or not found.number)
        except LogDamagedError as damage:
            self.said = str(damage)
            return
        self.go(found if found is not None else self.decisions.last if step > 0 else 0)

    def _turn(self, step: int) -> None:
        """Change the view: all, public, each seat."""
        if not self._has_all_views:
            self.said = f"This replay keeps the view {self.perspective.name}. Open it with --view all to change the view."
            return
        seats = [Perspective(seat=seat) for seat in range(self.decision.state.setup.players)]
        views = [Perspective(sees_all=True), Perspective(), *seats]
        self.perspective = views[(views.index(self.perspective) + step) % len(views)]
        self.scroll = 0

    def _open(self, name: str) -> None:
        """Open a panel, or close it if it is open."""
        self.opened = "" if self.opened == name else name
        self.scroll = 0

    def _set(self, name: str) -> None:
        setattr(self, name, not getattr(self, name))
        self.scroll = 0

    def _change_speed(self, step: int) -> None:
        nearest = min(range(len(SPEEDS)), key=lambda index: abs(SPEEDS[index] - self.pause))
        self.pause = SPEEDS[max(0, min(len(SPEEDS) - 1, nearest + step))]

    def _lose_terminal(self) -> None:
        self.has_quit = self.is_alone = True

    def _scroll_by(self, lines: int) -> None:
        self.scroll = max(0, self.scroll + lines)


_ACTIONS: dict[str, Callable[[Viewer], None]] = {
    "space": lambda viewer: viewer.go(viewer.decision.number + 1),
    "right": lambda viewer: viewer.go(viewer.decision.number + 1),
    "left": lambda viewer: viewer.go(viewer.decision.number - 1),
    "backspace": lambda viewer: viewer.go(viewer.decision.number - 1),
    "down": lambda viewer: viewer.go_to_round(1),
    "up": lambda viewer: viewer.go_to_round(-1),
    "home": lambda viewer: viewer.go(0),
    "g": lambda viewer: viewer.go(0),
    "end": lambda viewer: viewer.go(viewer.decisions.last),
    "G": lambda viewer: viewer.go(viewer.decisions.last),
    "n": lambda viewer: viewer._search_or_highlight(1),
    "N": lambda viewer: viewer._search_or_highlight(-1),
    "m": lambda viewer: viewer.go_to_mark(1),
    "M": lambda viewer: viewer.go_to_mark(-1),
    "v": lambda viewer: viewer._turn(1),
    "V": lambda viewer: viewer._turn(-1),
    "t": lambda viewer: viewer._open(TEXTS),
    "enter": lambda viewer: viewer._open(TEXTS),
    "T": lambda viewer: viewer._open(THOUGHTS),
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
    "gone": lambda viewer: viewer._lose_terminal(),
}


def _text_search(perspective: Perspective, words: str) -> Callable[[LoggedDecision], bool]:
    """A test whether any text of a decision that the perspective may see contains the words, ignoring case."""
    wanted = words.casefold()
    return lambda decision: any(wanted in text.casefold() for text in _texts(decision, perspective))


def _texts(decision: LoggedDecision, perspective: Perspective) -> Iterator[str]:
    yield from (event.text for event in perspective.visible_events(decision.events))
    yield from (record["text"] for record in decision.talk)
    record = decision.record
    if record is None or not perspective.reads(record["seat"]):
        return
    yield json.dumps(record["action"], ensure_ascii=False)
    for attempt in decision.attempts:
        reply = attempt.get("reply") or {}
        yield from (str(text) for text in (reply.get("text"), thoughts(attempt)) if text)
        yield str(attempt.get("why", ""))
        yield from (message["content"] for message in decision.messages(attempt))
