"""Search agent: a seat that `bot:search` plays."""

from __future__ import annotations

import asyncio

from games.core import Action, Policy, Rng
from games.search.policy import deciding
from runner.agents.protocol import Ask, Given, Record, Report


class SearchAgent:
    """A bot that searches, one playout at a time, so that the event loop is not blocked and it can be cancelled after each."""

    is_paid = False

    def __init__(self, playouts: int, playing: Policy) -> None:
        self._playouts = playouts
        self._playing = playing

    async def answer(self, ask: Ask, report: Report) -> Given:
        """The best action by a search from a world of the seat's information set. The same match brings the same answer."""
        return Given(data=(await self._decide(ask)).to_json())

    async def _decide(self, ask: Ask) -> Action:
        keys = (ask.setup.seed, ask.seat, ask.number)
        world = ask.world(Rng.of("world", *keys))
        steps = deciding(world, ask.seat, Rng.of("bot", *keys), self._playouts, self._playing)
        while True:
            try:
                made = next(steps)
            except StopIteration as end:
                action: Action = end.value
                return action
            ask.progress(made / self._playouts)
            await asyncio.sleep(0)

    def remember(self, ask: Ask, attempt: Record) -> None:
        """Do nothing: a bot decides by the position alone."""
