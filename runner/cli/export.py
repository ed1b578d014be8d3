"""`tabletop export`: a logged match as a web page, asciicast, Markdown or CSV; the logs of a folder as tables of data."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.completion import complete_logs
from runner.cli.display_options import Thoughts, View
from runner.cli.export_tables import TableExport, TableName
from runner.cli.lazy_groups import new_app
from runner.cli.newest_log import folder_or_default, named_or_newest
from runner.cli.output import say
from runner.errors import UsageError
from runner.screen.perspective import EVERYTHING
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.record.reader import Log
    from runner.screen.narrator import Narrator

app = new_app()


@app.command()
def export(
    log: Annotated[
        Path | None,
        typer.Argument(
            help="Log of a match, or the newest of a folder; for tables, all logs of a folder. [default: logs]",
            metavar="LOG|DIR",
            show_default=False,
            autocompletion=complete_logs,
        ),
    ] = None,
    html: Annotated[bool, typer.Option("--html", help="Write a self-contained web page to step through.")] = False,
    cast: Annotated[bool, typer.Option("--cast", help="Write an asciicast (version 2).")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write the match as Markdown.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Write CSV, one row per decision or per row of --table.")] = False,
    table: Annotated[
        TableName | None, typer.Option("--table", help="Write this table of all logs, as --csv or --parquet.")
    ] = None,
    parquet: Annotated[bool, typer.Option("--parquet", help="Write --table as Parquet.")] = False,
    sqlite: Annotated[
        Path | None, typer.Option("--sqlite", help="Write all tables into one SQLite database.", metavar="FILE")
    ] = None,
    svg: Annotated[bool, typer.Option("--svg", help="Draw the match as a plot, or with --at its table, as SVG.")] = False,
    png: Annotated[bool, typer.Option("--png", help="The same as PNG, with the extra `pictures`.")] = False,
    at: Annotated[
        int | None, typer.Option("--at", help="The decision whose table --svg and --png show; 0: the deal.", metavar="N", min=0)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file of tables.")] = False,
    to: Annotated[
        Path | None, typer.Option("--output", "-o", help="Output file; - for standard output. [default: beside LOG]")
    ] = None,
    view: View = "all",
    speed: Annotated[
        float, typer.Option("--speed", help="Seconds per decision of an asciicast.", metavar="SECONDS", min=0.05)
    ] = 1.5,
    thoughts: Thoughts = False,
) -> None:
    """Write a logged match as a web page, asciicast, Markdown, CSV or picture, or many logs as tables of data.

    Examples: tabletop export match.jsonl --html · tabletop export match.jsonl --svg --at 12 · tabletop export logs --table
    decisions --parquet · tabletop export logs --sqlite logs.sqlite
    """
    from runner.record.log_paths import place_of
    from runner.record.private_files import path_to_write
    from runner.record.reader import read_log
    from runner.record.safe_write import write_file

    kinds = {"html": html, "cast": cast, "md": markdown, "csv": csv, "svg": svg, "png": png, "parquet": parquet}
    chosen = [name for name, is_chosen in {**kinds, "sqlite": sqlite is not None}.items() if is_chosen]
    if len(chosen) != 1:
        raise UsageError("Choose one of --html, --cast, --markdown, --csv, --svg, --png, --parquet and --sqlite.")
    if at is not None and not (svg or png):
        raise UsageError("--at chooses the table that --svg and --png show: add one of them.")
    if table is not None or parquet or sqlite is not None:
        if view != EVERYTHING or thoughts:
            raise UsageError("Tables have every seat and its reasons: omit --view and --thoughts.")
        _table_export(folder_or_default(log), chosen[0], table, sqlite, to, force).run()
        return
    source = named_or_newest(log)
    content = _written(read_log(source), chosen[0], view, speed, thoughts, at)
    if str(to) == "-":
        sys.stdout.buffer.write(content.encode("utf-8", "replace") if isinstance(content, str) else content)
        return
    path = to or path_to_write(place_of(source).with_suffix(f".{chosen[0]}"), "file")
    write_file(path, content)
    say(clean(path, 5000))


def _table_export(
    logs: Path, kind: str, table: TableName | None, sqlite: Path | None, to: Path | None, force: bool
) -> TableExport:
    """The export of tables that the options ask for. UsageError when they do not go together."""
    if sqlite is not None:
        if table is not None or to is not None:
            raise UsageError("--sqlite FILE has all tables and names its file: omit --table and -o.")
        return TableExport(logs, "sqlite", None, sqlite, force)
    if kind not in ("csv", "parquet"):
        raise UsageError(f"{clean(logs, 200)}: --{kind} shows one log, not a folder or a table: choose --csv or --parquet.")
    if table is None:
        raise UsageError(f"Choose a table: --table {'|'.join(TableName)}.")
    return TableExport(logs, "parquet" if kind == "parquet" else "csv", table, to, force)


def _written(log: Log, kind: str, view: str, speed: float, has_thoughts: bool, at: int | None) -> str | bytes:
    from runner.export.cast import to_cast
    from runner.export.csv_table import to_csv
    from runner.export.markdown import to_markdown
    from runner.export.page.match_page import match_page
    from runner.screen.narrator import Narrator
    from runner.screen.perspective import Perspective
    from runner.screen.seat_labels import labels_of_records
    from runner.screen.seen_review import kept_seen_review

    perspective = Perspective.of(view, log.header["players"])
    if kind == "csv":
        if view != EVERYTHING:
            raise UsageError("--csv always has every decision of every seat: omit --view.")
        return to_csv(log, has_thoughts)
    if kind == "html":
        return match_page(log, perspective.name, kept_seen_review(log), has_thoughts=has_thoughts)
    narrator = Narrator(perspective, has_thoughts, labels_of_records(log.header["seats"]))
    if kind in ("svg", "png"):
        return _picture(log, kind, narrator, at)
    return to_markdown(log, narrator) if kind == "md" else to_cast(log, narrator, speed)


def _picture(log: Log, kind: str, narrator: Narrator, at: int | None) -> str | bytes:
    from runner.export.match_plot import match_plot
    from runner.export.png import to_png
    from runner.export.position_picture import position_picture
    from runner.screen.seen_review import kept_seen_review

    drawn = match_plot(log, narrator, kept_seen_review(log)) if at is None else position_picture(log, at, narrator)
    return drawn if kind == "svg" else to_png(drawn)
