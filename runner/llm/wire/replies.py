"""Bodies with status 200: an answer, a mistake of the model, or an error in the shape of an answer."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from runner.json_types import JsonObject
from runner.llm.outcome import Configuration, Delivered, Infrastructure, ModelMistake, Outcome, Reply, Usage
from runner.llm.parse_answer import LARGEST, extract
from runner.llm.prices import Prices
from runner.llm.rated import is_other
from runner.llm.redact import redact
from runner.llm.request import ANSWER_NAME, Model
from runner.llm.strict_json import Unreadable
from runner.llm.surrogates import without_surrogates
from runner.llm.wire import refusals
from runner.llm.wire.error_object import parse_error
from runner.llm.wire.message import ReplyMessage, message_of
from runner.llm.wire.usage import cost_of, stated_cost, usage_of, was_truncated

_CUT = {"length", "max_tokens", "model_length", "max_output_tokens", "incomplete", "model_context_window_exceeded"}
_FILTERED = re.compile(r"content_filter|safety|recitation|blocklist|prohibited_content|spii|guardrail", re.IGNORECASE)
_LONGEST_NAME = 300
"""Characters of a name in a reply that are kept."""

_INPUT_FILTERS = {"SAFETY_INPUT", "PROHIBITED_CONTENT", "BLOCKLIST", "prompt_filtered", "input_filtered"}


@dataclass(frozen=True, slots=True)
class Exchange:
    """The request a response belongs to: model, body, latency in seconds, and the time now (epoch seconds).

    `canonical_name` is the endpoint's own name for the model, from its list.
    """

    model: Model
    body: JsonObject
    prompt_letters: int
    latency: float
    now: float
    prices: Prices | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: str = ""
    raw_length: int = 0
    canonical_name: str | None = None

    @property
    def blank_reply(self) -> Reply:
        """A reply without an answer."""
        return Reply(raw=self.raw, raw_length=self.raw_length, latency=self.latency)

    def refused(self, document: object, status: int, reply: Reply | None) -> Outcome:
        """The outcome of an error in a body of any shape."""
        error = parse_error(document, status, self.headers, self.now)
        outcome = refusals.classify(error, refusals.Asked(self.body, self.prompt_letters, self.now), reply)
        return self._counted(outcome) if isinstance(outcome, Delivered) else outcome

    def _counted(self, delivered: Delivered) -> Delivered:
        """An answer inside an error, which counts no tokens: they are estimated."""
        usage = usage_of({}, self.prompt_letters, len(delivered.reply.text))
        return Delivered(replace(delivered.reply, usage=usage))


def classify(document: JsonObject, exchange: Exchange) -> Outcome:
    """The outcome of a JSON object with status 200."""
    document = _unnested(document)
    choice = _choice(document)
    broken = _broken(document, choice, exchange)
    if broken is not None:
        return broken
    message = message_of(choice)
    reply = _reply(document, choice, exchange, message)
    if is_other(exchange.model, reply.model, reply.provider, exchange.canonical_name):
        return Infrastructure("other_model", _other(exchange.model, reply), None, reply, billed=True)
    if exchange.model.rated and was_truncated(reply.usage, exchange.prompt_letters):
        return Configuration("prompt_truncated", _truncation(reply.usage), "match", reply)
    return _finished(reply, message, str(choice.get("native_finish_reason")), exchange)


def _unnested(document: JsonObject) -> JsonObject:
    """The completion itself, also where an endpoint nests it under `provider`."""
    inner = document.get("provider")
    return inner if isinstance(inner, Mapping) and inner.get("choices") and not document.get("choices") else document


def _choice(document: JsonObject) -> JsonObject:
    choices = document.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else choices
    return first if isinstance(first, Mapping) else {}


def _broken(document: JsonObject, choice: JsonObject, exchange: Exchange) -> Outcome | None:
    """The error inside a 200: an error object, an error in the choice, or no choice; None without an error."""
    error = document.get("error") or choice.get("error")
    if error or _reason(choice) == "error":
        error = {"error": error or "the provider failed while answering"}
        return exchange.refused(error, 200, _failed(document, choice, exchange))
    if not choice:
        reply = _failed(document, choice, exchange)
        if document.get("object") == "error" or ("detail" in document and "id" not in document):
            return exchange.refused(document, 200, reply)
        return Infrastructure("no_choices", "the reply holds no answer", reply=reply)
    return None


def _reason(choice: JsonObject) -> str:
    """The finish reason in lower case, "" for none."""
    reason = choice.get("finish_reason")
    return reason.strip().lower() if isinstance(reason, str) else ""


def _failed(document: JsonObject, choice: JsonObject, exchange: Exchange) -> Reply:
    """A reply without an answer. It costs what it says, and nothing by estimate: endpoints do not charge for such replies."""
    reply = _reply(document, choice, exchange, ReplyMessage())
    usage = Usage() if reply.usage.estimated else reply.usage
    return replace(reply, usage=usage, cost=stated_cost(document, exchange.headers))


def _reply(
    document: JsonObject,
    choice: JsonObject,
    exchange: Exchange,
    message: ReplyMessage,
) -> Reply:
    usage = usage_of(document, exchange.prompt_letters, len(message.text) + len(message.reasoning or ""))
    return Reply(
        text=message.text,
        reasoning=message.reasoning,
        id=_string(document.get("id")),
        model=_string(document.get("model")),
        provider=_string(document.get("provider")),
        finish_reason=_string(choice.get("finish_reason")),
        usage=usage,
        cost=cost_of(document, exchange.headers, usage, exchange.prices or exchange.model.prices),
        latency=exchange.latency,
        raw=exchange.raw,
        raw_length=exchange.raw_length,
        generation=_generation(document, exchange),
        is_complete=_ends_by_itself(_reason(choice)),
    )


def _ends_by_itself(reason: str) -> bool:
    """Whether the model ended by itself. Endpoints have many words for that, few for everything else."""
    return bool(reason) and reason not in _CUT and not _FILTERED.match(reason)


def _generation(document: JsonObject, exchange: Exchange) -> str | None:
    """The endpoint's own name for the exchange, under which OpenRouter's GET /generation knows what it cost."""
    header = exchange.headers.get("x-generation-id") or exchange.headers.get("x-litellm-call-id")
    return redact(header, exchange.model.secrets) if header else _string(document.get("id"))


def _finished(reply: Reply, message: ReplyMessage, native: str, exchange: Exchange) -> Outcome:
    """The outcome by finish reason and text: complete, empty, refused, filtered or cut off."""
    if not reply.text.strip():
        return _empty(reply, message, native)
    if message.unknown_tool and "tools" in exchange.body:
        return ModelMistake("unknown_tool", f"a tool that does not exist was called instead of {ANSWER_NAME}", reply)
    reason = (reply.finish_reason or "").strip().lower()
    if message.length > LARGEST and reason not in _CUT:
        why = f"the answer has {message.length} characters, more than the {LARGEST} that are read"
        return ModelMistake("unreadable", why, reply)
    if reply.is_complete or is_whole_object(reply.text):
        return Delivered(reply)
    if reason in _CUT:
        return _cut(reply)
    if _FILTERED.match(reason):
        return ModelMistake("filtered", "a content filter cut the answer off", reply)
    if _is_readable(reply.text):
        return Delivered(replace(reply, is_complete=True))
    return Infrastructure("unfinished", "the reply ends without saying why it ended", None, reply, billed=True)


def _is_readable(text: str) -> bool:
    """Whether the text holds a whole answer, or several."""
    try:
        extract(text)
    except Unreadable as error:
        return error.kind == "ambiguous"
    return True


def _empty(reply: Reply, message: ReplyMessage, native: str) -> Outcome:
    reason = (reply.finish_reason or "").strip().lower()
    if message.refusal:
        return ModelMistake("refused", "the model refused to answer", replace(reply, text=message.refusal))
    if _FILTERED.match(reason):
        if native in _INPUT_FILTERS:
            return Infrastructure("input_moderated", f"a filter refused the prompt ({native})", None, reply)
        return ModelMistake("filtered", "a content filter left nothing of the answer", reply)
    if reason in _CUT and (reply.usage.completion_tokens or reply.reasoning):
        return _cut_empty(reply)
    if message.called_tool:
        return ModelMistake("empty", "the tool was called without arguments", reply)
    if reply.is_complete and reply.usage.completion_tokens > 0:
        return ModelMistake("empty", "the answer is empty", reply)
    return Infrastructure("nothing_delivered", "the reply is empty and no tokens were counted", None, reply)


def _cut(reply: Reply) -> Outcome:
    if _is_whitespace_loop(reply.text):
        return ModelMistake("whitespace_loop", "the answer went on in blanks until it was cut off", reply)
    return ModelMistake("truncated", "the answer was cut off at the limit on its length", reply)


def _cut_empty(reply: Reply) -> Outcome:
    if reply.text:
        return ModelMistake("whitespace_loop", "the answer was nothing but blanks until it was cut off", reply)
    return ModelMistake("reasoning_exhausted", "thinking took the whole limit on length, no answer was left", reply)


def _is_whitespace_loop(text: str) -> bool:
    blank = len(text) - len(text.rstrip())
    return blank >= 16 and blank * 2 > len(text)


def is_whole_object(text: str) -> bool:
    """Whether the text is exactly one JSON object, and so complete whatever the finish reason."""
    text = text.strip()
    if not (text.startswith("{") and text.endswith("}")):
        return False
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _truncation(usage: Usage) -> str:
    return (
        f"the server counted {usage.prompt_tokens} tokens in a prompt at least four times as long: it cuts prompts to its own"
        " context size; raise it (Ollama: num_ctx or OLLAMA_CONTEXT_LENGTH)"
    )


def _other(model: Model, reply: Reply) -> str:
    return f"{reply.model} by {reply.provider or 'an unnamed provider'} answered instead of {model.name} as pinned"


def _string(value: object) -> str | None:
    return without_surrogates(value[:_LONGEST_NAME]) if isinstance(value, str) and value else None
