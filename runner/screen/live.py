"""Live screen: a match on a terminal while it is played."""

import asyncio
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from rich.console import Console, Group, RenderableType
from rich.text import Text

from games.core import as_told
from games.core.scene import Scene
from games.highlights import best, eliminated
from runner.film.pacing import ALL_OF_IT, Pacing
from runner.film.perspective import Perspective
from runner.match.match_state import MatchEvent
from runner.match.records import ResultRecord
from runner.screen import pane_layout
from runner.screen.full_screen import Cached, FullScreen
from runner.screen.keys import LIVE, SUSPEND, LiveKeys, help_on, press, suspend
from runner.screen.line_breaks import hanging
from runner.screen.live_viewer import LiveViewer
from runner.screen.narrator import Narrator
from runner.screen.palette import GOOD, QUIET
from runner.screen.result import verdict
from runner.screen.safe_text import clean
from runner.screen.scene_rich import SceneTable, rules_of
from runner.screen.seat_states import SeatStates

_FRAMES_PER_SECOND = 8
_SHARE = 0.02
"""Of the time of a quick match, what drawing may take."""
_FIRST = 0.5
"""Seconds before the first page of a match that is shown without pauses: a quick one is over by then."""
_LONGEST_WAIT = 1.0
"""Seconds from one table to the next at most, however long it takes to draw."""
_LONGEST_FINALE = 60.0
"""Seconds that the end of a match is shown."""
_LOOKING = ("up", "down", "pgup", "pgdn", "end", ",", ".", "v", "V", "t")
"""Keys that somebody looks around with at the end of a match."""
_LINES_LEFT = 5
"""Lines of the story that stay on the terminal after a pause."""


Shows = Literal["match", "finale", "nothing", "question", "end"]
"""What a live screen shows: the match, how it ended until a key is pressed, nothing while a person has the terminal and is not
asked yet, the match with the person's question, or nothing after the end."""


class LiveScreen:
    """Sink that draws a match in panes on the alternate screen, and leaves the last position. Keys, which it has with a
    `pacing`, change that and what the viewer shows.

    Events are only noted; the screen is drawn a few times a second, so that a quick match does not wait for it. Frames of the
    film wait until their time has come where steps take time.
    """

    _drawing: asyncio.Task[None] | None = None
    _scene: Scene | None = None
    _table: RenderableType = ""
    _body: Cached | None = None
    _shows: Shows = "match"
    _menu: pane_layout.MenuPane | None = None
    """What the person is asked; the table leaves out the cards that its menu has."""
    _next_frame = _next_table = 0.0
    _next_at_work = math.inf
    _lender: Narrator
    """As whom the story was told before the screen was lent."""

    def __init__(
        self,
        console: Console,
        narrator: Narrator,
        budget: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        pacing: Pacing | None = None,
        first: Perspective | None = None,
        has_motion: bool = False,
    ) -> None:
        self._budget, self._clock, self._has_keys = budget, clock, pacing is not None
        self.viewer = LiveViewer(narrator, pacing or Pacing(0.0), clock, first, has_motion)
        self.screen, self._keys = FullScreen(console), LiveKeys(self.press)
        self._began = clock()

    async def emit(self, event: MatchEvent) -> None:
        """Note what happened."""
        kind = event.record["kind"]
        if kind in ("header", "resumed"):
            self._shows, self._scene = "match", None
            self.viewer.begin(event)
            self.show()
            return
        self.viewer.take(event)
        if kind == "pause" or (kind == "result" and not (self._has_keys and self.viewer.pacing.seconds)):
            self.close()
        if kind == "decision" and self._draw_if_due():
            await asyncio.sleep(0)

    async def settle(self) -> None:
        """Wait until all that the last decision has brought is shown."""
        viewer = self.viewer
        while viewer.due:
            await viewer.pacing.reach(viewer.due[0][0])
            viewer.play()
            self.draw()

    # -- the end -----------------------------------------------------------------------------------------------------

    async def linger(self) -> None:
        """After a match, show who has won and how, until a key, a minute at most; where nobody can press it, some seconds."""
        viewer = self.viewer
        if not viewer.seats or self._shows != "match":
            return
        viewer.play(ALL_OF_IT)
        if (result := viewer.frame.record) is None or result["kind"] != "result":
            return
        self._put(pane_layout.MenuPane((self._ending(result),)), "finale")
        self.draw()
        await viewer.pacing.rest(_LONGEST_FINALE if self._keys.are_read else viewer.pacing.seconds * viewer.frame.weight)
        self.close()

    def _ending(self, result: ResultRecord) -> RenderableType:
        narrator = self.viewer.narrator
        found = [one for one in self.viewer.highlights if narrator.perspective.sees_all or one.remark.is_public]
        moments = [hanging(Text("  ✦ ") + narrator.highlight(one)) for one in best(found)]
        told = verdict(result, narrator.you, eliminated(self.viewer.highlights))
        return Group(Text(f"★ {told}", GOOD), *moments, Text("Press any key to go on.", QUIET))

    # -- drawing -----------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Draw the match on the alternate screen, keep it up to date, and read keys."""
        if self._has_keys:
            self._keys.start()  # first, so that no key appears on the drawing
        if self.viewer.pacing.takes_time or self._next_frame:
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
        self.screen.hide()
        self._keys.stop()

    def lend(self, seat: int) -> None:
        """Leave the keys to the person at a seat, and show what that seat sees. Nothing is drawn before `ask`."""
        self._keys.stop()
        self._shows, self._lender = "nothing", self.viewer.narrator
        self.viewer.pacing.is_behind = False
        if self._lender.perspective.seat != seat:
            self.viewer.narrate_as(replace(self._lender, perspective=Perspective(seat)))

    def ask(self, menu: pane_layout.MenuPane) -> None:
        """Show what the person is asked as a pane of the page, and put the cursor where they type."""
        self._put(menu, "question")
        self.screen.begin_line()
        self.draw()

    def _put(self, menu: pane_layout.MenuPane | None, shows: Shows) -> None:
        had, has = (one is not None and one.has_choices for one in (self._menu, menu))
        self.viewer.is_stale = self.viewer.is_stale or had != has
        self._menu, self._shows, self._body, self.viewer.has_help = menu, shows, None, False

    def blank(self) -> None:
        """Forget the page, because the terminal was cleared: nothing is drawn before the next question or step of the match."""
        self._put(None, "nothing")
        self.screen.hide()

    @property
    def typing(self) -> range:
        """The rows of the terminal in which the person types."""
        return self.page().typing(self.screen.console.size)

    def take_back(self) -> None:
        """Go on with the match as it was shown before."""
        self._put(None, "match")
        if self.viewer.narrator.perspective != self._lender.perspective:
            self.viewer.narrate_as(self._lender)
        self.show()

    def close(self) -> None:
        """Leave the alternate screen; once a match, print its position."""
        self.hide()
        viewer = self.viewer
        if not viewer.seats or self._shows == "end":
            return
        viewer.play(ALL_OF_IT)
        self._shows, state = "end", viewer.match.state
        if state.has_ended and (len(viewer.views) > 1 or viewer.is_played):
            viewer.narrate_as(replace(viewer.narrator, perspective=Perspective(sees_all=True)))  # the cards are turned up
        told = [] if state.has_ended else [viewer.story.newest(False, _LINES_LEFT)]
        self.screen.leave([self._header(self._facts), SceneTable(viewer.frame.scene), *told])

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
        """Bring the terminal up to date; the table only when it is urgent, or rarely against what drawing it takes."""
        viewer = self.viewer
        if not viewer.seats or self._shows in ("nothing", "end"):
            return
        began, used = time.perf_counter(), time.process_time()
        is_urgent = viewer.play() or is_urgent or viewer.pacing.takes_time
        is_new = self._scene is None or (viewer.is_stale and (is_urgent or began >= self._next_table))
        if is_new:
            self._scene = viewer.seen.scene
            viewer.is_stale, self._body = False, None
            has_menu = self._menu is not None and self._menu.has_choices
            table = SceneTable(self._scene, has_story=True, has_menu=has_menu, is_asked=viewer.is_played)
            self._table = Cached(pane_layout.TablePane(table))
        page = self.page()
        self.screen.show(page, page.typing(self.screen.console.size))
        ended, is_quick = time.perf_counter(), not viewer.pacing.takes_time
        self._next_frame = ended + (_LONGEST_WAIT if is_quick else 0.9 / _FRAMES_PER_SECOND)
        if is_quick:  # the processor's time: where others use it too, the match is as slow as the drawing
            self._next_at_work = (now := time.process_time()) + (now - used) / _SHARE
        if is_new:
            self._next_table = ended + min(_LONGEST_WAIT, (ended - began) / _SHARE)

    def page(self) -> pane_layout.MatchPanes:
        """The match, as it was last drawn and with what was noted since, in its panes."""
        viewer, now = self.viewer, self._clock()
        viewer.story.back = viewer.unread
        if viewer.story.tick(now) or viewer.has_news or self._body is None:
            table = Group(help_on(LIVE), Text(), rules_of(viewer.seen.scene)) if viewer.has_help else self._table
            has_minds = viewer.narrator.has_thoughts or viewer.match.config.talk
            body = pane_layout.MatchBody(table, viewer.story, has_minds, menu=self._menu, is_played=viewer.is_played)
            self._body = Cached(body)
            viewer.has_news = False
        for seat, done in zip(viewer.seats, viewer.match.progress, strict=True):
            seat.done = done
        out = () if self._scene is None else self._scene.out
        return pane_layout.MatchPanes(
            title=self._header(f"skin {clean(skin)}" if (skin := viewer.match.header.get("skin")) else "", *self._titles()),
            body=self._body,
            asked=self._menu.rows if self._menu is not None and self._shows == "question" else 0,
            seats=SeatStates(viewer.seats, now, viewer.match.config.setup.options.strikes, out, viewer.called),
            footer=Text(self._facts, QUIET, no_wrap=True, overflow="ellipsis", justify="right"),
        )

    def _header(self, facts: str, *keys: Text) -> pane_layout.Header:
        viewer, config = self.viewer, self.viewer.match.config
        seed = config.setup.seed if viewer.narrator.perspective.sees_all else None
        return pane_layout.Header(config.game, viewer.seen.header, facts, seed, keys)

    @property
    def _facts(self) -> str:
        cost = pane_layout.spent(self.viewer.match.tallies, self._budget)
        return " · ".join(filter(None, (cost, pane_layout.elapsed(self._clock() - self._began))))

    def _titles(self) -> Iterator[Text]:
        """What was paused or said, and the keys, the longest text first."""
        if self._menu is not None:
            yield from (Text(keys, QUIET) for keys in (" ".join(self._menu.hints), "? help"))
        if not self._has_keys or self._menu is not None:
            return
        viewer, pacing = self.viewer, self.viewer.pacing
        back = f"{viewer.back} back, End: now" if viewer.back else ""
        back = back or "scrolled, End: now" * (viewer.scrolled > 0)
        said = " · ".join(filter(None, ("paused" * pacing.is_paused, back, viewer.said)))
        view = f"view v {as_told(viewer.narrator.perspective.name, viewer.called)}" if len(viewer.views) > 1 else ""
        pause = "continue ␣" if pacing.is_paused else "pause ␣"
        keys = [pause, "step →", f"speed -+ {pacing.seconds:g} s", view, "thoughts t", "help ?"]
        for kept in (keys, keys[:3] + keys[-1:], [pause, "help ?"], [pause, "?"], ["?"], []):
            yield Text("  ").join(filter(None, (Text(said, "bold yellow"), Text("  ".join(filter(None, kept)), QUIET))))

    # -- keys --------------------------------------------------------------------------------------------------------

    def press(self, key: str) -> None:
        """Handle a key; any key closes the help."""
        viewer, self._body = self.viewer, None
        had_help, viewer.has_help, viewer.said = viewer.has_help, False, ""
        if key == SUSPEND:
            suspend(self.hide, self.show)
        elif self._shows == "finale" and key not in _LOOKING:
            viewer.pacing.go_on()
        elif not (had_help and key in ("?", "h")):
            press(viewer, LIVE, key)
        self.draw()
