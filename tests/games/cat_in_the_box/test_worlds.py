"""Worlds of Cat in the Box: each can be played as the match was, and all deals are equally likely."""

from __future__ import annotations

import os
from collections import Counter
from itertools import permutations

from games.cat_in_the_box import State
from games.cat_in_the_box.board import rank_of
from games.cat_in_the_box.cards import cards_of, hand_of
from games.cat_in_the_box.phases import DISCARD, PLAY
from games.cat_in_the_box.position import NOT_YET
from games.cat_in_the_box.resample import excluded_ranks
from games.core import Rng
from tests.games.cat_in_the_box.playing import walk

MATCHES = 4 if os.environ.get("TABLETOP_CAMPAIGN") else 1
MUST = {"follow": "must"}
SMALL = [(2, 1), (2, 8), (3, 38)]
"""Players and seeds of matches that come to a small position (`small_positions`)."""
if MATCHES > 1:
    SMALL += [(2, 20), (2, 29), (2, 34), (2, 40), (3, 79), (3, 87), (3, 89), (3, 96), (3, 100), (4, 46), (4, 55)]
FEW = 7
"""Unseen cards whose orders are all tried."""
DEALS = 1500

Deal = tuple[tuple[int, ...], tuple[int, ...], int]
"""Hands, discards and what is left over."""


def deal_of(state: State) -> Deal:
    return state.hands, state.discards, state.context.aside


def is_possible(state: State, deal: Deal, seat: int | None) -> bool:
    """Whether the round can have been played with these cards, the seat seeing the same all the way."""
    hands, discards, aside = deal
    path = []
    while state.origin[0] is not None:
        path.append(state)
        state = state.origin[0]
    dealt = [[*cards_of(hand), *([discard] if discard else [])] for hand, discard in zip(hands, discards, strict=True)]
    for after in path:
        before, mover, move = after.origin
        if before.phase_id == PLAY:
            dealt[mover].append(rank_of(move))
    world = state._replace(hands=tuple(map(hand_of, dealt)), context=state.context._replace(aside=aside))
    for after in reversed(path):
        _, mover, move = after.origin
        answer = discards[mover] if world.phase_id == DISCARD else move
        if answer not in world.legal_moves(mover):
            return False
        world = world.apply(mover, answer, None)
        if world.view(seat) != after.view(seat):
            return False
    return True


def test_every_world_can_be_played_as_the_match_was() -> None:
    restricted = 0
    for players in (2, 3, 4, 5):
        for seed in range(2 * MATCHES):
            for number, state in enumerate(list(walk(players, seed, **(MUST if seed % 2 else {})))[:-1:4]):
                for seat in (None, number % players):
                    restricted += sum(map(bool, excluded_ranks(state))) > 1
                    world = state.resample(seat, Rng.of(seed, number))
                    assert is_possible(state, deal_of(world), seat)
                    again = world.resample(seat, Rng.of(number))
                    assert is_possible(state, deal_of(again), seat), "a world of a world"
    assert restricted > 4


def possible_deals(state: State, seat: int | None) -> Counter[Deal]:
    """Every deal that agrees with the match, with the number of orders of the unseen cards that lead to it."""
    hands, discards, aside = deal_of(state)
    hidden = [other for other in state.rules.seats if other != seat]
    thrown = [other for other in hidden if discards[other] != NOT_YET]
    unseen = [card for other in hidden for card in cards_of(hands[other])]
    unseen += [discards[other] for other in thrown] + cards_of(aside)
    deals: Counter[Deal] = Counter()
    for order in permutations(unseen):
        cards = iter(order)
        held, gone = list(hands), list(discards)
        for other in hidden:
            held[other] = hand_of([next(cards) for _ in range(hands[other].bit_count())])
        for other in thrown:
            gone[other] = next(cards)
        deals[tuple(held), tuple(gone), hand_of(cards)] += 1
    return Counter({deal: number for deal, number in deals.items() if is_possible(state, deal, seat)})


def small_positions(players: int, seed: int) -> list[State]:
    """Positions of a match in which following is compulsory with few unseen cards and several restricted hands."""
    return [
        state
        for state in walk(players, seed, **MUST)
        if state.phase_id == PLAY
        and sum(hand.bit_count() for hand in state.hands) + players - state.hands[0].bit_count() <= FEW
        and sum(map(bool, excluded_ranks(state)[1:])) > (players > 2)
    ]


def test_every_possible_deal_is_equally_likely_and_there_is_no_other() -> None:
    statistic, degrees = 0.0, 0
    for players, seed in SMALL:
        state = small_positions(players, seed)[0]
        deals = possible_deals(state, 0)
        drawn = Counter(deal_of(state.resample(0, Rng.of(players, seed, word))) for word in range(DEALS))
        assert set(drawn) <= set(deals)
        expected = {deal: DEALS * ways / deals.total() for deal, ways in deals.items()}
        statistic += sum((drawn[deal] - share) ** 2 / share for deal, share in expected.items())
        degrees += len(expected) - 1
    assert degrees > 30
    assert statistic / degrees < 1.6
