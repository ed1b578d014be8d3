"""The examples of docs/bots.md play every game without a problem, and its messages follow the schema."""

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
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    lines = [json.loads(line) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL) for line in block.splitlines()]
    kinds = [line.get("type", "reply") for line in lines]
    assert kinds == ["hello", "told", "ask", "reply", "hello", "end"]
    own = {3: "reply", 4: "wish"}
    for place, line in enumerate(lines):
        part = {"$ref": f"#/$defs/{own[place]}", "$defs": schema()["$defs"]} if place in own else schema()
        Draft202012Validator(part).validate(line)


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
