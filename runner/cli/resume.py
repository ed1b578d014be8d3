"""`tabletop resume LOG`: continue a match that stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from games.core import seat_name
from runner.cli.change_options import ChangeOptions
from runner.cli.completion import complete_logs
from runner.cli.display_options import DisplayOptions
from runner.cli.lazy_groups import new_app
from runner.cli.option_groups import with_option_groups
from runner.cli.reason_option import reason_of
from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.cli.match_setup import MatchSetup
    from runner.match.records import ResultRecord, ResumedRecord
    from runner.record.reader import Log

app = new_app()

_SHORT = 12
"""Characters of a digest that people compare."""


@app.command()
@with_option_groups
def resume(
    log: Annotated[Path, typer.Argument(help="Log of a match that stopped.", metavar="LOG", autocompletion=complete_logs)],
    changes: ChangeOptions,
    budget: Annotated[
        float | None,
        typer.Option("--budget", help="Maximum cost of the whole match, in USD. [default: as before]", metavar="USD"),
    ] = None,
    budget_tokens: Annotated[
        int | None,
        typer.Option("--budget-tokens", help="Maximum tokens of the whole match. [default: as before]", metavar="N"),
    ] = None,
    *,
    display: DisplayOptions,
) -> None:
    """Continue a match that stopped. Logged answers count; only unanswered questions are asked.

    Example: tabletop resume logs/dixiquote-20260801-120000-1f2e3d4c.jsonl --budget 2
    """
    from runner.agents.seat import is_rated
    from runner.cli.config_files import load_settings
    from runner.cli.match_setup import configure_from, with_entrant_names
    from runner.cli.model_options import ModelOptions
    from runner.cli.session import play_match
    from runner.record.log_target import ResumedLog
    from runner.record.resume import open_to_resume

    settings, models = load_settings(), ModelOptions(budget, budget_tokens, reason=reason_of(changes.reason))
    writer, found = open_to_resume(log)
    try:
        if found.result is not None:
            _print_ended(found, found.result, display)
            return
        setup = configure_from(found.latest_header, changes, settings, models, is_rated(found.header["seats"]))
        setup = with_entrant_names(setup, log)
        play_match(setup, ResumedLog(writer, found, _resumed_record(found, setup)), display)
    finally:
        writer.close()


def _resumed_record(log: Log, setup: MatchSetup) -> ResumedRecord:
    """The record that the match was resumed, with what has changed. UsageError when a rated match has changed."""
    from runner.match.header import now, package_version
    from runner.match.hopeless import DEFAULT_HOPELESS
    from runner.record.match_budget import logged_spending, unlogged

    seats, prompts = [seat.to_json() for seat in setup.config.seats], setup.config.prompts
    changed: dict[str, object] = {}
    if seats != log.latest_header["seats"]:
        changed["seats"] = seats
    if prompts != log.latest_header["prompts"]:
        changed["prompts"] = prompts
    if changed and setup.models.is_rated:
        _check_files(log, seats)
        raise UsageError(
            f"The match in {log.path} is rated, so its {' and '.join(changed)} cannot change:"
            " use `tabletop fork` to play on with changes."
        )
    if setup.config.budget != log.latest_header.get("budget", {}):
        changed["budget"] = setup.config.budget
    if setup.config.hopeless != log.latest_header.get("hopeless", DEFAULT_HOPELESS):
        changed["hopeless"] = setup.config.hopeless
    if lost := unlogged(log.path, logged_spending(log)):
        changed["unlogged"] = lost._asdict()
    return cast("ResumedRecord", {"kind": "resumed", "at": now(), "package": package_version(), **changed})


def _check_files(log: Log, seats: Sequence[Mapping[str, object]]) -> None:
    """UsageError for a model file that is not the one of the log."""
    for number, (now, logged) in enumerate(zip(seats, log.latest_header["seats"], strict=True)):
        found, expected = str(now.get("sha256", "")), str(logged.get("sha256", ""))
        if found and expected and found != expected:
            raise UsageError(
                f"The match in {log.path} is rated, so its model files cannot change: {now['model']} of {seat_name(number)}"
                f" has the SHA-256 {found[:_SHORT]}…, and the log has {expected[:_SHORT]}…. Put the logged file back, or use"
                " `tabletop fork` to play on with this one."
            )


def _print_ended(log: Log, result: ResultRecord, display: DisplayOptions) -> None:
    import games
    from runner.agents.spec import HUMAN
    from runner.screen.consoles import print_note

    print_note(f"The match has already ended; nothing to resume in {log.path}.")
    people = [number for number, seat in enumerate(log.latest_header["seats"]) if seat["kind"] == HUMAN]
    perspective = display.perspective(log.header["players"], people)
    display.print_result(games.load(log.header["game"]), result, log.path, perspective)
