"""Refusals: the outcome of every error of an endpoint, as one table of its status, what it says, and what that means."""

import re
from collections.abc import Callable, Container
from dataclasses import replace
from typing import NamedTuple

from runner.digest import JsonObject
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
)
from runner.llm.request import SMALLEST_REPLY
from runner.llm.strict_json import mapping
from runner.llm.wire.error_object import ErrorObject, moment, parse_error, soon
from runner.llm.wire.exchange import Exchange
from runner.llm.wire.refused_parts import form_field, named_apart, refused_parts, roles, room_for_reply
from runner.llm.wire.reply_ledger import amounts

_HOUR = 3600.0
_SIZE = re.compile(r"\blimit:?\s*(\d[\d,]*).{0,40}?\brequested:?\s*(\d[\d,]*)", re.IGNORECASE | re.DOTALL)
"""A limit on prompt and bound together, and what was asked for."""

_RATE = re.compile(
    r"rate_?limit_?exceeded|too many requests|(?:\bper[- ]?|/ ?)(?:second|minute|min)\b|\b[rt]p[ms]\b|try(?: again)? in \d",
    re.IGNORECASE,
)
"""A rate, which waiting ends, whatever else an error mentions."""

_BUSY = re.compile(r"\bqueue\b.{0,20}\bfull|\boverloaded|\b(?:at|over|no) capacity|\b(?:is|too) busy\b", re.IGNORECASE)
_VAGUE = (400, 403, 422, 500)
"""Statuses that servers also use for what others give a status of its own."""

_AFFORD = re.compile(r"can only afford (\d+)", re.IGNORECASE)
_INPUT = re.compile(r"\bprompt\b|\binput\b|\brequest\b", re.IGNORECASE)
_OUTPUT = re.compile(r"\boutput\b|\bgenerated\b", re.IGNORECASE)


class _Case(NamedTuple):
    """An error, the exchange in which it came, and the reply beside it."""

    error: ErrorObject
    exchange: Exchange
    reply: ModelReply
    document: JsonObject

    def ends(self, kind: str, until: float | None = None, wait: float | None = None) -> Outcome:
        """The outcome of this kind: a stop, or else a failure, which holds other calls for as long as it says."""
        if kind in _STOPS:
            return Configuration(kind, self.error.sentence, _STOPS[kind], self.reply, until)
        wait = self.error.wait if wait is None else wait
        holds = _HOLDS.get(kind, "match" if wait is None else "model")
        return Infrastructure(kind, self.error.sentence, wait, self.reply, holds)

    def change(self, refused: Refused) -> Outcome:
        """A refusal after which a changed request may be accepted."""
        return Configuration(refused.kind, self.error.sentence, "model" if refused else "match", self.reply, refused=refused)

    def parts(self, is_certain: bool = True) -> Refused:
        return refused_parts(self.error, self.exchange.body, self.exchange.prompt_characters, is_certain)


Act = Callable[[_Case], Outcome | None]
"""The outcome of an error; None where it is none of this kind after all."""

_STOPS: dict[str, Scope] = {
    **dict.fromkeys(("key_refused", "no_credit", "key_limit"), "key"),
    **dict.fromkeys(("daily_quota", "no_such_model", "not_an_endpoint", "forbidden"), "model"),
    **dict.fromkeys(("region_restricted", "privacy_restricted"), "model"),
    **dict.fromkeys(("context_length", "bad_request"), "match"),
}
"""The kinds that stop what they are about."""

_HOLDS: dict[str, Scope] = {"unavailable": "model", "throttled": "model", "in_flight_budget": "key"}
"""The failures that hold other calls though they do not say for how long."""


def refusal(document: object, status: int, exchange: Exchange, reply: ModelReply | None = None) -> Outcome:
    """The outcome of an error in a body of any shape: that of the first row about its status that finds what it looks for."""
    error = parse_error(document, status, exchange.headers, exchange.now)
    case, text = _Case(error, exchange, reply or exchange.blank_reply, mapping(document)), _marked(error, exchange.body)
    status = error.status
    if status in _VAGUE:
        status = 429 if _RATE.search(text) else 503 if _BUSY.search(text) else status
    acts = (act for statuses, says, act in _ROWS if status in statuses and re.search(says, text, _FLAGS))
    found = (case.ends(act) if isinstance(act, str) else act(case) for act in acts)
    return next(outcome for outcome in found if outcome is not None)


def _marked(error: ErrorObject, asked: JsonObject) -> str:
    """All that an error says, a line each: `!` before what it says by its parts, `=` before the names that the endpoint gives,
    `:` before all names, also the provider's, `@` before facts of its metadata, `#` before fields of the request; its sentences
    come last."""
    facts = {**error.metadata, **error.availability}
    marks = (
        "!now" if error.wait is None else "!wait",
        *(f"!{name}" for name in named_apart(error, asked)),
        *(f"={name}" for name in error.names),
        *(f":{label}" for label in error.labels),
        *(f"@{name}={facts[name]}" if isinstance(facts[name], bool) else f"@{name}" for name in facts),
        *(f"#{place}" for place in error.places),
    )
    return "\n".join((*marks, " ".join(error.message.split())))


def _parts(is_certain: bool) -> Act:
    return lambda case: case.change(refused) if (refused := case.parts(is_certain)) else None


def _written(case: _Case) -> Outcome | None:
    """What the model wrote, where the error quotes it: that is the answer, complete or not."""
    if (text := case.error.generation) is None:
        return None
    usage, cost, source = amounts(case.document, case.exchange, (text,))
    return Delivered(replace(case.reply, text=text, usage=usage, cost=cost, cost_source=source))


def _sized(case: _Case) -> Outcome | None:
    """A request that exceeds a limit by its size, whenever it is sent: with less room for the reply it may fit."""
    found = _SIZE.search(case.error.message)
    limit, requested = (int(number.replace(",", "")) for number in found.groups()) if found else (0, 0)
    if requested <= limit:
        return None
    prompt = requested - (case.exchange.bound or 0)
    room = limit - (prompt if prompt > 0 else requested)
    if room < SMALLEST_REPLY:
        return case.ends("context_length")
    return case.change(Refused(bound=True, room=ReplyRoom(room, limit, prompt)))


def _affordable(case: _Case) -> Outcome | None:
    found = _AFFORD.search(case.error.message)
    if found is None or not SMALLEST_REPLY <= int(found[1]) < (case.exchange.bound or 0):
        return None
    return case.change(Refused(bound=True, room=ReplyRoom(int(found[1]))))


def _limited(case: _Case) -> Outcome:
    """A limit: on money, which only the account ends, on a day, or on a rate, where waiting is all."""
    error, now = case.error, case.exchange.now
    words = "\n".join((error.words, *error.labels))
    if error.names & _SPENT or (error.wait is None and not _RATE.search(words) and re.search(_NO_CREDIT, words, _FLAGS)):
        return case.ends("no_credit")
    is_soon = _RATE.search(words) if error.wait is None else error.wait < _HOUR
    if not is_soon and re.search(r"per[- ]?day|daily", words, _FLAGS):
        midnight = (now // 86_400 + 1) * 86_400  # of the UTC day, when free daily quotas reset
        return case.ends("daily_quota", until=error.quota_reset or midnight)
    wait = None if error.wait is not None or error.quota_reset is None else max(error.quota_reset - now, 0.0)
    return case.ends("throttled", wait=wait)


def _absent(case: _Case) -> Outcome:
    advice = case.error.availability.get("fallback_models")
    names = f"; the endpoint suggests {', '.join(map(str, advice[:5]))}" if isinstance(advice, list) and advice else ""
    why = case.error.sentence + names
    return Configuration("no_such_model", why, "model", case.reply, is_lasting=bool(case.error.availability))


def _filtered(case: _Case) -> Outcome:
    """A content filter: on the model's answer where the error says so, else on the prompt."""
    words = case.error.words
    is_output = _OUTPUT.search(words) and not _INPUT.search(words) and "flagged_input" not in case.error.metadata
    return ModelMistake("filtered", case.error.sentence, case.reply) if is_output else case.ends("input_moderated")


def _context(case: _Case) -> Outcome:
    """The prompt and the bound on the reply exceed the context: perhaps a lower bound fits."""
    room = room_for_reply(case.error, case.exchange.body, case.exchange.prompt_characters)
    return case.ends("context_length") if room is None else case.change(Refused(bound=True, room=room))


_FLAGS = re.IGNORECASE | re.MULTILINE
_ANY, _REFUSED, _FAILED = range(10_000), range(500), range(500, 10_000)
_NOT_LIMITED = {*_ANY} - {402, 429}
_SPENT = {"insufficient_quota", "payment_required", "openrouter_credits", "billing_hard_limit_reached"}
_EMPTY = (
    r"(?:credit|account) balance|insufficient[_ ](?:funds|balance|credits?|(?:user_)?quota)|arrear|recharge\b|top[- ]?up\b"
    r"|(?:purchase|out of|no|all available) credits|余额|欠费|额度不足|充值"
    r"|account\b.{0,40}(?:suspended|deactivated|disabled|frozen|overdue|good standing)"
)
_NO_CREDIT = rf"{_EMPTY}|\bbilling\b|spending (?:limit|cap)|quota_error"
_FILTER = (
    r"invalid_prompt|data_?inspection|content_?filter|exists risk|inappropriate|sensitive|敏感|moderat|injection"
    r"|(?:usage|content|safety)[_ ](?:polic|guideline|management|check|system|filter)"
)
"""A filter on the prompt, as many call it. What it calls differently is found by leaving other players' words out."""

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
_ROWS: tuple[tuple[Container[int], str, str | Act], ...] = (
    (_REFUSED, "", _written),
    (_NOT_LIMITED, r"^@retryable=True", "unavailable"),
    (_REFUSED, r"\blimit:?\s*\d", _sized),
    ({401}, "", "key_refused"),
    ({402}, r"can only afford", _affordable),
    ({402}, r"^=openrouter_in_flight_budget$", "in_flight_budget"),
    ({402}, rf"^=(?:{'|'.join(_SPENT)})$", "no_credit"),
    ({402}, r"^!wait$", "in_flight_budget"),
    ({402}, "", "no_credit"),
    ({403}, r"^=openrouter_(?:key_limit|workspace_budget|guardrail_budget)$|^@resets_at",
        lambda case: case.ends("key_limit", soon(moment(case.error.metadata.get("resets_at")), case.exchange.now))),
    ({403}, r"^@patterns|injection", "input_guardrail"),
    ({403, 500}, rf"^@(?:reasons|flagged_input)|{_FILTER}", "input_moderated"),
    ({403}, r"\bkey limit exceeded", "key_limit"),
    ({403}, _NO_CREDIT, "no_credit"),
    ({403}, r"^#", _parts(is_certain=False)),
    ({403}, rf"^=region_restricted$|{_REGION}", "region_restricted"),
    ({403}, "", "forbidden"),
    ({404, 410}, r"^=constraint_filtered$|requested parameters|endpoints found that|not support|support the p",
        lambda case: case.change(case.parts() or Refused(form=form_field(case.exchange.body)))),
    ({404, 410}, r"^=privacy_restricted$|data policy", "privacy_restricted"),
    ({404}, r"^file not found\Z|\A(?:[!@].*\n)*not found\.?\Z", "not_an_endpoint"),
    ({404, 410}, "", _absent),
    ({405}, "", "not_an_endpoint"),
    ({408, 409, 425}, "", "timeout_reported"),
    ({413}, "", "context_length"),
    ({429}, "", _limited),
    ({500}, _EMPTY, "no_credit"),
    ({500, 501}, "", _parts(is_certain=False)),
    ({501}, "", lambda case: case.change(Refused())),
    ({502}, "", "bad_gateway"),
    ({503, 529}, "", "overloaded"),
    ({504, 524}, "", "upstream_timeout"),
    (_FAILED, "", "server_error"),
    (_REFUSED, r"^=refusal$", lambda case: ModelMistake("refused", case.error.sentence, case.reply)),
    (_REFUSED, r"^=content_(?:policy_violation|filter)$", _filtered),
    (_REFUSED, _FILTER, "input_moderated"),
    (_REFUSED, _KEY_NAME, "key_refused"),
    (_REFUSED, _NO_MODEL_NAME, "no_such_model"),
    (_REFUSED, r"reasoning_content",
        lambda case: case.change(Refused(answers=True)) if "assistant" in roles(case.exchange.body) else None),
    (_REFUSED, _STREAMS, lambda case: None if case.exchange.body.get("stream") else case.change(Refused(stream=True))),
    (_REFUSED, _TOO_LONG, _context),
    (_REFUSED, "", _parts(is_certain=True)),
    (_REFUSED, rf"^!model$|{_NO_MODEL}", "no_such_model"),
    (_REFUSED, _BAD_KEY, "key_refused"),
    (_REFUSED, _NO_CREDIT, "no_credit"),
    (_REFUSED, _REGION, "region_restricted"),
    (_REFUSED, r"^!pinned$", "bad_request"),
    (_ANY, "", lambda case: case.change(Refused())),
)  # fmt: skip
"""Statuses, what errors of them say as `_marked` has it ("": anything), and what that means; the first row that fits counts.
Names and fields of an error stand before its words, and what is sure before what is not."""
