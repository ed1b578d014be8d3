"""Remarks on votes: whose card they go to, who finds the Storyteller's, and who takes the lead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from games.core import Event, Remark, State, overtaker, seat_name
from games.dixiquote.phases import VOTE
from games.dixiquote.position import Position, Round

ALONE, ALL, NONE, DECOY, LEAD = "found_alone", "all_found", "none_found", "decoy", "lead"
HIGHLIGHTS = {
    ALONE: "Storytellers found by one voter alone",
    ALL: "Storytellers found by all",
    NONE: "Storytellers found by nobody",
    DECOY: "votes won by another's card",
    LEAD: "lead changes",
}


def remarks(before: State | None, state: State, events: Sequence[Event]) -> Iterator[Remark]:
    """The remarks on a transition."""
    if before is None:
        return
    done = cast("Position", state).history
    for number, event in enumerate(events):
        if event.kind == "own" and before.phase_id == VOTE:
            yield _vote(number, event, cast("Position", before))
        elif event.kind == "card":
            yield from _votes(number, event.data["owner"], done[-1])
        elif event.kind == "score" and (leader := overtaker(before.scores, state.scores)) is not None:
            yield Remark(number, "a new leader", LEAD, leader, 7 if state.has_ended else 4, is_public=True)


def _vote(number: int, event: Event, before: Position) -> Remark:
    """Whose card a vote goes to, which the others learn when all have voted."""
    cards = [None if card is None else before.card(card).id for card in before.submitted]
    owner = cards.index(event.data["card"])
    return Remark(number, "the Storyteller's" if owner == before.storyteller else f"{seat_name(owner)}'s")


def _votes(number: int, owner: int, done: Round) -> Iterator[Remark]:
    """What the votes for a card say about the quote. A vote of the Storyteller says nothing."""
    voters = {voter for played in done.cards for voter in played.voters} - {done.storyteller}
    for_card = {voter for played in done.cards if played.owner == owner for voter in played.voters} - {done.storyteller}
    if len(voters) < 2:
        return
    if owner == done.storyteller:
        yield from _found(number, done.storyteller, for_card, voters)
    elif 2 * len(for_card) > len(voters):
        yield Remark(number, "most votes for another's card", DECOY, owner, min(2 + len(for_card), 7), is_public=True)


def _found(number: int, storyteller: int, found: set[int], voters: set[int]) -> Iterator[Remark]:
    if found == voters:
        yield Remark(number, "all find it", ALL, storyteller, min(1 + len(voters), 7), is_public=True)
    elif not found:
        yield Remark(number, "nobody finds it", NONE, storyteller, min(2 + len(voters), 7), is_public=True)
    elif len(found) == 1:
        yield Remark(number, "found by one alone", ALONE, min(found), min(1 + len(voters), 7), is_public=True)
