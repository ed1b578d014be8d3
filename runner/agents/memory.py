"""What a model remembers of its own past in a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runner.agents.settings import LONGEST_NOTES, NOTES, Manner

Message = dict[str, str]

_CHARACTERS_A_TOKEN = 4
"""A rough figure for English text; the bound it serves is rough as well."""


class PastSelf:
    """The private notes or the conversation of one seat, as its manner has it.

    The conversation is trimmed by one rule: the oldest exchanges go until the rest fits `bound` tokens. A model whose context
    turns out too small for that has its bound halved until it fits.
    """

    def __init__(self, manner: Manner) -> None:
        self._manner = manner
        self.bound = manner.memory_tokens
        self._exchanges: list[tuple[Message, Message]] = []
        self._question = -1
        self.notes: str | None = "" if manner.memory == "notes" else None

    def take_notes(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Keep the notes of an answer; what is left of it is the answer proper."""
        rest = dict(data)
        if self.notes is not None and isinstance(notes := rest.pop(NOTES, None), str):
            self.notes = notes[:LONGEST_NOTES]
        return rest

    def add(self, question: int, asked: Message, answered: str) -> None:
        """Remember an exchange; a later answer to the same question takes the place of the one before."""
        if self._manner.memory != "full":
            return
        if question == self._question:
            self._exchanges.pop()
        self._question = question
        self._exchanges.append((asked, {"role": "assistant", "content": answered or "(no answer)"}))
        self._trim()

    def shrink(self, question: int) -> bool:
        """Halve what is remembered; False when there is nothing left to forget before a question."""
        if not self.conversation(question):
            return False
        self.resize(self._tokens() // 2)
        return True

    def resize(self, bound: int) -> None:
        """Remember so many tokens at most from here on."""
        self.bound = bound
        self._trim()

    def _trim(self) -> None:
        while self._exchanges and self._tokens() > self.bound:
            self._exchanges.pop(0)

    def conversation(self, question: int) -> list[Message]:
        """The exchanges before a question, oldest first."""
        past = self._exchanges[:-1] if question == self._question else self._exchanges
        return [message for exchange in past for message in exchange]

    def _tokens(self) -> int:
        return sum(len(message["content"]) for exchange in self._exchanges for message in exchange) // _CHARACTERS_A_TOKEN
