"""fakellm from PyPI: the first request of every conversation fails with status 503, the next brings a fixed answer."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from tools.conformance.match import FIXED_ANSWER, FIXED_GAME, play
from tools.conformance.verdict import Verdict, absent, program, server

RULES = {
    "version": 1,
    "rules": [
        {"name": "overloaded", "when": {"turn": 1}, "respond": {"status": 503, "error": "The model is overloaded"}},
        {"name": "answer", "respond": {"content": FIXED_ANSWER}},
    ],
}


async def run() -> Verdict:
    """A whole match in which each question is asked twice at least."""
    command = program("FAKELLM")
    if command is None:
        return absent("fakellm", "FAKELLM")
    with tempfile.TemporaryDirectory() as name:
        rules = Path(name) / "fakellm.yaml"
        rules.write_text(json.dumps(RULES), encoding="utf-8")
        async with server(command, "serve", "--port", "{port}", "--config", str(rules)) as port:
            played = await play(Path(name), port, *FIXED_GAME)
    return Verdict("fakellm", played.has_ended and {"answer", "overloaded"} <= set(played.kinds), played.words)
