"""Exchange: a request that was sent, and the response to it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from runner.digest import JsonObject
from runner.llm.budget import Prices, most_prompt_tokens
from runner.llm.outcome import ModelReply
from runner.llm.request import Model
from runner.llm.wire.refused_parts import FORM_FIELDS, bound_sent


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request (latency in seconds, the time now in epoch seconds) with the headers and the body of its response.
    `canonical_name` is the endpoint's own name for the model, from its list."""

    model: Model
    body: JsonObject
    prompt_characters: int
    latency: float
    now: float
    prices: Prices | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: str = ""
    raw_length: int = 0
    canonical_name: str | None = None

    @property
    def blank_reply(self) -> ModelReply:
        return ModelReply(raw=self.raw, raw_length=self.raw_length, latency=self.latency)

    @property
    def bound(self) -> int | None:
        return bound_sent(self.body)


def most_tokens_of_prompt(body: Mapping[str, Any]) -> int:
    """The tokens that a prompt can have at most, by the bytes of its messages and of the form of the answer."""
    form = json.dumps([body[name] for name in FORM_FIELDS if name in body])
    return most_prompt_tokens(body.get("messages", ()), len(form))
