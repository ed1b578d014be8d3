"""Match session: one run of a match, from its first or next question to its end or a pause."""

from __future__ import annotations

import asyncio
import signal
import traceback
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from runner.agents.factory import seat_agents
from runner.agents.protocol import Agent
from runner.agents.spec import needs_client
from runner.cli.display_options import DisplayOptions
from runner.cli.match_setup import MatchSetup
from runner.cli.resume_command import resume_command
from runner.errors import AccountError, BugError, PausedError, TabletopError, words_of
from runner.interrupts import STOP, on_signals
from runner.match.hopeless import HopelessSeatError
from runner.match.loop import Match
from runner.match.records import ResultRecord
from runner.record.call_journal import Spending, journal_of
from runner.record.log_sink import LogSink, RecordingLogSink
from runner.record.log_target import LogTarget, ResumedLog, sinks_of
from runner.record.writer import LogWriter
from runner.screen.consoles import discard_output, narration, print_note
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.llm.client import Client
    from runner.screen.people.human_players import HumanPlayers
    from runner.screen.shared_terminal import SharedTerminal


T = TypeVar("T")

_RAISED_BY = {"usd": "--budget", "tokens": "--budget-tokens"}
"""The flag that raises a budget, by its unit."""


def play_match(setup: MatchSetup, target: LogTarget, display: DisplayOptions) -> None:
    """Play a match and print its result. TabletopError when it stops before the end."""
    config, models = setup.config, setup.models
    perspective = display.perspective(config.setup.players, models.people(setup.filled.specs))
    terminal = display.terminal(perspective, models.budget)
    has_narration = perspective.seat is not None and not display.is_quiet and terminal.keeps_lines
    if not display.is_quiet:
        _print_introduction(setup)
    session = MatchSession(setup, target, has_notices=not (display.is_quiet and display.as_json))
    try:
        result = asyncio.run(session.run(terminal, has_narration))
    except (PausedError, AccountError) as stop:
        if session.has_begun:
            display.print_pause(str(stop), config, target.path, perspective)
        raise
    display.print_result(config.game, result, target.path, perspective)


def _print_introduction(setup: MatchSetup) -> None:
    """Print what a player or a reader of the result has to know beforehand."""
    config, models, filled = setup.config, setup.models, setup.filled
    if models.playback is not None:
        print_note(f"Playback of {models.playback.path}: every answer comes from the recording; no one is asked.")
    elif filled.offline_by_default:
        print_note("No OPENROUTER_API_KEY: the offline model plays the free seats. It isn't a language model.")
    if models.is_rated:
        from runner.llm.rated import RULES

        print_note(RULES)
    for caution in config.game.cautions(config.setup.players, config.setup.options):
        print_note(f"Note: {caution}")


@dataclass(slots=True)
class MatchSession:
    """One run of a match. `has_notices`: parameters that an endpoint does not support are reported. `has_begun`: there is a log
    to resume from."""

    setup: MatchSetup
    target: LogTarget
    has_notices: bool
    has_begun: bool = False

    def __post_init__(self) -> None:
        self.has_begun = isinstance(self.target, ResumedLog)

    async def run(self, terminal: SharedTerminal, has_narration: bool) -> ResultRecord:
        """The result of the match. TabletopError when it stops before the end.

        `has_narration`: the terminal already shows a single human player every event.
        """
        try:
            return await self._run(terminal, has_narration)
        except (PausedError, AccountError) as stop:
            if not self.has_begun:
                raise
            if isinstance(stop, PausedError):
                raise PausedError(f"The match is paused: {stop}", seat=stop.seat, remedy=self._remedy(stop)) from stop
            raise AccountError(f"The match stopped: {stop}", seat=stop.seat, remedy=self._remedy(stop)) from stop
        except asyncio.CancelledError as stop:
            raise PausedError("The match was interrupted.", remedy=self._remedy(stop)) from None
        except Exception as bug:
            if not self.has_begun or isinstance(bug, TabletopError | OSError):
                raise
            traceback.print_exception(bug)
            raise BugError(f"The match failed: {words_of(bug).rstrip('.')}.", remedy=self._remedy(bug)) from bug

    async def _run(self, terminal: SharedTerminal, has_narration: bool) -> ResultRecord:
        async with AsyncExitStack() as stack:
            people = self._people(terminal, stack, has_narration)
            stack.callback(terminal.close)
            cursor = self.target.cursor
            agents = cursor.replaying(await self._agents(stack, people))
            sinks = sinks_of(self.target, self._log_sink(stack), [terminal], terminal.recall)
            sinks += [people] if people else []
            self.has_begun = True
            match = Match(self.setup.config, agents, sinks, earlier=cursor.earlier, logged_strikes=cursor.strikes)
            return await _until_stopped(match.run())

    def _remedy(self, stop: BaseException) -> str:
        """How to continue after a stop: a spent budget has to be raised; a hopeless seat can be given to another model."""
        if not self.target.path.exists():
            if isinstance(stop, asyncio.CancelledError):
                return "Nothing is logged yet: start it again."
            return "Nothing is logged: make room on the disk and start it again."
        from runner.llm.budget import plain_number
        from runner.llm.call_errors import BudgetSpent

        command = partial(resume_command, self.setup, self.target.path)
        if isinstance(stop, BudgetSpent):
            return f"Resume it with {command(_RAISED_BY[stop.unit], plain_number(stop.enough))}."
        if isinstance(stop, HopelessSeatError):
            other = command("--seat", f"P-{stop.seat}=SPEC")
            return f"Resume it with another player by {other}, as it is by {command()}, or without this rule by" + (
                f" {command('--hopeless', '0')}."
            )
        return f"Resume it with {command()}."

    def _people(self, terminal: SharedTerminal, stack: AsyncExitStack, has_narration: bool) -> HumanPlayers | None:
        """The human players, who use the terminal until the stack is closed; None without human players."""
        seats = self.setup.models.people(self.setup.filled.specs)
        if not seats:
            return None
        from runner.screen.people.human_players import HumanPlayers
        from runner.screen.people.line_input import line_input

        console = narration()
        lines = stack.enter_context(line_input(console))
        return HumanPlayers(terminal, self.setup.config, seats, console, lines, has_narration, self.target.first is not None)

    async def _agents(self, stack: AsyncExitStack, people: HumanPlayers | None) -> list[Agent]:
        config, models, specs = self.setup.config, self.setup.models, self.setup.filled.specs
        if models.playback is not None:
            return models.playback.agents(config)
        client = await self._client(stack) if needs_client(specs) else None
        if client is not None and self.has_notices:
            from runner.screen.loading import report_loading

            report_loading()
        pack, settings = self.setup.pack, self.setup.settings
        reasons, rated = [seat.reason for seat in config.seats], models.is_rated
        how = pack, settings, client, rated, people, reasons, self.target.path
        agents = await _until_stopped(seat_agents(specs, config.game, config.setup, *how))
        if client is not None and self.has_notices:
            notices = EndpointNotices(agents)
            notices.print_new()
            stack.callback(notices.print_new)
        return agents

    async def _client(self, stack: AsyncExitStack) -> Client:
        from runner.llm.client import Client
        from runner.llm.offline import OfflineModel
        from runner.record.match_budget import MatchBudget

        cursor, models = self.target.cursor, self.setup.models
        spent = Spending(cursor.spent, cursor.spent_tokens)
        budget = MatchBudget(self.target.path, models.budget, models.budget_tokens, spent)
        stack.callback(budget.close)
        offline = OfflineModel(self.setup.config.setup.seed, models.mistakes)
        return await stack.enter_async_context(Client(budget=budget, offline=offline))

    def _log_sink(self, stack: AsyncExitStack) -> LogSink:
        writer = self.target.open()
        stack.callback(writer.close)
        journal_of(self.target.path).unlink(missing_ok=True)  # what it held is in the log by now
        if self.setup.models.record is None:
            return LogSink(writer)
        recording = LogWriter(self.setup.models.record)
        stack.callback(recording.close)
        return RecordingLogSink(writer, recording)


class EndpointNotices:
    """Reports how requests to an endpoint differ from what was set, each difference once per model."""

    def __init__(self, agents: Sequence[Agent]) -> None:
        self._agents = agents
        self._printed: set[tuple[str, str]] = set()

    def print_new(self) -> None:
        """Print what has not been printed yet, one line per model."""
        from runner.agents.model_agent import LlmAgent

        for agent in self._agents:
            if isinstance(agent, LlmAgent):
                if names := self._new(agent.name, agent.unsent_parameters):
                    self._print(agent.name, f"does not support {', '.join(map(clean, names))}; omitted from requests")
                for note in self._new(agent.name, agent.notes):
                    self._print(agent.name, note)

    def _new(self, agent: str, facts: Sequence[str]) -> list[str]:
        """The facts about an agent that have not been printed."""
        new = [fact for fact in facts if (agent, fact) not in self._printed]
        self._printed |= {(agent, fact) for fact in new}
        return new

    def _print(self, agent: str, note: str) -> None:
        narration().print(f"Note: the endpoint of {clean(agent)} {note}.", soft_wrap=True)


async def _until_stopped(work: Coroutine[None, None, T]) -> T:
    """Do a part of the session. Ctrl-C, SIGTERM and SIGHUP cancel it."""
    task = asyncio.ensure_future(work)
    on_signals(task.cancel, *STOP)
    on_signals(lambda: _hang_up(task), signal.SIGHUP)
    return await task


def _hang_up(task: asyncio.Future[T]) -> None:
    discard_output()
    task.cancel()
