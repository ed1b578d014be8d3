"""Rated play at the table: which models may sit there, and how a log says that they did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from runner.agents.seat import Seat
from runner.errors import AccountError

if TYPE_CHECKING:
    from runner.llm.request import Model

RATED = "rated"
"""The fact of a seat that says that its model is held to rated play."""

RULES = "Rated: exactly the models named and the providers pinned, no fallbacks, no healing; replies by others are refused."


def held_to_rated(model: Model, spec: str) -> Model:
    """The model of a seat, held to rated play. AccountError says what about its settings rated play refuses."""
    from runner.llm.rated import objections

    for objection in objections(model):
        raise AccountError(f"The seat {spec} cannot play rated: {objection}.")
    return replace(model, rated=True)


def rated_seat(seat: Seat) -> Seat:
    """The seat as a rated match has it: a model's says that it is rated, a bot's stays as it is."""
    return replace(seat, facts={**seat.facts, RATED: True}) if seat.kind in ("model", "offline") else seat


def is_rated(seats: Sequence[Mapping[str, object]]) -> bool:
    """Whether the seats of a log's header are those of a rated match."""
    return any(seat.get(RATED) is True for seat in seats)
