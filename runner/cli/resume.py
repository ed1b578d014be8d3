"""`tabletop resume LOG`: go on with a match that stopped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from runner.cli.completion import logs_named, seats_named
from runner.cli.display_options import AsJson, JsonLines, OwnView, Plain, Quiet, Showing, Speed, Thoughts
from runner.cli.lazy_groups import HELP_NAMES
from runner.cli.output import say_json
from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.cli.seat_changes import Going
    from runner.match.records import ResumedRecord
    from runner.record.reader import Log

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False, context_settings=HELP_NAMES)


@app.command()
def resume(
    log: Annotated[Path, typer.Argument(help="The log of a match that stopped.", metavar="LOG", autocompletion=logs_named)],
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            help="Somebody else from here on: P-2=SPEC, or a SPEC for each seat in turn.",
            metavar="SPEC",
            autocompletion=seats_named,
        ),
    ] = None,
    prompts: Annotated[Path | None, typer.Option("--prompts", help="The folder of the prompt pack, or built-in.")] = None,
    budget: Annotated[
        float | None,
        typer.Option("--budget", help="The most the whole match may cost, in USD. [default: as before]", metavar="USD"),
    ] = None,
    budget_tokens: Annotated[
        int | None,
        typer.Option("--budget-tokens", help="The most the whole match may take, in tokens. [default: as before]", metavar="N"),
    ] = None,
    view: OwnView = None,
    speed: Speed = 0.0,
    thoughts: Thoughts = False,
    plain: Plain = False,
    json_events: JsonLines = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Go on with a match that stopped: every answer in its log counts, only what was not answered is asked.

    Example: tabletop resume logs/dixiquote-20260801-120000-seed7-1f2e.jsonl --budget 2
    """
    from runner.agents.environment import load_settings
    from runner.agents.rated_seats import is_rated
    from runner.cli import play_session
    from runner.cli.model_options import Models
    from runner.cli.seat_changes import going
    from runner.record.log_target import ResumedLog
    from runner.record.resume import open_to_resume

    showing = Showing(view, speed, quiet, as_json, plain, thoughts, json_events)
    settings = load_settings()
    models = Models(budget, budget_tokens)
    writer, found = open_to_resume(log)
    try:
        if found.result is not None:
            _say_it_has_ended(found, as_json)
            return
        match = going(found.latest_header, seat or [], prompts, settings, models, is_rated(found.header["seats"]))
        source = ResumedLog(writer, found, _note(found, match))
        play_session.play(match.config, match.filled, match.pack, settings, source, match.models, showing)
    finally:
        writer.close()


def _note(log: Log, match: Going) -> ResumedRecord:
    """The record that says that the match goes on, and what is different from then on. UsageError when it is rated."""
    from runner.match.header import now, package_version

    seats, prompts = [seat.to_json() for seat in match.config.seats], match.config.prompts
    changed: dict[str, Any] = {}
    if seats != log.latest_header["seats"]:
        changed["seats"] = seats
    if prompts != log.latest_header["prompts"]:
        changed["prompts"] = prompts
    if changed and match.models.is_rated:
        raise UsageError(
            f"The match in {log.path} is rated, and its {' and '.join(changed)} are not what they were:"
            " `tabletop fork` plays on with others."
        )
    if match.config.budget != log.latest_header.get("budget", {}):
        changed["budget"] = match.config.budget
    return cast("ResumedRecord", {"kind": "resumed", "at": now(), "package": package_version(), **changed})


def _say_it_has_ended(log: Log, as_json: bool) -> None:
    import games
    from runner.screen.consoles import results, say_aside
    from runner.screen.result import result_screen

    assert log.result is not None
    say_aside(f"The match has ended already: there is nothing to resume in {log.path}.")
    if as_json:
        result = {name: value for name, value in log.result.items() if name != "kind"}
        say_json(result)
    else:
        results().print(result_screen(games.load(log.header["game"]), log.result))
