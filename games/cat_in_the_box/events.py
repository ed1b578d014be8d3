"""Events of a transition, in words and as data, each with its audience. Transitions add them: `events += told.NAME(...)`."""

from __future__ import annotations

from collections.abc import Iterator

from games.cat_in_the_box.actions import given_up
from games.cat_in_the_box.board import cell_name, cells, colour_of, neutral_cells, rank_of
from games.cat_in_the_box.cards import cards_of
from games.cat_in_the_box.phases import BID, DEAL, DISCARD, GAME_OVER, PARADOX, PHASES, PLAY, SCORING, TRICK_END
from games.cat_in_the_box.position import NOT_YET, Penalty, Position, Result
from games.cat_in_the_box.questions import answer_in, play_name
from games.cat_in_the_box.scoring import winners
from games.core import ITS, PENALTY, PHASE, Does, Event, Sentence, Who, counted, does, seat_name, win


def _phase(before: int, phase_id: int) -> Iterator[Event]:
    yield Event(PHASE, f"{PHASES.by_id(phase_id).name}.", {"to": phase_id, "from": before})


def _joined(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _card(rank: int) -> str:
    return f"an {rank}" if rank == 8 else f"a {rank}"


def deal(position: Position) -> Iterator[Event]:
    """A round was dealt. A match begins in the phase DEAL, a later round enters it."""
    rules = position.rules
    if position.round > 1:
        yield from _phase(SCORING, DEAL)
    yield Event(
        "deal",
        Sentence(
            f"Round {position.round} of {rules.rounds}: everybody is dealt {rules.dealt} cards; ",
            does(position.start_player, "be the start player."),
        ),
        {"round": position.round, "rounds": rules.rounds, "cards": rules.dealt, "start_player": position.start_player},
    )
    for seat, hand in enumerate(position.hands):
        ranks = cards_of(hand)
        yield Event("hand", does(seat, f"be dealt {_joined([*map(str, ranks)])}."), {"seat": seat, "hand": ranks}, (seat,))
    if rules.two_player:
        yield from _neutral(position.context.revealed)
    yield from _phase(DEAL, DISCARD)


def _neutral(revealed: tuple[int, ...]) -> Iterator[Event]:
    names = [cell_name(cell) for cell in cells(neutral_cells(revealed))]
    ranks = _joined([*map(str, sorted(revealed))])
    text = f"{ranks} are turned up; neutral tokens go on {_joined(names)}."
    yield Event("neutral", text, {"revealed": sorted(revealed), "cells": names})


def discard(position: Position, seat: int) -> Iterator[Event]:
    """A seat removed a card. The others are told when all have."""
    rank = position.discards[seat]
    text = Sentence(Who(seat), Does(seat, f"remove {_card(rank)} from "), Who(seat, ITS), " hand.")
    yield Event("discard", text, {"seat": seat, "rank": rank}, (seat,))
    if position.phase_id != DISCARD:
        yield Event("discards", "Everybody has removed a card, face down.", {"cards": len(position.discards)})
        yield from _phase(DISCARD, position.phase_id)


def bid(position: Position, seat: int) -> Iterator[Event]:
    """A seat bid."""
    tricks = position.bids[seat]
    yield Event("bid", does(seat, f"bid {counted(tricks, 'trick')}."), {"seat": seat, "bid": tricks})
    yield from _phase(BID, position.phase_id)


def play(before: Position, position: Position, seat: int, cell: int) -> Iterator[Event]:
    """A seat played a card, which may have ended a trick."""
    cost = given_up(before, seat, cell)
    play = does(seat, f"play {_card(rank_of(cell))} and")
    declared = Does(seat, f"declare it {colour_of(cell)}")
    facts = {"seat": seat, "rank": rank_of(cell), "colour": colour_of(cell), "gives_up": cost}
    lost = (":", Does(seat, f"give up {cost}.")) if cost else (".",)
    yield Event("play", Sentence(play, declared, *lost), facts)
    phase = PLAY
    if not position.led:
        yield from _phase(PLAY, TRICK_END)
        yield from _trick(position)
        phase = TRICK_END
    if position.playable:
        yield from _phase(phase, PLAY)


def _trick(position: Position) -> Iterator[Event]:
    winner, number = position.leader, sum(position.tricks_won)
    tricks = counted(position.tricks_won[winner], "trick")
    facts = {"seat": winner, "trick": number, "tricks_won": position.tricks_won[winner]}
    text = Sentence(Who(winner), Does(winner, f"win trick {number} and"), Does(winner, f"have {tricks}."))
    yield Event("trick", text, facts)


def paradox(position: Position) -> Iterator[Event]:
    """The seat to play has no legal play."""
    seat = position.pending[0]
    hand = cards_of(position.hands[seat])
    yield from _phase(PLAY if position.led else TRICK_END, PARADOX)
    shows = Does(seat, f"show {_joined([*map(str, hand)])}.")
    text = Sentence("Paradox: ", Who(seat), Does(seat, "have no legal play and"), shows)
    yield Event("paradox", text, {"seat": seat, "hand": hand})


def scores(result: Result) -> Iterator[Event]:
    """A round was scored."""
    yield from _phase(TRICK_END if result.paradox is None else PARADOX, SCORING)
    yield from [_score(result, seat) for seat in range(len(result.points))]


def _score(result: Result, seat: int) -> Event:
    points, extra, in_paradox = result.points[seat], result.bonuses[seat], seat == result.paradox
    won = result.tricks_won[seat]
    lost = sum(penalty.seat == seat for penalty in result.penalties)
    parts = [f"{points - extra + lost} for tricks"]
    parts += [f"{extra} for connected tokens"] * (extra > 0) + [f"-{lost} for invalid answers"] * (lost > 0)
    facts = {"seat": seat, "points": points, "tricks_won": won, "paradox": in_paradox, "bonus": extra, "penalties": lost}
    return Event("score", does(seat, f"score {counted(points, 'point')}: {_joined(parts)}."), facts)


def end(position: Position) -> Iterator[Event]:
    """The match is over."""
    yield from _phase(SCORING, GAME_OVER)
    best, scores = winners(position), position.scores
    text = win(best, f" with {counted(max(scores), 'point')}.")
    yield Event("game_over", text, {"winners": list(best), "scores": list(scores)})


def strike_out(penalty: Penalty) -> Iterator[Event]:
    """A seat lost a point, and a move was drawn at random for it."""
    if penalty.move == NOT_YET:
        drawn, played_for = "the card to remove is drawn at random", None
    else:
        played_for = answer_in(penalty.phase_id, penalty.move)
        bid_or_play = f"a bid of {penalty.move}" if penalty.phase_id == BID else play_name(penalty.move)
        drawn = f"{bid_or_play} was drawn at random"
    text = does(penalty.seat, f"lose 1 point for invalid answers; {drawn}.")
    yield Event(PENALTY, text, {"seat": penalty.seat, "points": -1, "answer": played_for})


def ending(position: Position) -> tuple[str, ...]:
    """Why the match ended; empty before the end."""
    if position.pending:
        return ()
    seat = position.context.paradox
    how = "every player has one card left" if seat is None else f"{seat_name(seat)} is in a paradox"
    return (f"round {position.round} of {position.rules.rounds} is over: {how}",)
