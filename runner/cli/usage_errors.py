"""Usage errors: what Typer rejects on the command line, as one sentence."""

import re
import sys
import tomllib
from difflib import get_close_matches
from importlib.resources import files
from itertools import pairwise, takewhile
from typing import Any

import typer

from games.core import quoted
from runner.validation import problem_of

ClickError = Any
"""An error of click, which recent versions of Typer bundle and do not export."""
USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
"""Base class of what Typer raises for a bad command line. Its sub-classes are not public and are told apart by attributes."""

_NEAR = 0.7
"""The least likeness, from 0 to 1, of a flag that is suggested."""

ABORTED: type[Exception] = typer.Abort
"""What Typer raises for Ctrl-C or the end of input at one of its own questions, and older versions for any Ctrl-C."""

_KINDS = ("--html", "--svg", "--sqlite", "--digests")
"""Flags that took the name of a file and are kinds now; --output names the file."""


def sentence_of(error: ClickError) -> str:
    """The sentence of a USAGE_ERROR: the option, the value, the remedy."""
    words = takewhile(re.compile("[a-z][a-z_-]*").fullmatch, sys.argv[1:])  # no option, and hardly a file
    command = error.ctx.command_path if error.ctx else " ".join(["tabletop", *words])
    more = f"see `{command} -h`"
    if hasattr(error, "possibilities"):
        if (told := _successor(command, error.option_name)) is not None:
            return told
        asked = error.ctx and error.ctx.command
        flags = [flag for param in getattr(asked, "params", ()) for flag in param.opts if flag.startswith("--")]
        near = get_close_matches(error.option_name, flags, 1, _NEAR)
        where = "".join(f" before {word}" for word in getattr(asked, "subcommand_metavar", "").split()[:1])
        return f"Unknown option {error.option_name}{where}: {f'did you mean {near[0]}?' if near else f'{more}.'}"
    if (param := getattr(error, "param", None)) is not None:
        name = param.opts[0] if param.param_type_name == "option" else param.metavar or param.name
        if hasattr(error, "param_type"):
            return f"{name} is missing: {more}."
        first = dict(error.__cause__.errors()[0]) if hasattr(error.__cause__, "errors") else {}  # of what validated the value
        value = f" {quoted(first['input'])}" if "input" in first else ""
        return f"{name}{value}: {problem_of(first or {'type': '', 'msg': error.message})}."
    if hasattr(error, "option_name"):
        takes = "takes no value" if "does not take" in error.message else "needs a value"
        return f"{error.option_name} {takes}: {more}."
    for kind, file in pairwise(sys.argv):  # a file behind a kind, as in earlier versions
        if kind in _KINDS and f"({file})" in error.message:
            return f"{kind} takes no file: write {kind} -o {file}."
    rest = re.fullmatch(r"Got unexpected extra arguments?\S* \((\S+).*\)", error.message)
    return f"Too many words, from {quoted(rest[1])} on: {more}." if rest else f"{error.message.rstrip('.')}: {more}."


def _successor(command: str, flag: str) -> str | None:
    """The sentence on an old flag of a command, such as `tabletop play coup`; None for a flag that never was one."""
    old = tomllib.loads(files("runner.cli").joinpath("old_flags.toml").read_text(encoding="utf-8"))
    words = command.split()[1:]
    verbs = (" ".join(words[:2]), *words[:1], "all")
    new = next((old[verb][flag] for verb in verbs if flag in old.get(verb, ())), None)
    if new is None:
        return None
    return f"{flag} is called {new} now." if new.startswith("--") and " " not in new else f"{flag} is gone: {new}."


def is_help(error: ClickError) -> bool:
    """Whether a USAGE_ERROR is the help of a command that was called without arguments."""
    return "\n" in error.message
