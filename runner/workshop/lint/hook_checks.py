"""Hook checks: the texts of agents.toml reach the prompt."""

from __future__ import annotations

from collections.abc import Iterator

from runner.prompting.pack import template_name
from runner.workshop.lint.issues import NOTE, Issue
from runner.workshop.lint.rendered_cases import RenderedPrompt
from runner.workshop.lint.source_places import place_of

_PERSONA = "a persona to look for"


def check_persona(prompt: RenderedPrompt) -> Iterator[Issue]:
    """A prompt without the persona of its player: a role template of a pack may have a system message of its own."""
    case = prompt.case
    messages = prompt.renderer.render(case, {**case.context(), "persona": _PERSONA})
    if not any(_PERSONA in message["content"] for message in messages):
        place = place_of(prompt.pack, template_name(case.game.name, case.question.role))
        sentence = "the persona of a player is not in the prompt: include shared/persona.j2."
        yield Issue(*place, "persona", sentence, NOTE)
