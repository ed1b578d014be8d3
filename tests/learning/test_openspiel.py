"""The OpenSpiel games, by OpenSpiel's own simulation and search."""

from __future__ import annotations

import pytest

import games

pyspiel = pytest.importorskip("pyspiel", reason="the extra `openspiel` is not installed")
np = pytest.importorskip("numpy")
ismcts = pytest.importorskip("open_spiel.python.algorithms.ismcts")
mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
openspiel = pytest.importorskip("games.learning.openspiel")
load, resampler = openspiel.load, openspiel.resampler

TABLES = [pytest.param(name, players, id=f"{name}-{players}") for name in games.names() for players in games.load(name).players]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_random_simulations_keep_to_the_interface(name: str, players: int, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(load(name, players=players), 1, False, True)
    capfd.readouterr()


@pytest.mark.parametrize("name", games.names())
def test_a_clone_goes_its_own_way(name: str) -> None:
    state = load(name).new_initial_state()
    state.apply_action(7)
    before, other = str(state), state.clone()
    other.apply_action(other.legal_actions()[0])
    assert str(state) == before != str(other)


def test_what_a_player_cannot_know_does_not_change_its_information_state() -> None:
    state = load("coup", players=3).new_initial_state()
    state.apply_action(7)
    for _ in range(8):
        player = state.current_player()
        other = resampler(1)(state, player)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.legal_actions() == state.legal_actions()
        state.apply_action(state.legal_actions()[-1])


def test_its_own_search_plays_through_our_worlds() -> None:
    random = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game=load("coup", players=3),
        evaluator=mcts.RandomRolloutEvaluator(1, random),
        uct_c=1.4,
        max_simulations=20,
        random_state=random,
        use_observation_string=True,
        allow_inconsistent_action_sets=True,
    )
    bot.set_resampler(resampler())
    state = load("coup", players=3).new_initial_state()
    state.apply_action(5)
    for _ in range(4):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
