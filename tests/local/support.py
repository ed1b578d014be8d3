"""Model files and a stand-in for llama.cpp, for commands in separate processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

from runner.local.servers import end_servers
from tests.cli.command import ROOT, tabletop_here
from tools.conformance.tiny_gguf import write_model

STAND_IN = Path(__file__).with_name("stand_in")
STARTS = "starts.jsonl"
TINY = "gguf:tiny.gguf"


def variables(folder: Path) -> dict[str, str]:
    """The environment in which `import xllamacpp` finds the stand-in."""
    return {"PYTHONPATH": f"{ROOT}{os.pathsep}{STAND_IN}", "GGML_STAND_IN_STARTS": str(folder / STARTS)}


def local(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The finished command with the stand-in, in this process. Its servers end with it."""
    with patch.object(sys, "path", [str(STAND_IN), *sys.path]):
        try:
            return tabletop_here(folder, *words, **variables(folder))
        finally:
            end_servers()


def new_model(folder: Path, name: str = "tiny.gguf", seed: int = 1) -> Path:
    """A model file of random weights."""
    path = folder / name
    write_model(path, seed)
    return path


def without_template(model: Path) -> Path:
    """The model file, from now on without a chat template."""
    model.write_bytes(model.read_bytes().replace(b"tokenizer.chat_template", b"tokenizer.lost_template"))
    return model


def starts(folder: Path) -> list[dict[str, Any]]:
    """The servers that were started."""
    path = folder / STARTS
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
