"""Putting a logged decision to a model again, a number of times."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

from runner.agents.environment import Settings
from runner.agents.factory import model_agent
from runner.agents.model_agent import LlmAgent
from runner.agents.protocol import Given, Record
from runner.agents.spec import ModelSpec, Offline
from runner.digest import canonical
from runner.errors import TabletopError
from runner.llm.budget import Budget
from runner.llm.client import Client
from runner.llm.offline import OfflineModel
from runner.prompting.pack import PromptPack
from runner.workshop.logged_decision import LoggedDecision


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply: the legal answer it stands for, or what was wrong with it; its tokens and cost."""

    answer: dict[str, Any] | None
    wrong: str
    why: str
    text: str
    prompt_tokens: int
    completion_tokens: int
    cost: float
    latency: float


@dataclass(frozen=True, slots=True)
class Replies:
    """All replies that came, and what stopped the rest."""

    replies: tuple[Reply, ...]
    stop: TabletopError | None

    def counts(self) -> list[tuple[str, int]]:
        """Each answer (canonical JSON) or kind of mistake with how often it came, the most frequent first."""
        words = (canonical(reply.answer) if reply.answer is not None else f"({reply.wrong})" for reply in self.replies)
        return Counter(words).most_common()

    @property
    def legal(self) -> int:
        """How many replies were legal answers."""
        return sum(reply.answer is not None for reply in self.replies)


async def ask_again(
    decision: LoggedDecision,
    spec: ModelSpec,
    pack: PromptPack,
    times: int,
    settings: Settings,
    budget: float | None,
    mistakes: float,
) -> Replies:
    """The replies of a model to a decision. TabletopError when it cannot be asked at all."""
    bounded = Budget(budget)
    async with AsyncExitStack() as stack:
        clients = []
        for number in range(times if isinstance(spec, Offline) else 1):
            client = Client(budget=bounded, offline=OfflineModel(number, mistakes))
            clients.append(await stack.enter_async_context(client))
        agents = [await model_agent(spec, pack, decision.state.setup, settings, client) for client in clients]
        for agent in agents:
            for ask, record in decision.past():
                agent.remember(ask, record)
        asked = [_one(decision, agents[number % len(agents)]) for number in range(times)]
        found = await asyncio.gather(*asked, return_exceptions=True)
    replies = tuple(one for one in found if isinstance(one, Reply))
    stops = [one for one in found if isinstance(one, BaseException)]
    for stop in stops:
        if not isinstance(stop, TabletopError) or not replies:
            raise stop
    return Replies(replies, next((stop for stop in stops if isinstance(stop, TabletopError)), None))


async def _one(decision: LoggedDecision, agent: LlmAgent) -> Reply:
    return _judged(decision, await agent.answer(decision.ask(), _unheard))


def _judged(decision: LoggedDecision, given: Given) -> Reply:
    answer, wrong, why = None, "", ""
    if given.mistake is not None:
        wrong, why = given.mistake.kind, given.mistake.why
    else:
        read = decision.canonical(given.data)
        if isinstance(read, str):
            wrong, why = "illegal", read
        else:
            answer = read
    reply = given.facts.get("reply") or {}
    usage = reply.get("usage") or {}
    tokens = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
    return Reply(answer, wrong, why, given.text, *tokens, reply.get("cost") or 0.0, given.facts.get("latency") or 0.0)


async def _unheard(record: Record) -> None:
    """Trials have no log."""


def same(one: Any, replies: Sequence[Reply]) -> int:
    """How many of the replies are this answer."""
    return sum(reply.answer is not None and canonical(reply.answer) == canonical(one) for reply in replies)
