"""Function loader: imports the function of a `py:` SPEC, and lists the entry points that name functions."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import cache
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import entry_points
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from games.core import quoted
from runner.agents.spec import Function, Named, parse_spec
from runner.errors import UsageError

GROUP = "tabletop.agents"
"""The entry-point group whose names can be used as a SPEC."""


_IMPORTING = (__file__, importlib.__file__, "<frozen importlib")
"""The beginnings of the names of files whose code does an import for somebody else."""


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


def check_function(spec: Function) -> None:
    """UsageError for a SPEC without a module or a name, and for one that two packages claim. Nothing is imported."""
    if not (spec.module and spec.name):
        raise UsageError(f"The seat {quoted(spec.who)} has no {'name' if spec.module else 'module'}: write py:MODULE:NAME.")
    found = installed_functions().get(spec.who)
    if found is not None and len(found.distributions) > 1:
        packages = " and ".join(found.distributions)
        raise UsageError(f"The seat {quoted(spec.who)} is a name of {packages}: write py:MODULE:NAME for one of them.")


def load_function(spec: Function) -> Callable[..., Any]:
    """The function or class of a SPEC. Installed modules come before those of the current folder. UsageError for none."""
    try:
        # standard output carries results, and what a module prints is none
        with _found_here(spec.module.partition(".")[0]), redirect_stdout(sys.stderr):
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


class _FolderModules(MetaPathFinder):
    """Finds modules of a folder for a `py:` seat and for the modules of that folder, and for nobody else: a module of tabletop
    or of a package that looks for an optional module never gets one of the user's that has its name."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.wanted = ""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module of the folder, if the importer may have it."""
        if path is not None or fullname in sys.stdlib_module_names:
            return None
        if fullname != self.wanted and not self._is_of_folder(_importer()):
            return None
        return PathFinder.find_spec(fullname, [self._folder])

    def _is_of_folder(self, file: str) -> bool:
        here = self._folder + os.sep
        return file.startswith(here) and not any(place.startswith(here) and file.startswith(place) for place in sys.path)


def _importer() -> str:
    frame = inspect.currentframe()
    while frame is not None and frame.f_code.co_filename.startswith(_IMPORTING):
        frame = frame.f_back
    return "" if frame is None else frame.f_code.co_filename


@cache
def _folder_modules(folder: str) -> _FolderModules:
    finder = _FolderModules(folder)
    sys.meta_path.append(finder)
    return finder


@contextmanager
def _found_here(module: str) -> Iterator[None]:
    finder = _folder_modules(str(Path.cwd()))
    before, finder.wanted = finder.wanted, module
    try:
        yield
    finally:
        finder.wanted = before


def _broken(spec: Function, error: Exception) -> UsageError:
    last = traceback.extract_tb(error.__traceback__)[-1]
    file, line = (error.filename, error.lineno) if isinstance(error, SyntaxError) else (last.filename, last.lineno)
    why = f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}"
    return UsageError(f"The seat {quoted(spec.who)}: importing {spec.module} fails: {why} ({file}, line {line}).")
