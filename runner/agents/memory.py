"""Memory: the private notes or the conversation that a model keeps during a match."""

from __future__ import annotations

from games.core import View
from runner.agents.own_fields import LONGEST_NOTES
from runner.agents.settings import AgentSettings
from runner.llm.request import Message
from runner.llm.tokens import estimated_tokens


class Memory:
    """The notes or the conversation of one seat, by its settings.

    The conversation grows until it exceeds `bound` tokens. Then its older half is dropped at once, so that the prompts in
    between begin alike and providers can cache them. The bound is halved whenever the prompt exceeds the model's context.
    """

    def __init__(self, settings: AgentSettings) -> None:
        self._settings = settings
        self.bound = settings.memory_tokens
        self._exchanges: list[tuple[Message, Message]] = []
        self._question = -1
        self._views: tuple[View | None, View | None] = (None, None)
        self.notes: str | None = "" if settings.memory == "notes" else None

    def take_notes(self, notes: object) -> None:
        """Keep the notes of an answer; anything but text leaves the notes as they are."""
        if self.notes is not None and isinstance(notes, str):
            self.notes = notes[:LONGEST_NOTES]

    def add(self, question: int, view: View, asked: Message, answered: str) -> None:
        """Remember an exchange; a later answer to the same question replaces the earlier one."""
        if self._settings.memory != "full":
            return
        if question == self._question:
            del self._exchanges[-1:]
        self._views = (self.told(question), view)
        self._question = question
        self._exchanges.append((asked, {"role": "assistant", "content": answered or "(no answer)"}))
        if self._tokens() > self.bound:
            self._drop_to(self.bound // 2)

    def told(self, question: int) -> View | None:
        """The view of the question before this one. None when a part of the conversation was dropped since."""
        return self._views[question != self._question]

    def shrink(self, question: int) -> bool:
        """Halve the conversation; False if none is left before a question."""
        if not self.conversation(question):
            return False
        self.resize(self._tokens() // 2)
        return True

    def resize(self, bound: int) -> None:
        """Limit the memory to `bound` tokens from now on."""
        self.bound = bound
        self._drop_to(bound)

    def _drop_to(self, tokens: int) -> None:
        while self._exchanges and self._tokens() > tokens:
            self._exchanges.pop(0)
            self._views = (None, None)

    def conversation(self, question: int) -> list[Message]:
        """The exchanges before a question, oldest first."""
        past = self._exchanges[:-1] if question == self._question else self._exchanges
        return [message for exchange in past for message in exchange]

    def _tokens(self) -> int:
        letters = sum(len(message["content"]) for exchange in self._exchanges for message in exchange)
        return estimated_tokens(letters)
