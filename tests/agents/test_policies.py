"""Policies: the logged probabilities are the model's own, whatever endpoints do; played ones follow from the match's seed."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from runner.agents.own_fields import LABELS, drawn_answer, policy_of
from runner.api import read_log
from runner.llm.outcome import Token
from runner.llm.wire.replies import tokens_of
from tests.agents.knowing import ONE_PART_MORE, Body, endpoint, knowing, policy, write_agents
from tests.cli.command import tabletop

SHORT = {
    "coup": ("--max-turns", "6"),
    "cat_in_the_box": (),
    "oriflamme": (),
    "dixiquote": ("--num-players", "3", "--max-rounds", "1"),
}


def play(folder: Path, game: str = "coup", *words: str, log: str = "m.jsonl", seat: str = "knowing") -> Any:
    seats = ("--seat", seat, "--seat", "bot:steady", "--seat", "bot:random", "--seed", "4", "-q")
    done = tabletop(folder, "play", game, *seats, *SHORT[game], *words, "--log", log, KNOWN_KEY="none")
    assert done.returncode == 0, done.stderr
    assert tabletop(folder, "replay", log, "--verify").returncode == 0
    return read_log(folder / log)


def policies(log: Any) -> list[Any]:
    return [attempt for attempt in log.attempts if "policy" in attempt]


@pytest.mark.parametrize("use", ["true", '"play"'])
@pytest.mark.parametrize("game", SHORT)
def test_the_logged_probabilities_are_those_of_the_model(tmp_path: Path, game: str, use: str) -> None:
    with endpoint() as (url, bodies):
        write_agents(tmp_path, url, use)
        log = play(tmp_path, game)
    asked = policies(log)
    assert len(asked) > (0 if game == "dixiquote" else 1)
    assert log.header["seats"][0]["policy"] == json.loads(use)
    for attempt in asked:
        own, answers = attempt["policy"], [one["answer"] for one in attempt["policy"]["answers"]]
        listed = [one["chance"] for one in own["answers"]]
        assert attempt["request"]["top_logprobs"] == 20
        if len(answers) < 9:
            assert listed == pytest.approx(policy(answers), abs=1e-8)
            assert own["mass"] == pytest.approx(1 - ONE_PART_MORE)
            assert own["unlisted"] == pytest.approx(0, abs=1e-8)
        if "draw" in own:
            assert attempt["outcome"] == "answer"
            assert attempt["answer"] == drawn_answer(own, own["draw"])
        else:
            assert attempt["outcome"] == "policy"
    tokens = sum(attempt["reply"]["usage"]["prompt_tokens"] for attempt in log.attempts if attempt["seat"] == 0)
    assert log.result["seats"][0]["prompt_tokens"] == tokens
    assert len(bodies) == sum(attempt["seat"] == 0 for attempt in log.attempts)
    assert all("draw" in attempt["policy"] for attempt in asked) == (use != "true")


def test_each_question_is_asked_once_and_no_other_seat_is_told(tmp_path: Path) -> None:
    with endpoint() as (url, bodies):
        write_agents(tmp_path, url, choices='"shuffled"', memory='"full"')
        log = play(tmp_path, "coup", "--talk", "--belief", "--seat", "offline", "--seat", "offline", seat="a=knowing")
    asked = Counter(attempt["question"] for attempt in policies(log))
    assert set(asked.values()) == {1}
    answered = {attempt["question"] for attempt in log.attempts if attempt["seat"] == 0 and attempt["outcome"] == "answer"}
    assert asked.keys() == answered
    asked_others = [attempt["request"] for attempt in log.attempts if attempt["seat"] != 0 and "request" in attempt]
    others = [json.dumps(request["messages"]) for request in asked_others]
    assert others
    assert not any("each with a letter" in body or "logprob" in body for body in others)
    usual = [body for body in bodies if "logprobs" not in body]
    assert not any("each with a letter" in json.dumps(body["messages"]) for body in usual)


def refused(asked: Body) -> tuple[int, Body]:
    if asked.get("logprobs"):
        why = "This model does not support the parameter 'logprobs'."
        return 400, {"error": {"message": why, "type": "invalid_request_error", "param": "logprobs", "code": None}}
    return knowing(asked)


def unexplained(asked: Body) -> tuple[int, Body]:
    return (400, {"error": {"message": "bad request"}}) if asked.get("logprobs") else knowing(asked)


def forbidden(asked: Body) -> tuple[int, Body]:
    why = "You are not allowed to request logprobs from this model."
    return (403, {"error": {"message": why, "type": "invalid_request_error"}}) if asked.get("logprobs") else knowing(asked)


def silent(asked: Body) -> tuple[int, Body]:
    status, found = knowing(asked)
    if asked.get("logprobs"):
        found["choices"][0]["logprobs"] = None
    return status, found


@pytest.mark.parametrize(("how", "most"), [(refused, 1), (unexplained, 2), (forbidden, 2), (silent, 1)])
@pytest.mark.parametrize("use", ["true", '"play"'])
def test_an_endpoint_without_log_probabilities_is_found_out_once(tmp_path: Path, how: Any, most: int, use: str) -> None:
    with endpoint(how) as (url, bodies):
        write_agents(tmp_path, url, use)
        log = play(tmp_path)
    asked = [body for body in bodies if "logprobs" in body]
    assert 1 <= len(asked) <= most
    assert not policies(log)
    answers = [attempt for attempt in log.attempts if attempt["seat"] == 0 and attempt["outcome"] == "answer"]
    assert len(answers) > 2
    assert answers[-1]["learnt"]["logprobs"] is False
    assert all(attempt["form"] == "strict_schema" for attempt in answers)
    assert all(body["response_format"] for body in bodies if "logprobs" not in body)


def chosen(top: object) -> Body:
    return {"logprobs": {"content": [{"token": "A", "logprob": -0.1, "top_logprobs": top}]}}


def test_policies_are_read_from_a_letter_alone_too(tmp_path: Path) -> None:
    with endpoint() as (url, _):
        write_agents(tmp_path, url, '"play"', form='"text"')
        log = play(tmp_path)
    own = [attempt["policy"]["answers"] for attempt in policies(log)]
    assert len(own) > 2
    for answers in own:
        expected = policy([one["answer"] for one in answers])
        assert [one["chance"] for one in answers] == pytest.approx(expected, abs=1e-8)


TWO = [{"card": "owl"}, {"card": "key"}]


@pytest.mark.parametrize(
    ("texts", "at", "likely"),
    [
        (["A"], 0, ["A", "B"]),
        ([" A"], 0, ["A", " B"]),
        (['{"', "letter", '":', ' "', "A", '"}'], 4, ["A", 'B"}']),
        (['{"letter":', ' "A', '"}'], 1, [' "A', ' "B']),
        (['{"letter": "A"}'], 0, ['{"letter": "A"}', '{"letter": "B"}']),
        (["{\n ", '"letter"', ' : "', 'B"', "}"], 3, ["A", 'B"']),
    ],
)
def test_the_place_of_the_label_is_found_in_any_tokens(texts: list[str], at: int, likely: list[str]) -> None:
    chances = tuple(
        (one, math.log(chance)) for one, chance in zip([*likely, "And", "C", '"'], (0.6, 0.2, 0.1, 0.05, 0.05), strict=True)
    )
    tokens = [Token(text, chances if place == at else ((text, 0.0),)) for place, text in enumerate(texts)]
    found = policy_of(TWO, tokens)
    assert found is not None
    assert [one["chance"] for one in found["answers"]] == pytest.approx([0.75, 0.25])
    assert found["mass"] == pytest.approx(0.8)


@pytest.mark.parametrize(
    "text", ["", "I would rather think about it.", '{"letter": "7"}', '{"card": "owl"}', "{}", "As you like"]
)
def test_a_reply_without_a_label_has_no_policy(text: str) -> None:
    assert policy_of(TWO, [Token(text, ((text, 0.0),))]) is None


LIKELY = {"token": "A", "logprob": -0.5}
ODD: list[Any] = [
    None,
    [],
    {},
    "A",
    [None],
    ["A"],
    [[LIKELY]],
    [{"token": "A"}],
    [{"logprob": -0.5}],
    [{"token": 7, "logprob": -0.5}],
    [{"token": "A", "logprob": "-0.5"}],
    [{"token": "A", "logprob": True}],
    [{"token": "A", "logprob": None}],
    [{"token": "A", "logprob": math.nan}],
    [{"token": "A", "logprob": math.inf}],
    [{"token": "A", "logprob": -math.inf}],
    [{"token": "A", "logprob": -(10**400)}],
    [{"token": "A", "logprob": 0.5}],
    [{"token": "A", "logprob": {"logprob": -0.5}}],
    [LIKELY, LIKELY],
    [{"token": str(number), "logprob": -20.0} for number in range(10_000)],
]


@pytest.mark.parametrize("top", ODD, ids=range(len(ODD)))
def test_odd_log_probabilities_are_none(top: Any) -> None:
    assert tokens_of(chosen(top)) is None


@pytest.mark.parametrize("choice", [{}, {"logprobs": []}, {"logprobs": {"content": {}}}, {"logprobs": {"content": [7]}}])
def test_nothing_where_they_should_be_is_none(choice: Body) -> None:
    assert tokens_of(choice) is None


@pytest.mark.parametrize("top", [ODD[13], ODD[17], ODD[20]])
def test_a_match_goes_on_without_odd_ones(tmp_path: Path, top: Any) -> None:
    def odd(asked: Body) -> tuple[int, Body]:
        status, found = knowing(asked)
        if asked.get("logprobs"):
            found["choices"][0] |= chosen(top)
        return status, found

    with endpoint(odd) as (url, _):
        write_agents(tmp_path, url, '"play"')
        log = play(tmp_path)
    assert not policies(log)


def test_answers_that_are_not_listed_have_no_probability() -> None:
    answers = [{"card": number} for number in range(40)]
    tokens = [(LABELS[number], math.log(0.04)) for number in range(20)]
    found = policy_of(answers, [Token("A", tuple(tokens))])
    assert found is not None
    assert [one["chance"] for one in found["answers"]] == [0.05] * 20 + [None] * 20
    assert found["mass"] == pytest.approx(0.8)
    assert found["unlisted"] == pytest.approx(0.2)
    drawn = [drawn_answer(found, at / 1000) for at in range(1000)]
    assert {answer and answer["card"] for answer in drawn} == set(range(20))
    nothing = policy_of(answers, [Token("A", (("other", -0.1),))])
    assert nothing is not None
    assert nothing["mass"] == 0
    assert drawn_answer(nothing, 0.3) is None


def test_the_draw_follows_the_probabilities() -> None:
    likely = (("A", math.log(0.2)), ("C", math.log(0.6)))
    found = policy_of([{"a": 1}, {"a": 2}, {"a": 3}], [Token("A", likely)])
    assert found is not None
    drawn = Counter(json.dumps(drawn_answer(found, (at + 0.5) / 400)) for at in range(400))
    assert drawn == {'{"a": 1}': 100, '{"a": 3}': 300}


def test_a_match_resumes_and_forks_to_the_same_end(tmp_path: Path) -> None:
    with endpoint() as (url, _):
        write_agents(tmp_path, url, '"play"')
        whole = play(tmp_path)
        lines = (tmp_path / "m.jsonl").read_bytes().splitlines(keepends=True)
        (tmp_path / "cut.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
        assert tabletop(tmp_path, "resume", "cut.jsonl", "-q", KNOWN_KEY="none").returncode == 0
        done = tabletop(tmp_path, "fork", "m.jsonl", "--at", "4", "-q", "--log", "f.jsonl", KNOWN_KEY="none")
        assert done.returncode == 0, done.stderr
        done = tabletop(tmp_path, "play", "coup", "--playback", "m.jsonl", "-q", "--log", "p.jsonl", KNOWN_KEY="none")
        assert done.returncode == 0, done.stderr
    for name in ("cut", "f", "p"):
        assert tabletop(tmp_path, "replay", f"{name}.jsonl", "--verify").returncode == 0
        again = read_log(tmp_path / f"{name}.jsonl")
        assert [one["digest"] for one in again.decisions] == [one["digest"] for one in whole.decisions]


def test_an_answer_that_was_not_drawn_is_found(tmp_path: Path) -> None:
    from runner.record.line import seal

    with endpoint() as (url, _):
        write_agents(tmp_path, url, '"play"')
        play(tmp_path)
    records = [json.loads(line) for line in (tmp_path / "m.jsonl").read_text().splitlines()]
    first = next(record for record in records if "draw" in record.get("policy", {}))
    first["policy"]["draw"] = next(at / 50 for at in range(50) if drawn_answer(first["policy"], at / 50) != first["answer"])
    previous, lines = "0" * 32, []
    for record in records:
        line, previous = seal({name: value for name, value in record.items() if name not in ("prev", "hash")}, previous)
        lines.append(line)
    (tmp_path / "changed.jsonl").write_bytes(b"".join(lines))
    done = tabletop(tmp_path, "replay", "changed.jsonl", "--verify")
    assert done.returncode == 4
    assert "policy" in done.stderr


def test_the_budget_counts_what_policies_take(tmp_path: Path) -> None:
    with endpoint() as (url, _):
        write_agents(tmp_path, url)
        words = (
            "--seat",
            "knowing",
            "--seat",
            "bot:steady",
            "--seed",
            "4",
            "-q",
            "--max-turns",
            "6",
            "--budget-tokens",
            "14000",
        )
        done = tabletop(tmp_path, "play", "coup", *words, "--log", "m.jsonl", KNOWN_KEY="none")
    assert done.returncode == 3, done.stderr
    log = read_log(tmp_path / "m.jsonl")
    assert any(attempt["outcome"] == "policy" for attempt in log.attempts)
    assert sum(attempt["charged_tokens"] for attempt in log.attempts) <= 14_000


def test_a_model_that_reasons_by_itself_is_not_asked(tmp_path: Path) -> None:
    with endpoint() as (url, bodies):
        write_agents(tmp_path, url, reasoning='{effort = "low"}')
        play(tmp_path)
    assert not any("logprobs" in body for body in bodies)


def test_matches_with_and_without_do_not_pool(tmp_path: Path) -> None:
    for name, flag in (("a", ()), ("b", ("--policy",))):
        words = ("--seat", "offline", "--seat", "bot:steady", "--max-turns", "4", "-q", "--seed", "2", *flag)
        (tmp_path / "t").mkdir(exist_ok=True)
        assert tabletop(tmp_path, "play", "coup", *words, "--log", f"t/{name}.jsonl").returncode == 0
    assert read_log(tmp_path / "t/b.jsonl").header["seats"][0]["policy"] is True
    done = tabletop(tmp_path, "standings", "t")
    assert done.returncode == 2
    assert "policy" in done.stderr
    assert tabletop(tmp_path, "standings", "t", "--pool", "agents").returncode == 0


def test_the_offline_model_gives_its_even_policy_whatever_mistakes_it_makes(tmp_path: Path) -> None:
    words = (
        "--seat",
        "offline",
        "--seat",
        "bot:steady",
        "--max-turns",
        "8",
        "-q",
        "--seed",
        "2",
        "--policy",
        "--mistakes",
        "0.5",
    )
    assert tabletop(tmp_path, "play", "coup", *words, "--log", "m.jsonl").returncode == 0
    log = read_log(tmp_path / "m.jsonl")
    questions = {attempt["question"] for attempt in log.attempts if attempt["seat"] == 0}
    assert {attempt["question"] for attempt in policies(log)} == questions
    for attempt in policies(log):
        answers = attempt["policy"]["answers"]
        assert [one["chance"] for one in answers] == pytest.approx([1 / len(answers)] * len(answers))
