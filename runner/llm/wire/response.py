"""The outcome of a whole response: status, headers and raw body."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from runner.llm.address import without_password
from runner.llm.loose_json import loose_json
from runner.llm.outcome import Configuration, Delivered, Infrastructure, ModelMistake, Outcome, Reply
from runner.llm.redact import redact
from runner.llm.surrogates import without_surrogates
from runner.llm.wire import headers as header
from runner.llm.wire import replies
from runner.llm.wire.replies import Exchange

RAW_LIMIT = 64 * 1024
"""Letters of a raw body that are kept."""

_REFUSED = (400, 422)
_TAGS = re.compile(r"<(style|script)\b.*?</\1>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_LONGEST_TARGET = 300
"""Characters of a redirect's target that are shown."""

_COMMENTS = re.compile(r"(?::[^\n]*(?:\n\s*|\Z))+")
"""Lines such as `: OPENROUTER PROCESSING`, which keep a connection open until the answer comes."""

_MARKUP = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml)", re.IGNORECASE)


def classify(status: int, headers: Mapping[str, str], text: str, exchange: Exchange) -> Outcome:
    """The outcome of a response. Secrets are removed from the body first."""
    text = without_surrogates(redact(text, exchange.model.secrets))
    if 300 <= status < 400:
        return _redirected(status, headers, exchange)
    exchange = replace(exchange, headers=headers, raw=text[:RAW_LIMIT], raw_length=len(text))
    stripped = _without_comments(text)
    if not stripped:
        return _without_body(status, exchange)
    if _MARKUP.match(stripped):
        return _markup(status, stripped, exchange)
    if stripped.startswith(("data:", "event:")):
        return _stream(stripped, exchange)
    try:
        document = loose_json(stripped)
    except ValueError:
        return _unparsable(status, stripped, exchange)
    outcome = _document(document, status, exchange)
    return _clean(outcome, exchange) if "\\" in text else outcome


def _without_comments(text: str) -> str:
    """A body without its byte order mark, the blanks around it, and the comments before it."""
    text = text.strip().lstrip("\ufeff").strip()
    comments = _COMMENTS.match(text)
    return text if comments is None else text[comments.end() :]


def _document(document: object, status: int, exchange: Exchange) -> Outcome:
    if status >= 400 or isinstance(document, list):
        return exchange.refused(document, status, exchange.blank_reply)
    if not isinstance(document, Mapping):
        return Infrastructure("not_an_object", "the reply is no JSON object", reply=exchange.blank_reply)
    return replies.classify(document, exchange)


def _redirected(status: int, headers: Mapping[str, str], exchange: Exchange) -> Outcome:
    """A redirect, which is not followed: keys and prompts go nowhere but to the address that was named."""
    target = redact(without_password(headers.get("location", "")), exchange.model.secrets)[:_LONGEST_TARGET]
    to = f"redirects to {target}" if target else "redirects without saying where"
    why = f"{status}: the endpoint {to}, which is not followed; if you trust that address, write it as the base URL"
    return Configuration("redirected", why, "model", exchange.blank_reply)


def _without_body(status: int, exchange: Exchange) -> Outcome:
    """A blank body: an error status counts by itself; a 200 is repeated."""
    if status >= 400:
        return exchange.refused({}, status, exchange.blank_reply)
    return Infrastructure("blank_body", "the reply is blank", None, exchange.blank_reply, billed=True)


def _markup(status: int, text: str, exchange: Exchange) -> Outcome:
    """A web page from a proxy or a content network. With 404 or 405 the address is wrong, a 400 or 422 refuses the request."""
    if status in (404, 405):
        why = f"{status} and a web page: {exchange.model.base_url} is no OpenAI-compatible endpoint"
        return Configuration("not_an_endpoint", why, "model", exchange.blank_reply)
    if status in _REFUSED:
        return exchange.refused(_TAGS.sub(" ", text)[:2000], status, exchange.blank_reply)
    why = f"a web page came instead of an answer (status {status})"
    wait = header.retry_after(exchange.headers, exchange.now)
    return Infrastructure("web_page", why, wait, exchange.blank_reply, "model" if wait is not None else "match")


def _unparsable(status: int, text: str, exchange: Exchange) -> Outcome:
    if status >= 400:
        return exchange.refused(text[:2000], status, exchange.blank_reply)
    return Infrastructure("broken_json", "the reply is not complete JSON", None, exchange.blank_reply, billed=True)


def _stream(text: str, exchange: Exchange) -> Outcome:
    """A stream that was not asked for: its error counts, its text does not."""
    for line in text.splitlines():
        if not line.startswith("data:") or '"error"' not in line:
            continue
        try:
            event = loose_json(line.removeprefix("data:"))
        except ValueError:
            continue
        if isinstance(event, Mapping) and event.get("error"):
            return exchange.refused(event, 200, exchange.blank_reply)
    why = "the endpoint streamed though it was not asked to, and its stream is not trusted"
    return Infrastructure("streamed", why, None, exchange.blank_reply, billed=True)


def _clean(outcome: Outcome, exchange: Exchange) -> Outcome:
    """The outcome without secrets that JSON escapes hid in the body."""
    if isinstance(outcome, (Infrastructure, Configuration, ModelMistake)):
        outcome = replace(outcome, why=without_surrogates(redact(outcome.why, exchange.model.secrets)))
    reply = outcome.reply
    if reply is None:
        return outcome
    cleaned = _cleaned(reply, exchange.model.secrets)
    return Delivered(cleaned) if isinstance(outcome, Delivered) else replace(outcome, reply=cleaned)


def _cleaned(reply: Reply, secrets: Sequence[str]) -> Reply:
    def clean(text: str | None) -> str | None:
        return text and redact(text, secrets)

    return replace(
        reply,
        text=redact(reply.text, secrets),
        reasoning=clean(reply.reasoning),
        id=clean(reply.id),
        model=clean(reply.model),
        provider=clean(reply.provider),
        finish_reason=clean(reply.finish_reason),
        generation=clean(reply.generation),
    )
