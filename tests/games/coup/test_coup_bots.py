"""The bots of Coup."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from games.core import Policy, Rng
from games.core.policy import stepping
from games.coup import GAME, State
from games.coup.actions import CHALLENGE, PASS, Declaration
from games.coup.bots import SOFTMAX
from games.coup.standing import BIT, CAUGHT, Memory, level
from tests.games.coup.positions import blocks, challenges, does, loses, passes, play, position, shows

random, steady = GAME.bots["random"], GAME.bots["steady"]


def answer(state: State, seat: int, word: int = 1) -> dict[str, Any]:
    return steady(state, seat, Rng(word)).to_json()


def chance(state: State, seat: int, move: Any) -> float:
    """How likely `bot:steady` is to make a move."""
    return sum(part for one, part in SOFTMAX.chances(state, seat) if one == move)


def match(bots: list[Policy], seed: int) -> State:
    state = GAME.begin(players=len(bots), seed=seed)
    rng = Rng.of("bots", seed)
    for _ in range(3000):
        if state.has_ended:
            break
        seat = state.pending[0]
        action = bots[seat](state, seat, rng)
        assert action in state.actions_of(seat)
        state = action.next_state
    assert state.has_ended
    assert isinstance(state, State)
    return state


@pytest.mark.parametrize("players", GAME.players)
def test_steady_plays_to_the_end(players: int) -> None:
    for seed in range(12):
        assert match([steady] * players, seed).winners


def test_steady_beats_random() -> None:
    wins = 0
    for seed in range(120):
        bots = [random] * 3
        bots[seed % 3] = steady
        wins += match(bots, seed).winners == (seed % 3,)
    assert wins > 80


def test_steady_does_not_depend_on_what_it_cannot_know() -> None:
    state = GAME.begin(players=4, seed=3)
    for number in range(60):
        if state.has_ended:
            break
        seat = state.pending[0]
        action = steady(state, seat, Rng(number))
        assert steady(state.resample(seat, Rng(number)), seat, Rng(number)).move == action.move
        state = action.next_state


def test_steady_challenges_a_claim_that_cannot_be_true() -> None:
    state = play(position("2 As As", "2 Du Du", "2 (Du) Ca"), does(0, "tax"))
    assert chance(state, 1, CHALLENGE) == 1


def test_steady_challenges_the_assassin_of_its_last_influence_unless_it_has_a_contessa() -> None:
    for own in ("Du", "Am", "Ca", "As"):
        state = play(position("3 As (Co)", f"4 {own} (Du)"), does(0, "assassinate", 1))
        assert chance(state, 1, CHALLENGE) > 0.5
        assert chance(play(position("3 As (Co)", "4 Co (Du)"), does(0, "assassinate", 1)), 1, CHALLENGE) < 0.1


def test_steady_judges_each_position_by_itself() -> None:
    """Whatever was asked before: what it remembers of a table serves no other one."""
    start = position("2 As As", "2 Du Am", "2 Ca Co")
    later = play(start, does(0, "tax"), *passes(1, 2), does(1, "income"), does(2, "income"))
    tables = [
        start,
        later,
        start._replace(coins=(9, 9, 9)),
        start._replace(hands=position("2 As (Du)", "2 Du Am", "2 Ca Co").hands),
    ]
    tables += [table._replace(history=later.history) for table in tables[2:]]
    asked = (
        [play(table, does(0, "tax")) for table in tables] + [play(table, does(0, "foreign aid")) for table in tables] + tables
    )
    found = [[*SOFTMAX.chances(state, state.pending[0])] for state in asked]
    assert found[::-1] == [[*SOFTMAX.chances(state, state.pending[0])] for state in asked[::-1]]
    assert found == [[*SOFTMAX.chances(state._replace(hands=(*state.hands,)), state.pending[0])] for state in asked]


@pytest.mark.parametrize("others", [(), ("2 Ca Co",), ("2 Ca Co", "2 As As")])
@pytest.mark.parametrize(("action", "card"), [("tax", "Du"), ("exchange", "Am")])
def test_steady_challenges_the_more_the_fewer_copies_are_unseen(action: str, card: str, others: tuple[str, ...]) -> None:
    for hands in (("Ca As", f"{card} As", f"{card} {card}"), ("Ca (As)", f"{card} (As)")):
        asked = [play(position("2 Co Co", f"2 {own}", *others), does(0, action)) for own in hands]
        assert all(fewer < more for fewer, more in pairwise(chance(state, 1, CHALLENGE) for state in asked))


def test_steady_blocks_with_what_it_has() -> None:
    state = play(position("3 As As", "2 Du Co", "2 Ca Am"), does(0, "assassinate", 1), *passes(1, 2))
    assert chance(state, 1, "block as Contessa") > 0.9
    state = play(position("3 As As", "2 Du Am", "2 Ca Am"), does(0, "steal", 1), *passes(1, 2))
    assert chance(state, 1, "block as Ambassador") > chance(state, 1, PASS)
    assert chance(state, 1, "block as Ambassador") > chance(state, 1, "block as Captain")


def test_steady_never_dies_without_a_claim() -> None:
    """With one influence a bluffed Contessa can only gain."""
    state = play(position("3 As (Co)", "4 Du (Am)"), does(0, "assassinate", 1), *passes(1))
    assert chance(state, 1, "block as Contessa") == 1


def test_steady_makes_a_coup_as_soon_as_it_can_against_the_most_dangerous() -> None:
    state = position("7 Du Am", "9 Am (Co)", "7 Ca Co")
    coups = [chance(state, 0, Declaration("coup", seat)) for seat in (1, 2)]
    assert sum(coups) > 0.5
    state = position("7 Du Am", "2 Am (Co)", "7 Ca Co")
    assert chance(state, 0, Declaration("coup", 2)) > 2 * chance(state, 0, Declaration("coup", 1))


def test_steady_robs_a_player_whose_coup_would_end_the_match() -> None:
    for own in ("2 Am", "2 Du", "3 Co", "6 Co"):
        state = position(f"{own} (Ca)", "7 Du (Co)")
        assert chance(state, 0, Declaration("steal", 1)) + chance(state, 0, Declaration("assassinate", 1)) > 0.8


def test_steady_challenges_nothing_before_a_coup_that_ends_the_match() -> None:
    for other, action in (("2 Am", "tax"), ("2 Du", "exchange")):
        state = play(position(f"{other} (Co)", "7 Du (Ca)"), does(0, action))
        assert chance(state, 1, CHALLENGE) < 0.05


def test_what_a_player_showed_stands_until_it_draws_cards() -> None:
    def shown(state: State) -> tuple[int, int, int]:
        """Of P-1: standing claims of the Ambassador and of the Duke, and lies that were found out."""
        memory = Memory()
        memory.look(state.history, 3)
        return tuple(level(memory.standing[1], bit) for bit in (BIT["Ambassador"], BIT["Duke"], CAUGHT))  # type: ignore[return-value]

    start = position("2 Ca Ca", "2 Am Am", "1 Co Co")
    blocked = play(start, does(0, "steal", 1), *passes(1, 2), blocks(1, "Ambassador"), *passes(2, 0))
    later = play(blocked, does(1, "tax"), *passes(2, 0), does(2, "income"), does(0, "income"))
    again = play(later, does(1, "tax"), *passes(2, 0))
    drawn = play(later, does(1, "exchange"), *passes(2, 0))
    drawn = play(drawn, (1, drawn.actions_of(1)[0].to_json()))
    caught = play(later, does(1, "tax"), challenges(2), loses(1, "Ambassador"))
    states = (start, blocked, later, again, drawn, caught)
    assert [shown(state) for state in states] == [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 2, 0), (0, 0, 0), (0, 0, 1)]


@pytest.mark.parametrize("coins", [0, 1])
def test_steady_does_not_steal_where_less_than_two_coins_are(coins: int) -> None:
    for word in range(20):
        assert answer(position("2 Ca Ca", f"{coins} Am Am"), 0, word)["action"] != "steal"


def test_steady_beats_a_seat_that_is_always_struck_out() -> None:
    """Each strike-out takes a coin, so a theft that waits for answers brings nothing."""
    for seed in range(4):
        state = GAME.begin(players=2, seed=seed)
        for turn in range(60):
            if not state.has_ended:
                seat = state.pending[0]
                state = state.strike_out(1) if seat else state.read(0, answer(state, 0, turn)).next_state
        assert state.winners == (0,)


def test_steady_gives_up_the_less_useful_card() -> None:
    state = play(position("2 Am Am", "2 Du Am", "2 Ca Co"), does(0, "tax"), challenges(1), loses(0, "Ambassador"))
    state = play(state, does(1, "tax"), challenges(2), shows(1, "Duke"))
    assert chance(state, 2, "Contessa") > 0.5
    state = play(position("2 Am Am", "2 Du Du", "2 Ca Ca"), does(0, "tax"), challenges(1), loses(0, "Ambassador"))
    assert chance(play(state, does(1, "tax"), challenges(2), shows(1, "Duke")), 2, "Captain") == 1


def test_steady_keeps_different_cards_in_an_exchange() -> None:
    state = play(position("2 Am Am", "2 As Co", deck="Co Am"), does(0, "exchange"), *passes(1))
    chances = dict(SOFTMAX.chances(state, 0))
    assert max(chances, key=chances.__getitem__) == ("Ambassador", "Contessa")


def test_chances_are_how_often_moves_are_played() -> None:
    """In whole matches: every legal move that can be played, and the frequency of each."""
    state, rng, expected, found = GAME.begin(players=4, seed=5), Rng(1), Counter[str](), Counter[str]()
    for number in range(1500):
        state = state if state.pending else GAME.begin(players=4, seed=number)
        seat = state.pending[0]
        chances = dict(SOFTMAX.chances(state, seat))
        assert sum(chances.values()) == pytest.approx(1)
        assert {*chances} <= {*state.legal_moves(seat)}
        expected.update({str(move): part for move, part in chances.items()})  # type: ignore[arg-type]  # parts of one
        action = steady(state, seat, rng)
        found[str(action.move)] += 1
        state = action.next_state
    for move, times in expected.items():
        assert found[move] == pytest.approx(times, abs=4 * times**0.5 + 1), move


class Given(Rng):
    """A generator whose next number is its word."""

    def next(self) -> int:
        return self.word


@pytest.mark.parametrize("action", ["tax", "foreign aid"])
def test_a_window_is_answered_in_one_step_as_often_as_by_one_seat_after_another(action: str) -> None:
    state = play(position("5 Co (Du)", "7 As (As)", "9 Du (Ca)", "7 Ca (Am)", actor=0), does(0, action))
    expected, waiting = Counter[tuple[int, Any]](), 1.0
    for seat in state.pending:
        for move, part in SOFTMAX.chances(state, seat):
            if move != PASS:
                expected[seat, move] += waiting * part
        waiting *= chance(state, seat, PASS)
    expected[state.pending[-1], PASS] = waiting
    words = 2000
    found = Counter(
        SOFTMAX.first(state, state.pending, Given((2 * place + 1 << 64) // (2 * words)), PASS, {}) for place in range(words)
    )
    assert {one: found[one] for one in expected} == pytest.approx(
        {one: words * part for one, part in expected.items()}, abs=1.1
    )


def test_a_step_closes_a_window_as_the_moves_of_all_seats_do() -> None:
    state = play(position("2 Co Co", "2 As As", "2 Du Ca", "2 Du Am", actor=0), does(0, "tax"))
    never: dict[int, Any] = dict.fromkeys(range(1, 4), lambda position, seat, rng: PASS)
    doubt = {**never, 2: lambda position, seat, rng: CHALLENGE}
    for others, moves in ((never, (PASS, PASS, PASS)), (doubt, (PASS, CHALLENGE))):
        after = state
        for seat, move in zip(state.pending, moves, strict=False):
            after = after.apply(seat, move, None)
        assert stepping(steady, others)(state, Rng(1)) == after
