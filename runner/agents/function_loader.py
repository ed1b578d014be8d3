"""Function loader: imports the function of a `py:` SPEC, and lists the entry points that name functions."""

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
        owner = point.dist.name if point.dist is not None else point.module
        before = found[point.name].distributions if point.name in found else ()
        found[point.name] = InstalledFunction(point.module, point.attr, tuple(dict.fromkeys((*before, owner))))
    return found


def load_function(who: str, module: str, name: str) -> Callable[..., Any]:
    """The function or class of the SPEC `who`. Installed modules come before those of this folder. UsageError for none."""
    try:
        # standard output carries results, and what a module prints is none
        with _found_here(module.partition(".")[0]), redirect_stdout(sys.stderr):
            found: object = attrgetter(name)(import_module(module))
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise _broken(who, module, error) from error
        raise UsageError(
            f"The seat {quoted(who)} names the module {error.name}, which is neither installed nor in the current folder."
        ) from None
    except AttributeError as error:
        if module not in sys.modules:
            raise _broken(who, module, error) from error
        raise UsageError(f"The seat {quoted(who)}: the module {module} has no {name}.") from None
    except Exception as error:  # whatever a module does while it is imported
        raise _broken(who, module, error) from error
    if not callable(found):
        raise UsageError(f"The seat {quoted(who)}: {name} of {module} is no function but a {type(found).__name__}.")
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


def _broken(who: str, module: str, error: Exception) -> UsageError:
    last = traceback.extract_tb(error.__traceback__)[-1]
    file, line = (error.filename, error.lineno) if isinstance(error, SyntaxError) else (last.filename, last.lineno)
    why = f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}"
    return UsageError(f"The seat {quoted(who)}: importing {module} fails: {why} ({file}, line {line}).")
