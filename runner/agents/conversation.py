"""Conversation: what a model's seat has of the match so far: its past by its settings, and what has to stay out of it."""

from collections.abc import Callable, Mapping, Set
from typing import Any

import games
from games.core import Event, View
from runner.agents.own_fields import LONGEST_NOTES, POLICY
from runner.agents.protocol import TALK, DecisionRequest, JsonRecord
from runner.agents.settings import SeatSettings
from runner.llm.budget import estimated_tokens
from runner.llm.request import Message

LEFT_OUT = "(these words are left out: a filter refused them)"


def written_texts(ask: DecisionRequest) -> frozenset[str]:
    """The free text of players that the question repeats."""
    found = [line.text for line in ask.talk]

    def kept(text: str) -> str:
        found.append(text)
        return text

    _changed(ask.view, games.load(ask.view["game"]).free_text, kept)
    return frozenset(filter(None, found))


def filtered_view(view: View, texts: Set[str]) -> View:
    """A view with these texts replaced, in every field in which players write freely."""
    changed: View = _changed(view, games.load(view["game"]).free_text, lambda text: LEFT_OUT if text in texts else text)
    return changed


def _changed(data: Any, names: tuple[str, ...], change: Callable[[str], str]) -> Any:
    """The data with the texts in fields of these names changed."""
    if isinstance(data, dict) and names:
        return {
            name: change(value) if name in names and isinstance(value, str) else _changed(value, names, change)
            for name, value in data.items()
        }
    return [_changed(item, names, change) for item in data] if isinstance(data, list) else data


_BOUND, _FILTERED = "memory_tokens", "elided"


class Conversation:
    """The notes or the exchanges of one seat, by its settings; `refused` are texts that a filter does not let through, `limit`
    is the maximum tokens of a reply.

    The exchanges grow until they exceed `bound` tokens. Then the older half is dropped at once, so that the prompts in
    between begin alike and providers can cache them. The bound is halved whenever the prompt exceeds the model's context.
    """

    def __init__(self, settings: SeatSettings, limit: int) -> None:
        self._settings = settings
        self.bound, self.limit = settings.memory_tokens, limit
        self.refused: set[str] = set()
        self.notes: str | None = "" if settings.memory == "notes" else None
        self._exchanges: list[tuple[Message, Message]] = []
        self._question = -1
        self._views: tuple[View | None, View | None] = (None, None)
        self._heard, self._events = -1, list[Event]()

    def recap(self, ask: DecisionRequest, view: View, is_filtered: bool) -> list[str] | None:
        """The game's account of the match up to a question; without the words of events where players' words are left out."""
        if self._settings.memory != "summary":
            return None
        if ask.number > self._heard:
            self._heard = ask.number
            self._events += (event for event in ask.told if event.kind != TALK)
        game = games.load(view["game"])
        return list(game.recap(view, () if is_filtered and game.free_text else self._events))

    def take_notes(self, notes: object) -> None:
        """Keep the notes of an answer; anything but text leaves the notes as they are."""
        if self.notes is not None and isinstance(notes, str):
            self.notes = notes[:LONGEST_NOTES]

    def add(self, ask: DecisionRequest, asked: Message, answered: str, is_filtered: bool) -> None:
        """Remember an exchange; a later answer to the same question replaces the earlier one. What was left out stays out."""
        if is_filtered:
            self.refused |= written_texts(ask)
        if self._settings.memory != "full":
            return
        if ask.number == self._question:
            del self._exchanges[-1:]
        self._views = (self.told(ask.number), ask.view)
        self._question = ask.number
        self._exchanges.append((asked, {"role": "assistant", "content": answered or "(no answer)"}))
        if self._tokens() > self.bound:
            self._drop_to(self.bound // 2)

    def told(self, question: int) -> View | None:
        """The view of the question before this one. None when a part of the past was dropped since."""
        return self._views[question != self._question]

    def before(self, question: int) -> list[Message]:
        """The exchanges before a question."""
        past = self._exchanges[:-1] if question == self._question else self._exchanges
        return [message for exchange in past for message in exchange]

    def shrink(self, question: int) -> bool:
        """Halve the past; False if none is left before a question."""
        if not self.before(question):
            return False
        self.bound = self._tokens() // 2
        self._drop_to(self.bound)
        return True

    def fit(self, attempt: JsonRecord) -> bool:
        """Keep the bounds of a logged attempt from now on; whether it left out other players' text."""
        if POLICY not in attempt:
            self.note_limit(attempt.get("request") or {})
        self.bound = attempt.get(_BOUND, self.bound)
        self._drop_to(self.bound)
        return bool(attempt.get(_FILTERED, False))

    def note_limit(self, body: Mapping[str, Any]) -> None:
        """Keep the maximum tokens of a reply to a request, if it says so."""
        self.limit = int(body.get("max_completion_tokens") or body.get("max_tokens") or self.limit)

    def facts(self, is_filtered: bool) -> JsonRecord:
        """The bounds of a prompt, for the log."""
        bound = {} if self.bound == self._settings.memory_tokens else {_BOUND: self.bound}
        return {**bound, _FILTERED: True} if is_filtered else bound

    def _drop_to(self, tokens: int) -> None:
        while self._exchanges and self._tokens() > tokens:
            self._exchanges.pop(0)
            self._views = (None, None)

    def _tokens(self) -> int:
        return estimated_tokens(sum(len(message["content"]) for exchange in self._exchanges for message in exchange))
