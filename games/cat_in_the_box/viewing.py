"""What a seat may know, as JSON data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.cat_in_the_box.answers import answer, declarable_ranks, given_up
from games.cat_in_the_box.board import COLOURS, cell_at, cell_name, cells, colour_of, colours_of, largest_group, rank_of
from games.cat_in_the_box.cards import cards_of
from games.cat_in_the_box.legality import red_is_broken
from games.cat_in_the_box.phases import DISCARD, PHASES, PLAY
from games.cat_in_the_box.rounds import NOT_YET, Penalty, Result
from games.cat_in_the_box.scoring import winning_seat
from games.cat_in_the_box.table import neutral_cells
from games.core import View

if TYPE_CHECKING:
    from games.cat_in_the_box.state import State

NEUTRAL = "neutral"


def view(state: State, seat: int | None) -> View:
    """All that a seat (None: a spectator) may know."""
    table, frame = state.table, state.frame
    return {
        "game": "cat_in_the_box",
        "seat": seat,
        "phase": {"id": state.phase_id, "name": PHASES.by_id(state.phase_id).name},
        "players": table.players,
        "ranks": table.ranks,
        "round": frame.number,
        "rounds": table.rounds,
        "tricks": table.tricks,
        "allowed_bids": list(table.bids),
        "start_player": state.start_player,
        "leader": state.leader,
        "turn": None if state.phase_id == DISCARD else state.actor,
        "scores": list(state.scores),
        "bids": [bid or None for bid in state.bids],
        "tricks_won": list(state.tricks_won),
        "x_tokens": [colours_of(rows) for rows in state.x_tokens],
        "board": _board(table.ranks, state.tokens, frame.revealed),
        "revealed": sorted(frame.revealed),
        "trick": _plays(state.trick, state.leader, table.players),
        "led_colour": colours_of(state.led)[0] if state.led else None,
        "red_broken": red_is_broken(table, state.free),
        "hand_sizes": hand_sizes(state),
        "finished_tricks": finished_tricks(state.plays, state.start_player, table.players),
        "largest_group": [_group(tokens) for tokens in state.tokens],
        "penalties": [_penalty(penalty) for penalty in frame.penalties],
        "paradox": None if frame.paradox is None else _paradox(frame.paradox, state.hands[frame.paradox]),
        "results": [_result(state, number, result) for number, result in enumerate(frame.results, 1)],
        "own": None if seat is None else _own(state, seat),
    }


def _board(ranks: int, tokens: tuple[int, ...], revealed: tuple[int, ...]) -> dict[str, list[int | str | None]]:
    holders: dict[int, int | str] = dict.fromkeys(cells(neutral_cells(revealed)), NEUTRAL)
    for seat, mask in enumerate(tokens):
        holders |= dict.fromkeys(cells(mask), seat)
    return {colour: [holders.get(cell_at(colour, rank)) for rank in range(1, ranks + 1)] for colour in COLOURS}


def _plays(trick: tuple[int, ...], leader: int, players: int) -> list[dict[str, Any]]:
    return [
        {"seat": (leader + place) % players, "rank": rank_of(cell), "colour": colour_of(cell)}
        for place, cell in enumerate(trick)
    ]


def finished_tricks(plays: tuple[int, ...], leader: int, players: int) -> list[dict[str, Any]]:
    """The finished tricks of a round that this seat led first."""
    tricks = []
    for first in range(0, len(plays) - len(plays) % players, players):
        trick = plays[first : first + players]
        winner = winning_seat(trick, leader)
        tricks.append({"leader": leader, "winner": winner, "plays": _plays(trick, leader, players)})
        leader = winner
    return tricks


def hand_sizes(state: State) -> list[int]:
    """The cards in each hand; while discards are made, those dealt, as nobody sees who has made theirs."""
    if state.phase_id == DISCARD:
        return [state.table.dealt] * state.table.players
    return [hand.bit_count() for hand in state.hands]


def _group(tokens: int) -> dict[str, Any]:
    names = [cell_name(cell) for cell in cells(largest_group(tokens))]
    return {"size": len(names), "cells": names}


def _penalty(penalty: Penalty) -> dict[str, Any]:
    hidden = penalty.move == NOT_YET
    return {
        "seat": penalty.seat,
        "phase": PHASES.by_id(penalty.phase_id).name,
        "answer": None if hidden else answer(penalty.phase_id, penalty.move),
    }


def _paradox(seat: int, hand: int) -> dict[str, Any]:
    return {"seat": seat, "hand": cards_of(hand)}


def _result(state: State, number: int, result: Result) -> dict[str, Any]:
    table = state.table
    start = (number - 1) % table.players
    return {
        "round": number,
        "start_player": start,
        "points": list(result.points),
        "bids": [bid or None for bid in result.bids],
        "tricks_won": list(result.tricks_won),
        "board": _board(table.ranks, result.tokens, result.revealed),
        "largest_group": [_group(tokens) for tokens in result.tokens],
        "bonus": list(result.bonuses),
        "finished_tricks": finished_tricks(result.plays, start, table.players),
        "penalties": [_penalty(penalty) for penalty in result.penalties],
        "paradox": None if result.paradox is None else _paradox(result.paradox, result.shown),
    }


def _own(state: State, seat: int) -> dict[str, Any]:
    declarable = declarable_ranks(state, seat)
    hand = cards_of(state.hands[seat])
    open_ranks = {rank for ranks in declarable.values() for rank in ranks}
    to_play = state.phase_id == PLAY and state.actor == seat
    return {
        "hand": hand,
        "discard": state.discards[seat] or None,
        "playable": [_legal(state, seat, cell) for cell in cells(state.playable)] if to_play else [],
        "declarable": declarable,
        "playable_cards": sum(rank in open_ranks for rank in hand),
    }


def _legal(state: State, seat: int, cell: int) -> dict[str, Any]:
    return {"rank": rank_of(cell), "colour": colour_of(cell), "gives_up": given_up(state, seat, cell)}
