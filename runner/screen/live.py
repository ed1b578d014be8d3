"""Live screen: a match on a terminal while it is played, and what keys do meanwhile."""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import Enum

from rich.console import Console, RenderableType
from rich.text import Text

from games.core import PHASE, Event, Remark, State
from games.core.scene import Part, Scene
from runner.agents.spec import Human
from runner.match.config import MatchConfig
from runner.match.events import MatchEvent
from runner.match.match_state import MatchState
from runner.match.records import Record
from runner.record.highlights import remarks_on
from runner.screen.beats import Beat, beats_of, on_tables, told_in_story
from runner.screen.full_screen import Cached, FullScreen
from runner.screen.keys import LIVE, LiveKeys, help_on, press
from runner.screen.narrator import Narrator
from runner.screen.pacing import Pacing
from runner.screen.palette import QUIET
from runner.screen.pane_layout import (
    Header,
    MatchBody,
    MatchPanes,
    MenuPane,
    ReferenceRoom,
    StatusLine,
    TablePane,
    elapsed,
    spent,
)
from runner.screen.perspective import Perspective
from runner.screen.safe_text import clean
from runner.screen.scene_rich import SceneTable, rules_of, scene_of, shown_by_table
from runner.screen.seat_labels import called, names_at_table
from runner.screen.seat_states import SeatState, SeatStates
from runner.screen.story import Story

_FRAMES_PER_SECOND = 8
_SHARE = 0.02
"""Of the time of a quick match, what drawing may take."""
_FIRST = 0.5
"""Seconds before the first page of a match that is shown without pauses: a quick one is over by then."""
_LONGEST_WAIT = 1.0
"""Seconds from one table to the next at most, however long it takes to draw."""
_MOST_NOTED = 400
"""Records that the story goes back, and that another view tells again."""
_TOLD = ("header", "decision", "attempt", "talk")
"""Kinds of records that the story tells."""
_LINES_LEFT = 5
"""Lines of the story that stay on the terminal after a pause."""


_Noted = tuple[Record, tuple[Event, ...], list[Remark]]


class Shows(Enum):
    """What a live screen shows: the match, nothing while a person has the terminal and is not asked yet, the match with the
    person's question, or nothing after the end."""

    MATCH = "match"
    NOTHING = "nothing"
    QUESTION = "question"
    END = "end"


class LiveScreen:
    """Sink that draws a match in panes on the alternate screen, and leaves the last position. Keys, which it
    has with a `pacing`, change that and the view: one that hides something stays, the view of all goes to the others and back.

    Events are only noted; the screen is drawn a few times a second, so that a quick match does not wait for it. The state is
    that of the last event: a paced match is ahead of it. What a decision brings is shown beat by beat where steps take time.
    """

    _match: MatchState | None = None
    _state: State
    _before: State
    """Before the last decision."""
    _beat: Beat | None = None
    """What is shown of the last decision; None: the whole."""
    _config: MatchConfig
    _drawing: asyncio.Task[None] | None = None
    _scene: Scene | None = None
    _table: RenderableType = ""
    _body: Cached | None = None
    _rules: tuple[Sequence[Part], Cached | None] = (), None
    _said = ""
    _shows = Shows.MATCH
    _lender: Narrator
    """As whom the story was told before the screen was lent."""
    _is_stale = False
    """Whether the table is older than the match."""
    _help: RenderableType | None = None
    """The help on the keys, in place of the table until the next key."""
    _menu: MenuPane | None = None
    """What the person is asked; the table leaves out the cards that its menu has."""
    _next_frame = _next_table = 0.0
    _next_at_work = math.inf

    def __init__(
        self,
        console: Console,
        narrator: Narrator,
        budget: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        pacing: Pacing | None = None,
    ) -> None:
        self._narrator, self._budget, self._clock = narrator, budget, clock
        self.pacing, self._has_keys = pacing or Pacing(0.0), pacing is not None
        self.pacing.weigh = self.unfold
        self._views = [narrator.perspective]
        self._screen, self._keys, self._room = FullScreen(console), LiveKeys(self.press), ReferenceRoom()
        self._began = clock()
        self._seats: list[SeatState] = []
        self._story = Story()
        self._noted: deque[_Noted] = deque(maxlen=_MOST_NOTED)
        self._beats, self._waiting = deque[Beat](), list[_Noted]()

    def recall(self, event: MatchEvent) -> None:
        """Note what happened before the match begins on this screen; the story tells it then."""
        if event.record["kind"] in _TOLD:
            self._noted.append((event.record, event.events, remarks_on(event.match.state, event.events)))

    async def emit(self, event: MatchEvent) -> None:
        """Note what happened."""
        record = event.record
        self._match, self._state, self._config = event.match, event.match.state, event.match.config
        match record["kind"]:
            case "header" | "resumed":
                self._begin()
            case "question":
                self._seats[record["seat"]].ask(self._clock(), record.get("strikes"))
            case "attempt":
                self._seats[record["seat"]].attempt(record)
            case "decision":
                self._seats[record["seat"]].decide(self._narrator.perspective.how(record))
            case "moot":
                self._seats[record["seat"]].decide("moot")
            case "pause" | "result":
                self.close()
        if record["kind"] in _TOLD:
            self.recall(event)
            if self._beat is None:
                self._tell(*self._noted[-1], now=self._clock())
            elif record["kind"] == "decision":
                self._show_beat(self._beat)
            else:
                self._waiting.append(self._noted[-1])
        if record["kind"] == "decision":
            if any(one.kind == PHASE for one in event.events):
                for seat in self._seats:
                    seat.rest()
            self._is_stale = True
            if self._draw_if_due():
                await asyncio.sleep(0)

    # -- beats -------------------------------------------------------------------------------------------------------

    def unfold(self, event: MatchEvent) -> float:
        """Prepare the beats of a step, before it is shown; how long they take, in units of the speed."""
        self._end_beats()
        if self._match is None or not self.pacing.takes_time:
            return 1.0
        self._before, after, shown = self._state, event.match.state, shown_by_table(self._config.game)
        seen = self._narrator.perspective.visible_remarks(event.events, remarks_on(after, event.events))
        found = on_tables(beats_of(seen, shown), self._before, after, self._scene_of)
        if len(found) > 1:
            self._beat, *later = found
            self._beats.extend(later)
        return sum(beat.weight for beat in found)

    async def settle(self) -> None:
        """Wait until all that the last decision has brought is shown."""
        while self._beats:
            await self.pacing.reach(self._beats[0].start)
            self._play_beats()
            self.draw()

    def _show_beat(self, beat: Beat) -> None:
        """Tell a beat. After the last one comes what was said and thought meanwhile."""
        told = told_in_story([beat], shown_by_table(self._config.game))
        self._story.tell(self._narrator.lines(told), self._clock())
        self._beat, self._body, self._is_stale = None if beat.is_last else beat, None, True
        if beat.is_last:
            waiting, self._waiting = self._waiting, []
            for noted in waiting:
                self._tell(*noted, now=self._clock())

    def _play_beats(self) -> bool:
        """Show the beats whose time has come; whether there were any."""
        passed, left = self.pacing.passed, len(self._beats)
        while self._beats and self._beats[0].start <= passed:
            self._show_beat(self._beats.popleft())
        return len(self._beats) < left

    def _end_beats(self) -> None:
        while self._beats:
            self._show_beat(self._beats.popleft())
        self._beat = None

    def step(self) -> None:
        """Show the next event now: the next beat, or the next step."""
        if self._beats:
            self.pacing.skip(self._beats[0].start)
        else:
            self.pacing.step()

    def skip(self) -> None:
        """Show all that the last decision has brought."""
        if self._beats:
            self.pacing.skip(self._beats[-1].start)

    # -- telling -----------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        seats = self._config.seats
        self._shows, self._scene = Shows.MATCH, None
        self._seats = [SeatState() for _ in seats]
        self._views = self._views[0].views(len(seats))
        self._narrate_as(self._narrator)
        self.show()

    def _narrate_as(self, narrator: Narrator) -> None:
        """Tell the story again, as this narrator may know it."""
        self._narrator = narrator.of(self._config.seats, is_played=True)
        self._is_stale, self._beat = True, None
        self._beats.clear()
        self._waiting.clear()
        self._story = Story()
        for noted in self._noted:
            self._tell(*noted)

    def _tell(self, record: Record, events: tuple[Event, ...], remarks: list[Remark], now: float | None = None) -> None:
        """Take a record into the story; with the time `now` highlights are marked for a moment."""
        config, self._body = self._config, None
        told = self._narrator.told(record, config.setup.options.strikes)
        self._story.tell([*told, *self._narrator.events(events, remarks, shown_by_table(config.game))], now)

    # -- drawing -----------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Draw the match on the alternate screen, keep it up to date, and read keys."""
        if self._has_keys:
            self._keys.start()  # first, so that no key appears on the drawing
        if self.pacing.takes_time or self._next_frame:
            self.draw()
        else:
            self._next_frame = time.perf_counter() + _FIRST
        if self._drawing is None:
            self._drawing = asyncio.create_task(self._redraw())

    def hide(self) -> None:
        """Leave the alternate screen, and leave the keys to others."""
        if self._drawing is not None:
            self._drawing.cancel()
            self._drawing = None
        self._screen.hide()
        self._keys.stop()

    def lend(self, seat: int) -> None:
        """Leave the keys to the person at a seat, and show what that seat sees. Nothing is drawn before `ask`."""
        self._keys.stop()
        self._shows, self._lender = Shows.NOTHING, self._narrator
        if self._narrator.perspective.seat != seat:
            self._narrate_as(replace(self._narrator, perspective=Perspective(seat)))

    def ask(self, menu: MenuPane) -> None:
        """Show what the person is asked as a pane of the page, and put the cursor where they type."""
        self._put(menu, Shows.QUESTION)
        self._screen.begin_line()
        self.draw()

    def _put(self, menu: MenuPane | None, shows: Shows) -> None:
        had, has = (one is not None and one.has_choices for one in (self._menu, menu))
        self._is_stale = self._is_stale or had != has
        self._menu, self._shows, self._body, self._help = menu, shows, None, None

    def blank(self) -> None:
        """Forget the page, because the terminal was cleared: nothing is drawn before the next question or step of the match."""
        self._put(None, Shows.NOTHING)
        self._screen.hide()

    @property
    def room(self) -> int:
        """The lines that a page has beside what is typed."""
        return self.page().typing_row(self._screen.console.size) - 2

    def take_back(self) -> None:
        """Go on with the match as it was shown before."""
        self._put(None, Shows.MATCH)
        if self._narrator.perspective != self._lender.perspective:
            self._narrate_as(self._lender)
        self.show()

    def close(self) -> None:
        """Leave the alternate screen; once a match, print its position."""
        self.hide()
        self._end_beats()
        if self._match is None or self._shows is Shows.END:
            return
        self._shows = Shows.END
        if self._state.has_ended and any(seat.kind == Human.kind for seat in self._config.seats):
            self._narrator = replace(self._narrator, perspective=Perspective(sees_all=True))  # the cards are turned up
        header = Header(self._state, self._facts, self._narrator.perspective.sees_all)
        told = [] if self._state.has_ended else [self._story.newest(False, _LINES_LEFT)]
        self._screen.leave([header, SceneTable(self._visible, called=self._called), *told])

    async def _redraw(self) -> None:
        """Draw again and again, on the event loop: a thread that draws beside one that prints leaves lines behind."""
        while True:
            await asyncio.sleep(1 / _FRAMES_PER_SECOND)
            self._draw_if_due()

    def _draw_if_due(self) -> bool:
        """Draw, if the last frame is old enough; whether it did."""
        is_old = time.perf_counter() >= self._next_frame or time.process_time() >= self._next_at_work
        is_due = self._drawing is not None and is_old
        if is_due:
            self.draw(is_urgent=False)
        return is_due

    def draw(self, is_urgent: bool = True) -> None:
        """Bring the terminal up to date; the table only when it is urgent, or a while after the last one that is long against
        what it took."""
        if self._match is None or self._shows in (Shows.NOTHING, Shows.END):
            return
        began, used = time.perf_counter(), time.process_time()
        is_urgent = self._play_beats() or is_urgent
        is_new = self._scene is None or (self._is_stale and (is_urgent or began >= self._next_table))
        if is_new:
            self._scene = self._visible if self._beat is None or self._beat.scene is None else self._beat.scene
            self._is_stale, self._body = False, None
            if self._scene.rules != self._rules[0]:
                rules = rules_of(self._scene)
                self._rules = self._scene.rules, None if rules is None else Cached(rules)
            has_menu = self._menu is not None and self._menu.has_choices
            table = SceneTable(self._scene, has_story=True, has_menu=has_menu, called=self._called)
            self._table = Cached(TablePane(table, self._rules[1], room=self._room))
        page = self.page()
        self._screen.show(page, page.typing_row(self._screen.console.size) if self._menu else None)
        ended, is_quick = time.perf_counter(), not self.pacing.takes_time
        self._next_frame = ended + (_LONGEST_WAIT if is_quick else 0.9 / _FRAMES_PER_SECOND)
        if is_quick:  # the processor's time: where others use it too, the match is as slow as the drawing
            self._next_at_work = (now := time.process_time()) + (now - used) / _SHARE
        if is_new:
            self._next_table = ended + min(_LONGEST_WAIT, (ended - began) / _SHARE)

    def page(self) -> MatchPanes:
        """The match, as it was last drawn and with what was noted since, in its panes."""
        assert self._match is not None
        now, config, state = self._clock(), self._config, self._state if self._beat is None else self._before
        if self._story.tick(now) or self._body is None:
            has_minds = self._narrator.has_thoughts or config.talk
            self._body = Cached(MatchBody(self._help or self._table, self._story, has_minds, menu=self._menu))
        for seat, done in zip(self._seats, self._match.progress, strict=True):
            seat.done = done
        out = () if self._scene is None else self._scene.out
        return MatchPanes(
            title=Header(state, self._skin, self._narrator.perspective.sees_all, tuple(self._titles())),
            body=self._body,
            seats=SeatStates(self._seats, now, config.setup.options.strikes, out, self._called),
            footer=StatusLine(self._facts),
        )

    @property
    def _visible(self) -> Scene:
        return self._scene_of(self._state)

    def _scene_of(self, state: State) -> Scene:
        names = names_at_table(self._config.seats, self._narrator.perspective.seat)
        return scene_of(self._config.game, self._narrator.perspective.visible(state, names))

    @property
    def _called(self) -> Sequence[str]:
        return called(self._config.seats, self._narrator.perspective.seat)

    @property
    def _facts(self) -> str:
        cost = "" if self._match is None else spent(self._match.tallies, self._budget)
        return " · ".join(filter(None, (cost, elapsed(self._clock() - self._began))))

    @property
    def _skin(self) -> str:
        name = self._config.words.name if self._match is None else self._match.header.get("skin", "")
        return f"skin {clean(name)}" if name else ""

    def _titles(self) -> Iterator[Text]:
        """What was paused or said, and the keys, the longest text first."""
        if self._menu is not None:
            yield from (Text(keys, QUIET) for keys in (" ".join(self._menu.hints), "? help"))
        if not self._has_keys or self._menu is not None:
            return
        pacing = self.pacing
        said = " · ".join(filter(None, ("paused" * pacing.is_paused, self._said)))
        view = f"view v {self._narrator.perspective.name}" if len(self._views) > 1 else ""
        pause = "continue ␣" if pacing.is_paused else "pause ␣"
        keys = [pause, "step →", f"speed -+ {pacing.seconds:g} s", view, "thoughts t", "help ?"]
        for kept in (keys, keys[:3] + keys[-1:], [pause, "help ?"], [pause, "?"], ["?"]):
            yield Text.assemble((f"{said}  " if said else "", "bold yellow"), ("  ".join(filter(None, kept)), QUIET))

    # -- keys --------------------------------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        """Handle a key; any key closes the help."""
        had_help, self._help, self._said, self._body = self._help, None, "", None
        if not (had_help and key in ("?", "h")):
            press(self, LIVE, key)
        self.draw()

    def switch_help(self) -> None:
        """Show the help."""
        self._help = help_on(LIVE)

    def turn(self, step: int) -> None:
        """Go to the next view (1) or the previous one (-1)."""
        views, narrator = self._views, self._narrator
        if len(views) == 1:
            self._said = f"the view stays {views[0].name}"
            return
        self._narrate_as(replace(narrator, perspective=views[(views.index(narrator.perspective) + step) % len(views)]))

    def switch_thoughts(self) -> None:
        """Show or hide thoughts."""
        self._narrate_as(replace(self._narrator, has_thoughts=not self._narrator.has_thoughts))
        self._said = "thoughts on" if self._narrator.has_thoughts else "thoughts off"

    def refuse_to_quit(self) -> None:
        """Say how to stop: a paid match should not end by one key."""
        self._said = "Ctrl-C stops"
