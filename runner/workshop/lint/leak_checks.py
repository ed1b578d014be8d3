"""Whether a prompt depends on what its seat may not know, and whether words of others are fenced in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from games.core import Rng
from runner.prompting.fence import fence, is_invisible
from runner.workshop.corpus import HOSTILE, HOSTILE_CORE
from runner.workshop.lint.findings import Finding
from runner.workshop.lint.rendered_cases import Rendered
from runner.workshop.lint.source_places import origin


def check_leak(prompt: Rendered) -> Iterator[Finding]:
    """The prompt stays the same when all that the seat cannot know is dealt anew."""
    case = prompt.case
    other = replace(case, state=case.state.resample(case.seat, Rng.of("lint", case.match, case.number)))
    if other.context() == case.context():
        return
    again = prompt.renderer.render(other, other.context())
    if again == prompt.messages:
        return
    changed = Rendered(prompt.renderer, other, again)
    line = next((one for one, two in zip(prompt.lines, changed.lines, strict=False) if one != two), prompt.lines[-1])
    sentence = f"what the seat may not know changes the prompt: {line.strip()[:80]!r}."
    yield Finding(*origin(prompt.pack, prompt.parts, line), "leak", sentence, case=case.told())


def check_fences(prompt: Rendered) -> Iterator[Finding]:
    """Words of players stand in fences only, and nothing invisible stands anywhere."""
    fenced = {fence(HOSTILE), fence(HOSTILE.strip())}
    for line in prompt.lines:
        rest = line
        for words in fenced:
            rest = rest.replace(words, "")
        if HOSTILE_CORE in rest or (HOSTILE_CORE.replace("{{ 7 * 7 }}", "49")) in rest:
            place = origin(prompt.pack, prompt.parts, rest.replace(HOSTILE, ""))
            yield Finding(*place, "fence", "words written by a player stand outside of a fence.", case=prompt.case.told())
        elif not line.isprintable() and any(map(is_invisible, line)):
            place = origin(prompt.pack, prompt.parts, line)
            yield Finding(*place, "fence", "an invisible or control character stands in the prompt.", case=prompt.case.told())
