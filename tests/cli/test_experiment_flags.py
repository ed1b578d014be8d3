"""The verbs that try players: a flag that one of them has is in the others, and means the same there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.search import drawing, grading, stakes
from runner import worker_processes
from runner.arena import match_runner
from runner.cli.app import app
from runner.cli.lazy_groups import command_of
from runner.workshop import bench_suite, pack_check
from tests.arena.paid_server import paid_server
from tests.cli.command import tabletop
from tests.workshop.small_suite import small_suite

OF_MATCHES = {
    "tournament": ("--game", "coup", "--players", "2", "--deals", "1", "--seed", "1", "--seat", "bot:steady", "--seat"),
    "prompts compare": (
        "coup",
        "built-in",
        "pack",
        "--players",
        "2",
        "--by",
        "matches",
        "--deals",
        "1",
        "--seed",
        "1",
        "--seat",
    ),
    "bench": ("--games", "coup", "--deals", "1"),
}
VERBS = {**OF_MATCHES, "exam": ("coup", "--players", "2", "--decisions", "2", "--seat")}
"""The words before the player of each."""


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A small suite, a pack that is checked with few prompts, short reviews, and no processes for a few matches."""
    monkeypatch.setattr(bench_suite, "load_suite", small_suite)
    monkeypatch.setattr(pack_check, "_MATCHES", 1)
    monkeypatch.setattr(grading, "PLAYOUTS_AHEAD", 8)
    monkeypatch.setattr(drawing, "_PILOTS", 8)
    monkeypatch.setattr(stakes, "_PLAYOUTS", 8)
    for module in (match_runner, worker_processes):
        monkeypatch.setattr(module, "available_cpus", lambda: 1)
    (tmp_path / "pack" / "coup").mkdir(parents=True)
    (tmp_path / "pack" / "coup" / "advice.j2").write_text("Play for coins.")


def flags(verb: str) -> dict[str, str]:
    """The sentence of each flag of a verb."""
    found: Any = command_of(app, "tabletop")
    for word in verb.split():
        found = found.load(word)
    return {flag: one.help for one in found.params if one.param_type_name == "option" for flag in one.opts}


@pytest.mark.parametrize("flag", ["--dry-run", "--json", "--until", "--quiet"])
def test_all_say_the_same_of_a_flag(flag: str) -> None:
    assert len({flags(verb)[flag] for verb in VERBS}) == 1


@pytest.mark.parametrize("flag", ["--review", "--adjust", "--margin"])
def test_all_that_play_matches_say_the_same_of_a_flag(flag: str) -> None:
    assert len({flags(verb)[flag] for verb in OF_MATCHES}) == 1


@pytest.mark.parametrize("verb", VERBS)
def test_all_have_budgets_and_a_folder(verb: str) -> None:
    assert {"--budget", "--budget-tokens", "-o", "--output", "--concurrency"} <= {*flags(verb)}


@pytest.mark.parametrize("verb", VERBS)
def test_a_dry_run_asks_nobody_and_is_one_document(verb: str, tmp_path: Path) -> None:
    with paid_server(0.0) as takings:
        done = tabletop(tmp_path, *verb.split(), *VERBS[verb], f"offline@{takings.url}", "--dry-run", "--json", "-o", "out")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)
    assert takings.asked == []


@pytest.mark.parametrize("verb", VERBS)
def test_a_budget_of_tokens_stops_with_status_3(verb: str, tmp_path: Path) -> None:
    done = tabletop(tmp_path, *verb.split(), *VERBS[verb], "offline", "--budget-tokens", "5000", "-q", "-o", "out")
    assert done.returncode == 3, done.stderr
    assert "--budget-tokens" in done.stderr


@pytest.mark.parametrize("verb", OF_MATCHES)
def test_matches_are_reviewed_and_win_shares_adjusted(verb: str, tmp_path: Path) -> None:
    words = (*verb.split(), *OF_MATCHES[verb], "offline", "-o", "out")
    done = tabletop(tmp_path, *words, "--review", "--adjust", "deal", "--json")
    assert done.returncode == 0, done.stderr
    data, logs = json.loads(done.stdout), [*(tmp_path / "out").rglob("[!.]*.jsonl")]
    found = data.get("adjusted") or [table["agent"]["adjusted"] for table in data["tables"]]
    assert all(0 <= (one.get("win_share") or one)["value"] <= 1 for one in found)
    assert logs
    assert all((log.parent / f".{log.name}.review.json").exists() for log in logs)
    shown = tabletop(tmp_path, *words, "--adjust", "deal", "-q")
    assert "Win shares adjusted for luck" in shown.stdout


def test_a_comparison_of_decisions_refuses_what_only_matches_have(tmp_path: Path) -> None:
    done = tabletop(tmp_path, "prompts", "compare", "coup", "built-in", "pack", "--by", "decisions", "--adjust", "bots")
    assert done.returncode == 2
    assert "--by decisions plays no matches" in done.stderr
