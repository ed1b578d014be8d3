"""Every field of a reply, of its headers and of an endpoint's lists changed: no crash, no reply lost, no wrong sum."""

from __future__ import annotations

import asyncio
import json
import math
import os
import random
import time
from pathlib import Path
from typing import Any

from runner.agents.model_agent import LlmAgent
from runner.agents.settings import SeatSettings
from runner.errors import TabletopError
from runner.llm.budget import Prices
from runner.llm.client import Client
from runner.llm.model_list import credit, entries
from runner.llm.offline import OfflineModel
from runner.llm.strict_json import loose_json
from runner.llm.wire import replies
from runner.llm.wire.exchange import Exchange
from runner.prompting.pack import PromptPack
from runner.record.reader import read_log
from runner.record.verify import verify
from tests.llm.odd_server import GOOD_ANSWER, OddServer
from tests.llm.odd_values import KEY_FACTS, MODEL_LIST, OddReply, odd_document, odd_reply, written
from tests.llm.support import SkippingClock, model
from tests.match.tables import bot, match

MANY = 500 if "TABLETOP_CAMPAIGN" in os.environ else 1
"""How many times more there is of everything; `make campaign` does it for long."""

EXCHANGE_BODY = {"model": "vendor/model", "messages": [], "max_tokens": 100, "temperature": 1, "response_format": {}}


def test_every_reply_has_an_outcome() -> None:
    exchange = Exchange(model("http://127.0.0.1/v1"), EXCHANGE_BODY, 1200, 0.1, time.time(), Prices(1e-6, 1e-6))
    for seed in range(600 * MANY):
        played = odd_reply(random.Random(seed))
        outcome = replies.classify(played.status, played.headers, played.body(GOOD_ANSWER).decode(), exchange)
        record = json.dumps([getattr(outcome, "why", ""), outcome.reply and outcome.reply.to_json()], allow_nan=False)
        record.encode()
        assert all(math.isfinite(getattr(outcome, name, None) or 0) for name in ("retry_after", "until")), seed
        if is_charged(played):
            assert outcome.reply is not None, seed
            assert outcome.reply.cost == played.costs, seed


def is_charged(played: OddReply) -> bool:
    """Whether the reply is a JSON object with status 200 that says what it costs."""
    try:
        document = loose_json(played.body(GOOD_ANSWER).decode())
    except ValueError:
        return False
    return played.status == 200 and played.costs is not None and isinstance(document, dict)


def test_every_list_of_models_and_every_credit_can_be_read() -> None:
    for seed in range(600 * MANY):
        chance = random.Random(seed)
        for entry in entries(written(odd_document(MODEL_LIST, chance))):
            prices = entry.prices or Prices(0, 0)
            assert 0 <= prices.cost(1000, 1000, 10) < math.inf, seed
            assert 0 < (entry.context_length or 1) < 10**9, seed
            f"{entry.name}{entry.title}{entry.supported}".encode()
        found = credit(written(odd_document(KEY_FACTS, chance)))
        assert found in (None, math.inf) or math.isfinite(found), seed


class OddlyAnswering(OddServer):
    """Answers by the schema, in replies with changed fields; now and then as it should, so that matches proceed."""

    def __init__(self, seed: int) -> None:
        super().__init__(after=self.play)
        self.chance = random.Random(seed)
        self.costs: list[float | None] = []

    async def play(self, writer: asyncio.StreamWriter) -> None:
        asked = json.dumps(self.bodies[-1]).encode()
        found = json.loads(OfflineModel(1).handle("POST", "/chat/completions", {}, asked).body)
        message = found["choices"][0]["message"]
        played = odd_reply(self.chance)
        body = played.body(message["content"] or message["tool_calls"][0]["function"]["arguments"])
        self.costs.append(played.costs if is_charged(played) else None)
        lines = {"content-type": "application/json", **played.headers, "content-length": str(len(body))}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        writer.write(f"HTTP/1.1 {played.status} X\r\n{head}\r\n".encode("latin-1") + body)
        await writer.drain()


async def test_a_match_logs_and_counts_every_reply(tmp_path: Path) -> None:
    for seed in range(5 * MANY):
        async with OddlyAnswering(seed) as server:
            server.pages = {"/models": written(odd_document(MODEL_LIST, random.Random(seed)))}
            spent = await played(server, tmp_path / f"{seed}.jsonl", seed)
        attempts = logged(tmp_path / f"{seed}.jsonl")
        assert len(attempts) == len(server.bodies), seed
        assert spent == sum(attempt["charged"] or 0.0 for attempt in attempts), seed
        wanted = [(cost, attempt["charged"]) for cost, attempt in zip(server.costs, attempts, strict=True) if cost is not None]
        assert all(cost == charged for cost, charged in wanted), seed
        if server.bodies:
            verify(read_log(tmp_path / f"{seed}.jsonl"))


async def played(server: OddServer, path: Path, seed: int) -> float:
    """Play until the match ends or pauses; what its client has spent."""
    of = model(server.base_url, time_limit=2.0, speaks_openrouter=True)
    async with Client(clock=SkippingClock().clock(), chance=random.Random(seed)) as client:
        try:
            form = await client.choose_form(of)
            agent = LlmAgent(client, of, form, PromptPack(), SeatSettings())
            await match("coup", [agent, bot("coup")], seed, path).run()
        except TabletopError as stop:
            str(stop).encode()
        return client.budget.spent_usd


def logged(path: Path) -> list[dict[str, Any]]:
    """The attempts in a log that made a request."""
    if not path.exists():
        return []
    return [record for _, record in read_log(path).of_kind("attempt") if record.get("request")]
