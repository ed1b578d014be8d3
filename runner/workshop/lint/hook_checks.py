"""Hook checks: prompts render with every setting of agents.toml and for base models, and each has its effect."""

from __future__ import annotations

from collections.abc import Iterator

from runner.agents.protocol import Mistake
from runner.agents.settings import NO_ADVICE, AgentSettings
from runner.llm.request import Message
from runner.llm.schema_sampling import schema_in
from runner.prompting.pack import REASK, template_name
from runner.workshop.corpus import Case
from runner.workshop.lint.issues import NOTE, Issue
from runner.workshop.lint.rendered_cases import RenderedPrompt, Renderer
from runner.workshop.lint.source_places import place_of

_TEXTS = {
    "persona": ("the persona of a player is not in the prompt: include shared/persona.j2.", "a persona to look for"),
    "advice": ("the advice of a player is not in the prompt: include the game's system.j2.", "advice to look for"),
}
_NO_FORM = "base models are not shown the form of the answer where they do not get the schema as data (prints_form)."


def check_hooks(prompt: RenderedPrompt) -> Iterator[Issue]:
    """A prompt that leaves out a text of its player's agent, or the form of the answer for base models.

    PromptError when it cannot be rendered with a setting.
    """
    case, render = prompt.case, prompt.renderer
    for hook, (sentence, text) in _TEXTS.items():
        if text not in _joined(render.render(case, {**case.context(), hook: text})):
            yield _note(prompt, hook, sentence)
    for context in _contexts(case):
        render.render(case, context)
    yield from _check_form(prompt)


def _contexts(case: Case) -> Iterator[dict[str, object]]:
    """The variables for a model that gets the schema as data, the past, no advice, no legal answers, or table talk."""
    plain = case.context(prints_schema=False)
    yield plain | {"told": case.view}
    yield plain | {"advice": NO_ADVICE}
    yield plain | _asked(case, AgentSettings(help="none")) | {"lists_legal": False}
    said = {"notes": "", "talk": [{"seat": case.seat, "text": "a line"}]}
    yield plain | _asked(case, AgentSettings(memory="notes"), speaks=True) | said


def _asked(case: Case, settings: AgentSettings, speaks: bool = False) -> dict[str, object]:
    question = settings.question(case.question, asks_reason=speaks, can_talk=speaks)
    return {"question": question, "fields": question.schema["properties"]}


def _check_form(prompt: RenderedPrompt) -> Iterator[Issue]:
    case, plain = prompt.case, prompt.case.context(prints_schema=False)
    strikes = case.state.setup.options.strikes
    again = {"mistake": Mistake("empty", "", ""), "count": 1, "strikes": strikes, "left": strikes - 1, "limit": 1000}
    bare, shown = (_texts(prompt.renderer, case, plain | {"prints_form": is_base} | again) for is_base in (False, True))
    if schema_in(shown[0]) is None and shown[0] == bare[0]:
        yield _note(prompt, "schema", _NO_FORM)
    if schema_in(shown[1]) is None and shown[1] == bare[1]:
        yield Issue(*place_of(prompt.pack, REASK), "reask", _NO_FORM, NOTE)


def _texts(renderer: Renderer, case: Case, context: dict[str, object]) -> tuple[str, str]:
    """The prompt of a decision, and what follows an invalid answer."""
    return _joined(renderer.render(case, context)), renderer.render_text(REASK, context)


def _joined(messages: list[Message]) -> str:
    return "\n".join(message["content"] for message in messages)


def _note(prompt: RenderedPrompt, check: str, sentence: str) -> Issue:
    place = place_of(prompt.pack, template_name(prompt.case.game.name, prompt.case.question.role))
    return Issue(*place, check, sentence, NOTE)
