"""LiteLLM's proxy from PyPI, with a mocked reply: nothing goes further than this machine."""

from __future__ import annotations

import json
import secrets
import tempfile
from pathlib import Path

from tools.conformance.match import FIXED_ANSWER, FIXED_GAME, play
from tools.conformance.verdict import Verdict, absent, program, server

# An empty mock_response makes a real call: the address at port 9 of this machine refuses it.
PARAMETERS = {"model": "openai/random", "api_key": "none", "api_base": "http://127.0.0.1:9/v1", "mock_response": FIXED_ANSWER}
CONFIG = {
    "model_list": [{"model_name": "random", "litellm_params": PARAMETERS}],
    "litellm_settings": {"num_retries": 0, "telemetry": False},
}
QUIET = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "DISABLE_ADMIN_UI": "True"}
"""The list of prices is the one in the package, not one from the network."""


async def run() -> Verdict:
    """A whole match behind the proxy, which refuses requests without its key."""
    command = program("LITELLM")
    if command is None:
        return absent("LiteLLM", "LITELLM")
    key = f"sk-{secrets.token_hex(32)}"
    with tempfile.TemporaryDirectory() as name:
        config = Path(name) / "config.yaml"
        config.write_text(json.dumps(CONFIG), encoding="utf-8")
        words = ("--host", "127.0.0.1", "--port", "{port}", "--config", str(config))
        async with server(command, *words, LITELLM_MASTER_KEY=key, **QUIET) as port:
            played = await play(Path(name), port, *FIXED_GAME, key=key)
    return Verdict("LiteLLM", played.has_ended and "answer" in played.kinds and not played.failed, played.words)
