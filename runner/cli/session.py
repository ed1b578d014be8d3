"""One sitting of a match: from its first or next question to its end or a pause."""

from __future__ import annotations

import asyncio
import signal
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from runner.agents.environment import Settings
from runner.agents.factory import seat_agents
from runner.agents.protocol import Agent
from runner.agents.spec import needs_client
from runner.cli.model_options import Models
from runner.cli.parameter_notices import LeftOut
from runner.errors import PausedError
from runner.match.config import MatchConfig
from runner.match.loop import Match
from runner.match.records import ResultRecord
from runner.prompting.pack import PromptPack
from runner.record.log_sink import LogSink, RecordingSink
from runner.record.log_target import LogTarget, sinks_of
from runner.record.writer import LogWriter
from runner.screen.consoles import fall_silent, narration

if TYPE_CHECKING:
    from runner.llm.client import Client
    from runner.screen.people.seated import Seated
    from runner.screen.shared_terminal import SharedTerminal


_RAISED_BY = {"budget_usd": "--budget", "budget_tokens": "--budget-tokens"}
"""The flag that raises a budget, by the cause of a stop."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A match, its prompts and its log, and what holds for its models; `is_silent` when nothing is said but the result."""

    config: MatchConfig
    pack: PromptPack
    settings: Settings
    source: LogTarget
    models: Models
    is_silent: bool

    async def run(self, terminal: SharedTerminal, is_told: bool) -> ResultRecord:
        """The result of the match; `is_told` when people are told what happens. TabletopError when it stops before the end."""
        async with AsyncExitStack() as stack:
            seated = self._seated(terminal, stack, is_told)
            stack.callback(terminal.close)
            agents = self.source.cursor.replaying(await self._agents(stack, seated))
            writer = self.source.open()
            stack.callback(writer.close)
            sinks = sinks_of(self.source, LogSink(writer), [*self._recording(stack), terminal])
            sinks += [seated] if seated else []
            return await _until_stopped(Match(self.config, agents, sinks), self.source.path)

    def _seated(self, terminal: SharedTerminal, stack: AsyncExitStack, is_told: bool) -> Seated | None:
        """The people at the terminal, which is theirs until the stack is closed; None where nobody is asked."""
        seats = self.models.people(self._specs)
        if not seats:
            return None
        from runner.screen.people.lines import lines_of
        from runner.screen.people.seated import Seated

        console = narration()
        lines = stack.enter_context(lines_of(console))
        return Seated(terminal, self.config, seats, console, lines, is_told, self.source.first is not None)

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

        cursor = self.source.cursor
        budget = Budget(self.models.budget, self.models.budget_tokens, cursor.spent, cursor.spent_tokens)
        offline = OfflineModel(self.config.setup.seed, self.models.mistakes)
        return await stack.enter_async_context(Client(budget=budget, offline=offline))

    def _recording(self, stack: AsyncExitStack) -> list[RecordingSink]:
        """The sink that records the replies, beside the log."""
        if self.models.record is None:
            return []
        writer = LogWriter(self.models.record)
        stack.callback(writer.close)
        return [RecordingSink(writer)]

    @property
    def _specs(self) -> list[str]:
        return [seat.spec for seat in self.config.seats]


async def _until_stopped(match: Match, log: Path) -> ResultRecord:
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
        raise PausedError(f"The match is paused: {stop} {_remedy(stop.__cause__, log)}") from stop


def _remedy(cause: BaseException | None, log: Path) -> str:
    """How to go on after a pause: what binds every sitting has to be raised."""
    flag = _RAISED_BY.get(getattr(cause, "kind", ""))
    return f"`tabletop resume {log}{f' {flag} MORE' if flag else ''}` goes on{'' if flag else ' with it'}."


def _hang_up(task: asyncio.Future[ResultRecord]) -> None:
    fall_silent()
    task.cancel()
