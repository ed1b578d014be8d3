"""How much help a model gets and how much of its past it sees, as its requests show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runner.record.reader import Log, read_log
from runner.record.verify import verify
from tests.cli.command import offline_server, start, tabletop, wait_for_log

AGENT = '[calm]\nmodel = "small"\nbase_url = "{url}"\n{settings}\n'


def played(folder: Path, settings: str, *words: str) -> Log:
    """The log of a match with one model of these settings between two bots."""
    with offline_server(seed=5) as url:
        (folder / "agents.toml").write_text(AGENT.format(url=url, settings=settings))
        seats = ["--seat", "bot:random", "--seat", "calm", "--seat", "bot:random", "--players", "3", "--seed", "2"]
        done = tabletop(folder, "play", "dixiquote", *seats, *words, "--log", "log.jsonl", "--quiet")
    assert done.returncode == 0, done.stderr
    log = read_log(folder / "log.jsonl")
    verify(log)
    return log


def attempts(log: Log) -> list[dict[str, Any]]:
    return [record for _, record in log.of_kind("attempt") if record["seat"] == 1]


def schema_sent(log: Log, attempt: dict[str, Any]) -> dict[str, Any]:
    return log.expand(attempt["request"].get("response_format") or {}).get("json_schema", {}).get("schema", {})


@pytest.mark.parametrize(("level", "lists", "sends"), [("legal", True, True), ("shape", False, True), ("none", False, False)])
def test_help_decides_what_is_listed_and_sent(level: str, lists: bool, sends: bool, tmp_path: Path) -> None:
    log = played(tmp_path, f'help = "{level}"', "--max-rounds", "1")
    first = attempts(log)[0]
    schema, words = schema_sent(log, first), log.messages(first)[-1]["content"]
    assert ("One of" in words) == lists
    assert bool(schema) == sends
    assert ("enum" in json.dumps(schema)) == (lists and sends)
    assert log.header["seats"][1].get("help", "legal") == level
    again = [record for record in attempts(log) if record["strike"] == 1 and record["what"] == "illegal"]
    for record in again:
        told = log.messages(record)[-1]["content"]
        assert "is not legal" in told
        assert ("It has to be" in told) == lists


def test_notes_are_kept_for_the_seat_alone(tmp_path: Path) -> None:
    log = played(tmp_path, 'memory = "notes"', "--max-rounds", "2")
    with_notes = [record for record in attempts(log) if record["outcome"] == "answer"]
    assert all("notes" not in record["answer"] for record in with_notes)
    assert "notes" in schema_sent(log, with_notes[0])["properties"]
    kept = json.dumps(with_notes[0]["notes"], ensure_ascii=False)
    assert kept in log.messages(with_notes[1])[-1]["content"]
    assert all(kept not in json.dumps(record.get("view")) for _, record in log.of_kind("question"))


def test_a_full_memory_is_the_conversation_so_far_trimmed_from_its_beginning(tmp_path: Path) -> None:
    log = played(tmp_path, 'memory = "full"', "--max-rounds", "4")
    lengths = [len(log.messages(record)) for record in attempts(log) if record["strike"] == 0]
    assert lengths == [2 * number + 2 for number in range(len(lengths))]
    roles = [message["role"] for message in log.messages(attempts(log)[-1])]
    assert roles == ["system", *["user", "assistant"] * (len(lengths) - 1), "user"]
    (tmp_path / "log.jsonl").unlink()
    short = played(tmp_path, 'memory = "full"\nmemory_tokens = 600', "--max-rounds", "4")
    for record in attempts(short):
        past = short.messages(record)[1:-1]
        assert sum(len(message["content"]) for message in past) <= 600 * 4


@pytest.mark.parametrize("memory", ["notes", "summary", "full"])
def test_a_match_taken_up_again_remembers(memory: str, tmp_path: Path) -> None:
    """Killed in the middle and resumed, the match asks the same as one that was never stopped."""
    with offline_server(seed=5) as url:
        (tmp_path / "agents.toml").write_text(AGENT.format(url=url, settings=f'memory = "{memory}"'))
        seats = ["--seat", "bot:random", "--seat", "calm", "--seat", "bot:random", "--players", "3", "--seed", "2"]
        words = ["play", "dixiquote", *seats, "--max-rounds", "3", "--quiet"]
        whole = tabletop(tmp_path, *words, "--log", "whole.jsonl")
        log = tmp_path / "killed.jsonl"
        process = start(tmp_path, *words, "--log", str(log))
        wait_for_log(process, log, 30_000)
        process.kill()
        process.communicate()
        resumed = tabletop(tmp_path, "resume", str(log), "--quiet")
    assert (whole.returncode, resumed.returncode) == (0, 0), resumed.stderr
    once, twice = read_log(tmp_path / "whole.jsonl"), read_log(log)
    assert [once.messages(a) for a in attempts(once)] == [
        twice.messages(a) for a in attempts(twice) if a["outcome"] == "answer"
    ]
