"""Whether prompts state the rules in force: nothing of a rule that is switched off, and something of every rule that is on.

Three ways of telling. Words declared to go with a value of an option stand under no other value. A sentence that the built-in
prompt has only under one value stands under no other one in the pack either. And where the built-in prompt changes with an
option, the pack's changes, too, or else says nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.core import Game
from runner.prompting.pack import template_name
from runner.prompting.template_errors import PromptError
from runner.workshop.corpus import Case, other_values
from runner.workshop.lint.declared_options import Declared, Phrase, out_of_place
from runner.workshop.lint.findings import NOTE, Finding
from runner.workshop.lint.rendered_cases import Rendered, Renderer
from runner.workshop.lint.source_places import origin, place_of

_SHORTEST = 25
"""Letters of a line that says something by itself."""


def check_words(prompt: Rendered, words: Declared) -> Iterator[Finding]:
    """Declared words stand only under their value, in the decisions as they were met."""
    options = vars_of(prompt.case)
    for line, phrase in out_of_place(prompt.case.game, options, words, prompt.lines):
        yield _left_over(prompt, line, phrase, options[phrase.option])


def vars_of(case: Case) -> dict[str, Any]:
    """The options of a case, by name."""
    options = case.state.setup.options
    return {name: getattr(options, name) for name in case.game.options}


def _left_over(prompt: Rendered, line: str, phrase: Phrase, actual: Any) -> Finding:
    means = "other than the default" if phrase.value == "*" else phrase.value
    sentence = f"{phrase.words!r} is a rule of {phrase.option}={means}, stated while {phrase.option} is {actual!r}."
    return Finding(*origin(prompt.pack, prompt.parts, line), "option", sentence, case=prompt.case.told())


class OptionChecks:
    """The checks that render one decision under other options, for a few decisions of each role."""

    def __init__(self, renderer: Renderer, built_in: Renderer, words: Declared) -> None:
        self._renderer = renderer
        self._built_in = built_in
        self._words = words
        self.stated: set[str] = set()

    def check(self, case: Case) -> Iterator[Finding]:
        """What is wrong with a decision's prompt when it is rendered under every other value of every option."""
        prompt = self._rendered(self._renderer, case, case.context())
        usual = self._rendered(self._built_in, case, case.context())
        if prompt is None or usual is None:
            return
        for name, option in case.game.options.items():
            for value in (option.default, *other_values(option)):
                if option.convert is None and value != vars_of(case)[name]:
                    yield from self._check_value(case, name, value, prompt, usual)

    def _check_value(self, case: Case, name: str, value: Any, prompt: Rendered, usual: Rendered) -> Iterator[Finding]:
        context = swapped(case, name, value)
        other = self._rendered(self._renderer, case, context)
        other_usual = self._rendered(self._built_in, case, context)
        if other is None or other_usual is None:
            return
        self.stated |= {name} if other.messages != prompt.messages else set()
        yield from self._sentences(name, value, other, set(usual.lines) - set(other_usual.lines))
        if other_usual.messages != usual.messages and other.messages == prompt.messages:
            sentence = f"it is the same whatever {name} is: a player is not told, or is told what holds for one value only."
            place = place_of(prompt.pack, template_name(case.game.name, case.question.role))
            yield Finding(*place, "option", sentence, NOTE, case.told())
        options = {**vars_of(case), name: value}
        said_by_the_rules = case.question.whole
        lines = [line.replace(said_by_the_rules, "") for line in other.lines]
        for line, phrase in out_of_place(case.game, options, self._words, lines):
            if phrase.option == name:
                yield _left_over(other, line, phrase, value)

    def _sentences(self, name: str, value: Any, other: Rendered, gone: set[str]) -> Iterator[Finding]:
        for line in other.lines:
            if line in gone and len(line) >= _SHORTEST:
                sentence = f"{line.strip()[:80]!r} holds only while {name} is not {value!r}, and is stated all the same."
                yield Finding(*origin(other.pack, other.parts, line), "option", sentence, case=other.case.told())

    def _rendered(self, renderer: Renderer, case: Case, context: dict[str, Any]) -> Rendered | None:
        try:
            return Rendered(renderer, case, renderer.render(case, context))
        except PromptError:
            return None


def swapped(case: Case, name: str, value: Any) -> dict[str, Any]:
    """A decision's context with another value of an option, in the view, too, where that has the option."""
    context = case.context()
    context["options"] = {**context["options"], name: value}
    if name in case.view:
        context["view"] = {**case.view, name: value}
    return context


def unstated(game: Game, words: Declared, stated: set[str], renderer: Renderer) -> Iterator[Finding]:
    """Options that no prompt of the game depends on, and that are not declared to be of no concern to players."""
    for name in game.options:
        if name not in stated and name not in words.silent:
            sentence = f"no prompt says anything of the option {name}; {game.name}/options.toml may list it as silent."
            yield Finding(*place_of(renderer.pack, template_name(game.name, next(iter(game.roles)))), "option", sentence, NOTE)
