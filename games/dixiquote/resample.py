"""A position drawn from a seat's information set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from games.core import Rng
from games.dixiquote.actions import legal_actions
from games.dixiquote.batches import Batches, batches
from games.dixiquote.phases import VOTE
from games.dixiquote.position import P, Position


def resample(position: P, seat: int | None, rng: Rng) -> P:
    """A position drawn from the information set of a seat (None: a spectator).

    The seat cannot know the hands of the others, the order of the deck, who played which card, and the votes of others. It
    knows how many cards of each batch a hand holds.
    """
    on_table = position.phase_id == VOTE
    known = batches(position)
    submitted = _owners(position, seat, known, rng) if on_table else list(position.submitted)
    pools = _pools(position, seat, known, rng)
    hands = list(position.hands)
    for other in range(len(hands)):
        if other == seat:
            continue
        played = submitted[other]
        kept = [played] if on_table and played is not None else []
        missing = known.held[other] - Counter(known.batch_of[card] for card in kept)
        hands[other] = tuple(sorted([*kept, *_drawn(pools, missing)]))
        if not on_table and played is not None:
            submitted[other] = rng.choice(hands[other])
    deck = tuple(card for pool in pools.values() for card in pool)
    dealt = position._replace(hands=tuple(hands), deck=deck, submitted=tuple(submitted), chance=rng.next())
    return dealt._replace(votes=_votes(dealt, seat, rng))


def _pools(position: Position, seat: int | None, known: Batches, rng: Rng) -> dict[int, list[int]]:
    """The cards that the seat sees neither in its hand nor on the table, shuffled, by batch."""
    seen = {*position.table, *(() if seat is None else position.hands[seat])}
    unseen = sorted(card for cards in (*position.hands, position.deck) for card in cards if card not in seen)
    pools: dict[int, list[int]] = {}
    for card in rng.shuffled(unseen):
        pools.setdefault(known.batch_of[card], []).append(card)
    return pools


def _drawn(pools: Mapping[int, list[int]], missing: Counter[int]) -> list[int]:
    return [pools[batch].pop() for batch in missing.elements()]


def _owners(position: Position, seat: int | None, known: Batches, rng: Rng) -> list[int | None]:
    """The cards on the table dealt among the other seats that submitted.

    A deal counts in proportion to the number of hands it can come from.
    """
    owners = [owner for owner, card in enumerate(position.submitted) if card is not None and owner != seat]
    cards = sorted(card for owner, card in enumerate(position.submitted) if card is not None and owner != seat)
    while True:
        dealt = rng.shuffled(cards)
        pairs = list(zip(owners, dealt, strict=True))
        if all(_is_drawn(position, owner, card, known, rng) for owner, card in pairs):
            submitted = dict(pairs)
            return [submitted.get(owner, card) for owner, card in enumerate(position.submitted)]


def _is_drawn(position: Position, owner: int, card: int, known: Batches, rng: Rng) -> bool:
    """Whether a random card of the hand is of the batch of this card."""
    held, size = known.held[owner][known.batch_of[card]], len(position.hands[owner])
    return held == size or rng.below(size) < held


def _votes(position: Position, seat: int | None, rng: Rng) -> tuple[int | None, ...]:
    return tuple(
        vote if vote is None or voter == seat else rng.choice(legal_actions(position, voter))
        for voter, vote in enumerate(position.votes)
    )
