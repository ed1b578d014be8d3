"""Answer checks: a prompt must say how to answer, and list exactly the legal answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from runner.agents.protocol import Mistake
from runner.llm.schema_sampling import schema_in
from runner.prompting.pack import REASK, template_name
from runner.workshop.corpus import Case, is_free
from runner.workshop.lint.issues import Issue
from runner.workshop.lint.rendered_cases import RenderedPrompt, Renderer
from runner.workshop.lint.source_places import SourcePlace, line_with, place_of

_TOKEN = r'"(?:[^"\\]|\\.)*"|-?\b\d+\b|\btrue\b|\bfalse\b'
_RUN = re.compile(rf"(?:{_TOKEN})(?:(?:\s*[,;/|]\s*(?:or\s+)?|\s+or\s+)(?:{_TOKEN}))*")
_ITEM = re.compile(rf"^(\s*[-*•]\s|\s*\d+[.)]\s)\s*({_TOKEN})")
_SHOWN = 3

KINDS = ("illegal", "unreadable", "truncated", "whitespace_loop", "refused", "filtered", "empty", "reasoning_exhausted")
_WHY = "this is what was wrong with it"
_EXPLAINED = ("illegal", "unreadable")
_LIMIT = 1000


def check_answer(prompt: RenderedPrompt) -> Iterator[Issue]:
    """The prompt states the form of the answer and lists exactly the legal answers."""
    schema = prompt.case.question.schema
    asked = "\n".join(message["content"] for message in prompt.messages if message["role"] != "assistant")
    if "JSON" not in asked:
        yield _issue(prompt, "the answer's form is not said: name the JSON object, as shared/answer.j2 does", "answer")
    lists: list[set[str]] = list(_lists(asked))
    for name, field in schema["properties"].items():
        if f'"{name}"' not in asked:
            yield _issue(prompt, f'the answer\'s field "{name}" is not named', "answer")
        elif not is_free(field):
            yield from _check_values(prompt, name, lists)
    if schema_in(asked) != schema:
        yield _issue(prompt, "the JSON Schema is not printed where the model does not get it as data (prints_schema)", "schema")


def _check_values(prompt: RenderedPrompt, name: str, lists: list[set[str]]) -> Iterator[Issue]:
    case = prompt.case
    legal = {_key(action.to_json()[name]) for action in case.state.actions_of(case.seat)}
    if legal in lists:
        return
    closest = max(lists, key=lambda found: len(found & legal) - len(found - legal), default=set())
    missing, extra = sorted(legal - closest), sorted(closest - legal)
    detail = [f"without {', '.join(missing[:_SHOWN])}"] * bool(missing) + [f"with {', '.join(extra[:_SHOWN])}"] * bool(extra)
    said = ["leaves some out"] * bool(missing) + ["has values that are not legal"] * bool(extra)
    if not closest & legal:
        said, detail = ["is not there"], []
    yield _issue(prompt, f'the list of legal values of "{name}" {" and ".join(said)}', "legal", ", ".join(detail))


def _lists(text: str) -> Iterator[set[str]]:
    """The lists of values in a text: within a line, or at the start of successive list items."""
    items: set[str] = set()
    for line in _without_schemas(text).split("\n"):
        for run in _RUN.finditer(line):
            yield set(re.findall(_TOKEN, run[0]))
        item = _ITEM.match(line)
        if item:
            items.add(item[2])
        elif items:
            yield items
            items = set()
    if items:
        yield items


def _without_schemas(text: str) -> str:
    return re.sub(r"```json\n.*?```", "", text, flags=re.DOTALL)


def _key(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _issue(prompt: RenderedPrompt, sentence: str, check: str, detail: str = "") -> Issue:
    told = prompt.case.description() + (f": {detail}" if detail else "")
    return Issue(*_place(prompt), check, f"{sentence}.", case=told)


def _place(prompt: RenderedPrompt) -> SourcePlace:
    """The line that says how to answer; the last line if none does."""
    pack, role = prompt.pack, template_name(prompt.case.game.name, prompt.case.question.role)
    said = line_with(pack, prompt.parts, r"JSON|\bfields\b|question\.schema")
    return said or place_of(pack, role, len(pack.source(role).splitlines()))


def check_reask(renderer: Renderer, case: Case) -> Iterator[Issue]:
    """The prompt renders for every kind of mistake, names the fields of an answer, and says why where that is known."""
    strikes = case.state.setup.options.strikes
    for kind in KINDS:
        context = {**case.context(), "mistake": Mistake(kind, "an answer", _WHY), "count": 1, "strikes": strikes}
        text = renderer.render_text(REASK, {**context, "left": strikes - 1, "limit": _LIMIT})
        place = place_of(renderer.pack, REASK)
        if any(f'"{name}"' not in text for name in case.question.schema["properties"]):
            yield Issue(*place, "reask", "being asked again does not say how to answer.", case=case.description())
        if kind in _EXPLAINED and _WHY not in text:
            yield Issue(*place, "reask", f"after an answer that was {kind} it does not say why.", case=case.description())
