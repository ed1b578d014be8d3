"""Seats played by a game's own bots."""

from __future__ import annotations

from games.core import Bot, Rng
from runner.agents.protocol import Ask, Given, Record, Report


class BotAgent:
    """A bot. Its chance comes from the match's seed, the seat and the question, so that the same match is played again."""

    is_paid = False

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    async def answer(self, ask: Ask, report: Report) -> Given:
        """What the bot answers."""
        return Given(data=self._bot(ask.view, ask.answers(), Rng.of("bot", ask.setup.seed, ask.seat, ask.number)))

    def remember(self, ask: Ask, attempt: Record) -> None:
        """A bot decides by what it sees alone."""
