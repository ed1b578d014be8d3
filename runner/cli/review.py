"""`tabletop review LOG...`: every decision graded by search."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from games.core import seat_name
from games.search.policy import MOST_PLAYOUTS
from runner.cli.newest_log import named_or_newest
from runner.cli.options import Quiet, View, log_argument, option, output
from runner.cli.output import print_unusable, say_json, stoppable
from runner.errors import PausedError, UsageError, in_log
from runner.record.log_paths import logs_in, place_of
from runner.record.reader import read_log
from runner.record.safe_write import write_file
from runner.record.unusable import UNUSABLE, Unusable, exit_of, none_left
from runner.screen.consoles import print_note, results, with_progress
from runner.screen.perspective import Perspective
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.review.review_document import ReviewDocument

Reviews = dict[Path, "ReviewDocument"]
"""The reviews of logs."""


def review(
    logs: Annotated[
        list[Path] | None,
        log_argument("Logs of matches, or folders: all their logs. By default, the newest log of logs.", "LOG..."),
    ] = None,
    playouts: Annotated[
        int | None, option("Playouts a decision. [default: 400; 100 if answers are free text]", min=8, max=MOST_PLAYOUTS)
    ] = None,
    seconds: Annotated[float | None, option("Make as many playouts as fit into about this time.", "S", min=0.1)] = None,
    seat: Annotated[str | None, option("Show the decisions of this seat or player alone.", "P-n|NAME")] = None,
    seed: Annotated[int, option("Seed of the playouts.")] = 1,
    view: View = "all",
    worst: Annotated[int, option("Number of the worst decisions to show.", "K", min=0)] = 10,
    quiet: Quiet = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document; a list for several logs.")] = False,
    html: Annotated[bool, typer.Option("--html", help="Write a self-contained web page of one log.")] = False,
    to: Annotated[Path | None, output("File of the page. [default: beside LOG]")] = None,
) -> None:
    """Grade every decision of matches by search: how much of the win it gave away, and what would have been better.

    Examples: tabletop review match.jsonl · tabletop review match.jsonl --seat P-1 --worst 5 --json
    """
    if html and to is None and (file := next((path for path in (logs or [])[1:] if path.suffix == ".html"), None)):
        raise UsageError(f"--html takes no file: write --html -o {file}.")
    paths = [path for name in logs for path in logs_in(name)] if logs else [named_or_newest(None)]
    if html and len(paths) > 1:
        raise UsageError("--html is the page of one log: name one.")
    if to is not None and not html:
        raise UsageError("-o is the file of the page: add --html.")
    if playouts is not None and seconds is not None:
        raise UsageError("--playouts and --seconds exclude each other.")
    found, unusable = Reviews(), list[Unusable]()
    with stoppable("The review"):
        for path in paths:
            try:
                with in_log(path):
                    found[path] = _reviewed(playouts, seconds, seed, view, quiet, path)
            except UNUSABLE as error:
                if len(paths) == 1 or isinstance(error, PausedError):
                    raise
                unusable.append(Unusable.of(str(path), error))
    if not found:
        raise none_left(unusable)
    print_unusable(unusable)
    chosen = None if seat is None else _seat(seat, found)
    if html:
        _write_page(to, found, quiet)
    if as_json:
        documents = [*found.values()]
        say_json(documents[0] if len(documents) == len(paths) == 1 else documents)
    else:
        _print(found, chosen, worst, quiet)
    if unusable:
        raise typer.Exit(exit_of(unusable))


def _reviewed(playouts: int | None, seconds: float | None, seed: int, view: str, is_quiet: bool, path: Path) -> ReviewDocument:
    from runner.review.kept_reviews import reviewed
    from runner.review.review_document import playouts_in

    log = read_log(path)
    follow = partial(with_progress, what="reviewing decisions", is_quiet=is_quiet)
    playouts = playouts if seconds is None else playouts_in(log, seconds)
    return reviewed(log, playouts, seed, Perspective.of_header(view, log.header).name, follow)


def _write_page(to: Path | None, found: Reviews, is_quiet: bool) -> None:
    from runner.export.page.match_page import match_page
    from runner.screen.seen_review import SeenReview

    path, document = next(iter(found.items()))
    log, html = read_log(path), to or place_of(path).with_suffix(".review.html")
    write_file(html, match_page(log, document.get("view", "all"), SeenReview(log, document)))
    if not is_quiet:
        print_note(f"Page: {clean(html, 5000)}")


def _print(found: Reviews, seat: int | None, worst: int, is_quiet: bool) -> None:
    from runner.review.kept_reviews import review_path
    from runner.screen.seen_review import review_screen

    console = results()
    for path, document in found.items():
        console.print(review_screen(document, read_log(path), seat, worst))
        if console.is_terminal and review_path(path).exists() and not is_quiet:
            print_note(f"`tabletop replay {clean(path, 5000)}` shows the grades at each decision.")


def _seat(word: str, found: Reviews) -> int:
    """The seat that a word names, or the player in it. UsageError where no reviewed match has it, or players change seats."""
    entries = [entry for document in found.values() for entry in document["seats"]]
    numbers = {seat_name(entry["seat"]): entry["seat"] for entry in entries}
    if word.upper() in numbers:
        return numbers[word.upper()]
    named = {entry["seat"] for entry in entries if entry["player"].casefold() == word.casefold()}
    if len(named) != 1:
        raise UsageError(f"There is no seat {clean(word, 40)!r}: the seats are {', '.join(numbers)}.")
    return named.pop()
