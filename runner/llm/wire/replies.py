"""Replies: the outcome of every response: an answer, a mistake of the model, or an error, also in the shape of an answer."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from runner.digest import JsonObject
from runner.llm.address import without_password
from runner.llm.budget import estimated_tokens
from runner.llm.outcome import Configuration, Delivered, Infrastructure, ModelMistake, ModelReply, Outcome, Token, Usage
from runner.llm.parse_answer import LARGEST, extract, leading_thought
from runner.llm.rated import is_other
from runner.llm.redact import redact
from runner.llm.request import ANSWER_NAME
from runner.llm.strict_json import Unreadable, count_in, loose_json, name_in, number, without_surrogates
from runner.llm.wire.error_object import mapping, retry_after
from runner.llm.wire.refusals import Exchange, refusal
from runner.llm.wire.streams import whole_reply

RAW_LIMIT = 64 * 1024
"""Characters of a raw body that are kept."""

_LONGEST_TARGET = 300
"""Characters that are shown of a redirect's target."""

_SMALLEST_CONTEXT = 256
"""Lower counts are made up by a stand-in server, and not the size of a truncated prompt."""

_TEXT_PARTS = {"text", "output_text"}
_CUT = {"length", "max_tokens", "model_length", "max_output_tokens", "incomplete", "model_context_window_exceeded"}
_FILTERED = re.compile(
    r"content_?filter|safety|recitation|blocklist|prohibited|spii|guardrail|sensitive|moderat|censor", re.IGNORECASE
)
_ENDS = frozenset(
    {"stop", "stopped", "end", "ended", "eos", "eot", "complete", "completed", "done", "finished", "success", "normal"}
    | {"tool", "function", "none"}
)
"""Words of finish reasons by which a model ended by itself, as in `end_turn` and `tool_calls`."""

_BLOCKED = re.compile(r"block_?reason\Z", re.IGNORECASE)
_INPUT_FILTERS = {"SAFETY_INPUT", "PROHIBITED_CONTENT", "BLOCKLIST", "prompt_filtered", "input_filtered"}
_TAGS = re.compile(r"<(style|script)\b.*?</\1>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_MARKUP = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml)", re.IGNORECASE)
_COMMENTS = re.compile(r"(?::[^\n]*(?:\n\s*|\Z))+")
"""Lines such as `: OPENROUTER PROCESSING`, which keep a connection open until the answer comes."""


def classify(status: int, headers: Mapping[str, str], text: str, exchange: Exchange) -> Outcome:
    """The outcome of a response. A stream counts as the reply that it adds up to. Secrets are removed from the body first."""
    streamed, has_end = whole_reply(text) or (None, True)
    text = text if streamed is None else json.dumps(streamed, ensure_ascii=False)
    text = without_surrogates(redact(text, exchange.model.secrets))
    if 300 <= status < 400:
        return _redirected(status, headers, exchange)
    exchange = replace(exchange, headers=headers, raw=text[:RAW_LIMIT], raw_length=len(text))
    body = text.strip().lstrip("\ufeff").strip()
    if (comments := _COMMENTS.match(body)) is not None:
        body = body[comments.end() :]
    if not has_end and status < 400:
        why = "the stream ended before the answer did: it has no finish reason, or a broken event"
        return Infrastructure("unfinished", why, None, exchange.blank_reply, billed=True)
    outcome = _of_body(status, body, exchange)
    return _clean(outcome, exchange) if "\\" in text else outcome


def _redirected(status: int, headers: Mapping[str, str], exchange: Exchange) -> Outcome:
    """A redirect, which is not followed: keys and prompts go nowhere but to the address that was named."""
    target = redact(without_password(headers.get("location", "")), exchange.model.secrets)[:_LONGEST_TARGET]
    to = f"redirects to {target}" if target else "redirects without saying where"
    why = f"{status}: the endpoint {to}, which is not followed; if you trust that address, write it as the base URL"
    return Configuration("redirected", why, "model", exchange.blank_reply)


def _of_body(status: int, body: str, exchange: Exchange) -> Outcome:
    blank = exchange.blank_reply
    if _MARKUP.match(body):
        return _web_page(status, body, exchange)
    try:
        document = loose_json(body)
    except ValueError:
        if status >= 400:
            return refusal(body[:2000] or {}, status, exchange)
        kind, why = ("broken_json", "the reply is not complete JSON") if body else ("blank_body", "the reply is blank")
        return Infrastructure(kind, why, None, blank, billed=True)
    if status >= 400 or isinstance(document, list):
        return refusal(document, status, exchange)
    if not isinstance(document, Mapping):
        return Infrastructure("not_an_object", "the reply is no JSON object", reply=blank)
    return _completed(document, exchange)


def _web_page(status: int, text: str, exchange: Exchange) -> Outcome:
    """A page from a proxy or a content network. With 404 or 405 the address is wrong, a 400 or 422 refuses the request."""
    if status in (404, 405):
        return Configuration("not_an_endpoint", f"{status} and a web page", "model", exchange.blank_reply)
    if status in (400, 422):
        return refusal(_TAGS.sub(" ", text)[:2000], status, exchange)
    why = f"a web page came instead of an answer (status {status})"
    wait = retry_after(exchange.headers, exchange.now)
    return Infrastructure("web_page", why, wait, exchange.blank_reply, "model" if wait is not None else "match")


def _clean(outcome: Outcome, exchange: Exchange) -> Outcome:
    """The outcome without secrets that JSON escapes hid in the body."""
    secrets = exchange.model.secrets
    if not isinstance(outcome, Delivered):
        outcome = replace(outcome, why=without_surrogates(redact(outcome.why, secrets)))
    if (reply := outcome.reply) is None:
        return outcome
    texts: dict[str, Any] = {name: redact(text, secrets) for name in _TEXTS if (text := getattr(reply, name))}
    return replace(outcome, reply=replace(reply, **texts))


_TEXTS = ("text", "reasoning", "id", "model", "provider", "finish_reason", "generation")


def _completed(document: JsonObject, exchange: Exchange) -> Outcome:
    """The outcome of a JSON object with status 200, also where an endpoint nests the completion under `provider`."""
    inner = document.get("provider")
    if isinstance(inner, Mapping) and inner.get("choices") and not document.get("choices"):
        document = inner
    choices = document.get("choices")
    choice = mapping(choices[0] if isinstance(choices, list) and choices else choices)
    broken = _broken(document, choice, exchange)
    if broken is not None:
        return broken
    message = _message(choice)
    reply = _reply(document, choice, exchange, message)
    model = exchange.model
    if is_other(model, reply.model, reply.provider, exchange.canonical_name):
        why = f"{reply.model} by {reply.provider or 'an unnamed provider'} answered instead of {model.name} as pinned"
        return Infrastructure("other_model", why, None, reply, billed=True)
    if model.rated and counts_few(reply.usage, exchange.prompt_characters, 4):
        why = (
            f"the server counted {reply.usage.prompt_tokens} tokens in a prompt at least four times as long: it cuts prompts to"
            " its own context size; raise it (Ollama: num_ctx or OLLAMA_CONTEXT_LENGTH)"
        )
        return Configuration("prompt_truncated", why, "match", reply)
    if not reply.text.strip():
        return _empty(reply, message, str(choice.get("native_finish_reason")))
    if message.unknown_tool and "tools" in exchange.body:
        return ModelMistake("unknown_tool", f"a tool that does not exist was called instead of {ANSWER_NAME}", reply)
    return _finished(reply, message.length)


def _broken(document: JsonObject, choice: JsonObject, exchange: Exchange) -> Outcome | None:
    """The error inside a 200: an error object, an error in the choice, or no choice; None without an error."""
    error = document.get("error") or choice.get("error")
    is_error = bool(error) or _reason(choice.get("finish_reason")) == "error"
    if choice and not is_error:
        return None
    # Without an answer a reply costs what it says, and nothing by estimate: endpoints do not charge for such replies.
    reply, stated = _reply(document, choice, exchange, _Message()), _stated_cost(document, exchange.headers)
    reply = replace(reply, usage=Usage() if reply.usage.estimated else reply.usage, cost=stated)
    if is_error:
        return refusal({"error": error or "the provider failed while answering"}, 200, exchange, reply)
    if document.get("object") == "error" or ("detail" in document and "id" not in document):
        return refusal(document, 200, exchange, reply)
    parts = (document, *(part for part in document.values() if isinstance(part, Mapping)))  # Google says why in such a part
    blocked = next((name_in(part[name]) for part in parts for name in part if _BLOCKED.search(name)), None)
    if blocked is not None:
        return Infrastructure("input_moderated", f"a filter refused the prompt ({blocked})", None, reply)
    return Infrastructure("no_choices", "the reply holds no answer", reply=reply)


def _reason(finish_reason: object) -> str:
    return finish_reason.strip().lower() if isinstance(finish_reason, str) else ""


def _finished(reply: ModelReply, length: int) -> Outcome:
    reason = _reason(reply.finish_reason)
    if length > LARGEST and reason not in _CUT:
        why = f"the answer has {length} characters, more than the {LARGEST} that are read"
        return ModelMistake("unreadable", why, reply)
    if reply.is_complete or _is_whole_object(reply.text):
        return Delivered(reply)
    if reason in _CUT:
        blank = len(reply.text) - len(reply.text.rstrip())
        if blank >= 16 and blank * 2 > len(reply.text):
            return ModelMistake("whitespace_loop", "the answer went on in blanks until it was cut off", reply)
        return ModelMistake("truncated", "the answer was cut off at the limit on its length", reply)
    if _FILTERED.match(reason):
        return ModelMistake("filtered", "a content filter cut the answer off", reply)
    if _is_readable(reply.text):
        return Delivered(replace(reply, is_complete=True))
    why = f"the reply ended early ({reply.finish_reason})" if reason else "the reply ends without saying why it ended"
    return Infrastructure("unfinished", why, None, reply, billed=True)


def _is_whole_object(text: str) -> bool:
    """Whether the text is exactly one JSON object, and so complete whatever the finish reason."""
    text = text.strip()
    try:
        return text.startswith("{") and text.endswith("}") and isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _is_readable(text: str) -> bool:
    try:
        extract(text)
    except Unreadable as error:
        return error.kind == "ambiguous"
    return True


def _empty(reply: ModelReply, message: _Message, native: str) -> Outcome:
    reason, tokens = _reason(reply.finish_reason), reply.usage.completion_tokens
    if message.refusal:
        return ModelMistake("refused", "the model refused to answer", replace(reply, text=message.refusal))
    if _FILTERED.match(reason):
        if native in _INPUT_FILTERS or not tokens:
            why = f"a filter refused the prompt ({native if native in _INPUT_FILTERS else reason})"
            return Infrastructure("input_moderated", why, None, reply)
        return ModelMistake("filtered", "a content filter left nothing of the answer", reply)
    if reason in _CUT and (tokens or reply.reasoning):
        if reply.text:
            return ModelMistake("whitespace_loop", "the answer was nothing but blanks until it was cut off", reply)
        return ModelMistake("reasoning_exhausted", "thinking took the whole limit on length, no answer was left", reply)
    if message.called_tool:
        return ModelMistake("empty", "the tool was called without arguments", reply)
    if reply.is_complete and tokens:
        return ModelMistake("empty", "the answer is empty", reply)
    return Infrastructure("nothing_delivered", "the reply is empty and no tokens were counted", None, reply)


def _reply(document: JsonObject, choice: JsonObject, exchange: Exchange, message: _Message) -> ModelReply:
    usage = usage_of(document, exchange.prompt_characters, len(message.text) + len(message.reasoning or ""))
    cost, prices = _stated_cost(document, exchange.headers), exchange.prices or exchange.model.prices
    if cost is None and prices is not None:
        cost = prices.cost(usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens)
    named = exchange.headers.get("x-generation-id") or exchange.headers.get("x-litellm-call-id")
    reason = _reason(choice.get("finish_reason"))
    ends = reason not in _CUT and not _ENDS.isdisjoint(re.split(r"[\W_]+", reason)) and not _FILTERED.match(reason)
    return ModelReply(
        text=message.text,
        reasoning=message.reasoning or (leading_thought(message.text) or (None,))[0],
        id=name_in(document.get("id")),
        model=name_in(document.get("model")),
        provider=name_in(document.get("provider")),
        finish_reason=name_in(choice.get("finish_reason")),
        usage=usage,
        cost=cost,
        latency=exchange.latency,
        raw=exchange.raw,
        raw_length=exchange.raw_length,
        generation=redact(named, exchange.model.secrets) if named else name_in(document.get("id")),
        is_complete=ends,
        tokens=tokens_of(choice),
    )


_MOST_TOKENS, _MOST_LIKELY = 64, 1000
"""Tokens that are read, and likely ones in the place of each; an endpoint is asked for far fewer."""

_SLACK = 1e-3
"""What rounding may add to a log-probability, and to the sum of probabilities."""


def tokens_of(choice: JsonObject) -> tuple[Token, ...] | None:
    """The first tokens of a choice with log-probabilities (`logprobs.content`), as OpenAI, llama.cpp, vLLM and OpenRouter give
    them. None without any, and for numbers that are no log-probabilities of one token."""
    content = mapping(choice.get("logprobs")).get("content")
    if not isinstance(content, list) or not content:
        return None
    found = [(one.get("token"), _likely(one.get("top_logprobs"))) for one in map(mapping, content[:_MOST_TOKENS])]
    whole = [Token(text, likely) for text, likely in found if isinstance(text, str) and likely is not None]
    return tuple(whole) if len(whole) == len(found) else None


def _likely(listed: object) -> tuple[tuple[str, float], ...] | None:
    if not isinstance(listed, list) or not 0 < len(listed) <= _MOST_LIKELY:
        return None
    found = list[tuple[str, float]]()
    for one in map(mapping, listed):
        token, value = one.get("token"), one.get("logprob")
        if not isinstance(token, str) or not isinstance(value, int | float) or isinstance(value, bool):
            return None
        if not -1e9 < value <= _SLACK:  # NaN is in no range
            return None
        found.append((token, float(value)))
    return tuple(found) if sum(math.exp(value) for _, value in found) <= 1 + _SLACK else None


@dataclass(frozen=True, slots=True)
class _Message:
    """The message of a model. Several different tool calls stand one below the other, which the parser refuses. Its texts are
    cut to the length that is kept, `length` is the whole text's, in characters."""

    text: str = ""
    length: int = 0
    reasoning: str | None = None
    refusal: str | None = None
    called_tool: bool = False
    unknown_tool: bool = False


def _message(choice: JsonObject) -> _Message:
    """The message of a choice. Tool arguments go before content, text parts are joined, reasoning is kept apart."""
    message = choice.get("message")
    if not isinstance(message, Mapping):
        text = _text(choice.get("text"))
        return _Message(_kept(text), len(text))
    given = message.get("tool_calls")
    calls = [mapping(call).get("function") for call in given] if isinstance(given, list) else []
    functions = [call for call in (*calls, message.get("function_call")) if isinstance(call, Mapping)]
    arguments = dict.fromkeys(
        json.dumps(given) if isinstance(given := call.get("arguments"), list) else _text(given) for call in functions
    )
    text = "\n".join(filter(None, arguments)) or _text(message.get("content"))
    thoughts = (message.get(name) for name in ("reasoning", "reasoning_content", "thinking"))
    refused = message.get("refusal")
    return _Message(
        text=_kept(text),
        length=len(text),
        reasoning=_kept(next((thought for thought in thoughts if isinstance(thought, str)), "")) or None,
        refusal=_kept(refused) if isinstance(refused, str) else None,
        called_tool=bool(functions),
        unknown_tool=any(call.get("name", ANSWER_NAME) != ANSWER_NAME for call in functions),
    )


def _kept(text: str) -> str:
    return without_surrogates(text[:LARGEST])


def _text(content: object) -> str:
    """A message's text: as it is, as an object, or in parts, of which those of text count."""
    if isinstance(content, Mapping):
        return json.dumps(content)
    if isinstance(content, list):
        readable = (part for part in content if not isinstance(part, Mapping) or part.get("type", "text") in _TEXT_PARTS)
        parts = (part.get("text") if isinstance(part, Mapping) else part for part in readable)
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def usage_of(document: JsonObject, prompt_characters: int, reply_characters: int) -> Usage:
    """The counts of a reply; estimated from its characters, and flagged, if missing or implausible."""
    usage, expected = mapping(document.get("usage")), estimated_tokens(prompt_characters)
    prompt, completion = count_in(usage.get("prompt_tokens")), count_in(usage.get("completion_tokens"))
    reasoning = count_in(mapping(usage.get("completion_tokens_details")).get("reasoning_tokens"))
    details = mapping(usage.get("prompt_tokens_details"))
    cached, written = count_in(details.get("cached_tokens")), count_in(details.get("cache_write_tokens"))
    if prompt and (prompt >= _SMALLEST_CONTEXT or prompt * 2 >= expected):
        return Usage(prompt, completion, reasoning, cached, written, said=prompt)
    completion = max(completion, estimated_tokens(reply_characters))
    return Usage(expected, completion, reasoning, cached, written, estimated=True, said=prompt)


def counts_few(usage: Usage, prompt_characters: int, part: int = 2) -> bool:
    """Whether a count is less than 1/`part` of the estimate for the prompt: the server cuts prompts (Ollama, with a short
    context), leaves some tokens uncounted, or has another tokenizer."""
    return not usage.estimated and (usage.prompt_tokens + usage.cached_tokens) * part < estimated_tokens(prompt_characters)


def _stated_cost(document: JsonObject, headers: Mapping[str, str]) -> float | None:
    """The cost in USD by the reply, with the upstream's share for the user's own provider key, or by LiteLLM's header."""
    given = mapping(document.get("usage"))
    cost = _amount(given.get("cost"))
    if cost is None:
        return _amount(headers.get("x-litellm-response-cost"))
    upstream = _amount(mapping(given.get("cost_details")).get("upstream_inference_cost"))
    return cost + (upstream or 0.0) if given.get("is_byok") is True else cost


def _amount(value: object) -> float | None:
    found = number(value)
    return found if found is not None and 0 <= found < 1e6 else None
