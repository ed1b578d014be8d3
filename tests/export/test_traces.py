"""Traces: Inspect logs and OTLP, read back by the libraries of those who use them, and OTLP also by its own JSON rules."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from base64 import b64encode
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Response

from runner.errors import PausedError
from runner.record.reader import read_log
from tests.cli.command import complaint, tabletop
from tests.match.tables import Failing, bot
from tests.record.hostile import hostile_log
from tests.record.matches import played
from tests.screen.reviews import keep, written_review

Fields = dict[str, Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of two models, one of which makes mistakes, and a bot; and its review."""
    folder = tmp_path_factory.mktemp("traces")
    seats = [word for spec in ("ada=offline", "offline", "bot:steady") for word in ("--seat", spec)]
    done = tabletop(folder, "play", "coup", *seats, "--seed", "3", "--mistakes", "0.3", "-q", "--log", "match.jsonl")
    assert done.returncode == 0, done.stderr
    log = read_log(folder / "match.jsonl")
    keep(log, written_review(log))
    return folder


@pytest.fixture(scope="module")
def document(folder: Path) -> Fields:
    return exported(folder)


def exported(folder: Path, *words: str) -> Fields:
    done = tabletop(folder, "export", "match.jsonl", "--otlp", *words, "-o", "-")
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def spans_of(document: Fields) -> list[Fields]:
    return [span for one in document["resourceSpans"] for scope in one["scopeSpans"] for span in scope["spans"]]


def facts(entry: Fields) -> Fields:
    """The attributes, each with the one field of its value."""
    return {one["key"]: next(iter(one["value"].values())) for one in entry["attributes"]}


def operations(document: Fields) -> dict[str, list[Fields]]:
    found: dict[str, list[Fields]] = {}
    for span in spans_of(document):
        found.setdefault(facts(span)["gen_ai.operation.name"], []).append(span)
    return found


def test_a_trace_has_the_match_its_decisions_and_its_requests(folder: Path, document: Fields) -> None:
    log, found = read_log(folder / "match.jsonl"), operations(document)
    asked = [record for _, record in log.of_kind("attempt") if record.get("request")]
    assert {name: len(spans) for name, spans in found.items()} == {
        "invoke_workflow": 1,
        "invoke_agent": len(list(log.of_kind("decision"))),
        "chat": len(asked),
    }
    tokens = sum(int(facts(span)["gen_ai.usage.input_tokens"]) for span in found["chat"])
    assert tokens == sum(record["reply"]["usage"]["prompt_tokens"] for record in asked)
    mistakes = [span for span in found["chat"] if span["status"].get("code") == 2]
    assert len(mistakes) == sum(record["outcome"] == "mistake" for record in asked) > 0
    assert all(facts(span)["error.type"] for span in mistakes)


def test_a_trace_keeps_to_the_json_mapping_of_protobuf(document: Fields) -> None:
    spans = spans_of(document)
    ids = {span["spanId"]: span for span in spans}
    assert len(ids) == len(spans)
    assert len({span["traceId"] for span in spans}) == 1
    for span in spans:
        assert re.fullmatch("[0-9a-f]{32}", span["traceId"])
        assert re.fullmatch("[0-9a-f]{16}", span["spanId"])
        assert int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"])
        assert isinstance(span["startTimeUnixNano"], str)
        for value in (one["value"] for one in span["attributes"]):
            assert isinstance(value.get("intValue", ""), str)
        if "parentSpanId" in span:
            parent = ids[span["parentSpanId"]]
            assert int(parent["startTimeUnixNano"]) <= int(span["startTimeUnixNano"])
            assert int(span["endTimeUnixNano"]) <= int(parent["endTimeUnixNano"])


def test_grades_and_the_result_are_evaluations(folder: Path, document: Fields) -> None:
    review = written_review(read_log(folder / "match.jsonl"))
    found = operations(document)
    graded = {int(facts(span)["tabletop.decision"]): facts(one) for span in found["invoke_agent"] for one in span["events"]}
    assert {number: one["gen_ai.evaluation.score.label"] for number, one in graded.items()} == {
        entry["decision"]: entry["grade"] for entry in review["decisions"]
    }
    wins = [facts(one) for one in found["invoke_workflow"][0]["events"]]
    assert sum(one["gen_ai.evaluation.score.value"] for one in wins) == 1
    assert [one["gen_ai.agent.name"] for one in wins] == ["ada", "offline model", "bot:steady"]


def test_content_is_in_a_trace_only_if_asked_for(folder: Path, document: Fields) -> None:
    assert "You are P-" not in json.dumps(document)
    assert "tabletop.answer" not in json.dumps(document)
    whole = operations(exported(folder, "--thoughts"))["chat"][0]
    sent, got = (json.loads(facts(whole)[f"gen_ai.{side}.messages"]) for side in ("input", "output"))
    assert sent[0]["role"] == "system"
    assert "You are P-" in sent[-1]["parts"][0]["content"]
    assert got[0]["finish_reason"] == "stop"
    assert [span["spanId"] for span in spans_of(document)] == [
        span["spanId"] for span in spans_of(exported(folder, "--thoughts"))
    ]


def test_a_trace_is_sent_with_the_headers_of_the_environment(folder: Path, document: Fields, httpserver: HTTPServer) -> None:
    headers = {"Content-Type": "application/json", "x-key": "a b", "x-other": "1"}
    httpserver.expect_ordered_request("/v1/traces", "POST", headers=headers, json=document).respond_with_json({})
    url, given = httpserver.url_for("/"), "x-key=a%20b, x-other=1"
    done = tabletop(folder, "export", "match.jsonl", "--otlp", url, OTEL_EXPORTER_OTLP_HEADERS=given)
    assert (done.returncode, done.stdout) == (0, f"{httpserver.url_for('/v1/traces')}\n"), done.stderr


def test_a_collector_that_takes_no_json_is_sent_protobuf(folder: Path, document: Fields, httpserver: HTTPServer) -> None:
    pytest.importorskip("opentelemetry.proto", reason="the extra `otlp` is not installed")
    from google.protobuf.json_format import MessageToDict
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    httpserver.expect_request("/v1/traces", headers={"Content-Type": "application/json"}).respond_with_data("", 415)
    httpserver.expect_request("/v1/traces", headers={"Content-Type": "application/x-protobuf"}).respond_with_data("")
    assert tabletop(folder, "export", "match.jsonl", "--otlp", httpserver.url_for("/")).returncode == 0
    (data,) = [request.data for request, _ in httpserver.log][1:]
    asked = json.loads(json.dumps(document))
    for span in spans_of(asked):
        span["kind"] = {1: "SPAN_KIND_INTERNAL", 3: "SPAN_KIND_CLIENT"}[span["kind"]]
        for name in ("traceId", "spanId", "parentSpanId"):  # OTLP has them in hexadecimal, protobuf's own JSON in base64
            if name in span:
                span[name] = b64encode(bytes.fromhex(span[name])).decode()
        if span.get("status"):
            span["status"]["code"] = "STATUS_CODE_ERROR"
        if not span["events"]:
            del span["events"]
    assert MessageToDict(ExportTraceServiceRequest.FromString(data)) == asked


def test_protobuf_without_its_library_is_refused_in_one_sentence(
    folder: Path, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    httpserver.expect_request("/v1/traces").respond_with_data("", 415)
    monkeypatch.setattr("runner.llm.otlp_collector.find_spec", lambda _: None)
    done = tabletop(folder, "export", "match.jsonl", "--otlp", httpserver.url_for("/"))
    assert done.returncode == 2
    assert "takes no JSON" in complaint(done)
    assert "tabletop-runner[otlp]" in complaint(done)


def test_a_refusal_and_a_redirect_are_one_sentence_without_the_key(folder: Path, httpserver: HTTPServer) -> None:
    away = Response(status=302, headers={"Location": httpserver.url_for("/elsewhere")})
    httpserver.expect_request("/refused").respond_with_data("no", status=401)
    httpserver.expect_request("/moved").respond_with_response(away)
    for path, status in (("/refused", 401), ("/moved", 302)):
        url = httpserver.url_for(path)
        done = tabletop(folder, "export", "match.jsonl", "--otlp", url, OTEL_EXPORTER_OTLP_HEADERS="x-key=secret")
        assert done.returncode == 2
        assert f"HTTP {status}" in complaint(done)
        assert "secret" not in done.stderr
    assert [request.path for request, _ in httpserver.log] == ["/refused", "/moved"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--otlp", "ftp://here"), "--otlp sends to an address such as http://localhost:4318"),
        (("--otlp", "http://user:key@here"), "keys go into OTEL_EXPORTER_OTLP_HEADERS"),
        (("--html", "http://localhost"), "A URL belongs to --otlp"),
        (("--eval", "--view", "P-0"), "have every seat: omit --view"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(folder: Path, words: tuple[str, ...], sentence: str) -> None:
    done = tabletop(folder, "export", "match.jsonl", *words)
    assert done.returncode == 2
    assert sentence in complaint(done)


def test_nobody_at_the_address_is_one_sentence(folder: Path) -> None:
    done = tabletop(folder, "export", "match.jsonl", "--otlp", "http://127.0.0.1:1")
    assert done.returncode == 3
    assert "does not answer" in complaint(done)


@pytest.mark.parametrize("headers", ["x key=1", "x-key=a%0Ab: c", "=1"])
def test_what_is_no_header_is_one_sentence(headers: str, folder: Path) -> None:
    done = tabletop(folder, "export", "match.jsonl", "--otlp", "http://127.0.0.1:1", OTEL_EXPORTER_OTLP_HEADERS=headers)
    assert done.returncode == 2
    assert "OTEL_EXPORTER_OTLP_HEADERS holds no valid header" in complaint(done)


async def test_an_unfinished_match_has_a_trace(tmp_path: Path) -> None:
    with pytest.raises(PausedError):
        await played(tmp_path / "match.jsonl", "coup", [bot("coup"), Failing(), bot("coup")], 2)
    found = operations(await asyncio.to_thread(exported, tmp_path))
    assert found["invoke_workflow"][0]["events"] == []


async def test_text_that_utf8_does_not_have_is_replaced(tmp_path: Path) -> None:
    await hostile_log(tmp_path / "match.jsonl")
    document = await asyncio.to_thread(exported, tmp_path, "--thoughts")
    assert "&amp; \ufffd ".encode() in json.dumps(document, ensure_ascii=False).encode()
    if find_spec("inspect_ai") is not None:
        done = await asyncio.to_thread(tabletop, tmp_path, "export", "match.jsonl", "--eval")
        assert (done.returncode, done.stdout) == (0, "match.eval\n"), done.stderr


def test_a_missing_extra_is_one_sentence(folder: Path) -> None:
    if find_spec("inspect_ai") is not None:
        pytest.skip("inspect_ai is installed")
    done = tabletop(folder, "export", "match.jsonl", "--eval")
    assert done.returncode == 2
    assert "tabletop-runner[inspect]" in complaint(done)


@pytest.mark.filterwarnings("default")
def test_inspect_reads_its_log(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="inspect_ai is not installed")
    from inspect_ai.log import read_eval_log

    for name in ("match.jsonl", ".match.jsonl.review.json"):
        shutil.copy(folder / name, tmp_path / name)
    done = tabletop(tmp_path, "export", "match.jsonl", "--eval")
    assert (done.returncode, done.stdout) == (0, "match.eval\n"), done.stderr
    log = read_log(tmp_path / "match.jsonl")
    read = read_eval_log(str(tmp_path / "match.eval"), resolve_attachments="full")
    assert (read.status, read.eval.task, read.eval.model) == ("success", "coup", "offline")
    assert [sample.id for sample in read.samples] == ["P-0", "P-1", "P-2"]
    assert sum(sample.scores["win"].value for sample in read.samples) == 1
    assert all(sample.scores["regret"].value > 0 for sample in read.samples)
    asked = [record for _, record in log.of_kind("attempt") if record.get("request")]
    events = [event for sample in read.samples for event in sample.events]
    calls = [event for event in events if event.event == "model"]
    assert sorted(call.output.completion for call in calls) == sorted(record["reply"]["text"] for record in asked)
    assert calls[0].input[0].text == log.messages(next(record for record in asked if record["seat"] == 0))[0]["content"]
    assert sum(event.event == "score" for event in events) == len(written_review(log)["decisions"])
    sent = sum(record["reply"]["usage"]["prompt_tokens"] for record in asked)
    assert read.stats.model_usage["offline"].input_tokens == sent
