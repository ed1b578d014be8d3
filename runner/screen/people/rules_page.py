"""The rules of a match, short and true for its options: the words that models are told them in."""

from __future__ import annotations

from runner.agents.factory import prompt_options
from runner.agents.protocol import Ask
from runner.prompting.pack import PromptPack, prompt_context


def rules_of(ask: Ask) -> str:
    """The rules as the player who is asked has to know them, in Markdown."""
    context = prompt_context(ask.view, ask.question, prompt_options(ask.setup), False, True, None)
    return PromptPack().render(ask.view["game"], ask.question.role, context)[0]["content"]
