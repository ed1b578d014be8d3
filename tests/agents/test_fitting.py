"""Prompts that an endpoint does not take as they are: too long, or refused by a filter for what somebody else wrote."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import games
from runner.agents.conversation import LEFT_OUT
from runner.agents.model_agent import LlmAgent
from runner.agents.protocol import DecisionRequest, Mistake, TalkLine
from runner.agents.settings import DEFAULT_SETTINGS, SeatSettings
from runner.errors import AccountError, PausedError
from runner.llm.call import RetryPolicy
from runner.llm.client import Client
from runner.llm.request import AnswerForm, Model
from runner.match.loop import Match
from runner.match.match_state import MatchState
from runner.prompting.pack import PromptPack
from runner.record.reader import Log, read_log
from runner.record.verify import verify
from runner.record.writer import LogWriter
from runner.workshop.prompted_decision import prompted_decision
from tests.cli.answering import Answering
from tests.llm.odd_server import completion, error, reply
from tests.match.tables import bot, match

QUOTED = 'gave this quote: "'
NOTES = SeatSettings(memory="notes")
POLICY = RetryPolicy(first_backoff=0.01, longest_backoff=0.01)


class Choosy(Answering):
    """Answers but for requests that it takes offence at."""

    refuses: Callable[[str], bool]
    refusal: Any
    status: int | None = None

    async def answer(self, writer: asyncio.StreamWriter) -> None:
        if self.refuses(json.dumps(self.bodies[-1]["messages"], ensure_ascii=False).replace('\\"', '"')):
            await reply(self.refusal, self.status or self.refusal["error"]["code"])(writer)
        else:
            await super().answer(writer)


def choosy(refuses: Callable[[str], bool], refusal: Any) -> Choosy:
    server = Choosy()
    server.refuses, server.refusal = refuses, refusal
    return server


def seated(client: Client, url: str, log: LogWriter, settings: SeatSettings) -> Match:
    """A match of one model between two bots."""
    model = Model("small", url, "", "none", max_tokens=700)
    agent = LlmAgent(client, model, AnswerForm.STRICT_SCHEMA, PromptPack(), settings)
    played = match("dixiquote", [bot("dixiquote"), agent, bot("dixiquote")], 2, log, max_rounds=5)
    seats = list(played.config.seats)
    seats[1] = replace(seats[1], settings=settings)
    played.so_far = MatchState.new(replace(played.config, seats=tuple(seats)))
    return played


async def played(server: Answering, path: Path, settings: SeatSettings = DEFAULT_SETTINGS) -> Log:
    async with server, Client(policy=POLICY) as client:
        writer = LogWriter(path)
        try:
            await seated(client, server.base_url, writer, settings).run()
        finally:
            writer.close()
    log = read_log(path)
    assert verify(log).has_ended
    return log


def attempts(log: Log) -> list[dict[str, Any]]:
    return [record for _, record in log.of_kind("attempt") if record["seat"] == 1]


def check_rendered_again(log: Log) -> None:
    """Whoever takes the match up again words every prompt as it was sent."""
    decisions = [record["seat"] for _, record in log.of_kind("decision")]
    for at in (number for number, seat in enumerate(decisions, 1) if seat == 1):
        decision = prompted_decision(log, at)
        for attempt in range(1, len(decision.attempts) + 1):
            assert decision.messages(PromptPack(), attempt) == decision.sent(attempt)


async def test_a_past_that_does_not_fit_is_forgotten_from_its_beginning(tmp_path: Path) -> None:
    too_long = error(400, "maximum context length is 3500 tokens", error_type="context_length_exceeded")
    log = await played(choosy(lambda said: len(said) > 13_000, too_long), tmp_path / "log.jsonl", SeatSettings(memory="full"))
    found = attempts(log)
    refused = [record for record in found if record["outcome"] == "configuration"]
    assert {record["what"] for record in refused} == {"context_length"}
    bounds = [record["memory_tokens"] for record in found if "memory_tokens" in record]
    assert bounds == sorted(bounds, reverse=True)
    assert 0 < bounds[-1] < 13_000 / 4
    answered = [record for record in found if record["outcome"] == "answer"]
    assert len(log.messages(answered[-1])) > 2, "the rest of the past is still there"
    assert all(record["strike"] == 0 for record in answered)
    check_rendered_again(log)


async def test_a_prompt_that_is_too_long_by_itself_stops_the_match(tmp_path: Path) -> None:
    too_long = error(400, "maximum context length is 9 tokens", error_type="context_length_exceeded")
    with pytest.raises(AccountError, match="longer than the model's context"):
        await played(choosy(lambda said: True, too_long), tmp_path / "log.jsonl", SeatSettings(memory="full"))


@pytest.mark.parametrize("memory", ["none", "full"])
async def test_what_others_wrote_is_left_out_when_a_filter_refuses_it(memory: Any, tmp_path: Path) -> None:
    flagged = error(403, "flagged", reasons=["violence"], flagged_input="a quote")

    def offends(said: str) -> bool:
        return QUOTED in said.replace(f"{QUOTED}{LEFT_OUT}", "")

    log = await played(choosy(offends, flagged), tmp_path / "log.jsonl", SeatSettings(memory=memory))
    found = attempts(log)
    elided = [record for record in found if record.get("elided")]
    assert {record["outcome"] for record in elided} <= {"answer", "mistake"}
    assert all(f"{QUOTED}{LEFT_OUT}" in log.messages(record)[1]["content"] for record in elided)
    assert {record["what"] for record in found if record["outcome"] == "infrastructure"} == {"input_moderated"}
    check_rendered_again(log)


@pytest.mark.parametrize("first", [0, 1], ids=["from the start", "after an answer"])
@pytest.mark.parametrize("status", [400, 403])
async def test_words_of_others_that_are_refused_for_no_known_reason_stop_no_match(
    status: int, first: int, tmp_path: Path
) -> None:
    def offends(said: str) -> bool:
        return QUOTED in said.replace(f"{QUOTED}{LEFT_OUT}", "") and len(server.bodies) > first

    server = choosy(offends, error(status, "Anfrage abgelehnt"))
    log = await played(server, tmp_path / "log.jsonl")
    found = attempts(log)
    assert any(record.get("elided") for record in found)
    assert not any(record.get("learnt") for record in found if record["outcome"] in ("answer", "mistake")), "nothing was learnt"
    check_rendered_again(log)


def offends(said: str) -> bool:
    return QUOTED in said.replace(f"{QUOTED}{LEFT_OUT}", "")


SHORT_FILTER = {"error": {"code": "content_filter", "param": "prompt", "message": "filtered"}}
UNKNOWN_FILTER = {"error": {"code": "invalid_request_error", "message": "Anfrage abgelehnt", "param": None}}


@pytest.mark.parametrize(("refusal", "times"), [(SHORT_FILTER, 2), (UNKNOWN_FILTER, 1)], ids=["named", "unnamed"])
async def test_a_filter_on_what_others_wrote_is_no_strike_and_costs_no_ladder(refusal: Any, times: int, tmp_path: Path) -> None:
    server = choosy(offends, {"error": {**refusal["error"]}})
    server.status = 400
    log = await played(server, tmp_path / "log.jsonl")
    found = attempts(log)
    first = next(place for place, record in enumerate(found) if record.get("elided"))
    assert [record["outcome"] for record in found[:first]].count("answer") + times == first
    assert not any(record["outcome"] == "mistake" for record in found)
    assert {record["form"] for record in found} == {"strict_schema"}


async def test_a_form_that_is_refused_without_a_reason_hides_nobodys_words(tmp_path: Path) -> None:
    server = choosy(offends, UNKNOWN_FILTER)
    server.status, server.refuses = 400, lambda said: "response_format" in server.bodies[-1]
    log = await played(server, tmp_path / "log.jsonl")
    found = [record for record in attempts(log) if record["outcome"] == "answer"]
    assert {record["form"] for record in found} <= {"tool", "text"}
    assert not any(record.get("elided") for record in found)
    assert any(offends(log.messages(record)[-1]["content"]) for record in found)


async def test_a_right_that_is_missing_stops_a_match_with_others_words_too(tmp_path: Path) -> None:
    with pytest.raises(AccountError, match="access to this model was refused"):
        await played(choosy(lambda said: QUOTED in said, error(403, "no")), tmp_path / "log.jsonl")


async def test_words_and_form_may_both_be_to_blame(tmp_path: Path) -> None:
    server = choosy(offends, UNKNOWN_FILTER)
    server.status, server.refuses = 400, lambda said: offends(said) or "response_format" in server.bodies[-1]
    log = await played(server, tmp_path / "log.jsonl")
    found = [record for record in attempts(log) if record["outcome"] == "answer"]
    assert any(record.get("elided") for record in found)
    assert {record["form"] for record in found} <= {"tool", "text"}


@pytest.mark.parametrize("reason", ["length", "stop"])
async def test_a_thought_that_took_the_limit_is_told_so_where_the_total_alone_shows_it(reason: str, tmp_path: Path) -> None:
    usage = {"prompt_tokens": 1500, "completion_tokens": 0, "total_tokens": 1500 + 694}
    server = choosy(lambda said: False, None)
    server.plays = [reply(completion(None, choice={"finish_reason": reason}, usage=usage))]
    log = await played(server, tmp_path / "log.jsonl")
    first, second = attempts(log)[:2]
    assert (first["outcome"], first["what"]) == ("mistake", "reasoning_exhausted")
    assert first["charged_tokens"] == 1500 + 694
    assert "Thinking took all of the 700 tokens" in log.messages(second)[-1]["content"]


async def test_what_was_refused_once_is_not_sent_again() -> None:
    """In the table talk, in an own answer, in own notes."""
    asked = DecisionRequest.of(games.load("coup").begin(3, 1), 0)
    server = choosy(lambda said: "BAD" in said, error(400, "Anfrage abgelehnt"))
    mistake = Mistake("illegal", "BAD", "No.", "No.", {"action": "BAD"})
    talk = (TalkLine(1, "so BAD"), TalkLine(2, "hm"))
    async with server, Client(policy=POLICY) as client:
        model = Model("small", server.base_url, "", "none")
        agent = LlmAgent(client, model, AnswerForm.TEXT, PromptPack(), NOTES)
        agent.remember(asked, {"notes": "P-1 says BAD", "reply": {"text": ""}})
        for mistakes in ((), (mistake,)):
            ask = replace(asked, talk=talk, can_talk=True, mistakes=mistakes)
            assert (await agent.answer(ask, unheard)).data
        count = len(server.bodies)
        await agent.answer(replace(asked, number=1, talk=(TalkLine(1, "so BAD"), TalkLine(0, "new"))), unheard)
    texts = [message["content"] for message in server.bodies[-1]["messages"]]
    assert any('"new"' in text for text in texts)
    assert len(server.bodies) == count + 1


@pytest.mark.parametrize("memory", ["notes", "full"])
def test_another_player_of_the_seat_gets_no_notes_and_no_reasons(memory: Any) -> None:
    state = games.load("coup").begin(3, 1)
    reply = {"text": '{"reason": "SECRET", "action": "income", "notes": "SECRET"}'}
    attempt = {"answer": {"action": "income"}, "notes": "SECRET", "reply": reply}
    said = {}
    for name in ("small", "other"):
        model = Model("small", "http://x.invalid", "", "none")
        agent = LlmAgent(Client(), model, AnswerForm.TEXT, PromptPack(), SeatSettings(memory=memory))
        agent.remember(DecisionRequest.of(state, 0), {**attempt, "request": {"model": name}})
        ask = DecisionRequest.of(state, 0, 1)
        said[name] = "\n".join(message["content"] for message in agent.messages(ask, agent.question(ask)))
    assert "SECRET" in said["small"]
    assert "SECRET" not in said["other"]
    assert ('\n{"action": "income"}\n' in said["other"]) == (memory == "full")


async def unheard(record: dict[str, Any]) -> None:
    """Log nothing."""


async def test_a_filter_that_refuses_all_the_same_pauses_the_match(tmp_path: Path) -> None:
    flagged = error(403, "flagged", reasons=["violence"], flagged_input="a quote")
    with pytest.raises(PausedError, match="flagged"):
        await played(choosy(lambda said: True, flagged), tmp_path / "log.jsonl")


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (Mistake("illegal", "hm", "It has to be one of a, b.", "No.", {"card": "z"}), ['{"card": "z"} is not legal: It has']),
        (Mistake("unreadable", "x" * 500 + " the end", "no JSON object"), ["could not be read: no JSON object", 'the end"']),
        (Mistake("truncated", '{"card": "', "cut off"), ["a reply may take 700 tokens", "at most 350"]),
        (Mistake("reasoning_exhausted", "", "no answer was left"), ["all of the 700 tokens", "at most 350"]),
        (Mistake("refused", "I'm sorry", "the answer is a refusal"), ["a refusal and not an answer"]),
        (Mistake("empty", "", "the answer is empty"), ["That answer was empty"]),
    ],
    ids=lambda value: value.kind if isinstance(value, Mistake) else "",
)
def test_being_asked_again_says_what_went_wrong(mistake: Mistake, said: list[str]) -> None:
    state = games.load("dixiquote").begin(3, 1)
    model = Model("small", "http://x.invalid", "", "none", max_tokens=700)
    agent = LlmAgent(Client(), model, AnswerForm.STRICT_SCHEMA, PromptPack())
    asked = DecisionRequest.of(state, 0)
    ask = DecisionRequest(
        **{name: getattr(asked, name) for name in DecisionRequest.__slots__ if name != "mistakes"}, mistakes=(mistake,)
    )
    told = agent.messages(ask, agent.question(ask))[-1]["content"]
    assert [words for words in said if words not in told] == [], told
    assert "invalid answer 1 of 3" in told
