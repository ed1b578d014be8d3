"""Encodings: whatever differs for a learner differs in numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from games.core import Rng, State
from games.testing.game_checks import GameChecks, sampled


class EncodingChecks(GameChecks):
    """Tests of the numbers for learners, where a game has them."""

    def test_an_action_number_means_one_action(self, some_players: int) -> None:
        for states in self.matches(some_players):
            if self.game.encoding is None:
                return
            code = self.game.encoding(some_players, states[0].setup.options)
            meanings: dict[tuple[int, int, int], str] = {}
            for state in states:
                for seat in state.pending:
                    legal = code.legal(state, seat)
                    assert len(legal) == len(state.actions_of(seat)), "two actions share a number"
                    assert set(legal) <= set(range(code.actions))
                    for number, action in legal.items():
                        words = json.dumps(action.to_json())
                        assert meanings.setdefault((seat, state.phase_id, number), words) == words, "a number has two meanings"

    def test_views_that_differ_are_observed_in_other_numbers(self, some_players: int) -> None:
        """But for the order of what a seat has of its own, and for what lies before the current round."""
        for states in self.matches(some_players):
            if self.game.encoding is None:
                return
            code = self.game.encoding(some_players, states[0].setup.options)
            for number, state in enumerate(sampled(states[:-1], 4)):
                seen: dict[tuple[int, ...], dict[str, Any]] = {}
                for other in others(state, number):
                    for seat in range(some_players):
                        numbers, view = code.observe(other, seat), other.view(seat)
                        assert len(numbers) == code.size
                        assert alike(seen.setdefault(numbers, view), view), "two views share their numbers"


def others(state: State, number: int) -> Iterator[State]:
    """A state, some of its worlds, and what decisions lead to in the same round."""
    yield state
    for word in range(4):
        yield state.resample(None, Rng.of(number, word))
    most = max(2, 6 // len(state.pending))
    for seat in state.pending:
        for after in (state.strike_out(seat), *(action.next_state for action in state.actions_of(seat)[:most])):
            if after.round == state.round and not after.has_ended:
                yield after


def alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two views are the same but for the order of what the seat has of its own."""
    return one == other or {**one, "own": in_order(one["own"])} == {**other, "own": in_order(other["own"])}


def in_order(data: Any) -> Any:
    """JSON data with every list in one order."""
    if isinstance(data, dict):
        return {name: in_order(value) for name, value in data.items()}
    return sorted(map(in_order, data), key=repr) if isinstance(data, list) else data
