"""Budgets of a match from the command line: never overshot, kept over sittings, resumable."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from runner.api import play
from runner.errors import AccountError
from runner.llm.offline import OfflineModel
from runner.record.reader import read_log
from runner.workshop import pack_check
from tests.cli.command import complaint, offline_server, tabletop, tabletop_process

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


NOWHERE = "vendor/model@http://nowhere.invalid/v1"
PLAN = f"""
agents = ["{NOWHERE}", "bot:steady", "bot:random"]
deals = 1
budget = 0.05

[[games]]
name = "dixiquote"
players = 3
"""
DOORS = {
    "play": (*MATCH, "--seat", NOWHERE, *SEATS, "--budget", "0.05"),
    "play --json": (*MATCH, "--seat", NOWHERE, *SEATS, "--budget", "0.05", "--json"),
    "tournament": ("tournament", "plan.toml"),
    "bench": ("bench", NOWHERE, "--games", "coup", "--deals", "1", "--budget", "0.05"),
    "compare": ("prompts", "compare", "coup", "built-in", "pack", "--seat", NOWHERE, "--deals", "1", "--budget", "0.05"),
}


@pytest.mark.parametrize("door", DOORS)
def test_a_budget_that_no_price_gives_a_meaning_is_refused(door: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack_check, "_MATCHES", 1)
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    (tmp_path / "pack" / "coup").mkdir(parents=True)
    (tmp_path / "pack" / "coup" / "advice.j2").write_text("Play well.", encoding="utf-8")
    done = tabletop(tmp_path, *DOORS[door])
    assert done.returncode == 5, done.stderr
    assert "vendor/model at nowhere.invalid names no price" in done.stderr
    assert "`prices`" in done.stderr
    assert "--budget-tokens" in done.stderr
    assert not [*tmp_path.rglob("*.jsonl")]


def test_the_library_refuses_a_budget_without_a_meaning(tmp_path: Path) -> None:
    with pytest.raises(AccountError, match=r"nowhere\.invalid names no price"):
        play("dixiquote", [NOWHERE, "bot:steady", "bot:steady"], budget=0.05, log=tmp_path / "match.jsonl")


@pytest.mark.usefixtures("_tried_at_once")
@pytest.mark.parametrize("words", [("--budget-tokens", "14000"), ("--budget", "0.05", "--budget-tokens", "14000")])
def test_a_budget_in_tokens_needs_no_price(words: tuple[str, ...], tmp_path: Path) -> None:
    done = tabletop(tmp_path, *MATCH, "--seat", NOWHERE, *SEATS, *words)
    assert done.returncode == 3, "nobody answers there"
    assert "names no price" not in done.stderr


@contextmanager
def priceless(cost: float | None, price: str | None = None) -> Iterator[tuple[str, list[float]]]:
    """The offline model behind a socket, which states a cost and lists a price, or not: its address, and what it charged."""
    model, charges = OfflineModel(1), list[float]()

    def listed(_: Request) -> Response:
        return Response(json.dumps({"data": [{"id": "m", "pricing": {"prompt": price, "completion": price}}] if price else []}))

    def answer(asked: Request) -> Response:
        reply = json.loads(model.handle("POST", "/chat/completions", {}, asked.get_data()).body)
        del reply["usage"]["cost"]
        if cost is not None:
            reply["usage"]["cost"] = cost
            charges.append(cost)
        return Response(json.dumps(reply), content_type="application/json")

    with HTTPServer() as server:
        server.expect_request("/v1/models").respond_with_handler(listed)
        server.expect_request("/v1/chat/completions").respond_with_handler(answer)
        yield server.url_for("/v1"), charges


def test_a_model_of_this_machine_without_a_price_counts_as_free_and_that_is_said(tmp_path: Path) -> None:
    with priceless(None) as (url, _):
        done = tabletop_process(tmp_path, *MATCH, "--seat", f"m@{url}", *SEATS, "--budget", "0.05")
    assert done.returncode == 0
    assert re.match(r"m at localhost:\d+ names no price: in the budget it counts as free, 0 USD, unless", done.stderr)
    assert done.stderr.count("names no price") == 1


@pytest.mark.parametrize("price", [None, "0"])
def test_a_price_of_0_and_a_cost_above_0_is_no_price(price: str | None, tmp_path: Path) -> None:
    with priceless(0.01, price) as (url, charges):
        done = tabletop(tmp_path, *MATCH, *(("--seat", f"m@{url}") * 3), "--budget", "0.05")
    assert done.returncode == 3
    assert "the budget of 0.05 USD" in done.stderr
    assert 0.02 <= sum(charges) <= 0.05


def test_an_answer_without_the_cost_that_was_expected_stops_like_a_spent_budget(tmp_path: Path) -> None:
    with priceless(None) as (url, _):
        (tmp_path / "agents.toml").write_text(f'[ada]\nmodel = "m"\nbase_url = "{url}"\nopenrouter = true\n', encoding="utf-8")
        words = (*MATCH, "--seat", "ada", *SEATS, "--budget", "0.05")
        done = tabletop(tmp_path, *words)
        assert done.returncode == 3
        assert "m does not say what an answer costs, so that the budget of 0.05 USD bounds nothing" in done.stderr
        more = re.search(r"Resume it with `tabletop (resume match\.jsonl --budget-tokens \d+)`", done.stderr)
        assert more is not None
        log = read_log(tmp_path / "match.jsonl")
        assert len([*log.of_kind("attempt")]) >= 1, "the answer that was paid for is in the log"
        again = tabletop(tmp_path, *more[1].split(), "-q")
        assert "does not say" not in again.stderr
