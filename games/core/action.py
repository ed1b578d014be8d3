"""A legal action, bound to the state it belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

if TYPE_CHECKING:
    from games.core.event import Event
    from games.core.state import State
    from games.core.step import Steps


class Action(NamedTuple):
    """What one seat may do in one state. `move` is the game's own value for it."""

    state: State
    seat: int
    move: Any

    @property
    def next_state(self) -> State:
        """The state after the action; this action's own state stays as it is."""
        return self.state._play(self.seat, self.move, None)

    def told(self) -> tuple[State, tuple[Event, ...]]:
        """The state after the action and its events, for the price of one transition."""
        told: list[Event] = []
        return self.state._play(self.seat, self.move, told), tuple(told)

    def on(self, state: State) -> Action:
        """The same action in a later state in which the seat still owes the same decision (others answered meanwhile)."""
        return Action(state, self.seat, self.move)

    def to_json(self) -> dict[str, Any]:
        """The answer data that reads as this action."""
        return self.state._answer(self.seat, self.move)

    @property
    def steps(self) -> Steps:
        """The action in words for people who choose from a menu, step by step."""
        return self.state._steps(self.seat, self.move)

    def __repr__(self) -> str:
        return f"<{type(self.state).__module__} {self.to_json()} by P-{self.seat}>"


class Actions(Sequence[Action]):
    """The legal actions of a seat; an Action is made when it is looked at, so that a choice pays for one only."""

    __slots__ = ("_moves", "_seat", "_state")

    def __init__(self, state: State, seat: int, moves: Sequence[Any]) -> None:
        self._state = state
        self._seat = seat
        self._moves = moves

    def __len__(self) -> int:
        return len(self._moves)

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Action, ...]: ...
    def __getitem__(self, index: int | slice) -> Action | tuple[Action, ...]:
        if isinstance(index, slice):
            return tuple(Action(self._state, self._seat, move) for move in self._moves[index])
        return _new(Action, (self._state, self._seat, self._moves[index]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(list(self))


_new = tuple.__new__
