"""What was accepted live is accepted when the log is read, however the reply was written."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from games.core import Question
from runner.agents.model_agent import LlmAgent
from runner.agents.own_fields import unread
from runner.agents.protocol import DecisionRequest, JsonRecord
from runner.agents.settings import SeatSettings
from runner.agents.spec import Seat, parse_spec
from runner.errors import PausedError
from runner.llm.call import Attempt, OnAttempt
from runner.llm.client import Client
from runner.llm.offline import sampled
from runner.llm.outcome import Delivered, ModelMistake, ModelReply
from runner.llm.request import UNRESTRICTED, AnswerForm, Capabilities, Message, Model, Request
from runner.match.header import MatchConfig
from runner.match.loop import Match
from runner.prompting.pack import PromptPack
from runner.record.reader import read_log
from runner.record.verify import verify
from runner.record.writer import LogSink, LogWriter
from tests.llm.failures import ANSWERS, FAILURES
from tests.llm.odd_server import OddServer, Play, reply
from tests.llm.support import SCHEMA, SkippingClock
from tests.llm.support import model as model_at

Data = dict[str, Any]

SHAPES: dict[str, Callable[[Data], str]] = {
    "bare": json.dumps,
    "indented": lambda data: json.dumps(data, indent=2, ensure_ascii=False),
    "fenced": lambda data: f"```json\n{json.dumps(data)}\n```",
    "in an object": lambda data: json.dumps({"answer": data}),
    "in a list": lambda data: json.dumps([data]),
    "in a text": lambda data: json.dumps(json.dumps(data)),
    "as a call": lambda data: json.dumps({"name": "answer", "arguments": data}),
    "as a call of text": lambda data: json.dumps({"name": "answer", "arguments": json.dumps(data)}),
    "twice": lambda data: f"{json.dumps(data)}\n{json.dumps(data)}",
    "loosely": lambda data: str(data).replace("}", ",}"),
    "in a channel": lambda data: f"<|channel|>final<|message|>{json.dumps(data)}<|end|>",
    "in capitals": lambda data: json.dumps(
        {name: text.upper() if isinstance(text, str) else text for name, text in data.items()}
    ),
    "with more": lambda data: json.dumps({**data, "confidence": 0.9, "notes": "n", "say": "hm", "reason": ["r"]}),
    "with less": lambda data: json.dumps(dict(list(data.items())[:-1])),
    "own fields outside": lambda data: json.dumps({"reason": "why", "say": "a\nb", "notes": 3, "answer": data}),
}
SIDES: dict[str, Callable[[Data], str]] = {
    "prose": lambda other: "I think so. ",
    "a sum": lambda other: 'Payoffs {"tax": 3, "coup": 1} so: ',
    "a draft in a thought": lambda other: f"<think>{json.dumps(other)}</think>\n",
    "a draft in a thought of another family": lambda other: f"<musing>{json.dumps(other)}</musing>\n",
    "an open thought": lambda other: f"{json.dumps(other)} no. </think>",
    "a draft in a channel": lambda other: f"<|channel|>analysis<|message|>{json.dumps(other)}<|end|>",
    "part of a draft": lambda other: f"```json\n{json.dumps(dict(list(other.items())[:1]))}\n```\n",
    "a draft of no such value": lambda other: json.dumps(dict.fromkeys(other, "nonesuch")) + "\n",
    "another answer": lambda other: json.dumps(other) + " or ",
    "the schema": lambda other: json.dumps(SCHEMA) + "\n",
    "a broken object": lambda other: '{"x": ',
    "a lone surrogate": lambda other: "\ud83d ",
}
CALLS = 14
"""Replies of a match before it is paused."""

Pieces = tuple[list[str], str, list[str]]
PIECES = st.tuples(
    st.lists(st.sampled_from(sorted(SIDES)), max_size=2),
    st.sampled_from(sorted(SHAPES)),
    st.lists(st.sampled_from(sorted(SIDES)), max_size=1),
)
SETTINGS = st.builds(
    SeatSettings,
    help=st.sampled_from(["legal", "shape", "none"]),
    memory=st.sampled_from(["none", "notes", "summary", "full"]),
    reason=st.sampled_from(["always", "never"]),
)


class Writing:
    """A client whose model writes legal answers, most of the time, in given shapes, one after the other."""

    def __init__(self, shapes: list[Pieces]) -> None:
        self._shapes = shapes
        self._chance = random.Random(1)
        self._calls = 0

    def capabilities(self, model: Model) -> Capabilities:
        return UNRESTRICTED

    async def complete(self, request: Request, *, on_attempt: OnAttempt) -> Delivered | ModelMistake:
        answer, other = (cast(Data, sampled(request.schema, self._chance)) for _ in range(2))
        if self._calls == CALLS:
            raise PausedError("enough.")
        before, shape, after = self._shapes[self._calls % len(self._shapes)]
        self._calls += 1
        text = "".join(
            (*(SIDES[side](other) for side in before), SHAPES[shape](answer), *(SIDES[side](other) for side in after))
        )
        outcome = Delivered(ModelReply(text, model=request.model.name, is_complete=self._calls % 5 > 0))
        body: Any = request.body(UNRESTRICTED)
        await on_attempt(Attempt(1, body, request.form, UNRESTRICTED, outcome, 0.0, 0.0, 0.0))
        return outcome


class Brief(PromptPack):
    """A pack of short prompts."""

    def render(self, game: str, role: str, context: Mapping[str, object]) -> list[Message]:
        return [{"role": "system", "content": "You play."}, {"role": "user", "content": "Decide."}]

    def render_text(self, name: str, context: Mapping[str, object]) -> str:
        return "Again."


async def _played(path: Path, game: str, writing: Writing, own: SeatSettings, form: AnswerForm, talk: bool) -> None:
    rules, model = games.load(game), model_at("http://127.0.0.1:9/v1")
    setup = rules.begin(players=3, seed=4, **({"max_rounds": 2} if game == "dixiquote" else {})).setup
    agents = [LlmAgent(cast(Client, writing), model, form, Brief(), own) for _ in range(3)]
    seats = tuple(Seat(parse_spec("vendor/model"), "vendor/model", "model", own.to_json()) for _ in agents)
    config = MatchConfig(rules, setup, seats, {}, talk=talk)
    writer = LogWriter(path)
    with suppress(PausedError):
        await Match(config, agents, [LogSink(writer)]).run()
    writer.close()


@settings(max_examples=25)
@given(
    st.sampled_from(["coup", "dixiquote", "oriflamme"]),
    st.lists(PIECES, min_size=1, max_size=8),
    SETTINGS,
    st.sampled_from(AnswerForm),
    st.booleans(),
)
def test_a_reply_that_was_accepted_is_accepted_again(
    game: str, shapes: list[Pieces], own: SeatSettings, form: AnswerForm, talk: bool
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        asyncio.run(_played(path, game, Writing(shapes), own, form, talk))
        verify(read_log(path))


CORPUS = [
    *((str(one), one.plays, one.form, one.model) for one in FAILURES if one.end in ("answer", "mistake") and not one.answered),
    *((f"shape {number}", [reply(body)], form, {}) for number, (body, form, _) in enumerate(ANSWERS)),
]


@pytest.mark.parametrize(("plays", "form", "changes"), [case[1:] for case in CORPUS], ids=[case[0] for case in CORPUS])
async def test_the_fault_corpus_is_read_alike(plays: list[Play], form: AnswerForm, changes: Mapping[str, Any]) -> None:
    question = Question("Which card?", SCHEMA, "storyteller")
    ask = replace(DecisionRequest.of(games.load("dixiquote").begin(players=3, seed=4), 0), question=question)

    async def report(record: JsonRecord) -> None:
        pass

    async with OddServer(list(plays)) as server, Client(clock=SkippingClock().clock(), chance=random.Random(1)) as client:
        agent = LlmAgent(client, model_at(server.base_url, **changes), form, Brief())
        answer = await agent.answer(ask, report)
    if answer.mistake is None:
        facts = {**answer.facts, "seat": 0, "answer": answer.data, "say": answer.say, "reason": answer.reason}
        assert unread(json.loads(json.dumps(facts)), SCHEMA, {}, can_talk=False) is None
