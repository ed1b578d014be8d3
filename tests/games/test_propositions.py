"""Propositions: chances that the games count are those of the worlds, which they are the share of in the long run."""

from __future__ import annotations

from typing import Any

import pytest

import games
from games.core import Rng

WORLDS = 400
COUNTED: dict[str, list[dict[str, Any]]] = {
    "cat_in_the_box": [{"players": 3}, {"players": 4, "follow": "must"}],
    "dixiquote": [{"players": 4}, {"players": 3, "deck_end": "reshuffle", "target_score": 60}],
}


def asked(game: str, options: dict[str, Any]) -> Any:
    """The states of a match in which a seat is asked about propositions with a chance."""
    rules, rng = games.load(game), Rng.of("propositions", game)
    state = rules.begin(seed=4, **options)
    while state.pending:
        seat = state.pending[0]
        if any(one.chance is not None for one in rules.propositions(state, seat)):
            yield state, seat, rules.propositions(state, seat)
        state = rules.bots["random"](state, seat, rng).next_state


@pytest.mark.parametrize(("game", "options"), [(game, options) for game, some in COUNTED.items() for options in some])
def test_a_counted_chance_is_the_share_of_worlds(game: str, options: dict[str, Any]) -> None:
    found, rng = [*asked(game, options)], Rng(7)
    for state, seat, propositions in found[:: max(1, len(found) // 5)]:
        worlds = [state.resample(seat, rng) for _ in range(WORLDS)]
        for one in propositions:
            share = sum(one.holds(world) is True for world in worlds) / WORLDS
            error = max(one.chance * (1 - one.chance) / WORLDS, 0) ** 0.5
            assert abs(share - one.chance) <= 4.5 * error + 1e-9
    assert len(found) > 8


@pytest.mark.parametrize("players", [3, 4, 6])
def test_each_card_is_as_likely_the_storyteller_s(players: int) -> None:
    """Cards of one deck are alike: with n voters each of the n cards of others has one chance in n."""
    _, _, propositions = next(asked("dixiquote", {"players": players}))
    assert [one.chance for one in propositions] == pytest.approx([1 / (players - 1)] * (players - 1))
