"""aimock from npm: OpenRouter's dialect, its costs, providers and errors."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from runner.llm.client import Client
from runner.llm.outcome import AccountProblem, Delivered, ModelMistake, Outage
from runner.llm.parse_answer import extract
from runner.llm.rate_limiter import Clock
from tests.llm.support import Asked, SkippingClock, ask_with, model, request
from tools.conformance.verdict import Verdict, absent, program, server

ANSWER = '{"card": "owl"}'
USAGE = {"prompt_tokens": 300, "completion_tokens": 12, "cost": 0.0021}

CASES: dict[str, tuple[dict[str, Any], type, str]] = {
    "good": ({"content": ANSWER, "provider": "Acme", "usage": USAGE}, Delivered, "delivered"),
    "fenced": ({"content": f"```json\n{ANSWER}\n```"}, Delivered, "delivered"),
    "thoughtful": ({"content": ANSWER, "reasoning": "The owl."}, Delivered, "delivered"),
    "cut": ({"content": '{"card": "o', "finishReason": "length"}, ModelMistake, "truncated"),
    "filtered": ({"content": '{"card": "o', "finishReason": "content_filter"}, ModelMistake, "filtered"),
    "tool": ({"toolCalls": [{"name": "answer", "arguments": ANSWER}]}, Delivered, "delivered"),
    "key": ({"error": {"message": "No auth credentials found"}, "status": 401}, AccountProblem, "key_refused"),
    "credit": ({"error": {"message": "Insufficient credits"}, "status": 402}, AccountProblem, "no_credit"),
    "gone": ({"error": {"message": "No endpoints found for vendor/model"}, "status": 404}, AccountProblem, "no_such_model"),
    "throttled": ({"error": {"message": "Rate limited"}, "status": 429}, Outage, "throttled"),
    "down": ({"error": {"message": "Provider returned error"}, "status": 503}, Outage, "overloaded"),
}
"""What aimock plays for a question of this name, and what has to come of it: the end, and the kind of the first attempt."""


async def run() -> Verdict:
    """Each case, and the lists of models and credit, in OpenRouter's dialect."""
    command = program("AIMOCK", "")
    if command is None:
        return absent("aimock", "AIMOCK")
    with tempfile.TemporaryDirectory() as folder:
        fixtures = Path(folder) / "cases.json"
        listed = [{"match": {"userMessage": f"case {name}."}, "response": played} for name, (played, *_) in CASES.items()]
        fixtures.write_text(json.dumps({"fixtures": listed}), encoding="utf-8")
        async with server(command, "-p", "{port}", "-f", folder) as port:
            wrong = [await _wrong(name, f"http://127.0.0.1:{port}/api/v1") for name in CASES]
    complaints = [words for words in wrong if words]
    words = "; ".join(complaints) or f"{len(CASES)} cases of OpenRouter's dialect as they should be"
    return Verdict("aimock", not complaints, words)


async def _wrong(name: str, base_url: str) -> str:
    """What was wrong with a case, nothing when it went well."""
    _, end, kind = CASES[name]
    time: Clock = SkippingClock().clock()
    async with Client(clock=time) as client:
        asked = request(model(base_url, speaks_openrouter=True))
        got = await ask_with(client, replace(asked, messages=({"role": "user", "content": f"case {name}."},)))
    if not isinstance(got.end, end) or got.kinds[0] != kind:
        return f"{name}: {got.kinds[0]} and {got.end!r} instead of {kind} and {end.__name__}"
    return _wrong_answer(name, got)


def _wrong_answer(name: str, got: Asked) -> str:
    if not isinstance(got.end, Delivered):
        return ""
    reply = got.end.reply
    if extract(reply.text).data != {"card": "owl"}:
        return f"{name}: read as {reply.text!r}"
    if name == "good" and (reply.provider, reply.cost) != ("Acme", USAGE["cost"]):
        return f"{name}: provider {reply.provider} and cost {reply.cost}"
    return ""
