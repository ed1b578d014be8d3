"""Checks of the prompt of the judge of claims: it quotes what there is to judge, and asks for the answer that is read."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import Claim
from runner.llm.offline import schema_in
from runner.llm.request import AnswerForm
from runner.prompting.pack import PromptPack, template_name
from runner.prompting.renderer import fence
from runner.prompting.template_errors import PromptError
from runner.review.honesty import ClaimRow
from runner.review.judge import JUDGE, QUESTION, ROLE, SOURCES, Reading
from runner.workshop.corpus import HOSTILE, HOSTILE_CORE, joined
from runner.workshop.lint.issues import Issue, place_of

_REASON, _TALK = f"reason {HOSTILE}", f"talk {HOSTILE}"
_ROW = ClaimRow(number=1, seat=1, player="", claim=Claim("card", is_true=True), reason=_REASON, talk=(_TALK,))


def check_judge(pack: PromptPack) -> Iterator[Issue]:
    """The issues of the prompt on a claim with a reason, with talk, and with both."""
    place = place_of(pack, template_name(JUDGE, ROLE))
    for source in SOURCES:
        reading = Reading("game", _ROW, source)
        try:
            shown = joined(reading.messages(pack, AnswerForm.TEXT))
        except PromptError as fault:
            yield Issue(*place_of(pack, fault.template, fault.line), "render", f"{fault.why}.", case=f"judge, {source}")
            return
        quoted = [text for text in (reading.view["reason"], *reading.view["talk"]) if text]
        rest = shown.replace(fence(_REASON), "").replace(fence(_TALK), "")
        if missing := [text.split()[0] for text in quoted if fence(text) not in shown]:
            said = f"the prompt does not quote what is to judge: {' and '.join(missing)}; {{{{ view.reason | fence }}}} does."
            yield Issue(*place, "judge", said)
        elif HOSTILE_CORE in rest or HOSTILE_CORE.replace("{{ 7 * 7 }}", "49") in rest:
            yield Issue(*place, "fence", "words written by a player stand outside of a fence.")
        if schema_in(shown) != QUESTION.schema:
            yield Issue(*place, "schema", "the form of the answer is not said: include shared/answer.j2.")
