"""options.toml beside the templates: which options a game's prompts need not state, and which words belong to which value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from games.core import Game, listed
from runner.errors import UsageError
from runner.prompting.loader import built_in_path
from runner.prompting.pack import PromptPack
from runner.regular_files import read_regular_text
from runner.toml_text import read_toml

FILE = "options.toml"
_ANY = "*"


@dataclass(frozen=True, slots=True)
class OptionPhrase:
    """Words that a prompt may state only while an option has a value (`*`: any but the default)."""

    words: str
    option: str
    value: str

    def is_out_of_place(self, game: Game, options: Mapping[str, object]) -> bool:
        """Whether a prompt with these options must not state the words."""
        actual = options[self.option]
        if self.value == _ANY:
            return bool(actual == game.options[self.option].default)
        return _word(actual) != self.value


@dataclass(frozen=True, slots=True)
class OptionDeclarations:
    """Options that players need not know, and the words of an option's value."""

    silent: frozenset[str] = frozenset()
    phrases: tuple[OptionPhrase, ...] = field(default_factory=tuple)


def declared(pack: PromptPack, game: Game) -> OptionDeclarations:
    """The declarations of a game's options, by the built-in pack and by this one. UsageError for a file that cannot be read."""
    silent: set[str] = set()
    phrases: list[OptionPhrase] = []
    name = f"{game.name}/{FILE}"
    for path in dict.fromkeys((built_in_path(name), built_in_path(name) if pack.folder is None else pack.folder / name)):
        data = _read(path)
        silent.update(data.get("silent", ()))
        for key, words in data.get("words", {}).items():
            option, _, value = key.partition("=")
            phrases += [OptionPhrase(one, option, value.lower()) for one in words]
    for name in (*silent, *(phrase.option for phrase in phrases)):
        if name not in game.options:
            raise UsageError(
                f"{game.name}/{FILE} names an option {name!r} that there is not: there is {listed(list(game.options))}."
            )
    return OptionDeclarations(frozenset(silent), tuple(phrases))


def _read(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        return read_toml(read_regular_text(path, "The file"))
    except ValueError as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error


def _word(value: object) -> str:
    return str(value).lower()


def out_of_place(
    game: Game, options: Mapping[str, object], words: OptionDeclarations, lines: list[str]
) -> Iterator[tuple[str, OptionPhrase]]:
    """The lines that state words of another value of an option."""
    wrong = [phrase for phrase in words.phrases if phrase.is_out_of_place(game, options)]
    for line in lines:
        low = line.lower()
        for phrase in wrong:
            if phrase.words.lower() in low:
                yield line, phrase
