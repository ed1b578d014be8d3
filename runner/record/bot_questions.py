"""Bot questions: the log has a built-in bot's view as its digest, and no words and no schema: the rules give them."""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import combinations
from typing import cast

from games.core import State, View
from runner.agents.seat import BOT_KIND
from runner.digest import canonical, digest_of
from runner.errors import LogDamagedError
from runner.match.events import MatchEvent
from runner.match.records import AttemptRecord, QuestionRecord, Record
from runner.record.dedup import is_reference
from runner.record.value_names import REFERENCE

WRONG_VIEW = "the rules show seat {} another view than the one in the log."

_OF_QUESTION = frozenset({"role", "text", "schema", "view"})
_OF_ATTEMPT = frozenset({"strike", "at"})
"""What the log leaves out: a bot makes no mistakes, and the time of its attempt is that of its decision."""


def as_logged(event: MatchEvent) -> Record:
    """The record of an event as the log has it: without what the rules give where a built-in bot is asked."""
    record = event.record
    if record["kind"] == "question" and _is_bots(event, record["seat"]):
        brief = cast(QuestionRecord, _without(record, _OF_QUESTION))
        brief["view"] = {REFERENCE: digest_of(canonical(record["view"]))}
        return brief
    if record["kind"] == "attempt" and _is_bots(event, record["seat"]):
        return cast(AttemptRecord, _without(record, _OF_ATTEMPT))
    return record


def _is_bots(event: MatchEvent, seat: int) -> bool:
    return event.match.config.seats[seat].kind == BOT_KIND


def _without(record: Record, names: Set[str]) -> dict[str, object]:
    return {name: value for name, value in record.items() if name not in names}


def whole_question(line: int, record: QuestionRecord, state: State) -> QuestionRecord:
    """The question on a line, asked in a state, with what its record leaves to the rules; long values stay references.

    Words and schema are those of this version. LogDamagedError when the rules do not ask it, or show another view.
    """
    seat, logged = record["seat"], record["view"]
    if not is_reference(logged):
        return record
    view = view_named(logged[REFERENCE], state, seat) if seat in state.pending else None
    if view is None:
        raise LogDamagedError(line, WRONG_VIEW.format(seat))
    question = state.question(seat)
    return {**record, "role": question.role, "text": question.whole, "schema": question.schema, "view": view}


def view_named(name: object, state: State, seat: int) -> View | None:
    """The seat's view with this digest; None when it has another one."""
    view = state.view(seat)
    return next((found for found in _editions(view, state.game.later_fields) if digest_of(canonical(found)) == name), None)


def _editions(view: View, later: Set[str]) -> Iterator[View]:
    """A view, then as earlier releases had it: without some of the fields that views have gained since."""
    yield view
    gained = sorted(later & view.keys())
    for count in range(1, len(gained) + 1):
        for names in combinations(gained, count):
            yield {name: value for name, value in view.items() if name not in names}
