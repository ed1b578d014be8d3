"""Replies: the outcome of every response: an answer, a mistake of the model, or an error, also in the shape of an answer."""

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from runner.digest import JsonObject
from runner.llm.address import redact, without_password
from runner.llm.budget import estimated_tokens
from runner.llm.outcome import Configuration, Delivered, Infrastructure, ModelMistake, ModelReply, Outcome, Token, Usage
from runner.llm.parse_answer import LARGEST, extract, leading_thought
from runner.llm.request import ANSWER_NAME
from runner.llm.strict_json import Unreadable, loose_json, mapping, name_in, without_surrogates
from runner.llm.wire.envelope import Speech, spoken, whole_reply
from runner.llm.wire.error_object import retry_after, says_error, stated_status
from runner.llm.wire.exchange import Exchange, amounts, is_other, stated_cost
from runner.llm.wire.refusals import MISTAKES, refusal

RAW_LIMIT = 64 * 1024
"""Characters of a raw body that are kept."""

_LONGEST_TARGET = 300
"""Characters that are shown of a redirect's target."""

_CUT = re.compile(r"length|max|token|window|incomplete")
"""Finish reasons by which a reply reached the limit on its length, where they are no end."""

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
    """The outcome of a JSON object with status 200, also where an endpoint nests the completion in a field of it."""
    if not document.get("choices"):
        nested = (part for part in document.values() if isinstance(part, Mapping) and part.get("choices"))
        document = {**document, **next(nested, {})}
    choice, speech = spoken(document)
    error = _error_beside(document, choice, speech)
    if error is not None or not choice:
        return _without_answer(document, choice, error, exchange)
    reply = _reply(document, choice, exchange, speech)
    if (other := _pinned(reply, exchange)) is not None:
        return other
    said = _said(reply, speech, exchange.bound)
    kind = _mistake(said, str(choice.get("native_finish_reason")), "tools" in exchange.body)
    if kind is not None:
        return ModelMistake(kind, MISTAKES[kind], replace(reply, text=reply.text or kept(speech.refusal)))
    return _delivered(said) if reply.text.strip() else _undelivered(said)


def _pinned(reply: ModelReply, exchange: Exchange) -> Outcome | None:
    """The outcome where another model answered, or one that saw a part of the prompt alone, in rated play; None else."""
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
    return None


def _error_beside(document: JsonObject, choice: JsonObject, speech: Speech) -> object:
    """The error of a reply; None where there is none, or one that says nothing beside an answer: no code of 400 or more."""
    error = document.get("error") or choice.get("error")
    if (_finish_reason(choice) or "").lower() == "error":
        return error or "the provider failed while answering"
    return error if error and (not speech.weight or (stated_status(error) or 0) >= 400) else None


_NATIVE: dict[str, Callable[[JsonObject], bool]] = {
    "Anthropic's messages": lambda reply: reply.get("type") == "message" and "content" in reply,
    "Gemini's own": lambda reply: "candidates" in reply,
    "OpenAI's responses": lambda reply: reply.get("object") == "response",
    "Ollama's own": lambda reply: "done" in reply and ("message" in reply or "response" in reply),
}
"""The replies of other APIs, by their fields."""


def _without_answer(document: JsonObject, choice: JsonObject, error: object, exchange: Exchange) -> Outcome:
    """The outcome of a reply with an error, or without any choice."""
    # Without an answer a reply costs what it says, and nothing by estimate: endpoints do not charge for such replies.
    reply, (stated, source) = _reply(document, choice, exchange, Speech()), stated_cost(document, exchange.headers)
    usage = Usage() if reply.usage.estimated else reply.usage
    reply = replace(reply, usage=usage, cost=stated, cost_source=source)
    if error is not None:
        return refusal({"error": error}, 200, exchange, reply)
    parts = (document, *(part for part in document.values() if isinstance(part, Mapping)))  # Google says why in such a part
    blocked = next((name_in(part[name]) for part in parts for name in part if _BLOCKED.search(name)), None)
    if blocked is not None:
        return Infrastructure("input_moderated", f"a filter refused the prompt ({blocked})", None, reply)
    if (native := next((name for name, is_native in _NATIVE.items() if is_native(document)), None)) is not None:
        why = f"the reply is one of {native} API and no chat completion: the path of the base URL is wrong"
        return Configuration("not_an_endpoint", why, "model", reply)
    if says_error(document):
        return refusal(document, 200, exchange, reply)
    return Infrastructure("no_choices", f"the reply holds no answer; its fields are {_listed(document)}", None, reply)


def _listed(names: Iterable[str]) -> str:
    """The names of fields, as many as a sentence bears."""
    return ", ".join(sorted(map(str, names))[:12])[:_LONGEST_TARGET] or "none"


def _finish_reason(choice: JsonObject) -> str | None:
    return name_in(choice.get("finish_reason") or choice.get("finishReason") or choice.get("stop_reason"))


class _Said(NamedTuple):
    """A reply, and what shows whether the model spoke: `tokens` that the endpoint counted, if that can be; whether the reply
    took all that it may, all but some that servers do not count; whether it was cut off there, as it says or by its tokens;
    whether its text is complete."""

    reply: ModelReply
    speech: Speech
    reason: str
    tokens: int
    is_at_bound: bool
    is_cut: bool
    is_whole: bool


def _said(reply: ModelReply, speech: Speech, bound: int | None) -> _Said:
    reason, text, usage = (reply.finish_reason or "").strip().lower(), reply.text.strip(), reply.usage
    is_at_bound = bound is not None and not usage.estimated and usage.completion_tokens * 50 >= bound * 49
    is_cut = is_at_bound or (not reply.is_complete and _CUT.search(reason) is not None)
    has_ended = reply.is_complete and (not is_at_bound or _is_readable(text))
    return _Said(
        reply, speech, reason, 0 if usage.estimated else usage.said_reply, is_at_bound, is_cut, has_ended or _is_object(text)
    )


def _is_object(text: str) -> bool:
    """Whether the text is exactly one JSON object, and so complete whatever the finish reason."""
    try:
        return text.startswith("{") and text.endswith("}") and isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _mistake(said: _Said, native: str, has_tools: bool) -> str | None:
    """The model's mistake where something shows that it spoke."""
    reply, speech, reason = said.reply, said.speech, said.reason
    if has_text := bool(reply.text.strip()):
        if len(speech.text) > LARGEST and not said.is_cut:
            return "unreadable"
        if has_tools and speech.tools - {ANSWER_NAME}:
            return "unknown_tool"
        if said.is_whole:
            return None
    if "refus" in reason or (speech.refusal and not has_text):
        return "refused"
    if said.is_at_bound or (said.is_cut and (has_text or (not speech.unread and (said.tokens or reply.reasoning)))):
        blank = len(reply.text) - len(reply.text.rstrip())
        if blank and (not has_text or blank >= max(16, len(reply.text) // 2)):
            return "whitespace_loop"
        return "truncated" if has_text else "reasoning_exhausted"
    if _FILTERED.match(reason) and (has_text or (said.tokens and native not in _INPUT_FILTERS)):
        return "filtered"
    has_ended = reply.is_complete and said.tokens and (speech.has_place or reply.reasoning)
    return "empty" if not (has_text or speech.unread) and (speech.calls or has_ended) else None


def _delivered(said: _Said) -> Outcome:
    """The outcome of a text that shows no mistake: an answer, unless something broke it off."""
    reply = said.reply
    if said.is_whole:
        return Delivered(reply)
    if _is_readable(reply.text):
        return Delivered(replace(reply, is_complete=True))
    why = f"the reply ended early ({reply.finish_reason})" if said.reason else "the reply ends without saying why it ended"
    return Infrastructure("unfinished", why, None, reply, billed=True)


def _undelivered(said: _Said) -> Outcome:
    reply, unread, reason = said.reply, said.speech.unread, said.reason
    if _FILTERED.match(reason):
        return Infrastructure("input_moderated", f"a filter refused the prompt ({reason})", None, reply)
    if unread:
        why = f"the reply holds no answer in a field that is known; others with something in them: {_listed(unread)}"
        return Infrastructure("unread_envelope", why, None, reply)
    ended = f"it ended with {reason}" if reason else "it does not say why it ended"
    why = f"the reply is empty: {reply.usage.completion_tokens or 'no'} tokens were counted, and {ended}"
    return Infrastructure("nothing_delivered", why, None, reply)


def _is_readable(text: str) -> bool:
    try:
        extract(text)
    except Unreadable as error:
        return error.kind == "ambiguous"
    return True


def _reply(document: JsonObject, choice: JsonObject, exchange: Exchange, speech: Speech) -> ModelReply:
    text, reasoning = kept(speech.text), kept(speech.reasoning)
    usage, cost, cost_source = amounts(document, exchange, (speech.text, speech.reasoning, speech.refusal))
    named = exchange.headers.get("x-generation-id") or exchange.headers.get("x-litellm-call-id")
    reason = _finish_reason(choice)
    return ModelReply(
        text=text,
        reasoning=reasoning or (leading_thought(text) or (None,))[0],
        id=name_in(document.get("id")),
        model=name_in(document.get("model")),
        provider=name_in(document.get("provider")),
        finish_reason=reason,
        usage=usage,
        cost=cost,
        cost_source=cost_source,
        latency=exchange.latency,
        raw=exchange.raw,
        raw_length=exchange.raw_length,
        generation=redact(named, exchange.model.secrets) if named else name_in(document.get("id")),
        is_complete=not _ENDS.isdisjoint(re.split(r"[\W_]+", (reason or "").lower())) and not _FILTERED.match(reason or ""),
        tokens=tokens_of(choice),
    )


def kept(text: str) -> str:
    """The text as it is kept: without surrogates, cut to the length of the longest answer."""
    return without_surrogates(text[:LARGEST])


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


def counts_few(usage: Usage, prompt_characters: int, part: int = 2) -> bool:
    """Whether a count is less than 1/`part` of the estimate for the prompt: the server cuts prompts (Ollama, with a short
    context), leaves some tokens uncounted, or has another tokenizer."""
    counted = max(usage.prompt_tokens, usage.said + usage.cached_tokens)
    return not usage.estimated and counted * part < estimated_tokens(prompt_characters)
