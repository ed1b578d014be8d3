"""`tabletop standings DIR`: ratings from the logs of a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.lazy_groups import new_app
from runner.cli.output import say, say_json
from runner.cli.stopping import stoppable
from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.record.log_summary import LogSummary
    from runner.review.folder_reviews import FolderReviews
    from runner.standings.agent_honesty import FolderHonesty
    from runner.standings.folder_luck import FolderLuck
    from runner.standings.rating_types import Anchor

app = new_app()


class Adjust(Enum):
    """What `--adjust` takes."""

    DEAL = "deal"
    BOTS = "bots"


@app.command()
def standings(
    folder: Annotated[Path, typer.Argument(help="Folder with logs; sub-folders are included.", metavar="DIR")],
    anchor: Annotated[
        str | None,
        typer.Option("--anchor", help="Fix the rating of AGENT at N (default 1500) instead of the mean.", metavar="AGENT=N"),
    ] = None,
    pool: Annotated[
        list[str] | None,
        typer.Option(
            "--pool",
            help="Pool matches that differ in prompts, rules, options, schema, agents, all; players, games: one table for all.",
            metavar="WHAT,...",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, one row per agent.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    digests: Annotated[
        Path | None, typer.Option("--digests", help="Require the finished logs listed in FILE, and no others.", metavar="FILE")
    ] = None,
    signed_by: Annotated[
        Path | None,
        typer.Option("--signed-by", help="Check the signature FILE.sig of --digests by this key.", metavar="KEY.pub"),
    ] = None,
    review: Annotated[
        bool, typer.Option("--review", help="Add the win share that each agent gives up a decision; reviews what is not yet.")
    ] = False,
    sequential: Annotated[
        bool,
        typer.Option("--sequential", help="Pair intervals that hold at every number of deals, so that you can stop at any."),
    ] = False,
    adjust: Annotated[
        Adjust | None,
        typer.Option(
            "--adjust",
            help="Adjust win shares for luck: deal (the value of each deal), or bots (that, and the decisions of known bots).",
        ),
    ] = None,
    forks: Annotated[bool, typer.Option("--forks", help="Count forks, too.")] = False,
    honesty: Annotated[
        bool,
        typer.Option(
            "--honesty", help="Add how true claims are and how challenges follow the exact chance; plays the rules again."
        ),
    ] = False,
    html: Annotated[Path | None, typer.Option("--html", help="Write a web page with plots.", metavar="FILE")] = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", help="Draw the ratings as SVG, or as PNG where FILE ends in .png.", metavar="FILE")
    ] = None,
) -> None:
    """Rate the players of many logs, with intervals, pairs, seats, mistakes, cost and playing style.

    Example: tabletop standings tournaments/spring --anchor bot:steady=1000 --html standings.html
    """
    from runner.standings.comparability import pooled
    from runner.standings.document import standings as work_out

    if sum((as_json, as_csv, as_markdown)) > 1:
        raise UsageError("Choose one of --json, --csv and --markdown.")
    if digests is not None:
        _check_digests(folder, digests, signed_by)
    elif signed_by is not None:
        raise UsageError("--signed-by needs --digests FILE: the list is what is signed.")
    with stoppable(*(("The review",) if review else ("The calculation", ""))):
        found = work_out(
            folder,
            pooled(pool or []),
            _anchor(anchor),
            reviewing=_reviewing if review else None,
            forks=forks,
            is_sequential=sequential,
            reckoning=_reckoning if honesty else None,
            adjusting=None if adjust is None else partial(_adjusting, adjust),
        )
    if html is not None:
        from runner.export.standings_pages import page

        _write(html, page(found))
    if svg is not None:
        from runner.export.plots import rating_picture
        from runner.export.png import to_png

        picture = rating_picture(found)
        _write(svg, to_png(picture) if svg.suffix == ".png" else picture)
    if as_json:
        say_json(found)
    elif as_csv or as_markdown:
        from runner.export.standings_pages import csv_text, markdown

        say(csv_text(found) if as_csv else markdown(found), end="")
    elif html is None and svg is None:
        from runner.screen.consoles import results
        from runner.screen.standings_screen import standings_screen

        results().print(standings_screen(found))


def _reviewing(paths: Sequence[Path]) -> FolderReviews:
    from runner.review.folder_reviews import folder_reviews
    from runner.screen.progress_bar import with_progress

    return folder_reviews(paths, lambda found, total: with_progress(found, total, "reviewing matches"))


def _adjusting(adjust: Adjust, logs: Mapping[Path, LogSummary]) -> FolderLuck:
    from runner.screen.progress_bar import with_progress
    from runner.standings.folder_luck import folder_luck

    return folder_luck(logs, adjust.value, lambda found, total: with_progress(found, total, "valuing deals"))


def _reckoning(paths: Sequence[Path]) -> FolderHonesty:
    from runner.review.honesty import folder_honesty
    from runner.screen.progress_bar import with_progress

    return folder_honesty(paths, lambda found, total: with_progress(found, total, "reading claims"))


def _check_digests(folder: Path, digests: Path, signed_by: Path | None) -> None:
    from runner.record.digest_list import LARGEST_LIST, check_digests, read_digests
    from runner.record.log_folder import summaries
    from runner.record.signatures import check_signature, signature_path
    from runner.regular_files import read_regular_text

    if signed_by is not None:
        text = read_regular_text(digests, "The list of digests", LARGEST_LIST)
        check_signature(text, signature_path(digests), signed_by)
    check_digests(summaries(folder), read_digests(digests))


def _anchor(word: str | None) -> Anchor | None:
    from runner.standings.rating_types import MEAN

    if word is None:
        return None
    name, mark, value = word.rpartition("=")
    try:
        return (name, float(value)) if mark else (word, MEAN)
    except ValueError:
        return word, MEAN


def _write(path: Path, content: str | bytes) -> None:
    from runner.record.safe_write import write_file
    from runner.screen.consoles import narration

    write_file(path, content)
    narration().print(f"Wrote {path}", soft_wrap=True)
