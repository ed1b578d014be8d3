"""Option checks: prompts must state the rules in force, and no others.

Three checks. Words declared for a value of an option must not appear with another value. A sentence that the built-in prompt
has with one value only must not appear with another value. Where the built-in prompt changes with an option, the pack's prompt
must change, too. A game without built-in prompts, from another package, gets the first check alone.
"""

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from games.core import Game, listed, quoted
from games.search.cases import Case, other_values
from runner.agents.own_fields import prompt_options
from runner.errors import UsageError
from runner.files import read_regular_text, read_toml
from runner.prompting.pack import PromptPack, prompts_folder, template_name
from runner.prompting.renderer import built_in_path
from runner.prompting.template_errors import PromptError
from runner.workshop.case_prompts import PackRenderer, RenderedPrompt, context_of
from runner.workshop.lint.issues import NOTE, Issue, issue_of, place_of

FILE = "options.toml"
_ANY = "*"


class OptionPhrase(NamedTuple):
    """Words that a prompt may state only while an option has a value (`*`: any but the default)."""

    words: str
    option: str
    value: str

    def found(self, prompt: RenderedPrompt, options: Mapping[str, object], said: str = "") -> Iterator[Issue]:
        """The lines of a prompt with these options that must not state the words; what the rules `said` does not count."""
        actual, default = options[self.option], prompt.case.game.options[self.option].default
        if actual != default if self.value == _ANY else str(actual).lower() == self.value:
            return
        if self.words.lower() not in prompt.lowered:
            return
        for line in (line.replace(said, "") for line in prompt.lines):
            if self.words.lower() in line.lower():
                means = "other than the default" if self.value == _ANY else self.value
                sentence = f"{self.words!r} is a rule of {self.option}={means}, stated while {self.option} is {actual!r}."
                yield issue_of(prompt, "option", sentence, line)


class OptionDeclarations(NamedTuple):
    """Options that players need not know, and the words of an option's value."""

    silent: set[str]
    phrases: list[OptionPhrase]


def declared(pack: PromptPack, game: Game) -> OptionDeclarations:
    """The declarations of a game's options, by the built-in pack and by this one. UsageError for a file that cannot be read."""
    silent, phrases, file = set[str](), list[OptionPhrase](), f"{prompts_folder(game.name)}/{FILE}"
    for path in dict.fromkeys((built_in_path(file), built_in_path(file) if pack.folder is None else pack.folder / file)):
        data = _read(path)
        silent.update(data.get("silent", ()))
        for key, words in data.get("words", {}).items():
            option, _, value = key.partition("=")
            phrases += [OptionPhrase(one, option, value.lower()) for one in words]
    for name in (*silent, *(phrase.option for phrase in phrases)):
        if name not in game.options:
            there = listed(list(game.options))
            raise UsageError(f"{file} names an option {quoted(name)} that there is not: there is {there}.")
    return OptionDeclarations(silent, phrases)


def _read(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        return read_toml(read_regular_text(path, "The file"))
    except ValueError as error:
        raise UsageError(f"{path} cannot be read: {error}.") from error


_SHORTEST = 25


def check_words(prompt: RenderedPrompt, words: OptionDeclarations) -> Iterator[Issue]:
    """Declared words stand only under their value, in the decisions as they were met."""
    return chain.from_iterable(phrase.found(prompt, prompt.case.options) for phrase in words.phrases)


def check_options(
    case: Case, own: PackRenderer, built_in: PackRenderer, words: OptionDeclarations, stated: set[str]
) -> Iterator[Issue]:
    """The issues of a decision's prompt, rendered with every other value of every option beside the built-in one; `stated` gets
    the options that change it."""

    def rendered(context: dict[str, object]) -> tuple[RenderedPrompt | None, RenderedPrompt | None]:
        return (found := _rendered(own, case, context)), found if built_in is own else _rendered(built_in, case, context)

    prompt, usual = rendered(context_of(case))
    if prompt is None:
        return
    options = case.options
    values = (
        (name, value)
        for name, option in case.game.options.items()
        for value in (option.default, *other_values(option))
        if option.convert is None and value != options[name]
    )
    for name, value in values:
        other, other_usual = rendered(with_option(case, name, value))
        if other is None:
            continue
        stated |= {name} if other.messages != prompt.messages else set()
        if usual is not None and other_usual is not None:
            gone = set(usual.lines) - set(other_usual.lines)
            for line in other.lines:
                if line in gone and len(line) >= _SHORTEST:
                    sentence = f"{line.strip()[:80]!r} holds only while {name} is not {value!r}, and is stated all the same."
                    yield issue_of(other, "option", sentence, line)
            if other_usual.messages != usual.messages and other.messages == prompt.messages:
                sentence = f"it is the same whatever {name} is: a player is not told, or is told what holds for one value only."
                yield issue_of(prompt, "option", sentence, level=NOTE)
        for phrase in words.phrases:
            if phrase.option == name:
                yield from phrase.found(other, {**options, name: value}, case.question.whole)


def _rendered(renderer: PackRenderer, case: Case, context: dict[str, object]) -> RenderedPrompt | None:
    try:
        return renderer.prompt(case, context)
    except PromptError:
        return None


def with_option(case: Case, name: str, value: object) -> dict[str, object]:
    """A decision's context with another value of an option, also in the view where that has the option."""
    context = context_of(case)
    context["options"] = {**prompt_options(case.state.setup), name: value}
    if case.view.get(name) == case.options[name]:
        context["view"] = {**case.view, name: value}
    return context


def unstated(game: Game, words: OptionDeclarations, stated: set[str], renderer: PackRenderer) -> Iterator[Issue]:
    """Options that no prompt of the game depends on and that are not declared silent."""
    for name in game.options:
        if name not in stated and name not in words.silent:
            sentence = (
                f"no prompt says anything of the option {name}; {prompts_folder(game.name)}/options.toml may list it as silent."
            )
            yield Issue(*place_of(renderer.pack, template_name(game.name, next(iter(game.roles)))), "option", sentence, NOTE)
