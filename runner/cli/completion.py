"""Shell completion of games, players, logs and views. Values are looked up only on Tab."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import typer

_MOST_LOGS = 50
_MOST_SEATS = 8


def complete_games(incomplete: str) -> list[str]:
    """Names of games."""
    import games

    return _with_prefix(games.names(), incomplete)


def complete_seats(ctx: typer.Context, incomplete: str) -> list[str]:
    """SPECs: bots of the game, or of all games; agents of agents.toml. A prefix such as `P-2=` is kept."""
    place, sign, spec = incomplete.rpartition("=")
    return [f"{place}{sign}{name}" for name in _with_prefix(_specs(ctx.info_name or ""), spec)]


def complete_views(incomplete: str) -> list[str]:
    """Values of --view."""
    return _with_prefix(("all", "public", *(f"P-{seat}" for seat in range(_MOST_SEATS))), incomplete)


def complete_choices(choices: Sequence[str]) -> Callable[[str], list[str]]:
    """A completion function with fixed choices."""

    def complete(incomplete: str) -> list[str]:
        return _with_prefix(choices, incomplete)

    return complete


def complete_logs(incomplete: str) -> list[str]:
    """Logs, newest first: files that begin with the text, and files in folders that do."""
    try:
        found = [path for pattern in ("*.jsonl", "*/*.jsonl") for path in _glob(incomplete, pattern)]
        found.sort(key=lambda path: -path.stat().st_mtime)
    except OSError:
        return []
    return [str(path) for path in found[:_MOST_LOGS]]


def _glob(incomplete: str, pattern: str) -> Iterator[Path]:
    folder, _, name = incomplete.rpartition("/")
    start = Path(f"{folder}/" if folder or incomplete.startswith("/") else ".")
    return (path for path in start.glob(f"{_escaped(name)}{pattern}") if path.is_file())


def _escaped(name: str) -> str:
    """A name with glob patterns escaped."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)


def _specs(game: str) -> Iterator[str]:
    import games
    from games.search.policy import bot_names
    from runner.agents.named_spec import known_names
    from runner.agents.spec import FUNCTION, PROGRAM
    from runner.cli.config_files import read_settings
    from runner.errors import TabletopError

    known = games.registered().games
    chosen = [found for found in known if found.name == game] or known
    yield from dict.fromkeys(f"bot:{bot}" for found in chosen for bot in bot_names(found))
    yield from ("human", "offline", PROGRAM, FUNCTION)
    try:
        yield from known_names(read_settings())
    except TabletopError:
        return


def _with_prefix(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
