"""Agent protocol: the question of the match loop, and the answer of an agent."""

import json
import unicodedata
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, Self

from games.core import Answer, Event, Question, Rng, Setup, State, View, does
from runner.digest import canonical, digest_of

_UNGUESSABLE = 2**48
"""Seeds from here on are too many to be tried."""

TIME_LIMIT = 60.0
"""Seconds that a program or a function has for an answer, unless agents.toml says otherwise."""

LONGEST_LINE = 200
"""Characters of a line."""

MOST_LINES = 12
"""Lines that a player is told with a question."""

_HIDDEN = {"Cf", "Cs", "Co", "Cn"}
"""Categories of characters that are left out: format, and what is no text."""

TALK = "talk"
"""The kind of an event that is a line of talk."""


class TalkLine(NamedTuple):
    """One line: who said it, and its text."""

    seat: int
    text: str

    @property
    def event(self) -> Event:
        text = does(self.seat, f"say: {json.dumps(self.text, ensure_ascii=False)}")
        return Event(TALK, text, {"seat": self.seat, "text": self.text})


def clean_line(said: object) -> str:
    """What is said, as one line of at most `LONGEST_LINE` characters; "" for anything but text. Control characters and line
    breaks become blanks. Format characters, which hide text or turn its direction around, go."""
    if not isinstance(said, str):
        return ""
    kept = (c if c.isprintable() else " " for c in said[: LONGEST_LINE * 20] if unicodedata.category(c) not in _HIDDEN)
    return " ".join("".join(kept).split())[:LONGEST_LINE].rstrip()


JsonRecord = dict[str, Any]
_OF_THE_LOOP = {"kind", "question", "seat", "strike", "outcome", "what", "why", "answer", "read_as", "say", "at"}
"""Fields of an attempt that the loop adds."""

Report = Callable[[JsonRecord], Awaitable[None]]


async def unheard(record: JsonRecord) -> None:
    """The report of a trial, which has no log."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """An invalid answer: `kind` (unreadable, illegal, empty, truncated, ...), its text, and what was wrong.

    `brief` is `why` without the list of legal answers, where `why` has one. `answer` is the answer data, None if unreadable.
    """

    kind: str
    text: str
    why: str
    brief: str = ""
    answer: object = None


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """A question to a seat: its view, the question, the legal answers, its mistakes so far, and recent table talk.

    `number` counts the questions of the match; `answers` computes the legal answers; `check` raises IllegalAction for an
    invalid answer; `world` draws a state from the seat's information set. `can_talk`: the answer may have a line of table
    talk; `talk` has the lines that the seat has heard last, oldest first. `told` has the events that the seat may know of since
    its question before, table talk among them. `phase` is the phase's name. `progress` takes the part of the work on the answer
    that is done, from 0 to 1, for screens. `strikes` is how many invalid answers strike the seat out here. `propositions` are
    what the seat cannot know here, in words.
    """

    number: int
    seat: int
    setup: Setup
    view: View
    question: Question
    answers: Callable[[], list[Answer]]
    check: Callable[[object], None]
    world: Callable[[Rng], State]
    mistakes: tuple[Mistake, ...] = ()
    can_talk: bool = False
    talk: tuple[TalkLine, ...] = ()
    told: tuple[Event, ...] = ()
    phase: str = ""
    progress: Callable[[float], None] = lambda part: None
    strikes: int = 1
    propositions: Callable[[], Sequence[str]] = tuple

    def rng(self, purpose: str) -> Rng:
        """Private random numbers for an answer, the same whenever the match is played from the same seed.

        A small seed could be found by trying, from the numbers that follow from it: then what the seat sees takes its place.
        """
        key: int | str = self.setup.seed if self.setup.seed >= _UNGUESSABLE else digest_of(canonical(self.view))
        return Rng.of(purpose, key, self.seat, self.number, len(self.mistakes))

    @property
    def strikes_left(self) -> int:
        """The invalid answers until the seat is struck out; at least 1."""
        return max(self.strikes - len(self.mistakes), 1)

    @classmethod
    def of(cls, state: State, seat: int, number: int = 0) -> Self:
        """The question of a state to a seat that owes a decision."""

        def check(data: object) -> None:
            state.read(seat, data)

        return cls(
            number,
            seat,
            state.setup,
            state.view(seat),
            state.question(seat),
            lambda: [action.to_json() for action in state.actions_of(seat)],
            check,
            lambda rng: state.resample(seat, rng),
            phase=state.phase.name,
            strikes=state.setup.options.strikes,
            propositions=lambda: [one.text for one in state.game.propositions(state, seat)],
        )


@dataclass(frozen=True, slots=True)
class AgentReply:
    """The answer of an agent: its data, or the mistake; its text; facts for the log.

    `reason` is why it answers so, which no other seat gets to see; `say` a line for the whole table, empty for silence.
    `refused` is why a log refused the answer: it stays refused, even if this version could read it.
    """

    data: object = None
    mistake: Mistake | None = None
    text: str = ""
    facts: JsonRecord = field(default_factory=dict)
    refused: str = ""
    say: str = ""
    reason: str = ""

    @classmethod
    def logged(cls, record: JsonRecord) -> Self:
        """The answer in a logged attempt. Whether it is legal is checked again; what was refused stays refused."""
        text = str((record.get("reply") or {}).get("text", ""))
        facts = {name: value for name, value in record.items() if name not in _OF_THE_LOOP}
        if record["outcome"] == "answer" or record["what"] == "illegal":
            refused, say = str(record.get("why", "")), str(record.get("say", ""))
            return cls(record["answer"], text=text, facts=facts, refused=refused, say=say)
        return cls(mistake=Mistake(record["what"], text, record["why"]), text=text, facts=facts)


class Agent(Protocol):
    """A player of one seat. `needs_sync`: an answer is on the disk before the match uses it; nobody can work it out again."""

    needs_sync: bool = True

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        """An answer, or a mistake. `report` logs attempts without either. TabletopError when the match must stop."""

    def remember(self, ask: DecisionRequest, attempt: JsonRecord) -> None:
        """Take in an own attempt from the log, when a match is resumed. Most agents remember nothing."""
        return

    async def end(self, told: Sequence[Event], result: JsonRecord | None) -> None:
        """Release what it holds outside the match, such as a process. `told` has the events since the seat's last question,
        `result` is None if the match paused. Most agents hold nothing."""
        return


class Decided(NamedTuple):
    """A legal answer of a person, which `DecisionRequest.check` has accepted, and what they say to the table with it."""

    answer: Answer
    say: str = ""


class Person(Protocol):
    """Asks the person at a seat."""

    async def decide(self, ask: DecisionRequest) -> Decided:
        """The person's decision. PausedError when the person leaves."""
