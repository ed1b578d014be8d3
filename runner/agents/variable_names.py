"""Variable names: those that tabletop reads, and misspelt ones that it would otherwise ignore without a word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from runner.agents.environment import DEFAULT_MODEL_VARIABLE, KEY_VARIABLE, OTHER_KEY_VARIABLE, seat_variable

_OURS = "TABLETOP_"
_SEATS = 10
_ALIKE = 0.85
"""How alike a name has to be to one of tabletop's; keys of other services stay below."""


def known_variables() -> tuple[str, ...]:
    """The variables that tabletop reads."""
    return (KEY_VARIABLE, OTHER_KEY_VARIABLE, DEFAULT_MODEL_VARIABLE, *map(seat_variable, range(_SEATS)))


def misspelt(names: Iterable[str], also_known: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
    """Each name that is like a variable of tabletop but none, with the variable that may be meant, or nothing."""
    known = known_variables()
    for name in sorted({*names} - {*known, *also_known}):
        near = _nearest(name.upper(), known)
        if near or name.upper().startswith(_OURS):
            yield name, near


def _nearest(name: str, known: Iterable[str]) -> str:
    """The first of the names that are most alike; empty when none is alike."""
    ratios = {one: SequenceMatcher(None, one, name).ratio() for one in known}
    best = max(ratios, key=ratios.__getitem__)
    return best if ratios[best] >= _ALIKE else ""
