"""Program seats: the SPEC of a program, `cmd:COMMAND LINE`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

from games.core import Game, quoted
from runner.agents.protocol import TIME_LIMIT, Agent
from runner.agents.seat_kind import AgentContext, Reach, SeatIdentity, Spec, starting
from runner.agents.settings import SeatSettings
from runner.errors import AccountError, TabletopError, UsageError

if TYPE_CHECKING:
    from runner.agents.environment import Environment

PROGRAM = "cmd:"


def command_fault(command: str) -> str | None:
    """What is wrong with a command line; None for one that can be split into words."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        return f"the command line {quoted(command)} cannot be split into words: {str(error).lower()}"
    if "\0" in command:
        return f"the command line {quoted(command)} has a NUL character"
    return None if words and words[0] else "a command line is needed, as in cmd:./bot.py"


@dataclass(frozen=True, slots=True)
class Program(Spec):
    """A program, which speaks the protocol of seats: `cmd:COMMAND LINE`, or a name in agents.toml. It gets the variables of
    `environment` beside those that hold no secret."""

    kind = "program"
    forms = ("cmd:COMMAND LINE",)

    command: str
    time_limit: float = field(default=TIME_LIMIT, kw_only=True)
    environment: tuple[str, ...] = field(default=(), kw_only=True)

    @classmethod
    def parse(cls, text: str, who: str, pack: Path | None) -> Self | None:
        return cls(text, pack, who.removeprefix(PROGRAM).strip()) if who.startswith(PROGRAM) else None

    def error(self, why: str) -> TabletopError:
        """Why it cannot play: a fault of agents.toml, if it is named there."""
        kind = UsageError if self.who.startswith(PROGRAM) else AccountError
        return kind(f"The seat {quoted(self.who)} cannot be played: {why}.")

    def check(self, game: Game, environment: Environment, asks: Sequence[type[Spec]]) -> None:
        Spec.check(self, game, environment, asks)
        if (fault := command_fault(self.command)) is not None:
            raise self.error(fault)

    def describe(self, environment: Environment) -> SeatIdentity:
        return {"command": self.command}

    def reach(self, environment: Environment) -> Reach:
        return starting(self, f"{PROGRAM}{self.command}")

    async def make(self, settings: SeatSettings, seat: int, context: AgentContext) -> Agent:
        from runner.agents.program_agent import program_agent

        errors = None if context.log is None else context.log.with_name(f"{context.log.name}.P-{seat}.stderr")
        name = self.given_name(context.environment)
        return program_agent(self, context.game, context.environment, name, errors, context.programs, context.table)
