"""Withheld thoughts: they are told once nothing is hidden any more that they could give away, at the end at the latest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

import games
from games.core import Rng, State
from games.scenes import script_of
from games.withheld import Withheld


def told(game: str, seed: int) -> Iterator[tuple[int, State, State]]:
    """Each thought of a match: the seat, the state in which it was thought, and the one in which it was told."""
    known, rng, kept, moments = games.load(game), Rng(seed), Withheld(), list[tuple[int, State]]()
    state = known.begin(known.players[2], seed)
    while not state.has_ended:
        assert state.actor is not None
        kept.keep(len(moments), state.actor, state)
        moments.append((state.actor, state))
        state = known.bots["steady"](state, state.actor, rng).next_state
        for number, _ in kept.released(state):
            yield (*moments[number], state)


@pytest.mark.parametrize("game", games.names())
def test_every_thought_is_told_at_the_end_at_the_latest_and_once(game: str) -> None:
    found = [*told(game, 1)]
    assert len({id(thought) for _, thought, _ in found}) == len(found) > 4
    assert found[-1][2].has_ended


def test_a_thought_is_told_when_all_worlds_agree_on_what_it_knew() -> None:
    early = 0
    for seed in range(4):
        for seat, then, now in told("coup", seed):
            if now.has_ended:
                continue
            early += 1
            held = Counter(then.view(seat)["own"]["cards"])
            for number in range(4):
                seen = now.resample(None, Rng(number)).view(seat)
                assert held <= Counter(seen["revealed"][seat])
                assert not seen["own"]["cards"]
                assert not seen["own"]["returned"]
    assert early > 20


def test_a_game_that_does_not_say_it_tells_thoughts_at_the_end() -> None:
    assert all(now.has_ended for _, _, now in told("oriflamme", 2))


def test_cards_that_went_back_to_the_deck_stay_hidden() -> None:
    view = {"history": [{"actor": 0, "action": "exchange"}], "claims": [[]], "alive": [False]}
    own = {"cards": ["Duke", "Duke"], "drawn": [], "returned": [], "picked": None}
    is_open = script_of(games.load("coup")).is_open
    assert not is_open(own, 0, view)
    assert is_open(own, 0, view | {"history": []})
    assert not is_open(own, 0, view | {"history": [], "alive": [True]})
