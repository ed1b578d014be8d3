"""Observations and action numbers for learning algorithms: the interface every game fills in."""

from __future__ import annotations

from abc import abstractmethod
from math import prod
from typing import NamedTuple

from games.core.state import Action, State


class Segment(NamedTuple):
    """A part of an observation: `shape` numbers from `start` on, the last index running fastest, and their meaning."""

    name: str
    start: int
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


def lay_out(*parts: tuple[str, tuple[int, ...], str]) -> tuple[Segment, ...]:
    """Parts (name, shape, meaning) one after the other, from 0."""
    segments, start = [], 0
    for name, shape, meaning in parts:
        segments.append(Segment(name, start, shape, meaning))
        start += segments[-1].size
    return tuple(segments)


class Encoding:
    """Whole numbers for one seat's information and for its actions, for a fixed number of players and fixed options.

    `size` numbers make an observation and `legend` says what they are; action numbers lie in range(`actions`) and depend on
    nothing but what the action is.
    """

    size: int
    legend: tuple[Segment, ...]
    actions: int

    @abstractmethod
    def observe(self, state: State, seat: int) -> tuple[int, ...]:
        """The seat's observation, from its own view alone: `size` numbers."""

    @abstractmethod
    def number(self, action: Action) -> int:
        """The number of a legal action."""

    def legal(self, state: State, seat: int) -> dict[int, Action]:
        """The seat's legal actions by number; none when it owes no decision."""
        return {self.number(action): action for action in state.actions_of(seat)}

    def mask(self, state: State, seat: int) -> tuple[bool, ...]:
        """For every action number whether it is legal for the seat now; all False when it owes no decision."""
        legal = self.legal(state, seat)
        return tuple(number in legal for number in range(self.actions))

    def action(self, state: State, seat: int, number: int) -> Action:
        """The legal action with that number. ValueError when there is none."""
        for action in state.actions_of(seat):
            if self.number(action) == number:
                return action
        raise ValueError(f"{number} is the number of no legal action of seat {seat}")
