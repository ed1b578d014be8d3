"""Counts of measures: a share has no more hits than chances, with any option."""

from __future__ import annotations

import random
from typing import Any

import pytest

import games
from games.search.measure_counts import MeasureCounts

BLIND: dict[str, Any] = {"blind_quote": True, "max_rounds": 6, "target_score": 30}


@pytest.mark.parametrize(("game", "options"), [*((name, {}) for name in games.names()), ("dixiquote", BLIND)])
def test_no_share_has_more_hits_than_chances(game: str, options: dict[str, Any]) -> None:
    rules = games.load(game)
    shares = {measure.name for measure in rules.measures if measure.is_share}
    for seed in range(9):
        players, chance = rules.players[seed % len(rules.players)], random.Random(seed)
        state, counts = rules.begin(players=players, seed=seed, **options), MeasureCounts(rules, players)
        while not state.has_ended:
            state, events = chance.choice(state.actions).next_with_events()
            counts.add(state, events)
            for found in map(counts.to_json, range(players)):
                assert all(hits <= chances for name, (hits, chances) in found.items() if name in shares), (seed, found)
