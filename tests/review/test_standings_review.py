"""Standings with reviews: what each agent gives up a decision, with intervals over deals, and which logs have no review."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from games.statistics.document_types import AgentData
from runner.review.decision_review import DecisionEntry
from runner.review.review_document import ReviewDocument
from runner.standings.studies import Graded, own_decisions, regrets
from runner.standings.tables import REGRET, agent_table
from tests.cli.command import tabletop
from tests.review.logs import play

NAMES = ("strong", "weak")


def agent(name: str, low: float, high: float) -> AgentData:
    found: dict[str, Any] = {"agent": name, "win_share": {"value": 0.5, "low": low, "high": high}}
    return cast(AgentData, found)


AGENTS = [agent("strong", 0.1, 0.9), agent("weak", 0.1, 0.9), agent("idle", 0.1, 0.9)]


def match(deal: int, *regrets: tuple[int, float]) -> Graded:
    """A reviewed match on a deal: its graded decisions, and a forced one of each seat."""
    graded = [{"seat": seat, "regret": regret, "best_share": 0.5, "grade": "good"} for seat, regret in regrets]
    forced = [{"seat": seat, "regret": 0.0, "best_share": 0.5, "grade": "forced"} for seat in (0, 1)]
    return ("game", str(deal)), NAMES, cast(list[DecisionEntry], [*graded, *forced])


def test_the_mean_is_over_graded_decisions_and_its_interval_over_deals() -> None:
    matches = [match(deal, (0, 0.01), (0, 0.03), (1, 0.1 + 0.01 * (deal % 2))) for deal in range(10)]
    found = regrets(matches, AGENTS)
    assert set(found) == set(NAMES)
    assert found["strong"]["value"] == pytest.approx(0.02)
    assert (found["strong"]["decisions"], found["weak"]["decisions"]) == (20, 10)
    assert found["strong"]["relative"]["value"] == pytest.approx(0.04)
    weak = found["weak"]
    assert weak["low"] is not None
    assert weak["high"] is not None
    assert 0.1 <= weak["low"] < 0.105 < weak["high"] <= 0.11
    assert weak["narrower"] == pytest.approx(1.6 / ((weak["high"] - weak["low"]) / 0.105))


def test_decisions_that_a_fork_copied_are_not_its_own() -> None:
    review = cast(ReviewDocument, {"decisions": [{"decision": number} for number in (1, 2, 3)]})
    assert [one["decision"] for one in own_decisions(review, 0)] == [1, 2, 3]
    assert [one["decision"] for one in own_decisions(review, 3)] == [3]


def test_the_smallest_relative_part_is_first() -> None:
    found = regrets([match(deal, (0, 0.04), (1, 0.01)) for deal in range(6)], AGENTS)
    agents = [one | {"given_up": found.get(one["agent"])} for one in AGENTS]
    table = agent_table(REGRET, agents)
    assert [row[0] for row in table.rows] == ["weak", "strong", "idle"]


def test_too_few_deals_have_no_interval() -> None:
    found = regrets([match(deal, (0, 0.1)) for deal in range(2)], AGENTS)["strong"]
    assert (found["low"], found["high"], found["narrower"]) == (None, None, None)


def test_the_command_uses_kept_reviews_and_names_logs_without_one(tmp_path: Path) -> None:
    for seed in (1, 2):
        play(tmp_path, f"{seed}.jsonl", seed=seed)
        assert tabletop(tmp_path, "review", f"{seed}.jsonl", "--playouts", str(7 + seed), "--json").returncode == 0
    done = tabletop(tmp_path, "standings", ".", "--review", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert "Reviews differ in their playouts a decision: 8 in 1 match, 9 in 1 match." in found["notes"]
    assert all(one["given_up"]["decisions"] > 5 for one in found["games"][0]["agents"])
    table = tabletop(tmp_path, "standings", ".", "--review", "--markdown", "-o", "-").stdout
    assert "Win share given up a decision" in table
    lines = tabletop(tmp_path, "standings", ".", "--review", "--csv", "-o", "-").stdout.splitlines()
    assert "given_up,given_up_low,given_up_high" in lines[0]
    assert len({line.count(",") for line in lines}) == 1
    assert "given_up" not in tabletop(tmp_path, "standings", ".", "--json").stdout
