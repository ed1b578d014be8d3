"""Lint: every kind of fault is found, with file, line and a sentence; and nothing is found where nothing is wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import games
from games.core import Game, Rng
from games.search.cases import Case, corpus, variants
from games.search.fields import RoleReach
from runner.errors import UsageError
from runner.prompting.pack import PromptPack
from runner.prompting.template_deps import templates_in_use
from runner.prompting.template_errors import PromptError
from runner.workshop import case_prompts
from runner.workshop.case_prompts import PackRenderer, RenderedPrompt, context_of
from runner.workshop.lint import case_checks
from runner.workshop.lint.case_checks import check_hooks, check_pack, check_thinking, lint
from runner.workshop.lint.issues import FAULT, NOTE, Issue
from runner.workshop.lint.template_reading import check_files, check_templates
from tests.cli.command import tabletop
from tests.prompting.packs import ANSWER, MARK, VOTER, pack_of, pack_with

GAME = games.load("dixiquote")
MATCHES = 1
GAMES = [
    game
    for game in map(games.load, games.names())
    if all(PromptPack().path(f"{game.name}/{role}.j2").is_file() for role in game.roles)
]


def faults(pack: PromptPack, matches: int = MATCHES) -> list[Issue]:
    return [finding for finding in check_pack(pack, [GAME], matches).findings if finding.level == FAULT]


@cache
def decisions() -> list[Case]:
    return list(corpus(GAME, MATCHES))


@pytest.fixture
def of_voters(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pack whose template of voters has the fault is checked with the first decisions of voters alone, and with one fault."""
    voters = [case for case in decisions() if case.question.role == "voter"][:2]
    monkeypatch.setattr(case_checks, "corpus", lambda game, *rest: voters if game == GAME else corpus(game, *rest))
    monkeypatch.setattr(case_checks, "_BROKEN_ENOUGH", 1)


def prompt_of_a_voter(pack: PromptPack) -> RenderedPrompt:
    case = next(case for case in decisions() if case.question.role == "voter")
    renderer = PackRenderer(pack, templates_in_use(pack, GAME))
    return RenderedPrompt(renderer, case, renderer.render(case, context_of(case)))


def at(found: Sequence[Issue], check: str, line: int) -> list[Issue]:
    return [f for f in found if f.check == check and f.line == line and f.file.endswith(VOTER) and f.sentence.endswith(".")]


LOOPS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
GROWING = '{% set n = namespace(x="x" * 99) %}{% for i in range(30) %}{% set n.x = n.x ~ n.x %}{% endfor %}{{ n.x }}'


@pytest.mark.parametrize(
    ("old", "new", "check", "line", "said"),
    [
        ("view.quote | fence", "view.qoute | fence", "render", 9, "qoute"),
        (MARK, MARK + "{% if view.round == 9999 %}{{ mispelt }}{% endif %}", "undefined", 7, "mispelt"),
        (MARK, MARK + "{% if view.round == 9999 %}{{ view.rouns }}{% endif %}", "undefined", 7, "view.rouns"),
        (MARK, MARK + "{{ view.hands[0] }}", "render", 7, "the seat may not know it"),
        (MARK, MARK + "{% if told %}{{ told.hands[0] }}{% endif %}", "render", 7, "the seat may not know it"),
        (MARK, MARK + "\nGenre round: imagine film noir.", "option", 8, "genre"),
        (MARK, MARK + "\nThe Storyteller gets 3 points when two cards have votes.", "option", 8, "scoring=original"),
        (ANSWER, "", "answer", 35, "form is not said"),
        (ANSWER, "", "schema", 35, "JSON Schema"),
        (MARK, LOOPS, "render", 7, "seconds of processor time"),
        (MARK, '{{ "x" * 10**9 }}', "render", 7, "MiB of memory"),
        (MARK, "{{ view.__class__.__mro__ }}", "render", 7, "outside of the sandbox"),
        (MARK, '{% include "../../../etc/passwd" %}', "render", 7, "no prompt template"),
        (MARK, "{{ [1, 2] | random }}", "render", 7, "random"),
        ("view.quote | fence", "view.quote", "fence", 9, "outside of a fence"),
        ("{% endif %}", "", "render", 35, "endif"),
    ],
)
def test_a_fault_is_named_with_file_and_line(
    old: str, new: str, check: str, line: int, said: str, tmp_path: Path, of_voters: None
) -> None:
    found = faults(pack_with(tmp_path, old, new))
    assert [finding for finding in at(found, check, line) if said in finding.sentence], [str(finding) for finding in found]


def test_answers_that_are_not_legal_are_noticed_when_they_are_listed(tmp_path: Path) -> None:
    listed = '{% for c in view.table %}"{{ c.id }}"{{ ", " if not loop.last }}{% endfor %}'
    said = f'Answer with a JSON object {{"card": id}}. One of: {listed}\n```json\n{{{{ question.schema | tojson }}}}\n```'
    unlisted = PromptPack().source(VOTER).replace("- {{ card.id | fence }}: ", "- {{ card.text | fence }} is ")
    found = faults(pack_of(tmp_path, unlisted.replace(ANSWER, said)), matches=2)
    assert {finding.check for finding in found} == {"legal"}
    assert any("not legal" in finding.sentence and finding.line == 34 for finding in found)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("dixiquote/vater.j2", "no role 'vater'"),
        ("dixiqote/voter.j2", "no game 'dixiqote'"),
        ("shared/nobody.j2", "changes nothing"),
        ("voter.j2", "no game uses it"),
    ],
)
def test_a_template_that_nothing_uses_is_named(name: str, said: str, tmp_path: Path) -> None:
    found = check_files(pack_of(tmp_path, "words", name))
    assert [f for f in found if said in f.sentence and f.file.endswith(name) and f.level == FAULT]


def test_a_part_that_is_no_longer_drawn_on_is_named(tmp_path: Path) -> None:
    pack_of(tmp_path, "My hand", "dixiquote/hand.j2")
    for role in ("storyteller", "submitter"):
        pack = pack_of(tmp_path, '{% call message("user") %}x{% endcall %}', f"dixiquote/{role}.j2")
    assert [f for f in check_files(pack) if f.file.endswith("hand.j2") and "changes nothing" in f.sentence]


def test_an_override_without_a_difference_is_a_note(tmp_path: Path) -> None:
    found = check_pack(pack_of(tmp_path, PromptPack().source(VOTER)), [GAME], 1).findings
    assert [(f.level, f.sentence) for f in found] == [(NOTE, "it is the same as the built-in one and can be left out.")]


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("Think step by step.", True),
        ("Read the quote. Explain your reasoning before the JSON.", True),
        ("First think aloud, then answer.", True),
        ("Before you vote, write down your thoughts.", True),
        ("Show all your reasoning.", True),
        ("Do not explain your reasoning.", False),
        ("Give the answer without thinking step by step.", False),
        ("Think of the Storyteller's mood.", False),
        ("Explain nothing.", False),
    ],
)
def test_a_prompt_that_asks_for_thinking_in_the_answer_is_told_of_reason(line: str, is_told: bool, tmp_path: Path) -> None:
    pack = pack_with(tmp_path, MARK, f"{MARK}\n{line}")
    found = list(check_thinking(pack, VOTER))
    assert [(issue.line, issue.level) for issue in found] == [(8, NOTE)] * is_told
    assert all("reason = true in agents.toml" in issue.sentence for issue in found)


def test_a_system_message_without_the_texts_of_agents_is_a_note(tmp_path: Path, of_voters: None) -> None:
    system = '{% include "dixiquote/system.j2" %}'
    pack = pack_with(tmp_path, system, '{% include "dixiquote/rules.j2" %}')
    notes = {f.sentence for f in check_pack(pack, [GAME], 1).findings if f.file.endswith(VOTER)}
    assert notes == {
        "the persona of a player is not in the prompt: include shared/persona.j2.",
        "the advice of a player is not in the prompt: include the game's system.j2.",
    }


@pytest.mark.parametrize(
    "branch",
    [
        "if prints_form %}{{ mispelt",
        'if advice == "none" %}{{ mispelt',
        "if not lists_legal %}{{ question.schema.properties.card.enum[0]",
        "if talk %}{{ talk[0].words",
        "if notes is not none %}{{ notes.lines",
    ],
)
def test_prompts_are_rendered_with_every_setting_of_agents(branch: str, tmp_path: Path) -> None:
    with pytest.raises(PromptError) as fault:
        list(check_hooks(prompt_of_a_voter(pack_with(tmp_path, MARK, f"{MARK}{{% {branch} }}}}{{% endif %}}"))))
    assert (fault.value.template, fault.value.line) == (VOTER, 7)


def test_a_pack_that_shows_base_models_no_form_is_a_note(tmp_path: Path) -> None:
    pack = pack_with(tmp_path, "{% elif prints_form %}", "{% elif false %}", "shared/answer.j2")
    notes = [(issue.check, issue.level) for issue in check_hooks(prompt_of_a_voter(pack))]
    assert notes == [("schema", NOTE), ("reask", NOTE)]


def test_what_prompts_cost_is_told_before_and_after(tmp_path: Path, of_voters: None) -> None:
    pack = pack_of(tmp_path, "Vote for the card you would have written.", "dixiquote/advice.j2")
    before, after = lint(pack, ["dixiquote"], 1, 0, lambda what: None).costs["dixiquote"].items()
    assert (before[0], after[0]) == ("built-in", tmp_path.name)
    assert before[1]["decision"] > after[1]["decision"] > 0
    assert before[1]["match"] > after[1]["match"] > after[1]["decision"]
    assert before[1]["cached"] > after[1]["cached"] > 0.5


def test_the_command_renders_the_games_that_a_pack_changes(tmp_path: Path, of_voters: None) -> None:
    pack_of(tmp_path, "Vote for the card you would have written.", "dixiquote/advice.j2")
    report = json.loads(tabletop(tmp_path, "prompts", "lint", ".", "--matches", "1", "--json").stdout)
    assert {name.partition("/")[0] for name in report["lengths"]} == {"dixiquote"}


def test_a_pack_of_one_line_of_advice_has_no_issue(tmp_path: Path) -> None:
    pack = pack_of(tmp_path, "Vote for the card you would have written.", "dixiquote/advice.j2")
    assert [str(issue) for issue in check_pack(pack, [GAME], 1).findings] == []


def test_a_prompt_that_knows_too_much_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """No template can reach what a view does not have; so the view itself is made to tell too much."""

    def leaking(case: Case, prints_schema: bool = True) -> dict[str, object]:
        context = context_of(case, prints_schema)
        return {**context, "view": {**case.view, "quote": str(case.state.to_json()["hands"])}}

    for module in (case_checks, case_prompts):
        monkeypatch.setattr(module, "context_of", leaking)
    assert [finding.check for finding in case_checks.check_leak(prompt_of_a_voter(PromptPack()))] == ["leak"]


def test_a_rule_worded_in_the_way_of_another_option_is_noticed_without_being_declared(tmp_path: Path, of_voters: None) -> None:
    line = "2. Everybody, including the Storyteller, secretly plays the situation from their hand that fits the quote best."
    found = faults(pack_with(tmp_path, MARK, f"{MARK}\n{line}"))
    assert at(found, "option", 8)


def test_what_ends_the_process_is_a_finding_too(tmp_path: Path, of_voters: None) -> None:
    report = lint(pack_with(tmp_path, MARK, GROWING), ["dixiquote"], 1, 0, lambda what: None)
    assert [f for f in report.findings if f.line == 7 and ("memory" in f.sentence or "characters" in f.sentence)]


def test_a_broken_manifest_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_text('name = "x"\ncolour = "red"\n')
    with pytest.raises(UsageError, match="colour is not known"):
        lint(PromptPack(tmp_path), ["dixiquote"], 1, 0, lambda what: None)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_built_in_prompts_have_no_fault(game: Game) -> None:
    findings = check_pack(PromptPack(), [game], 8)
    assert findings.rendered > 100
    assert [str(finding) for finding in findings.findings] == []


@pytest.mark.campaign
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_built_in_prompts_have_no_fault_over_thousands_of_states(game: Game) -> None:
    findings = check_pack(PromptPack(), [game], len(variants(game)) * len(game.players) * 2, seed=1000)
    assert findings.rendered > 1000
    assert [str(finding) for finding in findings.findings] == []


def test_the_corpus_meets_every_role_and_variant() -> None:
    for game in GAMES:
        cases = list(corpus(game, 2 * len(variants(game))))
        assert {case.question.role for case in cases} == set(game.roles)
        assert {case.state.setup.players for case in cases} == set(game.players)
        assert replace(cases[0], state=cases[0].state.resample(cases[0].seat, Rng(1))).view == cases[0].view


def test_reading_a_template_evaluates_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack, evaluated = pack_of(tmp_path, '{{ "x" | fence }}{% autoescape 2 | seat %}{% endautoescape %}'), list[object]()
    monkeypatch.setitem(pack.environment.filters, "fence", lambda value: evaluated.append(value))
    monkeypatch.setitem(pack.environment.filters, "seat", lambda value: evaluated.append(value))
    list(check_templates(pack, GAME, {role: RoleReach() for role in GAME.roles}))
    assert evaluated == []


@pytest.mark.parametrize(
    "text",
    [
        "{% macro m(a) %}{{ a }}{{ varargs }}{{ kwargs }}{{ caller() }}{% endmacro %}{{ m(1) }}",
        "{% for a, b in [(1, 2)] %}{{ loop.index }}{{ a }}{{ b }}{% endfor %}",
        '{% import "shared/answer.j2" as x %}{{ x }}{% from "shared/answer.j2" import y as z, w %}{{ z }}{{ w }}',
        "{% call(a) message('user') %}{{ a }}{% endcall %}{% set n = namespace(x=1) %}{% set n.x = 2 %}{{ n.x }}",
        "{% block b %}{{ super }}{% endblock %}{{ self.b() }}{% with k = 1 %}{{ k }}{% endwith %}",
    ],
)
def test_a_name_that_the_template_declares_is_known(text: str, tmp_path: Path) -> None:
    found = check_templates(pack_of(tmp_path, text), GAME, {role: RoleReach() for role in GAME.roles})
    assert [str(issue) for issue in found if issue.check == "undefined"] == []
