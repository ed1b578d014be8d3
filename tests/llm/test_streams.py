"""Replies that come as server-sent events: read as the whole replies that they add up to, or not at all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import pytest

from runner.llm.budget import Budget, Prices
from runner.llm.client import Client
from runner.llm.negotiation import learnt_from_json, learnt_to_json
from runner.llm.outcome import AccountProblem, Delivered, Infrastructure, ModelMistake, ModelReply, Outage
from runner.llm.request import AnswerForm
from tests.llm.odd_server import GOOD_ANSWER, OddServer, Play, completion, error, reply
from tests.llm.support import KEY, Asked, ask, ask_with, model, request
from tests.patience import PATIENCE

USAGE = {"prompt_tokens": 300, "completion_tokens": 12, "total_tokens": 312}
ONLY = "This model only support stream mode, please enable the stream parameter to access the model. "
DONE = "data: [DONE]\n\n"


def chunk(delta: Mapping[str, Any] | None = None, reason: str | None = None, **fields: Any) -> dict[str, Any]:
    """A chunk with a delta, and the reason for its end where it is the last of its choice."""
    choice = {"index": 0, "delta": {} if delta is None else delta, "finish_reason": reason}
    return {"id": "gen-1", "object": "chat.completion.chunk", "model": "vendor/model", "choices": [choice], **fields}


def last(usage: Mapping[str, Any] = USAGE) -> dict[str, Any]:
    return chunk() | {"choices": [], "usage": usage}


def said(text: str = GOOD_ANSWER, size: int = 4) -> list[dict[str, Any]]:
    """The chunks of an answer, without an end."""
    pieces = [text[place : place + size] for place in range(0, len(text), size)]
    return [chunk({"role": "assistant", "content": ""}), *(chunk({"content": piece}) for piece in pieces)]


GOOD = [*said(), chunk(reason="stop"), last()]


def events(chunks: Sequence[Mapping[str, Any]], end: str = DONE) -> str:
    return "".join(f"data: {json.dumps(one)}\n\n" for one in chunks) + end


def sse(text: str, *, cut: bool = False, ends: bool = True) -> Play:
    """A stream of events. `cut`: its connection breaks after them; without `ends` it stays open."""

    async def play(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 X\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
        raw = text.encode()
        for part in (raw[: len(raw) // 2], raw[len(raw) // 2 :]):
            writer.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
            await writer.drain()
        if cut:
            writer.close()
        elif ends:
            writer.write(b"0\r\n\r\n")

    return play


async def streamed(*plays: Play, form: AnswerForm = AnswerForm.STRICT_SCHEMA, budget: Budget | None = None, **of: Any) -> Asked:
    """A call of an agent that streams; later attempts get whole replies."""
    async with OddServer(list(plays)) as server:
        return await ask(model(server.base_url, streams=True, **of), form, budget=budget)


def answer(asked: Asked) -> ModelReply:
    """The reply of a call that was answered at once."""
    assert asked.kinds == ["delivered"], asked
    assert isinstance(asked.end, Delivered)
    return asked.end.reply


async def test_a_stream_is_one_whole_reply() -> None:
    budget = Budget(usd=10.0)
    asked = await streamed(sse(events(GOOD)), budget=budget, prices=Prices(1e-3, 1e-3))
    found = answer(asked)
    assert (found.text, found.finish_reason, found.model, found.id) == (GOOD_ANSWER, "stop", "vendor/model", "gen-1")
    assert (found.usage.prompt_tokens, found.usage.completion_tokens, found.usage.estimated) == (300, 12, False)
    assert budget.spent_usd == pytest.approx(0.312)
    whole = json.loads(found.raw)
    assert whole["choices"] == [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": GOOD_ANSWER}}
    ], "the log has a reply, not its events"
    assert whole["object"] == "chat.completion"
    assert asked.attempts[0].body["stream"] is True
    assert asked.attempts[0].body["stream_options"] == {"include_usage": True}


async def test_nothing_is_streamed_unless_somebody_asks() -> None:
    async with OddServer() as server:
        await ask(model(server.base_url))
    assert not server.bodies[0].keys() & {"stream", "stream_options"}


async def test_a_whole_reply_in_place_of_a_stream_counts() -> None:
    assert answer(await streamed(reply(completion()))).text == GOOD_ANSWER


async def test_a_stream_that_nobody_asked_for_counts_too() -> None:
    async with OddServer([sse(events(GOOD))]) as server:
        assert answer(await ask(model(server.base_url))).text == GOOD_ANSWER


TEXT = events(GOOD)
SPLIT = json.dumps(GOOD[-2], indent=2).replace("\n", "\ndata: ")


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace("\n", "\r\n"),
        TEXT.replace("\n", "\r"),
        ": OPENROUTER PROCESSING\n\n" * 3 + TEXT.replace("\n\n", "\n\n:\n: ping\n\n\n\n"),
        "\ufeff" + TEXT,
        TEXT.replace("data: ", "data:"),
        TEXT.replace("data: ", "event: message\nid: 7\nretry: 100\ndata: "),
        events(GOOD, end=""),
        events(GOOD, end="").rstrip("\n"),
        events(GOOD[:-2], end="") + f"data: {SPLIT}\n\n" + events(GOOD[-1:]),
        TEXT + events([chunk({"content": "more"})]),
        events([GOOD[0]], end="data: ping\n\n".replace("ping", "null")) + events(GOOD[1:]),
    ],
    ids=[
        *("CRLF", "CR", "comments and blank lines", "a byte order mark", "no blanks", "other fields", "no [DONE]"),
        *("no end of the last line", "data of many lines", "events after [DONE]", "an event that says nothing"),
    ],
)
async def test_every_way_to_write_events(text: str) -> None:
    found = answer(await streamed(sse(text)))
    assert (found.text, found.finish_reason, found.usage.completion_tokens) == (GOOD_ANSWER, "stop", 12)


async def test_a_line_separator_within_a_text_ends_no_line() -> None:
    text = '{"card": "owl", "why": "\u2028\x85\x0b"}'
    written = "".join(f"data: {json.dumps(one, ensure_ascii=False)}\n\n" for one in [*said(text), chunk(reason="stop")])
    assert answer(await streamed(sse(written))).text == text


@pytest.mark.parametrize(
    "play",
    [
        sse(events(said()[:3], end="")),
        sse(events(said()[:3])),
        sse(events(said())),
        sse(events([*said(), last()])),
        sse(events([*said()[:-1]], end='data: {"choices": [{"del')),
        sse(events(said()[:2], end='data: {"broken\n\n') + events([*said()[2:], chunk(reason="stop")])),
    ],
    ids=[
        *("half", "half, then [DONE]", "no finish reason", "no finish reason, though usage", "half an event"),
        "a broken event in the middle",
    ],
)
async def test_half_a_stream_is_unfinished_and_asked_for_again(play: Play) -> None:
    asked = await streamed(play)
    assert asked.kinds == ["unfinished", "delivered"]
    first = asked.attempts[0]
    assert isinstance(first.outcome, Infrastructure)
    assert first.outcome.billed
    assert first.charge_estimated, "it may have been billed"


async def test_a_broken_connection_is_asked_for_again() -> None:
    asked = await streamed(sse(events(said(), end=""), cut=True))
    assert asked.kinds == ["connection_cut", "delivered"]


@pytest.mark.parametrize(
    ("events_of_error", "kind"),
    [
        ([chunk({"content": ""}, "error", error={"code": 502, "message": "upstream died"})], "bad_gateway"),
        ([error(503, "no capacity")], "overloaded"),
        ([{"error": {"message": "slow down", "type": "rate_limit_exceeded"}}], "throttled"),
    ],
)
async def test_an_error_in_the_middle_counts(events_of_error: list[dict[str, Any]], kind: str) -> None:
    asked = await streamed(sse(events([*said()[:3], *events_of_error])))
    assert asked.kinds == [kind, "delivered"]


async def test_an_error_by_the_name_of_its_event_counts() -> None:
    asked = await streamed(sse(events(said()[:3], end='event: error\ndata: {"code": 503, "message": "no capacity"}\n\n')))
    assert asked.kinds == ["overloaded", "delivered"]
    assert "no capacity" in getattr(asked.attempts[0].outcome, "why", "")


async def test_an_error_status_may_come_as_an_event() -> None:
    asked = await streamed(reply(f"data: {json.dumps(error(401, 'no'))}\n\n", 401, kind="text/event-stream"))
    assert isinstance(asked.end, AccountProblem)
    assert asked.end.kind == "key_refused"


async def test_missing_usage_is_estimated() -> None:
    found = answer(await streamed(sse(events(GOOD[:-1]))))
    assert found.usage.estimated
    assert found.usage.completion_tokens > 0


async def test_the_last_usage_counts_where_every_event_has_one() -> None:
    counted = [one | {"usage": {**USAGE, "completion_tokens": number}} for number, one in enumerate(said())]
    found = answer(await streamed(sse(events([*counted, chunk(reason="stop", usage=USAGE), chunk() | {"choices": []}]))))
    assert (found.usage.completion_tokens, found.usage.estimated) == (12, False)


def call(arguments: str | None = None, index: int | None = 0, **fields: Any) -> dict[str, Any]:
    named = {"arguments": arguments, **({"name": fields.pop("name")} if "name" in fields else {})}
    return chunk({"tool_calls": [{**({} if index is None else {"index": index}), "function": named, **fields}]})


BEGUN = call("", id="call-1", type="function", name="answer")


@pytest.mark.parametrize(
    "chunks",
    [
        [BEGUN, call('{"card"'), call(': "owl"}')],
        [call(GOOD_ANSWER, None, id="call-1", name="answer")],
        [call('{"card"', id="call-1", name="answer"), call(': "owl"}', id="call-1", name="answer")],
        [call('{"card"', name="ans"), call(': "owl"}', name="wer")],
        [call(None, name="answer"), call(GOOD_ANSWER, name=None)],
        [chunk({"function_call": {"name": "answer", "arguments": one}}) for one in ('{"card"', ': "owl"}')],
    ],
    ids=["as documented", "whole, without an index", "named each time", "a name in pieces", "nulls", "the older field"],
)
async def test_arguments_of_a_tool_come_in_pieces(chunks: list[dict[str, Any]]) -> None:
    asked = await streamed(sse(events([*chunks, chunk(reason="tool_calls"), last()])), form=AnswerForm.TOOL)
    assert answer(asked).text == GOOD_ANSWER


async def test_several_calls_stay_apart() -> None:
    chunks = [call('{"card"', name="answer"), call('{"card"', 1, name="answer"), call(': "owl"}'), call(': "key"}', 1)]
    found = answer(await streamed(sse(events([*chunks, chunk(reason="tool_calls")])), form=AnswerForm.TOOL))
    assert found.text == '{"card": "owl"}\n{"card": "key"}'


@pytest.mark.parametrize("name", ["reasoning", "reasoning_content"])
async def test_reasoning_is_kept_apart_from_the_answer(name: str) -> None:
    thoughts = [chunk({name: "An owl, "}), chunk({name: "I think.", "content": ""})]
    found = answer(await streamed(sse(events([*thoughts, *GOOD]))))
    assert (found.reasoning, found.text) == ("An owl, I think.", GOOD_ANSWER)


async def test_content_in_parts_is_read() -> None:
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "An owl."}]}
    chunks = [chunk({"content": [thought]}), chunk({"content": [{"type": "text", "text": '{"card"'}]})]
    assert answer(await streamed(sse(events([*chunks, chunk({"content": ': "owl"}'}, "stop")])))).text == GOOD_ANSWER


async def test_a_message_that_grows_beside_the_deltas_is_not_read_twice() -> None:
    chunks = said()
    for number, one in enumerate(chunks):
        one["choices"][0]["message"] = {"role": "assistant", "content": GOOD_ANSWER[: number * 4]}
    assert answer(await streamed(sse(events([*chunks, chunk(reason="stop")])))).text == GOOD_ANSWER


async def test_a_message_without_deltas_counts() -> None:
    whole = chunk(reason="stop") | {"choices": completion()["choices"]}
    assert answer(await streamed(sse(events([whole, last()])))).text == GOOD_ANSWER


async def test_a_refusal_and_a_cut_answer_are_the_models() -> None:
    refusal = [chunk({"refusal": "I "}), chunk({"refusal": "won't."})]
    refused = await streamed(sse(events([*refusal, chunk(reason="stop"), last()])))
    assert isinstance(refused.end, ModelMistake)
    assert (refused.end.kind, refused.end.reply.text) == ("refused", "I won't.")
    cut = await streamed(sse(events([*said()[:3], chunk(reason="length"), last()])))
    assert isinstance(cut.end, ModelMistake)
    assert cut.end.kind == "truncated"


async def test_log_probabilities_are_joined() -> None:
    def listed(token: str) -> dict[str, Any]:
        one = chunk({"content": token})
        one["choices"][0]["logprobs"] = {"content": [{"token": token, "top_logprobs": [{"token": token, "logprob": -0.1}]}]}
        return one

    found = answer(await streamed(sse(events([listed('{"card": '), listed('"owl"}'), chunk(reason="stop")]))))
    assert found.tokens is not None
    assert [token.text for token in found.tokens] == ['{"card": ', '"owl"}']


async def test_half_a_letter_in_each_of_two_events_is_one() -> None:
    pieces = ['{"card": "owl", "why": "', "\ud83e", "\udd89", '"}']
    found = answer(await streamed(sse(events([*(chunk({"content": piece}) for piece in pieces), chunk(reason="stop")]))))
    assert found.text == '{"card": "owl", "why": "\U0001f989"}'


async def test_a_key_in_pieces_is_redacted() -> None:
    asked = await streamed(sse(events([*said(f'{{"card": "owl", "why": "{KEY}"}}', 5), chunk(reason="stop"), last()])))
    assert isinstance(asked.end, Delivered)
    assert KEY not in repr(asked)


async def test_huge_events_are_read_and_bounded() -> None:
    big = '{"card": "owl", "why": "' + "w" * 300_000 + '"}'
    asked = await streamed(sse(events([chunk({"content": big}, "stop"), last()])))
    assert isinstance(asked.end, ModelMistake), "longer than what is read of an answer"
    assert len(asked.end.reply.raw) <= 64 * 1024 < asked.end.reply.raw_length
    more = await streamed(sse(events([chunk({"reasoning": "w" * 300_000}), *GOOD])))
    assert answer(more).text == GOOD_ANSWER


@pytest.mark.parametrize(
    "odd",
    [
        {"choices": 7},
        {"choices": [None, 3, "x", []]},
        {"choices": [{"index": {}, "delta": 5}]},
        {"choices": [{"index": 0, "delta": {"tool_calls": "x", "content": 4, "role": {"a": 1}}}]},
        {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": [], "function": 3, "id": {}}, None]}}]},
        {"choices": [{"index": 0, "logprobs": {"content": "x"}, "finish_reason": ""}]},
        {"choices": [{"index": 0, "delta": {"function_call": [1], "refusal": None, "content": None}}]},
        {"usage": [1], "id": None, "model": 3, "error": None},
    ],
    ids=str,
)
async def test_odd_events_harm_nothing(odd: dict[str, Any]) -> None:
    asked = await streamed(sse(events([GOOD[0], odd, *GOOD[1:]])))
    assert isinstance(asked.end, Delivered)
    assert asked.end.reply.text == GOOD_ANSWER


async def test_a_server_that_stays_after_the_end_is_not_waited_for() -> None:
    assert answer(await streamed(sse(TEXT, ends=False))).text == GOOD_ANSWER


async def drip_for_ever(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 X\r\ncontent-type: text/event-stream\r\n\r\n")
    while True:
        writer.write(b'data: {"choices": [{"index": 0, "delta": {"reasoning": "hm "}}]}\n\n')
        await writer.drain()
        await asyncio.sleep(0.005)


async def test_a_stream_that_drips_beyond_the_time_limit_is_ended() -> None:
    asked = await streamed(drip_for_ever, time_limit=0.05)
    assert asked.kinds[0] == "timeout"
    assert asked.attempts[0].charge_estimated, "what was streamed is billed"


@pytest.mark.parametrize("by", ["cancelled", "time limit"])
async def test_the_server_sees_that_nobody_reads_any_more(by: str) -> None:
    begun, closed = asyncio.Event(), asyncio.Event()

    async def watched(writer: asyncio.StreamWriter) -> None:
        begun.set()
        try:
            await drip_for_ever(writer)
        except ConnectionError:
            closed.set()
            raise

    async with OddServer([watched]) as server, Client() as client:
        question = request(model(server.base_url, streams=True, time_limit=600.0 if by == "cancelled" else 0.5))
        asking = asyncio.create_task(ask_with(client, question))
        await begun.wait()
        if by == "cancelled":
            asking.cancel()
        async with asyncio.timeout(PATIENCE):
            await closed.wait()
            with suppress(asyncio.CancelledError):
                await asking


@pytest.mark.parametrize(
    "words",
    [
        ONLY,
        "Stream must be set to true",
        "Non-streaming is not supported for this model.",
        "parameter.enable_thinking must be set to false for non-streaming calls",
        "Streaming is required for operations that may take longer than 10 minutes.",
        "This model can only be used in streaming mode; please use stream=true.",
        "`stream` has to be true",
    ],
)
async def test_an_endpoint_that_only_streams_gets_what_it_wants(words: str) -> None:
    refusal = {"error": {"code": "invalid_parameter_error", "message": words, "param": None, "type": "invalid_request_error"}}
    async with OddServer([reply(refusal, 400), sse(events(GOOD)), sse(events(GOOD))]) as server, Client() as client:
        asked = [await ask_with(client, request(model(server.base_url))) for _ in range(2)]
        learnt = client.capabilities(model(server.base_url))
    assert [one.kinds for one in asked] == [["stream_required", "delivered"], ["delivered"]]
    assert [body.get("stream") for body in server.bodies] == [None, True, True]
    assert server.bodies[1]["response_format"] == server.bodies[0]["response_format"], "its form is not to blame"
    assert learnt_to_json(learnt) == {"streams": True}
    assert learnt_from_json({"streams": True}) == learnt


async def test_one_that_still_asks_for_a_stream_is_not_asked_for_ever() -> None:
    async with OddServer(after=reply({"error": {"message": ONLY}}, 400)) as server:
        asked = await ask(model(server.base_url))
    assert isinstance(asked.end, AccountProblem)
    assert "only support stream mode" in str(asked.end)
    assert all(body["stream"] for body in server.bodies[1:])
    assert len(server.bodies) < 16


async def test_the_wish_for_usage_is_dropped_where_it_is_refused() -> None:
    place = ["body", "stream_options"]
    forbidden = {"detail": [{"type": "extra_forbidden", "loc": place, "msg": "Extra inputs are not permitted"}]}
    async with OddServer([reply(forbidden, 422), sse(events(GOOD))]) as server:
        asked = await ask(model(server.base_url, streams=True))
    assert asked.kinds == ["parameter_refused", "delivered"]
    assert [("stream" in body, "stream_options" in body) for body in server.bodies] == [(True, True), (True, False)]


async def test_a_form_is_negotiated_beside_a_stream() -> None:
    refusals = [reply({"error": "Bad Request"}, 400)] * 2
    async with OddServer([*refusals, sse(events(GOOD))]) as server:
        asked = await ask(model(server.base_url, streams=True))
    assert isinstance(asked.end, Delivered)
    assert all(body["stream"] for body in server.bodies)


async def test_streams_without_an_end_pause_the_match() -> None:
    async with OddServer(after=sse(events(said()))) as server:
        asked = await ask(model(server.base_url, streams=True))
    assert isinstance(asked.end, Outage)
    assert "the stream ended before the answer" in str(asked.end)
