"""Rendered prompts of decisions, for the checks of lint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from runner.llm.request import Message
from runner.prompting.pack import PromptPack
from runner.workshop.corpus import Case


@dataclass(frozen=True)
class Renderer:
    """Renders prompts of a pack. `parts` are the templates of each role."""

    pack: PromptPack
    parts: Mapping[str, list[str]]

    def render(self, case: Case, context: Mapping[str, object]) -> list[Message]:
        """The messages of a decision in a context. PromptError when they cannot be rendered."""
        return self.pack.render(case.game.name, case.question.role, context)

    def render_text(self, name: str, context: Mapping[str, object]) -> str:
        """The text of a template in a context. PromptError when it cannot be rendered."""
        return self.pack.render_text(name, context)


@dataclass(frozen=True)
class RenderedPrompt:
    """A decision, its prompt and the prompt's templates."""

    renderer: Renderer
    case: Case
    messages: list[Message]

    @property
    def pack(self) -> PromptPack:
        """The pack."""
        return self.renderer.pack

    @property
    def parts(self) -> list[str]:
        """The templates of the prompt."""
        return self.renderer.parts[self.case.question.role]

    @property
    def text(self) -> str:
        """All messages, joined."""
        return "\n".join(message["content"] for message in self.messages)

    @property
    def lines(self) -> list[str]:
        """The lines of all messages."""
        return self.text.split("\n")
