"""Menus of the legal answers: one menu per step, each choice with its effect."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from games.core import Choice, Question, Steps, as_told

_SHOWN, _LONGEST = 4, 40
_NUMBERED = re.compile(r"\D*(\d)")


Letters = Mapping[str, Mapping[str, str]]
"""The key of each choice, by what is chosen and the name of the choice."""


def is_written(question: Question) -> bool:
    """Whether the answer is free text and not a choice."""
    return any("enum" not in field for field in question.schema["properties"].values())


def without_choices(question: Question, names: Sequence[str], seat: int) -> str:
    """The question to the player at a seat, without its list of choices, which the menu shows."""
    first, _, choices = as_told(question.text, names, seat).partition("\n")
    asked, end, announced = first.rpartition(". ")
    return f"{asked}." if choices and end and announced.endswith(":") else first


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def keys_of(what: str, names: Sequence[str], letters: Letters) -> list[str]:
    """The keys of choices: the number of a seat or a place, else their letters; nothing where one has none."""
    if all(numbers := [_NUMBERED.fullmatch(name) for name in names]):
        found = [number[1] for number in numbers if number]
    else:
        found = [letter for name in names if (letter := letters.get(what, {}).get(name, ""))]
    return found if len(set(found)) == len(names) else []


@dataclass(frozen=True, slots=True)
class MenuLine:
    """A line of a menu: its key, name and effect, and the legal answers it leads to."""

    key: str
    name: str
    effect: str
    choices_left: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Menu:
    """The next step, among the answers that are still possible. `named` tells a text with the names of players."""

    choices_left: tuple[Choice, ...]
    depth: int = 0
    named: Callable[[str], str] = str
    letters: Letters | None = None

    @classmethod
    def of(cls, choices: Sequence[Choice], named: Callable[[str], str] = str, letters: Letters | None = None) -> Menu:
        """The first menu with a choice."""
        return cls(tuple(choices), named=named, letters=letters)._where_it_matters()

    @property
    def is_decided(self) -> bool:
        """Whether only one answer is possible."""
        return len(self.choices_left) == 1

    @property
    def taken(self) -> Steps:
        """The steps taken so far; all steps once the answer is decided."""
        steps = self.choices_left[0].steps
        return steps if self.is_decided else steps[: self.depth]

    @property
    def what(self) -> str:
        """What this menu chooses: a card, an action."""
        return self.choices_left[0].steps[self.depth].what

    @property
    def choices(self) -> list[MenuLine]:
        """The choices. Keys are the letters that they have, else numbers from 1, or the names themselves if all are numbers."""
        found: dict[str, list[Choice]] = {}
        for choice in self.choices_left:
            found.setdefault(choice.steps[self.depth].name, []).append(choice)
        are_numbers = all(name.isdecimal() for name in found)
        lettered = [] if self.letters is None or are_numbers else keys_of(self.what, [*found], self.letters)
        keys = lettered or (found if are_numbers else map(str, range(1, len(found) + 1)))
        return [
            MenuLine(key, name, choices_left[0].steps[self.depth].effect, tuple(choices_left))
            for key, (name, choices_left) in zip(keys, found.items(), strict=True)
        ]

    @property
    def single_keys(self) -> list[str]:
        """The keys, if each of them is one character, so that it needs no Enter; else none."""
        keys = [choice.key for choice in self.choices]
        return keys if all(len(key) == 1 for key in keys) else []

    def is_key(self, typed: str) -> bool:
        """Whether an input is the letter of a choice."""
        return self.letters is not None and any(typed == choice.key for choice in self.choices)

    def begins(self, letter: str) -> bool:
        """Whether a name begins with a letter."""
        return any(word.startswith(letter) for choice in self.choices for word in self._names(choice))

    def after(self, typed: str) -> Menu | None:
        """The menu after an input: a key, a name or its start, several in a row, or a whole answer."""
        word = typed.strip().casefold()
        if not word:
            return None
        return self._chosen(word) or self._whole(word) or self._in_a_row(word.split())

    def refusal(self, typed: str) -> str:
        """Why an input is invalid: the wrong step, and the choices it has."""
        menu, words = self, typed.casefold().split()
        for place, word in enumerate(words):
            after = menu._chosen(word)
            if after is None:
                said = typed.strip() if menu is self and not self._meant(word) else word
                before = f"After “{_short(' '.join(words[:place]))}” there" if place else "There"
                return f"{before} {menu._missing(said)}"
            if after.is_decided:
                break
            menu = after
        return f"There {self._missing(typed.strip())}"

    def _missing(self, word: str) -> str:
        found, said = self._meant(word.casefold()), f"“{_short(word)}”"
        if len(found) > 1:
            more = ", …" if len(found) > _SHOWN else ""
            names = ", ".join(_short(self.named(choice.name)) for choice in found[:_SHOWN])
            return f"is more than one {self.what} that begins with {said}: {names}{more}. Type more letters."
        keys = [choice.key for choice in self.choices]
        are_in_a_row = keys == [str(number) for number in range(1, len(keys) + 1)]
        known = f"a number from 1 to {len(keys)}" if are_in_a_row else f"one of {', '.join(keys)}"
        return f"is no {self.what} {said} here: type {known}, or ? for help."

    def _meant(self, word: str) -> list[MenuLine]:
        choices = self.choices
        exact = [choice for choice in choices if word in (choice.key, *self._names(choice))]
        if exact or word.isdecimal():
            return exact
        begun = [choice for choice in choices if any(name.startswith(word) for name in self._names(choice))]
        return begun or [choice for choice in choices if choice.effect.casefold().startswith(word)]

    def _names(self, choice: MenuLine) -> list[str]:
        return [name.casefold() for name in (choice.name, self.named(choice.name))]

    def _chosen(self, word: str) -> Menu | None:
        found = self._meant(word)
        if len(found) != 1:
            return None
        return replace(self, choices_left=found[0].choices_left, depth=self.depth + 1)._where_it_matters()

    def _whole(self, word: str) -> Menu | None:
        for choice in self.choices_left:
            names = [step.name for step in choice.steps[self.depth :]]
            if word in (" ".join(names).casefold(), " ".join(map(str, choice.answer.values())).casefold()):
                return replace(self, choices_left=(choice,), depth=len(choice.steps))
        return None

    def _in_a_row(self, words: list[str]) -> Menu | None:
        menu: Menu | None = self
        for word in words:
            menu = None if menu is None or menu.is_decided else menu._chosen(word)
        return menu

    def _where_it_matters(self) -> Menu:
        menu = self
        while not menu.is_decided and len(menu.choices) == 1:
            menu = replace(menu, depth=menu.depth + 1)
        return menu
