"""Every field of a log has a sentence in the schema and its name on the page about logs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runner.session.match_spec import MatchSettings
from tests.cli.command import ROOT, tabletop
from tests.record.test_format import DOCUMENT

PAGE = (ROOT / "docs" / "log.md").read_text(encoding="utf-8")
NAMED = {word for text in re.findall(r"`([^`\n]+)`", PAGE) for word in re.findall(r"\w+", text)}
AGENTS = """
[ada]
model = "offline"
temperature = 0.5
memory = "notes"
persona = "You are bold."
advice = "none"
help = "shape"
prompts = "pack"
"""
EVERYTHING = """--belief --policy --talk --skin neutral --choices shuffled --reason always --strikes 2 --mistakes 0.3
--budget-tokens 30000 --budget 5 --ask-forced --memory-tokens 900 --quiet"""


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The lines of a match with everything on, which was resumed with other players and forked with an answer."""
    folder: Path = tmp_path_factory.mktemp("fields")
    (folder / "agents.toml").write_text(AGENTS, encoding="utf-8")
    (folder / "pack").mkdir()
    seats = [word for spec in ("ada", "offline", "bot:search:5", "offline/illegal") for word in ("--seat", spec)]
    played = tabletop(folder, "play", "coup", *seats, *EVERYTHING.split(), "--seed", "8", "--log", "log.jsonl")
    assert played.returncode == 3, played.stderr
    words = ("--seat", "P-1=bot:steady", "--no-talk", "--skin", "none", "--hopeless", "2", "--prompts", "pack")
    resumed = tabletop(folder, "resume", "log.jsonl", "--budget-tokens", "40000", "--memory", "full", *words, "-q")
    assert resumed.returncode == 3, resumed.stderr
    rows = [json.loads(line) for line in (folder / "log.jsonl").read_bytes().splitlines()]
    first = next(row for row in rows if row["kind"] == "decision" and row["how"] == "answer")
    at = 1 + [row for row in rows if row["kind"] == "decision"].index(first)
    fork = ("fork", "log.jsonl", "--at", str(at), "--action", json.dumps(first["action"]), "--log", "fork.jsonl")
    others = [word for seat in range(4) for word in ("--seat", f"P-{seat}={'bot:steady' if seat % 2 else 'offline'}")]
    forked = tabletop(folder, *fork, *others, "--prompts", "pack", "--talk", "--budget-tokens", "1000000", "-q")
    assert forked.returncode == 0, forked.stderr
    return rows + [json.loads(line) for line in (folder / "fork.jsonl").read_bytes().splitlines()]


OF_OTHERS = ("penalty.", "attempt.request.")
"""The consequence of a penalty is the game's, and the body of a request is what the endpoint takes."""


def parts(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A schema and what it stands for."""
    if "$ref" in schema:
        yield from parts(DOCUMENT["$defs"][schema["$ref"].rpartition("/")[2]])
    for option in schema.get("anyOf", ()):
        yield from parts(option)
    yield schema


def unknown(value: Any, schema: dict[str, Any], where: str) -> Iterator[str]:
    """The fields of a value without a sentence in its schema. Objects with any fields are of others: games, endpoints."""
    known = list(parts(schema))
    if isinstance(value, list):
        for item in value:
            for part in known:
                yield from unknown(item, part.get("items", {}), f"{where}[]") if "items" in part else ()
    fields = {name: field for part in known for name, field in part.get("properties", {}).items()}
    if not isinstance(value, dict) or not fields:
        return
    for name, inner in value.items():
        if name not in fields or not (fields[name].get("description") or name in ("kind", "$")):
            yield f"{where}.{name}"
        else:
            yield from unknown(inner, fields[name], f"{where}.{name}")


def test_no_field_of_a_log_with_everything_on_lacks_a_sentence(lines: list[dict[str, Any]]) -> None:
    assert {"header", "question", "attempt", "decision", "pause", "resumed", "talk", "result"} <= {row["kind"] for row in lines}
    found = {name for row in lines for name in unknown(row, DOCUMENT["$defs"][row["kind"]], row["kind"])}
    assert not {name for name in found if not name.startswith(OF_OTHERS)}


def test_every_setting_of_a_match_is_on_in_that_log(lines: list[dict[str, Any]]) -> None:
    header, *_ = lines
    seats = {name for seat in header["seats"] for name in seat}
    known = {*header, *header["shared"], *seats, *header["options"], "rated"}  # a pack of its own is no rated play
    renamed = {"budget_tokens": "budget"}
    assert {renamed.get(name, name) for name in MatchSettings.model_fields} <= known


def test_no_field_of_the_schema_lacks_a_sentence() -> None:
    bare = {
        f"{name}.{field}"
        for name, part in DOCUMENT["$defs"].items()
        for field, schema in part.get("properties", {}).items()
        if field != "kind" and not schema.get("description")
    }
    assert not bare


def test_the_page_names_every_field() -> None:
    missing = {
        f"{name}.{field}"
        for name, part in DOCUMENT["$defs"].items()
        if name != "recording"
        for field in part.get("properties", {})
        if field not in NAMED
    }
    assert not missing
