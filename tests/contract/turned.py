"""A table turned: the same state with every player some seats further on, and moves as they are named there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.core import State
from games.coup.actions import Declaration
from games.oriflamme.stack import cards_of, points_of, stack_of


def turned(state: Any, by: int) -> Any:
    """The state after every player has moved `by` seats clockwise. Only the rules of Coup treat it like the state itself: in
    the other games the number of a seat says who begins."""
    players = state.setup.players
    found: State = _GAMES[state.game.name](state, players, by)
    return found


def turned_move(state: Any, move: Any, by: int) -> Any:
    """What a legal move of a state is called at the turned table; moves of most phases name no seat."""
    players = state.setup.players
    if isinstance(move, Declaration):
        return move._replace(target=_on(move.target, players, by))
    is_spying = state.game.name == "oriflamme" and state.phase.name == "Spy"
    return _on(move, players, by) if is_spying else move


def _on(seat: int, players: int, by: int) -> int:
    return seat if seat < 0 else (seat + by) % players


def _round(values: tuple[Any, ...], by: int) -> tuple[Any, ...]:
    """A value for each seat, each at its new seat."""
    return values if not values else values[-by % len(values) :] + values[: -by % len(values)]


def _coup(state: Any, players: int, by: int) -> Any:
    def turn(one: Any) -> Any:
        seats = {name: _on(getattr(one, name), players, by) for name in ("actor", "target", "challenger", "blocker")}
        losses = tuple((_on(seat, players, by), card) for seat, card in one.losses)
        return one._replace(**seats, block_challenger=_on(one.block_challenger, players, by), losses=losses)

    return state._replace(
        pending=tuple(_on(seat, players, by) for seat in state.pending),
        hands=_round(state.hands, by),
        coins=_round(state.coins, by),
        living=sum(1 << _on(seat, players, by) for seat in range(players) if state.living >> seat & 1),
        turn=turn(state.turn),
        history=tuple(map(turn, state.history)),
        picks=_round(state.picks, by),
    )


def _cat_in_the_box(state: Any, players: int, by: int) -> Any:
    seatwise = ("hands", "discards", "bids", "tokens", "x_tokens", "tricks_won")
    return state._replace(
        pending=tuple(_on(seat, players, by) for seat in state.pending),
        leader=_on(state.leader, players, by),
        **{name: _round(getattr(state, name), by) for name in seatwise},
    )


def _dixiquote(state: Any, players: int, by: int) -> Any:
    return state._replace(
        pending=tuple(_on(seat, players, by) for seat in state.pending),
        storyteller=_on(state.storyteller, players, by),
        **{name: _round(getattr(state, name), by) for name in ("scores", "hands", "submitted", "votes")},
    )


def _oriflamme(state: Any, players: int, by: int) -> Any:
    queue = [[card._replace(owner=_on(card.owner, players, by)) for card in cards_of(stack)] for stack in state.queue]
    return state._replace(
        actor=_on(state.actor, players, by),
        queue=tuple(map(stack_of, queue)),
        points=points_of(_round(state.scores, by)),
        hands=_round(state.hands, by),
        removed=_round(state.removed, by),
    )


_GAMES: Mapping[str, Callable[[Any, int, int], Any]] = {
    "cat_in_the_box": _cat_in_the_box,
    "coup": _coup,
    "dixiquote": _dixiquote,
    "oriflamme": _oriflamme,
}
