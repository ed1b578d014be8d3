"""What stands over and under every table: the header, and what the seats are doing."""

from __future__ import annotations

import pytest

import games
from games.scenes import Heading
from runner.match.tally import Tally
from runner.screen.keys import LIVE, help_on
from runner.screen.pane_layout import Header, elapsed, spent
from runner.screen.seat_states import SeatState, SeatStates
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
    names = [f"P-{seat}" for seat in range(len(states))]
    told = SeatStates(states, 112.5, 3, () if out is None else (out,), names)
    return [line.rstrip() for line in drawn(told, width).rstrip("\n").split("\n")]


def test_every_state_has_a_sign_and_words() -> None:
    seats = [state(), state(MISTAKE), state(OUTAGE, OUTAGE), state(MISTAKE, OUTAGE), state(ANSWER), SeatState()]
    (line,) = lines(seats, 240)
    told = [line[start : start + 40].rstrip() for start in range(0, 240, 40)]
    assert told == [
        "P-0 ⠋ thinking 12 s",
        "P-1 ✗ 1 of 3, ⠋ thinking 12 s",
        "P-2 ↻ no answer, try 3, 12 s",
        "P-3 ✗ 1 of 3, ↻ no answer, try 2, 12 s",
        "P-4 ✓ answered",
        "P-5 ·",
    ]
    said = [state(how=how) for how in ("answer", "forced", "moot", "strike_out")]
    (line,) = lines([*said, SeatState()], 120, 4)
    assert line.split("  ")[0] == "P-0 ✓ answered"
    assert all(
        f"P-{seat} {words}" in line for seat, words in enumerate(("✓", "· no choice", "· not needed", "✗ struck out", "† out"))
    )


def test_states_never_move_the_seats() -> None:
    for width in WIDTHS:
        for players in range(2, 9):
            quiet = places([SeatState() for _ in range(players)], width)
            busy = places([state(MISTAKE, OUTAGE) for _ in range(players)], width)
            assert quiet == busy


def places(states: list[SeatState], width: int) -> list[tuple[int, int]]:
    told = lines(states, width)
    return [
        (row, line.index(f"P-{seat}")) for seat in range(len(states)) for row, line in enumerate(told) if f"P-{seat}" in line
    ]


@pytest.mark.parametrize("players", range(2, 9))
def test_they_take_two_lines_at_most(players: int) -> None:
    for width in WIDTHS:
        told = lines([state(MISTAKE) for _ in range(players)], width)
        assert len(told) <= 2
        assert max(map(len, told)) <= width
        assert all(any(f"P-{seat} ✗" in line for line in told) for seat in range(players))


@pytest.mark.parametrize("game", games.names())
def test_the_header_is_one_line_that_keeps_game_round_and_seed(game: str) -> None:
    rules = games.load(game)
    match = rules.begin(seed=999_999)
    for width in (40, *WIDTHS):
        text = drawn(Header(match.game, Heading.of(match), seed=match.setup.seed), width)
        assert widest(text) <= width
        assert text.count("\n") == 1
        assert text.startswith(f"{rules.title} · {rules.round_word} 1 · ")
        assert "seed 999999" in text or width < 80


def test_the_facts_have_what_was_spent_and_the_help_explains_signs() -> None:
    tally = Tally(prompt_tokens=1_234_567, completion_tokens=89_012, cost=12.3456)
    facts = f"{spent([tally], 20.0)} · {elapsed(3725)}"
    assert facts == "1,323,579 tokens, $12.3456 of $20.00 · 1:02:05"
    assert all(sign in drawn(help_on(LIVE), 80) for sign in "▶✓✗✦↻†")
    assert spent([Tally()]) == ""
    assert elapsed(61.9) == "1:01"
