"""Uses of policies: bluffs as a frequency, luck of models' decisions, expected regret, rows of data."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from statistics import covariance, mean, stdev, variance
from typing import Any

import pytest

import games
from games.search.value_function import ValueFunction, correction, weights_of
from runner.errors import LogDamagedError
from runner.record.reader import Log, read_log
from runner.review.decision_review import review_decision, review_jobs
from runner.review.honesty import seat_honesty
from runner.review.logged_answers import bluffs, logged_policies, policy_rows
from runner.standings.luck import luck
from tests.agents.knowing import endpoint, weight, write_agents
from tests.cli.command import tabletop

QUICK, ONE = ValueFunction(playouts=4), ValueFunction(playouts=1)
MATCHES = 16
PLAN = f"""
seed = 3
deal_seeds = "consecutive"
deals = {MATCHES}
rotation = "random"
agents = ["knowing", "bot:random", "other=bot:random"]
[[games]]
name = "coup"
players = 3
options = {{ max_turns = 5 }}
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Matches of a model that plays its policy."""
    folder = tmp_path_factory.mktemp("policies")
    with endpoint() as (url, _):
        write_agents(folder, url, '"play"')
        (folder / "plan.toml").write_text(PLAN)
        done = tabletop(folder, "tournament", "plan.toml", "-q", "-o", "t", "--workers", "1", KNOWN_KEY="none")
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def logs(played: Path) -> list[Log]:
    return [read_log(path) for path in sorted((played / "t").rglob("*.jsonl"))]


def test_the_weighted_mean_of_corrections_is_zero(logs: list[Log]) -> None:
    checked = 0
    for log in logs[:2]:
        for job in review_jobs(log)[0]:
            if job.policy is None:
                continue
            chances = job.policy.chances(job.asked, job.seat)
            assert sum(chance for _, chance in chances) == pytest.approx(1)
            total = [0.0] * 3
            for action, chance in chances:
                found = correction(job.state, job.seat, action.move, weights_of(chances), {}, ONE, job.number)
                total = [one + chance * other for one, other in zip(total, found, strict=True)]
            assert total == pytest.approx([0.0] * 3, abs=1e-9)
            checked += 1
    assert checked > 8


def test_corrections_have_mean_zero_and_go_with_the_wins(logs: list[Log]) -> None:
    wins, corrections = [], []
    for log in logs:
        seat = [one["name"] for one in log.header["seats"]].index("knowing")
        own: Any = log.result
        win = (seat in own["winners"]) / len(own["winners"])
        found = luck(log, ValueFunction(playouts=8))[seat]
        wins.append(win)
        corrections.append(found)
    assert abs(mean(corrections)) < 5 * stdev(corrections) / MATCHES**0.5
    assert covariance(wins, corrections) > variance(wins) / 8, "0.74 of it on average, 0.33 without the decisions of the model"


@pytest.mark.parametrize(("policy", "corrects"), [("true", False), ('"play"', True)])
def test_a_policy_corrects_only_if_it_was_played(policy: str, corrects: bool, tmp_path: Path) -> None:
    with endpoint() as (url, _):
        write_agents(tmp_path, url, policy)
        words = ("--seat", "knowing", "--seat", "bot:search:2", "--seed", "4", "-q", "--max-turns", "4", "--log", "m.jsonl")
        assert tabletop(tmp_path, "play", "coup", *words, KNOWN_KEY="none").returncode == 0
    log = read_log(tmp_path / "m.jsonl")
    assert logged_policies(log)
    assert any(luck(log, QUICK)) is corrects


def test_the_frequency_of_bluffs_is_that_of_the_model(logs: list[Log]) -> None:
    found, expected, played_bluffs = 0.0, 0.0, 0
    for log in logs:
        for job in review_jobs(log)[0]:
            if job.policy is None:
                continue
            legal = [action.to_json() for action in job.asked.actions_of(job.seat)]
            claims = [job.asked.game.claim(job.asked, job.seat, answer) for answer in legal]
            false = [answer for answer, claim in zip(legal, claims, strict=True) if claim is not None and not claim.is_true]
            expected += sum(map(weight, false)) / sum(map(weight, legal))
        own = [*bluffs(log)]
        found += sum(chance for _, chance, _ in own)
        played_bluffs += sum(is_bluff for *_, is_bluff in own)
    assert found == pytest.approx(expected, abs=1e-5)
    assert played_bluffs == pytest.approx(found, abs=4 * found**0.5)
    sums = [one for log in logs for one in seat_honesty(log)]
    assert sum(one["bluff_chance"] for one in sums) == pytest.approx(found)
    assert sum(one["bluffed"] for one in sums) == played_bluffs


def test_the_mean_of_the_played_regret_over_the_policy_is_the_expected_one(logs: list[Log]) -> None:
    job = next(
        job for log in logs for job in review_jobs(log)[0] if job.policy is not None and len(job.asked.actions_of(job.seat)) > 3
    )
    assert job.policy is not None
    total, behind, own = 0.0, set(), []
    for action, chance in job.policy.chances(job.asked, job.seat):
        entry = review_decision(job._replace(answer=action.to_json()), 64, 1).entry
        assert entry is not None
        total += chance * (entry["expected_regret"] - entry["regret"])
        behind.add(round(entry["expected_regret"] - entry["regret"], 3))
        own.append(entry["regret"])
    assert total == pytest.approx(0, abs=1e-3)
    assert len(behind) > 1
    assert "expected_regret" not in (review_decision(job._replace(policy=None), 64, 1).entry or {})


def test_standings_have_them(played: Path) -> None:
    words = ("standings", "t", "--honesty", "-q")
    (game,) = json.loads(tabletop(played, *words, "--json").stdout)["games"]
    agents = {agent["agent"]: agent for agent in game["agents"]}
    own, other = agents["knowing"]["honesty"], agents["bot:random"]["honesty"]
    assert 0 < own["bluff_chance"] < 1
    assert own["mass"] == pytest.approx(0.9)
    assert own["policies"] >= own["bluffed"] > 0
    assert (other["policies"], other["bluff_chance"]) == (0, None)
    assert "Policies" in tabletop(played, *words).stdout
    path = next((played / "t").rglob("*.jsonl"))
    review = json.loads(tabletop(played, "review", str(path), "--playouts", "8", "--json").stdout)
    seat = next(one for one in review["seats"] if one["player"] == "knowing")
    graded = [one for one in review["decisions"] if one["seat"] == seat["seat"] and one["grade"] != "forced"]
    assert graded
    assert all("expected_regret" in one for one in graded)
    assert not any("expected_regret" in one for one in review["decisions"] if one["seat"] != seat["seat"])


def test_rows_of_policies(played: Path, logs: list[Log]) -> None:
    done = tabletop(played, "export", "t", "--table", "policies", "--csv", "-o", "-")
    rows = list(csv.DictReader(StringIO(done.stdout)))
    expected = [row for log in logs for row in policy_rows(log)]
    assert len(rows) == len(expected) > 100
    assert {row["player"] for row in rows} == {"knowing"}
    decisions: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in rows:
        decisions.setdefault((row["log"], row["decision"]), []).append(row)
    for some in decisions.values():
        assert sum(float(row["chance"]) for row in some) == pytest.approx(1, abs=1e-6)
        assert sum(row["played"].lower() in ("true", "1") for row in some) == 1


def test_rows_of_choices_and_skins(tmp_path: Path) -> None:
    words = ("--seat", "offline", "--seat", "bot:steady", "--seed", "4", "-q", "--max-turns", "6", "--mistakes", "0.2")
    done = tabletop(tmp_path, "play", "coup", *words, "--choices", "shuffled", "--skin", "neutral", "--log", "m.jsonl")
    assert done.returncode == 0, done.stderr
    found = tabletop(tmp_path, "export", "m.jsonl", "--table", "choices", "--csv", "-o", "-")
    rows = list(csv.DictReader(StringIO(found.stdout)))
    answers = [
        one for _, one in read_log(tmp_path / "m.jsonl").of_kind("attempt") if one["outcome"] == "answer" and "order" in one
    ]
    assert len(rows) == len([one for one in answers if one["order"]]) > 2
    for row, answer in zip(rows, answers, strict=True):
        values = answer["order"][row["field"]]
        assert str(values[int(row["place"]) - 1]) == row["taken"] == str(answer["answer"][row["field"]])
        assert int(row["choices"]) == len(values)
    seats = list(
        csv.DictReader(StringIO(tabletop(tmp_path, "export", "m.jsonl", "--table", "seats", "--csv", "-o", "-").stdout))
    )
    assert [row["skin"] for row in seats] == ["neutral", ""]


def test_an_illegal_answer_in_a_policy_is_damage(logs: list[Log]) -> None:
    log = read_log(logs[0].path)
    policy = next(iter(logged_policies(log).values()))
    policy.record["answers"][0]["answer"] = {"action": "win"}
    state = games.load("coup").begin(players=3, seed=1)
    with pytest.raises(LogDamagedError, match="not legal"):
        policy.chances(state, state.actor or 0)
