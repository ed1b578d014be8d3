"""Playing one match, from checked words to exit status."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from games.core import Game, Setup, seat_name
from runner.agents.recorded import RecordedAgent
from runner.agents.seats import Filled, check_spec, needs_client, people, seat_agents, seat_of
from runner.errors import PausedError, UsageError
from runner.match.config import Asking, MatchConfig
from runner.match.loop import Match
from runner.match.rejoined import Rejoined
from runner.match.watcher import Watcher
from runner.prompting.pack import PromptPack
from runner.record.recorder import Recorder
from runner.record.source import LogSource
from runner.screen.consoles import is_animated, narration, results
from runner.screen.scene import Perspective
from runner.settings import Settings

if TYPE_CHECKING:
    from runner.screen.people.seated import Seated


@dataclass(frozen=True, slots=True)
class Models:
    """What holds for all models of a match: the most that may be spent, in USD, and how often the offline model errs."""

    budget: float | None = None
    mistakes: float = 0.0


@dataclass(frozen=True, slots=True)
class Showing:
    """How a match is shown: whose eyes (None: as many as may be), seconds a step, nothing at all, the result as JSON."""

    view: str | None
    speed: float
    is_quiet: bool
    as_json: bool


def new_log_path(game: Game, seed: int) -> Path:
    """Where a match is logged when nobody says where."""
    return Path("logs") / f"{game.name}-{time.strftime('%Y%m%d-%H%M%S')}-seed{seed}-{uuid4().hex[:4]}.jsonl"


def configure(
    game: Game,
    setup: Setup,
    specs: tuple[str, ...],
    pack: PromptPack,
    ask: Asking,
    ask_forced: bool,
    settings: Settings,
    mistakes: float = 0.0,
) -> MatchConfig:
    """The match that the words on the command line ask for. UsageError for a seat that cannot be."""
    for spec in specs:
        check_spec(spec, game, settings, has_people=True)
    seats = tuple(seat_of(spec, game, pack, settings, mistakes) for spec in specs)
    prompts = pack.to_json(game.name) if needs_client(specs) else {}
    return MatchConfig(game, setup, seats, prompts, ask, ask_forced)


def play(
    config: MatchConfig,
    filled: Filled,
    pack: PromptPack,
    settings: Settings,
    source: LogSource,
    models: Models,
    showing: Showing,
) -> None:
    """Play a match and print its result. TabletopError when it stops before the end."""
    said = narration()
    perspective = _perspective(showing.view, filled.specs)
    watcher = _watcher(showing, perspective)
    is_told = perspective.seat is not None and not showing.is_quiet
    if not showing.is_quiet:
        if filled.offline_by_default:
            said.print(
                "No OPENROUTER_API_KEY: free seats are played by the offline model, which is no language model.", soft_wrap=True
            )
        for caution in config.game.cautions(config.setup.players, config.setup.options):
            said.print(f"Note: {caution}", soft_wrap=True)
    elif not showing.as_json:
        for caution in config.game.cautions(config.setup.players, config.setup.options):
            said.print(f"Note: {caution}", soft_wrap=True)
    result = asyncio.run(_run(config, filled.specs, pack, settings, source, models, watcher, is_told))
    if showing.as_json:
        print(json.dumps(result, ensure_ascii=False))  # noqa: T201
        return
    from runner.screen.result import result_screen

    results().print(result_screen(config.game, result))
    said.print(f"Log: {source.path} (tabletop replay {source.path})", soft_wrap=True)


def _perspective(view: str | None, specs: tuple[str, ...]) -> Perspective:
    """Whose eyes the screen sees with: where people play, no more than all of them may know. UsageError for more."""
    seats = people(specs)
    own = Perspective(seat=seats[0]) if len(seats) == 1 else Perspective()
    if view is None:
        return own if seats else Perspective(sees_all=True)
    perspective = Perspective.of(view, len(specs))
    if seats and perspective not in (own, Perspective()):
        names = " and ".join(map(seat_name, seats))
        raise UsageError(f"--view {view} shows more than {names} may know: where people play it is {_allowed(own)}.")
    return perspective


def _allowed(own: Perspective) -> str:
    return own.name if own == Perspective() else f"{own.name} or {Perspective().name}"


def _watcher(showing: Showing, perspective: Perspective) -> Watcher:
    console = narration()
    if showing.is_quiet:
        return Watcher()
    if is_animated(console):
        from runner.screen.live import LiveScreen

        return LiveScreen(console, perspective, showing.speed)
    from runner.screen.narration import Narration

    return Narration(console, perspective, showing.speed)


async def _run(
    config: MatchConfig,
    specs: tuple[str, ...],
    pack: PromptPack,
    settings: Settings,
    source: LogSource,
    models: Models,
    watcher: Watcher,
    is_told: bool,
) -> dict[str, Any]:
    async with AsyncExitStack() as stack:
        client = None
        if needs_client(specs):
            from runner.llm.budget import Budget
            from runner.llm.client import Client
            from runner.llm.offline import OfflineModel

            budget = Budget(models.budget, spent_usd=source.known.spent)
            offline = OfflineModel(config.setup.seed, models.mistakes)
            client = await stack.enter_async_context(Client(budget=budget, offline=offline))
        if source.known.has_header:
            watcher = Rejoined(watcher, lambda: source.known.is_behind)
        seated = _seated(config, watcher, stack, is_told) if people(specs) else None
        agents = await seat_agents(specs, config.game, config.setup, pack, settings, client, seated)
        writer = source.open()
        stack.callback(writer.close)
        recorder, watcher = Recorder(writer, source.known), seated or watcher
        if source.known.has_header:
            agents = [RecordedAgent(agent, source.known.answers) for agent in agents]
        return await _until_stopped(Match(config, agents, recorder, watcher), source.path)


def _seated(config: MatchConfig, watcher: Watcher, stack: AsyncExitStack, is_told: bool) -> Seated:
    """The people at the terminal, which is theirs until the stack is closed."""
    from runner.screen.people.lines import lines_of
    from runner.screen.people.seated import Seated

    console = narration()
    lines = stack.enter_context(lines_of(console))
    return Seated(watcher, config, people([seat.spec for seat in config.seats]), console, lines, is_told)


async def _until_stopped(match: Match, log: Path) -> dict[str, Any]:
    """Run a match; Ctrl-C and SIGTERM pause it. PausedError then, as for any other stop that can be resumed."""
    task = asyncio.ensure_future(match.run())
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    try:
        return await task
    except asyncio.CancelledError:
        raise PausedError(f"The match was interrupted. `tabletop resume {log}` goes on with it.") from None
    except PausedError as stop:
        raise PausedError(f"The match is paused: {stop} `tabletop resume {log}` goes on with it.") from stop
