"""Propositions of DixiQuote: which card is the Storyteller's, and how many will find it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from games.core import Proposition, counted
from games.dixiquote.phases import QUOTE, VOTE
from games.dixiquote.position import Position


def propositions(position: Position, seat: int) -> Sequence[Proposition]:
    """For a voter each card that may be the Storyteller's; for the Storyteller each number of voters who may find it."""
    if position.phase_id == VOTE:
        cards = (card for card in position.table if card != position.submitted[seat])
        return [Proposition(f"[{position.card(card).id}] is the Storyteller's", partial(_is, card), "card") for card in cards]
    if position.phase_id == QUOTE:
        number = position.round
        return [
            Proposition(f"{counted(voters, 'voter')} will find your card", partial(_found, number, voters), "voters")
            for voters in range(position.setup.players)
        ]
    return ()


def _is(card: int, world: Position) -> bool:
    return world.submitted[world.storyteller] == card


def _found(number: int, voters: int, world: Position) -> bool | None:
    """Whether the Storyteller of a round was found by as many; None during the round, or if it was forfeited."""
    done = next((done for done in world.history if done.number == number and not done.forfeited), None)
    if done is None:
        return None
    return len(next(card for card in done.cards if card.owner == done.storyteller).voters) == voters
