"""Viewer: the position in a logged match, and the effect of each key."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

from games.core import PENALTY
from games.highlights import Highlight
from runner.errors import LogDamagedError, TabletopError
from runner.film.film import Film, Frame
from runner.film.pacing import SPEEDS, next_speed
from runner.film.perspective import Perspective
from runner.record.decisions import DecisionList, LoggedDecision, highlights_in
from runner.record.notes import LONGEST_NOTE, keep_note, kept_notes
from runner.screen.keys import REPLAY, press
from runner.screen.narrator import thoughts
from runner.screen.seat_labels import labels_of
from runner.screen.seen_review import SeenReview
from runner.screen.transcript import Comments

ASK, DEAL, EDIT = "prompts ask", "deal", "edit"
NOTE = "!"
"""The key that notes something."""

_LONGEST_TYPED = 60
KINDS: dict[str, tuple[str, Callable[[LoggedDecision], bool]]] = {
    "x": ("invalid answer", lambda found: any(attempt["outcome"] == "mistake" for attempt in found.attempts)),
    "p": ("penalty", lambda found: any(event.kind == PENALTY for event in found.events)),
    "c": ("challenge", lambda found: any("challenge" in event.kind for event in found.events)),
    "s": ("change of score", lambda found: found.before.scores != found.state.scores),
}
"""What keys jump to, in words, and whether a decision is that."""


@dataclass
class Viewer:
    """Position, perspective, and what is open on the screen. `said` is the message of the last key.

    The view changes by key only if the viewer was opened with the view of all.
    """

    decisions: DecisionList
    perspective: Perspective
    pause: float = 1.0
    has_thoughts: bool = False
    review: SeenReview | None = None
    has_motion: bool = False
    comments: Comments = field(default_factory=dict)
    """What a caster says, who knows what the first view does."""
    decision: LoggedDecision = field(init=False)
    is_playing: bool = False
    opened: str = ""
    """The panel beside the table: `texts`, `thoughts`, or none."""
    has_help: bool = False
    has_quit: bool = False
    verb: str = ""
    """The command that the decision on view is left for; empty for none."""
    is_alone: bool = False
    """Whether the terminal is gone."""
    scroll: int = 0
    top: str = ""
    """The line of the open panel that stands at its top."""
    typed: str | None = None
    notes: dict[int, str] = field(init=False)
    """Those of the log, by decision."""
    wanted: str = ""
    said: str = ""
    frames: Sequence[Frame] = ()
    """The frames of the decision on view, of which the first `shown` have been played."""
    shown: int = 0

    def __post_init__(self) -> None:
        self.decision, self.notes = self.decisions.at(0), kept_notes(self.decisions.log.path)
        self._views = self.perspective.views(self.decision.state.setup.players)
        self.names = labels_of(self.decisions.log.header["seats"])
        self._show_whole()
        self._highlights = cache(
            lambda sees_all: [one for each in self.decisions.each() for one in highlights_in(each, sees_all)]
        )

    def press(self, key: str) -> None:
        """Handle a key. While help is open, any but those that scroll closes it."""
        self.said = ""
        if self.typed is not None:
            self._type(key, self.typed)
        elif self.has_help and key not in ("pgdn", "pgup", "j", "k"):
            self.has_help = False
        else:
            press(self, REPLAY, key)

    def tick(self) -> None:
        """Go to the next frame, or stop automatic play at the end."""
        self.look(1)
        self.is_playing = self.is_playing and (self.is_midway or self.decision.number < self.decisions.last)

    @property
    def is_midway(self) -> bool:
        """Whether not all of the decision on view is shown yet."""
        return self.shown < len(self.frames)

    @property
    def delay(self) -> float:
        """Seconds until the next frame of automatic play."""
        return self.pause * self.frame.weight

    @property
    def frame(self) -> Frame:
        """The frame on view."""
        return self.frames[self.shown - 1]

    # -- moving ------------------------------------------------------------------------------------------------------

    def go(self, number: int) -> None:
        """Go to a decision, or to the nearest one."""
        try:
            self.decision = self.decisions.at(max(0, min(number, self.decisions.last)))
            self._show_whole()
        except LogDamagedError as damage:
            self.said, self.is_playing = str(damage), False

    def _show_whole(self) -> None:
        film = Film(self.decisions.game, self.perspective, self.names, has_motion=self.has_motion)
        self.scroll, self.frames = 0, film.logged(self.decision)
        self.shown = len(self.frames)

    def look(self, step: int) -> None:
        """Go to the next frame (1) or the previous one (-1)."""
        number = self.decision.number
        if found := [place for place in self._stops if (place - self.shown) * step > 0]:
            self.shown = min(found, key=lambda place: place * step)
        elif 0 <= number + step <= self.decisions.last:
            self.go(number + step)
            self.shown = self._stops[0] if step > 0 and self.decision.number != number else len(self.frames)

    @property
    def _stops(self) -> list[int]:
        """The places of the frames that are looked at one by one; what moves is shown while the match plays by itself."""
        return [place for place, frame in enumerate(self.frames, 1) if self.is_playing or not frame.is_moving]

    def step(self, step: int) -> None:
        """Go to the next decision (1) or the previous one (-1)."""
        self.go(self.decision.number + step)

    def go_to_round(self, step: int) -> None:
        """Go to the start of the next or previous round."""
        end = self.decisions.last if step > 0 else 0
        self._seek("round", lambda found: found.begins_round or not found.number, step, end)

    def go_to_mark(self, step: int) -> None:
        """Go to the next or previous decision that the review marks as a fault."""
        here, marked = self.decision.number, [] if self.review is None else self.review.marked(self.perspective)
        found = [number for number in marked if (number - here) * step > 0]
        if found:
            self.go(found[0] if step > 0 else found[-1])
        elif self.review is None:
            self.said = f"No review of this match is kept: run `tabletop review {self.decisions.log.path}`."
        else:
            where = "after" if step > 0 else "before"
            self.said = f"No marked decision {where} this decision in the view {self.perspective.name}."

    def seek_kind(self, letter: str) -> None:
        """Go to the next decision of a kind; to the previous one for a capital letter."""
        self._seek(*KINDS[letter.lower()], -1 if letter.isupper() else 1)

    def search_or_highlight(self, step: int) -> None:
        """Go to a match of the search; to a highlight where nothing was searched for."""
        if self.wanted:
            wanted = self.wanted.casefold()
            self._seek(f"“{self.wanted}”", lambda found: wanted in self._texts(found).casefold(), step)
        else:
            self._seek("highlight", lambda found: bool(highlights_in(found, self.perspective.sees_all)), step)

    def _seek(self, name: str, wanted: Callable[[LoggedDecision], bool], step: int, otherwise: int | None = None) -> None:
        try:
            found = self.decisions.find(self.decision.number, step, wanted)
        except LogDamagedError as damage:
            self.said = str(damage)
            return
        if found is not None or otherwise is not None:
            self.go(found if found is not None else otherwise or 0)
        else:
            self.said = f"No {name} {'after' if step > 0 else 'before'} this decision."

    def _texts(self, decision: LoggedDecision) -> str:
        texts = [event.text for event in self.perspective.visible_events(decision.events)]
        texts += [*(record["text"] for record in decision.talk), self.notes.get(decision.number, "")]
        record = decision.record
        if record is not None and self.perspective.reads(record["seat"]):
            texts.append(json.dumps(record["action"], ensure_ascii=False))
            for attempt in decision.attempts:
                texts += [str((attempt.get("reply") or {}).get("text") or ""), thoughts(attempt), str(attempt.get("why", ""))]
                texts += [message["content"] for message in decision.log.messages(attempt)]
        return "\n".join(texts)

    @property
    def said_here(self) -> Sequence[str]:
        """What a caster says of the decision on view, where the view may know it."""
        return self.comments.get(self.decision.number, ()) if self.perspective == self._views[0] else ()

    @property
    def highlights(self) -> list[Highlight]:
        """The highlights of the match that the perspective may know."""
        return self._highlights(self.perspective.sees_all)

    # -- typing ------------------------------------------------------------------------------------------------------

    def begin_typing(self, key: str) -> None:
        """Begin the number of a decision, with / a search, with ! a note."""
        self.typed = key + (self.notes.get(self.decision.number, "") if key == NOTE else "")

    def _type(self, key: str, typed: str) -> None:
        if key == "enter":
            self.typed = None
            if typed.startswith("/"):
                self.wanted = typed[1:] or self.wanted
                if self.wanted:
                    self.search_or_highlight(1)
            elif typed.startswith(NOTE):
                self._note(typed[1:].strip())
            elif typed.isdecimal():
                self.go(int(typed))
        elif key == "escape":
            self.wanted = "" if typed.startswith("/") else self.wanted
            self.typed = None
        elif key == "backspace":
            self.typed = typed[:-1] or None
        elif len(typed) < (LONGEST_NOTE if typed.startswith(NOTE) else _LONGEST_TYPED) and (key == "space" or len(key) == 1):
            self.typed = typed + (" " if key == "space" else key)

    def _note(self, text: str) -> None:
        try:
            self.notes = keep_note(self.decisions.log.path, self.decision.number, text)
        except TabletopError as error:
            self.said = error.sentence

    # -- showing -----------------------------------------------------------------------------------------------------

    def turn(self, step: int) -> None:
        """Change the view: all, public, each seat."""
        if len(self._views) == 1:
            self.said = f"This replay keeps the view {self.perspective.name}. Open it with --view all to change the view."
            return
        self.perspective = self._views[(self._views.index(self.perspective) + step) % len(self._views)]
        self._show_whole()

    def open_panel(self, name: str) -> None:
        """Open a panel, or close it if it is open."""
        self.opened, self.scroll = "" if self.opened == name else name, 0

    def switch_help(self) -> None:
        """Show the help."""
        self.has_help, self.scroll = True, 0

    def switch_play(self) -> None:
        """Start or stop automatic play."""
        self.is_playing, self.scroll = not self.is_playing, 0

    def change_speed(self, step: int) -> None:
        """Play faster (1) or slower (-1)."""
        self.pause = max(SPEEDS[-2], next_speed(self.pause, step))

    def scroll_by(self, lines: int) -> None:
        """Scroll what is open down, or up."""
        self.scroll = max(0, self.scroll + lines)

    def leave_for(self, verb: str) -> None:
        """Leave the replay for a command on the decision on view, where the view may know what it asks."""
        seat = self.decision.seat
        if verb == DEAL:
            if self.perspective.sees_all:
                self.verb, self.has_quit = verb, True
            else:
                self.said = f"Two matches are shown with everything, which the view {self.perspective.name} hides."
        elif seat is None:
            self.said = "The deal is no decision: → goes to the first one."
        elif verb == ASK and not self.perspective.reads(seat):
            self.said = f"The view {self.perspective.name} hides what {self.names[seat]} was asked."
        else:
            self.verb, self.has_quit = verb, True

    def quit(self, why: str) -> None:
        """End the replay; `gone`: so is the terminal."""
        self.has_quit, self.is_alone = True, why == "gone"
