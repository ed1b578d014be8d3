"""Bot agent: a seat that a policy of the game plays."""

from __future__ import annotations

from games.core import Policy, Rng
from runner.agents.protocol import Ask, Given, Record, Report


class BotAgent:
    """A bot. Its random numbers come from the match's seed, the seat and the question, so a match can be repeated."""

    is_paid = False

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    async def answer(self, ask: Ask, report: Report) -> Given:
        """The policy's answer in a world drawn from the seat's information set: the policy never gets the state itself."""
        keys = (ask.setup.seed, ask.seat, ask.number)
        world = ask.world(Rng.of("world", *keys))
        return Given(data=self._policy(world, ask.seat, Rng.of("bot", *keys)).to_json())

    def remember(self, ask: Ask, attempt: Record) -> None:
        """Do nothing: a bot decides by the position alone."""
