"""Matches played by the tests: settings, policies, and every state on the way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from games.cat_in_the_box import State
from games.cat_in_the_box.board import ROW_OF
from games.core import Action, Rng

SETTINGS = (
    *((players, {}) for players in (2, 3, 4, 5)),
    (3, {"three_player_max_rank": 7}),
    *((players, {"rules": "official"}) for players in (2, 3, 4, 5)),
    *((players, {"follow": "must"}) for players in (2, 4)),
    (3, {"follow": "must", "red_lead": "free", "three_player_max_rank": 7, "rounds": 2}),
    *((players, {"red_lead": "free", "explicit_paradox_action": True, "rounds": 2}) for players in (2, 3, 5)),
    (4, {"follow": "must", "explicit_paradox_action": True, "bids": "board", "rounds": 3}),
)
"""Player counts and options that, together, reach every rule."""

ALL_OPTIONS = tuple(
    {
        "follow": follow,
        "bids": bids,
        "three_player_max_rank": ranks,
        "rounds": rounds,
        "red_lead": red_lead,
        "explicit_paradox_action": explicit,
    }
    for follow, bids, ranks, rounds, red_lead, explicit in product(
        ("free", "must"), ("1-4", "board"), (6, 7), (1, 2, "players"), ("until_broken", "free"), (False, True)
    )
)


def random_choice(state: State, seat: int, rng: Rng) -> Action:
    """Any legal action."""
    return rng.choice(state.actions_of(seat))


def follow_first(state: State, seat: int, rng: Rng) -> Action:
    """The led colour when possible, anything otherwise."""
    actions = state.actions_of(seat)
    following = [action for action in actions if state.led and ROW_OF[action.move] == state.led]
    return rng.choice(following or actions)


POLICIES = (random_choice, follow_first)


def walk(players, seed, policy=random_choice, strikes=0, **options) -> Iterator[State]:
    """Every state of a match, pending seats taken in any order; one decision in `strikes` is struck out (0: none)."""
    rng = Rng.of("walk", players, seed, policy.__name__)
    state = State.begin(players, seed=seed, **options)
    yield state
    while not state.has_ended:
        seat = rng.choice(state.pending)
        struck = strikes and rng.below(strikes) == 0
        state = state.strike_out(seat) if struck else policy(state, seat, rng).next_state
        yield state


def states(seeds=range(2), settings=SETTINGS, strikes=0) -> Iterator[State]:
    """Every state of some matches under each setting and policy."""
    for players, options in settings:
        for policy, seed in product(POLICIES, seeds):
            yield from walk(players, seed, policy, strikes, **options)
