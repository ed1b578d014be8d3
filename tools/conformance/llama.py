"""llama.cpp's own server, as xllamacpp brings it, with a model of random weights: only the schema makes its text an answer."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tools.conformance.match import play
from tools.conformance.tiny_gguf import CONTEXT, write_model
from tools.conformance.verdict import Verdict, absent, program, server

SCRIPT = Path(__file__).with_name("llama_server.py")
ENDED_OR_PAUSED = (0, 3)
STARTING = {"overloaded"}
"""It listens before its model is loaded, and answers 503 until then."""


async def run() -> Verdict:
    """A match of choices without one mistake, and one of free text, which llama.cpp's parser often refuses (500)."""
    python = program("LLAMA")
    if python is None:
        return absent("llama.cpp", "LLAMA", "a Python that can import xllamacpp")
    with tempfile.TemporaryDirectory() as name:
        model = Path(name) / "random.gguf"
        write_model(model)
        async with server(python, str(SCRIPT), str(model), str(CONTEXT), "{port}") as port:
            chosen = await play(Path(name), port, "cat_in_the_box")
            said = await play(Path(name), port, "dixiquote", "--max-rounds", "2")
    is_content = set(chosen.kinds) - STARTING == {"answer"} and said.status in ENDED_OR_PAUSED
    return Verdict("llama.cpp", is_content, f"{chosen.words}; free text: {said.words}")
