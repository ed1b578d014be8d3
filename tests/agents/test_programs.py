"""The protocol of programs in seats: what they are told and asked, what counts, what they never see."""

from __future__ import annotations

import asyncio
import json
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import games
from games.core import Rng
from runner.agents import program_agent
from runner.agents.environment import Environment
from runner.agents.program_agent import MOST_BYTES
from runner.agents.program_messages import Ignored, read_reply
from runner.agents.program_seat import program_environment
from runner.agents.protocol import Agent, Mistake
from runner.match.match_state import MatchEvent
from tests.agents.programs import GOOD, LOOP, Reports, ask_of, program
from tests.match.tables import bot, match
from tests.patience import PATIENCE
from tools.seats_schema import FILE, schema, text

LINES = Draft202012Validator(schema())
REPLY = Draft202012Validator({"$ref": "#/$defs/reply", "$defs": schema()["$defs"]})
COPYING = """
def copied():
    for line in sys.stdin:
        sys.stderr.write(line)
        yield line
"""
"""Copies all that the program reads to its standard error."""

STRANGE = (
    b"null",
    b"{}",
    b'{"number": 1}',
    b'{"number": 2, "answer": []}',
    b'{"answer": 1}',
    b"1e999",
    b'"\\ud800"',
    b"[[[[",
    b"{}{}",
)


def copying(rest: str) -> str:
    return LOOP.replace("for line in sys.stdin", f"{COPYING}for line in copied()") + rest


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


class Collected(list[MatchEvent]):
    """A sink that keeps all events."""

    async def emit(self, event: MatchEvent) -> None:
        self.append(event)


def test_the_schema_in_the_documents_is_that_of_the_types() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "`python -m tools.seats_schema` writes it"


@pytest.mark.parametrize("game", games.names())
async def test_a_program_plays_a_match_and_every_line_follows_the_schema(game: str, tmp_path: Path) -> None:
    errors, seen = tmp_path / "errors", Collected()
    rules = games.load(game)
    bots: list[Agent] = [bot(game) for _ in range(rules.default_players - 1)]
    result = await match(game, [program(copying(GOOD), errors=errors), *bots], seed=3, talk=True, sinks=[seen]).run()
    lines = lines_of(errors)
    asks = [line for line in lines if line["type"] == "ask"]
    for line in (*asks[:4], *(line for line in lines if line["type"] != "ask")):
        LINES.validate(line)
    kinds = [line["type"] for line in lines]
    assert (kinds[0], kinds[-1], kinds.count("hello"), kinds.count("end")) == ("hello", "end", 1, 1)
    assert lines[-1]["result"] == {
        "scores": result["scores"], "winners": result["winners"], "ending": result["ending"], "rounds": result["rounds"],
    }  # fmt: skip
    assert {name: lines[0][name] for name in ("protocol", "game", "players", "seat", "name", "rules_text")} == {
        "protocol": 1, "game": game, "players": rules.default_players, "seat": 0, "name": "ada", "rules_text": "The rules.",
    }  # fmt: skip
    told = [event for line in lines if line["type"] == "told" for event in line["events"]]
    known = [event for emitted in seen for event in emitted.events if event.reaches(0)]
    assert told == [{"kind": event.kind, "text": event.text, "data": event.data} for event in known]
    for ask in asks:
        free = any("enum" not in field for field in ask["schema"]["properties"].values())
        assert (ask["legal"] is None) == free
        assert ask["view"]["seat"] == 0
    assert '"seed"' not in errors.read_text(encoding="utf-8")


async def test_talk_and_mistakes_reach_the_program_and_its_reason_the_log_alone(tmp_path: Path) -> None:
    errors, seen = tmp_path / "errors", Collected()
    good = 'if message["mistakes"]: reply(number, legal[0], say="I pass, \\u00e9h.", reason="because")'
    talker = program(copying(f"    {good}\n    else: reply(number, {{}})\n"), errors=errors)
    other = program(copying(GOOD), errors=tmp_path / "other")
    await match("coup", [talker, other], seed=3, talk=True, sinks=[seen]).run()
    again = [line for line in lines_of(errors) if line["type"] == "ask" and line["mistakes"]]
    assert again
    assert again[0]["mistakes"][0]["kind"] == "illegal"
    assert again[0]["mistakes"][0]["answer"] == {}
    talk = [event for line in lines_of(tmp_path / "other") if line["type"] == "told" for event in line["events"]]
    assert {"kind": "talk", "text": 'P-0 says: "I pass, éh."', "data": {"seat": 0, "text": "I pass, éh."}} in talk
    assert "because" not in (tmp_path / "other").read_text(encoding="utf-8")
    reasons = {event.record.get("reason") for event in seen if event.record["kind"] == "attempt"}
    assert "because" in reasons


WISHING = """
    if "worlds" not in message:
        print(json.dumps({"type": "hello", "worlds": 3}), flush=True)
        continue
"""


@pytest.mark.parametrize("game", games.names())
async def test_a_program_gets_the_worlds_that_it_asks_for(game: str, tmp_path: Path) -> None:
    errors, first = tmp_path / "errors", ask_of(game, number=0, seed=2**50)
    again = replace(first, number=1, mistakes=(Mistake("illegal", "", "no"),), strikes=2)
    agent = program(copying(WISHING + GOOD), errors=errors)
    for ask in (first, again):
        assert (await agent.answer(ask, Reports())).mistake is None
    await agent.end((), None)
    hello, bare, asked, later, _ = lines_of(errors)
    for line in (hello, bare, asked, later):
        LINES.validate(line)
    assert (hello["rules_version"], asked["strikes_left"], later["strikes_left"]) == (
        games.load(game).rules_version, first.setup.options.strikes, 1,
    )  # fmt: skip
    assert "worlds" not in bare
    assert {**asked, "worlds": 0} == {**bare, "worlds": 0}
    assert [len(line["worlds"]) for line in (asked, later)] == [3, 3]
    for data in asked["worlds"]:
        world = games.load(game).from_json(data)
        assert world.view(first.seat) == first.view
        assert world.setup.seed != first.setup.seed


async def test_a_game_without_worlds_gives_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    coup = games.load("coup")
    monkeypatch.setattr(coup.state_type, "game", coup)  # a copy takes its place
    closed = replace(coup, has_worlds=False)
    monkeypatch.setattr(games, "load", lambda name: closed)
    agent = program(copying(WISHING + GOOD), errors=tmp_path / "errors")
    assert (await agent.answer(ask_of(), Reports())).mistake is None
    await agent.end((), None)
    assert lines_of(tmp_path / "errors")[2]["worlds"] == []


async def test_the_number_of_a_program_is_its_own_and_follows_from_no_small_seed(tmp_path: Path) -> None:
    drawn = []
    for number, ask in enumerate((ask_of(seed=1), ask_of(seed=1), ask_of(seed=1, players=2), ask_of(seed=2**50))):
        agent = program(copying(GOOD), errors=tmp_path / f"{number}")
        await agent.answer(ask, Reports())
        await agent.end((), None)
        drawn.append(lines_of(tmp_path / f"{number}")[0]["random"])
    assert drawn[0] == drawn[1]
    assert len({*drawn}) == 3
    assert all(0 <= one < 2**53 for one in drawn)
    assert drawn[0] != Rng.of("program", 1, 0, 5, 0).below(2**53)


async def test_a_program_that_is_started_in_the_middle_is_told_what_happened_before(tmp_path: Path) -> None:
    agent, first, later = program(copying(GOOD), errors=tmp_path / "errors"), ask_of(number=0), ask_of(number=1)
    events = games.load("coup").begin(seed=1).events
    agent.remember(replace(first, told=events), {})
    agent.remember(replace(first, told=events), {})
    await agent.answer(replace(later, told=events[:1]), Reports())
    await agent.end((), None)
    hello, told, ask, end = lines_of(tmp_path / "errors")
    assert [hello["type"], told["type"], ask["type"], end["type"]] == ["hello", "told", "ask", "end"]
    assert [event["text"] for event in told["events"]] == [event.text for event in (*events, events[0])]
    assert end["result"] is None


async def test_standard_error_goes_to_a_private_file_of_bounded_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_agent, "LONGEST_ERRORS", 1000)
    errors, script = tmp_path / "errors", "    sys.stderr.write('x' * 3000)\n"
    agent = program(f"{LOOP}{script}{GOOD}", errors=errors)
    await agent.answer(ask_of(), Reports())
    await agent.end((), None)
    kept = errors.read_text()
    assert kept.startswith("x" * 1000 + "\n[tabletop: the rest was left out]")
    assert stat.S_IMODE(errors.stat().st_mode) == 0o600


async def test_a_silent_program_leaves_no_file(tmp_path: Path) -> None:
    agent = program(f"{LOOP}{GOOD}", errors=tmp_path / "errors")
    await agent.answer(ask_of(), Reports())
    await agent.end((), None)
    assert list(tmp_path.iterdir()) == []


def test_a_program_gets_what_programs_need_and_what_the_user_names(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = {
        "PATH": "/bin",
        "HOME": "/home/ada",
        "LC_ALL": "C.UTF-8",
        "TERM": "xterm",
        "TMPDIR": "/var/tmp",
        "AWS_ACCESS_KEY_ID": "aws-canary",
        "GITHUB_PAT": "pat-canary",
        "DATABASE_URL": "postgres://ada:canary@db",
        "HTTPS_PROXY": "http://ada:canary@proxy:8080",
        "LC_CANARY_x": "c",
        "OPENROUTER_API_KEY": "or-canary-1",
        "GITHUB_TOKEN": "gh-canary-2",
        "COPY": "x or-canary-1 y",
        "MODEL_PLAYER_0": "offline",
        "MY_KEY": "mine-canary",
    }
    for name in os.environ:
        monkeypatch.delenv(name)
    for name, value in shell.items():
        monkeypatch.setenv(name, value)
    environment = Environment({**shell, "FROM_FILE": "f"}, own=frozenset({"FROM_FILE"}))
    needed = {name: shell[name] for name in ("PATH", "HOME", "LC_ALL", "TERM", "TMPDIR")} | {"PYTHONUNBUFFERED": "1"}
    assert program_environment(environment, ()) == needed
    allowed = program_environment(environment, ("MY_KEY", "FROM_FILE", "UNSET"))
    assert allowed == {**needed, "MY_KEY": "mine-canary", "FROM_FILE": "f"}


@settings(max_examples=30)
@given(st.binary(max_size=50) | st.sampled_from(STRANGE), st.integers(0, 3))
def test_any_line_is_a_reply_or_a_mistake_or_ignored(line: bytes, number: int) -> None:
    found = read_reply(line, number)
    if isinstance(found, Ignored):
        assert not line.strip() or json.loads(line)["number"] < number
    else:
        assert found.mistake is not None or json.loads(line)["number"] == number


@settings(max_examples=20)
@given(st.dictionaries(st.text(), st.integers(-(2**50), 2**50) | st.text()), st.integers(0, 9), st.text(), st.text())
def test_a_reply_that_follows_the_schema_is_read(answer: dict[str, object], number: int, say: str, reason: str) -> None:
    reply = {"number": number, "answer": answer, "say": say, "reason": reason, "more": None}
    REPLY.validate(reply)
    found = read_reply(json.dumps(reply).encode(), number)
    assert not isinstance(found, Ignored)
    assert (found.data, found.say, found.reason, found.mistake) == (answer, say, reason, None)


async def test_a_long_line_is_read_up_to_the_bound() -> None:
    size = MOST_BYTES - 200
    agent = program(f"{LOOP}    reply(number, legal[0], reason='x' * {size})\n")
    found = await asyncio.wait_for(agent.answer(ask_of(), Reports()), PATIENCE)
    await agent.end((), None)
    assert len(found.reason) == size
