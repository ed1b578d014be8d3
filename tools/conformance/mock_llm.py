"""mock-llm from npm: replies without usage, each the first value that the schema at OpenAI's place in the request allows."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from tools.conformance.match import play
from tools.conformance.verdict import Verdict, absent, program, server

PROPERTIES = "body.response_format.json_schema.schema.properties"
FIELDS = ("rank", "bid", "play")
"""What Cat in the Box asks, one field a question: the first value offered is always legal."""


async def run() -> Verdict:
    """A whole match without one mistake."""
    command = program("MOCK_LLM")
    if command is None:
        return absent("mock-llm", "MOCK_LLM")
    with tempfile.TemporaryDirectory() as name:
        rules = Path(name) / "mock-llm.yaml"
        rules.write_text(json.dumps({"rules": [_rule(field) for field in FIELDS]}), encoding="utf-8")
        async with server(command, "--config", str(rules), HOST="127.0.0.1") as port:
            played = await play(Path(name), port, "cat_in_the_box")
    return Verdict("mock-llm", played.has_ended and set(played.kinds) == {"answer"}, played.words)


def _rule(field: str) -> dict[str, object]:
    """YAML takes JSON; `{{jmes ...}}` is what mock-llm replaces."""
    answer = json.dumps({field: f"{{{{jmes request {PROPERTIES}.{field}.enum[0]}}}}"})
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": answer}}
    reply = json.dumps({"object": "chat.completion", "model": "random", "choices": [choice]})
    response = {"status": 200, "content": reply}
    return {"path": "/v1/chat/completions", "match": f"{PROPERTIES}.{field}", "response": response}
