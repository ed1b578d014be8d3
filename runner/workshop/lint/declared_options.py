"""What a game's prompts have to say of its options: `options.toml` beside the templates."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from games.core import Game, listed
from runner.errors import UsageError
from runner.prompting.loader import built_in_folder
from runner.prompting.pack import PromptPack

FILE = "options.toml"
_ANY = "*"


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that may stand in a prompt only while an option has a value (`*`: any but the default)."""

    words: str
    option: str
    value: str

    def is_out_of_place(self, game: Game, options: Mapping[str, Any]) -> bool:
        """Whether the words may not stand in a prompt under these options."""
        actual = options[self.option]
        if self.value == _ANY:
            return bool(actual == game.options[self.option].default)
        return _word(actual) != self.value


@dataclass(frozen=True, slots=True)
class Declared:
    """The options that players need not know, and the words that go with a value of an option."""

    silent: frozenset[str] = frozenset()
    phrases: tuple[Phrase, ...] = field(default_factory=tuple)


def declared(pack: PromptPack, game: Game) -> Declared:
    """What is declared of a game's options, by the built-in pack and by this one. UsageError when a file is not sound."""
    silent: set[str] = set()
    phrases: list[Phrase] = []
    for folder in dict.fromkeys((built_in_folder(), pack.folder or built_in_folder())):
        data = _read(folder / game.name / FILE)
        silent.update(data.get("silent", ()))
        for key, words in data.get("words", {}).items():
            option, _, value = key.partition("=")
            phrases += [Phrase(one, option, value.lower()) for one in words]
    for name in (*silent, *(phrase.option for phrase in phrases)):
        if name not in game.options:
            raise UsageError(
                f"{game.name}/{FILE} names an option {name!r} that there is not: there is {listed(list(game.options))}."
            )
    return Declared(frozenset(silent), tuple(phrases))


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error


def _word(value: Any) -> str:
    return str(value).lower()


def out_of_place(game: Game, options: Mapping[str, Any], words: Declared, lines: list[str]) -> Iterator[tuple[str, Phrase]]:
    """The lines with words that do not go with these options."""
    wrong = [phrase for phrase in words.phrases if phrase.is_out_of_place(game, options)]
    for line in lines:
        low = line.lower()
        for phrase in wrong:
            if phrase.words.lower() in low:
                yield line, phrase
