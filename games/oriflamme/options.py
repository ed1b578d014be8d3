"""What a match of Oriflamme can be told, and the two printings of its rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games import core
from games.core import OptionError, listed, option, quoted
from games.oriflamme.cards import NAMES, SET_SIZE, STANDARD_SET
from games.oriflamme.cards.ambush import ATTACKER_STAYS, BOTH_LEAVE
from games.oriflamme.cards.royal_decree import FORBIDDEN, OWN_FAMILY


def card_set(value: Any) -> tuple[str, ...]:
    """Ten card types known, in the order of the registry, from a list of names or one text of names and commas."""
    names = [word.strip() for word in value.split(",")] if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise OptionError(f"card_types cannot be {quoted(value)}: it takes a list of {SET_SIZE} names.")
    for name in names:
        if name not in NAMES:
            raise OptionError(f"card_types cannot have {quoted(name)}: the types known are {listed(NAMES)}.")
    if len(names) != SET_SIZE or len(set(names)) != SET_SIZE:
        raise OptionError(f"card_types takes {SET_SIZE} different types, not {len(set(names))}.")
    return tuple(name for name in NAMES if name in names)


@dataclass(frozen=True, slots=True)
class Options(core.Options):
    """The options of Oriflamme."""

    decree_stacking: str = option(
        OWN_FAMILY,
        "where a Royal Decree may put a card besides the gaps: on cards of its own family, or on none",
        choices=(OWN_FAMILY, FORBIDDEN),
    )
    ambush_own: str = option(
        BOTH_LEAVE,
        "a card eliminates an Ambush of its own family: two points and both leave, or one point and the card stays",
        choices=(BOTH_LEAVE, ATTACKER_STAYS),
    )
    assassination_self: bool = option(False, "whether an Assassination may eliminate itself")
    shifter_noop: bool = option(True, "whether a Shapeshifter may copy a Shapeshifter, which does nothing")
    lord_counts_covered: bool = option(False, "whether a Lord counts the covered cards of neighbouring stacks as well")
    spy_may_pick_self: bool = option(False, "whether a Spy may choose its own family, which does nothing")
    decree_null_move: bool = option(False, "whether a Royal Decree may leave the queue as it is")
    card_types: tuple[str, ...] = option(
        STANDARD_SET, f"the {SET_SIZE} types of card every family has, as a list of names", convert=card_set, dump=list
    )


PRESETS: dict[str, dict[str, Any]] = {
    "first-edition": {},
    "revised": {"decree_stacking": FORBIDDEN, "ambush_own": ATTACKER_STAYS, "assassination_self": True},
}
