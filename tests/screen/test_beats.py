"""Beats: what one decision brings is shown one event after the other, the same live, in a replay, a recording and a page."""

from __future__ import annotations

import asyncio
import json
import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import games
from games.scenes import Heading
from runner.export import transcripts
from runner.export.page.match_page import match_page
from runner.export.transcripts import to_cast, to_markdown
from runner.film.film import Film, Frame
from runner.film.pacing import Pacing
from runner.film.perspective import Perspective
from runner.match.match_state import MatchEvent
from runner.record.decisions import DecisionList, LoggedDecision, decisions
from runner.record.reader import Log, read_log
from runner.screen.live import LiveScreen
from runner.screen.narrator import Narrator
from runner.screen.replay_page import Page
from runner.screen.replay_viewer import Viewer
from runner.screen.shared_terminal import SharedTerminal
from runner.screen.transcript import PlainOutput
from tests.export.test_export import page_data
from tests.match.tables import bot, match
from tests.record.matches import erring, played, short
from tests.screen.drawing import drawn
from tests.screen.talkers import Talker
from tests.screen.test_pacing import Clock, settled

NAMES = ("ada", "bo", "cy", "di")
ALL, PUBLIC = Perspective(sees_all=True), Perspective()


def beats(decision: LoggedDecision, perspective: Perspective = PUBLIC, has_motion: bool = False) -> list[Frame]:
    players = decision.state.setup.players
    return Film(games.load(decision.state.game.name), perspective, NAMES[:players], has_motion=has_motion).logged(decision)


async def logged(folder: Path, game: str, players: int = 3, **options: int) -> Log:
    await played(folder / "log.jsonl", game, erring(game, players, 0.1), 3, **(options or short(game)))
    return read_log(folder / "log.jsonl")


class Watched:
    """A live screen of a match on a simulated clock; `pages` are what it showed whenever something waited, if it `is_drawn`."""

    def __init__(self, game: str, seconds: float = 1.0, is_drawn: bool = True, **options: int) -> None:
        self.clock, self.pages, self.is_drawn = Clock(), list[str](), is_drawn
        self.pacing = Pacing(seconds, clock=self.clock, wait=self.wait)
        console = Console(file=StringIO(), width=120, height=40, force_terminal=True, color_system=None)
        self.live = LiveScreen(console, Narrator(PUBLIC), clock=self.clock, pacing=self.pacing)
        self.terminal = SharedTerminal([self.live], self.live, self.pacing)
        seats = [bot(game) for _ in range(4)]
        self.match = match(game, seats, sinks=[self.terminal], **options)

    def page(self) -> str:
        self.live.draw()
        return "\n".join(self.live.screen._lines or ())

    async def wait(self, changed: asyncio.Event, seconds: float | None) -> None:
        """Let the clock run in small steps, as long as nothing changes."""
        end = self.clock.now + (seconds or 0.0)
        while seconds is not None and self.clock.now < end:
            if self.is_drawn:
                self.pages.append(self.page())
            else:
                self.live.viewer.play()
            self.clock.now = min(end, self.clock.now + 0.3)
        if seconds is None:
            await changed.wait()


async def test_the_live_screen_shows_one_event_after_the_other() -> None:
    watched = Watched("dixiquote", max_rounds=2)
    await watched.match.run()
    told = [page for page in watched.pages if "Points of round 1" in page]
    assert told, "the points have a moment of their own"
    heads = [page.split("\n")[0] for page in told]
    assert "round 1" in heads[0], "the header is that of the round that they end"
    assert "round 2" in heads[-1]
    seen = [page.count("✓Bo") for page in watched.pages]
    assert {1, 2, 3} <= set(seen)


async def test_without_pauses_nothing_is_held_back() -> None:
    watched = Watched("coup", seconds=0.0, max_turns=4)
    shown = list[str]()

    async def look(event: MatchEvent) -> None:
        if event.record["kind"] == "decision":
            shown.append(watched.page().split("\n")[0])
            assert f" · {Heading.of(event.match.state)} " in shown[-1]

    watched.terminal.sinks.append(type("Look", (), {"emit": staticmethod(look)})())
    await watched.match.run()
    assert shown


async def test_a_match_without_pauses_rests_long_after_each_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    watched, now = Watched("coup", seconds=0.0), [0.0]
    monkeypatch.setattr("runner.screen.live.time.perf_counter", lambda: now[0])

    def show(*page: object) -> None:
        now[0] += 0.01

    monkeypatch.setattr(watched.live.screen, "show", show)
    await watched.match.run()
    watched.live._shows = "match"
    watched.live.draw()
    assert watched.live._next_frame - now[0] >= 0.01 / 0.05
    watched.pacing.seconds = 1.0
    watched.live.draw()
    assert watched.live._next_frame - now[0] < 0.01 / 0.05, "beats come in time"


def unfolding() -> tuple[LiveScreen, Pacing, Clock]:
    """A screen in the midst of the last vote of a round."""
    clock = Clock()
    pacing = Pacing(1.0, clock=clock, wait=clock.wait)
    console = Console(file=StringIO(), width=120, height=40, force_terminal=True, color_system=None)
    live = LiveScreen(console, Narrator(PUBLIC), clock=clock, pacing=pacing)
    return live, pacing, clock


def is_scored(live: LiveScreen) -> bool:
    told = (event for _, frame in live.viewer.due for line in frame.lines for event, _ in line.told)
    return any(event.kind == "score" for event in told)


async def in_a_vote(live: LiveScreen, pacing: Pacing, clock: Clock) -> asyncio.Future[object]:
    """Play up to the decision that ends a round, and stop there."""
    ended = asyncio.Event()

    async def wait(changed: asyncio.Event, seconds: float | None) -> None:
        if seconds is None or is_scored(live):
            ended.set()
            await changed.wait()
        else:
            await clock.wait(changed, seconds)

    pacing._wait = wait
    terminal = SharedTerminal([live], live, pacing)
    running = asyncio.ensure_future(match("dixiquote", [bot("dixiquote")] * 4, sinks=[terminal], max_rounds=2).run())
    await asyncio.wait([running, asyncio.ensure_future(ended.wait())], return_when=asyncio.FIRST_COMPLETED)
    assert not running.done(), running.exception()
    return running


async def test_keys_show_the_next_event_or_all_of_them_and_a_pause_holds_them() -> None:
    live, pacing, clock = unfolding()
    running = await in_a_vote(live, pacing, clock)
    first = len(live.viewer.due)
    live.press("space")
    clock.now += 100
    live.draw()
    assert len(live.viewer.due) == first, "no beat is shown while it is paused"
    live.press("right")
    assert len(live.viewer.due) == first - 1
    live.press("space")
    live.draw()
    assert len(live.viewer.due) == first - 1, "it continues where it was"
    live.press("enter")
    assert not live.viewer.due
    assert "Points of round 1" in drawn(live.page(), 120, height=40)
    running.cancel()
    await settled()


async def test_another_view_shows_the_whole_at_once() -> None:
    clock = Clock()
    pacing = Pacing(1.0, clock=clock, wait=clock.wait)
    console = Console(file=StringIO(), width=120, height=40, force_terminal=True, color_system=None)
    live = LiveScreen(console, Narrator(ALL), clock=clock, pacing=pacing)
    running = await in_a_vote(live, pacing, clock)
    live.press("v")
    assert not live.viewer.due
    assert "Points of round 1" in drawn(live.page(), 120, height=40)
    running.cancel()
    await settled()


async def test_a_person_is_asked_when_all_is_shown() -> None:
    live, pacing, clock = unfolding()
    running = await in_a_vote(live, pacing, clock)
    pacing._wait = clock.wait
    await live.settle()
    assert not live.viewer.due
    assert "Points of round 1" in drawn(live.page(), 120, height=40)
    running.cancel()
    await settled()


@pytest.mark.parametrize("seconds", [0.0, 1.0])
async def test_what_is_said_with_an_answer_is_told_before_what_it_leads_to(seconds: float, tmp_path: Path) -> None:
    """Live, told again for another view, in lines, in a replay and in Markdown."""
    watched, plain = Watched("oriflamme", seconds, is_drawn=False), StringIO()
    sinks = [watched.terminal, PlainOutput(Console(file=plain, width=500), Narrator(PUBLIC))]
    agents = [Talker(bot("oriflamme"), ["I dare."], ["Behold!"]) for _ in range(3)]
    watched.match = match("oriflamme", agents, 1, tmp_path / "log.jsonl", sinks, talk=True)
    await watched.match.run()
    assert_said_first([told.line.plain for told in watched.live.viewer.story.lines])
    watched.live.viewer.turn(1)
    assert_said_first([told.line.plain for told in watched.live.viewer.story.lines])
    assert_said_first(plain.getvalue().splitlines())
    log = read_log(tmp_path / "log.jsonl")
    assert_said_first(to_markdown(log, Narrator(PUBLIC)).splitlines())
    viewer = Viewer(DecisionList(log), ALL)
    viewer.go(viewer.decisions.last)
    assert_said_first([told.line.plain for told in Page(viewer)._story().lines])


def assert_said_first(lines: list[str]) -> None:
    """Each line of a player stands just before what their answer brings, and after what the one before them brought."""
    said = [place for place, line in enumerate(lines) if "Behold" in line]
    assert len(said) > 10
    for place in said[:-1]:
        who = re.findall(r"Talker \d|P-\d", lines[place])[0]
        assert who in lines[place + 1], lines[place : place + 3]


async def test_a_replay_that_plays_by_itself_has_the_same_beats(tmp_path: Path) -> None:
    log = await logged(tmp_path, "coup")
    viewer = Viewer(DecisionList(log), ALL)
    viewer.press("space")
    steps = 0
    while viewer.is_playing:
        viewer.tick()
        found = beats(viewer.decision, ALL)
        frame = found[viewer.shown - 1]
        assert [one.lines for one in viewer.frames] == [one.lines for one in found]
        assert viewer.delay == viewer.pause * frame.weight
        assert f" · {frame.header} · view" in Page(viewer).position.plain
        steps += 1
    assert steps == sum(len(beats(one, ALL)) for one in decisions(log)) - len(beats(viewer.decisions.at(0), ALL))
    viewer.press("left")
    assert not viewer.is_midway, "a step by key shows the whole decision"


@pytest.mark.parametrize("game", games.names())
async def test_a_recording_and_a_page_have_the_same_beats(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How the pages of a recording are drawn is tested in tests/export/test_export.py."""
    monkeypatch.setattr(transcripts, "_drawn", lambda where, body: [where.plain])
    log = await logged(tmp_path, game)
    found = [beats(one, ALL, has_motion=True) for one in decisions(log)]
    times = [time for time, kind, _ in map(json.loads, to_cast(log, Narrator(ALL), 2.0).splitlines()[1:]) if kind == "o"]
    assert len(times) == sum(map(len, found)) + 2
    assert times[-2] == pytest.approx(2 * sum(frame.weight for one in found for frame in one), abs=0.01)
    page = page_data(match_page(log, "all"))
    for step, one in zip(page["steps"], found, strict=True):
        shown = step.get("beats", {}).get("0", [])
        timed = [[round(frame.weight, 2), *[1] * frame.is_moving] for frame in one]
        assert [times for _, _, *times in shown] == (timed if len(one) > 1 else [])
        if shown:
            told = [entry for entry in step["seen"][0][1] if entry[0] in ("line", "secret")]
            assert shown[-1][:2] == [step["seen"][0][0], len(told)]
