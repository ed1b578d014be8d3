"""Outcome: everything that a request can lead to, and the errors that end a call."""

from dataclasses import dataclass, fields
from typing import ClassVar, Literal, NamedTuple

from runner.digest import Json
from runner.errors import AccountError, Exit, PausedError, TabletopError

Scope = Literal["key", "model", "match"]


@dataclass(frozen=True, slots=True)
class ReplyRoom:
    """The tokens for a reply: the `bound` that is taken, and the `context` and `prompt` that it follows from, if known."""

    bound: int
    context: int | None = None
    prompt: int | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """The parts of a request that an error names; none of them: the refusal is unexplained.

    `form`: the field that carries the form of the answer. `parameters`: fields to leave out. `bound`: the bound on the reply,
    for which `room` is what fits instead and `token_field` its right name. `answers`: the model's earlier answers. `stream`: it
    takes no request that is not for a stream.
    """

    form: str | None = None
    parameters: frozenset[str] = frozenset()
    bound: bool = False
    room: ReplyRoom | None = None
    token_field: str | None = None
    system: bool = False
    answers: bool = False
    stream: bool = False

    @property
    def kind(self) -> str:
        return next((kind for part, kind in _REFUSALS.items() if getattr(self, part)), "bad_request")

    def __bool__(self) -> bool:
        return self != UNEXPLAINED


UNEXPLAINED = Refused()
_REFUSALS = {
    "system": "system_refused",
    "answers": "answers_refused",
    "stream": "stream_required",
    "room": "token_limit",
    "token_field": "token_field_refused",
    "form": "form_refused",
    "parameters": "parameter_refused",
    "bound": "token_limit",
}
"""The kind of a refusal by the part that it names, the first one counts."""


MISSING, IMPLAUSIBLE = "missing", "implausible"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call; reasoning is part of the reply, what a cache gave or took of the prompt. `source` says which count
    the reply's is if it is not `completion_tokens`: with "reasoning" beside it, the "total" less the prompt; or why counts are
    `estimated`: they are "missing" or "implausible". `said` and `said_reply` are the endpoint's own counts, 0 without."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    estimated: bool = False
    source: str = ""
    said: int = 0
    said_reply: int = 0

    @property
    def total(self) -> int:
        return self.prompt_tokens + self.completion_tokens


class Token(NamedTuple):
    """A token of a reply, and the likely ones in its place with their natural log-probabilities."""

    text: str
    likely: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A reply of an endpoint. `text` is the text or the tool's arguments; `cost` is in USD, `latency` in seconds. `cost_source`
    says where the cost is from if the reply does not name it: "prices", "ticks" of xAI, a "header".

    `raw` is the body as received, cut to a bounded length, `raw_length` its length in characters. `generation` is its
    endpoint's name for the call. `is_complete`: the model ended by itself, so that its text may be repaired. `tokens` are
    its first tokens; None where the endpoint gave no log-probabilities that can be.
    """

    text: str = ""
    reasoning: str | None = None
    id: str | None = None
    model: str | None = None
    provider: str | None = None
    finish_reason: str | None = None
    usage: Usage = Usage()
    cost: float | None = None
    cost_source: str | None = None
    latency: float = 0.0
    raw: str = ""
    raw_length: int = 0
    generation: str | None = None
    is_complete: bool = False
    tokens: tuple[Token, ...] | None = None

    def to_json(self) -> dict[str, Json]:
        data = {name: getattr(self, name) for name in _LOGGED_OF_REPLY}
        usage = data["usage"] = {name: getattr(self.usage, name) for name in _LOGGED_OF_USAGE}
        for part, name in ((usage, "cache_write_tokens"), (usage, "source"), (data, "cost_source")):
            if not part[name]:
                del part[name]
        if self.raw_length <= len(self.raw):
            del data["raw_length"]
        return data


_LOGGED_OF_REPLY = [one.name for one in fields(ModelReply) if one.name not in ("is_complete", "tokens")]
_LOGGED_OF_USAGE = [one.name for one in fields(Usage) if one.name not in ("said", "said_reply")]


@dataclass(frozen=True, slots=True)
class Delivered:
    """A complete answer was delivered. It may still be unreadable or illegal."""

    reply: ModelReply
    kind: ClassVar[str] = "delivered"


@dataclass(frozen=True, slots=True)
class ModelMistake:
    """The model failed: it gave no answer, refused, or was cut off by its length. Counts as a strike."""

    kind: str
    why: str
    reply: ModelReply


@dataclass(frozen=True, slots=True)
class Infrastructure:
    """No complete answer was delivered: the call is repeated and never punished. `retry_after` is the wait the endpoint
    demands, in seconds; `holds` what it applies to. `billed`: it may charge."""

    kind: str
    why: str
    retry_after: float | None = None
    reply: ModelReply | None = None
    holds: Scope = "match"
    billed: bool = False


@dataclass(frozen=True, slots=True)
class Configuration:
    """The endpoint refuses until the request or the account changes. `stops` is the scope of the refusal, `until` when it ends
    by itself (epoch seconds), `refused` the parts of the request to change; None where no change of the request helps.
    `is_lasting`: the endpoint knows that it stays so."""

    kind: str
    why: str
    stops: Scope = "match"
    reply: ModelReply | None = None
    until: float | None = None
    refused: Refused | None = None
    is_lasting: bool = False


Outcome = Delivered | ModelMistake | Infrastructure | Configuration


class Outage(PausedError):
    """The endpoint gave no answer and the retry policy is exhausted: wait, then resume. `kind` names the last failure."""

    def __init__(self, why: str, kind: str = "") -> None:
        super().__init__(why)
        self.kind = kind


class InputRefused(Outage):
    """The prompt was refused: leave out what other players wrote, or pause. `of_form`: its form may be to blame as well."""

    def __init__(self, why: str, kind: str = "", of_form: bool = False) -> None:
        super().__init__(why, kind)
        self.of_form = of_form


class BudgetSpent(PausedError):
    """The next call may exceed the rest of the budget: raise the limit in this `unit`, for example to `enough`, then resume."""

    def __init__(self, why: str, unit: Literal["usd", "tokens"] = "usd", enough: float = 0.0) -> None:
        super().__init__(why)
        self.unit = unit
        self.enough = enough


class AccountProblem(AccountError):
    """The endpoint refused for good: what (`kind`), for what (`stops`), and until when (epoch seconds, None: unknown)."""

    def __init__(self, why: str, kind: str = "", stops: Scope = "match", until: float | None = None) -> None:
        super().__init__(why)
        self.kind = kind
        self.stops = stops
        self.until = until


class LimitReached(AccountProblem, PausedError):
    """A quota or a spending limit that ends by itself, at `until`: wait, then resume."""

    exit = Exit.PAUSED


class NoLogprobs(TabletopError):
    """The endpoint gives no log-probabilities: do without."""


class PromptTooLong(AccountProblem):
    """The prompt exceeds the model's context: send less, or stop."""
