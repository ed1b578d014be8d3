"""Program messages: what tabletop and a program in a seat write to one another, one JSON object a line.

docs/seats.schema.json is generated from these types and from program_messages.toml, which says what each field holds.
"""

import json
from collections.abc import Iterable
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypeAlias, cast

from pydantic import Field
from typing_extensions import TypedDict

import games
from games.core import Event
from runner.agents.own_fields import REASON, SAY, in_words
from runner.agents.protocol import AgentReply, DecisionRequest, JsonRecord, Mistake
from runner.llm.strict_json import Unreadable, is_deeper, strict_value

PROTOCOL: Literal[1] = 1
"""The version of the protocol."""


class HelloMessage(TypedDict, closed=True):
    """The first line that a program gets: the match and its seat."""

    type: Literal["hello"]
    protocol: Literal[1]
    game: str
    rules: str
    rules_version: str
    options: dict[str, object]
    players: int
    seat: int
    name: str
    rules_text: str
    random: int


class MistakeMessage(TypedDict, closed=True):
    """An invalid answer to the question that is asked again."""

    kind: str
    why: str
    answer: object


class AskMessage(TypedDict, closed=True):
    """A decision to take. It is asked again, with the same number, after an invalid answer."""

    type: Literal["ask"]
    number: int
    phase: str
    view: dict[str, object]
    question: str
    schema: dict[str, object]
    legal: list[dict[str, object]] | None
    mistakes: list[MistakeMessage]
    seconds: float
    strikes_left: int
    worlds: NotRequired[list[dict[str, object]]]


class EventMessage(TypedDict, closed=True):
    """One thing that happened."""

    kind: str
    text: str
    data: dict[str, object]


class ToldMessage(TypedDict, closed=True):
    """What happened that the seat may know of; a line of its own before the next question and before the end."""

    type: Literal["told"]
    events: list[EventMessage]


class EndResult(TypedDict, closed=True):
    """How a match ended."""

    scores: list[int]
    winners: list[int]
    ending: list[str]
    rounds: int


class EndMessage(TypedDict, closed=True):
    """The last line that a program gets of a match. It should exit now."""

    type: Literal["end"]
    result: EndResult | None


MOST_WORLDS = 64
"""The worlds that a program may ask for with each question."""


class WishMessage(TypedDict):
    """The line by which a program says what it wants, before its first answer. The open question is then put again. Other
    fields are ignored."""

    type: Literal["hello"]
    worlds: Annotated[int, Field(ge=0, le=MOST_WORLDS)]


class ReplyMessage(TypedDict):
    """A line that a program writes: its answer to a question. Other fields are ignored."""

    number: int
    answer: dict[str, object]
    say: NotRequired[str]
    reason: NotRequired[str]


ToProgram: TypeAlias = HelloMessage | AskMessage | ToldMessage | EndMessage


def hello(ask: DecisionRequest, name: str, rules_text: str) -> HelloMessage:
    setup = ask.setup
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "game": ask.view["game"],
        "rules": setup.rules,
        "rules_version": games.load(ask.view["game"]).rules_version,
        "options": setup.options.to_json(),
        "players": setup.players,
        "seat": ask.seat,
        "name": name,
        "rules_text": rules_text,
        "random": ask.rng("program").below(2**53),
    }


def asked(ask: DecisionRequest, seconds: float, worlds: int | None = None) -> AskMessage:
    """The line of a question, with this many worlds. A game of which none can be drawn gives none."""
    message: AskMessage = {
        "type": "ask",
        "number": ask.number,
        "phase": ask.phase,
        "view": ask.view,
        "question": ask.question.whole,
        "schema": ask.question.schema,
        "legal": None if ask.question.has_free_text else ask.answers(),
        "mistakes": [{"kind": one.kind, "why": one.why, "answer": one.answer} for one in ask.mistakes],
        "seconds": seconds,
        "strikes_left": ask.strikes_left,
    }
    if worlds is not None:
        rng, count = ask.rng("worlds"), worlds if games.load(ask.view["game"]).has_worlds else 0
        message["worlds"] = [ask.world(rng).to_json() for _ in range(count)]
    return message


def told(events: Iterable[Event]) -> ToldMessage:
    return {"type": "told", "events": [{"kind": one.kind, "text": one.text, "data": one.data} for one in events]}


def ended(result: JsonRecord | None) -> EndMessage:
    """The last line, with the public part of a match's result."""
    public = None if result is None else cast(EndResult, {name: result[name] for name in EndResult.__annotations__})
    return {"type": "end", "result": public}


def line_of(message: ToProgram) -> bytes:
    """A message as a line. It is ASCII, so that a program of any locale reads it."""
    return json.dumps(message, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


_SHOWN = 4000
"""Characters of an invalid line that the log keeps."""

_DEEPEST = 32
"""Nesting of lists and objects in an answer."""

_FORM = 'a line has to be {"number": %d, "answer": {...}}'


class Ignored(NamedTuple):
    """A line that does not count: a blank one, or a reply to an older question."""

    number: int | None


class Wish(NamedTuple):
    """A line that asks for worlds."""

    worlds: int


def read_reply(line: bytes, number: int, takes_wish: bool = False) -> AgentReply | Ignored | Wish:
    """The answer or the mistake in a line, for the question of this number, or a wish where it may still be made."""
    if not line.strip():
        return Ignored(None)
    text = line.decode("utf-8", "replace")
    form = _FORM % number
    try:
        found = _object(line, text, form)
        if takes_wish and found.get("type") == "hello":
            return _wish(found)
        if type(found.get("number")) is not int:
            raise Unreadable("unreadable", f"the line has no number of a question; {form}")
        if (given := found["number"]) < number:
            return Ignored(given)
        if given > number:
            raise Unreadable("wrong_number", f"the line answers question {given}, but question {number} is asked")
        if "answer" not in found:
            raise Unreadable("unreadable", f"the line has no answer; {form}")
        check_depth(found["answer"])
    except Unreadable as error:
        return mistake_reply(error, text[:_SHOWN])
    say = said if isinstance(said := found.get(SAY), str) else ""
    return AgentReply(found["answer"], text=text[:_SHOWN], say=say, reason=in_words(found.get(REASON)))


def _object(line: bytes, text: str, form: str) -> dict[str, Any]:
    """The object in a line. Unreadable for anything else."""
    try:
        found = strict_value(text)
        line.decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable("unreadable", f"the line is not text in UTF-8; {form}") from None
    except Unreadable as error:
        raise Unreadable("unreadable", error.why) from None
    if not isinstance(found, dict):
        what = "is not JSON" if found is None else f"is no JSON object but a {type(found).__name__}"
        raise Unreadable("unreadable", f"the line {what}; {form}")
    return found


def _wish(found: dict[str, Any]) -> Wish:
    """The wish in an object. Unreadable for none, or for a number out of range."""
    if not (type(found.get("worlds")) is int and 0 <= found["worlds"] <= MOST_WORLDS):
        raise Unreadable("unreadable", f"`worlds` of a hello is a whole number from 0 to {MOST_WORLDS}")
    return Wish(found["worlds"])


def mistake_reply(error: Unreadable, shown: str) -> AgentReply:
    """The reply whose text is `shown` and brings no answer."""
    return AgentReply(mistake=Mistake(error.kind, shown, error.why), text=shown, facts={"reply": {"text": shown}})


def check_depth(answer: object) -> None:
    """Unreadable for answer data that is nested too deeply."""
    if is_deeper(answer, _DEEPEST):
        raise Unreadable("unreadable", f"the answer is nested more than {_DEEPEST} levels deep")
