"""`tabletop review LOG...`: every decision graded by search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from games.core import seat_name
from runner.cli.completion import complete_logs
from runner.cli.lazy_groups import new_app
from runner.cli.newest_log import named_or_newest
from runner.cli.output import say_json
from runner.cli.stopping import stoppable
from runner.errors import Exit, LogDamagedError, UsageError, in_log
from runner.record.log_paths import log_paths
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.review.review_document import ReviewDocument

app = new_app()
_MOST_PLAYOUTS = 1_000_000
Item = TypeVar("Item")
Reviews = dict[Path, "ReviewDocument"]
"""The reviews of logs."""


@app.command()
def review(
    logs: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Logs of matches, or folders: all their logs. By default, the newest log of logs.",
            metavar="LOG...",
            show_default=False,
            autocompletion=complete_logs,
        ),
    ] = None,
    playouts: Annotated[
        int | None,
        typer.Option(
            "--playouts", help="Playouts a decision. [default: 400; 100 if answers are free text]", min=8, max=_MOST_PLAYOUTS
        ),
    ] = None,
    seat: Annotated[str | None, typer.Option("--seat", help="Show the decisions of this seat alone.", metavar="P-n")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the playouts.")] = 1,
    view: Annotated[
        str, typer.Option("--view", help="Show what this view may know: all, public, or a seat.", metavar="VIEW")
    ] = "all",
    worst: Annotated[int, typer.Option("--worst", help="Number of the worst decisions to show.", metavar="K", min=0)] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document; a list for several logs.")] = False,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a self-contained web page of one log.", metavar="FILE")
    ] = None,
) -> None:
    """Grade every decision of matches by search: how much of the win it gave away, and what would have been better.

    Examples: tabletop review match.jsonl · tabletop review match.jsonl --seat P-1 --worst 5 --json
    """
    paths = list(_paths(logs)) if logs else [named_or_newest(None)]
    if html is not None and len(paths) > 1:
        raise UsageError("--html FILE is the page of one log: name one.")
    with stoppable("The review"):
        found, damaged = _all_reviewed(paths, playouts, seed, view)
    chosen = None if seat is None else _seat(seat, found)
    if html is not None:
        _write_page(html, found)
    _show(found, len(paths), chosen, worst, as_json)
    if damaged:
        raise typer.Exit(Exit.DAMAGED)


def _paths(names: Iterable[Path]) -> Iterator[Path]:
    """The logs that are named, those of a folder and its sub-folders in order."""
    for name in names:
        found = log_paths(name)
        if not found:
            raise UsageError(f"There are no logs (*.jsonl) in {name}.")
        yield from found


def _all_reviewed(paths: list[Path], playouts: int | None, seed: int, view: str) -> tuple[Reviews, int]:
    """The reviews of all logs, and how many are damaged. Each of these is named; the error of a single log is raised."""
    from runner.screen.consoles import print_note

    found, damaged = Reviews(), 0
    for path in paths:
        try:
            with in_log(path):
                found[path] = _reviewed(path, playouts, seed, view)
        except LogDamagedError as damage:
            if len(paths) == 1:
                raise
            damaged += 1
            print_note(f"tabletop: left out, damaged: {clean(damage.sentence, 2000)}")
    return found, damaged


def _reviewed(path: Path, playouts: int | None, seed: int, view: str) -> ReviewDocument:
    import games
    from runner.record.reader import read_log
    from runner.review.kept_reviews import Settings, reviewed, reviewed_from
    from runner.review.reviewing import default_playouts
    from runner.screen.perspective import Perspective

    log = read_log(path)
    seen = Perspective.of(view, log.header["players"])
    count = default_playouts(games.load(log.header["game"])) if playouts is None else playouts
    if seen.sees_all:
        return reviewed(log, Settings(count, seed), _followed)
    return reviewed_from(log, seen.seat, Settings(count, seed), _followed, _followed)


def _followed(found: Iterable[Item], total: int) -> Iterable[Item]:
    from runner.screen.progress_bar import with_progress

    return with_progress(found, total, "reviewing decisions")


def _write_page(html: Path, found: Reviews) -> None:
    from runner.export.page.match_page import match_page
    from runner.record.reader import read_log
    from runner.record.safe_write import write_file
    from runner.screen.consoles import print_note
    from runner.screen.seen_review import seen_review

    for path, document in found.items():
        log = read_log(path)
        write_file(html, match_page(log, document.get("view", "all"), seen_review(log, document)))
        print_note(f"Page: {clean(html, 5000)}")


def _show(found: Reviews, logs: int, seat: int | None, worst: int, as_json: bool) -> None:
    if as_json:
        documents = [*found.values()]
        say_json(documents[0] if len(documents) == logs == 1 else documents)
        return
    from runner.record.reader import read_log
    from runner.review.kept_reviews import review_path
    from runner.screen.consoles import print_note, results
    from runner.screen.review_screen import review_screen

    console = results()
    for path, document in found.items():
        console.print(review_screen(document, read_log(path), seat, worst))
        if console.is_terminal and review_path(path).exists():
            print_note(f"`tabletop replay {clean(path, 5000)}` shows the grades at each decision.")


def _seat(word: str, found: Reviews) -> int:
    """The seat that a word names. UsageError for one that no reviewed match has."""
    names = {seat_name(entry["seat"]): entry["seat"] for document in found.values() for entry in document["seats"]}
    if word.upper() not in names:
        raise UsageError(f"There is no seat {clean(word, 40)!r}: the seats are {', '.join(names)}.")
    return names[word.upper()]
