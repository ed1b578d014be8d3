"""Types of card whose owner chooses what the ability acts on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from games.core import Event, Schema, Step, Steps, counted
from games.core.element import on_seat, on_stack
from games.oriflamme.cards.base import TYPES, CardRules, CardType
from games.oriflamme.stack import CARD_BITS, KIND, Queue, card_of

Outcome = tuple[Queue, int, int]
"""The queue and the points after an ability, and the index of the card to be resolved next."""

CHOOSERS: dict[int, ChoosingType] = {}
"""Every type whose owner chooses, by its number. `games.oriflamme.cards` fills it."""


class ChoosingType(CardType, ABC):
    """A type of card that has `moves` for its owner to choose from, and an `apply` for the chosen one."""

    chooses_seats: ClassVar[bool] = False
    task: ClassVar[str]

    @abstractmethod
    def moves(self, queue: Queue, at: int, rules: CardRules) -> Sequence[Any]:
        """What its owner may choose from."""

    def can_choose(self, queue: Queue, at: int, rules: CardRules) -> bool:
        """Whether there is anything to choose."""
        return bool(self.moves(queue, at, rules))

    def apply(self, queue: Queue, points: int, at: int, move: Any, rules: CardRules, events: list[Event] | None) -> Outcome:
        """Do what its owner chose; for a type that `copies` nothing, as the resolution performs the copied ability."""
        return queue, points, at + 1

    # -- the choice in words and as data -----------------------------------------------------------------------------

    @abstractmethod
    def answer(self, move: Any) -> dict[str, Any]:
        """The answer data for a move."""

    @abstractmethod
    def effects(self, queue: Queue, at: int, rules: CardRules) -> dict[str, str]:
        """What each choice does, as its owner knows it, by the word it is answered with."""

    def steps(self, queue: Queue, at: int, move: Any, rules: CardRules) -> Steps:
        """A choice in words for people, step by step."""
        effects, on = self.effects(queue, at, rules), on_seat(move) if self.chooses_seats else on_stack(move)
        return tuple(Step(what, name, effects.get(name, ""), (on,)) for what, name in self.answer(move).items())

    @abstractmethod
    def schema(self, moves: Sequence[Any]) -> Schema:
        """The schema of an answer."""

    @abstractmethod
    def read(self, data: Any, moves: Sequence[Any]) -> Any:
        """The move that answer data stands for. IllegalAction when it stands for none."""


def next_under(queue: Queue, at: int, rules: CardRules) -> str:
    """What follows at once when the top card at an index leaves, for its owner: the card under it. Empty if there is none."""
    under = queue[at] >> CARD_BITS
    if not under:
        return ""
    card, kind = card_of(under), TYPES[under & KIND]
    if not card.revealed:
        tokens = f" with {counted(card.tokens, 'token')}" if card.tokens else ""
        return f"your hidden {kind.name}{tokens} under it is resolved next, so you keep or reveal it"
    left = (*queue[:at], under, *queue[at + 1 :])
    if not isinstance(kind, ChoosingType):
        brings = (
            f"brings {counted(gain, 'point')} as the queue is now" if (gain := kind.gain(left, at, rules)) else "brings nothing"
        )
    else:
        brings = f"lets you {kind.task}" if kind.can_choose(left, at, rules) else "finds nothing to act on"
    return f"your {kind.name} under it is resolved next and {brings}"
