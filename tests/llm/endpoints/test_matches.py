"""A whole match against a stand-in for each endpoint, by an agent as it comes and by one with many parameters."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

import games
from runner.agents.agent_entries import AgentEntry
from runner.agents.environment import Environment
from runner.agents.seat_kind import AgentContext
from runner.agents.spec import Named
from runner.llm.client import Client
from runner.match.events import MatchEvent
from runner.prompting.pack import PromptPack
from tests.llm.endpoints.standin import Endpoint, StandIn
from tests.llm.endpoints.table import ENDPOINTS
from tests.match.tables import bot, match

TUNED = {"temperature": 0.7, "top_p": 0.9, "seed": 7, "frequency_penalty": 0.1, "reasoning": {"effort": "low"}}


@dataclass
class Attempts:
    """The kinds of mistakes of a match."""

    mistakes: set[str] = field(default_factory=set)

    async def emit(self, event: MatchEvent) -> None:
        if event.record["kind"] == "attempt" and event.record["outcome"] == "mistake":
            self.mistakes.add(str(event.record["what"]))


@pytest.mark.parametrize("is_tuned", [False, True], ids=["plain", "tuned"])
@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=str)
async def test_match_goes_on_to_its_result(endpoint: Endpoint, is_tuned: bool) -> None:
    async with StandIn(endpoint) as server, Client() as client:
        entry = AgentEntry.model_validate(
            {
                "model": "vendor/model",
                "base_url": server.base_url,
                "openrouter": endpoint.openrouter,
                **(TUNED if is_tuned else {}),
            }
        )
        environment, game = Environment(agents={"ada": entry}), games.load("coup")
        context, spec = (
            AgentContext(game, game.begin(players=2).setup, PromptPack(), environment, client=client),
            Named("ada", None, "ada"),
        )
        agent = await spec.make(spec.settings(environment), 0, context)
        log = Attempts()
        result = await match("coup", [agent, bot("coup")], 3, sinks=[log]).run()
    assert result["winners"]
    assert len(server.refused) <= endpoint.most_refusals[is_tuned]
    assert log.mistakes <= {"illegal"}, "what is negotiated is no strike"
