"""What typer refuses on the command line, as the sentence the user reads."""

from __future__ import annotations

from typing import Any

import typer

from games.core import quoted
from runner.validation_messages import why_unfit

USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
"""What typer raises for words it cannot take. Its sub-classes have no public name, so that they are told by what they hold."""


def sentence_of(error: Any) -> str:
    """The sentence for an error that is a USAGE_ERROR: the option, the value, the remedy."""
    command = error.ctx.command_path if error.ctx else "tabletop"
    more = f"`{command} -h` tells what there is"
    if hasattr(error, "possibilities"):
        names = " or ".join(sorted(error.possibilities or ()))
        return f"There is no option {error.option_name}: {f'did you mean {names}?' if names else f'{more}.'}"
    if getattr(error, "param", None) is not None:
        if hasattr(error, "param_type"):
            return f"{_name(error)} is missing: {more}."
        return f"{_name(error)}{_value(error)}: {_why(error)}."
    if hasattr(error, "option_name"):
        takes = "takes no value" if "does not take" in error.message else "needs a value after it"
        return f"{error.option_name} {takes}: {more}."
    return f"{error.message.rstrip('.')}: {more}."


def is_help(error: Any) -> bool:
    """Whether a USAGE_ERROR is the help of a command that was called without a word."""
    return "\n" in error.message


def _name(error: Any) -> str:
    """The option, or the argument as the usage line has it."""
    param = error.param
    return str(param.opts[0] if param.param_type_name == "option" else param.metavar or param.name)


def _first(error: Any) -> dict[str, Any]:
    """What the library that checks values says, if it was asked."""
    return dict(error.__cause__.errors()[0]) if hasattr(error.__cause__, "errors") else {}


def _value(error: Any) -> str:
    first = _first(error)
    return f" {quoted(first['input'])}" if "input" in first else ""


def _why(error: Any) -> str:
    return why_unfit(_first(error) or {"type": "", "msg": error.message})
