"""Random matches, followed move by move by the plain second implementation."""

from __future__ import annotations

import os
import random
from collections import Counter
from itertools import product
from typing import Any

import pytest

from games.core import seat_name
from games.coup import GAME, State
from tests.games.coup.plain import PlainCoup

VARIANTS: list[dict[str, Any]] = [
    dict(
        zip(
            ("proof_swap", "refund_on_challenge", "steal_from_exiled", "steal_requires_coins", "may_concede"),
            values,
            strict=True,
        )
    )
    for values in product(("draw_then_return", "return_shuffle_draw"), *[(True, False)] * 4)
]
OTHERS: list[dict[str, Any]] = [
    {"block_challenge_order": order, "max_turns": turns} for order in ("from_blocker", "from_actor") for turns in (None, 1, 12)
]
FOR_TWO: list[dict[str, Any]] = [
    {"draft": draft, "two_player_start_coin": coins} for draft in (False, True) for coins in (1, 2)
]

MATCHES = 80 if "TABLETOP_CAMPAIGN" in os.environ else 40
"""The matches by the default rules for each number of players."""


class Luck:
    """The cards the followed match has drawn, for the plain one to draw."""

    def __init__(self) -> None:
        self.cards: list[str] = []

    def __call__(self, deck: list[str]) -> str:
        assert self.cards[0] in deck
        return self.cards.pop(0)


def drawn(before: State, after: State, seat: int, answer: dict[str, Any]) -> list[str]:
    """The cards that came out of the deck between two states."""
    if "show" in answer:
        slot = next(i for i in range(2) if before.hands[seat].slots[i] == answer["show"] and not before.hands[seat].up[i])
        return [after.hands[seat].slots[slot]]
    if before.phase_id == 1 and after.phase_id == 3:
        start = after.turn.actor
        return [after.hands[start].slots[1], after.hands[1 - start].slots[1]]
    return list(after.drawn) if after.phase_id == 22 else []


def same(answers: list[dict[str, str]]) -> list[list[tuple[str, str]]]:
    return sorted(sorted(answer.items()) for answer in answers)


def compare(state: State, plain: PlainCoup) -> None:
    assert state.phase_id == plain.phase
    assert list(state.pending) == plain.waiting
    assert state.player_states == plain.player_states()
    assert list(state.deck) == sorted(plain.deck)
    assert Counter(state.drawn) == Counter(plain.drawn)
    assert state.round == plain.turn
    assert list(state.winners) == plain.winners()
    assert state.has_ended == plain.over
    for seat in range(state.setup.players):
        assert same([action.to_json() for action in state.actions_of(seat)]) == same(plain.legal(seat))


def follow(players: int, seed: int, strike_rate: float, **options: Any) -> State:
    """Play a random match in both, comparing everything after each decision."""
    rng = random.Random(seed)
    state = GAME.begin(players=players, seed=seed, **options)
    assert isinstance(state, State)
    luck = Luck()
    hands = [list(hand.slots) for hand in state.hands]
    plain = PlainCoup(hands, list(state.coins), list(state.deck), state.turn.actor, state.setup.options, luck)
    compare(state, plain)
    while not state.has_ended:
        seat = rng.choice(state.pending)
        struck = rng.random() < strike_rate
        action = rng.choice(state.actions_of(seat))
        after = state.strike_out(seat) if struck else action.next_state
        luck.cards = drawn(state, after, seat, {"show": state.claim} if state.phase_id in (6, 15) else {})
        if struck:
            plain.strike_out(seat)
        else:
            plain.answer(seat, action.to_json())
        assert luck.cards == []
        assert list(after.path) == plain.path
        state = after
        compare(state, plain)
    return state


@pytest.mark.parametrize("players", GAME.players)
def test_both_agree_in_every_combination_of_options(players: int) -> None:
    others = [{**other, **two} for other in OTHERS for two in FOR_TWO] if players == 2 else OTHERS
    for number, variant in enumerate(VARIANTS * 2):
        follow(players, number, 0.03 * (number % 2), **variant, **others[number % len(others)])


@pytest.mark.parametrize("players", GAME.players)
def test_both_agree_by_the_default_rules(players: int) -> None:
    winners = Counter(
        follow(players, 1000 + seed, 0.0).winners for seed in range(80 if "TABLETOP_CAMPAIGN" in os.environ else 40)
    )
    assert len(winners) == players


def test_both_agree_when_nothing_but_strike_outs_happens() -> None:
    for players in GAME.players:
        state = follow(players, players, 1.0, max_turns=60)
        assert [seat_name(seat) for seat in state.winners]
