"""Rated play from the command line: exactly who was named, or nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runner.record.reader import read_log
from runner.record.verify import verify
from tests.cli.answering import Answering, run
from tests.cli.command import complaint, tabletop
from tests.llm.odd_server import OddServer

AGENT = """
[pinned]
model = "vendor/model"
base_url = "{url}"
openrouter = true
provider = {{only = ["acme/fp8"], quantizations = ["fp8"]}}
"""
SEATS = ("--seat", "pinned", "--seat", "bot:steady", "--seat", "bot:steady", "--players", "3")
PLAY = ("play", "dixiquote", *SEATS, "--max-rounds", "1", "--seed", "1", "--rated", "--log", "rated.jsonl")


def requests_of(server: OddServer) -> list[dict[str, Any]]:
    return [{name: body[name] for name in ("model", "provider", "plugins")} for body in server.bodies]


async def test_a_rated_match_asks_for_nobody_else_and_says_that_it_is_rated(tmp_path: Path) -> None:
    async with Answering(changes={"provider": "Acme"}) as server:
        (tmp_path / "agents.toml").write_text(AGENT.format(url=server.base_url))
        done = await run(tmp_path, *PLAY)
    assert done.returncode == 0, done.stderr
    assert "Rated: exactly the models named" in done.stderr
    provider = {"only": ["acme/fp8"], "quantizations": ["fp8"], "allow_fallbacks": False}
    exact = {"model": "vendor/model", "provider": provider, "plugins": [{"id": "response-healing", "enabled": False}]}
    assert requests_of(server) == [exact] * len(server.bodies)
    log = read_log(tmp_path / "rated.jsonl")
    assert [seat.get("rated") for seat in log.header["seats"]] == [True, None, None]
    replies = [record["reply"] for _, record in log.of_kind("attempt") if record["seat"] == 0]
    assert {(reply["model"], reply["provider"]) for reply in replies} == {("vendor/model", "Acme")}
    assert "seed 1, rated" in tabletop(tmp_path, "replay", "rated.jsonl", "--plain").stdout


async def test_a_reply_by_another_stops_it_and_what_is_resumed_stays_rated(tmp_path: Path) -> None:
    async with Answering(changes={"provider": "Acme", "model": "vendor/smaller"}) as server:
        (tmp_path / "agents.toml").write_text(AGENT.format(url=server.base_url))
        stopped = await run(tmp_path, *PLAY)
        assert stopped.returncode == 5
        assert "vendor/smaller by Acme answered instead of vendor/model" in complaint(stopped)
        assert "fork" in complaint(await run(tmp_path, "resume", "rated.jsonl", "--seat", "bot:steady"))
        asked = len(server.bodies)
        server.changes["model"] = "vendor/model"
        resumed = await run(tmp_path, "resume", "rated.jsonl")
    assert resumed.returncode == 0, resumed.stderr
    assert "Rated:" in resumed.stderr
    assert len(server.bodies) > asked
    assert all(one["provider"]["allow_fallbacks"] is False for one in requests_of(server))
    log = read_log(tmp_path / "rated.jsonl")
    assert verify(log).has_ended
    refused = [record for _, record in log.of_kind("attempt") if record.get("what") == "other_model"]
    assert [record["reply"]["model"] for record in refused] == ["vendor/smaller"] * 2


@pytest.mark.parametrize(
    ("seat", "words"),
    [("openai/gpt-5-mini:floor", ":floor"), ("~openai/gpt-latest", "name the model itself"), ("loose", "allow_fallbacks")],
)
def test_what_cannot_be_rated_is_refused_before_anything_is_asked(seat: str, words: str, tmp_path: Path) -> None:
    loose = '[loose]\nmodel = "vendor/model"\nprovider = {allow_fallbacks = true}\n'
    (tmp_path / "agents.toml").write_text(loose)
    done = tabletop(tmp_path, "play", "dixiquote", "--seat", seat, "--rated", "--budget", "1", OPENROUTER_API_KEY="sk-none")
    assert done.returncode == 5
    assert words in complaint(done)
    assert not (tmp_path / "logs").exists()


def test_a_tournament_can_be_rated(tmp_path: Path) -> None:
    words = (
        "--game",
        "dixiquote",
        "--players",
        "3",
        "--option",
        "target_score=1",
        "--deals",
        "1",
        "-o",
        "t",
        "-q",
        "--workers",
        "1",
    )
    done = tabletop(tmp_path, "tournament", *words, "--seat", "offline,bot:steady", "--rated")
    assert done.returncode == 0, done.stderr
    headers = [read_log(path).header for path in (tmp_path / "t").rglob("*.jsonl")]
    assert {(seat["kind"], seat.get("rated")) for header in headers for seat in header["seats"]} == {
        ("offline", True),
        ("bot", None),
    }
    assert "rated" in complaint(tabletop(tmp_path, "tournament", *words, "--seat", "offline,bot:steady"))
