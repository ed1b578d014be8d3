"""llama.cpp's own server, as xllamacpp brings it, with a model of random weights: its text is JSON by the schema alone."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.conformance.match import play
from tests.conformance.tiny_gguf import CONTEXT, write_model
from tests.conformance.verdict import Verdict, absent, program, server

SCRIPT = Path(__file__).with_name("llama_server.py")


async def run() -> Verdict:
    """A whole match with a seat that says anything at all."""
    python = program("LLAMA")
    if python is None:
        return absent("llama.cpp", "LLAMA", "a Python that can import xllamacpp")
    with tempfile.TemporaryDirectory() as name:
        model = Path(name) / "random.gguf"
        write_model(model)
        async with server(python, str(SCRIPT), str(model), str(CONTEXT), "{port}") as port:
            played = await play(Path(name), port, "dixiquote", "--max-rounds", "2")
    return Verdict("llama.cpp", played.has_ended and not played.failed, "; ".join([played.words, *played.failed]))
