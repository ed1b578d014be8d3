"""What the shell completes: games, seats, logs, views. Everything is looked up only when somebody presses Tab."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import typer

_MOST_LOGS = 50
_MOST_SEATS = 8


def games_named(incomplete: str) -> list[str]:
    """Games."""
    import games

    return _beginning(games.names(), incomplete)


def seats_named(ctx: typer.Context, incomplete: str) -> list[str]:
    """Seats: bots of the game, or of all games; agents of agents.toml; `P-2=` before one stays."""
    place, sign, spec = incomplete.rpartition("=")
    return [f"{place}{sign}{name}" for name in _beginning(_specs(ctx.info_name or ""), spec)]


def views_named(incomplete: str) -> list[str]:
    """Perspectives."""
    return _beginning(("all", "public", *(f"P-{seat}" for seat in range(_MOST_SEATS))), incomplete)


def choices_named(choices: Sequence[str]) -> Callable[[str], list[str]]:
    """The choices of an option."""

    def named(incomplete: str) -> list[str]:
        return _beginning(choices, incomplete)

    return named


def logs_named(incomplete: str) -> list[str]:
    """Logs, the newest first: those that begin so, and those in folders that do."""
    try:
        found = [path for pattern in ("*.jsonl", "*/*.jsonl") for path in _glob(incomplete, pattern)]
        found.sort(key=lambda path: -path.stat().st_mtime)
    except OSError:
        return []
    return [str(path) for path in found[:_MOST_LOGS]]


def _glob(incomplete: str, pattern: str) -> Iterator[Path]:
    folder, _, name = incomplete.rpartition("/")
    start = Path(f"{folder}/" if folder or incomplete.startswith("/") else ".")
    return (path for path in start.glob(f"{_plain(name)}{pattern}") if path.is_file())


def _plain(name: str) -> str:
    """A name in which nothing is a pattern."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)


def _specs(game: str) -> Iterator[str]:
    import games
    from runner.cli.environment import load_settings
    from runner.errors import TabletopError

    chosen = [game] if game in games.names() else games.names()
    yield from dict.fromkeys(f"bot:{bot}" for name in chosen for bot in games.load(name).bots)
    yield from ("human", "offline")
    try:
        yield from load_settings().agents
    except TabletopError:
        return


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
