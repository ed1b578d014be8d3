"""A `.env` that cannot be read is no reason to play without it: the command says where, and plays nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runner.agents.config_files import read_environment
from runner.errors import AccountError
from tests.cli.command import complaint, tabletop

BROKEN = '# keys\n\nMODEL_PLAYER_0="unclosed\nX\n'
PLAY = ("play", "coup", "--num-players", "2", "--seat", "bot:steady", "--seat", "bot:steady", "-q", "--log", "log.jsonl")
USING = (
    "play coup --num-players 2 -q",
    "tournament --game coup --players 2 --seat bot:steady,bot:random --deals 1 -q",
    "resume log.jsonl",
    "fork log.jsonl --at 1 -q",
    "agents",
    "models",
    "serve logs --port 0",
    "check-bot coup",
    "bench bot:steady --dry-run",
    "prompts ask log.jsonl --at 1",
    "prompts compare coup built-in built-in --seat offline --num-players 2",
    "review log.jsonl --judge offline",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a match that can be resumed, and with a `.env` that cannot be read."""
    assert tabletop(tmp_path, *PLAY).returncode == 0
    log = (tmp_path / "log.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "log.jsonl").write_bytes(b"".join(log[:-1]))
    (tmp_path / ".env").write_text(BROKEN)
    return tmp_path


def test_every_verb_that_uses_it_says_where(folder: Path) -> None:
    for words in USING:
        done = tabletop(folder, *words.split())
        assert (done.returncode, ".env, line 3, cannot be read" in complaint(done)) == (5, True), words
    assert sorted(path.name for path in folder.iterdir()) == [".env", "log.jsonl"]


@pytest.mark.parametrize("words", ["--help", "play --help", "rules coup", "games", "replay log.jsonl --plain", "logs ."])
def test_other_verbs_do_not_look(words: str, folder: Path) -> None:
    assert tabletop(folder, *words.split()).returncode == 0


def test_the_doctor_reports_it_beside_what_else_it_finds(folder: Path) -> None:
    done = tabletop(folder, "doctor", "--json")
    found = {(one["about"], one["state"]): one["what"] for one in json.loads(done.stdout)}
    assert done.returncode == 5
    assert found["settings", "wrong"].startswith(".env, line 3, cannot be read: ")
    assert ("Coup", "ok") in found


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("A='x\n", "line 1,"),
        ("A=1\r\nB=2\r\n C D\r\n", "line 3,"),
        ("\n\n\n'A=1\n", "line 4,"),
        ("=1\n", "line 1,"),
        ('A="x"y\n', "line 1,"),
    ],
)
def test_a_line_that_is_none_is_named(text: str, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text(text, newline="")
    with pytest.raises(AccountError, match=rf"\.env, {where} cannot be read"):
        read_environment()


def test_blanks_without_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text(f"A=1\nB={' ' * 2**20}x\n")
    with pytest.raises(AccountError, match=r"\.env cannot be read: it has 200 blanks in a row"):
        read_environment()


@pytest.mark.parametrize("text", ["${" * 2**18, "${A:-" * 2**17, "\n" * 2**19, "A=$\n" * 2**12, " #" * 2**18])
def test_a_long_one_is_read_at_once(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text(f"A={text}")
    assert read_environment().variables.keys() >= {"PATH"}
