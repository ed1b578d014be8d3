"""Rendered prompts of decisions, for the checks of lint."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from jinja2.exceptions import TemplateRuntimeError

from runner.llm.request import Message
from runner.prompting.pack import PromptPack
from runner.workshop.corpus import Case


class TooSlowError(TemplateRuntimeError):
    """A prompt takes too long to render."""


@dataclass(frozen=True)
class Renderer:
    """Renders prompts of a pack. `parts` are the templates of each role; `seconds` bounds one prompt (main thread only)."""

    pack: PromptPack
    parts: Mapping[str, list[str]]
    seconds: float | None = None

    def render(self, case: Case, context: Mapping[str, object]) -> list[Message]:
        """The messages of a decision in a context. PromptError when they cannot be rendered."""
        with self._limited():
            return self.pack.render(case.game.name, case.question.role, context)

    def render_text(self, name: str, context: Mapping[str, object]) -> str:
        """The text of a template in a context. PromptError when it cannot be rendered."""
        with self._limited():
            return self.pack.render_text(name, context)

    @contextmanager
    def _limited(self) -> Iterator[None]:
        if self.seconds is None:
            yield
            return
        signal.setitimer(signal.ITIMER_REAL, self.seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


def too_slow(*_: object) -> None:
    """The signal handler of the alarm: stop the template that is being rendered."""
    raise TooSlowError("it takes too long")


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
