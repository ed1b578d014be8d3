"""Ask again: puts a logged decision to a model a number of times."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

import games
from games.core import Answer
from runner.agents.environment import Settings
from runner.agents.factory import model_agent
from runner.agents.local_start import Table, start_local
from runner.agents.model_agent import LlmAgent
from runner.agents.protocol import Given, Record
from runner.agents.spec import ModelSpec, Offline
from runner.digest import canonical
from runner.errors import TabletopError
from runner.llm.budget import Budget
from runner.llm.client import Client
from runner.llm.offline import OfflineModel
from runner.prompting.pack import PromptPack
from runner.workshop.prompted_decision import PromptedDecision


@dataclass(frozen=True, slots=True)
class TrialReply:
    """One reply: its legal answer, or what was wrong; its tokens and cost."""

    answer: Answer | None
    wrong: str
    why: str
    text: str
    prompt_tokens: int
    completion_tokens: int
    cost: float
    latency: float


@dataclass(frozen=True, slots=True)
class TrialReplies:
    """All replies, and the error that stopped the rest."""

    replies: tuple[TrialReply, ...]
    stop: TabletopError | None

    def counts(self) -> list[tuple[str, int]]:
        """Each answer (canonical JSON) or kind of mistake with its count, most frequent first."""
        words = (canonical(reply.answer) if reply.answer is not None else f"({reply.wrong})" for reply in self.replies)
        return Counter(words).most_common()

    @property
    def legal(self) -> int:
        """How many replies were legal answers."""
        return sum(reply.answer is not None for reply in self.replies)


async def ask_again(
    decision: PromptedDecision,
    spec: ModelSpec,
    pack: PromptPack,
    times: int,
    settings: Settings,
    budget: float | None,
    mistakes: float,
) -> TrialReplies:
    """The replies of a model to a decision. TabletopError when not even one reply came."""
    bounded, setup = Budget(budget), decision.state.setup
    await start_local([Table(games.load(decision.log.header["game"]), setup, [spec])], pack, settings)
    async with AsyncExitStack() as stack:
        clients = []
        for number in range(times if isinstance(spec, Offline) else 1):
            client = Client(budget=bounded, offline=OfflineModel(number, mistakes))
            clients.append(await stack.enter_async_context(client))
        agents = [await model_agent(spec, pack, setup, settings, client) for client in clients]
        for agent in agents:
            for ask, record in decision.past():
                agent.remember(ask, record)
        asked = [_one(decision, agents[number % len(agents)]) for number in range(times)]
        found = await asyncio.gather(*asked, return_exceptions=True)
    replies = tuple(one for one in found if isinstance(one, TrialReply))
    stops = [one for one in found if isinstance(one, BaseException)]
    for stop in stops:
        if not isinstance(stop, TabletopError) or not replies:
            raise stop
    return TrialReplies(replies, next((stop for stop in stops if isinstance(stop, TabletopError)), None))


async def _one(decision: PromptedDecision, agent: LlmAgent) -> TrialReply:
    return _judged(decision, await agent.answer(decision.ask(), _unheard))


def _judged(decision: PromptedDecision, given: Given) -> TrialReply:
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
    return TrialReply(answer, wrong, why, given.text, *tokens, reply.get("cost") or 0.0, given.facts.get("latency") or 0.0)


async def _unheard(record: Record) -> None:
    """Do nothing: trials have no log."""


def same(one: object, replies: Sequence[TrialReply]) -> int:
    """How many of the replies are this answer."""
    return sum(reply.answer is not None and canonical(reply.answer) == canonical(one) for reply in replies)
