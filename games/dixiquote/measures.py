"""How often a quote hit the mark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from games.core import Count, Event, Measure
from games.dixiquote.phases import ROUND_END

if TYPE_CHECKING:
    from games.core import State as CoreState
    from games.dixiquote.state import Round, State

SPLIT = "quote split the vote"
FOUND = "found the Storyteller's card"
FOOLED = "votes won by own card"
MEASURES = (
    Measure(SPLIT, "rounds as Storyteller in which some, but not all, voted for the Storyteller's card"),
    Measure(FOUND, "votes cast for the Storyteller's card"),
    Measure(FOOLED, "votes of others that went to the card submitted to somebody else's quote"),
)


def counts(before: CoreState | None, state: CoreState, events: Sequence[Event]) -> Iterator[Count]:
    """What a finished round adds."""
    if any(event.kind == "phase" and event.data["to"] == ROUND_END for event in events):
        done: Round = cast("State", state).history[-1]
        if not done.forfeited:
            yield from _of_round(done)


def _of_round(done: Round) -> Iterator[Count]:
    voters = {voter for played in done.cards for voter in played.voters if voter != done.storyteller}
    found = {v for played in done.cards if played.owner == done.storyteller for v in played.voters if v != done.storyteller}
    if voters:
        yield Count(SPLIT, done.storyteller, int(0 < len(found) < len(voters)))
    for voter in voters:
        yield Count(FOUND, voter, int(voter in found))
    for played in done.cards:
        if played.owner != done.storyteller:
            yield Count(FOOLED, played.owner, len(played.voters), len(voters - {played.owner}))
