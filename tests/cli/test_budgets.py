"""Budgets of a match from the command line: never overshot, kept over sittings, resumable."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.record.reader import read_log
from tests.cli.command import complaint, offline_server, tabletop

MATCH = ("play", "dixiquote", "--players", "3", "--seed", "1", "--max-rounds", "3", "--log", "match.jsonl", "-q")
SEATS = ("--seat", "bot:steady", "--seat", "bot:steady")


def charged(log: Path) -> list[int]:
    return [record["charged_tokens"] for _, record in read_log(log).of_kind("attempt") if record.get("reply")]


def test_a_budget_of_tokens_pauses_and_counts_what_was_spent_before(tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    with offline_server(tmp_path) as url:
        first = tabletop(tmp_path, *MATCH, "--seat", f"m@{url}", *SEATS, "--budget-tokens", "11000")
        assert first.returncode == 3
        assert "the budget of 11000 tokens" in complaint(first)
        spent = sum(charged(log))
        assert 0 < spent <= 11_000
        again = tabletop(tmp_path, "resume", "match.jsonl", "--budget-tokens", "11000", "-q")
        assert again.returncode == 3
        assert sum(charged(log)) == spent, "nothing was asked that might not fit"
        last = tabletop(tmp_path, "resume", "match.jsonl", "--budget-tokens", "60000", "-q")
    assert last.returncode == 0, last.stderr
    assert spent < sum(charged(log)) <= 60_000
    fork = tabletop(tmp_path, "fork", "match.jsonl", "--at", "9", "--seat", "offline", "--budget-tokens", "900", "-q")
    assert fork.returncode == 3, "a fork has a budget of its own"


@pytest.mark.parametrize("words", [("--budget", "0"), ("--budget-tokens", "-1"), ("--budget", "nan")])
def test_a_budget_is_more_than_nothing(words: tuple[str, str], tmp_path: Path) -> None:
    done = tabletop(tmp_path, *MATCH, "--seat", "offline", *words)
    assert done.returncode == 2
    assert words[0] in complaint(done)
