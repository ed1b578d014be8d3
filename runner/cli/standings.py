"""`tabletop standings DIR`: what the logs in a folder say about those who played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.lazy_groups import HELP_NAMES
from runner.cli.output import say, say_json
from runner.errors import AccountError, UsageError

if TYPE_CHECKING:
    from runner.agents.environment import Settings
    from runner.standings.rating import Anchor

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False, context_settings=HELP_NAMES)


@app.command()
def standings(
    folder: Annotated[Path, typer.Argument(help="A folder with logs, those of sub-folders included.", metavar="DIR")],
    anchor: Annotated[
        str | None,
        typer.Option("--anchor", help="Whose rating is fixed, at 1500 or as said, in place of the mean.", metavar="AGENT=N"),
    ] = None,
    pool: Annotated[
        list[str] | None,
        typer.Option(
            "--pool",
            help="Count matches together that differ in prompts, rules, options, schema, agents or all; games: one table.",
            metavar="WHAT,...",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="A row of CSV for each agent.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Markdown.")] = False,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page with plots.", metavar="FILE")] = None,
) -> None:
    """Ratings with intervals, pair by pair, seat by seat, with mistakes, cost and how they play; from logs alone.

    Example: tabletop standings tournaments/spring --anchor bot:steady=1000 --html standings.html
    """
    from runner.standings.comparability import pooled
    from runner.standings.document import standings as work_out

    if sum((as_json, as_csv, as_markdown)) > 1:
        raise UsageError("Choose one of --json, --csv and --markdown.")
    found = work_out(folder, pooled(pool or []), _anchor(anchor), settings=_settings())
    if html is not None:
        from runner.export.standings_pages import page

        _write(html, page(found))
    if as_json:
        say_json(found)
    elif as_csv or as_markdown:
        from runner.export.standings_pages import markdown, table_of_values

        say(table_of_values(found) if as_csv else markdown(found), end="")
    elif html is None:
        from runner.screen.consoles import results
        from runner.screen.standings_screen import standings_screen

        results().print(standings_screen(found))


def _settings() -> Settings:
    """The settings; none where they cannot be read, as only the note on missing matches needs them."""
    from runner.agents.environment import Settings
    from runner.cli.environment import load_settings

    try:
        return load_settings()
    except AccountError:
        return Settings()


def _anchor(word: str | None) -> Anchor | None:
    from runner.standings.rating import MEAN

    if word is None:
        return None
    name, mark, value = word.rpartition("=")
    try:
        return (name, float(value)) if mark else (word, MEAN)
    except ValueError:
        return word, MEAN


def _write(path: Path, text: str) -> None:
    from runner.record.safe_write import write_file
    from runner.screen.consoles import narration

    write_file(path, text)
    narration().print(f"Written: {path}", soft_wrap=True)
