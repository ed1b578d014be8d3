"""A decision in words, for people who choose from a menu."""

from __future__ import annotations

from typing import NamedTuple


class Step(NamedTuple):
    """One step towards a legal action: what is chosen ("card"), the name of the choice, and what it does, in plain words."""

    what: str
    name: str
    effect: str = ""


Steps = tuple[Step, ...]
