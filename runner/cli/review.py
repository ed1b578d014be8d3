"""`tabletop review LOG...`: every decision graded by search."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Annotated

import typer

from games.core import counted, quoted, seat_name
from games.search.policy import MOST_PLAYOUTS
from runner.cli.options import LOG, PackFolder, UsdBudget, View, named_or_newest
from runner.cli.output import note_new_folder, print_unusable, say_json, say_json_list, stoppable
from runner.errors import PausedError, UsageError, in_log
from runner.film.perspective import Perspective
from runner.record.log_folder import UNUSABLE, Unusable, exit_of, none_left
from runner.record.log_paths import logs_in, place_of
from runner.record.reader import read_log
from runner.record.writer import write_file
from runner.screen.consoles import LineClock, live_status, print_note, report_loading, results, with_progress
from runner.screen.palette import QUIET
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from games.statistics.document_types import JudgedData
    from runner.record.log_folder import FollowWork
    from runner.review.review_document import ReviewDocument


_IN_MEMORY = 1_000_000
"""Bytes of reviews that need no disk, which may be full."""


class Reviews:
    """The reviews of logs, in a temporary file, so that memory does not grow with their number."""

    def __init__(self, file: IO[bytes]) -> None:
        self._paths, self._file = list[Path](), file

    def add(self, path: Path, document: ReviewDocument) -> None:
        self._paths.append(path)
        self._file.write(json.dumps(document).encode() + b"\n")

    def items(self) -> Iterator[tuple[Path, ReviewDocument]]:
        self._file.seek(0)
        return zip(self._paths, map(json.loads, self._file), strict=False)


def review(
    logs: Annotated[list[Path] | None, LOG] = None,
    playouts: Annotated[int | None, typer.Option(max=MOST_PLAYOUTS)] = None,
    seconds: float | None = None,
    seat: str | None = None,
    seed: int = 1,
    judge: str | None = None,
    prompts: PackFolder = None,
    budget: UsdBudget = None,
    budget_tokens: int | None = None,
    view: View = "all",
    worst: int = 10,
    quiet: bool = False,
    as_json: bool = False,
    html: bool = False,
    to: Path | None = None,
) -> None:
    """Grade every decision of matches by search: how much of the win it gave away, and what would have been better."""
    if html and to is None and (file := next((path for path in (logs or [])[1:] if path.suffix == ".html"), None)):
        raise UsageError(f"--html takes no file: write --html -o {file}.")
    paths = [path for name in logs for path in logs_in(name)] if logs else [named_or_newest(None)]
    if html and len(paths) > 1:
        raise UsageError("--html is the page of one log: name one.")
    if to is not None and not html:
        raise UsageError("-o is the file of the page: add --html.")
    if playouts is not None and seconds is not None:
        raise UsageError("--playouts and --seconds exclude each other.")
    if judge is None and (prompts, budget, budget_tokens) != (None, None, None):
        raise UsageError("--prompts, --budget and --budget-tokens are for the judge: add --judge SPEC.")
    if judge is not None and (html or view != "all"):
        raise UsageError("--judge compares verdicts with all cards, in text and --json: omit --html and --view.")
    unusable, judged, stop, clock = list[Unusable](), None, None, LineClock()
    with stoppable("The review"), SpooledTemporaryFile(_IN_MEMORY) as spool:
        found = Reviews(spool)
        if judge is not None:
            judged, stop = _judged(judge, prompts, budget, budget_tokens, paths, quiet)
        for number, path in enumerate(dict.fromkeys(paths), 1):
            what = f"log {number} of {len({*paths})}, reviewing decisions" if len(paths) > 1 else "reviewing decisions"
            try:
                with in_log(path):
                    follow = partial(with_progress, what=what, is_quiet=quiet, clock=clock)
                    found.add(path, _reviewed(playouts, seconds, seed, view, follow, path))
            except UNUSABLE as error:
                if len(paths) == 1 or isinstance(error, PausedError):
                    raise
                unusable.append(Unusable.of(str(path), error))
        if len(unusable) == len({*paths}):
            raise none_left(unusable)
        print_unusable(unusable)
        chosen = None if seat is None else _seat(seat, found)
        if html:
            _write_page(to, found, quiet)
        if as_json:
            more = {} if judged is None else {"judged": judged}
            documents = (document for _, document in found.items())
            if len(paths) == 1:
                say_json({**next(documents), **more})
            else:
                say_json_list(documents, "reviews", more)
        else:
            _print(found, chosen, worst, quiet)
            if judged is not None:
                _print_judged(judged)
    if stop is not None:
        raise stop
    if unusable:
        raise typer.Exit(exit_of(unusable))


def _reviewed(
    playouts: int | None, seconds: float | None, seed: int, view: str, follow: FollowWork, path: Path
) -> ReviewDocument:
    from runner.review.kept_reviews import reviewed
    from runner.review.review_document import playouts_in

    log = read_log(path)
    playouts = playouts if seconds is None else playouts_in(log, seconds)
    return reviewed(log, playouts, seed, Perspective.of_header(view, log.header).name, follow)


def _judged(
    spec: str, prompts: Path | None, usd: float | None, tokens: int | None, paths: Sequence[Path], is_quiet: bool
) -> tuple[JudgedData | None, PausedError | None]:
    """What a judge finds of the claims of logs, None without any to judge, and what stopped it before its end."""
    from runner.cli.command_environment import load_environment
    from runner.llm.budget import Budget
    from runner.record.log_folder import of_each_log
    from runner.record.log_summary import summarise
    from runner.review.judge import Judge, Judging, claims_of
    from runner.standings.studies import judged

    judge, budget, stop = Judge.of(spec, load_environment(), prompts), Budget(usd, tokens), None
    claims, _ = of_each_log(claims_of, paths, partial(with_progress, what="reading claims", is_quiet=is_quiet))
    judging = Judging(judge, claims)
    if judging.questions:
        report_loading()
        with live_status(is_quiet) as show:
            try:
                asyncio.run(judging.ask(budget, show))
            except PausedError as error:
                stop = error
        if not is_quiet:
            cost = f"{budget.spent_tokens:,} tokens, ${budget.spent_usd:.4f}"
            print_note(f"Judge: {judging.answered} of {counted(len(judging.questions), 'question')} answered, {cost}.")
    elif not any(one.verdicts for found in judging.claims.values() for one in found):
        print_note("Nothing to judge: no claim in these logs has a reason or table talk of its player.")
        return None, None
    return judged((summarise(path), [(judge.facts, found)]) for path, found in judging.claims.items())[0], stop


def _print_judged(judged: JudgedData) -> None:
    from games.statistics.figures import FEWEST_FREE
    from runner.screen.dashboard import drawn_tables
    from runner.standings.tables import judged_tables

    console = results()
    for part in drawn_tables(judged_tables(judged)):
        console.print(part)
    if judged["deals"] <= FEWEST_FREE:
        deals = counted(judged["deals"], "deal")
        console.print(
            f"There is no interval: the claims are of {deals}, and at least {FEWEST_FREE + 1} are needed.", style=QUIET
        )


def _write_page(to: Path | None, found: Reviews, is_quiet: bool) -> None:
    from runner.export.page.match_page import match_page
    from runner.screen.seen_review import SeenReview

    path, document = next(found.items())
    log, html = read_log(path), to or place_of(path).with_suffix(".review.html")
    note_new_folder(html)
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
    entries = [entry for _, document in found.items() for entry in document["seats"]]
    numbers = {seat_name(entry["seat"]): entry["seat"] for entry in entries}
    if word.upper() in numbers:
        return numbers[word.upper()]
    named = {entry["seat"] for entry in entries if entry["player"].casefold() == word.casefold()}
    if len(named) != 1:
        raise UsageError(f"There is no seat {quoted(word)}: the seats are {', '.join(numbers)}.")
    return named.pop()
