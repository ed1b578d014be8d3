"""Reader of replies: the answer in the text of a model's reply, the same when it arrives and when its log is read."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from games.core import Question, quoted
from runner.agents.own_fields import BELIEF, NOTES, REASON, SAY, bare_question, in_words, taken_off
from runner.agents.policy import POLICY, undrawn
from runner.agents.protocol import clean_line
from runner.agents.settings import SeatSettings
from runner.digest import JsonObject
from runner.llm.parse_answer import extract
from runner.llm.request import field_names
from runner.llm.strict_json import Unreadable


class ReplyAnswer(NamedTuple):
    """What a reply says: the answer's data, the reason, the line of talk, the notes and the belief as they were sent."""

    data: dict[str, object]
    reason: str
    say: str
    notes: object
    belief: object
    is_repaired: bool


def read_reply(text: str, schema: JsonObject | None, own: Collection[str], is_complete: bool = True) -> ReplyAnswer:
    """The answer in a text, which fits `schema` if there are several objects, without the fields `own`. Raises Unreadable. What
    can be read of a text that may be cut off is read just so from a complete one."""
    read = extract(text, schema, is_complete=is_complete)
    data, said = taken_off(read.data, own)
    say = clean_line(said.get(SAY))
    return ReplyAnswer(data, in_words(said.get(REASON)), say, said.get(NOTES), said.get(BELIEF), read.is_repaired)


def stated_chances(belief: object, propositions: Sequence[str]) -> list[dict[str, object]]:
    """The probability that a model states for each proposition, as the log has it; None where it states none."""
    found = belief if isinstance(belief, list) else []
    chances = [_chance(found[place]) if place < len(found) else None for place in range(len(propositions))]
    return [{"text": text, "chance": chance} for text, chance in zip(propositions, chances, strict=True)]


def _chance(stated: object) -> float | None:
    is_percentage = isinstance(stated, int | float) and not isinstance(stated, bool) and 0 <= stated <= 100
    return round(float(str(stated)) / 100, 4) if is_percentage else None


def unread(attempt: Mapping[str, Any], schema: JsonObject, seat: Mapping[str, Any], can_talk: bool) -> str | None:
    """Why the answer of a logged attempt to a question of this schema is not that of its reply, in words; None when it is, or
    when no model answered. `seat` is the model's seat in the header."""
    reply = attempt.get("reply")
    if not reply or "form" not in attempt:
        return None
    if POLICY in attempt:
        return f"seat {attempt['seat']} answers what its policy does not give by the draw" if undrawn(attempt) else None
    bare = bare_question(Question("", dict(schema), ""), SeatSettings.of_record(seat).help).schema
    own = {name for name in (REASON, NOTES, BELIEF) if name in attempt} | ({SAY} if can_talk else set())
    said = (attempt["answer"], attempt.get("reason", ""), attempt.get("say", ""))
    for known in (bare, None):  # earlier versions read without the schema
        try:
            found = read_reply(reply.get("text", ""), known, own - field_names(bare))
        except Unreadable:
            continue
        if (found.data, found.reason, found.say if can_talk else "") == said:
            return None
    return f"seat {attempt['seat']} answers {quoted(attempt['answer'])} by the log, and its reply says something else"
