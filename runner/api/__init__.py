"""Python interface: play matches, read logs, rate players. docs/python.md shows each function.

Errors are those of `runner.errors`: one sentence each, which says what to do.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from runner.api.background_loop import run
from runner.api.data_log import Log
from runner.api.data_standings import Standings
from runner.api.python_match import MatchOptions, Player, Players, PythonMatch
from runner.cli.config_files import read_settings
from runner.errors import AccountError, PausedError, TabletopError, UsageError
from runner.match.config import Asking
from runner.record.log_paths import has_logs, log_paths
from runner.record.reader import read_sound_part
from runner.standings.comparability import pooled

__all__ = ["Log", "Player", "Players", "Standings", "aplay", "play", "read_log", "read_logs", "standings"]


def play(
    game: str,
    seats: Players = (),
    *,
    players: int | None = None,
    seed: int | None = None,
    rules: str | None = None,
    talk: bool = False,
    ask: Asking = "simultaneous",
    budget: float | None = None,
    prompts: Path | str | None = None,
    mistakes: float = 0.0,
    log: Path | str | None = None,
    **options: Any,
) -> Log:
    """Play a match to its end, and return its log. `options` are those of the game, such as `max_rounds=2`.

    `seats` has the player of each seat: a SPEC as for `--seat`, or a function, coroutine function or class as for `py:` seats;
    a mapping names the players too. The offline model has the seats that are left. Keys, `.env` and `agents.toml` are those of
    the current folder, as for the command. `players`, without which there are as many as `seats`, `seed`, `rules`, `talk`,
    `ask`, `budget` (USD), `prompts` (a folder) and `mistakes` (of the offline model) are as the options of `tabletop play`.
    The log is written to the new file `log`; without one it is kept as long as the returned object.

    OptionError or UsageError for what cannot be played. PausedError or AccountError when the match stops; it names the log,
    from which `tabletop resume` continues. In a running event loop, such as that of a notebook, the match runs in a thread.
    """
    match_options = MatchOptions(players, seed, rules, talk, ask, budget, _path(prompts), mistakes, options)
    return run(_played(game, seats, match_options, _path(log)))


async def aplay(
    game: str,
    seats: Players = (),
    *,
    players: int | None = None,
    seed: int | None = None,
    rules: str | None = None,
    talk: bool = False,
    ask: Asking = "simultaneous",
    budget: float | None = None,
    prompts: Path | str | None = None,
    mistakes: float = 0.0,
    log: Path | str | None = None,
    **options: Any,
) -> Log:
    """Play a match in the running event loop: `play` for coroutines, with the same arguments."""
    match_options = MatchOptions(players, seed, rules, talk, ask, budget, _path(prompts), mistakes, options)
    return await _played(game, seats, match_options, _path(log))


def _path(path: Path | str | None) -> Path | None:
    return None if path is None else Path(path)


async def _played(game: str, seats: Players, options: MatchOptions, path: Path | None) -> Log:
    match = PythonMatch(game, seats, options, read_settings())
    target = Path(tempfile.mkdtemp(prefix="tabletop-")) / f"{match.game.name}.jsonl" if path is None else path
    try:
        await match.play(target)
    except (PausedError, AccountError) as stop:
        remedy = f"Its log is {target}: `tabletop resume` continues it."
        raise type(stop)(stop.why, seat=stop.seat, remedy=remedy if target.exists() else stop.remedy) from stop
    found = read_log(target)
    if path is None:
        found.keep_until_unused()
    return found


def read_log(path: Path | str) -> Log:
    """The log in a file, of a match that has ended or not. A last line that is cut short is left out.

    UsageError when it cannot be read, LogDamagedError when it is damaged.
    """
    log = read_sound_part(Path(path))
    if log.damage is not None and not log.is_torn:
        raise log.damage
    return Log(log)


def read_logs(folder: Path | str) -> Iterator[Log]:
    """The logs of a folder and its sub-folders, packed ones included, or of a pack.

    They come in the order of their paths, each read when it is asked for. A log that cannot be read or is damaged is named in a
    warning and left out. UsageError when there is no such folder.
    """
    if not has_logs(Path(folder)):
        raise UsageError(f"There is no folder or pack {folder}.")
    for path in log_paths(Path(folder)):
        try:
            yield read_log(path)
        except TabletopError as error:
            warnings.warn(f"Left out: {error.sentence}", stacklevel=2)


def standings(folder: Path | str, *, pool: Collection[str] = (), anchor: tuple[str, float] | None = None) -> Standings:
    """The ratings of the players in a folder of logs, as `tabletop standings` prints them.

    `pool` names what may differ between matches: prompts, rules, options, schema, agents, all, players or games. `anchor` fixes
    the rating of a player. UsageError when the matches may not be pooled or none has ended.
    """
    return Standings(Path(folder), pooled([",".join(pool)]) if pool else (), anchor)
