"""Lint of a pack: all checks, game by game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain

from games.core import Game
from runner.llm.tokens import message_tokens
from runner.prompting.pack import PromptPack, template_name
from runner.prompting.template_deps import templates_in_use
from runner.prompting.template_errors import PromptError
from runner.workshop.corpus import Case, corpus
from runner.workshop.lint.answer_checks import check_answer, check_reask
from runner.workshop.lint.declared_options import OptionDeclarations, declared
from runner.workshop.lint.hook_checks import check_hooks
from runner.workshop.lint.issues import NOTE, Issue, Issues, PromptLength
from runner.workshop.lint.leak_checks import check_fences, check_leak
from runner.workshop.lint.option_checks import OptionChecks, check_words, unstated
from runner.workshop.lint.rendered_cases import RenderedPrompt, Renderer
from runner.workshop.lint.source_places import place_of
from runner.workshop.lint.template_reading import check_files, check_templates, own_templates
from runner.workshop.lint.thinking_checks import check_thinking
from runner.workshop.variables import Reach, reaches

MOST_TOKENS = 16_000
"""Tokens above which a prompt is long."""

_OPTION_CASES = 2
"""Decisions of each role that are rendered with every value of every option."""

_BROKEN_ENOUGH = 3
"""Prompts of a role that fail to render before the rest of the role is skipped."""

Progress = Callable[[str], None]


def _no_progress(what: str) -> None:
    """Show nothing."""


def check_pack(
    pack: PromptPack,
    games: Sequence[Game],
    matches: int,
    seed: int = 0,
    on_progress: Progress = _no_progress,
) -> Issues:
    """The issues of a pack, found in `matches` matches of each game."""
    findings = Issues()
    for finding in chain(check_files(pack), *(check_thinking(pack, name) for name in own_templates(pack))):
        findings.add(finding)
    for game in games:
        _GameChecks(pack, game, findings, on_progress).run(list(corpus(game, matches, seed)))
    return findings


class _GameChecks:
    """The checks of one game."""

    def __init__(self, pack: PromptPack, game: Game, findings: Issues, on_progress: Progress) -> None:
        parts = templates_in_use(pack, game)
        built_in = PromptPack()
        self._game = game
        self._findings = findings
        self._on_progress = on_progress
        self._renderer = Renderer(pack, parts)
        self._words: OptionDeclarations = declared(pack, game)
        self._options = OptionChecks(self._renderer, Renderer(built_in, templates_in_use(built_in, game)), self._words)
        self._met: Counter[str] = Counter()
        self._broken: Counter[str] = Counter()
        self._first: dict[tuple[int, str, int], str] = {}

    def run(self, cases: list[Case]) -> None:
        self._on_progress(f"{self._game.name}: reading the templates")
        reach: dict[str, Reach] = reaches(self._game, cases)
        self._add(*check_templates(self._renderer.pack, self._game, reach))
        for case in cases:
            if self._broken[case.question.role] >= _BROKEN_ENOUGH:
                continue
            self._on_progress(f"{self._game.name}: {template_name(self._game.name, case.question.role)} ({case.description()})")
            self._check(case)
        self._add(*unstated(self._game, self._words, self._options.stated, self._renderer))

    def _check(self, case: Case) -> None:
        try:
            prompt = RenderedPrompt(self._renderer, case, self._renderer.render(case, case.context()))
            self._findings.rendered += 1
            self._measure(prompt)
            self._add(*check_leak(prompt), *check_fences(prompt), *check_answer(prompt), *check_words(prompt, self._words))
            self._met[case.question.role] += 1
            if self._met[case.question.role] <= _OPTION_CASES:
                self._add(*check_hooks(prompt))
                self._add(*self._options.check(case), *check_reask(self._renderer, case))
        except PromptError as fault:
            self._broken[case.question.role] += 1
            self._add(self._fault(fault, case))

    def _fault(self, fault: PromptError, case: Case) -> Issue:
        why = fault.why
        missing = why.rpartition("has no attribute ")[2].strip("'\"") if "has no attribute " in why else ""
        if missing and missing in case.state.to_json():
            why += ": the match has it, but the seat may not know it"
        return Issue(*place_of(self._renderer.pack, fault.template, fault.line), "render", f"{why}.", case=case.description())

    def _measure(self, prompt: RenderedPrompt) -> None:
        tokens, case = message_tokens(prompt.messages), prompt.case
        name = template_name(self._game.name, case.question.role)
        self._findings.lengths.setdefault(name, PromptLength()).add(tokens, case.description())
        if tokens > MOST_TOKENS:
            place = place_of(prompt.pack, name)
            self._add(Issue(*place, "length", f"the prompt has more than {MOST_TOKENS} tokens.", NOTE, case.description()))
        key = (case.match, case.question.role, case.seat)
        if self._first.setdefault(key, prompt.messages[0]["content"]) != prompt.messages[0]["content"]:
            sentence = (
                "the first message changes within a match: providers keep only what stays the same from question to question."
            )
            self._add(Issue(*place_of(prompt.pack, name), "cache", sentence, NOTE, case.description()))

    def _add(self, *findings: Issue) -> None:
        for finding in findings:
            self._findings.add(finding)
