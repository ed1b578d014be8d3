"""What a seat is asked in Cat in the Box, and how its answer is read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from games.cat_in_the_box.board import COLOURS, RED, ROWS, cell_at, cell_name, colours_of
from games.cat_in_the_box.legality import PARADOX_MOVE, open_cells, red_is_broken
from games.cat_in_the_box.phases import BID, DISCARD, PARADOX
from games.core import IllegalAction, Question, answer_schema, chosen, fields, one_of, seat_name

if TYPE_CHECKING:
    from games.cat_in_the_box.state import State

ROLES = {
    "discarding_player": "removes one card of the hand before the bids",
    "bidding_player": "says how many tricks they will win",
    "trick_player": "plays a card and declares its colour",
}
PARADOX_WORD = "paradox"
_PLAY = re.compile(rf"({'|'.join(COLOURS)}) ([1-9])")


def answer(phase_id: int, move: int) -> dict[str, Any]:
    """The answer data for a move."""
    if phase_id == DISCARD:
        return {"rank": move}
    if phase_id == BID:
        return {"bid": move}
    return {"play": play_name(move)}


def play_name(move: int) -> str:
    """A play in words: `blue 4`, or `paradox`."""
    return PARADOX_WORD if move == PARADOX_MOVE else cell_name(move)


def question(state: State, seat: int) -> Question:
    """What a pending seat is asked."""
    moves = state.legal_moves(seat)
    if state.phase_id == DISCARD:
        schema = answer_schema(rank=one_of(moves, "the rank of the card you remove from your hand"))
        return Question("Remove one card from your hand, face down, for the rest of the round.", schema, "discarding_player")
    if state.phase_id == BID:
        schema = answer_schema(bid=one_of(moves, "how many tricks you will win in this round"))
        return Question("Bid how many tricks you will win in this round.", schema, "bidding_player")
    schema = answer_schema(play=one_of([play_name(move) for move in moves], "the colour you declare and the rank you play"))
    return Question(_play_text(state), schema, "trick_player")


def _play_text(state: State) -> str:
    if state.phase_id == PARADOX:
        return "You have no legal play: declare the paradox."
    if not state.led:
        closed = state.table.red_waits and not red_is_broken(state.table, state.free) and not state.playable & RED
        return f"Lead the trick: play a card and declare its colour{'; red is not open yet' if closed else ''}."
    return f"Play a card and declare its colour; {colours_of(state.led)[0]} is led."


def read(state: State, seat: int, data: Any) -> int:
    """The move that answer data stands for. IllegalAction when it stands for no legal one."""
    if seat not in state.pending:
        raise IllegalAction("You owe no decision now.")
    moves = state.legal_moves(seat)
    if state.phase_id == DISCARD:
        (rank,) = fields(data, "rank")
        return int(chosen("rank", rank, moves, _not_held(state, seat, rank)))
    if state.phase_id == BID:
        (bid,) = fields(data, "bid")
        return int(chosen("bid", bid, moves))
    (word,) = fields(data, "play")
    named = {play_name(move): move for move in moves}
    return named[chosen("play", word, tuple(named), refusal(state, seat, word))]


def _not_held(state: State, seat: int, rank: object) -> str:
    if type(rank) is not int or rank in state.legal_moves(seat):
        return ""
    return f"there is no {rank} in your hand" if 1 <= rank <= state.table.ranks else ""


def refusal(state: State, seat: int, word: object) -> str:
    """Why a play is not legal; empty when only its spelling is wrong."""
    if state.phase_id == PARADOX:
        return ""
    match = _PLAY.fullmatch(word.strip().casefold()) if isinstance(word, str) else None
    if match is None:
        return "a play is a colour and then a rank"
    colour, rank = match[1], int(match[2])
    cell = cell_at(colour, rank)
    if state.playable >> cell & 1:
        return ""
    if rank > state.table.ranks:
        return f"the ranks go from 1 to {state.table.ranks}"
    if not state.hands[seat] >> rank & 1:
        return f"there is no {rank} in your hand"
    if not state.free >> cell & 1:
        return f"{cell_name(cell)} is taken by {_holder(state, cell)}"
    if not state.x_tokens[seat] & ROWS[colour]:
        return f"you gave up your X-token of {colour}"
    if state.led:
        return f"{colours_of(state.led)[0]} is led and you can follow it"
    return "red may be led only once a player's token lies in the red row, or when nothing else can be"


def _holder(state: State, cell: int) -> str:
    for seat, tokens in enumerate(state.tokens):
        if tokens >> cell & 1:
            return seat_name(seat)
    return "a neutral token"


def given_up(state: State, seat: int, cell: int) -> str | None:
    """The colour whose X-token the play of a cell costs that seat, if any (rule 11)."""
    lost = state.led & state.x_tokens[seat]
    if not lost or lost >> cell & 1:
        return None
    return colours_of(lost)[0]


def declarable_ranks(state: State, seat: int) -> dict[str, list[int]]:
    """For each colour the ranks of the hand that could be declared in it now, whoever leads."""
    cells = open_cells(state.hands[seat], state.x_tokens[seat], state.free)
    return {
        colour: [rank for rank in range(1, state.table.ranks + 1) if cells >> cell_at(colour, rank) & 1] for colour in COLOURS
    }
