"""A position drawn from a seat's information set.

The unseen cards are dealt so that they agree with the hand sizes and with what the plays show. A leader who opened red had
no other play (rule 10). With follow=must, a player who left the led colour could not follow. The player to act has a legal
play, if there is no paradox.
"""

from __future__ import annotations

from games.cat_in_the_box.actions import red_is_broken, with_playable
from games.cat_in_the_box.board import ALL_CELLS, NOT_RED, PATTERN, RED, ROW_OF, WIDTH, neutral_cells
from games.cat_in_the_box.cards import cards_of, hand_of
from games.cat_in_the_box.phases import PLAY
from games.cat_in_the_box.position import NOT_YET, P, Position
from games.cat_in_the_box.scoring import winning_seat
from games.core import Rng


def resample(position: P, seat: int | None, rng: Rng) -> P:
    """A position drawn from the information set of a seat (None: a spectator).

    Every deal that agrees with what is known is possible, and all are equally likely as long as the plays show something
    about one hand at most.
    """
    unseen = _unseen(position, seat)
    excluded = excluded_ranks(position)
    while True:
        dealt = _deal(position, seat, unseen, excluded, rng)
        if dealt is not None and (dealt.playable or dealt.phase_id != PLAY):
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


def _deal(position: P, seat: int | None, unseen: list[int], excluded: list[int], rng: Rng) -> P | None:
    """One attempt: the hands that the plays show most about first; None when the cards for one run out."""
    pool = list(unseen)
    hands, discards = list(position.hands), list(position.discards)
    for other in sorted(position.rules.seats, key=lambda other: -excluded[other].bit_count()):
        if _knows_hand(position, seat, other):
            continue
        possible = [card for card in pool if not excluded[other] >> card & 1]
        size = position.hands[other].bit_count()
        if len(possible) < size:
            return None
        hand = rng.shuffled(possible)[:size]
        hands[other] = hand_of(hand)
        for card in hand:
            pool.remove(card)
    rest = list(rng.shuffled(pool))
    for other in position.rules.seats:
        if other != seat and discards[other] != NOT_YET:
            discards[other] = rest.pop()
    context = position.context._replace(aside=hand_of(rest), chance=rng.next())
    return with_playable(position._replace(origin=None, context=context, hands=tuple(hands), discards=tuple(discards)))


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
                excluded[seat] |= _ranks(free & x_rows[seat] & NOT_RED)
        elif not bit & led:
            if rules.must_follow:
                excluded[seat] |= _ranks(free & x_rows[seat] & led)
            x_rows[seat] &= ~led
        free ^= bit
        seat = (seat + 1) % rules.players
        if seat == leader:
            seat = leader = winning_seat(position.plays[place + 1 - rules.players : place + 1], leader, rules.players)
    return excluded


def _ranks(mask: int) -> int:
    """The ranks of some cells, as bits."""
    return (mask | mask >> WIDTH | mask >> 2 * WIDTH | mask >> 3 * WIDTH) & PATTERN << 1
