"""Stand-ins for models that give a reason with every answer and talk at the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from tests.match.tables import bot

REASONS = (
    "Two Dukes are face up, so the third claim is most likely a bluff. I hold back all the same: a wrong challenge costs a "
    "card, and I can still win the long way. The player to my left has the most coins and no reason to attack me now. If the "
    "next turn goes as I expect, I take the lead without showing anything, and then I can afford to be wrong once.",
    "The safe move is enough here.",
    "I count what is left: four of eight are gone, two are in my hand, so one of the others must have the last one. Nobody has "
    "asked for it yet, which says something about who has it.",
)
LINES = (
    "Nobody believes that.",
    "",
    "You never had one, and the whole table knows it by now.",
    "",
    "I am only here for the coins.",
)


class Talker(Agent):
    """A bot that gives reasons and talks; `reasons` and `lines` are used in turn, an empty line is silence."""

    needs_sync = False

    def __init__(self, agent: Agent, reasons: Sequence[str] = REASONS, lines: Sequence[str] = LINES) -> None:
        self._agent = agent
        self._reasons = reasons
        self._lines = lines

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        given = await self._agent.answer(ask, report)
        said = self._lines[ask.number % len(self._lines)] if ask.can_talk else ""
        return replace(given, reason=self._reasons[ask.number % len(self._reasons)], say=said)


def talkers(game: str, players: int) -> list[Agent]:
    """This number of agents, which play at random."""
    return [Talker(bot(game)) for _ in range(players)]
