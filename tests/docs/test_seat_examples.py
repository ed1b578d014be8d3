"""The examples of docs/seats.md play every game without a problem, and its messages follow the schema."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.cli.command import ROOT, tabletop
from tools.seats_schema import schema

EXAMPLES = ROOT / "docs" / "examples"
ANSWERS = r"""
import re, sys
prompt = sys.stdin.read()
legal = re.findall(r"^\{.*\}$", prompt.partition("Legal answers:")[2], re.MULTILINE)
print("I think {about} it: {\"not\": \"this\"}\n```json\n" + (legal or ['{"quote": "A quiet sea."}'])[0] + "\n```\nDone.")
"""


def test_every_message_on_the_page_follows_the_schema() -> None:
    page = (ROOT / "docs" / "seats.md").read_text(encoding="utf-8")
    lines = [json.loads(line) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL) for line in block.splitlines()]
    reply = {"$ref": "#/$defs/reply", "$defs": schema()["$defs"]}
    for line in lines:
        Draft202012Validator(schema() if "type" in line else reply).validate(line)
    assert [line.get("type", "reply") for line in lines] == ["hello", "told", "ask", "reply", "end"]


@pytest.mark.parametrize("name", ["bot.py", "bot.mjs", "wrap.py"])
def test_an_example_plays_every_game(name: str, tmp_path: Path) -> None:
    (tmp_path / "client.py").write_text(ANSWERS)
    python = f"{sys.executable} -I -S"
    command = {"bot.py": python, "bot.mjs": "node", "wrap.py": python}[name]
    if shutil.which(command.split()[0]) is None:
        pytest.skip("there is no node")
    more, games = (f" {python} {tmp_path}/client.py", ("coup",)) if name == "wrap.py" else ("", ())
    words = [word for game in games for word in ("--game", game)]
    spec = f"cmd:{command} {EXAMPLES / name}{more}"
    done = tabletop(tmp_path, "check-bot", spec, "--matches", "1" if games else "4", *words)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.endswith("No problems.\n")
