"""Option checks: prompts must state the rules in force, and no others.

Three checks. Words declared for a value of an option must not appear with another value. A sentence that the built-in prompt
has with one value only must not appear with another value. Where the built-in prompt changes with an option, the pack's prompt
must change, too. A game without built-in prompts, from another package, gets the first check alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.core import Game
from runner.agents.wording import prompt_options
from runner.prompting.pack import template_name
from runner.prompting.template_errors import PromptError
from runner.workshop.corpus import Case, other_values
from runner.workshop.lint.declared_options import OptionDeclarations, OptionPhrase, out_of_place
from runner.workshop.lint.issues import NOTE, Issue
from runner.workshop.lint.rendered_cases import RenderedPrompt, Renderer
from runner.workshop.lint.source_places import origin, place_of

_SHORTEST = 25
"""Letters of a line that can be compared by itself."""


def check_words(prompt: RenderedPrompt, words: OptionDeclarations) -> Iterator[Issue]:
    """OptionDeclarations words stand only under their value, in the decisions as they were met."""
    options = options_of(prompt.case)
    for line, phrase in out_of_place(prompt.case.game, options, words, prompt.lines):
        yield _left_over(prompt, line, phrase, options[phrase.option])


def options_of(case: Case) -> dict[str, object]:
    """The options of a case, by name."""
    options = case.state.setup.options
    return {name: getattr(options, name) for name in case.game.options}


def _left_over(prompt: RenderedPrompt, line: str, phrase: OptionPhrase, actual: object) -> Issue:
    means = "other than the default" if phrase.value == "*" else phrase.value
    sentence = f"{phrase.words!r} is a rule of {phrase.option}={means}, stated while {phrase.option} is {actual!r}."
    return Issue(*origin(prompt.pack, prompt.parts, line), "option", sentence, case=prompt.case.description())


class OptionChecks:
    """Checks that render one decision with other options, for a few decisions of each role."""

    def __init__(self, renderer: Renderer, built_in: Renderer, words: OptionDeclarations) -> None:
        self._renderer = renderer
        self._built_in = built_in
        self._words = words
        self.stated: set[str] = set()

    def check(self, case: Case) -> Iterator[Issue]:
        """The issues of a decision's prompt, rendered with every other value of every option."""
        prompt = self._rendered(self._renderer, case, case.context())
        usual = self._rendered(self._built_in, case, case.context())
        if prompt is None:
            return
        for name, option in case.game.options.items():
            for value in (option.default, *other_values(option)):
                if option.convert is None and value != options_of(case)[name]:
                    yield from self._check_value(case, name, value, prompt, usual)

    def _check_value(
        self, case: Case, name: str, value: object, prompt: RenderedPrompt, usual: RenderedPrompt | None
    ) -> Iterator[Issue]:
        context = with_option(case, name, value)
        other = self._rendered(self._renderer, case, context)
        if other is None:
            return
        self.stated |= {name} if other.messages != prompt.messages else set()
        other_usual = self._rendered(self._built_in, case, context)
        if usual is not None and other_usual is not None:
            yield from self._compared(name, value, (prompt, other), (usual, other_usual))
        options = {**options_of(case), name: value}
        said_by_the_rules = case.question.whole
        lines = [line.replace(said_by_the_rules, "") for line in other.lines]
        for line, phrase in out_of_place(case.game, options, self._words, lines):
            if phrase.option == name:
                yield _left_over(other, line, phrase, value)

    def _compared(
        self, name: str, value: object, own: tuple[RenderedPrompt, RenderedPrompt], usual: tuple[RenderedPrompt, RenderedPrompt]
    ) -> Iterator[Issue]:
        """The pack's prompt under two values of an option, beside the built-in one under both."""
        prompt, other = own
        yield from self._sentences(name, value, other, set(usual[0].lines) - set(usual[1].lines))
        if usual[1].messages != usual[0].messages and other.messages == prompt.messages:
            sentence = f"it is the same whatever {name} is: a player is not told, or is told what holds for one value only."
            place = place_of(prompt.pack, template_name(prompt.case.game.name, prompt.case.question.role))
            yield Issue(*place, "option", sentence, NOTE, prompt.case.description())

    def _sentences(self, name: str, value: object, other: RenderedPrompt, gone: set[str]) -> Iterator[Issue]:
        for line in other.lines:
            if line in gone and len(line) >= _SHORTEST:
                sentence = f"{line.strip()[:80]!r} holds only while {name} is not {value!r}, and is stated all the same."
                yield Issue(*origin(other.pack, other.parts, line), "option", sentence, case=other.case.description())

    def _rendered(self, renderer: Renderer, case: Case, context: dict[str, object]) -> RenderedPrompt | None:
        try:
            return RenderedPrompt(renderer, case, renderer.render(case, context))
        except PromptError:
            return None


def with_option(case: Case, name: str, value: object) -> dict[str, object]:
    """A decision's context with another value of an option, also in the view where that has the option."""
    context = case.context()
    context["options"] = {**prompt_options(case.state.setup), name: value}
    if case.view.get(name) == options_of(case)[name]:
        context["view"] = {**case.view, name: value}
    return context


def unstated(game: Game, words: OptionDeclarations, stated: set[str], renderer: Renderer) -> Iterator[Issue]:
    """Options that no prompt of the game depends on and that are not declared silent."""
    for name in game.options:
        if name not in stated and name not in words.silent:
            sentence = f"no prompt says anything of the option {name}; {game.name}/options.toml may list it as silent."
            yield Issue(*place_of(renderer.pack, template_name(game.name, next(iter(game.roles)))), "option", sentence, NOTE)
