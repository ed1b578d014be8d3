"""Budgets of a match from the command line: never overshot, kept over sittings, resumable."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from runner.record.reader import read_log
from tests.cli.command import complaint, offline_server, tabletop

MATCH = ("play", "dixiquote", "--players", "3", "--seed", "1", "--max-rounds", "3", "--log", "match.jsonl", "-q")
STANDING = (("resume",), ("watch", "--until-paused"))
SEATS = ("--seat", "bot:steady", "--seat", "bot:steady")


def charged(log: Path) -> list[int]:
    return [record["charged_tokens"] for _, record in read_log(log).of_kind("attempt") if record.get("reply")]


def test_a_budget_of_tokens_pauses_and_counts_what_was_spent_before(tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    with offline_server() as url:
        seat = f"--seat P-0=m@{url}"
        first = tabletop(tmp_path, *MATCH, "--seat", f"m@{url}", *SEATS, "--budget-tokens", "11000")
        assert first.returncode == 3
        assert "the budget of 11000 tokens" in complaint(first)
        named = re.fullmatch(
            rf".* Resume it with `tabletop resume match.jsonl {seat} --budget-tokens (\d+)`\.", complaint(first)
        )
        assert named is not None
        assert 22_000 <= int(named[1]) < 40_000
        spent = sum(charged(log))
        assert 0 < spent <= 11_000
        again = tabletop(tmp_path, "resume", "match.jsonl", *seat.split(), "-q")
        assert again.returncode == 3
        assert complaint(again) == complaint(first), "the log keeps the budget"
        assert sum(charged(log)) == spent, "nothing was asked that might not fit"
        last = tabletop(tmp_path, "resume", "match.jsonl", *seat.split(), "--budget-tokens", "60000", "-q")
    assert last.returncode == 0, last.stderr
    assert spent < sum(charged(log)) <= 60_000
    fork = tabletop(tmp_path, "fork", "match.jsonl", "--at", "9", "--seat", "offline", "--budget-tokens", "900", "-q")
    assert fork.returncode == 3, "a fork has a budget of its own"


def test_the_log_keeps_the_budget_for_later_sittings_forks_and_playback(tmp_path: Path) -> None:
    seats = ("--seat", "offline", *SEATS, "--max-rounds", "9")
    first = tabletop(tmp_path, *MATCH, *seats, "--budget", "2", "--budget-tokens", "9000", "--json")
    log = tmp_path / "match.jsonl"
    for done in (first, *(tabletop(tmp_path, verb, "match.jsonl", *words, "--json", "-q") for verb, *words in STANDING)):
        assert done.returncode == 3
        told = json.loads(done.stdout)
        assert done.stderr == f"tabletop: {told['paused']}\n"
        assert "the budget of 9000 tokens" in told.pop("paused")
        assert told == {"log": "match.jsonl", "game": "dixiquote", "rules": "revised", "players": 3, "seed": 1}
    assert read_log(log).header["budget"] == {"usd": 2.0, "tokens": 9000}
    spent = charged(log)
    raised = tabletop(tmp_path, "resume", "match.jsonl", "--budget-tokens", "14000", "-q")
    assert raised.returncode == 3
    assert read_log(log).latest_header["budget"] == {"usd": 2.0, "tokens": 14_000}, "only what was named is another"
    assert sum(spent) < sum(charged(log)) <= 14_000
    last = sum(record["kind"] == "decision" for _, record in read_log(log).records) + 1
    fork = ("fork", "match.jsonl", "--at", str(last), "--log", "fork.jsonl", "-q")
    for words in (fork, ("resume", "fork.jsonl", "-q")):
        assert tabletop(tmp_path, *words).returncode == 3, "a fork is bound as its parent was, from there on"
    forked = read_log(tmp_path / "fork.jsonl")
    assert forked.header["budget"] == {"usd": 2.0, "tokens": 14_000}
    assert sum(charged(log)) < sum(charged(forked.path)), "what was copied does not count"
    assert tabletop(tmp_path, *MATCH[:-3], *seats, "-q", "--log", "whole.jsonl", "--budget", "5").returncode == 0
    assert tabletop(tmp_path, "play", "dixiquote", "--playback", "whole.jsonl", "--log", "same.jsonl", "-q").returncode == 0
    assert read_log(tmp_path / "same.jsonl").header["budget"] == {"usd": 5.0}


@pytest.mark.parametrize("words", [("--budget", "0"), ("--budget-tokens", "-1"), ("--budget", "nan")])
def test_a_budget_is_more_than_nothing(words: tuple[str, str], tmp_path: Path) -> None:
    done = tabletop(tmp_path, *MATCH, "--seat", "offline", *words)
    assert done.returncode == 2
    assert words[0] in complaint(done)
