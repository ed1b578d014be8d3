"""`--plain` narrates on standard output, where `replay --plain` does; a document there stays the only thing."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.command import tabletop

PLAY = ("play", "coup", "--seat", "bot:steady", "--seat", "bot:steady", "--seed", "3", "--log")
LINE = "steady 1 has 2 coins."


def test_plain_narrates_on_standard_output(tmp_path: Path) -> None:
    played = tabletop(tmp_path, *PLAY, "a.jsonl", "--plain")
    watched = tabletop(tmp_path, "watch", "a.jsonl", "--plain")
    assert LINE in played.stdout
    assert LINE not in played.stderr
    assert played.stdout.rstrip().endswith("seed 3, rules house"), "the result follows"
    assert watched.stdout == played.stdout
    told = tabletop(tmp_path, *PLAY, "b.jsonl")
    assert LINE in told.stderr
    assert LINE not in told.stdout


def test_plain_beside_a_document_narrates_on_standard_error(tmp_path: Path) -> None:
    done = tabletop(tmp_path, *PLAY, "a.jsonl", "--plain", "--json")
    assert json.loads(done.stdout)["game"] == "coup"
    assert LINE in done.stderr
    events = tabletop(tmp_path, "watch", "a.jsonl", "--plain", "--json-events")
    assert all(json.loads(line) for line in events.stdout.splitlines())
    assert LINE in events.stderr
