"""The options of a game: named, typed, with a default, a range and a sentence."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from games.core.errors import OptionError
from games.core.sentence import listed, quoted


class Option(NamedTuple):
    """One option. A value is one of `choices`, or an integer from `minimum` to `maximum`, or what `convert` accepts.

    `convert` turns a value given from outside into an immutable one (or raises OptionError), `dump` turns that back
    into JSON; both serve options that are neither numbers nor words, such as a deck. `synonyms` are other names for
    the option on a command line.
    """

    name: str
    default: Any
    help: str
    choices: tuple[Any, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    text: bool = False
    convert: Callable[[Any], Any] | None = None
    dump: Callable[[Any], Any] | None = None
    synonyms: tuple[str, ...] = ()

    def check(self, value: Any) -> Any:
        """The value as the game keeps it. OptionError when it is not allowed."""
        if self.convert is not None:
            return self.convert(value)
        for choice in self.choices:
            if type(choice) is type(value) and choice == value:
                return value
        if self.minimum is not None and type(value) is int and self._in_range(value):
            return value
        if self.text and isinstance(value, str) and value.strip():
            return value.strip()
        raise OptionError(f"{self.name} cannot be {quoted(value)}: it takes {self.takes}.")

    def parse(self, word: str) -> Any:
        """The value a word on the command line stands for. OptionError when it stands for none."""
        for choice in self.choices:
            if word.strip().casefold() == str(choice).casefold():
                return choice
        try:
            value: Any = int(word)
        except ValueError:
            value = word
        return self.check(value)

    def to_json(self, value: Any) -> Any:
        """A checked value as JSON data that `check` accepts."""
        return value if self.dump is None else self.dump(value)

    @property
    def takes(self) -> str:
        """The allowed values in words."""
        ways = []
        if self.minimum is not None:
            ways.append(f"a whole number from {self.minimum}" + (f" to {self.maximum}" if self.maximum is not None else " up"))
        if self.text:
            ways.append("a text")
        if named := [choice for choice in self.choices if choice is not None]:
            ways.append(listed(named))
        if None in self.choices:
            ways.append("none")
        return " or ".join(ways) or self.help

    def _in_range(self, value: int) -> bool:
        assert self.minimum is not None
        return self.minimum <= value and (self.maximum is None or value <= self.maximum)


def option(
    default: Any,
    help: str,
    *,
    choices: tuple[Any, ...] = (),
    minimum: int | None = None,
    maximum: int | None = None,
    text: bool = False,
    convert: Callable[[Any], Any] | None = None,
    dump: Callable[[Any], Any] | None = None,
    synonyms: tuple[str, ...] = (),
) -> Any:
    """A field of an Options class. A boolean default stands for the choices False and True."""
    if isinstance(default, bool):
        choices = (False, True)
    facts = Option("", default, help, choices, minimum, maximum, text, convert, dump, synonyms)
    return dataclasses.field(default=default, metadata={"option": facts})


@dataclasses.dataclass(frozen=True, slots=True)
class Options:
    """What every game can be told. A game's own options derive from it; each field is made by `option`."""

    strikes: int = option(3, "invalid answers in a row in one phase before the game's penalty applies", minimum=1, maximum=20)
    _json: dict[str, Any] | None = dataclasses.field(default=None, init=False, repr=False, compare=False)

    @classmethod
    def known(cls) -> dict[str, Option]:
        """The options by name."""
        return dict(cls._known())

    @classmethod
    @cache
    def _known(cls) -> dict[str, Option]:
        return {f.name: f.metadata["option"]._replace(name=f.name) for f in dataclasses.fields(cls) if "option" in f.metadata}

    @classmethod
    def of(cls, presets: Mapping[str, Mapping[str, Any]], rules: str, given: Mapping[str, Any]) -> Options:
        """The options of a preset with the given ones over it. OptionError for an unknown preset, name or value."""
        known = cls._known()
        if rules not in presets:
            raise OptionError(f"There are no rules {quoted(rules)}: the presets are {listed(tuple(presets))}.")
        for name in given:
            if name not in known:
                raise OptionError(f"There is no option {quoted(name)}: the options are {', '.join(sorted(known))}.")
        chosen = {**presets[rules], **given}
        return cls(**{name: known[name].check(value) for name, value in chosen.items()})

    def to_json(self) -> dict[str, Any]:
        """Every option with its value, as JSON data that `of` accepts. Worked out once: what is in it is not to be changed."""
        if self._json is None:
            data = {name: known.to_json(getattr(self, name)) for name, known in self._known().items()}
            object.__setattr__(self, "_json", data)
        return dict(self._json or {})


class Setup(NamedTuple):
    """Everything fixed from the start of a match: seats, seed, the preset's name and every option."""

    players: int
    seed: int
    rules: str
    options: Any

    def to_json(self) -> dict[str, Any]:
        """JSON data from which `Game.from_json` makes it again."""
        return {"players": self.players, "seed": self.seed, "rules": self.rules, "options": self.options.to_json()}
