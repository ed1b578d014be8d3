"""llama.cpp's own server, as llama-cpp-python brings it, with a model of random weights: the wildest player there is."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from runner.record.reader import read_log
from runner.record.verify import verify
from tests.cli.answering import run as run_tabletop
from tests.conformance.tiny_gguf import CONTEXT, write_model
from tests.conformance.verdict import Verdict, absent, server

MODULE = "llama_cpp.server"
AGENT = """
[wild]
model = "random"
base_url = "http://127.0.0.1:{port}/v1"
max_tokens = 96
temperature = 1.0
"""
SEATS = ("--seat", "wild", "--seat", "bot:steady", "--seat", "bot:steady", "--num-players", "3")
MATCH = ("play", "dixiquote", *SEATS, "--seed", "1", "--max-rounds", "2", "--quiet", "--log", "wild.jsonl")


async def run() -> Verdict:
    """A whole match with a seat that says anything at all."""
    python = await asyncio.to_thread(_python)
    if python is None:
        return absent("llama-cpp-python", "LLAMA", "a Python that can import llama_cpp.server")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_model(folder / "random.gguf")
        words = ("--model", str(folder / "random.gguf"), "--n_ctx", str(CONTEXT), "--port", "{port}")
        async with server(python, "-m", MODULE, *words) as port:
            (folder / "agents.toml").write_text(AGENT.format(port=port), encoding="utf-8")
            done = await run_tabletop(folder, *MATCH)
        return _verdict(done, folder / "wild.jsonl")


def _python() -> str | None:
    """The interpreter that LLAMA names, else this one, if it has the server."""
    named = os.environ.get("LLAMA", sys.executable)
    found = subprocess.run([named, "-c", f"import {MODULE}"], capture_output=True, check=False)
    return named if found.returncode == 0 else None


def _verdict(done: subprocess.CompletedProcess[str], path: Path) -> Verdict:
    if done.returncode != 0:
        return Verdict("llama-cpp-python", False, f"exit status {done.returncode}: {done.stderr.strip()}")
    log = read_log(path)
    attempts = [record for _, record in log.of_kind("attempt") if record.get("request")]
    kinds = Counter(record.get("what", record["outcome"]) for record in attempts)
    forms = list(dict.fromkeys(record["form"] for record in attempts))
    failed = [record["why"] for record in attempts if record["outcome"] == "infrastructure"]
    words = (
        f"a match of {verify(log).decisions} decisions, {len(attempts)} attempts {dict(kinds)}, forms {' then '.join(forms)}"
    )
    return Verdict("llama-cpp-python", not failed, "; ".join([words, *failed]))
