"""Rounds and votes in which a quote or a card did its work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from games.core import Count, Event, Measure, State
from games.dixiquote.phases import ROUND_END
from games.dixiquote.position import Position, Round

SPLIT = "quote split the vote"
FOUND = "found the Storyteller's card"
FOOLED = "votes won by own card"
MEASURES = (
    Measure(SPLIT, "rounds as Storyteller in which some, but not all, voted for the Storyteller's card, of all such rounds"),
    Measure(FOUND, "votes for the Storyteller's card, of the votes cast; by chance 1 / (cards - 1)"),
    Measure(FOOLED, "votes of others for the card submitted to another's quote, by chance 1 / (cards - 1)", is_recounted=True),
)


def counts(before: State | None, state: State, events: Sequence[Event]) -> Iterator[Count]:
    """The counts of a finished round."""
    if any(event.kind == "phase" and event.data["to"] == ROUND_END for event in events):
        done = cast(Position, state).history[-1]
        if not done.forfeited:
            yield from _of_round(done)


def _of_round(done: Round) -> Iterator[Count]:
    all_voters = {voter for played in done.cards for voter in played.voters}  # with Blind Quote the Storyteller votes too
    voters = all_voters - {done.storyteller}
    found = {v for played in done.cards if played.owner == done.storyteller for v in played.voters if v != done.storyteller}
    if voters:
        yield Count(SPLIT, done.storyteller, int(0 < len(found) < len(voters)))
    for voter in voters:
        yield Count(FOUND, voter, int(voter in found))
    for played in done.cards:
        if played.owner != done.storyteller:
            yield Count(FOOLED, played.owner, len(played.voters), len(all_voters - {played.owner}))
