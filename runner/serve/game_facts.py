"""Game facts: the games with their options, and the rules of a game, as clients get them."""

from __future__ import annotations

from collections.abc import Mapping

import games
from games.core import Game
from runner.agents.rules_text import rules_text
from runner.serve.hosted_config import RULES, set_up
from runner.serve.tool_types import GameFacts


def all_games() -> list[GameFacts]:
    """Every game, with a sentence on each option."""
    return [_facts(games.load(name)) for name in games.names()]


def _facts(game: Game) -> GameFacts:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "players": [game.players[0], game.players[-1]],
        "presets": list(game.presets),
        "bots": [f"bot:{name}" for name in game.bots],
        "options": {name: option.help for name, option in game.options.items()},
    }


def rules_with_options(name: str, options: Mapping[str, object]) -> str:
    """The rules of a game and the options that are in force. OptionError for a game or an option that there is not."""
    game = games.load(name)
    setup = set_up(game, options, None)
    lines = [f"- {option}: {value}" for option, value in setup.options.to_json().items() if not isinstance(value, list | dict)]
    return "\n".join([rules_text(game), f"## Options in this match ({RULES}: {setup.rules})", "", *lines, ""])
