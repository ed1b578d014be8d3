"""What clients of the MCP server may cause: which players they seat, what all matches may cost, what they get to see."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import games
from games.core import Rng
from runner.agents import program_agent
from runner.agents.config_files import parse_agents
from runner.agents.environment import Environment
from runner.agents.spec import seat_spec
from runner.errors import AccountError, UsageError
from runner.llm.budget import Budget, WorstCase
from runner.llm.outcome import BudgetSpent
from runner.record.reader import read_log
from runner.record.verify import verify
from runner.record.writer import Spending
from runner.serve.hosted_match import PooledBudget
from runner.serve.match_host import SeatPolicy
from tests.record.matches import SMALL
from tests.serve.hosting import answer_of, hosted, play

AGENTS = parse_agents('[ada]\nmodel = "openai/gpt-5-mini"\n[free]\nmodel = "offline"\n')
SETTINGS = Environment({}, AGENTS.agents)
NOWHERE = "small@http://127.0.0.1:1/v1"


@pytest.mark.parametrize(
    ("spec", "flag"),
    [
        ("human", "--allow-seat human"),
        ("openai/gpt-5-mini", "--budget USD"),
        ("eve=openai/gpt-5-mini", "--budget USD"),
        ("ada", "--budget USD"),
        (NOWHERE, f"--allow-seat {NOWHERE}"),
        ("offline+pack:/etc", r"--allow-seat offline\+pack:/etc"),
        ("bot:steady+pack:/etc", r"--allow-seat bot:steady\+pack:/etc"),
        ("cmd:rm -rf /", "--allow-seat cmd:rm -rf /"),
        ("bot:search:999999", "--allow-seat bot:search:999999"),
        ("py:os:system", "--allow-seat py:os:system"),
        ("mallory", "--allow-seat mallory"),
    ],
)
async def test_clients_seat_no_player_that_costs_or_starts_something(spec: str, flag: str, tmp_path: Path) -> None:
    async with hosted(tmp_path, SETTINGS) as server:
        with pytest.raises(UsageError, match=rf"P-1 cannot be .* with {flag}"):
            await server("new_match", game="coup", seats=["mcp", spec])
    assert list(tmp_path.iterdir()) == []


def test_free_players_need_no_permission() -> None:
    seats = ("mcp", "free", "offline/illegal", "bot:random", "bot:search", "ada=mcp", "eve=offline")
    SeatPolicy().check([seat_spec(text, SETTINGS) for text in seats], SETTINGS)


PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "ask":
        print(json.dumps({"number": asked["number"], "answer": asked["legal"][0]}), flush=True)
"""


async def test_a_client_a_program_a_function_a_bot_and_a_model_play_one_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "obliging.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "own_bots.py").write_text("def first(ask): return ask.legal[0]\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    allowed = [f"cmd:{sys.executable} obliging.py", "py:own_bots:first"]
    async with hosted(tmp_path / "logs", policy=SeatPolicy.of(allowed, False, SETTINGS)) as server:
        seats = ["mcp", *allowed, "bot:steady", "offline"]
        begun = await server("new_match", game="coup", seats=seats, seed=2)
        await play(server, begun["handles"])
    assert program_agent._groups == set(), "the program has ended with the server"
    log = read_log(Path(begun["log"]))
    verify(log)
    assert [seat["kind"] for seat in log.header["seats"]] == ["mcp", "program", "function", "bot", "offline"]


async def test_with_a_budget_models_may_play_and_a_missing_key_is_named(tmp_path: Path) -> None:
    policy = SeatPolicy.of((), True, SETTINGS)
    async with hosted(tmp_path, SETTINGS, policy=policy, usd=1.0) as server:
        for spec in ("openai/gpt-5-mini", "ada"):
            with pytest.raises(AccountError, match="OPENROUTER_API_KEY"):
                await server("new_match", game="coup", seats=["mcp", spec])
        with pytest.raises(UsageError, match="P-1 cannot be"):
            await server("new_match", game="coup", seats=["mcp", NOWHERE])
    assert list(tmp_path.iterdir()) == []


async def test_a_budget_that_no_price_gives_a_meaning_seats_no_model(tmp_path: Path) -> None:
    spec = "vendor/model@http://nowhere.invalid/v1"
    async with hosted(tmp_path, policy=SeatPolicy.of([spec], True, SETTINGS), usd=1.0) as server:
        with pytest.raises(AccountError, match="names no price"):
            await server("new_match", game="coup", seats=["mcp", spec])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("spec", ["openai/gpt-5-mini", "ada", "openai/gpt-5-mini+pack:mine"])
def test_a_seat_that_costs_money_is_allowed_only_with_a_budget(spec: str) -> None:
    with pytest.raises(UsageError, match="add --budget USD"):
        SeatPolicy.of([spec], False, SETTINGS)
    assert spec in SeatPolicy.of([spec], True, SETTINGS).allowed


async def test_a_log_seats_nobody_whom_a_client_may_not_name(tmp_path: Path) -> None:
    async with hosted(tmp_path, SETTINGS) as server:
        begun = await server("new_match", game="coup", seats=["mcp", "free"], seed=3)
    async with hosted(tmp_path) as server:
        with pytest.raises(UsageError, match="P-1 cannot be"):
            await server("new_match", resume=begun["log"])
    assert [record["kind"] for _, record in read_log(Path(begun["log"])).records][-1] == "pause"


async def test_all_matches_together_stay_within_the_budget(tmp_path: Path) -> None:
    pool, nothing = Budget(1.0), Spending(0.0, 0)
    matches = [PooledBudget(tmp_path / f"{name}.jsonl", None, None, nothing, pool) for name in "ab"]
    first = await matches[0].reserve(WorstCase(10, 0.6))
    matches[0].settle(first, 0.6, 10)
    with pytest.raises(BudgetSpent, match=r"the budget of 1 USD has 0\.4000 USD left"):
        await matches[1].reserve(WorstCase(10, 0.6))
    second = await matches[1].reserve(WorstCase(10, 0.3))
    matches[1].settle(second, 0.2, 5)
    assert (pool.spent_usd, pool.spent_tokens) == (pytest.approx(0.8), 15)
    for match in matches:
        match.close()


async def test_the_budget_of_one_match_holds_beside_the_pool(tmp_path: Path) -> None:
    pool = Budget(10.0)
    match = PooledBudget(tmp_path / "a.jsonl", 0.5, 100, Spending(0.4, 90), pool)
    with pytest.raises(BudgetSpent, match=r"the budget of 0\.5 USD"):
        await match.reserve(WorstCase(5, 0.2))
    again = await pool.reserve(WorstCase(5, 10.0))
    assert again.usd == 10.0


@pytest.mark.parametrize("game", games.names())
async def test_a_handle_shows_what_its_seat_may_know_and_no_reason(game: str, tmp_path: Path) -> None:
    options: dict[str, Any] = SMALL if game == "dixiquote" else {}
    seen: dict[str, list[dict[str, Any]]] = {"P-0": [], "P-1": [], "P-2": []}
    async with hosted(tmp_path) as server:
        begun = await server("new_match", game=game, seats=["mcp"] * 3, options=options, seed=4)
        handles, rng, texts = begun["handles"], Rng.of("leaks"), list[str]()
        running = True
        while running:
            for name, handle in handles.items():
                turn = await server("wait_for_turn", handle=handle, seconds=0)
                running = turn["status"] != "over"
                texts.append(json.dumps(turn))
                if turn["status"] == "your_turn":
                    seen[name].append(turn)
                    if len(seen[name]) % 8 == 1:  # drawing takes longer than playing
                        texts.append((await server("table", handle=handle))["text"])
                    answer = answer_of(turn, rng)
                    await server("act", handle=handle, decision=turn["decision"], answer=answer, reason=f"secret of {name}")
    questions = [record for _, record in read_log(Path(begun["log"])).records if record["kind"] == "question"]
    for name, turns in seen.items():
        asked = {record["question"] for record in questions if f"P-{record['seat']}" == name}
        assert {turn["decision"] for turn in turns} == asked
        assert all(turn["view"]["seat"] == int(name[2:]) for turn in turns)
    assert not [text for text in texts if "secret of" in text or any(handle in text for handle in handles.values())]
