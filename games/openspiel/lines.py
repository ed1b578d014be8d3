"""Lines of play: a game of OpenSpiel, a state of it, and what a seat knows where no world can be drawn."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from math import nan
from typing import Any, NamedTuple, NoReturn

import pyspiel

from games.core import OptionError, Rng
from games.core.sentence import quoted

LARGEST = 10_000
"""Bound of a number in an option, in either direction: larger ones make states that do not fit into memory."""

_MOST_MOVES = 100_000
"""A game with more different moves is refused: its states may not fit into memory."""

_PARTS = {"skat": 1000}
"""Games that pay parts of a point, and how many parts make one. Scores count the parts."""

_HIDDEN = "OpenSpiel draws no worlds of this game, so that no move of it can be tried out."

_PROBES = 24
"""Decisions of a match in which worlds are drawn, to see whether OpenSpiel can."""


class Line:
    """A state of a game of OpenSpiel, which is not to be changed. Lines with the same history are equal."""

    def __init__(self, state: Any, players: int) -> None:
        self.state, self.players = state, players

    @cached_property
    def history(self) -> tuple[int, ...]:
        """All moves and outcomes of chance since the beginning."""
        return tuple(self.state.history())

    @cached_property
    def actor(self) -> int | None:
        """The seat to move; None at the end."""
        return None if self.state.is_terminal() else self.state.current_player()

    @cached_property
    def moves(self) -> tuple[int, ...]:
        """The numbers of the legal moves."""
        return tuple(self.state.legal_actions())

    @property
    def returns(self) -> tuple[float, ...]:
        """What each seat has won."""
        return tuple(self.state.returns())

    @property
    def table(self) -> str:
        """All of the state as text, hidden parts included."""
        return str(self.state)

    def name_of(self, seat: int, move: int) -> str:
        """A move in OpenSpiel's words, which tell the legal moves of a state apart."""
        return str(self.state.action_to_string(seat, move)).strip()

    def known_to(self, seat: int) -> str:
        """What a seat sees, as text."""
        kind = self.state.get_game().get_type()
        see = self.state.observation_string if kind.provides_observation_string else self.state.information_state_string
        return str(see(seat))

    def play(self, move: int) -> Line:
        """The line after a move or an outcome of chance."""
        state = self.state.clone()
        state.apply_action(move)
        return Line(state, self.players)

    def after_chance(self, rng: Rng) -> Line:
        """The line when chance has drawn what it draws before the next decision."""
        line = self
        while line.state.is_chance_node():
            line = line.play(_drawn(line.state.chance_outcomes(), rng.random()))
        return line

    def world(self, seat: int, rng: Rng) -> Line:
        """A line that a seat cannot tell from this one. pyspiel.SpielError where OpenSpiel draws none."""
        return Line(self.state.resample_from_infostate(seat, rng.random), self.players)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Line) and self.history == other.history

    def __hash__(self) -> int:
        return hash(self.history)


class Known:
    """What a seat knows of a line of which OpenSpiel draws no world: its legal moves and its text, and nothing else."""

    table = ""

    def __init__(self, line: Line, seat: int | None) -> None:
        self.seat, self.players, self.actor = seat, line.players, line.actor
        self.moves = line.moves if seat is not None and seat == line.actor else ()
        self.returns = (0.0,) * line.players
        self._names = {move: line.name_of(seat, move) for move in self.moves if seat is not None}
        self._text = "" if seat is None else line.known_to(seat)

    def name_of(self, seat: int, move: int) -> str:
        """A legal move of the seat in words."""
        return self._names[move]

    def known_to(self, seat: int) -> str:
        """What the seat sees; nothing of another one."""
        return self._text if seat == self.seat else ""

    @property
    def history(self) -> NoReturn:
        """OptionError: what led here is hidden."""
        raise OptionError(_HIDDEN)

    def play(self, move: int) -> NoReturn:
        """OptionError: what a move leads to is hidden."""
        raise OptionError(_HIDDEN)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self.seat, self._text, self.moves))


class SpielGame(NamedTuple):
    """A game by OpenSpiel's short name.

    `in_turns`: of simultaneous moves, made one after the other. `is_perfect`: nothing is hidden. `counted` is the parameter
    that is the number of players, if there is one; `parameters` are the others, with defaults, by the names of options.
    """

    name: str
    in_turns: bool
    counted: str | None
    parameters: Mapping[str, tuple[str, Any]]
    is_perfect: bool
    has_worlds: bool = False

    @property
    def parts(self) -> int:
        """How much of a score is one point of the game."""
        return _PARTS.get(self.name, 1)

    def begin(self, options: Mapping[str, Any], players: int | None = None) -> Line:
        """The line before anything has happened. OptionError for options that OpenSpiel refuses."""
        given = {}
        for name, (key, default) in self.parameters.items():
            value = options.get(name, default)
            value = _number(name, value) if isinstance(default, float) else value
            if value != default:  # a default may stand for no value
                given[key] = value
        if self.counted is not None and players is not None:
            given[self.counted] = players
        try:
            with _unsaid():
                game = (pyspiel.load_game_as_turn_based if self.in_turns else pyspiel.load_game)(self.name, given)
            moves = game.num_distinct_actions()
            if moves > _MOST_MOVES:
                raise OptionError(f"openspiel:{self.name} has {moves:,} moves with these options: at most {_MOST_MOVES:,}.")
            return Line(game.new_initial_state(), game.num_players())
        except pyspiel.SpielError as error:
            raise OptionError(f"openspiel:{self.name} does not take its options: {error}") from error

    def replayed(self, line: Line, history: Sequence[int]) -> list[Line]:
        """A line and those that a history leads to from it. OptionError where the rules do not allow that."""
        lines = [line]
        for move in history:
            if line.state.is_terminal() or move not in line.state.legal_actions():
                raise OptionError(f"the history of openspiel:{self.name} has {move}, which its rules do not allow")
            line = line.play(move)
            lines.append(line)
        return lines


def can_resample(spiel: SpielGame) -> bool:
    """Whether OpenSpiel draws worlds from what a player knows: for some games only, and for some of these wrong ones."""
    rng = Rng(1)
    line = spiel.begin({}).after_chance(rng)
    try:
        with _unsaid():
            for _ in range(_PROBES):
                if line.actor is None:
                    break
                world = line.world(line.actor, rng)
                spiel.replayed(spiel.begin({}), world.history)
                if world.known_to(line.actor) != line.known_to(line.actor) or world.moves != line.moves:
                    return False
                line = line.play(rng.choice(line.moves)).after_chance(rng)
    except (pyspiel.SpielError, OptionError):
        return False
    return True


@contextmanager
def _unsaid() -> Iterator[None]:
    """Errors of OpenSpiel are raised and written to standard error too, below Python: nobody needs to read them there."""
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


def _drawn(outcomes: Sequence[tuple[int, float]], number: float) -> int:
    """The outcome at a number in [0, 1), by the outcomes' probabilities."""
    for outcome, chance in outcomes:
        number -= chance
        if number < 0:
            return outcome
    return outcomes[-1][0]


def _number(name: str, value: object) -> float:
    """The number that a text of an option says. OptionError when it says none."""
    try:
        number = float(str(value))
    except ValueError:
        number = nan
    if not abs(number) <= LARGEST:
        raise OptionError(f"{name} cannot be {quoted(value)}: it takes a number from {-LARGEST} to {LARGEST}.")
    return number
