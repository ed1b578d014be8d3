"""Game checks: the base of the test classes, with the matches that they look at."""

from __future__ import annotations

import itertools
import random
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, ClassVar, NoReturn, TypeVar, cast

from games.core import Event, Game, State
from games.testing.random_play import begin, variants, walk

SEEDS = range(4)
MOST_STEPS = 60
"""Transitions of a match that are looked at."""

Step = tuple[State, State]


class GameChecks:
    """Tests of one game. A test with the argument `players` runs once for each number of players, one with `some_players` for
    the lowest, the default and the highest."""

    game: ClassVar[Game]
    seconds: ClassVar[float] = 60.0
    """The processor time that a test may take. Rules that never end fail their test; they do not hang it."""
    _played: ClassVar[dict[int, list[list[State]]]]
    _told: ClassVar[dict[int, list[list[tuple[Event, ...]]]]]

    def __init_subclass__(cls, **named: Any) -> None:
        """The matches of each class are its own: it may have another game."""
        super().__init_subclass__(**named)
        cls._played, cls._told = {}, {}

    def pytest_generate_tests(self, metafunc: Any) -> None:
        """Tell pytest the numbers of players."""
        some = {self.game.players[0], self.game.default_players, self.game.players[-1]}
        for name, numbers in (("players", self.game.players), ("some_players", sorted(some))):
            if name in metafunc.fixturenames:
                metafunc.parametrize(name, list(numbers))

    def setup_method(self) -> None:
        """Start the time of a test."""
        with suppress(ValueError):  # only the main thread can be stopped
            signal.signal(signal.SIGPROF, _stop)
            signal.setitimer(signal.ITIMER_PROF, self.seconds, 1)

    def teardown_method(self) -> None:
        """Stop it."""
        signal.setitimer(signal.ITIMER_PROF, 0)

    def of_seed(self, state: State, seed: int) -> State:
        """A state as another seed would have led to it."""
        setup: Any = state.setup
        changed: State = cast(Any, state)._replace(origin=None, setup=setup._replace(seed=seed))
        return changed

    def matches(self, players: int) -> list[list[State]]:
        """The states of a match for each seed, under the presets and options in turn, played once for all tests. One decision
        in twenty is a strike-out."""
        if (kept := self._played.get(players)) is not None:
            return kept
        ways = variants(self.game)
        found = []
        for seed in SEEDS:
            variant = ways[(players * len(SEEDS) + seed) % len(ways)]
            state = begin(self.game, players, seed, variant) or self.game.begin(players=players, seed=seed)
            found.append(list(walk(state, random.Random(seed), strike_rate=0.05)))
        self._played[players] = found
        return found

    def told(self, players: int) -> list[list[tuple[Event, ...]]]:
        """The events of each of these states, worked out once for all tests."""
        if players not in self._told:
            self._told[players] = [[state.events for state in states] for states in self.matches(players)]
        return self._told[players]

    def steps(self, players: int, seed: int) -> Sequence[Step]:
        """Transitions of a match without strike-outs, evenly spread, under one of the presets or options."""
        ways = variants(self.game)
        variant = ways[(seed * 7 + players) % len(ways)]
        state = begin(self.game, players, seed, variant) or self.game.begin(players=players, seed=seed)
        return sampled(list(itertools.pairwise(walk(state, random.Random(seed)))), MOST_STEPS)


def _stop(number: int, frame: object) -> NoReturn:
    raise TimeoutError("the test takes too long: do the rules never end?")


T = TypeVar("T")


def sampled(all_of_them: Sequence[T], most: int = 25) -> Sequence[T]:
    """Some of these, evenly spread: `most` or fewer."""
    return all_of_them[:: max(1, -(-len(all_of_them) // most))]


def refusal(kind: type[Exception], call: Callable[..., object], *values: Any, **named: Any) -> str:
    """The message of the error that a call with these values raises. AssertionError when it raises none of that kind."""
    try:
        found = call(*values, **named)
    except kind as error:
        return str(error)
    raise AssertionError(f"{kind.__name__} was expected, and the call gave {found!r}")
