"""Bot agent: a seat that a bot of the game plays."""

from __future__ import annotations

from games.core import Bot, Rng
from runner.agents.protocol import Ask, Given, Record, Report


class BotAgent:
    """A bot. Its random numbers come from the match's seed, the seat and the question, so a match can be repeated."""

    is_paid = False

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def answer(self, ask: Ask, report: Report) -> Given:
        """The bot's answer."""
        return Given(data=self._bot(ask.view, ask.answers(), Rng.of("bot", ask.setup.seed, ask.seat, ask.number)))

    def remember(self, ask: Ask, attempt: Record) -> None:
        """Do nothing: a bot decides by the view alone."""
