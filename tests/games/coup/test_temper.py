"""Temper: how readily players are expected to challenge, from the answers in the turns so far."""

from __future__ import annotations

from typing import Any

import pytest

import games
from games.core import Rng, policy, random_policy
from games.coup.actions import PASS
from games.coup.bots import steady
from games.coup.phases import ACTION_CHALLENGE, BLOCK_CHALLENGE
from games.coup.temper import adapted, answers, doubts
from games.search.policy import search_policy
from tests.games.coup.positions import blocks, does, passes, play, position

BELIEVED = (does(0, "tax"), *passes(1, 2))


def table(*given: Any) -> Any:
    """A match of three after these answers; P-0 begins."""
    return play(position("2 Du As", "3 Ca Am", "2 Co Co"), *given)


def test_who_was_asked_and_who_challenged_is_read_from_the_turns() -> None:
    assert list(answers(table(*BELIEVED))) == [(1, False), (2, False)]
    blocked = table(does(0, "foreign aid"), passes(1)[0], blocks(2, "Duke"), *passes(0, 1))
    assert sorted(answers(blocked)) == [(0, False), (1, False)]


def test_the_answers_are_those_of_the_match() -> None:
    """In whole matches between random players, who challenge often, and lose influence within turns."""
    for seed in range(20):
        state, rng, asked = (
            games.load("coup").begin(players=2 + seed % 5, seed=seed),
            Rng.of("temper", seed),
            list[tuple[int, bool]](),
        )
        while state.pending:
            action = random_policy(state, state.pending[0], rng)
            if state.phase_id in (ACTION_CHALLENGE, BLOCK_CHALLENGE):
                asked.append((action.seat, action.move != PASS))
            state = action.next_state
        found = list(answers(state))
        assert found == asked[: len(found)]
        assert len(asked) - len(found) <= 2 * state.setup.players  # those of the turn that ended the match


def test_a_player_who_never_challenges_is_expected_to_believe_more() -> None:
    before, after = doubts(table()), doubts(table(*BELIEVED))
    assert before[1] > after[1] == after[2]
    assert before[0] == after[0] == pytest.approx((0.5 - 0.06) / 0.94)


def test_the_searching_seat_keeps_the_policy_and_others_also_challenge() -> None:
    state = table(does(0, "tax"))
    steady_moves = {steady(state, 1, Rng(seed)).move for seed in range(60)}
    own, other = adapted(steady, state, 1), adapted(steady, state, 0)
    assert {own(state, 1, Rng(seed)).move for seed in range(60)} == steady_moves == {PASS}
    assert 10 < sum(other(state, 1, Rng(seed)).move != PASS for seed in range(60)) < 50


def test_any_policy_can_be_adapted() -> None:
    @policy
    def trusting(state: Any, seat: int, rng: Rng) -> Any:
        return state.legal_moves(seat)[0]

    state = table(does(0, "tax"))
    plain, others = (adapted(one, state, 0) for one in (lambda *given: trusting(*given), trusting))
    assert [plain(state, 1, Rng(seed)) for seed in range(40)] == [others(state, 1, Rng(seed)) for seed in range(40)]


def test_search_also_beats_players_who_do_not_play_like_steady() -> None:
    """Of 24 matches of two it wins at least 17 against random play. A search that relies on being believed wins 67 %, and so
    many in four of ten samples; one that wins 90 % does in all but one of 100."""
    game, wins = games.load("coup"), 0.0
    search = search_policy(60, steady)
    for seed in range(24):
        state, rng, hero = game.begin(players=2, seed=seed), Rng.of("held", seed), seed % 2
        while state.pending:
            seat = state.pending[0]
            state = (search if seat == hero else random_policy)(state.resample(seat, rng), seat, rng).on(state).next_state
        wins += state.winners == (hero,)
    assert wins >= 17
