"""What a seat may know, as JSON data."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from games.cat_in_the_box.actions import declarable_ranks, given_up, red_is_broken
from games.cat_in_the_box.board import (
    COLOURS,
    cell_at,
    cell_name,
    cells,
    colour_of,
    colours_of,
    largest_group,
    neutral_cells,
    rank_of,
)
from games.cat_in_the_box.cards import cards_of
from games.cat_in_the_box.options import MatchRules
from games.cat_in_the_box.phases import DISCARD, PHASES, PLAY
from games.cat_in_the_box.position import NOT_YET, Penalty, Position, Result, copies
from games.cat_in_the_box.questions import answer_in
from games.cat_in_the_box.scoring import winning_seat
from games.core import View

NEUTRAL = "neutral"


def view(position: Position, seat: int | None) -> View:
    """All that a seat (None: a spectator) may know."""
    rules, context = position.rules, position.context
    return {
        "game": "cat_in_the_box",
        "seat": seat,
        "phase": {"id": position.phase_id, "name": PHASES.by_id(position.phase_id).name},
        "players": rules.players,
        "ranks": rules.ranks,
        "round": context.number,
        "rounds": rules.rounds,
        "tricks": rules.tricks,
        "allowed_bids": list(rules.bids),
        "start_player": position.start_player,
        "leader": position.leader,
        "turn": None if position.phase_id == DISCARD else position.turn,
        "scores": list(position.scores),
        "bids": [bid or None for bid in position.bids],
        "tricks_won": list(position.tricks_won),
        "x_tokens": [colours_of(rows) for rows in position.x_tokens],
        "board": _board(rules.ranks, position.tokens, context.revealed),
        "revealed": sorted(context.revealed),
        "trick": _plays(position.trick, position.leader, rules.players),
        "led_colour": colours_of(position.led)[0] if position.led else None,
        "red_broken": red_is_broken(rules, position.free),
        "hand_sizes": _hand_sizes(position),
        "finished_tricks": _finished_tricks(position.plays, position.start_player, rules.players),
        "largest_group": [_group(tokens) for tokens in position.tokens],
        "penalties": [_penalty(penalty) for penalty in context.penalties],
        "paradox": None if context.paradox is None else _paradox(context.paradox, position.hands[context.paradox]),
        "results": [_result(rules, number, result) for number, result in enumerate(context.results, 1)],
        "own": None if seat is None else _own(position, seat),
    }


def _board(ranks: int, tokens: tuple[int, ...], revealed: tuple[int, ...]) -> dict[str, list[int | str | None]]:
    holders: dict[int, int | str] = dict.fromkeys(cells(neutral_cells(revealed)), NEUTRAL)
    for seat, mask in enumerate(tokens):
        holders |= dict.fromkeys(cells(mask), seat)
    return {colour: [holders.get(cell) for cell in row] for colour, row in _rows(ranks)}


@cache
def _rows(ranks: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The cells of each colour's row."""
    return tuple((colour, tuple(cell_at(colour, rank) for rank in range(1, ranks + 1))) for colour in COLOURS)


def _plays(trick: tuple[int, ...], leader: int, players: int) -> list[dict[str, Any]]:
    return [
        {"seat": (leader + place) % players, "rank": rank_of(cell), "colour": colour_of(cell)}
        for place, cell in enumerate(trick)
    ]


def _finished_tricks(plays: tuple[int, ...], leader: int, players: int) -> list[dict[str, Any]]:
    """The finished tricks of a round that this seat led first."""
    tricks = []
    for first in range(0, len(plays) - len(plays) % players, players):
        trick = plays[first : first + players]
        winner = winning_seat(trick, leader, players)
        tricks.append({"leader": leader, "winner": winner, "plays": _plays(trick, leader, players)})
        leader = winner
    return tricks


def _hand_sizes(position: Position) -> list[int]:
    """The cards in each hand; while discards are made, those dealt, as nobody sees who has made theirs."""
    if position.phase_id == DISCARD:
        return [position.rules.dealt] * position.rules.players
    return [hand.bit_count() for hand in position.hands]


def _group(tokens: int) -> dict[str, Any]:
    names = _names_of_group(tokens)
    return {"size": len(names), "cells": [*names]}


@lru_cache(1024)
def _names_of_group(tokens: int) -> tuple[str, ...]:
    return tuple(cell_name(cell) for cell in cells(largest_group(tokens)))


def _penalty(penalty: Penalty) -> dict[str, Any]:
    hidden = penalty.move == NOT_YET
    return {
        "seat": penalty.seat,
        "phase": PHASES.by_id(penalty.phase_id).name,
        "answer": None if hidden else answer_in(penalty.phase_id, penalty.move),
    }


def _paradox(seat: int, hand: int) -> dict[str, Any]:
    return {"seat": seat, "hand": cards_of(hand)}


@copies
def _result(rules: MatchRules, number: int, result: Result) -> dict[str, Any]:
    start = (number - 1) % rules.players
    return {
        "round": number,
        "start_player": start,
        "points": list(result.points),
        "bids": [bid or None for bid in result.bids],
        "tricks_won": list(result.tricks_won),
        "board": _board(rules.ranks, result.tokens, result.revealed),
        "largest_group": [_group(tokens) for tokens in result.tokens],
        "bonus": list(result.bonuses),
        "finished_tricks": _finished_tricks(result.plays, start, rules.players),
        "penalties": [_penalty(penalty) for penalty in result.penalties],
        "paradox": None if result.paradox is None else _paradox(result.paradox, result.shown),
    }


def _own(position: Position, seat: int) -> dict[str, Any]:
    declarable = declarable_ranks(position, seat)
    hand = cards_of(position.hands[seat])
    open_ranks = {rank for ranks in declarable.values() for rank in ranks}
    to_play = position.phase_id == PLAY and position.turn == seat
    return {
        "hand": hand,
        "discard": position.discards[seat] or None,
        "playable": [_legal(position, seat, cell) for cell in cells(position.playable)] if to_play else [],
        "declarable": declarable,
        "playable_cards": sum(rank in open_ranks for rank in hand),
    }


def _legal(position: Position, seat: int, cell: int) -> dict[str, Any]:
    return {"rank": rank_of(cell), "colour": colour_of(cell), "gives_up": given_up(position, seat, cell)}
