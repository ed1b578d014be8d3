"""Claims: what a decision claims before everybody, and how likely a claim is that a decision may challenge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Claim(NamedTuple):
    """What a seat claims to have, in one word of the rules (`Duke`), and whether it is true."""

    what: str
    is_true: bool


class Doubt(NamedTuple):
    """A claim that a seat may challenge, or lets pass.

    `chance` is the probability that it is false, by the cards that the seat knows of alone: how anybody plays does not count.
    """

    claimant: int
    claim: Claim
    chance: float
    is_challenged: bool


Answer = Mapping[str, Any] | None
"""The data of an answer; None for a strike-out."""

Claiming = Callable[[Any, int, Answer], Claim | None]
"""Gives the claim of a decision, from the state before it, the seat and its answer; None where it claims nothing."""

Doubting = Callable[[Any, int, Answer], Doubt | None]
"""Gives the claim that a decision is about, in the same way; None where there is none to challenge."""


def no_claim(before: Any, seat: int, answer: Answer) -> None:
    """The claim of a decision in a game in which nothing is claimed."""
