"""The rewards of a match: what winners get, the others lose."""

from __future__ import annotations

import random

import games
from games.learning.rewards import rewards


def test_winners_share_the_stakes() -> None:
    rng, state = random.Random(3), games.load("coup").begin(players=3, seed=3)
    assert rewards(state) == (0.0, 0.0, 0.0)
    while not state.has_ended:
        state = rng.choice(state.actions).next_state
    assert sum(rewards(state)) == 0
    assert sorted(rewards(state)) == [-1.0, -1.0, 2.0]
