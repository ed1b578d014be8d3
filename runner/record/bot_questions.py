"""Bot questions: the log has a built-in bot's view as its digest, and no words and no schema: the rules give them."""

from collections.abc import Mapping
from itertools import chain, combinations
from typing import cast

from games.core import State, View
from runner.agents.spec import Bot
from runner.digest import Digester, canonical, digest_of
from runner.errors import LogDamagedError
from runner.match.events import MatchEvent
from runner.match.records import QuestionRecord, Record

DIGEST = "digest"


def has_view_digest(view: Mapping[str, object]) -> bool:
    """Whether a logged view is a digest alone. A view of a game has its seat and phase too."""
    return view.keys() == {DIGEST}


WRONG_VIEW = "the rules show seat {} another view than the one in the log."

_LEFT_TO_RULES = frozenset({"text", "schema", "view"})


def as_logged(event: MatchEvent, views: Digester) -> Record:
    """The record of an event as logged: of a built-in bot's question, the digest of the view (by `views`) and no words."""
    record = event.record
    if record["kind"] == "question" and event.match.config.seats[record["seat"]].kind == Bot.kind:
        brief = {name: value for name, value in record.items() if name not in _LEFT_TO_RULES}
        return cast(QuestionRecord, {**brief, "view": {DIGEST: views.digest(record["view"])}})
    return record


def whole_question(line: int, record: QuestionRecord, state: State) -> QuestionRecord:
    """The question on a line, asked in a state, with what its record leaves to the rules; long values stay references. Words
    and schema are those of this version. LogDamagedError when the rules do not ask it, or show another view."""
    seat, logged = record["seat"], record["view"]
    if not has_view_digest(logged):
        return record
    view = view_named(logged[DIGEST], state, seat) if seat in state.pending else None
    if view is None:
        raise LogDamagedError(line, WRONG_VIEW.format(seat))
    question = state.question(seat)
    return {**record, "text": question.whole, "schema": question.schema, "view": view}


def view_named(name: object, state: State, seat: int) -> View | None:
    """The seat's view with this digest, perhaps without fields that views have gained since; None when it has another."""
    view = state.view(seat)
    gained = sorted(state.game.later_fields & view.keys())
    for missing in chain.from_iterable(combinations(gained, count) for count in range(len(gained) + 1)):
        found = {field: value for field, value in view.items() if field not in missing}
        if digest_of(canonical(found)) == name:
            return found
    return None
