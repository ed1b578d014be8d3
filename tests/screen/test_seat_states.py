"""What stands over and under every table: the header, and what the seats are doing."""

from __future__ import annotations

import pytest

import games
from runner.match.tally import Tally
from runner.screen.seat_states import SeatState, SeatStates
from runner.screen.table_header import Header, spent
from tests.screen.drawing import WIDTHS, drawn, widest

MISTAKE, OUTAGE, ANSWER = ({"outcome": outcome} for outcome in ("mistake", "infrastructure", "answer"))


def state(*attempts: dict[str, str], how: str = "") -> SeatState:
    found = SeatState()
    found.ask(100.0)
    for attempt in attempts:
        found.attempt(attempt)
    if how:
        found.decide(how)
    return found


def lines(states: list[SeatState], width: int, out: int | None = None) -> list[str]:
    told = SeatStates(states, 112.5, 3, [seat == out for seat in range(len(states))])
    return [line.rstrip() for line in drawn(told, width).rstrip("\n").split("\n")]


def test_every_state_has_a_sign_and_words() -> None:
    seats = [state(), state(MISTAKE), state(OUTAGE, OUTAGE), state(MISTAKE, OUTAGE), state(ANSWER, how="answer"), SeatState()]
    assert lines(seats, 200) == [
        "P-0 ⠋ thinking 12 s  P-1 ✗ 1 of 3, ⠋ thinking 12 s  P-2 ↻ no answer, try 3, 12 s"
        "  P-3 ✗ 1 of 3, ↻ no answer, try 2, 12 s  P-4 ✓ answered       P-5 ·"
    ]
    said = [state(how=how) for how in ("answer", "forced", "moot", "strike_out")]
    assert lines([*said, SeatState()], 120, 4)[0].split("  ")[::3][:1] == ["P-0 ✓ answered"]
    assert "P-1 · no choice" in lines(said, 120)[0]
    assert "P-2 · too late" in lines(said, 120)[0]
    assert "P-3 ✗ struck out" in lines(said, 120)[0]
    assert "P-4 † out" in lines([*said, SeatState()], 120, 4)[0]


def test_the_part_of_the_work_that_is_done_stands_in_place_of_the_time() -> None:
    seat = state(MISTAKE)
    seat.done = 0.4267
    assert lines([seat], 80) == ["P-0 ✗ 1 of 3, ⠋ thinking 42 %"]
    assert lines([seat, *[state()] * 5], 60)[0].startswith("P-0 ✗1 ⠋ 42 %")
    seat.done = 1.0
    assert lines([seat], 80) == ["P-0 ✗ 1 of 3, ⠋ thinking 99 %"]
    seat.ask(110.0)
    assert lines([seat], 80) == ["P-0 ⠋ thinking 2 s"]


def test_a_delivered_answer_ends_the_waiting_and_rest_forgets_what_was_said() -> None:
    seat = state(OUTAGE, MISTAKE)
    assert (seat.tries, seat.strikes) == (0, 1)
    seat.rest()
    assert seat.strikes == 1
    seat.decide("strike_out")
    seat.rest()
    assert (seat.how, seat.strikes) == ("", 0)


@pytest.mark.parametrize("players", range(2, 9))
def test_they_take_two_lines_at_most(players: int) -> None:
    for width in WIDTHS:
        told = lines([state(MISTAKE) for _ in range(players)], width)
        assert len(told) <= 2
        assert max(map(len, told)) <= width
        assert all(any(f"P-{seat} ✗" in line for line in told) for seat in range(players))


@pytest.mark.parametrize("game", games.names())
def test_the_header_names_everything_at_every_width(game: str) -> None:
    rules = games.load(game)
    match = rules.begin(seed=999_999)
    tally = Tally(prompt_tokens=1_234_567, completion_tokens=89_012, cost=12.3456)
    for width in WIDTHS:
        for told in ("", spent([tally]), spent([tally], 20.0)):
            text = drawn(Header(match, told, has_seed=True), width)
            assert widest(text) <= width
            assert len(text.rstrip("\n").split("\n")) <= 2
            assert all(word in text for word in (rules.title, f"{rules.round_word} 1", match.phase.name, "seed 999999", told))
    assert spent([Tally()]) == ""
    assert spent([tally], 20.0) == "1,323,579 tokens, $12.3456 of $20.00"
