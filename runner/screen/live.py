"""Live screen: a match on a terminal while it is played, and what keys do meanwhile."""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import Enum

from rich.console import Console, Group, RenderableType
from rich.text import Text

from games.core import Event, Remark, as_told, counted
from games.core.scene import Scene
from games.highlights import Highlight, best, remarks_on
from games.scenes import shown_by_table
from games.withheld import Withheld
from runner.agents.spec import Human
from runner.film.film import Film, Frame
from runner.film.pacing import Pacing
from runner.film.perspective import Perspective
from runner.match.header import MatchConfig
from runner.match.match_state import MatchEvent, MatchState
from runner.match.records import Record, ResultRecord
from runner.screen import pane_layout
from runner.screen.full_screen import Cached, FullScreen
from runner.screen.keys import LIVE, LiveKeys, help_on, press, suspend
from runner.screen.line_breaks import hanging
from runner.screen.narrator import Narrator
from runner.screen.palette import GOOD, QUIET
from runner.screen.result import verdict
from runner.screen.safe_text import clean
from runner.screen.scene_rich import SceneTable, rules_of
from runner.screen.seat_labels import labels_of
from runner.screen.seat_states import SeatState, SeatStates
from runner.screen.story import Story
from runner.screen.transcript import caster_line

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
_LONGEST_FINALE = 60.0
"""Seconds that the end of a match is shown."""
_LOOKING = ("up", "down", "pgup", "pgdn", "end", ",", ".", "v", "V", "t")
"""Keys that somebody looks around with at the end of a match."""
_LINES_LEFT = 5
"""Lines of the story that stay on the terminal after a pause."""


_Noted = tuple[Record, tuple[Event, ...], list[Remark]]


class Shows(Enum):
    """What a live screen shows: the match, how it ended until somebody goes on, nothing while a person has the terminal and is
    not asked yet, the match with the person's question, or nothing after the end."""

    MATCH = "match"
    FINALE = "finale"
    NOTHING = "nothing"
    QUESTION = "question"
    END = "end"


class LiveScreen:
    """Sink that draws a match in panes on the alternate screen, and leaves the last position. Keys, which it
    has with a `pacing`, change that and the view: one that hides something stays, the view of all goes to the others and back.
    `first` is the view that it begins with.

    Events are only noted; the screen is drawn a few times a second, so that a quick match does not wait for it. Frames of the
    film wait until their time has come where steps take time.
    """

    _match: MatchState | None = None
    _film: Film
    _frame: Frame
    """The newest that is shown."""
    _back = _scrolled = 0
    """How many frames, and beside that lines of the story, somebody looks back."""
    _number = 0
    """The decisions so far."""
    _config: MatchConfig
    _drawing: asyncio.Task[None] | None = None
    _scene: Scene | None = None
    _table: RenderableType = ""
    _body: Cached | None = None
    _said = ""
    _shows = Shows.MATCH
    _lender: Narrator
    """As whom the story was told before the screen was lent."""
    _is_stale = False
    """Whether the table is older than the match."""
    _help: RenderableType | None = None
    """The help on the keys, in place of the table until the next key."""
    _menu: pane_layout.MenuPane | None = None
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
        first: Perspective | None = None,
    ) -> None:
        self._narrator, self._budget, self._clock = narrator, budget, clock
        self.pacing, self._has_keys = pacing or Pacing(0.0), pacing is not None
        self.pacing.weigh = self.unfold
        self._views, self._first = [narrator.perspective], first or narrator.perspective
        self._screen, self._keys = FullScreen(console), LiveKeys(self.press)
        self._began = clock()
        self._seats: list[SeatState] = []
        self._story = Story()
        self._noted: deque[_Noted] = deque(maxlen=_MOST_NOTED)
        self._due, self._prepared = deque[tuple[float, Frame]](), list[Frame]()
        self._past: deque[tuple[Frame, int]] = deque(maxlen=_MOST_NOTED)
        self._highlights, self._withheld = list[Highlight](), Withheld()
        self._comments = list[tuple[str, Perspective]]()

    def comment(self, text: str, seen: Perspective) -> None:
        """Tell what a caster says, who has seen what a perspective does, when all that happened is shown."""
        self._comments.append((text, seen))

    def recall(self, event: MatchEvent) -> None:
        """Note what happened before the match begins on this screen; the story tells it then."""
        if event.record["kind"] in _TOLD:
            remarks, state = remarks_on(event.match.state, event.events), event.match.state
            self._noted.append((event.record, event.events, remarks))
            self._number += event.record["kind"] == "decision"
            found = (one for one in remarks if one.kind)
            self._highlights += [Highlight(self._number, state.round, event.events[one.event], one) for one in found]

    async def emit(self, event: MatchEvent) -> None:
        """Note what happened."""
        record = event.record
        self._match, self._config = event.match, event.match.config
        if record["kind"] in ("header", "resumed"):
            self._begin(event)
            return
        frames, self._prepared = self._prepared or self._film.take(event, is_unfolded=False), []
        self.recall(event)
        self._queue(frames)
        if record["kind"] == "pause" or (record["kind"] == "result" and not self._waits_at_end):
            self.close()
        if record["kind"] == "decision" and self._draw_if_due():
            await asyncio.sleep(0)

    # -- frames ------------------------------------------------------------------------------------------------------

    def unfold(self, event: MatchEvent) -> float:
        """Prepare the frames of a step, before it is shown; how long they take, in units of the speed."""
        self._show_all()
        if self._match is None or not self.pacing.takes_time:
            return 1.0
        self._prepared = self._film.take(event)
        return sum(frame.weight for frame in self._prepared)

    def _queue(self, frames: Sequence[Frame]) -> None:
        """Show frames when their time has come: the first one at once, if nothing is shown before it."""
        start = self._due[-1][0] if self._due else 0.0
        for frame in frames:
            self._due.append((round(start, 3), frame))
            start += frame.weight
        if self._due[0][1] is frames[0]:
            self._show(self._due.popleft()[1])

    async def settle(self) -> None:
        """Wait until all that the last decision has brought is shown."""
        while self._due:
            await self.pacing.reach(self._due[0][0])
            self._play()
            self.draw()

    def _show(self, frame: Frame) -> None:
        self._frame, self._is_stale, self._body, told = frame, True, None, self._story.count
        if frame.record is not None:
            self._follow(frame.record)
        shown = shown_by_table(self._config.game)
        self._story.tell(self._narrator.framed(frame.lines, self._config.setup.options.strikes, shown), self._clock())
        for seat in self._seats if frame.begins else ():
            seat.rest()
        if frame.lines or frame.beat:
            self._past.append((frame, self._story.count))
            self._back = min(self._back + (self._back > 0), len(self._past) - 1)
        self._scrolled += (self._story.count - told) * (self._scrolled > 0)

    def _follow(self, record: Record) -> None:
        """Note what a seat does."""
        match record["kind"]:
            case "question":
                self._seats[record["seat"]].ask(self._clock(), record.get("strikes"))
            case "attempt":
                self._seats[record["seat"]].attempt(record)
            case "decision":
                self._seats[record["seat"]].decide(self._narrator.perspective.how(record))
            case "moot":
                self._seats[record["seat"]].decide("moot")

    def _play(self) -> bool:
        """Show the frames whose time has come; whether there were any."""
        passed, left = self.pacing.passed, len(self._due)
        while self._due and self._due[0][0] <= passed:
            self._show(self._due.popleft()[1])
        if self._comments and not self._due:
            may_know = Perspective(), self._narrator.perspective
            self._story.tell(caster_line(text) for text, seen in self._comments if seen in may_know or may_know[1].sees_all)
            self._comments, self._body = [], None
        return len(self._due) < left

    def _show_all(self) -> None:
        while self._due:
            self._show(self._due.popleft()[1])

    def step(self) -> None:
        """Show the next event now: the next frame, or the next step."""
        if self._due:
            self.pacing.skip(self._due[0][0])
        else:
            self.pacing.step()

    def skip(self) -> None:
        """Show all that the last decision has brought."""
        if self._due:
            self.pacing.skip(self._due[-1][0])

    # -- the end -----------------------------------------------------------------------------------------------------

    @property
    def _waits_at_end(self) -> bool:
        return self._has_keys and self.pacing.seconds > 0

    async def linger(self) -> None:
        """After the end of a match, show who has won and how, until somebody presses a key, a minute at most; where nobody can,
        for a few seconds."""
        if self._match is None or self._shows is not Shows.MATCH:
            return
        self._show_all()
        if (result := self._frame.record) is None or result["kind"] != "result":
            return
        self._put(pane_layout.MenuPane((self._ending(result),)), Shows.FINALE)
        self.draw()
        await self.pacing.rest(_LONGEST_FINALE if self._keys.are_read else self.pacing.seconds * self._frame.weight)
        self.close()

    def _ending(self, result: ResultRecord) -> RenderableType:
        sees_all, you = self._narrator.perspective.sees_all, self._narrator.you
        found = [one for one in self._highlights if sees_all or one.remark.is_public]
        moments = [hanging(Text("  ✦ ") + self._narrator.highlight(one)) for one in best(found)]
        return Group(Text(f"★ {verdict(result, you)}", GOOD), *moments, Text("Press any key to go on.", QUIET))

    # -- telling -----------------------------------------------------------------------------------------------------

    def _begin(self, event: MatchEvent) -> None:
        seats = self._config.seats
        self._shows, self._scene = Shows.MATCH, None
        self._seats = [SeatState() for _ in seats]
        self._views = self._views[0].views(len(seats))
        self.recall(event)
        self._narrate_as(replace(self._narrator, perspective=self._first))
        self.show()

    def _narrate_as(self, narrator: Narrator) -> None:
        """Tell the story again, as this narrator may know it."""
        assert self._match is not None
        for _, frame in self._due:
            if frame.record is not None:
                self._follow(frame.record)
        self._due.clear()
        config, self._narrator = self._config, narrator.of(self._config.seats, is_played=True)
        seen = narrator.perspective
        self._film = Film(config.game, seen, self._called, withheld=self._withheld if len(self._views) > 1 else None)
        self._frame, self._is_stale, self._body = self._film.still(self._match), True, None
        self._past.clear()
        self._back = self._scrolled = 0
        self._story, shown = Story(), shown_by_table(config.game)
        for noted in self._noted:
            self._story.tell(self._narrator.framed(self._film.lines(*noted), config.setup.options.strikes, shown))

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
        self.pacing.is_behind = False
        self._shows, self._lender = Shows.NOTHING, self._narrator
        if self._narrator.perspective.seat != seat:
            self._narrate_as(replace(self._narrator, perspective=Perspective(seat)))

    def ask(self, menu: pane_layout.MenuPane) -> None:
        """Show what the person is asked as a pane of the page, and put the cursor where they type."""
        self._put(menu, Shows.QUESTION)
        self._screen.begin_line()
        self.draw()

    def _put(self, menu: pane_layout.MenuPane | None, shows: Shows) -> None:
        had, has = (one is not None and one.has_choices for one in (self._menu, menu))
        self._is_stale = self._is_stale or had != has
        self._menu, self._shows, self._body, self._help = menu, shows, None, None

    def blank(self) -> None:
        """Forget the page, because the terminal was cleared: nothing is drawn before the next question or step of the match."""
        self._put(None, Shows.NOTHING)
        self._screen.hide()

    @property
    def typing(self) -> range:
        """The rows of the terminal in which the person types."""
        return self.page().typing(self._screen.console.size)

    def take_back(self) -> None:
        """Go on with the match as it was shown before."""
        self._put(None, Shows.MATCH)
        if self._narrator.perspective != self._lender.perspective:
            self._narrate_as(self._lender)
        self.show()

    def close(self) -> None:
        """Leave the alternate screen; once a match, print its position."""
        self.hide()
        if self._match is None or self._shows is Shows.END:
            return
        self._show_all()
        self._shows, state = Shows.END, self._match.state
        if state.has_ended and (len(self._views) > 1 or any(seat.kind == Human.kind for seat in self._config.seats)):
            self._narrate_as(replace(self._narrator, perspective=Perspective(sees_all=True)))  # the cards are turned up
        told = [] if state.has_ended else [self._story.newest(False, _LINES_LEFT)]
        self._screen.leave([self._header(self._facts), SceneTable(self._film.scene(state)), *told])

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
        is_urgent = self._play() or is_urgent or self.pacing.takes_time
        is_new = self._scene is None or (self._is_stale and (is_urgent or began >= self._next_table))
        if is_new:
            self._scene = self._seen.scene
            self._is_stale, self._body = False, None
            has_menu = self._menu is not None and self._menu.has_choices
            table = SceneTable(self._scene, has_story=True, has_menu=has_menu)
            self._table = Cached(pane_layout.TablePane(table))
        page = self.page()
        self._screen.show(page, page.typing(self._screen.console.size))
        ended, is_quick = time.perf_counter(), not self.pacing.takes_time
        self._next_frame = ended + (_LONGEST_WAIT if is_quick else 0.9 / _FRAMES_PER_SECOND)
        if is_quick:  # the processor's time: where others use it too, the match is as slow as the drawing
            self._next_at_work = (now := time.process_time()) + (now - used) / _SHARE
        if is_new:
            self._next_table = ended + min(_LONGEST_WAIT, (ended - began) / _SHARE)

    def page(self) -> pane_layout.MatchPanes:
        """The match, as it was last drawn and with what was noted since, in its panes."""
        assert self._match is not None
        now, config = self._clock(), self._config
        self._story.back = self._scrolled + (self._story.count - self._past[-1 - self._back][1] if self._back else 0)
        if self._story.tick(now) or self._body is None:
            has_minds = self._narrator.has_thoughts or config.talk
            self._body = Cached(pane_layout.MatchBody(self._help or self._table, self._story, has_minds, menu=self._menu))
        for seat, done in zip(self._seats, self._match.progress, strict=True):
            seat.done = done
        out = () if self._scene is None else self._scene.out
        return pane_layout.MatchPanes(
            title=self._header(self._skin, *self._titles()),
            body=self._body,
            asked=self._menu.rows if self._menu is not None and self._shows is Shows.QUESTION else 0,
            seats=SeatStates(self._seats, now, config.setup.options.strikes, out, self._called),
            footer=pane_layout.StatusLine(self._facts),
        )

    def _header(self, facts: str, *keys: Text) -> pane_layout.Header:
        seed = self._config.setup.seed if self._narrator.perspective.sees_all else None
        return pane_layout.Header(self._config.game, self._seen.header, facts, seed, keys)

    @property
    def _seen(self) -> Frame:
        """The frame that is looked at."""
        return self._past[-1 - self._back][0] if self._back else self._frame

    @property
    def _called(self) -> tuple[str, ...]:
        return labels_of(self._config.seats, self._narrator.perspective.seat)

    @property
    def _facts(self) -> str:
        cost = "" if self._match is None else pane_layout.spent(self._match.tallies, self._budget)
        return " · ".join(filter(None, (cost, pane_layout.elapsed(self._clock() - self._began))))

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
        back = f"{counted(self._back, 'frame')} back, End: now" if self._back else "scrolled, End: now" * (self._scrolled > 0)
        said = " · ".join(filter(None, ("paused" * pacing.is_paused, back, self._said)))
        view = f"view v {as_told(self._narrator.perspective.name, self._called)}" if len(self._views) > 1 else ""
        pause = "continue ␣" if pacing.is_paused else "pause ␣"
        keys = [pause, "step →", f"speed -+ {pacing.seconds:g} s", view, "thoughts t", "help ?"]
        for kept in (keys, keys[:3] + keys[-1:], [pause, "help ?"], [pause, "?"], ["?"]):
            yield Text.assemble((f"{said}  " if said else "", "bold yellow"), ("  ".join(filter(None, kept)), QUIET))

    # -- keys --------------------------------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        """Handle a key; any key closes the help."""
        had_help, self._help, self._said, self._body = self._help, None, "", None
        if self._shows is Shows.FINALE and key not in _LOOKING:
            self.pacing.go_on()
        elif not (had_help and key in ("?", "h")):
            press(self, LIVE, key)
        self.draw()

    def suspend(self) -> None:
        """Leave the terminal to the shell until it continues this process."""
        suspend(self.hide, self.show)

    def step_aside(self) -> None:
        """Leave the alternate screen; the next drawing comes back to it."""
        self._screen.hide()

    def look(self, step: int) -> None:
        """Go to the next frame (1) or the previous one (-1); from the newest one to what comes next."""
        if step > 0 and not self._back:
            self.step()
        self._back = max(0, min(self._back - step, len(self._past) - 1))
        self._is_stale = True

    def change_speed(self, step: int) -> None:
        """Show events for a shorter time (1) or a longer one (-1)."""
        self.pacing.change_speed(step)

    def scroll_by(self, lines: int) -> None:
        """Scroll the story to later lines, or to earlier ones."""
        self._scrolled = max(0, min(self._scrolled - lines, len(self._story.lines) - 1))

    def go_to_end(self) -> None:
        """Show what happens now; from there, go to the end of the match, or to the next question to a person."""
        if not (self._back or self._scrolled):
            self.pacing.hurry()
        self._back, self._scrolled, self._is_stale = 0, 0, True

    def switch_help(self) -> None:
        """Show the help and the rules in short."""
        self._help = Group(help_on(LIVE), Text(), rules_of(self._seen.scene))

    def turn(self, step: int) -> None:
        """Go to the next view (1) or the previous one (-1)."""
        views, narrator = self._views, self._narrator
        if len(views) == 1:
            self._said = f"the view stays {as_told(views[0].name, self._called)}"
            return
        self._narrate_as(replace(narrator, perspective=views[(views.index(narrator.perspective) + step) % len(views)]))

    def switch_thoughts(self) -> None:
        """Show or hide thoughts."""
        self._narrate_as(replace(self._narrator, has_thoughts=not self._narrator.has_thoughts))
        self._said = "thoughts on" if self._narrator.has_thoughts else "thoughts off"

    def refuse_to_quit(self) -> None:
        """Say how to stop: a paid match should not end by one key."""
        self._said = "Ctrl-C stops"
