"""The types of card: one file each, and their numbers, which never change once given (a new type goes to the end)."""

from collections.abc import Iterable
from functools import cache

from games.oriflamme.cards.ambush import Ambush
from games.oriflamme.cards.archer import Archer
from games.oriflamme.cards.assassination import Assassination
from games.oriflamme.cards.base import TYPES, CardType
from games.oriflamme.cards.choosing import CHOOSERS, ChoosingType
from games.oriflamme.cards.conspiracy import Conspiracy
from games.oriflamme.cards.heir import Heir
from games.oriflamme.cards.lord import Lord
from games.oriflamme.cards.royal_decree import RoyalDecree
from games.oriflamme.cards.shapeshifter import Shapeshifter
from games.oriflamme.cards.soldier import Soldier
from games.oriflamme.cards.spy import Spy

TYPES += [
    card_type.numbered(number)
    for number, card_type in enumerate(
        (Archer, Soldier, Spy, Heir, Lord, Shapeshifter, Ambush, Assassination, Conspiracy, RoyalDecree)
    )
]
CHOOSERS |= {card_type.number: card_type for card_type in TYPES if isinstance(card_type, ChoosingType)}
NAMES = tuple(card_type.name for card_type in TYPES)
NUMBERS = {card_type.name: card_type.number for card_type in TYPES}
SET_SIZE = 10
STANDARD_SET = NAMES[:SET_SIZE]

# A set of kinds is one integer: bit k for the kind k.


def set_of(names: Iterable[str]) -> int:
    """The set of kinds of these names."""
    return sum(1 << NUMBERS[name] for name in names)


@cache
def kinds_of(cards: int) -> tuple[int, ...]:
    """The kinds in a set of kinds."""
    return tuple(kind for kind in range(cards.bit_length()) if cards >> kind & 1)


def names_of(cards: int) -> list[str]:
    """The names of a set of kinds."""
    return [TYPES[kind].name for kind in kinds_of(cards)]


__all__ = [
    "CHOOSERS",
    "NAMES",
    "NUMBERS",
    "SET_SIZE",
    "STANDARD_SET",
    "TYPES",
    "CardType",
    "ChoosingType",
    "kinds_of",
    "names_of",
    "set_of",
]
