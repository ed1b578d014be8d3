"""A position drawn from a seat's information set."""

from __future__ import annotations

from games.core import Rng
from games.dixiquote.actions import legal_actions
from games.dixiquote.phases import VOTE
from games.dixiquote.position import P, Position


def resample(position: P, seat: int | None, rng: Rng) -> P:
    """A position drawn from the information set of a seat (None: a spectator).

    The seat cannot know the hands of the others, the order of the deck, who played which card, and the votes of others.
    """
    on_table = position.phase_id == VOTE
    submitted = _shuffled_owners(position, seat, rng) if on_table else list(position.submitted)
    pool = rng.shuffled(_unseen(position, seat))
    hands, start = list(position.hands), 0
    for other, hand in enumerate(position.hands):
        if other == seat:
            continue
        played = submitted[other]
        kept = [played] if on_table and played is not None else []
        end = start + len(hand) - len(kept)
        hands[other] = tuple(sorted([*kept, *pool[start:end]]))
        start = end
        if not on_table and played is not None:
            submitted[other] = rng.choice(hands[other])
    dealt = position._replace(origin=None, hands=tuple(hands), deck=pool[start:], submitted=tuple(submitted), chance=rng.next())
    return dealt._replace(votes=_votes(dealt, seat, rng))


def _unseen(position: Position, seat: int | None) -> list[int]:
    """The cards that the seat sees neither in its hand nor on the table: in other hands, then in the deck."""
    known = {*position.table, *(() if seat is None else position.hands[seat])}
    return [card for cards in (*position.hands, position.deck) for card in cards if card not in known]


def _shuffled_owners(position: Position, seat: int | None, rng: Rng) -> list[int | None]:
    """The cards on the table dealt among the other seats that submitted."""
    owners = [owner for owner, card in enumerate(position.submitted) if card is not None and owner != seat]
    submitted = list(position.submitted)
    for owner, card in zip(owners, rng.shuffled([submitted[owner] for owner in owners]), strict=True):
        submitted[owner] = card
    return submitted


def _votes(position: Position, seat: int | None, rng: Rng) -> tuple[int | None, ...]:
    return tuple(
        vote if vote is None or voter == seat else rng.choice(legal_actions(position, voter))
        for voter, vote in enumerate(position.votes)
    )
