"""Whether the set-up works, found out step by step; what is wrong is named, and no secret is shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runner.agents.preflight import key_check
from runner.llm.call import RetryPolicy
from runner.llm.client import Client
from tests.cli.answering import Answering, run
from tests.cli.command import tabletop
from tests.llm.odd_server import error, reply

CANARY, HEADER = "canary-5521-of-the-doctor", "canary-6617-of-a-header"
AGENT = '[mine]\nmodel = "vendor/model"\nbase_url = "{url}"\nkey = "MY_KEY"\nopenrouter = true\ntop_k = 3\n'
PRICING = {"prompt": "0.000001", "completion": "0.000002"}
LISTED = {"id": "vendor/model", "context_length": 32000, "pricing": PRICING, "supported_parameters": ["tools", "max_tokens"]}
PAGES = {"/models": {"data": [LISTED]}, "/key": {"data": {"limit": 10, "limit_remaining": 4.5, "usage": 5.5}}}


async def examined(folder: Path, pages: dict[str, Any], *words: str, settings: str = "") -> tuple[int, list[list[str]], int]:
    """The exit status, what was found about the seat, and how many questions were put to it."""
    async with Answering(pages=pages) as server:
        (folder / "agents.toml").write_text(AGENT.format(url=server.base_url) + settings)
        done = await run(folder, "doctor", "--seat", "mine", "--json", *words, MY_KEY=CANARY)
    assert CANARY not in done.stdout + done.stderr
    found = [[one["state"], one["what"]] for one in json.loads(done.stdout) if one["about"] == "mine"]
    return done.returncode, found, len(server.bodies)


async def test_all_is_looked_at_and_one_decision_is_tried(tmp_path: Path) -> None:
    status, found, asked = await examined(tmp_path, PAGES)
    assert (status, asked) == (0, 1)
    assert [state for state, _ in found] == ["ok", "ok", "ok", "note", "ok"]
    said = " / ".join(what for _, what in found)
    for words in (
        "is reachable and lists 1 models",
        "the key in MY_KEY is accepted, with $4.50 left",
        "vendor/model exists: $1 in and $2 out for a million tokens, 32,000 tokens of context",
        "answers in the form tool; its endpoint does not take top_k",
        "one trial decision: legal answer",
    ):
        assert words in said
    assert "$0." in found[-1][1], "what it cost"


async def test_an_end_and_an_effort_that_the_list_tells_are_notes(tmp_path: Path) -> None:
    listed = {**LISTED, "expiration_date": "2026-12-31", "reasoning": {"supported_efforts": ["low", "high"]}}
    pages = {**PAGES, "/models": {"data": [listed]}}
    _, found, _ = await examined(tmp_path, pages, "--no-trial", settings='reasoning = {effort = "xhigh"}')
    said = [what for state, what in found if state == "note"]
    assert "its endpoint lists it until 2026-12-31 only" in said
    assert "it knows the reasoning efforts low, high, not xhigh" in said


async def test_without_a_trial_nothing_is_asked(tmp_path: Path) -> None:
    status, found, asked = await examined(tmp_path, PAGES, "--no-trial")
    assert (status, asked, len(found)) == (0, 0, 4)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        (PAGES["/key"], ("ok", "the key in X is accepted, with $4.50 left")),
        (reply(error(401, "no"), 401), ("wrong", "is refused")),
    ],
)
async def test_a_key_is_tried_where_no_model_is_named(key: Any, said: tuple[str, str]) -> None:
    async with Answering(pages={**PAGES, "/key": key}) as server, Client() as client:
        [(state, what)] = await key_check(client, CANARY, "X", server.base_url)
    assert (state, said[1] in what) == (said[0], True)


async def test_an_endpoint_that_cannot_be_reached_leaves_the_key_untried() -> None:
    policy = RetryPolicy(attempts=1, connection_attempts=1)
    async with Client(policy=policy) as client:
        [(state, what)] = await key_check(client, CANARY, "X", "http://127.0.0.1:1/v1")
    assert (state, what.startswith("is set and was not tried: http://127.0.0.1:1/v1 cannot be reached")) == ("note", True)


@pytest.mark.parametrize("verb", ["doctor", "estimate", "models", "agents", "play", "record"])
async def test_a_key_that_an_endpoint_echoes_is_shown_nowhere(verb: str, tmp_path: Path) -> None:
    listed = {"data": [{**LISTED, "name": f"key {CANARY} {HEADER}"}, {"id": f"{CANARY}/{HEADER}", "pricing": PRICING}]}
    pages = {"/models": listed, "/key": reply(error(403, f"{CANARY} {HEADER}"), 403)}
    play = ("play", "dixiquote", "--players", "3", *["--seat", "mine"] * 3, "--max-rounds", "1")
    async with Answering([reply(error(400, f"{CANARY} {HEADER}"), 400)], pages=pages) as server:
        settings = AGENT.format(url=server.base_url) + f'headers = {{X-Title = "{HEADER}"}}\n'
        (tmp_path / "agents.toml").write_text(settings)
        words = {
            "doctor": ("doctor", "--seat", "mine"),
            "estimate": (*play, "--dry-run"),
            "models": ("models", "--endpoint", server.base_url, "--json"),
            "agents": ("agents", "--json"),
            "play": (*play, "--log", "log.jsonl", "--plain"),
            "record": (*play, "--record", "match.replies"),
        }[verb]
        done = await run(tmp_path, *words, MY_KEY=CANARY, OPENAI_API_KEY=CANARY)
    written = [path.read_text() for path in tmp_path.rglob("*") if path.is_file() and path.name != "agents.toml"]
    for secret in (CANARY, *([HEADER] if verb != "models" else [])):
        assert secret not in "".join([done.stdout, done.stderr, *written])


@pytest.mark.parametrize(
    ("pages", "settings", "said"),
    [
        ({**PAGES, "/key": reply(error(401, f"no such key {CANARY}"), 401)}, "", "the key in MY_KEY is refused"),
        ({**PAGES, "/key": {"data": {"limit": 10, "limit_remaining": 0}}}, "", "no credit left"),
        ({**PAGES, "/models": {"data": [{**LISTED, "id": "vendor/other"}]}}, "", "is not among those listed"),
        (PAGES, 'memory = "full"\nmemory_tokens = 40000', "more than its context has"),
    ],
)
async def test_what_is_wrong_is_named_before_anything_is_asked(
    pages: dict[str, Any], settings: str, said: str, tmp_path: Path
) -> None:
    status, found, asked = await examined(tmp_path, pages, settings=settings)
    assert (status, asked) == (5, 0)
    state, what = found[-1]
    assert state == "wrong"
    assert said in what


def test_an_endpoint_that_is_not_there_is_wrong_and_the_offline_model_is_fine(tmp_path: Path) -> None:
    done = tabletop(tmp_path, "doctor", "--seat", "m@http://127.0.0.1:9/v1", "--seat", "offline", "--seat", "bot:steady")
    assert done.returncode == 5
    assert "WRONG m@http://127.0.0.1:9/v1: the endpoint http://127.0.0.1:9/v1 cannot be reached" in done.stdout
    assert "ok    offline: one trial decision: legal answer" in done.stdout
    assert "bot:steady: needs no set-up" in done.stdout
