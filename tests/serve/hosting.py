"""A host of matches in this process, and clients that play its seats."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from jsonschema import Draft202012Validator

from games.core import Rng
from runner.agents.environment import Environment
from runner.serve.match_host import HostLimits, MatchHost
from runner.serve.match_tools import TOOLS, call


class Caller(Protocol):
    """Whatever calls the server's tools."""

    async def __call__(self, name: str, **arguments: Any) -> dict[str, Any]:
        """The structured content of a tool's result."""


@dataclass
class Hosted:
    """A host whose tools are called."""

    host: MatchHost

    async def __call__(self, name: str, **arguments: Any) -> dict[str, Any]:
        found = await call(self.host, name, arguments)
        output_of(name).validate(found)
        return found


@cache
def output_of(tool: str) -> Draft202012Validator:
    """What checks the results of a tool; its schema is checked once."""
    schema = TOOLS[tool].output_schema
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@asynccontextmanager
async def hosted(folder: Path, environment: Environment | None = None, **limits: Any) -> AsyncIterator[Hosted]:
    """A host with a folder of logs; its matches are paused in the end."""
    host = MatchHost(Environment({}) if environment is None else environment, HostLimits(folder, **limits))
    try:
        yield Hosted(host)
    finally:
        await host.close()


def answer_of(turn: dict[str, Any], rng: Rng) -> dict[str, Any]:
    """An answer by chance; words where the text is free."""
    if turn["legal"] is not None:
        return dict(rng.choice(turn["legal"]))
    return dict.fromkeys(turn["schema"]["properties"], "a quiet evening by the sea")


async def play(call: Caller, handles: dict[str, str], seed: int = 0, **said: str) -> dict[str, Any]:
    """Play all these seats to the end by chance; the result."""
    rng, waiting = Rng.of("clients", seed), list(handles.values())
    while True:
        for handle in waiting:
            turn = await call("wait_for_turn", handle=handle, seconds=0)
            if turn["status"] == "over":
                return dict(turn["result"])
            if turn["status"] == "your_turn":
                given = await call("act", handle=handle, decision=turn["decision"], answer=answer_of(turn, rng), **said)
                assert given["status"] in ("ok", "mistake")
