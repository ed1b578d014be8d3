"""Matches set up for tests: agents with known habits, the log in memory or in a file."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import games
from games.core import Rng
from runner.agents.bot_seats import BotAgent
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Mistake, Report
from runner.agents.spec import Seat, parse_spec
from runner.errors import PausedError
from runner.match.header import MatchConfig
from runner.match.loop import Match
from runner.match.match_state import Sink
from runner.record.writer import LogSink, LogWriter


class Illegal(Agent):
    """Always gives what is against the rules."""

    needs_sync = False

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        data = {name: "nonesuch" if "enum" in field else "" for name, field in ask.question.schema["properties"].items()}
        return AgentReply(data=data, text=str(data))


class Unreadable(Agent):
    """Never gives an answer that can be read."""

    needs_sync = False

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        return AgentReply(mistake=Mistake("unreadable", "hmm", "there is no JSON object in the answer"), text="hmm")


class Failing(Agent):
    """Never gets an answer through."""

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        for number in (1, 2):
            await report({"try": number, "outcome": "infrastructure", "what": "no_connection", "why": "no server"})
        raise PausedError("no server answered.")


class Erring(Agent):
    """A bot that goes wrong in a share of its answers, and answers out of turn order."""

    needs_sync = False

    def __init__(self, bot: Agent, share: float) -> None:
        self._bot = bot
        self._share = share

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        chance = Rng.of("erring", ask.setup.seed, ask.seat, ask.number, len(ask.mistakes))
        for _ in range(chance.below(4)):
            await asyncio.sleep(0)
        return await (Illegal() if chance.random() < self._share else self._bot).answer(ask, report)


def bot(game: str, name: str = "random") -> BotAgent:
    return BotAgent(games.load(game).bots[name])


def match(
    game: str,
    agents: Sequence[Agent],
    seed: int = 0,
    log: Path | LogWriter | None = None,
    sinks: Sequence[Sink] = (),
    **options: Any,
) -> Match:
    """A match of these agents. `ask`, `ask_forced`, `hopeless`, `plays_on` and `talk` are taken from the options."""
    how = {name: options.pop(name) for name in ("ask", "ask_forced", "hopeless", "plays_on", "talk") if name in options}
    rules = games.load(game)
    setup = rules.begin(players=len(agents), seed=seed, **options).setup
    seats = tuple(Seat(parse_spec(type(agent).__name__), type(agent).__name__, "test", {}) for agent in agents)
    config = MatchConfig(rules, setup, seats, {}, **how)
    writer = LogWriter(log) if isinstance(log, Path) else log
    return Match(config, agents, [*([LogSink(writer)] if writer else []), *sinks])
