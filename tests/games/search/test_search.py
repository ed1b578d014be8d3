"""The search: forced wins, common worlds, hidden cards that change nothing, and how playouts are spent."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import games
from games.core import Action, Policy, Rng, State, random_policy
from games.core.reading import Reading, Style
from games.search import evaluate, play_out, playing_policy, playouts, worlds, worlds_of
from games.search.evaluation import chances, chances_along
from games.search.playouts import look_ahead, reach
from games.search.policy import MOST_PLAYOUTS, PLAYOUTS, bot_names, bot_of, playouts_of, search_policy
from games.search.worlds import playing_on
from tests.games.coup.positions import challenges, does, passes, play, position

SEARCHABLE = ("cat_in_the_box", "coup", "oriflamme")


def middle(game: str, players: int, seed: int) -> State:
    """A state with a choice, from the middle of a match with random play."""
    rng, path = Rng.of("middle", game, players, seed), [games.load(game).begin(players=players, seed=seed)]
    while not path[-1].has_ended:
        path.append(random_policy(path[-1], path[-1].pending[0], rng).next_state)
    open_ = [state for state in path[len(path) // 4 :] if len(state.actions) > 1]
    return open_[rng.below(len(open_) // 2 + 1)]


def move(*answers: Any) -> Policy:
    """A policy that gives the first of these answers to a claim that is legal, otherwise plays at random."""

    def choose(state: Any, seat: int, rng: Rng) -> Action:
        legal = {action.move: action for action in state.actions_of(seat)}
        return next((legal[answer] for answer in answers if answer in legal), random_policy(state, seat, rng))

    return choose


# -- what it plays -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_a_coup_against_the_last_card_is_found(seed: int) -> None:
    state = position("7 Du Co", "9 (Du) As", actor=0)
    evaluation = evaluate(state, 0, Rng(seed), 60, random_policy)
    assert evaluation.best.action.to_json() == {"action": "coup", "target": "P-1"}
    assert evaluation.best.shares == (1.0, 0.0)
    assert evaluation.best.error == 0


def test_the_target_that_wins_at_once_is_found_among_others() -> None:
    """P-2 is out already, so that a coup against P-1 ends the match; everything else leaves it open."""
    state = position("8 (Du) Co", "9 (As) As", "0 (Ca) (Am)", actor=0)
    assert search_policy(60, random_policy)(state, 0, Rng(1)).move.action == "coup"


def test_a_claim_known_to_be_false_is_challenged() -> None:
    """P-0 has every Duke but those that are face up, so P-1 cannot have one; the challenge takes its last card."""
    state = play(position("5 Du (Du)", "5 (Du) As", actor=1), does(1, "tax"))
    best = evaluate(state, 0, Rng(2), 40, random_policy).best
    assert best.action.move == "challenge"
    assert best.shares == (1.0, 0.0)


@pytest.mark.parametrize("game", SEARCHABLE)
@pytest.mark.parametrize("seed", range(4))
def test_hidden_cards_do_not_change_the_choice(game: str, seed: int) -> None:
    state = middle(game, 3, seed)
    seat, choose = state.pending[0], search_policy(10, random_policy)
    worlds = [state, *(state.resample(seat, Rng(number)) for number in range(3))]
    assert len({choose(world, seat, Rng(seed)).move for world in worlds}) == 1


@pytest.mark.parametrize("game", SEARCHABLE)
def test_the_same_numbers_give_the_same_evaluation(game: str) -> None:
    state = middle(game, 3, 1)
    first, second = (evaluate(state, state.pending[0], Rng(4), 20, random_policy) for _ in range(2))
    assert first == second


# -- how it is evaluated -------------------------------------------------------------------------------------------------


def test_candidates_are_played_in_common_worlds_with_common_numbers() -> None:
    """Two equal candidates get equal playouts, so that their difference is exactly 0."""
    state = middle("oriflamme", 3, 2)
    same = [state.actions_of(state.pending[0])[0]] * 2
    grades = evaluate(state, state.pending[0], Rng(4), 30, random_policy, same).grades
    assert grades[0].shares == grades[1].shares
    assert (grades[1].behind, grades[1].behind_error) == (0, 0)


def test_playouts_go_to_the_candidates_that_matter() -> None:
    state = position("5 Du Co", "4 Du As", "2 Ca Am", actor=0)
    evaluation = evaluate(state, 0, Rng(3), 300, random_policy)
    assert 270 <= evaluation.playouts <= 300
    assert sum(grade.playouts for grade in evaluation.grades) == evaluation.playouts
    spent = [grade.playouts for grade in evaluation.grades]
    assert spent == sorted(spent, reverse=True)
    assert spent[0] >= 4 * spent[-1]
    assert len(evaluation.grades) == len(state.actions)


def test_kept_candidates_are_played_in_every_world() -> None:
    state = position("5 Du Co", "4 Du As", "2 Ca Am", actor=0)
    kept = list(state.actions)
    assert len({grade.playouts for grade in evaluate(state, 0, Rng(3), 200, random_policy, kept=kept).grades}) == 1


def test_a_challenge_that_comes_too_late_changes_nothing() -> None:
    """P-1 answers before P-2 and always challenges, so that P-2's answer never counts."""
    state = play(position("5 Du Co", "4 Du As", "2 Ca Am", actor=0), does(0, "tax"))
    assert state.pending == (1, 2)
    grades = evaluate(state, 2, Rng(3), 20, move("challenge")).grades
    assert grades[0].shares == grades[1].shares
    assert reach(state, 2, move("challenge"), Rng(1))[1] is False


def test_a_challenge_that_nobody_makes_before_counts() -> None:
    state = play(position("5 As Co", "4 Du As", "2 Ca Am", actor=0), does(0, "tax"))
    reached: Any
    reached, is_due = reach(state, 2, move("pass"), Rng(1))
    assert is_due
    assert reached == play(state, *passes(1))
    assert play(reached, challenges(2)).phase.name == "Claimant Loses Influence"


def test_a_seat_that_owes_nothing_has_nothing_to_evaluate() -> None:
    with pytest.raises(ValueError, match="seat 1 owes no decision"):
        evaluate(position("2 Du Co", "2 Du As", actor=0), 1, Rng(0), 10, random_policy)


def test_chances_are_shares_of_all_seats_from_what_one_knows() -> None:
    state = position("7 Du Co", "9 (Du) As", "2 Ca Am", actor=0)
    found = chances(worlds_of(state, 1), Rng(1), 100, random_policy)
    assert sum(found) == pytest.approx(1)
    assert found[0] > found[1] > 0


def test_chances_along_a_match_are_those_of_each_state() -> None:
    game, rng = games.load("oriflamme"), Rng(3)  # its playouts end with the match, so that it does not matter where one began
    steady, path = playing_policy(game), [game.begin(players=3, seed=2)]
    while len(path) < 40:
        path.append(steady(path[-1], path[-1].pending[0], rng).next_state)
    path = [*path[14:24], *path[29:]]  # with a gap, such as a strike-out leaves
    found = chances_along(path, Rng(1), 300, steady)
    for state, shares in list(zip(path, found, strict=True))[::5]:
        assert shares == pytest.approx(chances(playing_on(state), Rng(9), 300, steady), abs=0.11)


def test_all_seats_play_on_as_they_played_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """P-0 loses to a coup, unless P-1 is known to take Income alone: then its own coup wins."""
    state, coup = position("6 (Du) Co", "7 (Du) As", actor=1), move(("coup", 0), ("coup", 1), ("income", -1), "pass")
    known = Reading(1, (Style("harmless", 1.0, lambda playing: move(("income", -1), "pass")),), lambda world: (1.0,), {})
    assert chances_along([state], Rng(1), 10, coup) == [(0.0, 1.0)]
    monkeypatch.setattr(worlds, "readings_of", lambda state, seat: (known,))
    assert chances_along([state], Rng(1), 10, coup) == [(1.0, 0.0)]
    for seen in (0, 1, None):  # also from what P-1 itself knows
        assert chances(playing_on(state, worlds_of(state, seen)), Rng(1), 10, coup) == (1.0, 0.0)


def test_a_shared_win_is_shared() -> None:
    state = position("2 Du Co", "2 Du As", "2 Ca Am", actor=0, max_turns=1)
    assert play_out(state, move("pass", ("income", -1)), Rng(1)).shares == (1 / 3,) * 3


def test_a_long_playout_is_stopped_and_counts_what_the_game_expects(monkeypatch: pytest.MonkeyPatch) -> None:
    state = position("2 Du Co", "2 Du As", "2 Ca Am", actor=0)
    monkeypatch.setattr(playouts, "LONGEST", 3)
    monkeypatch.setattr(type(state), "game", state.game)  # a game that is made takes this place itself
    replace(state.game, value=None)
    assert play_out(state, random_policy, Rng(1)) == ((1 / 3,) * 3, 3, True)
    replace(state.game, value=lambda state, seat: [0.5, 0.25, 0.25][seat])
    assert play_out(state, random_policy, Rng(1)).shares == (0.5, 0.25, 0.25)
    assert evaluate(state, 0, Rng(1), 20, random_policy).cut == evaluate(state, 0, Rng(1), 20, random_policy).playouts


def test_a_search_looks_as_many_rounds_ahead_as_the_game_says(monkeypatch: pytest.MonkeyPatch) -> None:
    state = position("2 Du Co", "2 Du As", "2 Ca Am", actor=0)
    income = move("pass", ("income", -1))
    monkeypatch.setattr(type(state), "game", state.game)  # a game that is made takes this place itself
    game = replace(state.game, value=lambda state, seat: state.coins[seat] / sum(state.coins), horizon=lambda state: 2)
    assert look_ahead(state, income, Rng(1)) == ((3 / 8, 3 / 8, 2 / 8), 2, False)
    assert evaluate(state, 0, Rng(1), 20, income, state.actions[:1]).best.shares == (3 / 8, 3 / 8, 2 / 8)
    replace(game, horizon=lambda state: None)
    assert look_ahead(state, random_policy, Rng(1)).shares == play_out(state, random_policy, Rng(1)).shares


# -- worlds by what the others did ----------------------------------------------------------------------------------------


def test_worlds_in_which_a_claim_is_true_come_more_often() -> None:
    state = play(position("2 Co As", "2 Ca Am", "2 Du Am", actor=1), does(1, "tax"), *passes(2, 0), does(2, "income"))
    plain = [state.resample(0, Rng(number)) for number in range(300)]
    likely = list(map(worlds_of(state, 0), map(Rng, range(300))))
    assert has(likely, 1, "Duke") > 1.4 * has(plain, 1, "Duke")
    assert has(likely, 2, "Duke") < has(plain, 2, "Duke")


def has(worlds: list[Any], seat: int, card: str) -> float:
    return sum(card in world.hands[seat].down for world in worlds) / len(worlds)


def test_a_game_without_a_likelihood_takes_worlds_as_they_come() -> None:
    state = middle("cat_in_the_box", 3, 1)
    assert worlds_of(state, 0)(Rng(5)) == state.resample(0, Rng(5))


# -- names ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "playouts"),
    [("search", PLAYOUTS), ("search:1", 1), (f"search:{MOST_PLAYOUTS}", MOST_PLAYOUTS), ("search:01", None)]
    + [(name, None) for name in ("steady", "search:", "search:0", "search:-1", "search:1.5", f"search:{MOST_PLAYOUTS + 1}")],
)
def test_a_name_stands_for_a_number_of_playouts(name: str, playouts: int | None) -> None:
    assert playouts_of(name) == playouts


@pytest.mark.parametrize("game", games.names())
def test_every_game_but_one_with_free_text_can_be_searched(game: str) -> None:
    rules = games.load(game)
    assert ("search" in bot_names(rules)) is not bool(rules.free_text)
    assert bot_of(rules, "steady") is rules.bots["steady"]


def test_no_test_leaves_another_game_behind() -> None:
    assert position("2 Du Co", "2 Du As", actor=0).game is games.load("coup")
