"""`tabletop resume LOG` and `tabletop fork LOG --at N`: a match that continues from its end so far, or from any decision."""

import json
from functools import partial
from pathlib import Path
from typing import Annotated

import games
from runner.agents.settings import setting_of
from runner.agents.spec import HUMAN, Human
from runner.arena.tournament_dir import entrant_names
from runner.cli.command_environment import load_environment, with_trust
from runner.cli.display_options import DisplayOptions
from runner.cli.named_people import with_consent
from runner.cli.options import LogOrNewest, named_or_newest
from runner.cli.output import note_odd_name
from runner.cli.setting_options import Values, as_flag, setting_options, specified
from runner.cli.terminal_match import play_match
from runner.errors import UsageError
from runner.match.header import HeaderRecord
from runner.record.decisions import check_action, decision_at
from runner.record.reader import read_log
from runner.record.resume import open_to_resume
from runner.screen.consoles import print_note
from runner.session.match_spec import CHANGES, MatchSpec, ReadyMatch, ready_to_continue
from runner.session.session import Forked, Resumed, new_fork_path

_TOLD = {name: setting_of(MatchSpec, name).again for name in CHANGES}
_OF_FORK = {
    "budget": "Maximum cost from this point, in USD. [default: LOG's]",
    "rated": "From this point, require exactly the models and providers named.",
}
_RESUME = setting_options(CHANGES, _TOLD)
_FORK = setting_options([*CHANGES, "rated"], {**_TOLD, **_OF_FORK}, ("talk", "budget_tokens"))


def resume(
    changes: Annotated[object, _RESUME], log: LogOrNewest = None, trust_folder: bool = False, *, display: DisplayOptions
) -> None:
    """Continue a match that stopped. Logged answers count; only unanswered questions are asked."""
    path = named_or_newest(log)
    writer, found = open_to_resume(path)
    try:
        if found.result is not None:
            print_note(f"The match has already ended; nothing to resume in {path}.")
            header = found.latest_header
            people = [number for number, seat in enumerate(header["seats"]) if seat["kind"] == HUMAN]
            display.print_result(games.load(header["game"]), found.result, path, display.perspective(header["seats"], people))
            return
        ready = _ready(found.latest_header, specified(changes), path, trust_folder)
        play_match(ready, Resumed.of(writer, found, ready), display)
    finally:
        writer.close()


def fork(
    at: int,
    changes: Annotated[object, _FORK],
    log: LogOrNewest = None,
    action: str | None = None,
    to: Path | None = None,
    trust_folder: bool = False,
    *,
    display: DisplayOptions,
) -> None:
    """Play another match from decision N of a log, with other players, other prompts, or a given answer."""
    source = named_or_newest(log)
    parent = read_log(source)
    decision = decision_at(parent, at)
    answer = None
    if action is not None:
        try:
            answer = json.loads(action)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"--action {action}: not JSON ({error}).") from error
        check_action(decision, answer)
    note_odd_name(to)
    ready = _ready(parent.latest_header, {"rated": False, **specified(changes)}, source, trust_folder)
    play_match(ready, Forked(to or new_fork_path(source, at), parent, decision, answer, ready), display)


def _ready(header: HeaderRecord, changes: Values, path: Path, is_trusted: bool) -> ReadyMatch:
    known = header, changes, as_flag, load_environment()
    return with_consent(with_trust(is_trusted, partial(ready_to_continue, *known, called=entrant_names(path), asks=(Human,))))
