"""What the match loop asks, and what whoever sits at the table gives back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from games.core import Answer, Question, Setup, View

Record = dict[str, Any]
Report = Callable[[Record], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Mistake:
    """An answer that did not count: `kind` (unreadable, illegal, empty, truncated, ...), the answer, what was wrong.

    `brief` is what was wrong without the list of what is legal, where there is one in `why`.
    """

    kind: str
    text: str
    why: str
    brief: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """A decision put to a seat: what it may know, what is asked, what is legal, and what it got wrong so far.

    `number` counts the questions of the match; `answers` works out the legal answers, when somebody wants them.
    """

    number: int
    seat: int
    setup: Setup
    view: View
    question: Question
    answers: Callable[[], list[Answer]]
    mistakes: tuple[Mistake, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """What came back: answer data, or the mistake that left none; the words as given; facts for the log."""

    data: Any = None
    mistake: Mistake | None = None
    text: str = ""
    facts: Record = field(default_factory=dict)


class Agent(Protocol):
    """Anybody who can sit at a table."""

    is_paid: bool
    """Whether an answer costs something, so that it has to be safe on the disk before it is acted on."""

    async def answer(self, ask: Ask, report: Report) -> Given:
        """An answer, or a mistake. `report` logs attempts that brought neither. TabletopError when the match has to stop."""

    def remember(self, ask: Ask, attempt: Record) -> None:
        """Take in an attempt of its own that stands in a log, when a match is taken up again."""
