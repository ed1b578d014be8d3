"""Shuffled choices: the drawn order in prompt, schema and log, and the position bias that standings find."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import games
from games.search.cases import Case, corpus
from runner.agents.own_fields import asked_question, order_of, ordered, prompt_options, shuffled
from runner.agents.protocol import DecisionRequest, Mistake
from runner.agents.settings import SeatSettings
from runner.api import read_log
from runner.prompting.pack import PromptPack, prompt_context
from runner.workshop.case_prompts import joined
from tests.cli.command import tabletop

SETTINGS = SeatSettings(choices="shuffled")


def asked(case: Case) -> DecisionRequest:
    return DecisionRequest.of(case.state, case.seat, case.number)


@pytest.mark.parametrize("game", games.names())
def test_a_drawn_order_changes_nothing_but_places(game: str) -> None:
    moved = 0
    for case in corpus(games.load(game), 6):
        before, after = asked(case), ordered(asked(case), SETTINGS)
        fields, drawn = (ask.question.schema["properties"] for ask in (before, after))
        assert [*drawn] == [*fields]
        for name, field in fields.items():
            assert sorted(drawn[name].get("enum", []), key=str) == sorted(field.get("enum", []), key=str)
        first = next(iter(order_of(drawn).items()), None)
        if first is not None:
            shown = [choice.answer.get(first[0]) for choice in after.question.choices]
            assert [*dict.fromkeys(shown)] == [value for value in first[1] if value in shown]
        assert sorted(map(repr, after.question.choices)) == sorted(map(repr, before.question.choices))
        assert sorted(after.question.consequences.split("\n")) == sorted(before.question.consequences.split("\n"))
        moved += after.question != before.question
    assert moved


@pytest.mark.parametrize("game", games.names())
def test_prompts_list_the_values_in_the_drawn_order(game: str) -> None:
    pack, seen = PromptPack(), set()
    for case in corpus(games.load(game), 6):
        ask = ordered(asked(case), SETTINGS)
        question = asked_question(ask.question, SETTINGS)
        options = prompt_options(case.state.setup)
        context = prompt_context(case.view, question, options, False, lists_singly=True)
        text = joined(pack.render(game, question.role, context))
        listed = [line[1] for line in re.finditer(r'^- "([^"]+)": ', text[text.rindex("\nYou are P-") :], re.MULTILINE)]
        for values in order_of(question.schema["properties"]).values():
            if lines := [value for value in listed if value in map(str, values)]:
                seen.add(question.role)
                assert lines == [str(value) for value in values if str(value) in lines]
    assert seen


def test_the_order_is_the_same_when_the_question_is_asked_again() -> None:
    case = next(case for case in corpus(games.load("coup"), 2) if len(case.question.choices) > 4)
    ask = asked(case)
    again = DecisionRequest.of(case.state, case.seat, case.number)
    wrong = Mistake("illegal", "", "no")

    assert shuffled(replace(again, mistakes=(wrong,))).question == shuffled(ask).question


class TakesTheFirst(BaseHTTPRequestHandler):
    """An endpoint whose model takes the first legal value of every field."""

    def do_GET(self) -> None:
        self.send_error(404)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        fields: dict[str, Any] = body["response_format"]["json_schema"]["schema"]["properties"]
        answer = {name: field["enum"][0] if "enum" in field else "so be it" for name, field in fields.items()}
        message = {"role": "assistant", "content": json.dumps(answer)}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        usage = {"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1010}
        found = {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [choice],
            "usage": usage,
        }
        data = json.dumps(found).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        return


PLAN = """
seed = 3
deal_seeds = "consecutive"
deals = 6
rotation = "random"
agents = ["first", "any", "bot:steady"]
[[games]]
name = "coup"
players = 3
options = { max_turns = 8 }
"""


@contextmanager
def endpoint() -> Iterator[str]:
    class Server(ThreadingHTTPServer):
        request_queue_size = 256

    with Server(("127.0.0.1", 0), TakesTheFirst) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that takes the first choice and the offline model, which takes any, at a table with a bot."""
    folder = tmp_path_factory.mktemp("places")
    with endpoint() as url:
        first = f'[first]\nmodel = "first"\nbase_url = "{url}"\nkey = "FIRST_KEY"\nchoices = "shuffled"\n'
        (folder / "agents.toml").write_text(f'{first}[any]\nmodel = "offline"\nchoices = "shuffled"\n')
        (folder / "plan.toml").write_text(PLAN)
        done = tabletop(folder, "tournament", "plan.toml", "-q", "-o", "t", "--workers", "1", FIRST_KEY="none")
        assert done.returncode == 0, done.stderr
    return folder


def test_a_model_that_takes_the_first_choice_is_found(played: Path) -> None:
    done = tabletop(played, "standings", "t", "--json")
    (game,) = json.loads(done.stdout)["games"]
    found = {(one["agent"], one["place"]): one for one in game["position_bias"]}
    first, by_chance = found["first", "first"], found["any", "first"]
    assert first["taken"] == 1
    assert first["excess"]["low"] > 0.2
    assert found["first", "last"]["taken"] == 0
    assert found["first", "last"]["excess"]["high"] < 0
    assert by_chance["excess"]["low"] < 0 < by_chance["excess"]["high"]
    assert by_chance["expected"] == found["any", "last"]["expected"]
    assert "Position bias" in tabletop(played, "standings", "t").stdout


def test_the_order_is_logged_and_prompts_are_rendered_as_sent(played: Path) -> None:
    path = next((played / "t").rglob("*.jsonl"))
    log = read_log(path)
    seats = {seat["name"]: number for number, seat in enumerate(log.header["seats"])}
    assert log.header["seats"][seats["any"]]["choices"] == "shuffled"
    orders = [attempt for attempt in log.attempts if "order" in attempt]
    assert {attempt["seat"] for attempt in orders} == {seats["first"], seats["any"]}
    for attempt in orders:
        schema = attempt["request"]["response_format"]["json_schema"]["schema"]["properties"]
        assert attempt["order"] == order_of({name: field for name, field in schema.items() if name != "reason"})
        if attempt["seat"] == seats["first"]:
            name, values = next(iter(attempt["order"].items()))
            assert attempt["answer"][name] == values[0]
    assert any(attempt["order"] != order_of(question["schema"]["properties"]) for attempt, question in paired(log, orders))
    number = next(at for at, one in enumerate(log.decisions, 1) if one["seat"] == seats["any"] and one["how"] == "answer")
    done = tabletop(played, "prompts", "render", str(path), "--at", str(number))
    assert "These are exactly the messages that were sent." in done.stdout
    assert tabletop(played, "replay", str(path), "--verify").returncode == 0


def paired(log: Any, attempts: list[Any]) -> Iterator[tuple[Any, Any]]:
    questions = {question["question"]: question for question in log.questions}
    return ((attempt, questions[attempt["question"]]) for attempt in attempts)


def test_a_match_with_shuffled_choices_is_resumed_to_the_same_end(tmp_path: Path) -> None:
    words = ("--seat", "offline", "--seat", "offline", "--choices", "shuffled", "--seed", "5", "--max-turns", "6", "-q")
    done = tabletop(tmp_path, "play", "coup", *words, "--mistakes", "0.2", "--log", "whole.jsonl")
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "whole.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "cut.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    done = tabletop(tmp_path, "resume", "cut.jsonl", "-q")
    assert done.returncode == 0, done.stderr
    whole, cut = (read_log(tmp_path / name) for name in ("whole.jsonl", "cut.jsonl"))
    assert [one["action"] for one in cut.decisions] == [one["action"] for one in whole.decisions]
    assert [one.get("order") for one in cut.attempts] == [one.get("order") for one in whole.attempts]
