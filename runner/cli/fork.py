"""`tabletop fork LOG --at N`: another match from any decision on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from runner.cli.completion import logs_named, seats_named
from runner.cli.display_options import AsJson, JsonLines, OwnView, Plain, Quiet, Showing, Speed, Thoughts
from runner.cli.lazy_groups import HELP_NAMES
from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.cli.seat_changes import Going
    from runner.match.header import ForkRecord, HeaderRecord
    from runner.record.reader import Log

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False, context_settings=HELP_NAMES)


@app.command()
def fork(
    log: Annotated[Path, typer.Argument(help="The log of any match, ended or not.", metavar="LOG", autocompletion=logs_named)],
    at: Annotated[int, typer.Option("--at", help="The first decision to be made anew, as `replay` counts them.", metavar="N")],
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            help="Somebody else from there on: P-2=SPEC, or a SPEC for each seat in turn.",
            metavar="SPEC",
            autocompletion=seats_named,
        ),
    ] = None,
    prompts: Annotated[Path | None, typer.Option("--prompts", help="The folder of a prompt pack, or built-in.")] = None,
    action: Annotated[
        str | None, typer.Option("--action", help='The answer at decision N, such as {"card": "fan-01"}.', metavar="JSON")
    ] = None,
    to: Annotated[Path | None, typer.Option("--log", help="Where to log. [default: beside LOG]")] = None,
    budget: Annotated[
        float | None,
        typer.Option("--budget", help="The most that may be spent from there on, in USD. [default: LOG's]", metavar="USD"),
    ] = None,
    budget_tokens: Annotated[
        int | None,
        typer.Option(
            "--budget-tokens", help="The most that may be spent from there on, in tokens. [default: LOG's]", metavar="N"
        ),
    ] = None,
    rated: Annotated[
        bool, typer.Option("--rated", help="Take answers of exactly the models and pinned providers named from there on.")
    ] = False,
    view: OwnView = None,
    speed: Speed = 0.0,
    thoughts: Thoughts = False,
    plain: Plain = False,
    json_events: JsonLines = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Play another match from decision N of a log on, with other seats, other prompts, or a chosen answer.

    Example: tabletop fork match.jsonl --at 12 --seat P-1=bot:steady
    """
    from runner.agents.environment import load_settings
    from runner.cli import play_session
    from runner.cli.model_options import Models
    from runner.cli.seat_changes import going
    from runner.record.decisions import decision_at
    from runner.record.forking import check_action, fork_record, kept_lines
    from runner.record.log_target import ForkedLog
    from runner.record.reader import read_log

    showing = Showing(view, speed, quiet, as_json, plain, thoughts, json_events)
    settings = load_settings()
    models = Models(budget, budget_tokens)
    parent = read_log(log)
    decision = decision_at(parent, at)
    answer = None if action is None else _parsed(action)
    if action is not None:
        check_action(decision, answer)
    match = going(parent.latest_header, seat or [], prompts, settings, models, rated)
    path = to or log.with_name(f"{log.stem}-fork{at}-{_free_number(log, at)}.jsonl")
    kept = kept_lines(parent, decision)
    header = _header(parent, match, fork_record(parent, decision, kept, answer))
    source = ForkedLog(path, header, kept, parent.shared)
    play_session.play(match.config, match.filled, match.pack, settings, source, match.models, showing)


def _parsed(words: str) -> Any:
    try:
        return json.loads(words)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--action {words}: it is not JSON ({error}).") from error


def _free_number(log: Path, at: int) -> int:
    number = 1
    while log.with_name(f"{log.stem}-fork{at}-{number}.jsonl").exists():
        number += 1
    return number


def _header(parent: Log, match: Going, fork: ForkRecord) -> HeaderRecord:
    """The header of the new log, which names the old one and the decision."""
    from runner.record.replay import opening

    _, state = opening(parent.header)
    return {**match.config.header(state), "fork": fork}
