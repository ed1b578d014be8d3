"""Text that is rendered once: it is what the sandbox renders each time."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from jinja2 import DictLoader

import games
from games.core import State
from games.testing.random_play import begin, variants, walk
from runner.agents.wording import prompt_options
from runner.prompting.built_in_environment import BuiltInEnvironment
from runner.prompting.loader import SharedCode
from runner.prompting.pack import prompt_context, template_name
from runner.prompting.renderer import TemplateRenderer

ONCE = TemplateRenderer(None)


def context(state: State, seat: int, **more: object) -> dict[str, object]:
    return {**prompt_context(state.view(seat), state.question(seat), prompt_options(state.setup), False), **more}


def states(name: str) -> list[State]:
    game, chance = games.load(name), random.Random(name)
    drawn = [chance.choice(list(variants(game))) for _ in range(4)]
    begun = [begin(game, chance.choice(game.players), seed, variant) for seed, variant in enumerate(drawn)]
    return [step for state in begun if state is not None for step in list(walk(state, chance, 0.05))[:-1:9]]


@pytest.mark.parametrize("name", games.names())
def test_it_is_what_the_sandbox_renders_each_time(name: str, tmp_path: Path) -> None:
    each_time = TemplateRenderer(tmp_path)
    for state in states(name):
        for seat in state.pending:
            template, variables = template_name(name, state.question(seat).role), context(state, seat)
            assert ONCE.messages(template, variables) == each_time.messages(template, variables)


@pytest.mark.parametrize("changed", [{"persona": "A gambler."}, {"advice": "Hurry."}, {"options": {"strikes": 7}}])
def test_a_system_message_follows_what_it_reads(changed: dict[str, object], tmp_path: Path) -> None:
    state = games.load("coup").begin(players=3, seed=1)
    before = context(state, state.pending[0])
    after = {**before, **changed}
    if "options" in changed:
        after["options"] = {**prompt_options(state.setup), "strikes": 7}
    first, second = (ONCE.messages("coup/active_player.j2", variables)[0] for variables in (before, after))
    assert first != second
    assert second == TemplateRenderer(tmp_path).messages("coup/active_player.j2", after)[0]


def test_a_macro_that_reads_a_variable_is_rendered_each_time() -> None:
    templates = {
        "macros": "{% macro shown(one) %}{{ one }}{{ mark }}{% endmacro %}",
        "prompt": '{% from "macros" import shown with context %}{{ shown(1) }}',
    }
    prompt = BuiltInEnvironment(DictLoader(templates), SharedCode()).get_template("prompt")
    assert [prompt.render(mark=mark) for mark in "ab"] == ["1a", "1b"]


def test_values_that_are_equal_but_print_differently_are_told_apart() -> None:
    templates = {
        "macros": "{% macro shown(one) %}{{ one }}{% endmacro %}",
        "prompt": '{% from "macros" import shown with context %}{{ shown(value) }}',
    }
    prompt = BuiltInEnvironment(DictLoader(templates), SharedCode()).get_template("prompt")
    assert [prompt.render(value=value) for value in (1, True, 1.0, "1", [1], [True])] == [
        "1",
        "True",
        "1.0",
        "1",
        "[1]",
        "[True]",
    ]
