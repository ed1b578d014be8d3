"""Outside seats: checks and agents of programs and Python functions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from games.core import Game, quoted
from runner.agents.program_command import command_fault, program_error, words_of_command
from runner.agents.spec import Function, Program
from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.agents.environment import Settings
    from runner.agents.function_agent import FunctionAgent
    from runner.agents.program_agent import ProgramAgent


def check_program(spec: Program) -> None:
    """UsageError for a command line that cannot be split. Whether there is such a program is found out when it is seated."""
    if (fault := command_fault(spec.command)) is not None:
        raise program_error(spec, fault)


def check_function(spec: Function) -> None:
    """UsageError for a SPEC without a module or a name, and for one that two packages claim. Nothing is imported."""
    if not (spec.module and spec.name):
        raise UsageError(f"The seat {quoted(spec.who)} has no {'name' if spec.module else 'module'}: write py:MODULE:NAME.")
    from runner.agents.function_loader import installed_functions

    found = installed_functions().get(spec.who)
    if found is not None and len(found.distributions) > 1:
        packages = " and ".join(found.distributions)
        raise UsageError(f"The seat {quoted(spec.who)} is a name of {packages}: write py:MODULE:NAME for one of them.")


def program_agent(spec: Program, game: Game, settings: Settings, name: str, errors: Path | None) -> ProgramAgent:
    """The program of a SPEC, not started yet. UsageError, for a program of agents.toml AccountError, when there is none."""
    from runner.agents.program_agent import ProgramAgent
    from runner.agents.program_environment import program_environment
    from runner.agents.rules_text import rules_text

    environment = program_environment(settings, spec.environment)
    return ProgramAgent(spec, words_of_command(spec), environment, name, rules_text(game), errors)


def error_file(log: Path | None, seat: int) -> Path | None:
    """The file for what the program in a seat writes to its standard error: `LOG.P-0.stderr`, beside the log."""
    return None if log is None else log.with_name(f"{log.name}.P-{seat}.stderr")


def function_agent(spec: Function) -> FunctionAgent:
    """The function of a SPEC, imported. UsageError when it cannot be."""
    from runner.agents.function_agent import FunctionAgent
    from runner.agents.function_loader import load_function

    return FunctionAgent(load_function(spec), spec.time_limit, spec.who)
