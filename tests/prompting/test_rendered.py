"""`prompts render` shows exactly the messages that were sent, for every game and role."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from runner.prompting.pack import PromptPack
from runner.record.decisions import decisions
from runner.record.reader import read_log
from runner.screen.replay_viewer import KINDS
from runner.workshop.prompted_decision import prompted_decision
from tests.cli.command import tabletop
from tests.record.matches import short

AGENT = '[ada]\nmodel = "offline"\nmemory = "{}"\nmemory_tokens = 2000\n'


@pytest.mark.parametrize("memory", ["full", "summary"])
@pytest.mark.parametrize("game", games.names())
def test_every_role_is_rendered_as_it_was_sent(game: str, memory: str, tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text(AGENT.format(memory))
    seats = [word for _ in range(3) for word in ("--seat", "ada")]
    rules = ("--max-rounds", "2") if short(game) else ()
    words = ("--seed", "3", "--mistakes", "0.1", "--log", "match.jsonl", "-q")
    done = tabletop(tmp_path, "play", game, *seats, *rules, *words)
    assert done.returncode == 0, done.stderr
    log = read_log(tmp_path / "match.jsonl")
    asked = [found for found in decisions(log) if found.question is not None]
    last = {(found.question and found.question["role"], KINDS["x"][1](found)): found.number for found in asked}
    assert {role for role, _ in last} == {question["role"] for _, question in log.of_kind("question")}
    for number in last.values():
        found = prompted_decision(log, number)
        for attempt in range(1, len(found.attempts) + 1):
            assert found.messages(PromptPack(), attempt) == found.sent(attempt)
