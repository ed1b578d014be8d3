"""What the match loop asks, and what whoever sits at the table gives back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from games.core import Answer, Question, Setup, State, View

Record = dict[str, Any]
Report = Callable[[Record], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Mistake:
    """An answer that did not count: `kind` (unreadable, illegal, empty, truncated, ...), the answer, what was wrong.

    `brief` is what was wrong without the list of what is legal, where there is one in `why`. `answer` is the answer data that
    was read, None where none was.
    """

    kind: str
    text: str
    why: str
    brief: str = ""
    answer: Any = None


@dataclass(frozen=True, slots=True)
class Ask:
    """A decision put to a seat: what it may know, what is asked, what is legal, and what it got wrong so far.

    `number` counts the questions of the match; `answers` works out the legal answers when somebody
    wants them; `check` raises IllegalAction for an answer that would not count.
    """

    number: int
    seat: int
    setup: Setup
    view: View
    question: Question
    answers: Callable[[], list[Answer]]
    check: Callable[[Any], None]
    mistakes: tuple[Mistake, ...] = ()

    @classmethod
    def of(cls, state: State, seat: int, number: int = 0) -> Self:
        """What a state asks a seat that owes a decision."""

        def check(data: Any) -> None:
            state.read(seat, data)

        return cls(
            number,
            seat,
            state.setup,
            state.view(seat),
            state.question(seat),
            lambda: [action.to_json() for action in state.actions_of(seat)],
            check,
        )


@dataclass(frozen=True, slots=True)
class Given:
    """What came back: answer data, or the mistake that left none; the words as given; facts for the log.

    `is_replayed` marks an answer that stands in the match's own log.
    """

    data: Any = None
    mistake: Mistake | None = None
    text: str = ""
    facts: Record = field(default_factory=dict)
    is_replayed: bool = False


class Agent(Protocol):
    """Anybody who can sit at a table."""

    is_paid: bool
    """Whether an answer costs something, so that it has to be safe on the disk before it is acted on."""

    async def answer(self, ask: Ask, report: Report) -> Given:
        """An answer, or a mistake. `report` logs attempts that brought neither. TabletopError when the match has to stop."""

    def remember(self, ask: Ask, attempt: Record) -> None:
        """Take in an attempt of its own that stands in a log, when a match is taken up again."""
