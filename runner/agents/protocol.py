"""Agent protocol: the question of the match loop, and the answer of an agent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self, runtime_checkable

from games.core import Answer, Event, Question, Rng, Setup, State, View
from runner.agents.talk import TalkLine

Record = dict[str, Any]
Report = Callable[[Record], Awaitable[None]]


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


def _ignored(part: float) -> None:
    """Take progress that nobody shows."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to a seat: its view, the question, the legal answers, its mistakes so far, and recent table talk.

    `number` counts the questions of the match; `answers` computes the legal answers; `check` raises IllegalAction for an
    invalid answer; `world` draws a state from the seat's information set. `can_talk`: the answer may bring a line of table
    talk; `talk` has the lines that the seat has heard last, oldest first. `told` has the events that the seat may know of since
    its question before, table talk among them. `phase` is the phase's name. `progress` takes the part of the work on the answer
    that is done, from 0 to 1, for screens.
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
    progress: Callable[[float], None] = _ignored

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
        )


@dataclass(frozen=True, slots=True)
class Given:
    """The answer of an agent: its data, or the mistake; its text; facts for the log.

    `reason` is why it answers so, which no other seat gets to see; `say` a line for the whole table, empty for silence.
    `is_replayed` marks an answer that stands in the match's own log. `refused` is why the log refused the answer: it stays
    refused, even if this version could read it.
    """

    data: object = None
    mistake: Mistake | None = None
    text: str = ""
    facts: Record = field(default_factory=dict)
    is_replayed: bool = False
    refused: str = ""
    say: str = ""
    reason: str = ""


class Agent(Protocol):
    """A player of one seat."""

    is_paid: bool
    """Whether an answer costs money: it is on the disk before the match uses it."""

    async def answer(self, ask: Ask, report: Report) -> Given:
        """An answer, or a mistake. `report` logs attempts without either. TabletopError when the match must stop."""

    def remember(self, ask: Ask, attempt: Record) -> None:
        """Take in an own attempt from the log, when a match is resumed."""


@runtime_checkable
class OutsideAgent(Agent, Protocol):
    """A player that holds resources outside the match, such as a process, until the match ends."""

    async def end(self, told: Sequence[Event], result: Record | None) -> None:
        """Release everything. `told` has the events since the seat's last question, `result` is None if the match paused."""
