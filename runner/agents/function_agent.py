"""Function agent: a seat that a Python function plays, a coroutine function, or an object that can be called."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import os
import sys
import threading
import traceback
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import entry_points
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Self, TypeAlias, cast

from games.core import Action, Event, Game, Question, Rng, State, View, quoted
from runner.agents.environment import Environment
from runner.agents.program_messages import check_depth, mistake_reply
from runner.agents.protocol import TIME_LIMIT, Agent, AgentReply, DecisionRequest, JsonRecord, Mistake, Report
from runner.agents.seat_kind import AgentContext, Reach, SeatIdentity, Spec, starting
from runner.agents.settings import SeatSettings
from runner.errors import PausedError, UsageError
from runner.llm.strict_json import Unreadable, strict_value

FUNCTION = "py:"

LONGEST = 2**20
"""Characters of an answer as JSON."""


class Reply(NamedTuple):
    """An answer with a line of table talk, heard if the match has talk, and a private reason, which only the log has."""

    answer: object
    say: str = ""
    reason: str = ""


def reply_of(found: object) -> AgentReply:
    """The answer or the mistake in what a function returned. Data that JSON cannot express are a mistake."""
    answer, say, reason = found if isinstance(found, Reply) else Reply(found)
    data = answer.to_json() if isinstance(answer, Action) else answer
    try:
        said, why = (text if isinstance(text, str) else "" for text in (say, reason))
        return AgentReply(_as_json(data), say=said, reason=why)
    except Unreadable as error:
        return mistake_reply(error, f"a value of the type {type(data).__name__}")


def _as_json(data: object) -> object:
    """Answer data as it is in a log. Unreadable for what JSON cannot express."""
    try:
        text = json.dumps(data)
    except (TypeError, ValueError, RecursionError) as error:
        raise Unreadable("unreadable", f"the function returned what JSON cannot express: {error}") from None
    if len(text) > LONGEST:
        raise Unreadable("unreadable", f"the answer has {len(text):,} characters as JSON, more than {LONGEST:,}")
    value = strict_value(text)
    check_depth(value)
    return value


@dataclass(frozen=True, slots=True)
class FunctionAsk:
    """A decision put to a function: what its seat knows, and no more.

    `number` counts the questions of the match, `phase` names its phase. `question.text` is the question, `question.schema` the
    JSON Schema of an answer. `mistakes` has the invalid answers to this question so far, each with `why`. `told` has the events
    since the seat's question before; after a match was resumed, all so far. `rng` draws the same numbers whenever the match is
    played from the same seed.
    """

    game: str
    options: dict[str, Any]
    players: int
    seat: int
    number: int
    phase: str
    view: View
    question: Question
    mistakes: tuple[Mistake, ...]
    told: tuple[Event, ...]
    rng: Rng
    _ask: DecisionRequest = field(repr=False)

    @classmethod
    def of(cls, ask: DecisionRequest) -> FunctionAsk:
        """The question of the match loop as a function gets it: a copy, so that changes of it change no match and no log."""
        setup, question = ask.setup, ask.question._replace(schema=deepcopy(ask.question.schema))
        view, mistakes, told = deepcopy((ask.view, ask.mistakes, ask.told))
        shared = ask.seat, ask.number, ask.phase, view, question, mistakes, told
        return cls(ask.view["game"], setup.options.to_json(), setup.players, *shared, ask.rng("function"), ask)

    @property
    def legal(self) -> list[dict[str, Any]] | None:
        """Every legal answer; None where the answer has free text."""
        return None if self._ask.question.has_free_text else self._ask.answers()

    def world(self, rng: Rng) -> State:
        """A state drawn from all that are possible for what the seat knows."""
        return self._ask.world(rng)


Answering: TypeAlias = Callable[[FunctionAsk], Any]
"""A function or coroutine function from a question to an answer: its data, an `Action` of a world, or a `Reply`."""


class FunctionAgent(Agent):
    """A function in a seat. A class is instantiated, so that each match and seat has its own object.

    A function that is no coroutine function runs in a thread, so that the match loop is never blocked. An answer has
    `time_limit` seconds; then the match pauses. An exception of the function ends the match as a bug.
    """

    def __init__(self, target: Answering, time_limit: float = TIME_LIMIT, name: str = "") -> None:
        self._target: Answering = cast(Answering, target()) if inspect.isclass(target) else target
        self._time_limit = time_limit
        self._name = name or getattr(target, "__qualname__", type(target).__name__)
        self._number = -1
        self._told: tuple[Event, ...] = ()
        self._is_asked = True

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        """The function's answer. PausedError when it takes too long."""
        self._note(ask)
        self._is_asked = True
        try:
            async with asyncio.timeout(self._time_limit) as limit:
                return reply_of(await self._called(FunctionAsk.of(replace(ask, told=self._told))))
        except TimeoutError:
            if not limit.expired():
                raise
            raise PausedError(f"the function {self._name} gave no answer within {self._time_limit:g} s.") from None

    async def _called(self, ask: FunctionAsk) -> object:
        found = self._target(ask) if _is_coroutine_function(self._target) else await _in_thread(partial(self._target, ask))
        return await _awaited(found) if inspect.isawaitable(found) else found

    def _note(self, ask: DecisionRequest) -> None:
        """Keep the events that come with a question, once, until the function has been asked."""
        if ask.number != self._number:
            self._told = ask.told if self._is_asked else (*self._told, *ask.told)
            self._number, self._is_asked = ask.number, False

    def remember(self, ask: DecisionRequest, attempt: JsonRecord) -> None:
        self._note(ask)


@dataclass(frozen=True, slots=True)
class Function(Spec):
    """A Python function: `py:MODULE:NAME`, or a name in agents.toml or of the entry-point group `tabletop.agents`."""

    kind = "function"
    forms = ("py:MODULE:NAME",)

    module: str
    name: str
    time_limit: float = field(default=TIME_LIMIT, kw_only=True)

    @classmethod
    def parse(cls, text: str, who: str, pack: Path | None) -> Self | None:
        module, _, name = who.removeprefix(FUNCTION).partition(":")
        return cls(text, pack, module, name) if who.startswith(FUNCTION) else None

    def check(self, game: Game, environment: Environment, asks: Sequence[type[Spec]]) -> None:
        """UsageError for a SPEC without a module or a name, and for one that two packages claim. Nothing is imported."""
        Spec.check(self, game, environment, asks)
        if not (self.module and self.name):
            missing = "name" if self.module else "module"
            raise UsageError(f"The seat {quoted(self.who)} has no {missing}: write py:MODULE:NAME.")
        found = installed_functions().get(self.who)
        if found is not None and len(found.distributions) > 1:
            packages = " and ".join(found.distributions)
            raise UsageError(f"The seat {quoted(self.who)} is a name of {packages}: write py:MODULE:NAME for one of them.")

    def describe(self, environment: Environment) -> SeatIdentity:
        return {"function": f"{self.module}:{self.name}"}

    def reach(self, environment: Environment) -> Reach:
        return starting(self, f"{FUNCTION}{self.module}:{self.name}")

    def load(self) -> Answering:
        """The function or class, imported. UsageError when it cannot be."""
        return load_function(self.who, self.module, self.name)

    async def make(self, settings: SeatSettings, seat: int, context: AgentContext) -> Agent:
        return FunctionAgent(self.load(), self.time_limit, self.who)


def _is_coroutine_function(target: Answering) -> bool:
    return inspect.iscoroutinefunction(target) or inspect.iscoroutinefunction(getattr(target, "__call__", None))  # noqa: B004


async def _awaited(found: Awaitable[object]) -> object:
    """The result of an awaitable. What is no Exception becomes one, unless this task is being cancelled."""
    try:
        return await found
    except Exception:
        raise
    except BaseException as error:
        if isinstance(error, asyncio.CancelledError) and (task := asyncio.current_task()) and task.cancelling():
            raise
        return _raise(error)


async def _in_thread(call: Callable[[], object]) -> object:
    """The result of a call in a new thread, which nothing waits for once this is cancelled."""
    loop, ended, outcome = asyncio.get_running_loop(), asyncio.Event(), list[Callable[[], object]]()

    def run() -> None:
        try:
            result = call()
            outcome.append(lambda: result)
        except BaseException as error:
            outcome.append(partial(_raise, error))
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=run, name="tabletop-function", daemon=True).start()
    await ended.wait()
    return outcome[0]()


def _raise(error: BaseException) -> object:
    if isinstance(error, Exception):
        raise error
    raise RuntimeError(f"the function raised {type(error).__name__}") from error


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
