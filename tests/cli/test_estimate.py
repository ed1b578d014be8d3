"""What a match may take, said before it is played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.arena.paid_server import PRICE, paid_server
from tests.cli.command import tabletop

MATCH = ("play", "dixiquote", "--players", "3", "--seed", "1", "--max-rounds", "4")
BOTS = ("--seat", "bot:steady", "--seat", "bot:steady")


def estimated(folder: Path, *words: str) -> dict[str, Any]:
    done = tabletop(folder, *MATCH, *words, "--dry-run", "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_prices_give_a_range_and_past_logs_a_figure(tmp_path: Path) -> None:
    with paid_server(0.0) as server:
        url, charged = server.url, server.charged
        seats = ("--seat", f"offline@{url}", *BOTS)
        before = estimated(tmp_path, *seats)
        assert not charged
        assert not (tmp_path / "logs").exists()
        assert before["seats"][0]["usd_per_million"] == [PRICE * 1e6] * 2
        assert before["seats"][0]["past_matches"] == 0
        assert tabletop(tmp_path, *MATCH, *seats, "-q").returncode == 0
        cost = sum(charged)
        after = estimated(tmp_path, *seats)
    low, likely, high = before["usd"]
    assert low < likely < high
    assert low <= cost <= high
    assert before["seats"][0]["decisions"][0] <= len(charged) <= before["seats"][0]["decisions"][2]
    assert after["seats"][0]["past_matches"] == 1
    assert after["usd"][1] == pytest.approx(after["seats"][0]["decisions"][1] * cost / len(charged))
    assert after["seats"][1]["usd"] == [0, 0, 0]


def test_what_nobody_knows_is_said(tmp_path: Path) -> None:
    done = tabletop(tmp_path, *MATCH, "--seat", "m@http://127.0.0.1:9/v1", *BOTS, "--dry-run", "--budget", "1")
    assert done.returncode == 0, done.stderr
    assert "Cost of the match: unknown" in done.stdout
    assert "no price is known" in done.stdout
    assert "no past match of this game in logs/" in done.stdout
    assert "The budget of 1 USD cannot be judged" in done.stdout
    assert not (tmp_path / "logs").exists()


def test_a_model_without_a_key_is_estimated_and_a_memory_counts(tmp_path: Path) -> None:
    agent = '[{name}]\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\nkey = "NOT_THERE"\nmemory = "{memory}"\n'
    prices = "prices = {prompt = 1, completion = 2}\nmax_tokens = 100\n"
    agents = [agent.format(name=name, memory=memory) + prices for name, memory in (("new", "none"), ("old", "full"))]
    (tmp_path / "agents.toml").write_text("".join(agents))
    forgetful, remembering, _ = estimated(tmp_path, "--seat", "new", "--seat", "old", "--seat", "bot:steady")["seats"]
    assert remembering["prompt_tokens"][1] > 1.3 * forgetful["prompt_tokens"][1]
    assert forgetful["reply_tokens"] == [20, 100, 100]
    assert 0 < forgetful["usd"][2] < remembering["usd"][2]


def test_the_time_of_bots_that_search_counts(tmp_path: Path) -> None:
    words = ("play", "coup", "--num-players", "3", "--seat", "bot:search:{}", "--dry-run", "--json", "--seed", "1")
    runs = [tabletop(tmp_path, *(word.format(count) for word in words)) for count in (1, 100_000)]
    few, many = [json.loads(done.stdout)["seconds"] for done in runs]
    assert few < 60 < many
