"""One match by every door: the same spec through command, plan, MCP and Python has the same header and the same course."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import runner.api
from runner.agents.environment import Environment
from runner.api import Log, read_log
from runner.match.header import HeaderRecord
from runner.serve.match_host import HostLimits, MatchHost
from runner.serve.match_tools import call
from tests.cli.command import tabletop

SEATS = ("ada=offline", "bob=bot:steady", "carl=bot:random")
SETTING: dict[str, Any] = {
    "seed": 41,
    "rules": "house",
    "strikes": 2,
    "hopeless": 3,
    "ask": "sequential",
    "ask_forced": True,
    "mistakes": 0.25,
    "reason": "never",
    "choices": "shuffled",
    "policy": True,
    "talk": True,
    "skin": "neutral",
}
OPTIONS = {"max_turns": 9, "draft": True}
OWN = ("match", "created", "package")
"""What is drawn anew, or is of the moment."""


def by_python(folder: Path) -> Path:
    path = folder / "python.jsonl"
    runner.api.play("coup", SEATS, log=path, **SETTING, **OPTIONS)
    return path


def by_command(folder: Path) -> Path:
    words = [word for seat in SEATS for word in ("--seat", seat)]
    for name, value in {**SETTING, **OPTIONS}.items():
        flag = f"--{name.replace('_', '-')}"
        words += [flag] if value is True else [flag, str(value)]
    done = tabletop(folder, "play", "coup", *words, "--log", "command.jsonl", "-q")
    assert done.returncode == 0, done.stderr
    return folder / "command.jsonl"


def by_plan(folder: Path) -> Path:
    """The match of a tournament with the same deal and order of seats."""
    agents = "".join(f"{name} = {json.dumps(spec)}\n" for name, spec in (seat.split("=") for seat in SEATS))
    shared = {name: value for name, value in SETTING.items() if name not in ("rules",)}
    table = {"name": "coup", "players": 3, "rules": SETTING["rules"], "deals": 1}
    plan = [_toml({**shared, "deal_seeds": "consecutive"}), "[[games]]", _toml(table), "[games.options]", _toml(OPTIONS)]
    (folder / "plan.toml").write_text("\n".join([*plan, "[agents]", agents]), encoding="utf-8")
    done = tabletop(folder, "tournament", "plan.toml", "-q", "-o", "plan")
    assert done.returncode == 0, done.stderr
    names = [seat.partition("=")[0] for seat in SEATS]
    logs = sorted((folder / "plan").rglob("*.jsonl"))
    return next(path for path in logs if [seat["name"] for seat in read_log(path).header["seats"]] == names)


def _toml(values: Mapping[str, Any]) -> str:
    return "\n".join(f"{name} = {json.dumps(value)}" for name, value in values.items())


async def by_mcp(folder: Path, course: Log) -> Path:
    """The match of a client in seat P-1, which answers as that seat did in another log."""
    answers = iter([record["action"] for record in course.decisions if record["seat"] == 1])
    host = MatchHost(Environment(), HostLimits(folder / "mcp"))
    try:
        seats = [SEATS[0], "bob=mcp", SEATS[2]]
        begun: Any = await call(host, "new_match", {"game": "coup", "seats": seats, "options": OPTIONS, **SETTING})
        handle = begun["handles"]["P-1"]
        while (turn := await call(host, "wait_for_turn", {"handle": handle}))["status"] == "your_turn":
            answer = {"handle": handle, "decision": turn["decision"], "answer": next(answers)}
            assert (await call(host, "act", answer))["status"] == "ok"
    finally:
        await host.close()
    return Path(begun["log"])


@pytest.fixture(scope="module")
def command_log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    return read_log(by_command(tmp_path_factory.mktemp("command")))


def played(header: HeaderRecord) -> dict[str, Any]:
    return {name: value for name, value in header.items() if name not in OWN}


def course(log: Log) -> Iterator[tuple[Any, ...]]:
    """The decisions of a log, with how they were made."""
    return ((record["seat"], record["action"], record["how"], record["digest"]) for record in log.decisions)


@pytest.mark.parametrize("door", [by_python, by_plan])
def test_a_spec_is_the_same_match_by_every_door(door: Any, tmp_path: Path, command_log: Log) -> None:
    log = read_log(door(tmp_path))
    assert played(log.header) == played(command_log.header)
    assert list(course(log)) == list(course(command_log))
    assert log.result == command_log.result


async def test_a_client_begins_the_same_match(tmp_path: Path, command_log: Log) -> None:
    log = read_log(await by_mcp(tmp_path, command_log))
    here, there = played(log.header), played(command_log.header)
    assert [seats.pop(1) for seats in (here["seats"], there["seats"])] == [
        {"spec": "mcp", "name": "bob", "kind": "mcp"},
        {"spec": "bot:steady", "name": "bob", "kind": "bot"},
    ]
    assert here == there
    assert list(course(log)) == list(course(command_log))
