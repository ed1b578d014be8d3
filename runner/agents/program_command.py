"""Program command: a command line, split as a shell splits it, and the file that it starts."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

from games.core import quoted
from runner.agents.spec import PROGRAM, Program
from runner.errors import AccountError, TabletopError, UsageError


def command_fault(command: str) -> str | None:
    """What is wrong with a command line; None for one that can be split into words."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        return f"the command line {quoted(command)} cannot be split into words: {str(error).lower()}"
    if "\0" in command:
        return f"the command line {quoted(command)} has a NUL character"
    return None if words and words[0] else "a command line is needed, as in cmd:./bot.py"


def words_of_command(spec: Program) -> list[str]:
    """The words of a checked command line, the first one the path of the file to start. UsageError, for a program of
    agents.toml AccountError, when there is no such file that can be run."""
    name, *others = shlex.split(spec.command)
    if (found := shutil.which(name)) is not None:
        return [found, *others]
    raise program_error(spec, f"{quoted(name)} {_why_not(name)}")


def program_error(spec: Program, why: str) -> TabletopError:
    """The error for a program that cannot be started."""
    kind = UsageError if spec.who.startswith(PROGRAM) else AccountError
    return kind(f"The seat {quoted(spec.who)} cannot be played: {why}.")


def _why_not(name: str) -> str:
    path = Path(name)
    if os.sep not in name:
        local = f"; write ./{name} for the file in this folder" if path.is_file() else ""
        return f"is no command on the PATH{local}"
    if path.is_dir():
        return "is a folder"
    return f"is not executable: run chmod +x {shlex.quote(name)}" if path.exists() else "does not exist"
