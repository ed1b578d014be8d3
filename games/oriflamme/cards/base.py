"""What every type of card is: a name, what its ability does, and how its owner is asked about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from games.core import Schema, Step, Steps
from games.oriflamme.phase_ids import CHOICE_PHASES

if TYPE_CHECKING:
    from games.core import Event
    from games.oriflamme.options import Rules

Queue = tuple[int, ...]
Outcome = tuple[Queue, int, int]
"""The queue and the points after an ability, and the index of the card to be resolved next."""

TYPES: list[CardType] = []
"""Every type known, by its number. `games.oriflamme.cards` fills it."""


class CardType:
    """A type of card. One that `decides` nothing has a `gain`; one that does has `moves`, and an `apply` for the one chosen.

    An ability is performed by the card at index `at` of the queue and for its owner: for a copy this is the Shapeshifter.
    """

    name: ClassVar[str]
    is_character: ClassVar[bool] = True
    decides: ClassVar[bool] = False
    copies: ClassVar[bool] = False
    payout: ClassVar[int] = 1
    springs: ClassVar[bool] = False
    chooses_seats: ClassVar[bool] = False
    task: ClassVar[str] = ""
    in_short: ClassVar[str] = ""
    """What the card is good for, in a few words."""
    text: ClassVar[str] = ""
    """What the ability does, in words for players: of types beyond the standard ones, whose words are in the prompts."""
    number: int
    phase_id: int

    @classmethod
    def numbered(cls, number: int) -> Self:
        """The type under its number in the registry."""
        card_type = cls()
        card_type.number = number
        card_type.phase_id = CHOICE_PHASES + number
        return card_type

    # -- the ability -------------------------------------------------------------------------------------------------

    def gain(self, queue: Queue, at: int, rules: Rules) -> int:
        """The points the ability brings its owner."""
        return 0

    def moves(self, queue: Queue, at: int, rules: Rules) -> Sequence[Any]:
        """What its owner may choose from."""
        return ()

    def can_choose(self, queue: Queue, at: int, rules: Rules) -> bool:
        """Whether there is anything to choose."""
        return bool(self.moves(queue, at, rules))

    def apply(self, queue: Queue, points: int, at: int, move: Any, rules: Rules, told: list[Event] | None) -> Outcome:
        """Do what its owner chose."""
        raise NotImplementedError

    def when_eliminated(self, by_own: bool, rules: Rules) -> tuple[int, bool]:
        """For a type that `springs`: the points its owner gets, and whether the eliminating card leaves too."""
        raise NotImplementedError

    # -- the choice in words and as data -----------------------------------------------------------------------------

    def answer(self, move: Any) -> dict[str, Any]:
        """The answer data for a move."""
        raise NotImplementedError

    def effects(self, queue: Queue, at: int, rules: Rules) -> dict[str, str]:
        """What each choice does, as its owner knows it, by the word it is answered with."""
        return {}

    def steps(self, queue: Queue, at: int, move: Any, rules: Rules) -> Steps:
        """A choice in words for people, step by step."""
        effects = self.effects(queue, at, rules)
        return tuple(Step(what, name, effects.get(name, "")) for what, name in self.answer(move).items())

    def schema(self, moves: Sequence[Any]) -> Schema:
        """The schema of an answer."""
        raise NotImplementedError

    def read(self, data: Any, moves: Sequence[Any]) -> Any:
        """The move that answer data stands for. IllegalAction when it stands for none."""
        raise NotImplementedError
