"""Knowing whose fault it is when a match has to stop."""

from __future__ import annotations

from runner.agents.protocol import Agent, Ask, Given, Record, Report
from runner.errors import TabletopError


class Blamed:
    """An agent that leaves its name on the error when it stops a match."""

    def __init__(self, agent: Agent, name: str) -> None:
        self.is_paid = agent.is_paid
        self._agent = agent
        self._name = name

    async def answer(self, ask: Ask, report: Report) -> Given:
        """What the agent answers."""
        try:
            return await self._agent.answer(ask, report)
        except TabletopError as error:
            blame(error, self._name)
            raise

    def remember(self, ask: Ask, attempt: Record) -> None:
        """Pass it on."""
        self._agent.remember(ask, attempt)


def blame(error: BaseException, name: str) -> None:
    """Note whose fault an error is, unless it is known."""
    if culprit(error) is None:
        error.__dict__["culprit"] = name


def culprit(error: BaseException) -> str | None:
    """Whose fault an error is; None when it is nobody's."""
    found: str | None = error.__dict__.get("culprit")
    return found
