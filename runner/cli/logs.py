"""`tabletop logs [DIR]`: the logged matches of a folder."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.completion import complete_games
from runner.cli.lazy_groups import new_app
from runner.cli.output import say_json
from runner.errors import UsageError
from runner.record.log_paths import has_logs

if TYPE_CHECKING:
    from runner.record.log_summary import LogSummary

app = new_app()
_MOST_COPIES = 20


class StateName(StrEnum):
    """State of a log."""

    finished = "finished"
    resumable = "resumable"
    running = "running"
    failed = "failed"
    damaged = "damaged"


@app.command()
def logs(
    folder: Annotated[
        Path, typer.Argument(help="Folder with logs, or a pack; sub-folders are included.", metavar="DIR")
    ] = Path("logs"),
    game: Annotated[
        str | None, typer.Option("--game", help="Only matches of this game.", metavar="NAME", autocompletion=complete_games)
    ] = None,
    state: Annotated[StateName | None, typer.Option("--state", help="Only logs in this state.")] = None,
    seat: Annotated[
        str | None, typer.Option("--seat", help="Only matches with a player whose name or SPEC contains TEXT.", metavar="TEXT")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    digests: Annotated[
        Path | None, typer.Option("--digests", help="Write the digests of the finished logs to FILE.", metavar="FILE")
    ] = None,
    sign: Annotated[
        Path | None, typer.Option("--sign", help="Sign --digests with an SSH key, in FILE.sig.", metavar="KEY")
    ] = None,
) -> None:
    """List the logged matches of a folder, newest first: date, state, winners, scores, number of decisions, cost.

    Example: tabletop logs --game dixiquote --state resumable
    """
    from runner.record.log_copies import copies
    from runner.record.log_folder import summaries
    from runner.screen.consoles import results
    from runner.screen.log_list import LogList

    if digests is not None:
        _write_digests(folder, digests, sign)
        return
    if sign is not None:
        raise UsageError("--sign needs --digests FILE: the list is what is signed.")

    def is_wanted(found: LogSummary) -> bool:
        is_of_game = game is None or found.game == game
        has_seat = seat is None or any(seat.casefold() in f"{one.name} {one.spec}".casefold() for one in found.seats)
        return is_of_game and has_seat and (state is None or found.state.value == state.value)

    if not has_logs(folder):
        raise UsageError(f"There is no folder or pack {folder}.")
    logs = summaries(folder)
    copied = copies(logs)
    chosen = [(folder / name, found) for name, found in newest_first(logs) if is_wanted(found)]
    if as_json:
        of = {folder / copy: str(folder / name) for copy, name in copied.items()}
        say_json([{"path": str(path), **_to_json(found), "copy_of": of.get(path)} for path, found in chosen])
        return
    results().print(LogList([(path.relative_to(folder), found) for path, found in chosen]))
    _print_copies({copy: name for copy, name in copied.items() if is_wanted(logs[copy])})
    _print_forks({name: found for name, found in logs.items() if found.is_fork and name not in copied and is_wanted(found)})


def newest_first(logs: Mapping[str, LogSummary]) -> list[tuple[str, LogSummary]]:
    """Logs by the time when their match began; those without one last."""
    return sorted(sorted(logs.items()), key=lambda item: item[1].created, reverse=True)


def _write_digests(folder: Path, to: Path, key: Path | None) -> None:
    from runner.record.digest_list import digest_lines
    from runner.record.log_folder import summaries
    from runner.record.safe_write import write_file
    from runner.record.signatures import sign, signature_path
    from runner.screen.consoles import print_note

    if not has_logs(folder):
        raise UsageError(f"There is no folder or pack {folder}.")
    text = digest_lines(summaries(folder))
    write_file(to, text)
    if key is not None:
        sign(text, key, signature_path(to))
    print_note(f"Wrote {to}" + (f" and {signature_path(to)}" if key else ""))


def _to_json(found: LogSummary) -> dict[str, object]:
    return {
        "state": found.state,
        "game": found.game,
        "created": found.created,
        "seed": found.seed,
        "seats": found.names,
        "specs": [seat.spec for seat in found.seats],
        "scores": found.scores,
        "winners": found.winners,
        "decisions": found.decisions,
        "cost": found.cost,
        "digest": found.digest,
        "why": found.why,
        "fork_of": found.fork_of or None,
        "fork_at": found.fork_at or None,
    }


def _print_copies(copied: Mapping[str, str]) -> None:
    from runner.screen.consoles import results
    from runner.screen.safe_text import plain

    if copied:
        named = [f"{copy} of {name}" for copy, name in copied.items()]
        more = [f"{len(named) - _MOST_COPIES:,} more"] if len(named) > _MOST_COPIES else []
        results().print(plain(f"Copies: {', '.join(named[:_MOST_COPIES] + more)}. Standings count a match once."))


def _print_forks(forks: Mapping[str, LogSummary]) -> None:
    from runner.screen.consoles import results
    from runner.screen.safe_text import plain

    if forks:
        named = ", ".join(f"{name} of {found.fork_of} at decision {found.fork_at}" for name, found in forks.items())
        results().print(plain(f"Forks: {named}. Standings count forks with --forks."))
