"""`tabletop logs --search`: what players said, wrote and thought."""

from __future__ import annotations

import json
from pathlib import Path

from runner.record.decisions import found_in, said_in
from runner.record.reader import read_log
from tests.cli.command import tabletop

PLAY = ("play", "dixiquote", "--num-players", "3", "--max-rounds", "3", "--seed", "1", "-q", "--talk", "--reason", "always")


def test_talk_quotes_and_reasons_are_found_with_their_decision(tmp_path: Path) -> None:
    assert tabletop(tmp_path, *PLAY, "--log", "talk.jsonl", *["--seat", "offline"] * 3).returncode == 0
    assert tabletop(tmp_path, *PLAY, "--log", "bots.jsonl", *["--seat", "bot:steady"] * 3).returncode == 0
    log = read_log(tmp_path / "talk.jsonl")
    texts = [*said_in(log)]
    assert {one.kind for one in texts} >= {"say", "reason", "quote"}
    made = [record for _, record in log.of_kind("decision")]
    quote = next(one for one in texts if one.kind == "quote")
    assert made[quote.decision - 1]["action"] is not None
    assert made[quote.decision - 1]["action"]["quote"] == quote.text
    words = quote.text[3:20].upper()
    assert quote in found_in(tmp_path / "talk.jsonl", words)
    (found,) = json.loads(tabletop(tmp_path, "logs", ".", "--search", words, "--json").stdout)
    assert found["path"] == "talk.jsonl"
    assert quote._asdict() in found["found"]
    shown = tabletop(tmp_path, "logs", ".", "--search", words).stdout
    assert f"talk.jsonl, decision {quote.decision}, P-{quote.seat} (quote): " in shown
    both = json.loads(tabletop(tmp_path, "logs", ".", "--search", "STEADY", "--json").stdout)
    assert [one["path"] for one in both] == ["bots.jsonl"]
