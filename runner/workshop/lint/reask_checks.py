"""Re-ask checks: the prompt after a mistake must say what was wrong and how to answer."""

from __future__ import annotations

from collections.abc import Iterator

from runner.agents.protocol import Mistake
from runner.prompting.pack import REASK
from runner.workshop.corpus import Case
from runner.workshop.lint.issues import Issue
from runner.workshop.lint.rendered_cases import Renderer
from runner.workshop.lint.source_places import place_of

KINDS = ("illegal", "unreadable", "truncated", "whitespace_loop", "refused", "filtered", "empty", "reasoning_exhausted")
_WHY = "this is what was wrong with it"
_TOLD_WHY = ("illegal", "unreadable")
_LIMIT = 1000


def check_reask(renderer: Renderer, case: Case) -> Iterator[Issue]:
    """The prompt renders for every kind of mistake, names the fields of an answer, and says why where that is known."""
    strikes = case.state.setup.options.strikes
    for kind in KINDS:
        context = {**case.context(), "mistake": Mistake(kind, "an answer", _WHY), "count": 1, "strikes": strikes}
        text = renderer.render_text(REASK, {**context, "left": strikes - 1, "limit": _LIMIT})
        place = place_of(renderer.pack, REASK)
        if any(f'"{name}"' not in text for name in case.question.schema["properties"]):
            yield Issue(*place, "reask", "being asked again does not say how to answer.", case=case.description())
        if kind in _TOLD_WHY and _WHY not in text:
            yield Issue(*place, "reask", f"after an answer that was {kind} it does not say why.", case=case.description())
