"""Cat in the Box's table, as text."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from rich.color import Color, ColorSystem

import games
from games.cat_in_the_box.board import COLOURS
from games.cat_in_the_box.phases import DISCARD, PARADOX
from games.testing.random_play import walk
from runner.screen.palette import seat_style
from tests.games.cat_in_the_box.drawing import draw, play
from tests.games.cat_in_the_box.playing import POLICIES
from tests.games.cat_in_the_box.playing import walk as walk_with
from tests.screen.drawing import table

SECOND_TRICK = """
        1 2 3 4 5 6 7 8
red     D . . . . . . .
blue    . A . B . . . .
yellow  . . . . C . . .
green   . . . . . . . .
A: 2 3 5 8
B: 4 4 6 | X red blue yellow | bid 2 | won 1
C: 1 1 7 8 | bid 3
D: 1 1 1 8 | bid 4
trick: A blue 2, B blue 4
turn: C
"""
LAST = """
        1 2 3 4 5 6
red     A A B . . C
blue    A . B . C C
yellow  B B A C C B
green   . B B C . A
A: 2 2 | bid 2 | won 2
B: 3 3 | bid 1
C: 5 1 | bid 3 | won 1
turn: A
"""


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")]


def test_a_trick_in_progress_as_everybody_together_sees_it() -> None:
    assert lines(table(draw(SECOND_TRICK), 60)) == [
        "┌───────┬────┬────┬────┬────┬────┬────┬────┬────┐",
        "│Round 1│ 1  │ 2  │ 3  │ 4  │ 5  │ 6  │ 7  │ 8  │",
        "├───────┼────┼────┼────┼────┼────┼────┼────┼────┤",
        "│ red   │P-3 │ ·  │ ·  │ ·  │ ·  │ ·  │ ◌  │ ◌  │",
        "│ blue  │ ○  │P-0‹│ ·  │P-1‹│ ·  │ ·  │ ○  │ ○  │",
        "│ yellow│ ◌  │ ·  │ ·  │ ·  │P-2 │ ·  │ ◌  │ ◌  │",
        "│ green │ ◌  │ ·  │ ·  │ ·  │ ·  │ ·  │ ◌  │ ◌  │",
        "└───────┴────┴────┴────┴────┴────┴────┴────┴────┘",
        "      Won      X    Group Hand",
        "  P-0 0 of 1   RBYG 1     2 3 5 8",
        "  P-1 1 of 2   RBY· 1     4 4 6",
        "▶ P-2 0 of 3   RBYG 1     1 1 7 8",
        "  P-3 0 of 4   RBYG 1     1 1 1 8",
        "○ open to P-2 · ◌ gives up blue · ‹ now · › leads · ★ wins",
        "Trick  P-0     P-1     P-2      P-3",
        "1 of 8 ›blue 2  blue 4  ▶ plays",
    ]


def test_hands_and_open_cells_are_for_those_who_know_them() -> None:
    state = draw(SECOND_TRICK)
    public, leader, player = table(state, 60, "public"), table(state, 60, "P-0"), table(state, 60, "P-2")
    assert "○" not in public + leader
    assert public.count(" cards") == 4
    assert "2 3 5 8" in leader
    assert "1 1 7 8" not in leader
    assert "○ open to P-2" in player
    assert player.count(" cards") == 3


def test_the_board_stands_beside_the_seats_where_there_is_room() -> None:
    rows = lines(table(draw(SECOND_TRICK), 120))
    assert rows[1] == "│Round 1│ 1  │ 2  │ 3  │ 4  │ 5  │ 6  │ 7  │ 8  │    P-0 0 of 1   RBYG 1     2 3 5 8"
    assert rows[8].startswith("Trick  P-0")
    widest = lines(table(draw(SECOND_TRICK), 200))
    assert widest[1].endswith("1 of 8 ›blue 2  blue 4  ▶ plays")


def test_on_a_large_board_cells_have_two_lines_and_the_trick_lies_beside_it() -> None:
    shown = lines(table(draw(SECOND_TRICK), 160))
    board = [row[:57] for row in shown]
    assert board[6:8] == [
        "│ blue  │  ○  │ P-0 │  ·  │ P-1 │  ·  │  ·  │  ○  │  ○  │",
        "│       │     │  ‹  │     │  ‹  │     │     │     │     │",
    ]
    assert len(board) == 15
    assert [row[59:77] for row in shown[:6]] == [
        "Trick 1 of 8 blue ",
        "╭───────╮╭───────╮",
        "│  P-0  ││  P-1  │",
        "│ blue  ││ blue  │",
        "│   2   ││   4   │",
        "╰───────╯╰───────╯",
    ]


def test_a_paradox_is_plain_and_the_groups_are_marked() -> None:
    over = play(draw(LAST.replace("A: 2 2", "A: 2 4").replace("C: 5 1", "C: 3 3")), "R4")
    assert lines(table(over, 60, "public")) == [
        "┌───────┬────┬────┬────┬────┬────┬────┐",
        "│Round 1│ 1  │ 2  │ 3  │ 4  │ 5  │ 6  │",
        "├───────┼────┼────┼────┼────┼────┼────┤",
        "│ red   │P-0◆│P-0◆│P-1 │P-0 │ ·  │P-2◇│",
        "│ blue  │P-0◆│ ·  │P-1 │ ·  │P-2◇│P-2◇│",
        "│ yellow│P-1◇│P-1◇│P-0 │P-2◇│P-2◇│P-1 │",
        "│ green │ ·  │P-1◇│P-1◇│P-2◇│ ·  │P-0 │",
        "└───────┴────┴────┴────┴────┴────┴────┘",
        "      Won      Points     Total Hand",
        "  P-0 2 of 2 ✓ +5 = 2 +3◆ 5     1 card",
        "  P-1 0 of 1 ✗ +0         0     2 cards",
        "  P-2 1 of 3   +1         1     2 cards",
        "━━━━━━━━━━━━━━ PARADOX: P-1 cannot play: 3 3 ━━━━━━━━━━━━━━━",
        "◆ largest group, counts · ◇ no bonus · › leads · ★ wins",
        "Trick  P-0    P-1      P-2",
        "1 of 8 ›red 4  PARADOX",
    ]


@pytest.mark.parametrize("view", ["public", "all", "P-0"])
def test_an_explicit_paradox_waits_with_the_hand_shown(view: str) -> None:
    state = play(draw(LAST.replace("A: 2 2", "A: 2 4"), explicit_paradox_action=True), "R4")
    assert state.phase_id == PARADOX
    shown = table(state, 60, view)
    assert "PARADOX: P-1 cannot play: 3 3" in shown
    assert "P-0‹" in shown
    assert "›red 4  PARADOX" in shown


def test_while_the_next_round_is_prepared_the_last_one_stands_with_its_points() -> None:
    states = walk(games.load("cat_in_the_box").begin(players=5, seed=3, rounds=2), random.Random(3))
    state = next(state for state in states if state.round == 2)
    assert state.phase_id == DISCARD
    shown = table(state, 60)
    done = state.view(None)["results"][0]
    assert "Round 1" in shown
    assert "New hand" in shown
    for seat, points in enumerate(done["points"]):
        (row,) = [line for line in lines(shown) if line.startswith(f"  P-{seat} ")]
        assert f"{done['tricks_won'][seat]} of {done['bids'][seat]}" in row
        assert f"{points:+d}" in row
        assert " ".join(map(str, state.view(seat)["own"]["hand"])) in row


def test_neutral_tokens_and_the_cards_turned_up() -> None:
    state = games.load("cat_in_the_box").begin(players=2, seed=4)
    shown = table(state, 60)
    assert shown.count("▒▒▒ │") == 3
    assert f"turned up: {', '.join(map(str, state.view(None)['revealed']))}" in shown
    assert "bid" not in shown


def test_five_players_fit_24_lines_of_60() -> None:
    """With a line for the header and one for each seat that is thinking; of seven states one is drawn."""
    for policy in POLICIES:
        for state in islice(walk_with(5, 1, policy, strikes=9, rounds=3), 0, None, 7):
            assert 1 + len(lines(table(state, 60))) + len(state.pending) <= 24


def test_no_seat_of_a_game_with_suits_has_a_suits_colour_with_16_colours_too() -> None:
    game = games.load("cat_in_the_box")
    seats = [Color.parse(seat_style(seat)) for seat in range(max(game.players))]
    shown = {seat.downgrade(ColorSystem.STANDARD).number for seat in seats}
    suits = {Color.parse(f"{bright}{suit}").number for suit in COLOURS for bright in ("", "bright_")}
    assert len(shown) == len(seats)
    assert not shown & suits
