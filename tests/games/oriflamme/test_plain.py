"""The rules against a second, plain implementation, move by move."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.oriflamme import State
from games.oriflamme.cards import TYPES, names_of
from games.oriflamme.stack import cards_of
from tests.games.oriflamme.plain import FAMILY, Plain

CHOICES: dict[str, tuple[Any, ...]] = {
    "decree_stacking": ("own_family", "forbidden"),
    "ambush_own": ("two_points_both_leave", "one_point_attacker_stays"),
    "assassination_self": (False, True),
    "shifter_noop": (True, False),
    "lord_counts_covered": (False, True),
    "spy_may_pick_self": (False, True),
    "decree_null_move": (False, True),
}


def _key(answer: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(answer.items())


def _compare(state: State, plain: Plain) -> None:
    assert state.has_ended == plain.over
    assert state.actor == plain.actor
    assert state.round == plain.round
    assert list(state.scores) == plain.points
    ours = [
        [(TYPES[card.kind].name, card.owner, card.revealed, card.tokens) for card in cards_of(stack)] for stack in state.queue
    ]
    theirs = [[(card.name, card.owner, card.revealed, card.tokens) for card in stack] for stack in plain.queue]
    assert ours == theirs
    assert [names_of(hand) for hand in state.hands] == [sorted(hand, key=FAMILY.index) for hand in plain.hands]
    assert [names_of(gone) for gone in state.gone] == [sorted(pile, key=FAMILY.index) for pile in plain.piles]
    if not plain.over:
        answers = [_key(action.to_json()) for action in state.actions]
        assert len(set(answers)) == len(answers)
        assert set(answers) == set(map(_key, plain.legal()))


def _follow(seed: int, players: int, options: dict[str, Any], chance: random.Random) -> None:
    state = State.begin(players=players, seed=seed, **options)
    plain = Plain([names_of(hand) for hand in state.hands], **options)
    _compare(state, plain)
    while not state.has_ended:
        action = chance.choice(state.actions)
        plain.do(action.to_json())
        state = action.next_state
        _compare(state, plain)
    assert list(state.winners) == plain.winners()


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("block", range(4))
def test_random_matches_are_the_same_in_both(players: int, block: int) -> None:
    chance = random.Random(f"{players} {block}")
    for match in range(12):
        options = {name: chance.choice(values) for name, values in CHOICES.items()}
        _follow(1000 * block + match, players, options, chance)


@pytest.mark.parametrize("players", [3, 5])
def test_default_matches_are_the_same_in_both(players: int) -> None:
    chance = random.Random(players)
    for match in range(20):
        _follow(match, players, {}, chance)
