"""Propositions of DixiQuote: which card is the Storyteller's, and how many will find it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

from games.core import Proposition, counted
from games.dixiquote.batches import batches
from games.dixiquote.phases import QUOTE, VOTE
from games.dixiquote.position import Position


def propositions(position: Position, seat: int) -> Sequence[Proposition]:
    """For a voter each card that may be the Storyteller's; for the Storyteller each number of voters who may find it."""
    if position.phase_id == VOTE:
        return [
            Proposition(f"[{position.card(card).id}] is the Storyteller's", partial(_is, card), "card", chance)
            for card, chance in _chances(position, seat).items()
        ]
    if position.phase_id == QUOTE:
        number = position.round
        return [
            Proposition(f"{counted(voters, 'voter')} will find your card", partial(_found, number, voters), "voters")
            for voters in range(position.setup.players)
        ]
    return ()


def _chances(position: Position, seat: int) -> dict[int, float]:
    """The probability of each card on the table that is not the seat's own to be the Storyteller's. A deal of the cards among
    those who submitted counts in proportion to the number of hands it can come from."""
    known, teller = batches(position), position.storyteller
    others = [owner for owner, card in enumerate(position.submitted) if card is not None and owner not in (seat, teller)]
    cards = frozenset(card for card in position.table if card != position.submitted[seat])

    def held(owner: int, card: int) -> int:
        return known.held[owner][known.batch_of[card]]

    @cache
    def ways(left: frozenset[int]) -> int:
        """In how many ways these cards are those of the last of the other owners."""
        return sum(held(others[-len(left)], card) * ways(left - {card}) for card in left) if left else 1

    found = {card: held(teller, card) * ways(cards - {card}) for card in position.table if card in cards}
    return {card: number / sum(found.values()) for card, number in found.items()}


def _is(card: int, world: Position) -> bool:
    return world.submitted[world.storyteller] == card


def _found(number: int, voters: int, world: Position) -> bool | None:
    """Whether the Storyteller of a round was found by as many; None during the round, or if it was forfeited."""
    done = next((done for done in world.history if done.number == number and not done.forfeited), None)
    if done is None:
        return None
    return len(next(card for card in done.cards if card.owner == done.storyteller).voters) == voters
