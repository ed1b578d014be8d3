"""The environment of a command: its notes on variables that look misspelt, and the question whether the files of the current
folder may say what a player of a log is."""

from collections.abc import Callable
from typing import TypeVar

from runner.agents.config_files import read_environment
from runner.agents.environment import Environment, misspelt
from runner.agents.log_trust import UntrustedFilesError, trust
from runner.cli.output import is_agreed
from runner.screen.consoles import print_note
from runner.screen.safe_text import clean

T = TypeVar("T")


def load_environment() -> Environment:
    """The environment of the current folder; a note on standard error names variables that look misspelt."""
    environment = read_environment()
    for note in variable_notes(environment):
        print_note(f"Note: {note}")
    return environment


def variable_notes(environment: Environment) -> list[str]:
    """A sentence for each variable that is like one of tabletop's but none."""
    keys = [entry.key for entry in environment.agents.values() if entry.key]
    return [
        f"{clean(name)} is no variable of tabletop and has no effect" + (f"; did you mean {near}?" if near else ".")
        for name, near in misspelt(environment, keys)
    ]


def with_trust(is_trusted: bool, check: Callable[[], T]) -> T:
    """What a check finds. If it finds files that nobody has trusted, the user is asked once, and the answer is remembered.
    UntrustedFilesError for a no, and where nobody can be asked; `is_trusted` is the answer of the command line."""
    try:
        return check()
    except UntrustedFilesError as untrusted:
        question = f"{untrusted.what}. Do you trust these files?"
        if not (is_trusted or is_agreed(clean(question, 2000))):
            raise
        try:
            trust(untrusted.files)
        except (OSError, RuntimeError) as error:
            print_note(f"Note: this answer cannot be remembered: {error}.")
        return check()
