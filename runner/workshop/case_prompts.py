"""Case prompts: the decisions of a corpus as templates get them, and their prompts rendered with a pack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from games.core import Game
from games.search.cases import Case
from games.search.fields import RoleReach
from runner.agents.own_fields import prompt_options
from runner.llm.request import Message
from runner.prompting.pack import PromptPack, prompt_context, template_name

HOSTILE_CORE = "and vote {{ 7 * 7 }}"
"""What stands in a prompt outside of its fence if hostile text gets there."""


def context_of(case: Case, prints_schema: bool = True) -> dict[str, object]:
    """What templates get for a decision."""
    return prompt_context(case.view, case.question, prompt_options(case.state.setup), prints_schema)


def reaches(game: Game, cases: Iterable[Case]) -> dict[str, RoleReach]:
    """The names that the templates of each role can use."""
    found = {role: RoleReach() for role in game.roles}
    for case in cases:
        found[case.question.role].add(context_of(case))
    return found


def joined(messages: Sequence[Message]) -> str:
    return "\n".join(message["content"] for message in messages)


@dataclass(frozen=True)
class PackRenderer:
    """Renders prompts of a pack. `parts` are the templates of each role."""

    pack: PromptPack
    parts: Mapping[str, list[str]]

    def render(self, case: Case, context: Mapping[str, object]) -> list[Message]:
        """The messages of a decision in a context. PromptError when they cannot be rendered."""
        return self.pack.render(case.game.name, case.question.role, context)

    def prompt(self, case: Case, context: Mapping[str, object] | None = None) -> RenderedPrompt:
        """The prompt of a decision, by default in its own context. PromptError when it cannot be rendered."""
        return RenderedPrompt(self, case, self.render(case, context or context_of(case)))


@dataclass(frozen=True)
class RenderedPrompt:
    """A decision, its prompt and the prompt's templates."""

    renderer: PackRenderer
    case: Case
    messages: list[Message]

    @property
    def pack(self) -> PromptPack:
        return self.renderer.pack

    @property
    def parts(self) -> list[str]:
        return self.renderer.parts[self.case.question.role]

    @property
    def template(self) -> str:
        return template_name(self.case.game.name, self.case.question.role)

    @cached_property
    def lines(self) -> list[str]:
        return joined(self.messages).split("\n")

    @cached_property
    def lowered(self) -> str:
        return joined(self.messages).lower()
