"""Forks: any decision can be made anew; the new log names its parent and proves itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import games
from runner.errors import UsageError
from runner.record.decisions import check_action, decision_at, kept_lines
from runner.record.reader import read_log
from runner.record.verify import verify
from tests.cli.command import complaint, tabletop
from tests.record.matches import erring, played, short, small_log, told

PLAY = ("play", "dixiquote", "--seed", "2", "--max-rounds", "2", "--quiet", *["--seat", "bot:random"] * 4)


def decisions(path: Path) -> list[dict[str, Any]]:
    return [record for record in told(path) if record["kind"] == "decision"]


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    assert tabletop(tmp_path, *PLAY, "--log", "match.jsonl").returncode == 0
    return tmp_path / "match.jsonl"


def test_a_fork_keeps_what_was_decided_and_goes_its_own_way(parent: Path, tmp_path: Path) -> None:
    done = tabletop(
        tmp_path, "fork", "match.jsonl", "--at", "6", "--seat", "P-2=bot:steady", "--quiet", "--json", "--log", "f.jsonl"
    )
    assert done.returncode == 0, done.stderr
    log = read_log(tmp_path / "f.jsonl")
    assert verify(log).result is not None
    assert decisions(log.path)[:5] == decisions(parent)[:5]
    fork = log.header["fork"]
    assert (fork["parent"], fork["file"], fork["at"]) == (read_log(parent).first, "match.jsonl", 6)
    assert json.loads(done.stdout)["seats"][2]["spec"] == "bot:steady"


def test_an_action_can_be_chosen(parent: Path, tmp_path: Path) -> None:
    words = '{"quote": "So it goes."}'
    done = tabletop(tmp_path, "fork", "match.jsonl", "--at", "2", "--action", words, "--quiet")
    assert done.returncode == 0, done.stderr
    path = tmp_path / "match-fork2-1.jsonl"
    assert decisions(path)[1]["action"] == json.loads(words)
    attempt = next(record for record in told(path) if record["kind"] == "attempt" and record.get("chosen"))
    assert attempt["answer"] == json.loads(words)
    assert verify(read_log(path)).has_ended


def test_with_the_same_seats_it_is_the_same_match(parent: Path, tmp_path: Path) -> None:
    for at in ("1", "7", "16"):
        assert tabletop(tmp_path, "fork", "match.jsonl", "--at", at, "--quiet", "--log", f"{at}.jsonl").returncode == 0
        assert decisions(tmp_path / f"{at}.jsonl") == decisions(parent)


def test_a_stopped_fork_is_resumed(parent: Path, tmp_path: Path) -> None:
    words = ("--at", "2", "--action", '{"quote": "Chosen."}', "--quiet", "--log", "f.jsonl")
    assert tabletop(tmp_path, "fork", "match.jsonl", *words).returncode == 0
    path = tmp_path / "f.jsonl"
    whole = decisions(path)
    lines = path.read_bytes().splitlines(keepends=True)
    copied = read_log(path).header["fork"]["lines"]
    for count in (12, 16, 30):
        path.write_bytes(b"".join(lines[:count]))
        done = tabletop(tmp_path, "resume", "f.jsonl", "--quiet")
        assert done.returncode == (0 if count > copied + 3 else 4), done.stderr
        assert done.returncode or decisions(path) == whole


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--at", "99"), "decisions 1 to 16"),
        (("--at", "0"), "decisions 1 to 16"),
        (("--at", "9", "--action", "{"), "not JSON"),
        (("--at", "2", "--action", '{"card": "x"}'), "quote"),
        (("--at", "2", "--seat", "P-9=bot:random"), "P-0 to P-3"),
        (("--at", "2", "--seat", "bot:nobody"), "no bot"),
        (("--at", "2", "--prompts", "nowhere"), "not a folder"),
        (("--at", "2", "--log", "match.jsonl"), "exists already"),
    ],
)
def test_a_fork_that_cannot_be_is_refused(words: tuple[str, ...], says: str, parent: Path, tmp_path: Path) -> None:
    refused = tabletop(tmp_path, "fork", "match.jsonl", *words)
    assert refused.returncode == 2
    assert says in complaint(refused)


@pytest.mark.parametrize("game", games.names())
async def test_every_decision_can_be_branched_off_from(game: str, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    await played(path, game, erring(game, games.load(game).players[0]), 3, **short(game))
    log = read_log(path)
    count = sum(record["kind"] == "decision" for record in told(path))
    for at in range(1, count + 1, max(1, count // 20)):
        decision = decision_at(log, at)
        assert decision.seat is not None
        assert sum(record["kind"] == "decision" for _, record in kept_lines(log, decision)) == at - 1
        action = decision.before.actions_of(decision.seat)[0].to_json()
        check_action(decision, action)
        with pytest.raises(UsageError):
            check_action(decision, ["no such"])


async def test_an_unfinished_match_can_be_branched_off_at_its_end(tmp_path: Path) -> None:
    path = await small_log(tmp_path / "match.jsonl")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:30]))
    log = read_log(path)
    done = sum(record["kind"] == "decision" for record in told(path))
    assert decision_at(log, done + 1).record is None
    with pytest.raises(UsageError, match=f"1 to {done + 1}"):
        decision_at(log, done + 2)
