"""What happened, in words and as data, told to those who may know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.cat_in_the_box.answers import answer, given_up, play_name
from games.cat_in_the_box.board import cell_name, cells, colour_of, rank_of
from games.cat_in_the_box.cards import cards_of
from games.cat_in_the_box.phases import BID, DEAL, DISCARD, GAME_OVER, PARADOX, PHASES, PLAY, SCORING, TRICK_END
from games.cat_in_the_box.rounds import NOT_YET, Penalty, Result
from games.cat_in_the_box.table import neutral_cells
from games.core import PENALTY, PHASE, Event, counted, seat_name

if TYPE_CHECKING:
    from games.cat_in_the_box.state import State

Told = list[Event]


def _entered(told: Told, before: int, phase_id: int) -> None:
    told.append(Event(PHASE, f"{PHASES.by_id(phase_id).name}.", {"to": phase_id, "from": before}))


def _words(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _card(rank: int) -> str:
    return f"an {rank}" if rank == 8 else f"a {rank}"


def dealt(told: Told, state: State) -> None:
    """A round was dealt; a match begins in that phase."""
    table = state.table
    if state.round > 1:
        _entered(told, SCORING, DEAL)
    start = seat_name(state.start_player)
    told.append(
        Event(
            "deal",
            f"Round {state.round} of {table.rounds}: everybody is dealt {table.dealt} cards; {start} is the start player.",
            {"round": state.round, "rounds": table.rounds, "cards": table.dealt, "start_player": state.start_player},
        )
    )
    for seat, hand in enumerate(state.hands):
        ranks = cards_of(hand)
        told.append(
            Event("hand", f"{seat_name(seat)} is dealt {_words([*map(str, ranks)])}.", {"seat": seat, "hand": ranks}, (seat,))
        )
    if table.two_player:
        _neutral(told, state.frame.revealed)
    _entered(told, DEAL, DISCARD)


def _neutral(told: Told, revealed: tuple[int, ...]) -> None:
    names = [cell_name(cell) for cell in cells(neutral_cells(revealed))]
    ranks = _words([*map(str, sorted(revealed))])
    text = f"{ranks} are turned up; neutral tokens go on {_words(names)}."
    told.append(Event("neutral", text, {"revealed": sorted(revealed), "cells": names}))


def discarded(told: Told, state: State, seat: int) -> None:
    """A seat removed a card; the others hear of it when all have."""
    rank = state.discards[seat]
    told.append(
        Event("discard", f"{seat_name(seat)} removes {_card(rank)} from its hand.", {"seat": seat, "rank": rank}, (seat,))
    )
    if state.phase_id != DISCARD:
        told.append(Event("discards", "Everybody has removed a card, face down.", {"cards": len(state.discards)}))
        _entered(told, DISCARD, state.phase_id)


def bid(told: Told, state: State, seat: int) -> None:
    """A seat bid."""
    tricks = state.bids[seat]
    told.append(Event("bid", f"{seat_name(seat)} bids {counted(tricks, 'trick')}.", {"seat": seat, "bid": tricks}))
    _entered(told, BID, state.phase_id)


def played(told: Told, before: State, state: State, seat: int, cell: int) -> None:
    """A seat played a card; that may have ended a trick."""
    cost = given_up(before, seat, cell)
    text = f"{seat_name(seat)} plays {_card(rank_of(cell))} and declares it {colour_of(cell)}"
    facts = {"seat": seat, "rank": rank_of(cell), "colour": colour_of(cell), "gives_up": cost}
    told.append(Event("play", f"{text}: gives up {cost}." if cost else f"{text}.", facts))
    phase = PLAY
    if not state.led:
        _entered(told, PLAY, TRICK_END)
        _trick(told, state)
        phase = TRICK_END
    if state.playable:
        _entered(told, phase, PLAY)


def _trick(told: Told, state: State) -> None:
    winner, number = state.leader, sum(state.tricks_won)
    tricks = counted(state.tricks_won[winner], "trick")
    facts = {"seat": winner, "trick": number, "tricks_won": state.tricks_won[winner]}
    told.append(Event("trick", f"{seat_name(winner)} wins trick {number} and has {tricks}.", facts))


def paradox(told: Told, state: State) -> None:
    """The seat to play has no legal play."""
    seat = state.pending[0]
    hand = cards_of(state.hands[seat])
    _entered(told, PLAY if state.led else TRICK_END, PARADOX)
    text = f"Paradox: {seat_name(seat)} has no legal play and shows {_words([*map(str, hand)])}."
    told.append(Event("paradox", text, {"seat": seat, "hand": hand}))


def scored(told: Told, result: Result) -> None:
    """A round was counted."""
    _entered(told, TRICK_END if result.paradox is None else PARADOX, SCORING)
    told += [_score(result, seat) for seat in range(len(result.points))]


def _score(result: Result, seat: int) -> Event:
    points, extra, in_paradox = result.points[seat], result.bonuses[seat], seat == result.paradox
    won = result.tricks_won[seat]
    lost = sum(penalty.seat == seat for penalty in result.penalties)
    parts = [f"{-won if in_paradox else won} for tricks"]
    parts += [f"{extra} for connected tokens"] * (extra > 0) + [f"-{lost} for invalid answers"] * (lost > 0)
    facts = {"seat": seat, "points": points, "tricks_won": won, "paradox": in_paradox, "bonus": extra, "penalties": lost}
    return Event("score", f"{seat_name(seat)} scores {counted(points, 'point')}: {_words(parts)}.", facts)


def game_over(told: Told, state: State) -> None:
    """The last round was counted."""
    _entered(told, SCORING, GAME_OVER)
    names = _words([seat_name(seat) for seat in state.winners])
    text = f"{names} {'wins' if len(state.winners) == 1 else 'share the win'} with {counted(max(state.scores), 'point')}."
    told.append(Event("game_over", text, {"winners": list(state.winners), "scores": list(state.scores)}))


def struck_out(told: Told, state: State, penalty: Penalty) -> None:
    """A seat lost a point, and a move was drawn for it."""
    name = seat_name(penalty.seat)
    if penalty.move == NOT_YET:
        drawn, played_for = "the card to remove is drawn at random", None
    else:
        played_for = answer(penalty.phase_id, penalty.move)
        bid_or_play = f"a bid of {penalty.move}" if penalty.phase_id == BID else play_name(penalty.move)
        drawn = f"{bid_or_play} was drawn at random"
    text = f"{name} loses 1 point for invalid answers; {drawn}."
    told.append(Event(PENALTY, text, {"seat": penalty.seat, "points": -1, "answer": played_for}))
