"""Function loader: imports the function of a `py:` SPEC, and lists the entry points that name functions."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from games.core import quoted
from runner.agents.spec import Function, Named, parse_spec
from runner.errors import UsageError

GROUP = "tabletop.agents"
"""The entry-point group whose names can be used as a SPEC."""


class InstalledFunction(NamedTuple):
    """A function that an installed package offers: its module and name, and the distributions that claim the name."""

    module: str
    name: str
    distributions: tuple[str, ...]


@cache
def installed_functions() -> Mapping[str, InstalledFunction]:
    """The entry points of the group by name."""
    found: dict[str, InstalledFunction] = {}
    for point in entry_points(group=GROUP):
        if not isinstance(parse_spec(point.name), Named):
            continue  # the name of another kind of seat, such as human, stays what it is
        owner = point.dist.name if point.dist is not None else point.module
        before = found[point.name].distributions if point.name in found else ()
        found[point.name] = InstalledFunction(point.module, point.attr, tuple(dict.fromkeys((*before, owner))))
    return found


def load_function(spec: Function) -> Callable[..., Any]:
    """The function or class of a SPEC. Installed modules come before those of the current folder. UsageError for none."""
    if (here := str(Path.cwd())) not in sys.path and "" not in sys.path:
        sys.path.append(here)
    try:
        with redirect_stdout(sys.stderr):  # standard output carries results, and what a module prints is none
            found: object = attrgetter(spec.name)(import_module(spec.module))
    except ModuleNotFoundError as error:
        if error.name is None or not f"{spec.module}.".startswith(f"{error.name}."):
            raise _broken(spec, error) from error
        raise UsageError(
            f"The seat {quoted(spec.who)} names the module {error.name}, which is neither installed nor in the current folder."
        ) from None
    except AttributeError as error:
        if spec.module not in sys.modules:
            raise _broken(spec, error) from error
        raise UsageError(f"The seat {quoted(spec.who)}: the module {spec.module} has no {spec.name}.") from None
    except Exception as error:  # whatever a module does while it is imported
        raise _broken(spec, error) from error
    if not callable(found):
        raise UsageError(
            f"The seat {quoted(spec.who)}: {spec.name} of {spec.module} is no function but a {type(found).__name__}."
        )
    return found


def _broken(spec: Function, error: Exception) -> UsageError:
    """The error for a module that raises while it is imported."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    file, line = (error.filename, error.lineno) if isinstance(error, SyntaxError) else (last.filename, last.lineno)
    why = f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}"
    return UsageError(f"The seat {quoted(spec.who)}: importing {spec.module} fails: {why} ({file}, line {line}).")
