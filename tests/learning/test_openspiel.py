"""The OpenSpiel games, by OpenSpiel's own simulation and search."""

from __future__ import annotations

from itertools import product

import pytest

import games
from games.learning.encoding import encoding

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


@pytest.mark.parametrize("name", games.names())
def test_its_own_search_plays_through_our_worlds(name: str) -> None:
    random, game = np.random.RandomState(1), load(name, players=3)
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(1, random),
        uct_c=1.4,
        max_simulations=4,
        random_state=random,
        use_observation_string=True,
        allow_inconsistent_action_sets=True,
    )
    bot.set_resampler(resampler())
    state = game.new_initial_state()
    state.apply_action(5)
    for _ in range(3):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_action_has_a_name_of_its_own_and_its_chance_is_in_the_deal_alone(name: str, players: int) -> None:
    assert pyspiel.load_game(f"tabletop_{name}(players={players})").num_players() == players
    random, state = np.random.RandomState(players), load(name, players=players).new_initial_state()
    assert state.is_chance_node()
    assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
    state.apply_action(players)
    names: dict[str, int] = {}
    for _ in range(25):
        if state.is_terminal():
            break
        assert not state.is_chance_node()
        player = state.current_player()
        for action in state.legal_actions():
            assert names.setdefault(state.action_to_string(player, action), action) == action
        assert len({state.action_to_string(player, action) for action in state.legal_actions()}) == len(state.legal_actions())
        state.apply_action(random.choice(state.legal_actions()))


@pytest.mark.parametrize("name", games.names())
def test_an_information_state_is_all_that_a_player_has_seen_and_done(name: str) -> None:
    """Two courses of a match have the same one exactly when the player was told the same, did the same and sees the same."""
    code, pairs = encoding(name), set[tuple[str, str]]()
    for deal, course in product((1, 2), (1, 2, 1)):
        random, state, known = np.random.RandomState(course), load(name).new_initial_state(), list[str]()
        state.apply_action(deal)
        for _ in range(12):
            player, action = state.current_player(), random.choice(state.legal_actions())
            events = code.action(state.position, player, action).next_with_events()[1]
            known += [state.action_to_string(0, action)] if player == 0 else []
            known += [str(event) for event in events if event.reaches(0)]
            state.apply_action(action)
            pairs.add((str((known, state.position.view(0))), state.information_state_string(0)))
    assert len({known for known, _ in pairs}) == len({text for _, text in pairs}) == len(pairs)
