"""Outcome: the classification of everything that a request can lead to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from runner.json_types import Json
from runner.llm.refused import Refused

Scope = Literal["key", "model", "match"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call. `estimated`: the endpoint gave no plausible counts. `said` is its own count of the prompt, also where
    that is implausible; 0 without one."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    cached_tokens: int = 0
    estimated: bool = False
    said: int = 0

    @property
    def total(self) -> int:
        """Prompt and reply together. Reasoning is part of the reply."""
        return self.prompt_tokens + self.completion_tokens

    def to_json(self) -> dict[str, Json]:
        """The counts as data for a log."""
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "reasoning_tokens": self.reasoning_tokens,
            "cached_tokens": self.cached_tokens,
            "estimated": self.estimated,
        }


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply of an endpoint. `text` is the text or the tool's arguments; `cost` is in USD, `latency` in seconds.

    `is_complete`: the model ended by itself, so that its text may be repaired. `raw` is the body as received, cut to a
    bounded length, `raw_length` its length in characters. `generation` is the endpoint's own name for the call.
    """

    text: str = ""
    reasoning: str | None = None
    id: str | None = None
    model: str | None = None
    provider: str | None = None
    finish_reason: str | None = None
    usage: Usage = Usage()
    cost: float | None = None
    latency: float = 0.0
    raw: str = ""
    raw_length: int = 0
    generation: str | None = None
    is_complete: bool = False

    def to_json(self) -> dict[str, Json]:
        """The reply as data for a log."""
        return {
            "text": self.text,
            "reasoning": self.reasoning,
            "id": self.id,
            "model": self.model,
            "provider": self.provider,
            "finish_reason": self.finish_reason,
            "usage": self.usage.to_json(),
            "cost": self.cost,
            "latency": self.latency,
            "raw": self.raw,
            **({"raw_length": self.raw_length} if self.raw_length > len(self.raw) else {}),
            "generation": self.generation,
        }


@dataclass(frozen=True, slots=True)
class Delivered:
    """A complete answer was delivered. It may still be unreadable or illegal."""

    reply: Reply
    kind: ClassVar[str] = "delivered"


@dataclass(frozen=True, slots=True)
class ModelMistake:
    """The model failed: it gave no answer, refused, or was cut off by its length. Counts as a strike."""

    kind: str
    why: str
    reply: Reply


@dataclass(frozen=True, slots=True)
class Infrastructure:
    """No complete answer was delivered: the call is repeated and never punished.

    `retry_after` is the wait the endpoint demands, in seconds; `holds` what it applies to. `billed`: the endpoint may charge
    for the call all the same.
    """

    kind: str
    why: str
    retry_after: float | None = None
    reply: Reply | None = None
    holds: Scope = "match"
    billed: bool = False


@dataclass(frozen=True, slots=True)
class Configuration:
    """The endpoint refuses until the request or the account changes.

    `stops` is the scope of the refusal. `until` is when it ends by itself, in seconds since the epoch. `refused` names the
    parts of the request to change; None where no change of the request helps.
    """

    kind: str
    why: str
    stops: Scope = "match"
    reply: Reply | None = None
    until: float | None = None
    refused: Refused | None = None


Outcome = Delivered | ModelMistake | Infrastructure | Configuration
