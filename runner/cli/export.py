"""`tabletop export LOG`: a logged match for others to read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.completion import logs_named
from runner.cli.lazy_groups import HELP_NAMES
from runner.cli.output import say
from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.record.reader import Log

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False, context_settings=HELP_NAMES)


@app.command()
def export(
    log: Annotated[Path, typer.Argument(help="The log of a match.", metavar="LOG", autocompletion=logs_named)],
    html: Annotated[bool, typer.Option("--html", help="One page to step through in a browser.")] = False,
    cast: Annotated[bool, typer.Option("--cast", help="An asciicast (version 2) for players of recordings.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="A readable account.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="One row a decision.")] = False,
    to: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write; - for standard output. [default: beside LOG]")
    ] = None,
    view: Annotated[str, typer.Option("--view", help="Whose eyes: all, public, or a seat.", metavar="all|public|P-n")] = "all",
    speed: Annotated[
        float, typer.Option("--speed", help="Seconds a decision of an asciicast.", metavar="SECONDS", min=0.05)
    ] = 1.5,
) -> None:
    """Write a logged match as a page, a recording, an account or a table.

    Examples: tabletop export match.jsonl --html · tabletop export match.jsonl --csv -o - · tabletop export match.jsonl --cast
    """
    from runner.record.reader import read_log
    from runner.record.safe_write import write_file

    chosen = [name for name, is_chosen in (("html", html), ("cast", cast), ("md", markdown), ("csv", csv)) if is_chosen]
    if len(chosen) != 1:
        raise UsageError("Say what to write: one of --html, --cast, --markdown and --csv.")
    text = _written(read_log(log), chosen[0], view, speed)
    if str(to) == "-":
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        return
    path = to or log.with_suffix(f".{chosen[0]}")
    write_file(path, text)
    say(str(path))


def _written(log: Log, kind: str, view: str, speed: float) -> str:
    from runner.export.cast import to_cast
    from runner.export.csv_table import to_csv
    from runner.export.html import to_html
    from runner.export.markdown import to_markdown
    from runner.screen.scene import EVERYTHING, Perspective

    perspective = Perspective.of(view, log.header["players"])
    if kind == "csv":
        if view != EVERYTHING:
            raise UsageError("--csv has every decision of every seat: leave --view out.")
        return to_csv(log)
    if kind == "html":
        return to_html(log, perspective.name)
    return to_markdown(log, perspective) if kind == "md" else to_cast(log, perspective, speed)
