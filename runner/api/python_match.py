"""Python match: a match between SPECs and Python functions, played by the same loop as those of the command."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

import games
from games.core import Game, listed
from runner.agents.environment import Settings
from runner.agents.factory import check_spec, seat_agents, seat_of
from runner.agents.function_agent import FunctionAgent
from runner.agents.named_spec import seat_spec
from runner.agents.player_name import check_name
from runner.agents.protocol import Agent
from runner.agents.seat import FUNCTION_KIND, Seat, check_distinct
from runner.agents.spec import FUNCTION, OFFLINE, Spec, needs_client, parse_spec
from runner.errors import UsageError
from runner.match.config import Asking, MatchConfig
from runner.match.hopeless import DEFAULT_HOPELESS
from runner.match.loop import Match
from runner.match.seeds import new_seed
from runner.prompting.pack import PromptPack
from runner.record.call_journal import Spending
from runner.record.log_sink import LogSink
from runner.record.match_budget import MatchBudget
from runner.record.writer import LogWriter

if TYPE_CHECKING:
    from runner.llm.client import Client

Player: TypeAlias = str | Callable[..., Any]
"""A SPEC as for `--seat`, or a function, coroutine function or class as for `py:` seats."""

Players: TypeAlias = Sequence[Player] | Mapping[str, Player]
"""The player of each seat, in order; of a mapping also the players' names."""


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """What a match is played with. None: the default of the game; of `seed` a random one."""

    players: int | None = None
    seed: int | None = None
    rules: str | None = None
    talk: bool = False
    ask: Asking = "simultaneous"
    budget: float | None = None
    prompts: Path | None = None
    mistakes: float = 0.0
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """UsageError for a value that no match takes."""
        if self.ask not in get_args(Asking):
            raise UsageError(f"ask={self.ask!r}: it has to be one of {listed(get_args(Asking))}.")
        if not isinstance(self.talk, bool):
            raise UsageError(f"talk={self.talk!r}: it has to be True or False.")
        if self.budget is not None and not (_is_number(self.budget) and 0 < self.budget < math.inf):
            raise UsageError(f"budget={self.budget!r}: it has to be a number of USD above 0.")
        if not (_is_number(self.mistakes) and 0 <= self.mistakes <= 1):
            raise UsageError(f"mistakes={self.mistakes!r}: it has to be a rate from 0 to 1.")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class PythonMatch:
    """A match that is ready to be played. OptionError or UsageError, before anything is written, for what cannot be."""

    def __init__(self, game: str, given: Players, options: MatchOptions, settings: Settings) -> None:
        if not isinstance(game, str):
            raise UsageError("`game` is the name of a game: `games.names()` lists them.")
        self._game, self._settings, self._options = games.load(game), settings, options
        players = _named(given)
        count = options.players or (len(players) if players else None)
        seed = new_seed() if options.seed is None else options.seed
        setup = self._game.set_up(count, seed, options.rules, options.options)
        if len(players) > setup.players:
            raise UsageError(f"There are {len(players)} seats, and the match has {setup.players} players.")
        self._players = [*players, *[("", OFFLINE)] * (setup.players - len(players))]
        self._pack = PromptPack(options.prompts)
        seats = tuple(self._seat(name, player) for name, player in self._players)
        check_distinct(seats)
        prompts = self._pack.to_json(self._game.name) if needs_client(seat.spec for seat in seats) else {}
        bounds = {} if options.budget is None else {"usd": options.budget}
        self.config = MatchConfig(
            self._game, setup, seats, prompts, options.ask, budget=bounds, hopeless=DEFAULT_HOPELESS, talk=options.talk
        )

    @property
    def game(self) -> Game:
        """The game."""
        return self._game

    def _seat(self, name: str, player: Player) -> Seat:
        if isinstance(player, str):
            spec = seat_spec(f"{name}={player}" if name else player, self._settings)
            check_spec(spec, self._game, self._settings)
            return seat_of(spec, self._game, self._pack, self._settings, self._options.mistakes)
        spec = _function_spec(name, player)
        if name:
            check_name(name)
        function = spec.who.removeprefix(FUNCTION)
        return Seat(spec, name or function.rpartition(":")[2].rpartition(".")[2], FUNCTION_KIND, {"function": function})

    async def play(self, log: Path) -> None:
        """Play the match into a new log. TabletopError when it stops before its end; the log has what was played."""
        async with AsyncExitStack() as stack:
            agents = await self._agents(stack, log)
            writer = LogWriter(log)
            stack.callback(writer.close)
            await Match(self.config, agents, [LogSink(writer)]).run()

    async def _client(self, stack: AsyncExitStack, log: Path) -> Client:
        from runner.llm.client import Client
        from runner.llm.offline import OfflineModel

        budget = MatchBudget(log, self._options.budget, None, Spending(0.0, 0))
        stack.callback(budget.close)
        offline = OfflineModel(self.config.setup.seed, self._options.mistakes)
        return await stack.enter_async_context(Client(budget=budget, offline=offline))

    async def _agents(self, stack: AsyncExitStack, log: Path) -> list[Agent]:
        specs = [seat.spec for seat in self.config.seats]
        client = await self._client(stack, log) if needs_client(specs) else None
        functions = {seat: player for seat, (_, player) in enumerate(self._players) if not isinstance(player, str)}
        ready = {seat: FunctionAgent(function) for seat, function in functions.items()}
        how = self._game, self.config.setup, self._pack, self._settings, client
        return await seat_agents(specs, *how, log=log, ready=ready)


def _named(given: Players) -> list[tuple[str, Player]]:
    """The players with their names, empty for none."""
    if isinstance(given, str) or callable(given):
        raise UsageError("`seats` is a list with the player of each seat, as in seats=['bot:steady', my_function].")
    if not isinstance(given, Mapping):
        return [("", player) for player in given]
    if odd := [name for name in given if not isinstance(name, str)]:
        raise UsageError(f"The name {odd[0]!r} of a player is no text: write seats={{'ada': 'bot:steady', ...}}, or a list.")
    return list(given.items())


def _function_spec(name: str, player: Callable[..., Any]) -> Spec:
    """The SPEC that names a function."""
    if not callable(player):
        raise UsageError(f"{player!r} is no player: a seat is a SPEC, such as 'bot:steady', or a function.")
    called = getattr(player, "__qualname__", type(player).__qualname__)
    text = f"{FUNCTION}{getattr(player, '__module__', type(player).__module__)}:{called}"
    return parse_spec(f"{name}={text}" if name else text)
