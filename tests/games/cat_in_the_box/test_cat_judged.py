"""Positions that a good player can judge: a review with `bot:steady` finds the right answer best, for the reason beside it.

A plays to the last trick of three players. `R` is red; `B4` is blue 4.
"""

from __future__ import annotations

import pytest

from games.cat_in_the_box import GAME, State
from games.core import Rng
from games.search.evaluation import evaluate
from tests.games.cat_in_the_box.drawing import draw, short

PLAYOUTS = 200
BOARD = "red . B . . . ./blue . A . . . ./yellow . A . B . ./green . C C . . ."
"""A and C have a group of two, B only single tokens."""

MISSED, FEWER = "bid 1 | won 3/bid 1 | won 3", "bid 1 | won 3/bid 1 | won 2"
"""What B and C have won: both missed their bids."""


def end(own: str, trick: str = "B blue 3, C blue 5", others: str = MISSED, board: str = BOARD) -> State:
    """A is to play, after what lies in the trick; B and C have as many cards as they need."""
    hand, size = own.partition("|")[0], len(own.partition("|")[0].split())
    b, c = others.split("/")
    played = {play[0] for play in trick.split(", ") if play}
    cards = {seat: " ".join("234561"[: size - (seat in played)]) for seat in "BC"}
    lines = [*board.split("/"), f"A: {hand}|{own.partition('|')[2]}", f"B: {cards['B']} | {b}", f"C: {cards['C']} | {c}"]
    rows = {line.split()[0]: line.split() for line in lines[:4]}
    for seat, colour, rank in (play.split() for play in trick.split(", ") if play):
        rows[colour][int(rank)] = seat
    return draw("\n".join([*(" ".join(row) for row in rows.values()), *lines[4:], f"trick: {trick}", "turn: A"]))


RED_LED, RED_IN = "B red 3, C red 4", "B blue 3, C red 3"
NEED, DONE = "bid 2 | won 1", "bid 2 | won 2"
JUDGED: list[tuple[str, State, str]] = [
    ("the trick makes the bid, which pays the group", end(f"6 1 | X blue | {NEED}"), "B6"),
    ("the trick makes the bid, which pays the group", end(f"4 6 | X blue | {NEED}"), "B6"),
    ("the bid is made: another trick would lose the group", end(f"6 1 | X blue | {DONE}", others=FEWER), "B1"),
    ("the bid is made: another trick would lose the group", end(f"6 4 | X blue | {DONE}", others=FEWER), "B4"),
    ("the bid is lost, so a trick is a point", end("6 1 | X blue | bid 1 | won 3"), "B6"),
    ("the bid is lost, so a trick is a point", end("5 6 | X red | bid 1 | won 3", RED_LED), "R5|R6"),
    ("only red still wins the trick", end(f"4 1 | X red blue | {NEED}", "B blue 6, C yellow 5"), "R4|R1"),
    ("only red still wins the trick", end(f"5 4 | X red blue | {NEED}", "B blue 6, C yellow 1"), "R5|R4"),
    ("a red card is beaten by a higher red one alone", end(f"5 1 | X red blue | {NEED}", RED_IN), "R5"),
    ("a red card is beaten by a higher red one alone", end(f"6 1 | X red blue | {NEED}", RED_IN), "R6"),
    ("a high card of the led colour does not beat red", end(f"6 4 | X red blue | {NEED}", RED_IN), "R6|R4"),
    ("below the red cards that lie the bid stands", end(f"5 1 | X red | {DONE}", RED_LED, FEWER), "R1"),
    ("below the red cards that lie the bid stands", end(f"6 1 | X red | {DONE}", RED_LED, FEWER), "R1"),
    ("a colour that was not led loses the trick", end(f"6 5 | X red yellow | {DONE}", others=FEWER), "Y6|Y5"),
    ("a colour that was not led loses the trick", end(f"6 4 | X red green | {DONE}", others=FEWER), "G6|G4"),
    ("a colour that was not led loses the trick", end(f"6 1 | X blue yellow | {DONE}", others=FEWER), "B1|Y6|Y1"),
    (
        "the token that joins the group decides",
        end(f"1 6 | X yellow | {DONE}", others="bid 1 | won 4/bid 1 | won 3"),
        "Y1",
    ),
    (
        "the token that joins two groups decides",
        end("3 6 | X yellow | bid 1 | won 1", others="bid 1 | won 3/bid 1 | won 2", board=BOARD.replace("A . B", "A . A")),
        "Y3",
    ),
    (
        "a trick for the bid is worth more than a larger group without it",
        end(f"3 6 | X blue yellow | {NEED}", "B blue 4, C blue 5"),
        "B6",
    ),
    ("the bid is made: a low lead loses the trick and joins the group", end(f"6 1 | X blue | {DONE}", ""), "B1"),
]


@pytest.mark.parametrize(("reason", "state", "right"), JUDGED, ids=[f"{number}" for number in range(len(JUDGED))])
def test_the_right_answer_is_found_best(reason: str, state: State, right: str) -> None:
    best = evaluate(state, 0, Rng(1), PLAYOUTS, GAME.bots["steady"]).grades[0]
    assert short(best.action) in right.split("|"), reason
