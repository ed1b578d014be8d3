"""One sitting of a match: from its first or next question to its end or a pause."""

from __future__ import annotations

import asyncio
import signal
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.agents.environment import Settings
from runner.agents.factory import seat_agents
from runner.agents.protocol import Agent
from runner.agents.resumed import RecordedAgent
from runner.agents.spec import needs_client
from runner.cli.model_options import Models
from runner.cli.parameter_notices import LeftOut
from runner.errors import PausedError
from runner.llm.call_errors import BudgetSpent
from runner.match.config import MatchConfig
from runner.match.loop import Match
from runner.match.rejoined import Rejoined
from runner.match.watcher import Watcher
from runner.prompting.pack import PromptPack
from runner.record.log_target import LogSource
from runner.record.recorder import Recorder
from runner.record.writer import LogWriter
from runner.screen.consoles import fall_silent, narration

if TYPE_CHECKING:
    from runner.llm.client import Client
    from runner.screen.people.seated import Seated


_RAISED_BY = {"usd": "--budget", "tokens": "--budget-tokens"}
"""The flag that raises a budget, by its unit."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A match, its prompts and its log, and what holds for its models; `is_silent` when nothing is said but the result."""

    config: MatchConfig
    pack: PromptPack
    settings: Settings
    source: LogSource
    models: Models
    is_silent: bool

    async def run(self, watcher: Watcher, is_told: bool) -> dict[str, Any]:
        """The result of the match; `is_told` when people are told what happens. TabletopError when it stops before the end."""
        known = self.source.known
        async with AsyncExitStack() as stack:
            if known.has_header:
                watcher = Rejoined(watcher, lambda: known.is_behind)
            seated = self._seated(watcher, stack, is_told)
            stack.callback(watcher.close)
            agents = await self._agents(stack, seated)
            writer = self.source.open()
            stack.callback(writer.close)
            recorder = Recorder(writer, known, self._replies(stack))
            if known.has_header:
                agents = [RecordedAgent(agent, known.answers) for agent in agents]
            return await _until_stopped(Match(self.config, agents, recorder, seated or watcher), self.source.path)

    def _seated(self, watcher: Watcher, stack: AsyncExitStack, is_told: bool) -> Seated | None:
        """The people at the terminal, which is theirs until the stack is closed; None where nobody is asked."""
        seats = self.models.people(self._specs)
        if not seats:
            return None
        from runner.screen.people.lines import lines_of
        from runner.screen.people.seated import Seated

        console = narration()
        lines = stack.enter_context(lines_of(console))
        return Seated(watcher, self.config, seats, console, lines, is_told, self.source.known.has_header)

    async def _agents(self, stack: AsyncExitStack, seated: Seated | None) -> list[Agent]:
        models = self.models
        if models.playback is not None:
            return models.playback.agents(self.config)
        client = await self._client(stack) if needs_client(self._specs) else None
        game, setup = self.config.game, self.config.setup
        agents = await seat_agents(self._specs, game, setup, self.pack, self.settings, client, models.is_rated, seated)
        if client is not None and not self.is_silent:
            left_out = LeftOut(agents)
            left_out.tell()
            stack.callback(left_out.tell)
        return agents

    async def _client(self, stack: AsyncExitStack) -> Client:
        from runner.llm.budget import Budget
        from runner.llm.client import Client
        from runner.llm.offline import OfflineModel

        known = self.source.known
        budget = Budget(self.models.budget, self.models.budget_tokens, known.spent, known.spent_tokens)
        offline = OfflineModel(self.config.setup.seed, self.models.mistakes)
        return await stack.enter_async_context(Client(budget=budget, offline=offline))

    def _replies(self, stack: AsyncExitStack) -> LogWriter | None:
        """Where the replies of models are recorded, beside the log."""
        if self.models.record is None:
            return None
        replies = LogWriter(self.models.record)
        stack.callback(replies.close)
        return replies

    @property
    def _specs(self) -> list[str]:
        return [seat.spec for seat in self.config.seats]


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
        raise PausedError("The match was interrupted.", remedy=f"`tabletop resume {log}` goes on with it.") from None
    except PausedError as stop:
        raise PausedError(f"The match is paused: {stop}", seat=stop.seat, remedy=_remedy(stop, log)) from stop


def _remedy(stop: PausedError, log: Path) -> str:
    """How to resume after a pause. A spent budget must be raised."""
    if isinstance(stop, BudgetSpent):
        return f"`tabletop resume {log} {_RAISED_BY[stop.unit]} MORE` goes on."
    return f"`tabletop resume {log}` goes on with it."


def _hang_up(task: asyncio.Future[dict[str, Any]]) -> None:
    fall_silent()
    task.cancel()
