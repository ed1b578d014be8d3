"""Playing one match, from checked words to exit status."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from games.core import Game, Setup
from runner.agents.rated import RULES
from runner.agents.recorded import RecordedAgent
from runner.agents.seats import Filled, check_spec, needs_client, people, seat_agents, seat_of
from runner.cli.left_out import LeftOut
from runner.cli.showing import Showing
from runner.errors import PausedError, UsageError
from runner.match.config import Asking, MatchConfig
from runner.match.loop import Match
from runner.match.rejoined import Rejoined
from runner.match.watcher import Watcher
from runner.prompting.pack import PromptPack
from runner.record.playback import Playback
from runner.record.recorder import Recorder
from runner.record.source import LogSource
from runner.record.writer import LogWriter
from runner.screen.consoles import fall_silent, narration, say_aside
from runner.settings import Settings

if TYPE_CHECKING:
    from runner.screen.people.seated import Seated


@dataclass(frozen=True, slots=True)
class Models:
    """What holds for all models of a match: the most that may be spent, in USD and in tokens, how often the offline model
    errs, whether they play rated; where their replies are
    recorded, and whose recorded ones are given instead. UsageError for what cannot be."""

    budget: float | None = None
    budget_tokens: int | None = None
    mistakes: float = 0.0
    is_rated: bool = False
    record: Path | None = None
    playback: Playback | None = None

    def __post_init__(self) -> None:
        if self.budget is not None and not 0 < self.budget < float("inf"):
            raise UsageError(f"--budget {self.budget}: it has to be more than 0 USD.")
        if self.budget_tokens is not None and self.budget_tokens <= 0:
            raise UsageError(f"--budget-tokens {self.budget_tokens}: it has to be more than 0 tokens.")
        if self.record is not None and self.record.exists():
            raise UsageError(f"--record {self.record}: the file exists already.")

    def people(self, specs: Sequence[str]) -> tuple[int, ...]:
        """The seats of people who have to answer, which is nobody where answers are recorded."""
        return () if self.playback is not None else people(specs)


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
    models: Models,
) -> MatchConfig:
    """The match that the words on the command line ask for. UsageError for a seat that cannot be."""
    for spec in specs:
        check_spec(spec, game, settings, has_people=True)
    seats = tuple(seat_of(spec, game, pack, settings, models.mistakes, models.is_rated) for spec in specs)
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
    perspective = showing.perspective(config.setup.players, models.people(filled.specs))
    watcher = showing.watcher(perspective, models.budget)
    is_told = perspective.seat is not None and not showing.is_quiet
    if not showing.is_quiet:
        if models.playback is not None:
            say_aside(f"Played back from {models.playback.path}: every answer is recorded, nobody is asked.")
        elif filled.offline_by_default:
            say_aside("No OPENROUTER_API_KEY: free seats are played by the offline model, which is no language model.")
        if models.is_rated:
            say_aside(RULES)
    is_silent = showing.is_quiet and showing.as_json
    if not is_silent:
        for caution in config.game.cautions(config.setup.players, config.setup.options):
            say_aside(f"Note: {caution}")
    result = asyncio.run(_run(config, filled.specs, pack, settings, source, models, watcher, is_told, is_silent))
    showing.conclude(config.game, result, source.path)


async def _run(
    config: MatchConfig,
    specs: tuple[str, ...],
    pack: PromptPack,
    settings: Settings,
    source: LogSource,
    models: Models,
    watcher: Watcher,
    is_told: bool,
    is_silent: bool,
) -> dict[str, Any]:
    async with AsyncExitStack() as stack:
        if source.known.has_header:
            watcher = Rejoined(watcher, lambda: source.known.is_behind)
        seated = _seated(config, watcher, stack, is_told, source.known.has_header) if models.people(specs) else None
        stack.callback(watcher.close)
        client = None
        if needs_client(specs) and models.playback is None:
            from runner.llm.budget import Budget
            from runner.llm.client import Client
            from runner.llm.offline import OfflineModel

            known = source.known
            budget = Budget(models.budget, models.budget_tokens, known.spent, known.spent_tokens)
            offline = OfflineModel(config.setup.seed, models.mistakes)
            client = await stack.enter_async_context(Client(budget=budget, offline=offline))
        if models.playback is not None:
            agents = models.playback.agents(config)
        else:
            agents = await seat_agents(specs, config.game, config.setup, pack, settings, client, models.is_rated, seated)
        writer = source.open()
        stack.callback(writer.close)
        replies = None if models.record is None else LogWriter(models.record)
        if replies is not None:
            stack.callback(replies.close)
        if source.known.has_header:
            agents = [RecordedAgent(agent, source.known.answers) for agent in agents]
        if client is not None and not is_silent:
            left_out = LeftOut(agents)
            left_out.tell()
            stack.callback(left_out.tell)
        match = Match(config, agents, Recorder(writer, source.known, replies), seated or watcher)
        return await _until_stopped(match, source.path)


def _seated(config: MatchConfig, watcher: Watcher, stack: AsyncExitStack, is_told: bool, goes_on: bool) -> Seated:
    """The people at the terminal, which is theirs until the stack is closed."""
    from runner.screen.people.lines import lines_of
    from runner.screen.people.seated import Seated

    console = narration()
    lines = stack.enter_context(lines_of(console))
    return Seated(watcher, config, people([seat.spec for seat in config.seats]), console, lines, is_told, goes_on)


async def _until_stopped(match: Match, log: Path) -> dict[str, Any]:
    """Run a match; Ctrl-C, SIGTERM and SIGHUP pause it. PausedError then, as for any other stop that can be resumed."""
    task = asyncio.ensure_future(match.run())
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    loop.add_signal_handler(signal.SIGHUP, _hang_up, task)
    try:
        return await task
    except asyncio.CancelledError:
        raise PausedError(f"The match was interrupted. `tabletop resume {log}` goes on with it.") from None
    except PausedError as stop:
        raise PausedError(f"The match is paused: {stop} `tabletop resume {log}` goes on with it.") from stop


def _hang_up(task: asyncio.Future[dict[str, Any]]) -> None:
    fall_silent()
    task.cancel()
