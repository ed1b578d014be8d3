"""Terminal match: a match that a command plays on the terminal, from its first or next question to its end or a pause."""

from __future__ import annotations

import asyncio
import shlex
import signal
import traceback
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from games.core import GameFault
from runner.agents.log_trust import named_by_files, unnamed
from runner.agents.protocol import Agent
from runner.agents.spec import needs_client
from runner.cli.display_options import DisplayOptions
from runner.errors import AccountError, BugError, PausedError, TabletopError, words_of
from runner.interrupts import STOP, on_signals
from runner.llm.budget import plain_number
from runner.llm.outcome import BudgetSpent
from runner.match.records import ResultRecord
from runner.match.tally import HopelessSeatError
from runner.record.reader import failure_of
from runner.screen.consoles import discard_output, narration, print_note, report_loading
from runner.screen.safe_text import clean
from runner.screen.shared_terminal import SharedTerminal
from runner.session.match_spec import ReadyMatch
from runner.session.session import Session, Source

if TYPE_CHECKING:
    from runner.screen.human_players import HumanPlayers


_RAISED_BY = {"usd": "--budget", "tokens": "--budget-tokens"}
"""The flag that raises a budget, by its unit."""


def play_match(
    ready: ReadyMatch,
    source: Source,
    display: DisplayOptions,
    *,
    record: Path | None = None,
    is_offline_by_default: bool = False,
) -> None:
    """Play a match and print its result. TabletopError when it stops before the end."""
    config = ready.config
    perspective = display.perspective(config.seats, ready.people)
    terminal = display.terminal(perspective, ready.spec.budget)
    has_narration = perspective.seat is not None and not display.is_quiet and terminal.keeps_lines
    if not display.is_quiet:
        _print_introduction(ready, is_offline_by_default)
    has_notices = needs_client(ready.specs) and ready.playback is None and not (display.is_quiet and display.as_json)
    match = TerminalMatch(ready, source, terminal, has_narration, has_notices)
    try:
        result = asyncio.run(match.run(record))
    except (PausedError, AccountError) as stop:
        if match.has_begun:
            display.print_pause(str(stop), config, source.path, perspective)
        raise
    display.print_result(config.game, result, source.path, perspective)
    if ready.people and not (display.is_quiet or display.as_json or display.has_json_events):
        from runner.cli.after_match import after_match

        if (chosen := after_match(ready, source.path)) is not None:
            play_match(*chosen, display)


def _print_introduction(ready: ReadyMatch, is_offline_by_default: bool) -> None:
    """Print what a player or a reader of the result has to know beforehand."""
    config = ready.config
    if ready.playback is not None:
        print_note(f"Playback of {ready.playback.log.path}: every answer comes from the recording; no one is asked.")
    elif is_offline_by_default:
        print_note(
            "No OPENROUTER_API_KEY: the offline model plays the free seats. It isn't a language model: it answers at random."
            " To sit down yourself: --seat human; bots that think: --seat bot:search; models: `tabletop doctor`."
        )
    if ready.spec.rated:
        from runner.llm.wire.exchange import RULES

        print_note(RULES)
    for caution in config.game.cautions(config.setup.players, config.setup.options):
        print_note(f"Note: {caution}")


@dataclass(slots=True)
class TerminalMatch:
    """A match that a terminal shows. `has_narration`: the terminal already shows a single human player every event.
    `has_notices`: parameters that an endpoint does not support are reported. `has_begun`: there is a log to resume from."""

    ready: ReadyMatch
    source: Source
    terminal: SharedTerminal
    has_narration: bool
    has_notices: bool
    has_begun: bool = False
    notices: set[tuple[str, str]] = field(default_factory=set)

    async def run(self, record: Path | None) -> ResultRecord:
        """The result of the match. TabletopError when it stops before the end."""
        try:
            return await _until_stopped(self._run(record))
        except (PausedError, AccountError) as stop:
            if not self.has_begun:
                raise
            if isinstance(stop, PausedError):
                raise PausedError(f"The match is paused: {stop}", seat=stop.seat, remedy=self._remedy(stop)) from stop
            why = str(stop).rstrip(".")
            raise AccountError(f"The match stopped: {why}.", seat=stop.seat, remedy=self._remedy(stop)) from stop
        except asyncio.CancelledError as stop:
            raise PausedError("The match was interrupted.", remedy=self._remedy(stop)) from None
        except GameFault as fault:
            if not self.has_begun or failure_of(self.source.path) is None:
                raise
            raise BugError(f"The match failed: {fault}.", remedy=f"{self.source.path} ends with the traceback.") from fault
        except Exception as bug:
            if not self.has_begun or isinstance(bug, TabletopError | OSError):
                raise
            traceback.print_exception(bug)
            raise BugError(f"The match failed: {words_of(bug).rstrip('.')}.", remedy=self._remedy(bug)) from bug

    async def _run(self, record: Path | None) -> ResultRecord:
        async with AsyncExitStack() as stack:
            people = self._people(stack)
            stack.callback(self.terminal.close)
            shown, sinks = [self.terminal] if self.terminal.sinks else [], [people] if people else []
            session = Session(self.ready, self.source, shown, sinks, recall=self.terminal.recall, people=people, record=record)
            try:
                if self.has_notices:
                    report_loading()
                async with session:
                    self._print_notices(session.agents)
                    try:
                        result = await session.run()
                    finally:
                        self._print_notices(session.agents)
                await self.terminal.linger()
                return result
            finally:
                self.has_begun = session.has_begun

    def _print_notices(self, agents: Sequence[Agent]) -> None:
        """Print how requests to an endpoint differ from what was set, each difference once per model."""
        if not self.has_notices:
            return
        from runner.agents.model_agent import LlmAgent

        for agent in agents:
            if isinstance(agent, LlmAgent):
                new = [name for name in agent.unsent_parameters if (agent.name, name) not in self.notices]
                omitted = f"leave out {', '.join(map(clean, new))}, not known to be supported"
                for note in [omitted] * bool(new) + [note for note in agent.notes if (agent.name, note) not in self.notices]:
                    narration().print(f"Note: requests to {clean(agent.name)} {note}.", soft_wrap=True)
                self.notices |= {(agent.name, said) for said in (*new, *agent.notes)}

    def _remedy(self, stop: BaseException) -> str:
        """How to continue after a stop: a spent budget has to be raised; a hopeless seat can be given to another model."""
        if not self.source.path.exists():
            if isinstance(stop, asyncio.CancelledError):
                return "Nothing is logged yet: start it again."
            return "Nothing is logged: make room on the disk and start it again."
        command = self._resume_command
        if isinstance(stop, BudgetSpent):
            return f"Resume it with {command(_RAISED_BY[stop.unit], plain_number(stop.enough))}."
        if isinstance(stop, HopelessSeatError):
            other = command("--seat", f"P-{stop.seat}=SPEC")
            without = command("--hopeless", "0")
            return f"Resume it with another player by {other}, as it is by {command()}, or without this rule by {without}."
        return f"Resume it with {command()}."

    def _people(self, stack: AsyncExitStack) -> HumanPlayers | None:
        """The human players, who use the terminal until the stack is closed; None without human players."""
        if not self.ready.people:
            return None
        from runner.screen.human_players import HumanPlayers
        from runner.screen.line_input import line_input

        console, is_resumed = narration(), self.source.past is not None
        lines = stack.enter_context(line_input(console))
        config, seats = self.ready.config, self.ready.people
        return HumanPlayers(self.terminal, config, seats, console, lines, self.has_narration, is_resumed)

    def _resume_command(self, *more: str) -> str:
        """The command that continues the match, with `more` options; it names what a log alone may not bring in."""
        words, specs, environment = ["tabletop", "resume", str(self.source.path)], self.ready.specs, self.ready.environment
        logged = dict(enumerate(specs))
        for seat in sorted({*unnamed(logged, (), environment), *named_by_files(logged, (), environment)}):
            if not any(word.startswith(f"P-{seat}=") for word in more):
                words += ["--seat", f"P-{seat}={specs[seat].text}"]
        if self.ready.pack.folder is not None and needs_client(specs):
            words += ["--prompts", str(self.ready.pack.folder)]
        return f"`{shlex.join([*words, *more])}`"


async def _until_stopped(work: Coroutine[None, None, ResultRecord]) -> ResultRecord:
    """Play a match. Ctrl-C, SIGTERM and SIGHUP cancel it."""
    task = asyncio.ensure_future(work)

    def hang_up() -> None:
        discard_output()
        task.cancel()

    on_signals(task.cancel, *STOP)
    on_signals(hang_up, signal.SIGHUP)
    return await task
