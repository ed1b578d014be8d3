"""A state drawn as text: the picture of the table is the fixture.

            1 2 3 4 5 6 7 8
    red     . . . . . . . .
    blue    . A . B . . . .
    yellow  . . . . . . . .
    green   . . . . . n . .
    A: 3 5 | X red blue | bid 3 | won 2
    B: 6 6
    trick: A blue 2, B blue 4
    turn: A

Letters are seats, `n` is a neutral token. A seat has all X-tokens, bid 1 and no trick unless the drawing says otherwise.
"""

from __future__ import annotations

from games.cat_in_the_box import GAME, State
from games.cat_in_the_box.board import COLOURS, cell_at
from games.cat_in_the_box.phases import PLAY
from games.core import Action

SEATS = "ABCDE"


def draw(text: str, **options) -> State:
    """The state that a drawing shows: somebody is to play a card."""
    lines = [line.split(None, 1) for line in text.strip().splitlines()]
    rest = {name.rstrip(":"): body for name, body in (line for line in lines if len(line) == 2)}
    seats = [seat for seat in SEATS if seat in rest]
    board = {colour: rest[colour].split() for colour in COLOURS}
    trick = [play.split() for play in rest.get("trick", "").split(",") if play.strip()]
    data = GAME.begin(players=len(seats), seed=1, **options).to_json()
    data |= {
        "phase": PLAY,
        "turn": SEATS.index(rest["turn"].strip()),
        "leader": SEATS.index(trick[0][0] if trick else rest["turn"].strip()),
        "plays": [cell_at(colour, int(rank)) for _, colour, rank in trick],
        "tokens": [_cells(board, seat) for seat in seats],
        "revealed": [rank for colour in COLOURS for rank, held in enumerate(board[colour], 1) if held == "n"],
        "discards": [1] * len(seats),
        "hands": [[int(rank) for rank in _words(rest[seat])[0]] for seat in seats],
        "x_tokens": [_fact(rest[seat], "X", list(COLOURS)) for seat in seats],
        "bids": [int(_fact(rest[seat], "bid", [1])[0]) for seat in seats],
        "tricks_won": [int(_fact(rest[seat], "won", [0])[0]) for seat in seats],
    }
    return State.from_json(data)


def plays(state: State) -> set[str]:
    """What the seat to play may declare, as `B4` for blue 4."""
    return {short(action) for action in state.actions}


def play(state: State, cell: str) -> State:
    """The state after the seat to play declared that cell, `B4` for blue 4."""
    (action,) = [action for action in state.actions if short(action) == cell]
    return action.next_state


def short(action: Action) -> str:
    """A play in two letters: `B4` for blue 4."""
    colour, rank = action.to_json()["play"].split()
    return colour[0].upper() + rank


def _cells(board: dict[str, list[str]], seat: str) -> list[int]:
    return [cell_at(colour, rank) for colour in COLOURS for rank, held in enumerate(board[colour], 1) if held == seat]


def _words(line: str) -> list[list[str]]:
    return [part.split() for part in line.split("|")]


def _fact(line: str, name: str, default: list) -> list:
    return next((words[1:] for words in _words(line)[1:] if words[0] == name), default)
