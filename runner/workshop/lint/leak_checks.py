"""Leak checks: a prompt must not depend on hidden information, and must fence the text of other players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from games.core import Rng
from runner.prompting.fence import fence, is_invisible
from runner.workshop.corpus import HOSTILE, HOSTILE_CORE
from runner.workshop.lint.issues import Issue
from runner.workshop.lint.rendered_cases import RenderedPrompt
from runner.workshop.lint.source_places import origin


def check_leak(prompt: RenderedPrompt) -> Iterator[Issue]:
    """The prompt stays the same after hidden information is resampled."""
    case = prompt.case
    other = replace(case, state=case.state.resample(case.seat, Rng.of("lint", case.match, case.number)))
    if other.context() == case.context():
        return
    again = prompt.renderer.render(other, other.context())
    if again == prompt.messages:
        return
    changed = RenderedPrompt(prompt.renderer, other, again)
    line = next((one for one, two in zip(prompt.lines, changed.lines, strict=False) if one != two), prompt.lines[-1])
    sentence = f"what the seat may not know changes the prompt: {line.strip()[:80]!r}."
    yield Issue(*origin(prompt.pack, prompt.parts, line), "leak", sentence, case=case.description())


def check_fences(prompt: RenderedPrompt) -> Iterator[Issue]:
    """Text of players is inside fences only, and there is no invisible character."""
    fenced = {fence(HOSTILE), fence(HOSTILE.strip())}
    for line in prompt.lines:
        rest = line
        for words in fenced:
            rest = rest.replace(words, "")
        if HOSTILE_CORE in rest or (HOSTILE_CORE.replace("{{ 7 * 7 }}", "49")) in rest:
            place = origin(prompt.pack, prompt.parts, rest.replace(HOSTILE, ""))
            yield Issue(*place, "fence", "words written by a player stand outside of a fence.", case=prompt.case.description())
        elif not line.isprintable() and any(map(is_invisible, line)):
            place = origin(prompt.pack, prompt.parts, line)
            yield Issue(
                *place, "fence", "an invisible or control character stands in the prompt.", case=prompt.case.description()
            )
