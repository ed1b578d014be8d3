"""Usage errors: what Typer rejects on the command line, as one sentence."""

from __future__ import annotations

from typing import Any

import typer

from games.core import quoted
from runner.validation_messages import problem_of

ClickError = Any
"""An error of click, which recent versions of Typer bundle and do not export."""
USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
"""Base class of what Typer raises for a bad command line. Its sub-classes are not public and are told apart by attributes."""


def sentence_of(error: ClickError) -> str:
    """The sentence of a USAGE_ERROR: the option, the value, the remedy."""
    command = error.ctx.command_path if error.ctx else "tabletop"
    more = f"see `{command} -h`"
    if hasattr(error, "possibilities"):
        names = " or ".join(sorted(error.possibilities or ()))
        return f"Unknown option {error.option_name}: {f'did you mean {names}?' if names else f'{more}.'}"
    if getattr(error, "param", None) is not None:
        if hasattr(error, "param_type"):
            return f"{_name(error)} is missing: {more}."
        return f"{_name(error)}{_value(error)}: {_why(error)}."
    if hasattr(error, "option_name"):
        takes = "takes no value" if "does not take" in error.message else "needs a value"
        return f"{error.option_name} {takes}: {more}."
    return f"{error.message.rstrip('.')}: {more}."


def is_help(error: ClickError) -> bool:
    """Whether a USAGE_ERROR is the help of a command that was called without arguments."""
    return "\n" in error.message


def _name(error: ClickError) -> str:
    """The option, or the argument as in the usage line."""
    param = error.param
    return str(param.opts[0] if param.param_type_name == "option" else param.metavar or param.name)


def _first(error: ClickError) -> dict[str, str]:
    """The first error of the library that validated the value, if any."""
    return dict(error.__cause__.errors()[0]) if hasattr(error.__cause__, "errors") else {}


def _value(error: ClickError) -> str:
    first = _first(error)
    return f" {quoted(first['input'])}" if "input" in first else ""


def _why(error: ClickError) -> str:
    return problem_of(_first(error) or {"type": "", "msg": error.message})
