"""The one classification of everything that can come of a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Scope = Literal["key", "model", "match"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call. `estimated` is True when the endpoint gave no plausible counts (catalogue row 48)."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    cached_tokens: int = 0
    estimated: bool = False

    @property
    def total(self) -> int:
        """Prompt and reply together; reasoning is part of the reply."""
        return self.prompt_tokens + self.completion_tokens

    def to_json(self) -> dict[str, Any]:
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
    """What an endpoint delivered. `text` is the text or the tool's arguments; `cost` in USD; `latency` in seconds.

    `is_complete` says that the model ended by itself, which is when its text may be repaired. `raw` is the body as
    received, cut to a bounded length. `generation` is the endpoint's own name for the call.
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
    generation: str | None = None
    is_complete: bool = False

    def to_json(self) -> dict[str, Any]:
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
            "generation": self.generation,
        }


@dataclass(frozen=True, slots=True)
class Delivered:
    """A complete answer was delivered; whether it is readable and legal is for others to say."""

    reply: Reply


@dataclass(frozen=True, slots=True)
class ModelMistake:
    """The model's own failure, which counts as a strike: nothing, a refusal, or text cut off by its own length."""

    kind: str
    why: str
    reply: Reply


@dataclass(frozen=True, slots=True)
class Infrastructure:
    """No answer was legitimately delivered: asked again, never punished.

    `retry_after` in seconds as the endpoint demands it. `holds` says who waits for it. `billed` is True when the
    endpoint may charge for the call all the same.
    """

    kind: str
    why: str
    retry_after: float | None = None
    reply: Reply | None = None
    holds: Scope = "match"
    billed: bool = False


@dataclass(frozen=True, slots=True)
class Configuration:
    """The endpoint will go on refusing until somebody changes something: stop, resumable.

    `stops` is how far the refusal reaches. `until` is when it ends by itself, in seconds since the epoch. `parameter`
    names what was refused, `bound` the value the endpoint would take.
    """

    kind: str
    why: str
    stops: Scope = "match"
    reply: Reply | None = None
    until: float | None = None
    parameter: str | None = None
    bound: int | None = None


Outcome = Delivered | ModelMistake | Infrastructure | Configuration


def class_name(outcome: Outcome) -> str:
    """The outcome's class as written in logs: delivered, mistake, infrastructure or configuration."""
    match outcome:
        case Delivered():
            return "delivered"
        case ModelMistake():
            return "mistake"
        case Infrastructure():
            return "infrastructure"
        case Configuration():
            return "configuration"


def kind_of(outcome: Outcome) -> str:
    """The outcome's stable kind name, "delivered" when all went well."""
    return "delivered" if isinstance(outcome, Delivered) else outcome.kind


def reply_of(outcome: Outcome) -> Reply | None:
    """The reply that came with an outcome, if any."""
    return outcome.reply
