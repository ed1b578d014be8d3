"""Refusals: the outcome of every error of an endpoint, as one table of its status, what it says, and what that means."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from runner.digest import JsonObject
from runner.llm.budget import Prices, estimated_tokens
from runner.llm.outcome import (
    Configuration,
    Delivered,
    Infrastructure,
    ModelMistake,
    ModelReply,
    Outcome,
    Refused,
    ReplyRoom,
    Scope,
    Usage,
)
from runner.llm.request import Model
from runner.llm.wire.error_object import ErrorObject, moment, parse_error, soon
from runner.llm.wire.refused_parts import (
    SMALLEST_REPLY,
    bound_sent,
    form_field,
    names_model,
    names_pinned,
    refused_parts,
    roles,
    room_for_reply,
)

_HOUR = 3600.0
_SIZE = re.compile(r"\blimit:?\s*(\d[\d,]*).{0,40}?\brequested:?\s*(\d[\d,]*)", re.IGNORECASE | re.DOTALL)
"""A limit on prompt and bound together, and what was asked for."""

_RATE_LIMIT = re.compile(r"^:.*rate_?limit_?exceeded", re.IGNORECASE | re.MULTILINE)
_AFFORD = re.compile(r"can only afford (\d+)", re.IGNORECASE)
_INPUT = re.compile(r"\bprompt\b|\binput\b|\brequest\b", re.IGNORECASE)


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


class _Case(NamedTuple):
    """An error, the exchange in which it came, and the reply beside it."""

    error: ErrorObject
    exchange: Exchange
    reply: ModelReply

    def stop(self, kind: str, scope: Scope = "match", until: float | None = None, more: str = "") -> Outcome:
        return Configuration(kind, self.error.sentence + more, scope, self.reply, until)

    def pause(self, kind: str, holds: Scope = "match", wait: float | None = None) -> Outcome:
        return Infrastructure(kind, self.error.sentence, self.error.wait if wait is None else wait, self.reply, holds)

    def change(self, refused: Refused) -> Outcome:
        """A refusal after which a changed request may be accepted."""
        return Configuration(refused.kind, self.error.sentence, "model" if refused else "match", self.reply, refused=refused)

    def parts(self, is_certain: bool = True) -> Refused:
        return refused_parts(self.error, self.exchange.body, self.exchange.prompt_characters, is_certain)


Act = Callable[[_Case], Outcome | None]
"""The outcome of an error; None where it is none of this kind after all."""


def refusal(document: object, status: int, exchange: Exchange, reply: ModelReply | None = None) -> Outcome:
    """The outcome of an error in a body of any shape: that of the first row about its status that finds what it looks for."""
    error = parse_error(document, status, exchange.headers, exchange.now)
    case, text = _Case(error, exchange, reply or exchange.blank_reply), _marked(error, exchange.body)
    status = 429 if error.status == 400 and _RATE_LIMIT.search(text) else error.status
    acts = (act for statuses, says, act in _ROWS if status in statuses and re.search(says, text, _FLAGS))
    return next(outcome for act in acts if (outcome := act(case)) is not None)


def _marked(error: ErrorObject, asked: JsonObject) -> str:
    """All that an error says, a line each: `!` before what it says by its parts, `=` before the names that the endpoint gives,
    `:` before all names, also the provider's, `@` before facts of its metadata, `#` before fields of the request; its sentences
    come last."""
    facts = {**error.metadata, **error.availability}
    marks = (
        "!now" if error.wait is None else "!wait",
        *(["!model"] if names_model(error) else []),
        *(["!pinned"] if names_pinned(error, asked) else []),
        *(f"={name}" for name in error.names),
        *(f":{label}" for label in error.labels),
        *(f"@{name}={facts[name]}" if isinstance(facts[name], bool) else f"@{name}" for name in facts),
        *(f"#{place}" for place in error.places),
    )
    return "\n".join((*marks, " ".join(error.message.split())))


def _stop(kind: str, scope: Scope) -> Act:
    return lambda case: case.stop(kind, scope)


def _pause(kind: str, holds: Scope = "match") -> Act:
    return lambda case: case.pause(kind, holds)


def _upstream(kind: str) -> Act:
    """A failure of the provider, which holds all calls to the model where it says how long."""
    return lambda case: case.pause(kind, "match" if case.error.wait is None else "model")


def _parts(is_certain: bool) -> Act:
    return lambda case: case.change(refused) if (refused := case.parts(is_certain)) else None


def _written(case: _Case) -> Outcome | None:
    """What the model wrote, where the error quotes it: that is the answer, complete or not. Its tokens are estimated."""
    if (text := case.error.generation) is None:
        return None
    usage = Usage(estimated_tokens(case.exchange.prompt_characters), estimated_tokens(len(text)), estimated=True)
    return Delivered(replace(case.reply, text=text, usage=usage))


def _sized(case: _Case) -> Outcome | None:
    """A request that exceeds a limit by its size, whenever it is sent: with less room for the reply it may fit."""
    found = _SIZE.search(case.error.message)
    limit, requested = (int(number.replace(",", "")) for number in found.groups()) if found else (0, 0)
    if requested <= limit:
        return None
    prompt = requested - (bound_sent(case.exchange.body) or 0)
    room = limit - (prompt if prompt > 0 else requested)
    if room < SMALLEST_REPLY:
        return case.stop("context_length")
    return case.change(Refused(bound=True, room=ReplyRoom(room, limit, prompt)))


def _affordable(case: _Case) -> Outcome | None:
    found = _AFFORD.search(case.error.message)
    if found is None or not SMALLEST_REPLY <= int(found[1]) < (bound_sent(case.exchange.body) or 0):
        return None
    return case.change(Refused(bound=True, room=ReplyRoom(int(found[1]))))


def _daily(case: _Case) -> Outcome | None:
    if case.error.wait is not None and case.error.wait < _HOUR:
        return None
    midnight = (case.exchange.now // 86_400 + 1) * 86_400  # of the UTC day, when free daily quotas reset
    return case.stop("daily_quota", "model", case.error.quota_reset or midnight)


def _throttled(case: _Case) -> Outcome:
    reset = case.error.quota_reset
    wait = None if case.error.wait is not None or reset is None else max(reset - case.exchange.now, 0.0)
    return case.pause("throttled", "model", wait)


def _absent(case: _Case) -> Outcome:
    advice = case.error.availability.get("fallback_models")
    names = f"; the endpoint suggests {', '.join(map(str, advice[:5]))}" if isinstance(advice, list) and advice else ""
    return case.stop("no_such_model", "model", more=names)


def _unable(case: _Case) -> Outcome:
    """No provider takes all parts of the request: without a named one the form of the answer goes."""
    return case.change(case.parts() or Refused(form=form_field(case.exchange.body)))


def _filtered(case: _Case) -> Outcome:
    """A content filter: on the prompt, or on the model's answer."""
    is_input = "flagged_input" in case.error.metadata or _INPUT.search(case.error.message)
    return case.pause("input_moderated") if is_input else ModelMistake("filtered", case.error.sentence, case.reply)


def _context(case: _Case) -> Outcome:
    """The prompt and the bound on the reply exceed the context: perhaps a lower bound fits."""
    room = room_for_reply(case.error, case.exchange.body, case.exchange.prompt_characters)
    return case.stop("context_length") if room is None else case.change(Refused(bound=True, room=room))


_FLAGS = re.IGNORECASE | re.MULTILINE
_ANY, _REFUSED, _FAILED = range(10_000), range(500), range(500, 10_000)
_NOT_LIMITED = {*_ANY} - {402, 429}
_SPENT = r"^=(?:insufficient_quota|payment_required|openrouter_credits|billing_hard_limit_reached)$"
_NO_CREDIT = (
    r"(?:credit|account) balance|insufficient[_ ](?:funds|balance|credits?)|(?:purchase|out of|no|all available) credits"
    r"|account\b.{0,40}(?:suspended|deactivated|disabled|frozen|overdue|good standing)|arrear|recharge\b|top[- ]?up\b"
    r"|\bbilling\b|spending (?:limit|cap)|quota_error|insufficient_quota"
)
_FILTER = (
    r"invalid_prompt|data_?inspection|content_?filter|content exists risk|inappropriate content|moderat"
    r"|usage (?:policy|policies|guideline)|safety[_ ](?:check|system|filter|policy)|injection|content management policy"
)
"""A filter on the prompt, in the words of those who run one."""

_NO_MODEL_NAME = (
    r"^:.*(?:model|deployment).*(?:not_?found|not_?exist|invalid|unknown|decommission|deprecat|retired|not_?available"
    r"|unavailable)|^:.*(?:(?:invalid|unknown|no_such)_?model|wrong_endpoint|free_variant_ended|no_endpoints)"
    r"|^:not_?found(?:_?error)?$"
)
_NO_MODEL = (
    r"model\b.{0,80}\b(?:not found|does not exist|not exist|not loaded|decommissioned|retired|discontinued|deprecated"
    r"|no longer (?:available|supported|served))|no (?:such )?model|not a valid model|unknown model|invalid model\b"
)
_KEY_NAME = r"^:.*(?:api_?key_?(?:invalid|expired)|(?:invalid|incorrect|expired)_?api_?key|authentication|unauthenticated)"
_BAD_KEY = r"\bapi[ _-]?key\b.{0,30}\b(?:not valid|invalid|expired|incorrect)|(?:invalid|incorrect|expired)\W+api[ _-]?key"
_TOO_LONG = (
    r"context[_ -](?:length|window|size|limit)|maximum context|prompt is too long|too many tokens|string_too_long|n_ctx"
    r"|exceed\w* (?:the )?context|\bcontext\b[^.]*\btokens\b|\btokens\b[^.]*\bcontext\b"
)
_STREAMS = (
    r"\bonly\s+(?:\w+\s+){0,4}stream|non-?stream|stream\w* (?:is|are) (?:required|mandatory)|requires? stream"
    r"|\bstream\W+(?:must|has to|should) be (?:set to )?.?true|stream\W{0,3}=\W?true"
)
_REGION = (
    r"(?:location|region|country|territory)\b.{0,40}\bnot (?:supported|available|allowed)"
    r"|\bnot (?:supported|available) in your (?:region|country)"
)
_ROWS: tuple[tuple[Container[int], str, Act], ...] = (
    (_REFUSED, "", _written),
    (_NOT_LIMITED, r"^@retryable=True", _pause("unavailable", "model")),
    (_REFUSED, r"\blimit:?\s*\d", _sized),
    ({401}, "", _stop("key_refused", "key")),
    ({402}, r"can only afford", _affordable),
    ({402}, r"^=openrouter_in_flight_budget$", _pause("in_flight_budget", "key")),
    ({402}, _SPENT, _stop("no_credit", "key")),
    ({402}, r"^!wait$", _pause("in_flight_budget", "key")),
    ({402}, "", _stop("no_credit", "key")),
    ({403}, r"^=openrouter_(?:key_limit|workspace_budget|guardrail_budget)$|^@resets_at",
        lambda case: case.stop("key_limit", "key", soon(moment(case.error.metadata.get("resets_at")), case.exchange.now))),
    ({403}, r"^@patterns|injection", _pause("input_guardrail")),
    ({403}, rf"^@(?:reasons|flagged_input)|{_FILTER}", _pause("input_moderated")),
    ({403}, r"\bkey limit exceeded", _stop("key_limit", "key")),
    ({403}, _NO_CREDIT, _stop("no_credit", "key")),
    ({403}, r"^#", _parts(is_certain=False)),
    ({403}, rf"^=region_restricted$|{_REGION}", _stop("region_restricted", "model")),
    ({403}, "", _stop("forbidden", "model")),
    ({404, 410}, r"^=constraint_filtered$|requested parameters|endpoints found that|not support|support the p", _unable),
    ({404, 410}, r"^=privacy_restricted$|data policy", _stop("privacy_restricted", "model")),
    ({404}, r"^file not found\Z|\A(?:[!@].*\n)*not found\.?\Z", _stop("not_an_endpoint", "model")),
    ({404, 410}, "", _absent),
    ({405}, "", _stop("not_an_endpoint", "model")),
    ({408, 409, 425}, "", _pause("timeout_reported")),
    ({413}, "", _stop("context_length", "match")),
    ({429}, _SPENT, _stop("no_credit", "key")),
    ({429}, rf"^!now$(?s:.*)(?:{_NO_CREDIT})", _stop("no_credit", "key")),
    ({429}, r"per[- ]?day|daily", _daily),
    ({429}, "", _throttled),
    ({500, 501}, "", _parts(is_certain=False)),
    ({501}, "", lambda case: case.change(Refused())),
    ({502}, "", _upstream("bad_gateway")),
    ({503, 529}, "", _upstream("overloaded")),
    ({504, 524}, "", _upstream("upstream_timeout")),
    (_FAILED, "", _upstream("server_error")),
    (_REFUSED, r"^=refusal$", lambda case: ModelMistake("refused", case.error.sentence, case.reply)),
    (_REFUSED, r"^=content_(?:policy_violation|filter)$", _filtered),
    (_REFUSED, _FILTER, _pause("input_moderated")),
    (_REFUSED, _KEY_NAME, _stop("key_refused", "key")),
    (_REFUSED, _NO_MODEL_NAME, _stop("no_such_model", "model")),
    (_REFUSED, r"reasoning_content",
        lambda case: case.change(Refused(answers=True)) if "assistant" in roles(case.exchange.body) else None),
    (_REFUSED, _STREAMS, lambda case: None if case.exchange.body.get("stream") else case.change(Refused(stream=True))),
    (_REFUSED, _TOO_LONG, _context),
    (_REFUSED, "", _parts(is_certain=True)),
    (_REFUSED, rf"^!model$|{_NO_MODEL}", _stop("no_such_model", "model")),
    (_REFUSED, _BAD_KEY, _stop("key_refused", "key")),
    (_REFUSED, _NO_CREDIT, _stop("no_credit", "key")),
    (_REFUSED, _REGION, _stop("region_restricted", "model")),
    (_REFUSED, r"^!pinned$", _stop("bad_request", "match")),
    (_ANY, "", lambda case: case.change(Refused())),
)  # fmt: skip
"""Statuses, what errors of them say as `_marked` has it ("": anything), and what that means; the first row that fits counts.
Names and fields of an error stand before its words, and what is sure before what is not."""
