"""Telling the user which parameters the endpoints of a match do not take."""

from __future__ import annotations

from collections.abc import Sequence

from runner.agents.protocol import Agent
from runner.screen.consoles import narration
from runner.screen.safe_text import clean


class LeftOut:
    """Says what is left out of requests, each parameter once; what an endpoint turns out to refuse is said later."""

    def __init__(self, agents: Sequence[Agent]) -> None:
        self._agents = agents
        self._said: set[tuple[str, str]] = set()

    def tell(self) -> None:
        """Say what has not been said yet, one line a model."""
        from runner.agents.model_agent import LlmAgent

        for agent in self._agents:
            if isinstance(agent, LlmAgent):
                fresh = [name for name in agent.left_out if (agent.name, name) not in self._said]
                self._said |= {(agent.name, name) for name in fresh}
                if fresh:
                    words = f"Note: the endpoint of {clean(agent.name)} does not take {', '.join(map(clean, fresh))}: left out."
                    narration().print(words, soft_wrap=True)
