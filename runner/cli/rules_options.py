"""Rules options: the values of a game's options from words of the command line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from games.core import Game, Option, OptionError
from runner.cli.setting_options import Values
from runner.errors import UsageError
from runner.files import read_regular_text


def option_value(option: Option, word: str | bool) -> object:
    """The value of an option; of one that holds data, such as a deck, from a JSON file or a list. OptionError when it is not
    allowed, UsageError for a file that cannot be read."""
    if isinstance(word, bool):
        return word
    if option.convert is None:
        return option.parse(word)
    if "," in word and not Path(word).exists():
        return option.check([part.strip() for part in word.split(",")])
    try:
        return option.check(json.loads(read_regular_text(Path(word), f"--{option.name}: the file")))
    except OptionError as error:
        raise OptionError(f"--{option.name} {word}: {error}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"--{option.name} {word}: the file is not JSON ({error}).") from error


def option_values(game: Game, words: Sequence[str]) -> Values:
    """Options of a game's rules from words NAME=VALUE. UsageError for another word and for an option that there is not."""
    values = Values()
    for word in words:
        name, mark, value = word.partition("=")
        name = name.strip().replace("-", "_")
        if not mark or name not in game.options:
            raise UsageError(f"--option {word}: expected NAME=VALUE; `tabletop rules {game.name} --options` lists the names.")
        values[name] = option_value(game.options[name], value.strip())
    return values
