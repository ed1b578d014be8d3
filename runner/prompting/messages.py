"""The exact messages for a question: the role's prompt, then each answer that did not count and what was wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from games.core import Question, View
from runner.prompting.pack import REASK, Message, PromptPack, prompt_context

_MOST_REPEATED = 2000


class Wrong(Protocol):
    """An answer that did not count."""

    @property
    def kind(self) -> str:
        """What kind of mistake it was."""

    @property
    def text(self) -> str:
        """The answer as it was given."""

    @property
    def why(self) -> str:
        """What was wrong with it."""


def messages_for(
    pack: PromptPack,
    view: View,
    question: Question,
    options: Mapping[str, Any],
    prints_schema: bool,
    mistakes: Sequence[Wrong] = (),
    strikes: int = 0,
) -> list[Message]:
    """What is sent to a model for a decision, after these mistakes out of so many that bring the penalty."""
    context = prompt_context(view, question, dict(options), prints_schema)
    messages = pack.render(view["game"], question.role, context)
    for count, mistake in enumerate(mistakes, 1):
        told = {**context, "mistake": mistake, "count": count, "strikes": strikes, "left": strikes - count}
        messages.append({"role": "assistant", "content": mistake.text[:_MOST_REPEATED] or "(no answer)"})
        messages.append({"role": "user", "content": pack.render_text(REASK, told)})
    return messages
