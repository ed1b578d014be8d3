"""Dealing anew what a seat cannot know.

What the others hold is any deal of the unseen cards that agrees with the hand sizes and with what the plays tell: a leader
who opened red had no other play (rule 10), under follow=must a player who left the led colour could not follow, and a
player to act who is not in a paradox has a legal play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.cat_in_the_box.board import ALL_CELLS, NOT_RED, PATTERN, RED, ROW_OF, WIDTH
from games.cat_in_the_box.cards import cards_of, hand_of
from games.cat_in_the_box.legality import playable_cells, red_is_broken
from games.cat_in_the_box.phases import PLAY
from games.cat_in_the_box.rounds import NOT_YET
from games.cat_in_the_box.scoring import winning_seat
from games.cat_in_the_box.table import neutral_cells
from games.core import Rng

if TYPE_CHECKING:
    from games.cat_in_the_box.state import State


def resample(state: State, seat: int | None, rng: Rng) -> State:
    """A state drawn from the information set of a seat (None: a spectator).

    Every deal that agrees with what is known can come, all equally likely while the plays tell something about one hand at
    most.
    """
    unseen = _unseen(state, seat)
    excluded = excluded_ranks(state)
    while True:
        dealt = _deal(state, seat, unseen, excluded, rng)
        if dealt is not None and (dealt.playable or dealt.phase_id != PLAY):
            return dealt


def _knows_hand(state: State, seat: int | None, other: int) -> bool:
    return other in (seat, state.frame.paradox)


def _unseen(state: State, seat: int | None) -> list[int]:
    """The cards that the seat cannot place, all together."""
    cards = cards_of(state.frame.aside)
    for other in state.table.seats:
        if not _knows_hand(state, seat, other):
            cards += cards_of(state.hands[other])
        if other != seat and state.discards[other] != NOT_YET:
            cards.append(state.discards[other])
    return sorted(cards)


def _deal(state: State, seat: int | None, unseen: list[int], excluded: list[int], rng: Rng) -> State | None:
    """One attempt: the hands the plays tell most about first; None when their cards have run out."""
    pool = list(unseen)
    hands, discards = list(state.hands), list(state.discards)
    for other in sorted(state.table.seats, key=lambda other: -excluded[other].bit_count()):
        if _knows_hand(state, seat, other):
            continue
        possible = [card for card in pool if not excluded[other] >> card & 1]
        size = state.hands[other].bit_count()
        if len(possible) < size:
            return None
        hand = rng.shuffled(possible)[:size]
        hands[other] = hand_of(hand)
        for card in hand:
            pool.remove(card)
    rest = list(rng.shuffled(pool))
    for other in state.table.seats:
        if other != seat and discards[other] != NOT_YET:
            discards[other] = rest.pop()
    playable = 0
    if state.phase_id == PLAY:
        turn = state.pending[0]
        playable = playable_cells(state.table, hands[turn], state.x_tokens[turn], state.free, state.led)
    return state._replace(
        origin=None,
        frame=state.frame._replace(aside=hand_of(rest), chance=rng.next()),
        hands=tuple(hands),
        discards=tuple(discards),
        playable=playable,
    )


def excluded_ranks(state: State) -> list[int]:
    """For each seat the ranks, as bits, that its plays in this round show it not to hold."""
    table = state.table
    free = table.board & ~neutral_cells(state.frame.revealed)
    x_rows = [ALL_CELLS] * table.players
    excluded = [0] * table.players
    seat = leader = state.start_player
    for place, cell in enumerate(state.plays):
        bit = 1 << cell
        if place % table.players == 0:
            led = ROW_OF[cell]
            if bit & RED and table.red_waits and not red_is_broken(table, free):
                excluded[seat] |= _ranks(free & x_rows[seat] & NOT_RED)
        elif not bit & led:
            if table.must_follow:
                excluded[seat] |= _ranks(free & x_rows[seat] & led)
            x_rows[seat] &= ~led
        free ^= bit
        seat = (seat + 1) % table.players
        if seat == leader:
            seat = leader = winning_seat(state.plays[place + 1 - table.players : place + 1], leader)
    return excluded


def _ranks(mask: int) -> int:
    """The ranks of some cells, as bits."""
    return (mask | mask >> WIDTH | mask >> 2 * WIDTH | mask >> 3 * WIDTH) & PATTERN << 1
