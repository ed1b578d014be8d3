"""`tabletop review LOG...`: every decision graded by search."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from games.core import seat_name
from runner.cli.completion import complete_logs
from runner.cli.lazy_groups import new_app
from runner.cli.output import say_json
from runner.errors import UsageError, in_log
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.review.decision_review import Reviewed
    from runner.review.review_document import ReviewDocument

app = new_app()
_MOST_PLAYOUTS = 1_000_000


@app.command()
def review(
    logs: Annotated[list[Path], typer.Argument(help="Logs of matches.", metavar="LOG...", autocompletion=complete_logs)],
    playouts: Annotated[
        int | None,
        typer.Option(
            "--playouts", help="Playouts a decision. [default: 400, 100 where answers are free text]", min=8, max=_MOST_PLAYOUTS
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the playouts.")] = 1,
    seat: Annotated[str | None, typer.Option("--seat", help="Show the decisions of this seat alone.", metavar="P-n")] = None,
    worst: Annotated[int, typer.Option("--worst", help="Show so many of the worst decisions.", metavar="K", min=0)] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document; a list for several logs.")] = False,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a self-contained web page of one log.", metavar="FILE")
    ] = None,
) -> None:
    """Grade every decision of matches by search: how much of the win it gave away, and what would have been better.

    Examples: tabletop review match.jsonl · tabletop review match.jsonl --seat P-1 --worst 5 --json
    """
    if html is not None and len(logs) > 1:
        raise UsageError("--html FILE is the page of one log: name one.")
    found = [_reviewed(path, playouts, seed) for path in logs]
    chosen = None if seat is None else _seat(seat, found)
    if html is not None:
        from runner.export.html import to_html
        from runner.record.reader import read_log
        from runner.record.safe_write import write_file

        write_file(html, to_html(read_log(logs[0]), "all"))
    if as_json:
        say_json(found[0] if len(found) == 1 else found)
        return
    from runner.screen.consoles import results
    from runner.screen.review_screen import review_screen

    for document in found:
        results().print(review_screen(document, chosen, worst))


def _reviewed(path: Path, playouts: int | None, seed: int) -> ReviewDocument:
    import games
    from runner.record.reader import read_log
    from runner.review.kept_reviews import reviewed
    from runner.review.reviewing import default_playouts

    log = read_log(path)
    count = default_playouts(games.load(log.header["game"])) if playouts is None else playouts
    with in_log(path):
        return reviewed(log, count, seed, _followed)


def _followed(found: Iterable[Reviewed], total: int) -> Iterable[Reviewed]:
    from runner.screen.progress_bar import with_progress

    return with_progress(found, total, "reviewing decisions")


def _seat(word: str, found: list[ReviewDocument]) -> int:
    """The seat that a word names. UsageError for one that no reviewed match has."""
    names = {seat_name(entry["seat"]): entry["seat"] for document in found for entry in document["seats"]}
    if word.upper() not in names:
        raise UsageError(f"There is no seat {clean(word, 40)!r}: the seats are {', '.join(names)}.")
    return names[word.upper()]
