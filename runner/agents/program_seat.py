"""Program seats: the SPEC of a program, `cmd:COMMAND LINE`."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

from games.core import Game, quoted
from runner.agents.environment import Environment
from runner.agents.protocol import TIME_LIMIT, Agent
from runner.agents.seat_kind import AgentContext, Reach, SeatIdentity, Spec, starting
from runner.agents.settings import SeatSettings
from runner.child_processes import needed_variables
from runner.errors import AccountError, TabletopError, UsageError
from runner.game_folders import rules_text

if TYPE_CHECKING:
    from runner.agents.program_agent import ProgramAgent

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

    @property
    def words(self) -> list[str]:
        """The words of a checked command line, the first one the path of the file to start. UsageError, for a program of
        agents.toml AccountError, when there is no such file that can be run."""
        name, *others = shlex.split(self.command)
        if (found := shutil.which(name)) is not None:
            return [found, *others]
        raise self.error(f"{quoted(name)} {_why_not(name)}")

    def agent(self, game: Game, environment: Environment, name: str = "", errors: Path | None = None) -> ProgramAgent:
        """The program, not started yet. UsageError, for a program of agents.toml AccountError, when there is none."""
        from runner.agents.program_agent import ProgramAgent

        variables, rules = program_environment(environment, self.environment), rules_text(game)
        return ProgramAgent(self.who, self.time_limit, self.words, variables, name, rules, errors)

    async def make(self, settings: SeatSettings, seat: int, context: AgentContext) -> Agent:
        errors = None if context.log is None else context.log.with_name(f"{context.log.name}.P-{seat}.stderr")
        return self.agent(context.game, context.environment, self.given_name(context.environment), errors)


def _why_not(name: str) -> str:
    path = Path(name)
    if os.sep not in name:
        local = f"; write ./{name} for the file in this folder" if path.is_file() else ""
        return f"is no command on the PATH{local}"
    if path.is_dir():
        return "is a folder"
    return f"is not executable: run chmod +x {shlex.quote(name)}" if path.exists() else "does not exist"


_UNBUFFERED = {"PYTHONUNBUFFERED": "1"}
"""A Python program writes each line at once, as if it flushed."""


def program_environment(environment: Environment, allowed: Iterable[str]) -> dict[str, str]:
    """Paths, language, time zone and terminal, and the variables of `.env` or the environment that `allowed` names."""
    return {**_UNBUFFERED, **needed_variables(), **{name: environment[name] for name in allowed if name in environment}}
