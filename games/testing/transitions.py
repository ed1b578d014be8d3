"""Transitions: states are immutable values, and the phase graph tells how they follow one another."""

from __future__ import annotations

import json
import random
from itertools import pairwise

from games.core import PHASE, Phases, State
from games.core.state import values
from games.testing.game_checks import GameChecks, refusal, sampled
from games.testing.random_play import begin, told_walk, variants


class TransitionChecks(GameChecks):
    """Tests of states and of what follows from them."""

    def test_an_old_state_stays_as_it_was(self, players: int) -> None:
        for states in self.matches(players):
            for state in sampled(states[:-1], 10):
                before, actions = json.dumps(state.to_json()), [action.to_json() for action in state.actions]
                for seat in state.pending:
                    for action in state.actions_of(seat)[:20]:
                        _ = action.next_state
                    state.strike_out(seat)
                _ = state.events
                assert json.dumps(state.to_json()) == before
                assert [action.to_json() for action in state.actions] == actions
                refusal(AttributeError, setattr, state, "phase_id", 1)

    def test_a_state_goes_through_json_and_compares_by_value(self, players: int) -> None:
        for states in self.matches(players):
            for state in sampled(states, 15):
                again = self.game.from_json(json.loads(json.dumps(state.to_json())))
                assert again == state
                assert hash(again) == hash(state)
                assert again.to_json() == state.to_json()
                assert again.pending == state.pending
                assert [action.to_json() for action in again.actions] == [action.to_json() for action in state.actions]
            assert len(set(states)) > len(states) // 2
            assert states[0] != states[-1]

    def test_a_transition_gives_the_same_state_every_time(self, players: int) -> None:
        for states in self.matches(players):
            for state in sampled(states[:-1], 10):
                restored = self.game.from_json(state.to_json())
                for action, other in zip(state.actions[:10], restored.actions[:10], strict=True):
                    assert action.next_state == other.next_state
                assert state.strike_out(state.pending[-1]) == restored.strike_out(state.pending[-1])

    def test_a_strike_out_brings_the_match_forward(self, players: int) -> None:
        for states in self.matches(players):
            for state in sampled(states[:-1]):
                for seat in state.pending:
                    after = state.strike_out(seat)
                    penalties = [event for event in after.events if event.kind == "penalty"]
                    assert [event.data["seat"] for event in penalties] == [seat]
                    assert seat not in after.pending or after.path
                for seat in set(range(players)) - set(state.pending):
                    assert "owes no decision" in refusal(ValueError, state.strike_out, seat)

    def test_every_transition_is_an_edge_and_every_edge_happens(self) -> None:
        phases, ways = self.game.phases, variants(self.game)
        edges = {(phase.id, edge.to) for phase in phases for edge in phase.edges}
        assert {to for _, to in edges} <= {phase.id for phase in phases}
        taken: set[tuple[int, int]] = set()
        for seed in range(1500):
            variant = ways[seed // 2 % len(ways)] if seed % 2 else {}
            state = begin(self.game, self.game.players[seed % len(self.game.players)], seed, variant)
            if state is None:
                continue
            assert not wrong_start(state, edges)
            at = phases[0].id
            for step, events in told_walk(state, random.Random(seed), strike_rate=0.1 if seed % 5 == 0 else 0.0):
                for to in (event.data["to"] for event in events if event.kind == PHASE):
                    taken.add((at, to))
                    at = to
                assert at == step.phase_id
            assert not (taken - edges), f"no edge of the phase graph: {named(phases, taken - edges)}"
            if taken == edges and seed > max(30, 2 * len(ways)):
                return
        assert not (edges - taken), f"never taken: {named(phases, edges - taken)}"

    def test_equal_and_unequal_always_disagree(self) -> None:
        states = [state for state, _ in self.steps(self.game.default_players, 2)]
        again = [self.game.from_json(state.to_json()) for state in states]
        for one in states[::4]:
            unlike: tuple[object, ...] = (None, values(one), one.to_json())
            for other in (*again[::4], *unlike):
                assert (one == other) is not (one != other)
                assert (other == one) is not (other != one)
        assert [one == other for one, other in zip(states, again, strict=True)] == [True] * len(states)


def wrong_start(state: State, edges: set[tuple[int, int]]) -> str:
    """What is wrong with the phases that a deal has entered, in words; empty when nothing is."""
    first = state.game.phases[0]
    way = (first.id, *state.path)
    if set(pairwise(way)) <= edges and way[-1] == state.phase_id:
        return ""
    return (
        f"a match starts in the first phase of the table, {first.name!r}, and `deal` has no event for entering it. "
        f"Its events enter {list(state.path)}, and the state is in phase {state.phase_id}"
    )


def named(phases: Phases, edges: set[tuple[int, int]]) -> list[str]:
    """Edges of a phase graph in words."""
    return [f"{phases.by_id(at).name!r} to {phases.by_id(to).name!r}" for at, to in sorted(edges)]
