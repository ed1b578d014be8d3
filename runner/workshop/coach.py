"""Coach: a model that reads graded blunders of a player and proposes another text for a part of its prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from games.core import Game, Question, answer_schema, quoted
from runner.agents.model_seats import model_of
from runner.agents.spec import Spec, check_spec, is_model
from runner.errors import UsageError
from runner.llm.budget import Budget
from runner.llm.outcome import InputRefused, PromptTooLong
from runner.llm.request import Message, Model
from runner.llm.strict_json import Unreadable
from runner.prompting.pack import PromptPack, prompt_context
from runner.session.asked_model import answer_to, form_of
from runner.session.session import new_client

if TYPE_CHECKING:
    from runner.agents.environment import Environment

COACH, ROLE = "coach", "part"
"""The folder of the coach's template in a prompt pack, and the template."""

_UNREAD = "the coach's answer could not be read"
_WHY = "why the new text makes the player decide better, in one sentence"
_TEXT = "the whole new text"
_ASKED = answer_schema(why={"type": "string", "description": _WHY}, text={"type": "string", "description": _TEXT})
_QUESTION = Question("What is a better text?", _ASKED, ROLE)


class Proposal(NamedTuple):
    """Another text for a part, and why; None where the coach's answer could not be read. `usd` and `tokens` were charged."""

    why: str
    text: str | None
    usd: float
    tokens: int


class Coach(NamedTuple):
    """A model that proposes texts, with the pack that has its template."""

    model: Model
    pack: PromptPack

    @classmethod
    def of(cls, spec: Spec, game: Game, environment: Environment, pack: PromptPack) -> Self:
        """The coach that a SPEC names. UsageError for one that is no model, AccountError for one that lacks its key."""
        if not is_model(spec):
            raise UsageError(f"--coach {quoted(spec.text)} is not a model: only a model can propose texts.")
        check_spec(spec, game, environment)
        return cls(model_of(spec, environment), pack)

    async def propose(self, view: Mapping[str, Any], budget: Budget, seed: int) -> Proposal:
        """What it proposes for the `view` of its template. TabletopError when it cannot be asked."""
        spent, tokens = budget.spent_usd, budget.spent_tokens
        async with new_client(budget, seed, 0.0) as client:
            form = await form_of(client, self.model, [self._messages(view, lacks_schema=True)])
            asked = self._messages(view, lacks_schema=not form.carries_schema)
            try:
                found = await answer_to(client, self.model, form, asked, _QUESTION.schema)
            except (InputRefused, PromptTooLong, Unreadable):
                found = {}
        why, text = found.get("why"), found.get("text")
        is_read = isinstance(why, str) and isinstance(text, str)
        usd, used = budget.spent_usd - spent, budget.spent_tokens - tokens
        return Proposal(str(why), str(text), usd, used) if is_read else Proposal(_UNREAD, None, usd, used)

    def _messages(self, view: Mapping[str, Any], *, lacks_schema: bool) -> Sequence[Message]:
        return self.pack.render(COACH, ROLE, prompt_context({**view, "seat": 0, "own": {}}, _QUESTION, {}, lacks_schema))
