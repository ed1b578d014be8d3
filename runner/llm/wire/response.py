"""A whole response, status, headers and raw body, as an outcome."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from runner.llm.outcome import Configuration, Delivered, Infrastructure, ModelMistake, Outcome, Reply
from runner.llm.redact import redact
from runner.llm.wire import headers as header
from runner.llm.wire import refusals, replies
from runner.llm.wire.replies import Call

RAW_LIMIT = 256 * 1024
"""Letters of a raw body that are kept."""

_MARKUP = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml)", re.IGNORECASE)


def judged(status: int, headers: Mapping[str, str], text: str, call: Call) -> Outcome:
    """What a response means. The body is freed of secrets before anything is made of it."""
    text = redact(text, call.model.secrets)
    raw = text[:RAW_LIMIT]
    stripped = text.strip()
    if not stripped:
        return _without_body(status, headers, call, raw)
    if _MARKUP.match(stripped):
        return _markup(status, headers, call, raw)
    if stripped.startswith(("data:", ": ", "event:")) and "json" not in headers.get("content-type", ""):
        return _stream(stripped, headers, call, raw)
    try:
        document = json.loads(stripped)
    except (ValueError, RecursionError):
        return _unparsable(status, stripped, headers, call, raw)
    outcome = _document(document, status, headers, call, raw)
    return _clean(outcome, call) if "\\" in text else outcome


def _document(document: Any, status: int, headers: Mapping[str, str], call: Call, raw: str) -> Outcome:
    if status >= 400 or isinstance(document, list):
        return _refused(document, status, headers, call, raw)
    if not isinstance(document, Mapping):
        return Infrastructure("not_an_object", "the reply is no JSON object", reply=_bare(raw, call))
    return replies.judged(document, headers, call, raw)


def _refused(document: Any, status: int, headers: Mapping[str, str], call: Call, raw: str) -> Outcome:
    refusal = refusals.taken_apart(document, status, headers, call.now)
    return refusals.judged(refusal, call.body, call.now, _bare(raw, call))


def _without_body(status: int, headers: Mapping[str, str], call: Call, raw: str) -> Outcome:
    """Catalogue row 5; an error status speaks for itself even without words."""
    if status >= 400:
        return _refused({}, status, headers, call, raw)
    return Infrastructure("blank_body", "the reply is blank", None, _bare(raw, call), billed=True)


def _markup(status: int, headers: Mapping[str, str], call: Call, raw: str) -> Outcome:
    """Catalogue row 7: a page from a proxy or a content network; where it says that nothing is there, the address is wrong."""
    if status in (404, 405):
        why = f"{status} and a web page: {call.model.base_url} is no OpenAI-compatible endpoint"
        return Configuration("not_an_endpoint", why, "model", _bare(raw, call))
    why = f"a web page came instead of an answer (status {status})"
    wait = header.retry_after(headers, call.now)
    return Infrastructure("web_page", why, wait, _bare(raw, call), "model" if wait is not None else "match")


def _unparsable(status: int, text: str, headers: Mapping[str, str], call: Call, raw: str) -> Outcome:
    """Catalogue row 6."""
    if status >= 400:
        return _refused(text[:2000], status, headers, call, raw)
    return Infrastructure("broken_json", "the reply is not complete JSON", None, _bare(raw, call), billed=True)


def _stream(text: str, headers: Mapping[str, str], call: Call, raw: str) -> Outcome:
    """Catalogue rows 13 and 14: a stream nobody asked for; its error counts, its text does not."""
    for line in text.splitlines():
        if not line.startswith("data:") or '"error"' not in line:
            continue
        try:
            event = json.loads(line.removeprefix("data:"))
        except (ValueError, RecursionError):
            continue
        if isinstance(event, Mapping) and event.get("error"):
            return _refused(event, 200, headers, call, raw)
    why = "the endpoint streamed though it was not asked to, and its stream is not trusted"
    return Infrastructure("streamed", why, None, _bare(raw, call), billed=True)


def _bare(raw: str, call: Call) -> Reply:
    return Reply(raw=raw, latency=call.latency)


def _clean(outcome: Outcome, call: Call) -> Outcome:
    """The outcome with secrets removed that the body had hidden behind JSON escapes."""
    if isinstance(outcome, (Infrastructure, Configuration, ModelMistake)):
        outcome = replace(outcome, why=redact(outcome.why, call.model.secrets))
    reply = outcome.reply
    if reply is None or not any(secret in str(reply) for secret in call.model.secrets):
        return outcome
    cleaned = _cleaned(reply, call.model.secrets)
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
