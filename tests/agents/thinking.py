"""Models in this process that fill the fields of an answer beside the game's with what a test wants to find again."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from runner.agents.model_agent import LlmAgent
from runner.agents.settings import SeatSettings
from runner.llm.client import Client
from runner.llm.offline import OFFLINE_URL, OfflineAnswer, OfflineModel
from runner.llm.request import AnswerForm, Model
from runner.prompting.pack import PromptPack

PACK = PromptPack()
NO_OPTIONS: Mapping[str, Any] = {}

Fill = Callable[[int, dict[str, Any]], dict[str, Any]]
"""From the number of a request and the answer to it: the answer that is given instead."""


@dataclass(frozen=True, slots=True)
class Thinking(OfflineModel):
    """The offline model with other answers; `asked` has the bodies of all requests, `changes` replace fields of messages."""

    fill: Fill = lambda number, answer: answer
    changes: Mapping[str, Any] = field(default_factory=dict)
    asked: list[dict[str, Any]] = field(default_factory=list)

    def handle(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> OfflineAnswer:
        found = OfflineModel.handle(self, method, path, headers, body)
        if method != "POST":
            return found
        self.asked.append(json.loads(body))
        document = json.loads(found.body)
        message = document["choices"][0]["message"]
        holder, name = (message["tool_calls"][0]["function"], "arguments") if "tool_calls" in message else (message, "content")
        with suppress(ValueError):  # a mistake that is no JSON stays as it is
            holder[name] = json.dumps(self.fill(len(self.asked), json.loads(holder[name])))
        message |= self.changes
        return found._replace(body=json.dumps(document).encode())


def thinker(
    model: Thinking,
    game: str,
    players: int,
    settings: SeatSettings,
    form: AnswerForm = AnswerForm.STRICT_SCHEMA,
    options: Mapping[str, Any] = NO_OPTIONS,
    **of: Any,
) -> LlmAgent:
    """A seat of this model, which has a client to itself."""
    named = Model("offline", OFFLINE_URL, "", "none", form=form, **of)
    return LlmAgent(Client(offline=model), named, form, PACK, settings)
