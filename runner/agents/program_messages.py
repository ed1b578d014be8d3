"""Program messages: what tabletop and a program in a seat write to one another, one JSON object a line.

docs/seats.schema.json is generated from these types.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

from games.core import Answer, Event
from runner.agents.protocol import Ask, Record

PROTOCOL: Literal[1] = 1
"""The version of the protocol."""


class HelloMessage(TypedDict, closed=True):
    """The first line that a program gets: the match and its seat."""

    type: Literal["hello"]
    protocol: Literal[1]
    """the version of the protocol"""
    game: str
    """the game's name, as `tabletop games` lists it"""
    rules: str
    """the preset of rules"""
    options: dict[str, object]
    """every option of the game with its value"""
    players: int
    """how many play"""
    seat: int
    """the program's own seat, from 0; texts call it P-0, P-1 and so on"""
    name: str
    """the player's name; the seat's where nobody gave one"""
    rules_text: str
    """the rules of the game, in Markdown"""


class MistakeMessage(TypedDict, closed=True):
    """An invalid answer to the question that is asked again."""

    kind: str
    """`illegal`: an answer against the rules; `unreadable`: a line that is no reply; `wrong_number`: a number to come"""
    why: str
    """what was wrong, in words"""
    answer: object
    """the answer data; null where none was read"""


class AskMessage(TypedDict, closed=True):
    """A decision to take. It is asked again, with the same number, after an invalid answer."""

    type: Literal["ask"]
    number: int
    """the number of the question in the match, which the reply repeats; later questions have larger ones"""
    phase: str
    """the name of the phase"""
    view: dict[str, object]
    """all that the seat may know"""
    question: str
    """what is asked, in words"""
    schema: dict[str, object]
    """the JSON Schema of an answer"""
    legal: list[dict[str, object]] | None
    """every legal answer; null where the answer has free text"""
    mistakes: list[MistakeMessage]
    """the invalid answers to this question so far, oldest first"""
    seconds: float
    """the seconds until the program counts as hanging"""


class EventMessage(TypedDict, closed=True):
    """One thing that happened."""

    kind: str
    """a word to select by; `talk` is a line of table talk"""
    text: str
    """a plain sentence"""
    data: dict[str, object]
    """the same as facts"""


class ToldMessage(TypedDict, closed=True):
    """What happened that the seat may know of; a line of its own before the next question and before the end."""

    type: Literal["told"]
    events: list[EventMessage]
    """the events, oldest first"""


class EndResult(TypedDict, closed=True):
    """How a match ended."""

    scores: list[int]
    """the score of each seat"""
    winners: list[int]
    """every seat that shares the win"""
    ending: list[str]
    """why the match ended, in words"""
    rounds: int
    """the round that was played last"""


class EndMessage(TypedDict, closed=True):
    """The last line that a program gets. It should exit now."""

    type: Literal["end"]
    result: EndResult | None
    """how the match ended; null where it paused, to be resumed with a new process"""


class ReplyMessage(TypedDict):
    """A line that a program writes: its answer to a question. Other fields are ignored."""

    number: int
    """the number of the question; a reply to an older one is ignored"""
    answer: dict[str, object]
    """an answer that follows the question's `schema`"""
    say: NotRequired[str]
    """a line of table talk, at most 200 characters, heard if the match is played with talk"""
    reason: NotRequired[str]
    """why the program decides so, for the log alone"""


ToProgram: TypeAlias = HelloMessage | AskMessage | ToldMessage | EndMessage


def hello(ask: Ask, name: str, rules_text: str) -> HelloMessage:
    """The first line for the seat of a question."""
    setup = ask.setup
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "game": ask.view["game"],
        "rules": setup.rules,
        "options": setup.options.to_json(),
        "players": setup.players,
        "seat": ask.seat,
        "name": name,
        "rules_text": rules_text,
    }


def asked(ask: Ask, seconds: float) -> AskMessage:
    """The line of a question."""
    legal: list[Answer] | None = None if ask.question.has_free_text else ask.answers()
    return {
        "type": "ask",
        "number": ask.number,
        "phase": ask.phase,
        "view": ask.view,
        "question": ask.question.whole,
        "schema": ask.question.schema,
        "legal": legal,
        "mistakes": [{"kind": one.kind, "why": one.why, "answer": one.answer} for one in ask.mistakes],
        "seconds": seconds,
    }


def told(events: Iterable[Event]) -> ToldMessage:
    """The line that tells events."""
    return {"type": "told", "events": [{"kind": one.kind, "text": one.text, "data": one.data} for one in events]}


def ended(result: Record | None) -> EndMessage:
    """The last line, with the public part of a match's result."""
    return {"type": "end", "result": None if result is None else _public(result)}


def _public(result: Mapping[str, Any]) -> EndResult:
    names = "scores", "winners", "ending"
    scores, winners, ending = (list(result[name]) for name in names)
    return {"scores": scores, "winners": winners, "ending": ending, "rounds": result["rounds"]}


def line_of(message: ToProgram) -> bytes:
    """A message as a line. It is ASCII, so that a program of any locale reads it."""
    return json.dumps(message, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
