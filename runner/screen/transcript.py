"""Transcript: a logged match as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from games.core import counted
from runner.agents.rated_seats import is_rated
from runner.record.hash_chain import Record
from runner.record.reader import Log
from runner.record.replay import Step, opening, steps
from runner.screen.narrator import Narrator
from runner.screen.palette import QUIET, TITLE, seat_text
from runner.screen.safe_text import clean

_NUMBER = 5


def transcript(log: Log, narrator: Narrator) -> Iterator[Text]:
    """The match as lines, each decision with its number. LogDamagedError after the last valid line."""
    yield from _title(log)
    strikes = opening(log.header)[1].setup.options.strikes
    number = 0
    for step in steps(log):
        number += step.record["kind"] == "decision"
        label = f"{number:>{_NUMBER}} " if step.record["kind"] == "decision" else " " * (_NUMBER + 1)
        for line in step_lines(step, narrator, strikes):
            yield Text(label, style=QUIET) + line
            label = " " * (_NUMBER + 1)
    if log.damage is not None:
        raise log.damage


def step_lines(step: Step, narrator: Narrator, strikes: int) -> list[Text]:
    """The lines of one step of a log."""
    record = step.record
    if record["kind"] in _NOTES:
        return [_note(record)]
    return narrator.decision([record] if record["kind"] == "attempt" else (), step.events, strikes)


def _title(log: Log) -> Iterator[Text]:
    header = log.header
    game, _ = opening(header)
    facts = f" · {header['players']} players, rules {header['rules']}, seed {header['seed']}"
    facts += ", rated" if is_rated(header["seats"]) else ""
    yield Text(game.title, style=TITLE) + Text(f"{facts}, {clean(header.get('created'), 40)}", style=QUIET)
    for index, seat in enumerate(header["seats"]):
        yield seat_text(index) + Text(f" {clean(seat.get('name'), 200)}")


_NOTES = {"pause": "paused", "resumed": "resumed"}


def _note(record: Record) -> Text:
    why = f": {clean(record['why'], 300)}" if record.get("why") else ""
    return Text(f"-- {_NOTES[record['kind']]} {clean(record.get('at'), 40)}{why}", style=QUIET)


def verdict_line(decisions: int, has_ended: bool) -> str:
    """The verdict on a valid log, as one sentence."""
    end = "the match has ended" if has_ended else "the match is unfinished and can be resumed"
    return f"Sound: {counted(decisions, 'decision')} {'replays' if decisions == 1 else 'replay'} as logged; {end}."
