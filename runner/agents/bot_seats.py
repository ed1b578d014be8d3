"""Bot seats: whether the bot of a SPEC exists, its facts for the log, and its agent."""

from __future__ import annotations

from games.core import Game, listed, quoted
from games.search.policy import MOST_PLAYOUTS, SEARCH, bot_names, is_searchable, playing_policy, playouts_of
from runner.agents.bot_agent import BotAgent
from runner.agents.protocol import Agent
from runner.agents.search_agent import SearchAgent
from runner.agents.spec import BOT, Bot
from runner.errors import UsageError


def check_bot(spec: Bot, game: Game) -> None:
    """UsageError for a bot that the game does not have."""
    if spec.name in game.bots:
        return
    if spec.name.partition(":")[0] != SEARCH:
        raise UsageError(f"There is no bot {quoted(spec.who)} for {game.title}: {_bots(game)}")
    if not is_searchable(game):
        raise UsageError(f"{quoted(spec.who)} cannot play {game.title}, where answers are free text: {_bots(game)}")
    if playouts_of(spec.name) is None:
        raise UsageError(
            f"There is no bot {quoted(spec.who)}: write {BOT}{SEARCH} or {BOT}{SEARCH}:N, with a number of playouts from 1 to"
            f" {MOST_PLAYOUTS:,}."
        )


def _bots(game: Game) -> str:
    return f"there is {listed([f'{BOT}{name}' for name in bot_names(game)])}."


def bot_facts(spec: Bot) -> dict[str, object]:
    """What the log tells of a bot besides its SPEC: the number of playouts of one that searches."""
    playouts = playouts_of(spec.name)
    return {} if playouts is None else {"playouts": playouts}


def bot_agent(spec: Bot, game: Game) -> Agent:
    """The bot of a SPEC that has been checked."""
    playouts = playouts_of(spec.name)
    return BotAgent(game.bots[spec.name]) if playouts is None else SearchAgent(playouts, playing_policy(game))
