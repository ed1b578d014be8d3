"""Python interface: play matches, read logs, rate players. docs/python.md shows each function.

Errors are those of `runner.errors`: one sentence each, which says what to do.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
import warnings
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

import games
from games.core import listed
from runner.agents.config_files import read_environment
from runner.agents.log_trust import trust_played
from runner.agents.spec import FUNCTION, OFFLINE, seat_spec
from runner.api.results import Log, Standings
from runner.arena.tournament_dir import entrant_names
from runner.errors import AccountError, PausedError, TabletopError, UsageError
from runner.film.perspective import EVERYTHING, Perspective
from runner.match.header import HeaderRecord
from runner.prompting.pack import PromptPack
from runner.record.decisions import check_action, decision_at
from runner.record.log_paths import log_paths, logs_in, refuse_missing
from runner.record.reader import read_log as read_sound_log
from runner.record.reader import read_sound_part
from runner.record.resume import open_to_resume
from runner.review.kept_reviews import reviewed
from runner.review.review_document import FEWEST_PLAYOUTS, SEED, ReviewDocument
from runner.session.match_spec import CHANGES, SETTINGS, MatchSpec, ReadyMatch, SeatSpec, ready, ready_to_continue
from runner.session.session import Forked, Resumed, Session, Source, new_fork_path
from runner.standings.comparability import pooled
from runner.workshop.comparing import By, compared
from runner.workshop.comparison import ComparisonRequest
from runner.workshop.exam.exam import Exam, ExamSpec
from runner.workshop.exam.exam_results import ExamDocument, document_of
from runner.workshop.exam.examinee import Examined
from runner.workshop.lint.case_checks import lint as check_prompts

__all__ = ["Log", "Player", "Players", "Standings", "aplay", "fork", "play"]
__all__ += ["compare", "exam", "lint"]
__all__ += ["read_log", "read_logs", "resume", "review", "standings"]

Player: TypeAlias = str | Callable[..., Any]
"""A SPEC as for `--seat`, or a function, coroutine function or class as for `py:` seats."""

Players: TypeAlias = Sequence[Player] | Mapping[str, Player]
"""The player of each seat, in order; of a mapping also the players' names."""

_SEAT = re.compile(r"P-(\d+)")


def play(game: str, seats: Players = (), *, log: Path | str | None = None, **settings: Any) -> Log:
    """Play a match to its end, and return its log.

    `seats` has the player of each seat: a SPEC as for `--seat`, or a function, coroutine function or class as for `py:` seats;
    a mapping names the players too. The offline model has the seats that are left. `settings` are those of `tabletop play`,
    with `_` for `-`, and the options of the game, such as `max_rounds=2`. Without `players` there are as many as `seats`. Keys,
    `.env` and `agents.toml` are those of the current folder. The log is written to the new file `log`; without one it is kept
    as long as the returned object.

    OptionError or UsageError for what cannot be played. PausedError or AccountError when the match stops; it names the log,
    from which `resume` continues. In a running event loop, such as that of a notebook, the match runs in a thread.
    """
    return _sync(aplay(game, seats, log=log, **settings))


async def aplay(game: str, seats: Players = (), *, log: Path | str | None = None, **settings: Any) -> Log:
    """Play a match in the running event loop: `play` for coroutines, with the same arguments."""
    if not isinstance(game, str):
        raise UsageError("`game` is the name of a game: `games.names()` lists them.")
    players = _seated(seats)
    known = {name: value for name, value in settings.items() if name in MatchSpec.model_fields}
    options = {name: value for name, value in settings.items() if name not in known}
    count = known.pop("players", None) or len(players.specs) or games.load(game).default_players
    given = {**known, "game": game, "options": options, "seats": players.specs, "players": count}
    spec = MatchSpec.of(given, _named)
    free = (SeatSpec.of(OFFLINE),) * (count - len(spec.seats))
    spec = spec.model_copy(update={"seats": (*spec.seats, *free)})
    environment = read_environment()
    found = ready(spec, environment, functions=players.functions)
    trust_played(found.specs, environment)
    path = Path(tempfile.mkdtemp(prefix="tabletop-")) / f"{game}.jsonl" if log is None else Path(log)
    await _run(found, Source(path))
    whole = read_log(path)
    if log is None:
        whole.keep_until_unused()
    return whole


def _show_settings(function: Callable[..., object]) -> None:
    """Have `help` and editors show the settings among the arguments of a function."""
    own, fields = signature(function), MatchSpec.model_fields
    shown = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=fields[name].default, annotation=fields[name].annotation)
        for name in SETTINGS
        if name not in own.parameters
    ]
    *first, rest = own.parameters.values()
    function.__dict__["__signature__"] = own.replace(parameters=[*first, *shown, rest])


_show_settings(play)
_show_settings(aplay)


def resume(log: Path | str, **changes: Any) -> Log:
    """Continue a match that stopped, and return its log; that of a match that has ended stays as it is.

    `changes` are settings that differ from now on: seats (`{"P-1": player}`, or a list of the first ones), prompts, reason,
    hopeless, budget, budget_tokens. A seat that calls or starts what only the log names has to be given again.
    """
    return _sync(_resumed(Path(log), changes))


def fork(log: Path | str, at: int, *, action: object = None, to: Path | str | None = None, **changes: Any) -> Log:
    """Play another match from decision `at` of a log, as numbered by `tabletop replay`, and return its log.

    `action` is the answer of that decision; None: its seat is asked. `to` is the new log file, by default beside the old one.
    `changes` are as for `resume`, and `rated`.
    """
    return _sync(_forked(Path(log), at, action, to, changes))


async def _resumed(path: Path, changes: Mapping[str, Any]) -> Log:
    values, players = _changes("resume", changes, CHANGES)
    writer, before = open_to_resume(path)
    try:
        if before.result is None:
            found = _continued(before.latest_header, values, players, path)
            await _run(found, Resumed.of(writer, before, found))
    finally:
        writer.close()
    return read_log(path)


async def _forked(path: Path, at: int, action: object, to: Path | str | None, changes: Mapping[str, Any]) -> Log:
    values, players = _changes("fork", changes, [*CHANGES, "rated"])
    parent = read_sound_log(path)
    decision = decision_at(parent, at)
    if action is not None:
        check_action(decision, action)
    found = _continued(parent.latest_header, {"rated": False, **values}, players, path)
    target = new_fork_path(path, at) if to is None else Path(to)
    await _run(found, Forked(target, parent, decision, action, found))
    return read_log(target)


def _changes(what: str, given: Mapping[str, Any], known: Sequence[str]) -> tuple[dict[str, Any], _Seated]:
    """The settings that change, and the players among them. UsageError for one that stays."""
    if wrong := next((name for name in given if name not in known), None):
        raise UsageError(f"{what} cannot change {wrong}: it takes {listed(known, 'and')}.")
    players = _changed(given.get("seats", ()))
    return {**given, "seats": players.specs}, players


def _continued(header: HeaderRecord, changes: Mapping[str, Any], players: _Seated, log: Path) -> ReadyMatch:
    return ready_to_continue(
        header, changes, _named, read_environment(), called=entrant_names(log), functions=players.functions
    )


def _named(name: str, value: object) -> str:
    return f"{name}={value!r}"


async def _run(found: ReadyMatch, source: Source) -> None:
    try:
        async with Session(found, source) as session:
            await session.run()
    except (PausedError, AccountError) as stop:
        remedy = f"Its log is {source.path}: `tabletop resume` continues it."
        kind = PausedError if isinstance(stop, PausedError) else AccountError
        raise kind(stop.why, seat=stop.seat, remedy=remedy if source.path.exists() else stop.remedy) from stop


def read_log(path: Path | str) -> Log:
    """The log in a file, of a match that has ended or not. A last line that is cut short is left out. UsageError when it cannot
    be read, LogDamagedError when it is damaged."""
    log = read_sound_part(Path(path))
    if log.damage is not None and not log.is_torn:
        raise log.damage
    return Log(log)


def read_logs(folder: Path | str) -> Iterator[Log]:
    """The logs of a folder and its sub-folders, packed ones included, or of a pack.

    They come in the order of their paths, each read when it is asked for. A log that cannot be read or is damaged is named in a
    warning and left out. UsageError when there is no such folder.
    """
    refuse_missing(Path(folder), only_many=True)
    for path in log_paths(Path(folder)):
        try:
            yield read_log(path)
        except TabletopError as error:
            warnings.warn(f"Left out: {error.sentence}", stacklevel=2)


def review(log: Log | Path | str, *, playouts: int | None = None, seed: int = SEED, view: str = EVERYTHING) -> ReviewDocument:
    """The review of a log, as `tabletop review --json` prints it: every decision graded by search.

    `playouts` is the number for each decision, by default 400, or 100 for games with free text. A `view` such as `P-1` or
    `public` has what it may know alone. The review is kept beside the log, so that the next one is immediate. UsageError for
    arguments that make none, LogDamagedError when the log does not follow from the rules.
    """
    if playouts is not None and playouts < FEWEST_PLAYOUTS:
        raise UsageError(f"playouts={playouts}: a review takes at least {FEWEST_PLAYOUTS} playouts a decision.")
    found = read_sound_part(log.path if isinstance(log, Log) else Path(log))
    return reviewed(found, playouts, seed, Perspective.of_header(view, found.header).name)


def exam(
    game: str, seats: Players, *, on: Collection[Path | str] = (), out: Path | str = "exams", **settings: Any
) -> ExamDocument:
    """Put the same graded decisions to several players, and return the document of `tabletop exam --json`.

    `seats` are the players, as for `play`: a function `(ask) -> answer` finds the seat in `ask.seat`. A player that is given
    twice is two players. `settings` are those of an `ExamSpec`: players, rules, options, decisions, until, margin, role, seed,
    budget, budget_tokens, concurrency, mistakes. `on` names logs with decisions. Positions and the answers of SPECs are kept in
    the folder `out` and found again; functions are asked again. UsageError for what cannot be examined, PausedError or
    AccountError when it stops before its end: the same call continues.
    """
    environment, examined = read_environment(), list[Examined]()
    _check_settings("exam", game, settings, ExamSpec.__dataclass_fields__)
    for name, player in _players(seats):
        spec = seat_spec(_spec(player), environment)
        examined.append(Examined(spec, name or spec.player, function=None if isinstance(player, str) else player))
    logs = [path for place in on for path in logs_in(Path(place))]
    found = Exam(ExamSpec(game=games.load(game).name, examined=examined, logs=logs, **settings), Path(out), environment)
    for one in found.left_out:
        warnings.warn(one.sentence, stacklevel=2)
    _sync(found.run(lambda results: None))
    return document_of(found.results)


def compare(
    game: str, packs: Collection[Path | str], models: Collection[str] = (OFFLINE,), *, by: By | None = None, **settings: Any
) -> Mapping[str, Any]:
    """Compare prompt packs, and return the document of `tabletop prompts compare --json`.

    `packs` are folders, or `built-in`; every model, a SPEC, plays with each. `settings` are those of a `ComparisonRequest`:
    players, rules, options, decisions, deals, until, margin (a share of the win), opponents, measure, reason, seed, budget,
    budget_tokens, concurrency, out. What was asked or played with the same prompts is found again in the folder `out`.
    UsageError for what cannot be compared, PausedError or AccountError when it stops before its end: the same call continues.
    """
    _check_settings("compare", game, settings, ComparisonRequest.__dataclass_fields__)
    settings = settings | {"out": Path(settings.get("out", "comparisons"))}
    request = ComparisonRequest(games.load(game).name, [str(pack) for pack in packs], [*models], **settings)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return compared(request, by, read_environment())
    with ThreadPoolExecutor(1, "tabletop-comparison") as threads:  # a comparison runs event loops of its own
        return threads.submit(compared, request, by, read_environment()).result()


def _check_settings(what: str, game: str, settings: Mapping[str, object], known: Collection[str]) -> None:
    """UsageError for a setting that there is not, or a wrong value of one that matches have too."""
    if unknown := settings.keys() - set(known):
        raise UsageError(f"{what} has no setting {sorted(unknown)[0]!r}.")
    shared = {name: settings[name] for name in ("players", "rules", "seed", "budget", "budget_tokens") if name in settings}
    MatchSpec.of({"game": game, **shared}, _named)


def lint(pack: Path | str | None = None, game: str | None = None, *, matches: int = 48, seed: int = 0) -> dict[str, object]:
    """The report of `tabletop prompts lint --json` on a prompt pack (None: the built-in one) for a game, or for all: its
    `faults` and `findings`. UsageError for a pack that cannot be read."""
    names = [game] if game else games.names()
    return check_prompts(PromptPack(None if pack is None else Path(pack)), names, matches, seed, lambda what: None).to_json()


def standings(folder: Path | str, *, pool: Collection[str] = (), anchor: tuple[str, float] | None = None) -> Standings:
    """The ratings of the players in a folder of logs, as `tabletop standings` prints them.

    `pool` names what may differ between matches: prompts, rules, options, schema, agents, all, players or games. `anchor` fixes
    the rating of a player. UsageError when the matches may not be pooled or none has ended.
    """
    return Standings(Path(folder), pooled([",".join(pool)]) if pool else (), anchor)


class _Seated(NamedTuple):
    """The SPECs of seats, and the functions by seat."""

    specs: tuple[str, ...]
    functions: Mapping[int, Callable[..., Any]]


def _seated(given: Players) -> _Seated:
    """The players of a new match, the names of a mapping among them. UsageError for what is no player."""
    players = _players(given)
    specs = tuple(f"{name}={_spec(player)}" if name else _spec(player) for name, player in players)
    return _Seated(specs, {seat: player for seat, (_, player) in enumerate(players) if not isinstance(player, str)})


def _changed(given: Players) -> _Seated:
    """The players that take over seats of a log: those of `{"P-1": player}`, or of a list the first ones."""
    players = [(name or f"P-{seat}", player) for seat, (name, player) in enumerate(_players(given))]
    if wrong := next((name for name, _ in players if not _SEAT.fullmatch(name)), None):
        raise UsageError(f"seats has {wrong!r}, which is no seat: write seats={{'P-0': 'bot:steady', ...}}, or a list.")
    functions = {int(name[2:]): player for name, player in players if not isinstance(player, str)}
    return _Seated(tuple(f"{name}={_spec(player)}" for name, player in players), functions)


def _players(given: Players) -> list[tuple[str, Player]]:
    """The players with their names, empty for none."""
    if isinstance(given, str) or callable(given):
        raise UsageError("`seats` is a list with the player of each seat, as in seats=['bot:steady', my_function].")
    if not isinstance(given, Mapping):
        return [("", player) for player in given]
    if odd := [name for name in given if not isinstance(name, str)]:
        raise UsageError(f"The name {odd[0]!r} of a player is no text: write seats={{'ada': 'bot:steady', ...}}, or a list.")
    return list(given.items())


def _spec(player: Player) -> str:
    if isinstance(player, str):
        return player
    if not callable(player):
        raise UsageError(f"{player!r} is no player: a seat is a SPEC, such as 'bot:steady', or a function.")
    called = getattr(player, "__qualname__", type(player).__qualname__)
    return f"{FUNCTION}{getattr(player, '__module__', type(player).__module__)}:{called}"


_Result = TypeVar("_Result")


def _sync(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    """The result of a coroutine. In a running event loop, such as that of a notebook, it runs in a thread meanwhile;
    KeyboardInterrupt cancels it, and waits until it has ended."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    cancel = Future[Callable[[], object]]()

    async def cancellable() -> _Result:
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(coroutine)
        cancel.set_result(lambda: loop.call_soon_threadsafe(task.cancel))
        return await task

    with ThreadPoolExecutor(1, "tabletop-match") as threads:
        running = threads.submit(asyncio.run, cancellable())
        try:
            return running.result()
        except BaseException:
            if not running.done():
                cancel.result()()
            raise
