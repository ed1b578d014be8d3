"""The PettingZoo environments, by PettingZoo's own tests."""

from __future__ import annotations

import random
import warnings

import pytest

import games

checks = pytest.importorskip("pettingzoo.test", reason="the extra `learning` is not installed")
door = pytest.importorskip("games.learning.pettingzoo")
api_test, seed_test, env, raw_env = checks.api_test, checks.seed_test, door.env, door.raw_env

TABLES = [pytest.param(name, players, id=f"{name}-{players}") for name in games.names() for players in games.load(name).players]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_it_keeps_to_the_interface(name: str, players: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice on observation names and ranges
        api_test(env(name, players=players), num_cycles=60)
        seed_test(lambda: env(name, players=players), num_cycles=20)


@pytest.mark.parametrize("name", games.names())
def test_a_match_played_by_masks_is_the_match_of_its_seed(name: str) -> None:
    table, rng = raw_env(name), random.Random(1)
    table.reset(seed=5)
    state = games.load(name).begin(seed=5)
    while not any(table.terminations.values()):
        observation = table.last()[0]
        assert observation is not None
        number = rng.choice([at for at, legal in enumerate(observation["action_mask"]) if legal])
        table.step(number)
        state = state.actions[[table._code.number(action) for action in state.actions].index(number)].next_state
        assert table.position == state
    assert sum(table.rewards.values()) == 0
    assert [agent for agent, reward in table.rewards.items() if reward > -1] == [f"player_{seat}" for seat in state.winners]


def test_a_match_is_truncated_after_a_number_of_decisions() -> None:
    table, decisions = env("coup", players=3, max_cycles=7), 0
    for seed in (1, 2):
        table.reset(seed=seed)
        for agent in table.agent_iter():
            observation, reward, terminated, truncated, _ = table.last()
            is_over = terminated or truncated
            table.step(None if is_over else table.action_space(agent).sample(observation["action_mask"]))
            decisions += not is_over
            assert (reward, terminated) == (0, False)
    assert decisions == 14


def test_an_illegal_action_is_refused_without_wrappers_and_ends_the_match_with_them() -> None:
    table = raw_env("coup", players=3)
    table.reset(seed=1)
    with pytest.raises(ValueError, match="no legal action"):
        table.step(table.last()[0]["action_mask"].tolist().index(0))  # type: ignore[index]  # PettingZoo does not type observations
    wrapped = env("coup", players=3)
    wrapped.reset(seed=1)
    agent = wrapped.agent_selection
    wrapped.step(wrapped.last()[0]["action_mask"].tolist().index(0))
    assert wrapped.rewards[agent] == -1
