"""A whole match against a stand-in for each endpoint, by an agent as it comes and by one with many parameters."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

import games
from runner.agents.agent_entries import AgentEntry
from runner.agents.environment import Environment
from runner.agents.seat_kind import AgentContext
from runner.agents.spec import Named
from runner.llm.client import Client
from runner.match.match_state import MatchEvent
from runner.match.records import ResultRecord
from runner.prompting.pack import PromptPack
from tests.llm.endpoints.standin import Endpoint, StandIn
from tests.llm.endpoints.table import ENDPOINTS, bare
from tests.match.tables import bot, match

TUNED = {"temperature": 0.7, "top_p": 0.9, "seed": 7, "frequency_penalty": 0.1, "reasoning": {"effort": "low"}}
TURNS = 3
"""Turns of a match: all that is negotiated is so in the first."""


@dataclass
class Attempts:
    """The kinds of mistakes of a match, and its replies."""

    mistakes: set[str] = field(default_factory=set)
    replies: list[dict[str, Any]] = field(default_factory=list)

    async def emit(self, event: MatchEvent) -> None:
        if event.record["kind"] != "attempt":
            return
        if event.record["outcome"] == "mistake":
            self.mistakes.add(str(event.record["what"]))
        if reply := event.record.get("reply"):
            self.replies.append({**reply, "latency": 0.0})


async def played(server: StandIn, settings: Mapping[str, object], log: Attempts) -> ResultRecord:
    """The result of a match of an agent with these settings at a stand-in."""
    entry = AgentEntry.model_validate(
        {"model": "vendor/model", "base_url": server.base_url, "openrouter": server.endpoint.openrouter, **settings}
    )
    async with Client() as client:
        environment, game = Environment(agents={"ada": entry}), games.load("coup")
        context = AgentContext(game, game.begin(players=2, max_turns=TURNS).setup, PromptPack(), environment, client=client)
        spec = Named("ada", None, "ada")
        agent = await spec.make(spec.settings(environment), 0, context)
        return await match("coup", [agent, bot("coup")], 3, sinks=[log], max_turns=TURNS).run()


@pytest.mark.parametrize("is_tuned", [False, True], ids=["plain", "tuned"])
@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=str)
async def test_match_goes_on_to_its_result(endpoint: Endpoint, is_tuned: bool) -> None:
    log = Attempts()
    async with StandIn(endpoint) as server:
        result = await played(server, TUNED if is_tuned else {}, log)
    assert result["winners"]
    assert len(server.refused) <= endpoint.most_refusals[is_tuned]
    assert log.mistakes <= {"illegal"}, "what is negotiated is no strike"


async def test_a_match_of_streams_is_the_match_of_whole_replies() -> None:
    logs = Attempts(), Attempts()
    for log, streams in zip(logs, (False, True), strict=True):
        async with StandIn(Endpoint("any", bare, {}, (0, 0))) as server:
            await played(server, {"stream": streams}, log)
        assert all(("stream" in body) == streams for body in server.bodies)
    whole, streamed = ([{**reply, "raw": json.loads(reply["raw"])} for reply in log.replies] for log in logs)
    assert whole == streamed != []
