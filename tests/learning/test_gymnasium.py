"""One seat as a Gymnasium environment, by Gymnasium's own check."""

from __future__ import annotations

import warnings

import pytest

import games
from games.core import OptionError

gymnasium = pytest.importorskip("gymnasium", reason="the extra `learning` is not installed")
checker = pytest.importorskip("gymnasium.utils.env_checker")
np = pytest.importorskip("numpy")
door = pytest.importorskip("games.learning.gymnasium")

TABLES = [pytest.param(name, players, id=f"{name}-{players}") for name in games.names() for players in games.load(name).players]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_it_keeps_to_the_interface(name: str, players: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice on the ranges of observations
        checker.check_env(door.env(name, players, opponents="random"), skip_render_check=True)


@pytest.mark.parametrize("name", games.names())
def test_a_match_against_the_usual_policy_ends_with_the_reward_of_the_seat(name: str) -> None:
    table, random, found = door.env(name, 3, seat=1), np.random.RandomState(1), set()
    for seed in range(2):
        _, info = table.reset(seed=seed)
        is_over = False
        while not is_over:
            assert info["action_mask"].sum() > 0
            assert (info["action_mask"] == table.action_masks()).all()
            action = random.choice(np.flatnonzero(info["action_mask"]))
            _, reward, is_over, _, info = table.step(action)
            assert is_over or reward == 0
        found.add(reward)
    assert found <= {-1.0, 0.0, 0.5, 2.0}


def test_the_same_seed_is_the_same_match_and_an_illegal_action_ends_it() -> None:
    one, other = door.env("oriflamme", 3), door.env("oriflamme", 3)
    (first, info), (again, _) = one.reset(seed=4), other.reset(seed=4)
    assert (first == again).all()
    _, reward, is_over, _, _ = one.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, is_over) == (-1.0, True)


def test_an_unknown_policy_gets_one_sentence() -> None:
    with pytest.raises(OptionError, match="There is no policy"):
        door.env("coup", opponents="best")


def test_gymnasium_knows_every_game_by_its_name() -> None:
    table = gymnasium.make("games.learning.gymnasium:tabletop/coup-v0", players=3, opponents="random")
    _, info = table.reset(seed=1)
    assert info["action_mask"].sum() > 0
