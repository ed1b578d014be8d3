"""`tabletop fork LOG --at N`: another match that continues from any decision of a log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.change_options import ChangeOptions
from runner.cli.completion import complete_logs
from runner.cli.display_options import DisplayOptions
from runner.cli.lazy_groups import new_app
from runner.cli.newest_log import named_or_newest
from runner.cli.option_groups import with_option_groups
from runner.cli.reason_option import reason_of
from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.cli.match_setup import MatchSetup
    from runner.match.header import ForkRecord, HeaderRecord
    from runner.record.reader import Log

app = new_app()


@app.command()
@with_option_groups
def fork(
    at: Annotated[int, typer.Option("--at", help="First decision to make again, as numbered by `replay`.", metavar="N")],
    changes: ChangeOptions,
    log: Annotated[
        Path | None,
        typer.Argument(
            help="Log of any match, ended or not; the newest of a folder, or of logs by default.",
            metavar="LOG",
            show_default=False,
            autocompletion=complete_logs,
        ),
    ] = None,
    action: Annotated[
        str | None, typer.Option("--action", help='Answer of decision N, such as {"card": "fan-01"}.', metavar="JSON")
    ] = None,
    to: Annotated[Path | None, typer.Option("--log", help="New log file. [default: beside LOG]")] = None,
    budget: Annotated[
        float | None,
        typer.Option("--budget", help="Maximum cost from this point, in USD. [default: LOG's]", metavar="USD"),
    ] = None,
    budget_tokens: Annotated[
        int | None,
        typer.Option("--budget-tokens", help="Maximum tokens from this point. [default: LOG's]", metavar="N"),
    ] = None,
    rated: Annotated[
        bool,
        typer.Option("--rated", help="From this point, require exactly the models and providers named."),
    ] = False,
    *,
    display: DisplayOptions,
) -> None:
    """Play another match from decision N of a log, with other players, other prompts, or a given answer.

    Example: tabletop fork match.jsonl --at 12 --seat P-1=bot:steady
    """
    from runner.cli.config_files import load_settings
    from runner.cli.match_setup import configure_from, with_entrant_names
    from runner.cli.model_options import ModelOptions
    from runner.cli.session import play_match
    from runner.record.decisions import decision_at
    from runner.record.forking import check_action, fork_record, kept_lines
    from runner.record.log_paths import place_of
    from runner.record.log_target import ForkedLog
    from runner.record.reader import read_log

    settings, models = load_settings(), ModelOptions(budget, budget_tokens, reason=reason_of(changes.reason))
    source = named_or_newest(log)
    parent = read_log(source)
    decision = decision_at(parent, at)
    answer = None if action is None else _json(action)
    if action is not None:
        check_action(decision, answer)
    setup = with_entrant_names(configure_from(parent.latest_header, changes, settings, models, rated), source)
    place = place_of(source)
    path = to or place.with_name(f"{place.stem}-fork{at}-{_free_number(place, at)}.jsonl")
    kept = kept_lines(parent, decision)
    header = _header(parent, setup, fork_record(parent, decision, kept, answer))
    play_match(setup, ForkedLog(path, header, kept, parent.shared), display)


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--action {text}: not JSON ({error}).") from error


def _free_number(log: Path, at: int) -> int:
    number = 1
    while log.with_name(f"{log.stem}-fork{at}-{number}.jsonl").exists():
        number += 1
    return number


def _header(parent: Log, setup: MatchSetup, fork: ForkRecord) -> HeaderRecord:
    """The header of the new log, which names the old log and the decision."""
    from runner.record.replay import opening

    _, state = opening(parent.header)
    return {**setup.config.header(state), "fork": fork}
