"""A match played again from recorded answers: no call, no key, the same log."""

from __future__ import annotations

import json
import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from runner.record.reader import Log, read_log
from runner.record.verify import verify
from tests.cli.command import complaint, offline_server, start, tabletop, wait_for_log
from tests.test_layers import loads

CANARY = "canary-4417-of-the-recording"
SEATS = ("--seat", "m@{url}", "--seat", "m@{url}", "--seat", "bot:steady", "--seat", "offline")
MATCH = ("--seed", "3", "--max-rounds", "2", "--mistakes", "0.4", "--hopeless", "9", "--quiet")


def records(path: Path) -> list[dict[str, Any]]:
    """What a log says, but for when it was written, whence, its random id, and the chain."""
    names = ("at", "created", "match", "playback", "prev", "hash")
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    return [{name: value for name, value in line.items() if name not in names} for line in lines]


def untimed(log: Log, kind: str) -> list[dict[str, Any]]:
    """The records of a kind, but for when they were written."""
    return [{name: value for name, value in record.items() if name != "at"} for _, record in log.of_kind(kind)]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a recording and the log of the same match, whose endpoint failed and erred, and has gone since."""
    folder = tmp_path_factory.mktemp("recorded")
    with offline_server(seed=5, mistakes=0.3, faults=0.2) as url:
        seats = [word.format(url=url) for word in SEATS]
        words = ("play", "dixiquote", *seats, *MATCH, "--log", "log.jsonl", "--record", "match.replies")
        done = tabletop(folder, *words, OPENAI_API_KEY=CANARY)
    assert done.returncode == 0, done.stderr
    return folder


FILES = ("match.replies", "log.jsonl")


@pytest.fixture(scope="module")
def again(recorded: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the match again, from each of the files."""
    folder = tmp_path_factory.mktemp("again")
    lines = [f"play dixiquote --playback {recorded / name} --log {name}.again --quiet" for name in FILES]
    assert loads(folder, lines) == [f"{line} loads" for line in lines], "nothing of openai or its transport"
    return folder


@pytest.mark.parametrize("name", FILES)
def test_it_is_the_same_log_without_a_call_a_key_or_the_library_for_calls(name: str, recorded: Path, again: Path) -> None:
    log = again / f"{name}.again"
    played = records(log)
    assert played == records(recorded / "log.jsonl")
    assert {record["outcome"] for record in played if record["kind"] == "attempt"} == {"answer", "mistake", "infrastructure"}
    assert verify(read_log(log)).has_ended
    assert read_log(log).header["playback"]["file"] == name


def test_no_secret_is_recorded(recorded: Path) -> None:
    assert CANARY not in (recorded / "match.replies").read_text() + (recorded / "log.jsonl").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("coup",), "its game is dixiquote, not coup"),
        (("dixiquote", "--seed", "4"), "its seed is 3, not 4"),
        (("dixiquote", "--max-rounds", "3"), "its options.max_rounds is 2, not 3"),
        (("dixiquote", "--rules", "original"), "its rules is"),
        (("dixiquote", "--seat", "bot:steady"), "its seat P-0.spec is"),
        (("dixiquote", "--mistakes", "0.1"), "its seat P-3.mistakes is 0.4, not 0.1"),
        (("dixiquote", "--rated"), "its seat P-0.rated is null, not true"),
        (("dixiquote", "--ask", "sequential"), "its ask is"),
        (("dixiquote", "--prompts", "mine"), "its prompts.pack is"),
    ],
)
def test_another_match_is_refused(words: tuple[str, ...], said: str, recorded: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    done = tabletop(tmp_path, "play", *words, "--playback", str(recorded / "match.replies"), "--log", "again.jsonl")
    assert done.returncode == 2
    assert said in complaint(done)
    assert not (tmp_path / "again.jsonl").exists()


def test_a_recording_that_runs_dry_pauses_and_a_changed_one_is_damaged(recorded: Path, tmp_path: Path) -> None:
    lines = (recorded / "match.replies").read_bytes().splitlines(keepends=True)
    (tmp_path / "short").write_bytes(b"".join(lines[: len(lines) // 2]) + b'{"kind":"attem')
    dry = tabletop(tmp_path, "play", "dixiquote", "--playback", "short", "--log", "again.jsonl", "-q")
    assert dry.returncode == 3
    assert "the recording short ends before" in complaint(dry)
    (tmp_path / "changed").write_bytes(b"".join(lines).replace(b'"seed":3', b'"seed":4', 1))
    assert tabletop(tmp_path, "play", "dixiquote", "--playback", "changed").returncode == 4
    assert "--playback FILE" in complaint(tabletop(tmp_path, "replay", str(recorded / "match.replies"), "--plain"))
    taken = tabletop(tmp_path, "play", "dixiquote", "--seat", "offline", "--record", "short")
    assert "already exists" in complaint(taken)


def test_a_match_that_was_stopped_and_resumed_is_played_back_whole(tmp_path: Path) -> None:
    with offline_server(seed=5) as url:
        seats = ["--players", "3", "--seat", f"m@{url}", "--seat", f"m@{url}", "--seat", "bot:steady"]
        process = start(tmp_path, "play", "dixiquote", *seats, *MATCH, "--log", "log.jsonl")
        wait_for_log(process, tmp_path / "log.jsonl", 15_000)
        os.kill(process.pid, signal.SIGINT)
        process.communicate()
        shutil.copy(tmp_path / "log.jsonl", tmp_path / "stopped.jsonl")
        assert tabletop(tmp_path, "resume", "log.jsonl", "--seat", f"P-0=m@{url}", "-q").returncode == 0
    done = tabletop(tmp_path, "play", "dixiquote", "--playback", "log.jsonl", "--log", "again.jsonl", "-q")
    assert done.returncode == 0, done.stderr
    once, again = read_log(tmp_path / "log.jsonl"), read_log(tmp_path / "again.jsonl")
    for kind in ("decision", "attempt"):
        assert untimed(once, kind) == untimed(again, kind)
    assert "ends before" in complaint(tabletop(tmp_path, "play", "dixiquote", "--playback", "stopped.jsonl", "-q"))
