"""Matches whose players write reasons and talk, and stand-ins on loopback for models that judge their claims."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

from games.coup.actions import BLOCKER, CLAIM
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from tests.agents.knowing import endpoint
from tests.match.tables import bot
from tests.record.matches import played

CARDS = re.compile(r"My cards: ([A-Za-z, ]+)\.")
CLAIMED = re.compile(r'claims: "(\w+)"')


class Saying(Agent):
    """A bot that writes its cards as the reason of each decision, and with `talk` says that it has what it claims."""

    needs_sync = False

    def __init__(self, talk: bool = True, suffix: str = "") -> None:
        self._bot, self._talk, self._suffix = bot("coup"), talk, suffix

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        reply = await self._bot.answer(ask, report)
        data: Any = reply.data
        what = CLAIM.get(data["action"]) if "action" in data else BLOCKER.get(data.get("response", ""))
        cards = ask.view["own"]["cards"]
        admits = f"I do not have a {what}. " if what and what not in cards else ""
        reason = f"{admits}My cards: {', '.join(cards)}. Decision {ask.number}.{self._suffix}"
        say = f"I have the {what}.{self._suffix}" if what and self._talk else ""
        return replace(reply, reason=reason, say=say)


async def folder_of(folder: Path, seeds: range, talk: bool = True, suffix: str = "") -> Path:
    """Matches of Coup with three such players, each on a deal of its own."""
    for seed in seeds:
        agents = [Saying(talk, suffix) for _ in range(3)]
        await played(folder / f"{seed}.jsonl", "coup", agents, seed, talk=talk, max_turns=6)
    return folder


Mind = Callable[[str, str], object]
"""The text that a stand-in answers to a system and a user message; a number is a percentage of bluff."""


def truthful(system: str, user: str) -> object:
    """Certain, and right, where the cards are in the text; otherwise without an opinion."""
    cards, claimed = CARDS.search(user), CLAIMED.search(user)
    if cards is None or claimed is None:
        return 50
    return 0 if claimed[1] in cards[1] else 100


def inverted(system: str, user: str) -> object:
    said = truthful(system, user)
    return 100 - said if isinstance(said, int) else said


def random(system: str, user: str) -> object:
    """A percentage drawn from the message and a fixed seed."""
    return int.from_bytes(hashlib.sha256(f"seed 4 {user}".encode()).digest()[:4], "big") % 101


class StandIn:
    """An endpoint on loopback. It keeps the messages that it was sent; from request number `fails_from` on it has no
    credit. It flags messages with the text `refuses`."""

    def __init__(self, mind: Mind, fails_from: int | None = None, cost: float | None = 0.001) -> None:
        self.mind, self.fails_from, self.cost = mind, fails_from, cost
        self.asked: list[dict[str, Any]] = []
        self.lock = Lock()
        self.url = self.refuses = ""

    @property
    def prompts(self) -> list[str]:
        """The messages of each request as one text."""
        return ["\n".join(message["content"] for message in body["messages"]) for body in self.asked]

    def reply(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        with self.lock:
            self.asked.append(body)
            number = len(self.asked)
        if self.fails_from is not None and number >= self.fails_from:
            return 402, {"error": {"message": "no credit is left", "code": 402}}
        if self.refuses and self.refuses in str(body["messages"]):
            return 403, {"error": {"message": "Your input was flagged.", "code": 403, "metadata": {"reasons": ["lies"]}}}
        messages = {message["role"]: message["content"] for message in body["messages"]}
        found = self.mind(messages["system"], messages["user"])
        text = found if isinstance(found, str) else json.dumps({"bluff": found})
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        sent = len(json.dumps(body)) // 4
        usage: dict[str, Any] = {"prompt_tokens": sent, "completion_tokens": 10, "total_tokens": sent + 10}
        usage |= {} if self.cost is None else {"cost": self.cost}
        shared = {"id": f"gen-{number}", "object": "chat.completion", "created": 0, "model": body["model"]}
        return 200, {**shared, "choices": [choice], "usage": usage}


@contextmanager
def served(stand_in: StandIn) -> Iterator[StandIn]:
    """The stand-in at an address on loopback."""
    with endpoint(stand_in.reply) as (stand_in.url, _):
        yield stand_in
