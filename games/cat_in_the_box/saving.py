"""The whole state as JSON data, and back.

Cells are numbers as in `board` (37 is red 7), hands are lists of ranks, colours are written out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.cat_in_the_box.board import ROW_OF, ROWS, cells, colours_of, mask_of
from games.cat_in_the_box.cards import cards_of, hand_of
from games.cat_in_the_box.legality import playable_cells
from games.cat_in_the_box.phases import DISCARD, GAME_OVER, PLAY
from games.cat_in_the_box.rounds import NOT_YET, Penalty, Result, Round
from games.cat_in_the_box.table import Table, neutral_cells, table_of
from games.core import Setup

if TYPE_CHECKING:
    from games.cat_in_the_box.state import State


def to_json(state: State) -> dict[str, Any]:
    """The whole state, hidden parts included."""
    frame = state.frame
    return {
        "setup": state.setup.to_json(),
        "phase": state.phase_id,
        "turn": state.actor,
        "round": frame.number,
        "chance": frame.chance,
        "aside": cards_of(frame.aside),
        "revealed": list(frame.revealed),
        "hands": [cards_of(hand) for hand in state.hands],
        "discards": list(state.discards),
        "bids": list(state.bids),
        "tokens": [list(cells(tokens)) for tokens in state.tokens],
        "x_tokens": [colours_of(rows) for rows in state.x_tokens],
        "plays": list(state.plays),
        "leader": state.leader,
        "tricks_won": list(state.tricks_won),
        "penalties": [list(penalty) for penalty in frame.penalties],
        "paradox": frame.paradox,
        "results": [_result_to_json(result) for result in frame.results],
    }


def _result_to_json(result: Result) -> dict[str, Any]:
    return {
        "bids": list(result.bids),
        "tricks_won": list(result.tricks_won),
        "tokens": [list(cells(tokens)) for tokens in result.tokens],
        "revealed": list(result.revealed),
        "plays": list(result.plays),
        "paradox": result.paradox,
        "shown": cards_of(result.shown),
        "penalties": [list(penalty) for penalty in result.penalties],
        "bonuses": list(result.bonuses),
        "points": list(result.points),
    }


def fields_of(setup: Setup, data: dict[str, Any]) -> tuple[Any, ...]:
    """The fields of the state that `to_json` wrote."""
    table = table_of(setup.players, setup.options)
    phase_id, turn = data["phase"], data["turn"]
    hands = tuple(hand_of(hand) for hand in data["hands"])
    discards = tuple(data["discards"])
    tokens = tuple(mask_of(owned) for owned in data["tokens"])
    x_rows = tuple(sum(ROWS[colour] for colour in colours) for colours in data["x_tokens"])
    free = table.board & ~(neutral_cells(data["revealed"]) | sum(tokens))
    plays = tuple(data["plays"])
    in_trick = len(plays) % table.players
    led = ROW_OF[plays[-in_trick]] if in_trick else 0
    playable = playable_cells(table, hands[turn], x_rows[turn], free, led) if phase_id == PLAY else 0
    return (
        *(None, setup, _frame(table, data), phase_id, _pending(table, phase_id, turn, discards), hands, discards),
        *(tuple(data["bids"]), tokens, x_rows, free, plays, data["leader"], led, tuple(data["tricks_won"]), playable),
    )


def _pending(table: Table, phase_id: int, turn: int, discards: tuple[int, ...]) -> tuple[int, ...]:
    if phase_id == DISCARD:
        return tuple(seat for seat in table.seats if discards[seat] == NOT_YET)
    return () if phase_id == GAME_OVER else table.alone[turn]


def _frame(table: Table, data: dict[str, Any]) -> Round:
    return Round(
        table,
        data["round"],
        data["chance"],
        hand_of(data["aside"]),
        tuple(data["revealed"]),
        _penalties(data),
        data["paradox"],
        tuple(_result(result) for result in data["results"]),
    )


def _penalties(data: dict[str, Any]) -> tuple[Penalty, ...]:
    return tuple(Penalty(*penalty) for penalty in data["penalties"])


def _result(data: dict[str, Any]) -> Result:
    return Result(
        tuple(data["bids"]),
        tuple(data["tricks_won"]),
        tuple(mask_of(owned) for owned in data["tokens"]),
        tuple(data["revealed"]),
        tuple(data["plays"]),
        data["paradox"],
        hand_of(data["shown"]),
        _penalties(data),
        tuple(data["bonuses"]),
        tuple(data["points"]),
    )
