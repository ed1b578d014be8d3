"""A position drawn from a seat's information set.

The unseen cards are dealt so that they agree with the hand sizes and with what the plays show. A leader who opened red had
no other play (rule 10). With follow=must, a player who left the led colour could not follow. The player to act has a legal
play, if there is no paradox.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from math import comb

from games.cat_in_the_box.actions import red_is_broken, with_playable
from games.cat_in_the_box.board import ALL_CELLS, NOT_RED, PATTERN, RED, ROW_OF, WIDTH, neutral_cells
from games.cat_in_the_box.cards import cards_of, hand_of
from games.cat_in_the_box.phases import PLAY
from games.cat_in_the_box.position import NOT_YET, P, Position
from games.cat_in_the_box.scoring import winning_seat
from games.core import Rng
from games.core.rng import replaced

Indexes = tuple[int, ...]
Group = tuple[int, Indexes]
"""A number of cards, and the indexes of the restricted hands that may hold them."""


def resample(position: P, seat: int | None, rng: Rng) -> P:
    """A position drawn from the information set of a seat (None: a spectator).

    Every deal of the unseen cards that agrees with what is known is equally likely, cards of one rank told apart. What the
    others discard, bid and play counts as equally likely with all hands that allow it.
    """
    unseen = _unseen(position, seat)
    excluded = excluded_ranks(position)
    while True:
        dealt = _deal(position, seat, unseen, excluded, rng)
        if dealt.playable or dealt.phase_id != PLAY:
            return dealt


def _knows_hand(position: Position, seat: int | None, other: int) -> bool:
    return other in (seat, position.context.paradox)


def _unseen(position: Position, seat: int | None) -> list[int]:
    """The cards whose place the seat does not know."""
    cards = cards_of(position.context.aside)
    for other in position.rules.seats:
        if not _knows_hand(position, seat, other):
            cards += cards_of(position.hands[other])
        if other != seat and position.discards[other] != NOT_YET:
            cards.append(position.discards[other])
    return sorted(cards)


def _deal(position: P, seat: int | None, unseen: list[int], excluded: list[int], rng: Rng) -> P:
    """A deal in which no hand has an excluded rank; each one is equally likely."""
    hands, discards = list(position.hands), list(position.discards)
    others = [other for other in position.rules.seats if not _knows_hand(position, seat, other)]
    restricted = [other for other in others if excluded[other]]
    held, rest = _restricted_hands(position, restricted, excluded, rng.shuffled(unseen), rng)
    for other in others:
        hands[other] = hand_of(held[other] if other in held else [rest.pop() for _ in range(hands[other].bit_count())])
    for other in position.rules.seats:
        if other != seat and discards[other] != NOT_YET:
            discards[other] = rest.pop()
    context = position.context._replace(aside=hand_of(rest), chance=rng.next())
    return with_playable(position._replace(context=context, hands=tuple(hands), discards=tuple(discards)))


def _restricted_hands(
    position: Position, seats: list[int], excluded: list[int], cards: tuple[int, ...], rng: Rng
) -> tuple[dict[int, list[int]], list[int]]:
    """Hands for the seats that cannot hold some ranks, and the cards left for the others, both in random order."""
    if not seats:
        return {}, list(cards)
    piles = _piles(seats, excluded, cards)
    order = sorted(piles)
    missing = [position.hands[seat].bit_count() for seat in seats]
    held: dict[int, list[int]] = {seat: [] for seat in seats}
    for at, allowed in enumerate(order):
        later = tuple((len(piles[other]), other) for other in order[at + 1 :])
        for place, index in enumerate(allowed):
            groups = ((len(piles[allowed]), allowed[place:]), *later)
            number = rng.weighted(tuple(accumulate(_deals(groups, tuple(missing)))))
            missing[index] -= number
            held[seats[index]] += [piles[allowed].pop() for _ in range(number)]
    return held, list(rng.shuffled([card for allowed in order for card in piles[allowed]]))


def _piles(seats: Sequence[int], excluded: Sequence[int], cards: Iterable[int]) -> dict[Indexes, list[int]]:
    """The cards by the indexes of the seats that may hold them."""
    piles: dict[Indexes, list[int]] = {}
    for card in cards:
        allowed = tuple(index for index, seat in enumerate(seats) if not excluded[seat] >> card & 1)
        piles.setdefault(allowed, []).append(card)
    return piles


def chance_without(position: Position, seat: int, other: int, ranks: int) -> float:
    """The probability that another player's hand has none of these ranks, given as bits, by what a seat knows of the cards."""
    if _knows_hand(position, seat, other):
        return float(not position.hands[other] & ranks)
    unseen, excluded = _unseen(position, seat), excluded_ranks(position)
    seats = [one for one in position.rules.seats if not _knows_hand(position, seat, one) and (excluded[one] or one == other)]
    missing = tuple(position.hands[one].bit_count() for one in seats)

    def deals() -> int:
        piles = _piles(seats, excluded, unseen)
        return sum(_deals(tuple((len(piles[allowed]), allowed) for allowed in sorted(piles)), missing))

    every = deals()
    excluded[other] |= ranks
    return deals() / every


@lru_cache(maxsize=1 << 15)
def _deals(groups: tuple[Group, ...], missing: tuple[int, ...]) -> tuple[int, ...]:
    """How many deals there are by the number of cards of the first group that go to the first hand allowed for it.

    `missing` are the numbers of cards that the restricted hands still need.
    """
    if not groups:
        return (int(not any(missing)),)
    (size, allowed), *later = groups
    if not allowed:
        return _deals(tuple(later), missing)
    index = allowed[0]
    return tuple(
        comb(size, number)
        * sum(_deals(((size - number, allowed[1:]), *later), replaced(missing, index, missing[index] - number)))
        for number in range(min(size, missing[index]) + 1)
    )


def excluded_ranks(position: Position) -> list[int]:
    """For each seat the ranks, as bits, that it cannot hold, given its plays in this round."""
    rules = position.rules
    free = rules.board & ~neutral_cells(position.context.revealed)
    x_rows = [ALL_CELLS] * rules.players
    excluded = [0] * rules.players
    seat = leader = position.start_player
    for place, cell in enumerate(position.plays):
        bit = 1 << cell
        if place % rules.players == 0:
            led = ROW_OF[cell]
            if bit & RED and rules.red_waits and not red_is_broken(rules, free):
                excluded[seat] |= ranks_of(free & x_rows[seat] & NOT_RED)
        elif not bit & led:
            if rules.must_follow:
                excluded[seat] |= ranks_of(free & x_rows[seat] & led)
            x_rows[seat] &= ~led
        free ^= bit
        seat = (seat + 1) % rules.players
        if seat == leader:
            seat = leader = winning_seat(position.plays[place + 1 - rules.players : place + 1], leader, rules.players)
    return excluded


def ranks_of(mask: int) -> int:
    """The ranks of some cells, as bits."""
    return (mask | mask >> WIDTH | mask >> 2 * WIDTH | mask >> 3 * WIDTH) & PATTERN << 1
