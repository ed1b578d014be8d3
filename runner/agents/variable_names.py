"""Variable names: those that tabletop reads, and misspelt ones that it would otherwise ignore without a word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from runner.agents.environment import (
    BASE_URL_VARIABLE,
    DEFAULT_MODEL_VARIABLE,
    KEY_HOSTS_VARIABLE,
    KEY_VARIABLE,
    OTHER_KEY_VARIABLE,
    seat_variable,
)

_OURS = "TABLETOP_"
_SEATS = 10
_ALIKE = 0.85
"""How alike a name has to be to one of tabletop's; keys of other services stay below."""


def known_variables() -> tuple[str, ...]:
    """The variables that tabletop reads."""
    keys = (KEY_VARIABLE, OTHER_KEY_VARIABLE, KEY_HOSTS_VARIABLE, BASE_URL_VARIABLE)
    return (*keys, DEFAULT_MODEL_VARIABLE, *map(seat_variable, range(_SEATS)))


def misspelt(names: Iterable[str], also_known: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
    """Each name that is like a variable of tabletop but none, with the variable that may be meant, or nothing."""
    known = known_variables()
    for name in sorted({*names} - {*known, *also_known}):
        near = _nearest(name.upper(), known)
        if near or name.upper().startswith(_OURS):
            yield name, near


def _nearest(name: str, known: Iterable[str]) -> str:
    """The first of the names that are most alike; empty when none is alike."""
    ratios = {one: ratio for one in known if (ratio := _likeness(one, name)) >= _ALIKE}
    return max(ratios, key=ratios.__getitem__, default="")


def _likeness(one: str, name: str) -> float:
    """The ratio of what two names share, from 0 to 1; 0 where cheap upper bounds show that they are not alike."""
    matcher = SequenceMatcher(None, one, name)
    may_be_alike = matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE
    return matcher.ratio() if may_be_alike else 0.0
