"""Exact values of Kuhn and Leduc poker, and our evaluations of OpenSpiel's own games, agree with OpenSpiel's algorithms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import permutations
from statistics import fmean, stdev
from typing import Any

import pytest

import games
from games.core import Rng, State
from games.search.comparison import compared
from games.search.evaluation import evaluate
from games.search.policy import playing_policy
from tests.games.search import kuhn, leduc
from tests.games.search.test_exact_values import EQUILIBRIUM, ODD

pyspiel = pytest.importorskip("pyspiel", reason="the extra `openspiel` is not installed")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
policy_value = pytest.importorskip("open_spiel.python.algorithms.expected_game_score").policy_value
Policy = pytest.importorskip("open_spiel.python.policy").Policy

Chosen = Callable[[Any], Mapping[int, float]]
"""From a state of OpenSpiel, the probability of each move."""


class Plan(Policy):  # type: ignore[misc]  # OpenSpiel has no types
    """A plan as a policy of OpenSpiel."""

    def __init__(self, game: Any, chosen: Chosen) -> None:
        super().__init__(game, [0, 1])
        self.chosen = chosen

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        return dict(self.chosen(state))


class Won:
    """A state of OpenSpiel that pays shares of the win in place of chips, for OpenSpiel's algorithms."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)

    def child(self, action: int) -> Won:
        return Won(self.state.child(action))

    def returns(self) -> list[float]:
        chips = self.state.returns()
        return [(chip == max(chips)) / chips.count(max(chips)) for chip in chips]


def evenly(state: Any) -> dict[int, float]:
    return dict.fromkeys(state.legal_actions(), 1 / len(state.legal_actions()))


def by_kuhn(plan: kuhn.Plan) -> Chosen:
    """A plan of Kuhn poker: OpenSpiel's cards count from 0, its moves are 0 (pass) and 1 (bet)."""

    def chosen(state: Any) -> dict[int, float]:
        cards, line = state.history()[:2], "".join("pb"[move] for move in state.history()[2:])
        bet = plan[cards[kuhn.LATER[line]] + 1, line]
        return {0: 1 - bet, 1: bet}

    return chosen


def by_leduc(plan: leduc.Plan) -> Chosen:
    """A plan of Leduc poker: OpenSpiel's cards are 2 (r - 1) and the next number for rank r, its moves 0, 1, 2 in our order."""

    def chosen(state: Any) -> dict[int, float]:
        ranks, line, common = [card // 2 + 1 for card in state.history()[:2]], "", leduc.HIDDEN
        for number in state.history()[2:]:
            if line.endswith("/") and not common:
                common = number // 2 + 1
            else:
                line = leduc.after(line, "fcr"[number])
        return {"fcr".index(move): part for move, part in plan(ranks[state.current_player()], common, line).items()}

    return chosen


def root(name: str) -> Any:
    return pyspiel.load_game(name).new_initial_state()


@pytest.mark.parametrize("plan", [EQUILIBRIUM, ODD])
def test_kuhn_s_enumeration_is_openspiel_s_value_of_the_policy(plan: kuhn.Plan) -> None:
    policy = Plan(pyspiel.load_game("kuhn_poker"), by_kuhn(plan))
    ours = fmean(4 * kuhn.value(plan, (one, two), "") - 2 for one, two in permutations(kuhn.CARDS, 2))
    assert policy_value(root("kuhn_poker"), [policy] * 2)[0] == pytest.approx(ours, abs=1e-12)


def test_kuhn_s_equilibrium_cannot_be_exploited_and_the_other_plan_can() -> None:
    game = pyspiel.load_game("kuhn_poker")
    lost = [exploitability.exploitability(game, Plan(game, by_kuhn(plan))) for plan in (EQUILIBRIUM, ODD)]
    assert lost[0] == pytest.approx(0, abs=1e-12)
    assert lost[1] > 0.05


@pytest.mark.parametrize("plan", [leduc.level, leduc.by_strength])
def test_leduc_s_enumeration_is_openspiel_s_value_of_the_policy(plan: leduc.Plan) -> None:
    policies = [Plan(pyspiel.load_game("leduc_poker"), by_leduc(plan))] * 2
    for start, worth in ((root("leduc_poker"), leduc.chips), (Won(root("leduc_poker")), leduc.share)):
        ours = fmean(leduc.value(plan, deal, "", worth) for deal in leduc.DEALS)
        assert policy_value(start, policies)[0] == pytest.approx(ours, abs=1e-12)


def positions(name: str, matches: int) -> list[State]:
    """Decisions of matches played at random, each information set once."""
    found: dict[str, State] = {}
    for seed in range(matches):
        rng, state = Rng(seed), games.load(f"openspiel:{name}").begin(seed=seed)
        while not state.has_ended:
            found.setdefault(known(state), state)
            state = rng.choice(state.actions).next_state
    return list(found.values())


def known(state: Any) -> str:
    return str(state.line.state.information_state_string(state.line.actor))


def worlds(state: Any) -> list[Any]:
    """All of OpenSpiel's states that the player to move cannot tell from this one. With a policy that does not look at the
    cards, and cards dealt evenly, they are equally likely."""
    names, end = state.line.state.full_history(), known(state)
    found = [state.line.state.get_game().new_initial_state()]
    for made in names:
        is_chance = made.player == pyspiel.PlayerId.CHANCE
        found = [one.child(move) for one in found for move in (one.legal_actions() if is_chance else [made.action])]
    return [one for one in found if one.information_state_string(state.pending[0]) == end]


def exact(state: Any, move: int) -> float:
    """The share of the win that a move brings if all play at random afterwards, by OpenSpiel."""
    policies = [Plan(state.line.state.get_game(), evenly)] * 2
    return fmean(policy_value(Won(world.child(move)), policies)[state.pending[0]] for world in worlds(state))


@pytest.mark.parametrize(("name", "matches"), [("kuhn_poker", 60), ("leduc_poker", 5)])
def test_evaluations_and_regrets_of_openspiel_s_games_agree_with_its_values(name: str, matches: int) -> None:
    policy = playing_policy(games.load(f"openspiel:{name}"))
    off, errors = list[float](), list[float]()
    for number, state in enumerate(positions(name, matches)):
        actions = state.actions
        worth = {action.move: exact(state, action.move) for action in actions}
        for grade in evaluate(state, actions[0].seat, Rng(number), 120, policy, kept=actions).grades:
            expected = worth[grade.action.move]
            error = (expected * (1 - expected) / grade.playouts) ** 0.5
            assert abs(grade.share - expected) <= 4 * error + 1e-9, (known(state), grade.action)
        action = Rng.of(name, number).choice(actions)
        found = compared(state, action, policy, 60, name, number)
        off.append(found.regret - (max(worth.values()) - worth[action.move]))
        errors.append(found.error)
    chance = 4 * stdev(off) / len(off) ** 0.5
    assert len(off) >= 12
    assert -0.25 * fmean(errors) - chance <= fmean(off) <= chance


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_matches_bring_the_chips_that_openspiel_expects(name: str) -> None:
    game, won = games.load(f"openspiel:{name}"), list[float]()
    for seed in range(500):
        state, rng = game.begin(seed=seed), Rng(seed)
        while not state.has_ended:
            state = game.bots["steady"](state, state.pending[0], rng).next_state
        won.append(state.scores[0])
    expected = policy_value(root(name), [Plan(pyspiel.load_game(name), evenly)] * 2)[0]
    assert abs(fmean(won) - expected) <= 4 * stdev(won) / len(won) ** 0.5
