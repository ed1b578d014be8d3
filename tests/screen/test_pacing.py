"""How long each step of a match is shown, and what pauses it: on a simulated clock, with bots that think."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from io import StringIO
from itertools import pairwise

import pytest
from rich.console import Console

from games.scenes import Heading
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.film.pacing import NATURAL, SPEEDS, Pacing
from runner.film.perspective import Perspective
from runner.match.loop import Match
from runner.match.match_state import MatchEvent
from runner.screen.live import LiveScreen
from runner.screen.narrator import Narrator
from runner.screen.shared_terminal import SharedTerminal
from tests.match.tables import bot, match
from tests.screen.drawing import drawn

ALL = Perspective(sees_all=True)


class Clock:
    """A simulated clock: waiting lets it run."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def wait(self, changed: asyncio.Event, seconds: float | None) -> None:
        if seconds is None:
            await changed.wait()
        else:
            self.now += seconds


class Thinker(Agent):
    """A bot that thinks for a while."""

    needs_sync = False

    def __init__(self, agent: Agent, clock: Clock, seconds: float) -> None:
        self._agent, self._clock, self._seconds = agent, clock, seconds

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        self._clock.now += self._seconds
        return await self._agent.answer(ask, report)


def natural(event: MatchEvent, perspective: Perspective = ALL) -> float:
    return 1.0 if any(one.audience is None for one in perspective.visible_events(event.events)) else 0.5


class Seen:
    """A sink that notes when each event came, and what else there is to do then."""

    def __init__(self, clock: Clock, act: Callable[[MatchEvent], None] = lambda event: None) -> None:
        self._clock, self._act = clock, act
        self.kinds: list[str] = []
        self.steps: list[tuple[float, MatchEvent]] = []

    async def emit(self, event: MatchEvent) -> None:
        self.kinds.append(event.record["kind"])
        if event.record["kind"] in ("header", "decision"):
            self.steps.append((self._clock.now, event))
        self._act(event)

    def gaps(self) -> Iterator[tuple[float, MatchEvent]]:
        """Each step but the last with how long it was shown."""
        return ((after - before, event) for (before, event), (after, _) in pairwise(self.steps))


async def settled() -> None:
    """Let everything run that does not wait for a key."""
    for _ in range(100):
        await asyncio.sleep(0)


def table(
    clock: Clock, pacing: Pacing, thought: float = 0.0, screen: Seen | None = None, log: Seen | None = None
) -> tuple[Match, Seen, Seen]:
    screen, log = screen or Seen(clock), log or Seen(clock)
    seats = [Thinker(bot("coup"), clock, thought) for _ in range(3)]
    return match("coup", seats, sinks=[log, SharedTerminal([screen], pacing=pacing)]), screen, log


@pytest.mark.parametrize("thought", [0.0, 0.7, 40.0])
@pytest.mark.parametrize(("seconds", "perspective"), [(NATURAL, ALL), (0.5, None)], ids=["natural", "half"])
async def test_a_step_is_shown_until_its_time_is_over_and_thinking_counts(
    seconds: float, perspective: Perspective | None, thought: float
) -> None:
    clock = Clock()

    def weight(event: MatchEvent) -> float:
        return 1.0 if perspective is None else natural(event, perspective)

    played, screen, log = table(clock, Pacing(seconds, weight, clock, clock.wait), thought)
    await played.run()
    assert sorted(screen.kinds) == sorted(log.kinds)
    asked = 0.0
    for gap, event in screen.gaps():
        due = seconds * weight(event)
        assert gap >= due - 1e-6
        asked += gap > due + 1e-6
    assert bool(asked) == bool(thought)
    if not thought:
        assert all(gap == pytest.approx(seconds * weight(event)) for gap, event in screen.gaps())


async def test_while_it_is_paused_nobody_is_asked_and_calls_under_way_are_logged() -> None:
    clock, asked = Clock(), list[MatchEvent]()
    pacing = Pacing(0.0, clock=clock, wait=clock.wait)

    def pause(event: MatchEvent) -> None:
        if event.record["kind"] == "attempt" and not asked:
            asked.append(event)
            pacing.is_paused or pacing.pause()

    played, screen, log = table(clock, pacing, log=Seen(clock, pause))
    running = asyncio.ensure_future(played.run())
    await settled()
    assert screen.kinds[-2:] == ["question", "attempt"]
    assert log.kinds == [*screen.kinds, "decision"], "what was answered is logged"
    pacing.step()
    await settled()
    assert screen.kinds.count("decision") == 1
    assert log.kinds.count("attempt") == 1, "the next one is not asked"
    pacing.step()
    await settled()
    assert screen.kinds.count("decision") == 2
    pacing.pause()
    await running
    assert sorted(screen.kinds) == sorted(log.kinds)


async def test_a_match_that_is_stopped_while_it_is_paused_shows_what_is_logged() -> None:
    clock = Clock()
    pacing = Pacing(0.0, clock=clock, wait=clock.wait)

    def pause(event: MatchEvent) -> None:
        if event.record["kind"] == "decision":
            pacing.is_paused or pacing.pause()

    played, screen, log = table(clock, pacing, log=Seen(clock, pause))
    running = asyncio.ensure_future(played.run())
    await settled()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert log.kinds[-1] == "pause"
    assert sorted(screen.kinds) == sorted(log.kinds)
    assert screen.steps[-1][1].match.state == played.so_far.state


async def test_the_screen_never_shows_a_state_before_its_step() -> None:
    clock, shown, ahead = Clock(), list[str](), list[bool]()
    pacing = Pacing(1.0, clock=clock, wait=clock.wait)
    console = Console(file=StringIO(), width=120, height=40, force_terminal=True, color_system=None)
    live = LiveScreen(console, Narrator(ALL), clock=clock)
    seen = Seen(clock, lambda event: shown.append(str(Heading.of(event.match.state))))
    played = match("coup", [bot("coup")] * 3, sinks=[SharedTerminal([live, seen], pacing=pacing)])

    async def wait(changed: asyncio.Event, seconds: float | None) -> None:
        assert f" · {shown[-1]} " in drawn(live.page().title, 120)
        ahead.append(shown[-1] != str(Heading.of(played.so_far.state)))
        await clock.wait(changed, seconds)

    pacing._wait = wait
    await played.run()
    assert any(ahead), "while a step waits, the screen has the state before it"


def test_keys_change_the_speed_step_by_step_and_stop_at_the_ends() -> None:
    pacing = Pacing(NATURAL)
    found = [pacing.seconds]
    for _ in range(2 * len(SPEEDS)):
        pacing.change_speed(1)
        found.append(pacing.seconds)
    assert found[-1] == 0
    for _ in range(2 * len(SPEEDS)):
        pacing.change_speed(-1)
    assert pacing.seconds == max(SPEEDS)
