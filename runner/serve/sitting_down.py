"""Sitting down: the people of a table say what they are called, and whether results may show it, before the match begins."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from runner.agents.spec import Human
from runner.session.match_spec import ReadyMatch, ready


class Sitter(BaseModel):
    """A person who has sat down: the name, empty for none, and whether results may show it."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: Annotated[str, Field(max_length=100)] = ""
    consent: bool = False


class Gathering(BaseModel):
    """A table that waits for its people: the match as the browser described it, and who sits there by seat."""

    model_config = ConfigDict(extra="forbid")

    match: dict[str, Any]
    sat: dict[int, Sitter] = Field(default_factory=dict)


def seated(found: ReadyMatch, sat: Mapping[int, Sitter]) -> ReadyMatch:
    """The match with what its people said of themselves. UsageError for a name that nobody can have, or that another has."""
    seats = (replace(seat, name=sat[number].name) if number in sat else seat for number, seat in enumerate(found.spec.seats))
    found = ready(found.spec.model_copy(update={"seats": tuple(seats)}), found.environment, asks=(Human,))
    agreed = (
        replace(seat, identity={**seat.identity, "consent": sat[number].consent})
        if number in sat and seat.spec.player
        else seat
        for number, seat in enumerate(found.config.seats)
    )
    return replace(found, config=replace(found.config, seats=tuple(agreed)))
