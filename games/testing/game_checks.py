"""Game checks: the base of the test classes, with the matches that they look at."""

from __future__ import annotations

import itertools
import random
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, ClassVar, NoReturn

from games.core import Game, State
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
    _played: ClassVar[dict[tuple[int, float], list[list[State]]]]

    def __init_subclass__(cls, **named: Any) -> None:
        """The matches of each class are its own: it may have another game."""
        super().__init_subclass__(**named)
        cls._played = {}

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
        data = state.to_json()
        return self.game.from_json({**data, "setup": {**data["setup"], "seed": seed}})

    def matches(self, players: int, strike_rate: float = 0.05) -> list[list[State]]:
        """The states of a match for each seed, under the presets and options in turn, played once for all tests."""
        if (kept := self._played.get((players, strike_rate))) is not None:
            return kept
        ways = variants(self.game)
        found = []
        for seed in SEEDS:
            variant = ways[(players * len(SEEDS) + seed) % len(ways)]
            state = begin(self.game, players, seed, variant) or self.game.begin(players=players, seed=seed)
            found.append(list(walk(state, random.Random(seed), strike_rate)))
        self._played[players, strike_rate] = found
        return found

    def steps(self, players: int, seed: int) -> list[Step]:
        """Transitions of a match without strike-outs, evenly spread, under one of the presets or options."""
        ways = variants(self.game)
        variant = ways[(seed * 7 + players) % len(ways)]
        state = begin(self.game, players, seed, variant) or self.game.begin(players=players, seed=seed)
        found = list(itertools.pairwise(walk(state, random.Random(seed))))
        return found[:: max(1, len(found) // MOST_STEPS)]


def _stop(number: int, frame: object) -> NoReturn:
    raise TimeoutError("the test takes too long: do the rules never end?")


def sampled(states: Sequence[State], most: int = 25) -> Sequence[State]:
    """Some of the states, evenly spread: about `most`."""
    return states[:: max(1, len(states) // most)]


def refusal(kind: type[Exception], call: Callable[..., object], *values: Any, **named: Any) -> str:
    """The message of the error that a call with these values raises. AssertionError when it raises none of that kind."""
    try:
        found = call(*values, **named)
    except kind as error:
        return str(error)
    raise AssertionError(f"{kind.__name__} was expected, and the call gave {found!r}")
