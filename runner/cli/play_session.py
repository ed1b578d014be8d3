"""Playing one match, from checked words to exit status."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from uuid import uuid4

from games.core import Game, Setup
from runner.agents.environment import Settings
from runner.agents.factory import Filled, check_spec, seat_of
from runner.agents.rated_seats import RULES
from runner.agents.spec import needs_client
from runner.cli.display_options import Showing
from runner.cli.model_options import Models
from runner.cli.session import Sitting
from runner.errors import PausedError
from runner.match.config import Asking, MatchConfig
from runner.prompting.pack import PromptPack
from runner.record.log_target import LogTarget
from runner.screen.consoles import say_aside


def new_log_path(game: Game, seed: int) -> Path:
    """Where a match is logged when nobody says where."""
    return Path("logs") / f"{game.name}-{time.strftime('%Y%m%d-%H%M%S')}-seed{seed}-{uuid4().hex[:4]}.jsonl"


def configure(
    game: Game,
    setup: Setup,
    specs: tuple[str, ...],
    pack: PromptPack,
    ask: Asking,
    ask_forced: bool,
    settings: Settings,
    models: Models,
) -> MatchConfig:
    """The match that the words on the command line ask for. UsageError for a seat that cannot be."""
    for spec in specs:
        check_spec(spec, game, settings, has_people=True)
    seats = tuple(seat_of(spec, game, pack, settings, models.mistakes, models.is_rated) for spec in specs)
    prompts = pack.to_json(game.name) if needs_client(specs) else {}
    return MatchConfig(game, setup, seats, prompts, ask, ask_forced, models.bounds)


def play(
    config: MatchConfig,
    filled: Filled,
    pack: PromptPack,
    settings: Settings,
    source: LogTarget,
    models: Models,
    showing: Showing,
) -> None:
    """Play a match and print its result. TabletopError when it stops before the end."""
    perspective = showing.perspective(config.setup.players, models.people(filled.specs))
    terminal = showing.terminal(perspective, models.budget)
    is_silent = showing.is_quiet and showing.as_json
    is_told = perspective.seat is not None and not showing.is_quiet
    if not showing.is_quiet:
        _introduce(config, filled, models)
    sitting = Sitting(config, pack, settings, source, models, is_silent)
    try:
        result = asyncio.run(sitting.run(terminal, is_told))
    except PausedError as stop:
        showing.tell_pause(str(stop), config, source.path)
        raise
    showing.conclude(config.game, result, source.path)


def _introduce(config: MatchConfig, filled: Filled, models: Models) -> None:
    """Say beforehand what a player or a reader of the result has to know."""
    if models.playback is not None:
        say_aside(f"Played back from {models.playback.path}: every answer is recorded, nobody is asked.")
    elif filled.offline_by_default:
        say_aside("No OPENROUTER_API_KEY: free seats are played by the offline model, which is no language model.")
    elif filled.paid_by_default:
        say_aside(f"Free seats are played by {filled.paid_by_default}, which costs money: --seat offline is free.")
    if models.is_rated:
        say_aside(RULES)
    for caution in config.game.cautions(config.setup.players, config.setup.options):
        say_aside(f"Note: {caution}")
