"""Tables as a match page draws them, by its own script in Node.js."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import pytest

from runner.export.scene_nodes import Tables

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
_INLINE = re.compile(r"</?(?:span|b|strong|small)\b[^>]*>")
_TAG = re.compile(r"<[^>]*>")


def drawn_on_page(tables: Tables, numbers: Sequence[int]) -> list[str]:
    """The HTML of the tables with these numbers; texts are as they are."""
    scripts = [str(files("runner.export").joinpath(f"page/{name}.js")) for name in ("elements", "scene")]
    given = json.dumps({"elements": tables.data, "tables": numbers})
    command = ["node", str(Path(__file__).with_name("page.mjs")), *scripts]
    return list(json.loads(subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout))


def lines_on_page(page: str) -> list[str]:
    """The lines of text of a page, one for each element that is no part of a line."""
    return [line for line in _TAG.sub("\n", _INLINE.sub("", page)).splitlines() if line]
