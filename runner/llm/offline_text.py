"""Free text of the offline model: short lines, written for this project."""

from __future__ import annotations

import random

_OPENINGS = (
    "Where the lanterns forget their names",
    "Before the tide remembers us",
    "Behind the last unopened door",
    "Under a sky folded like a letter",
    "When the clocks agree to be silent",
    "Beyond the road nobody swept",
    "Inside the house the moon rents",
    "After the orchestra went home",
    "Between two breaths of the same storm",
    "On the far side of a borrowed dream",
    "In a garden watered with rumours",
    "At the bottom of an honest mirror",
    "While the map redraws itself",
    "Above the town that sleeps in boxes",
    "With one glove and no witnesses",
    "Along the edge of yesterday's snow",
)
_ENDINGS = (
    "somebody is still counting",
    "the smallest one leads the way",
    "all the ladders point down",
    "a promise changes hands",
    "nothing weighs what it should",
    "the guest arrives before the invitation",
    "every shadow has its own appointment",
    "the fire asks for a chair",
    "we traded our keys for feathers",
    "the silence has teeth",
    "an old engine hums a lullaby",
    "the sea keeps the change",
    "only the paper birds return",
    "the crown is made of breadcrumbs",
    "two strangers share one secret",
    "the answer grows back each spring",
)


def phrase(chance: random.Random) -> str:
    """One line, at most 75 letters long."""
    return f"{chance.choice(_OPENINGS)}, {chance.choice(_ENDINGS)}."


def reason(chance: random.Random) -> str:
    """A reason for an answer, which says that there is none."""
    return f"This is the offline model: it answers at random and weighs nothing. {phrase(chance)}"


def talk(chance: random.Random) -> str:
    """A line of table talk; two times in three silence."""
    return phrase(chance) if chance.random() < 1 / 3 else ""
