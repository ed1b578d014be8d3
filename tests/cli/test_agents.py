"""Agents by name, from agents.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.agents.environment import Environment
from runner.agents.spec import fill_seats
from runner.record.reader import read_log
from tests.cli.answering import Answering, run
from tests.cli.command import complaint, offline_server, tabletop
from tests.llm.odd_server import error, reply

CALM = """
[calm]
model = "small-model"
base_url = "{url}"
temperature = 0.2
max_tokens = 500
reasoning = {{effort = "low"}}
prompts = "mine"
[calm.prices]
prompt = 1
completion = 3
"""


def test_an_agent_is_called_as_it_is_written_down(tmp_path: Path) -> None:
    voter = tmp_path / "mine" / "dixiquote" / "voter.j2"
    voter.parent.mkdir(parents=True)
    voter.write_text('{% call message("user") %}Mine. {% include "shared/answer.j2" %}{% endcall %}')
    with offline_server() as url:
        (tmp_path / "agents.toml").write_text(CALM.format(url=url))
        seats = ["--seat", "bot:random", "--seat", "calm", "--seat", "bot:random", "--players", "3"]
        done = tabletop(tmp_path, "play", "dixiquote", *seats, "--max-rounds", "1", "--log", "log.jsonl", "--quiet")
    assert done.returncode == 0, done.stderr
    log = read_log(tmp_path / "log.jsonl")
    attempts = [record for _, record in log.of_kind("attempt") if record["seat"] == 1]
    request = attempts[0]["request"]
    assert (request["model"], request["temperature"], request["max_tokens"]) == ("small-model", 0.2, 500)
    assert request["reasoning_effort"] == "low"
    assert log.messages(attempts[-1])[0]["content"].startswith("Mine.")
    own, all_seats = log.header["seats"][1]["prompts"], log.header["prompts"]
    assert own["pack"] == "mine"
    assert own["templates"]["dixiquote/voter.j2"] != all_seats["templates"]["dixiquote/voter.j2"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[calm]\nmodel = "x"\ntemperature = "hot"', ["calm", "temperature", "hot", "it has to be a number."]),
        ('[calm]\nmodel = "x"\ntemprature = 1', ["calm", "temprature is not known; did you mean temperature?"]),
        ('[calm]\nmodel = "x"\nzzz = 1', ["calm", "zzz is not known; there is", "temperature"]),
        ('[calm]\nmodel = "x"\nkey = "a-b"', ["calm", "a-b", "the name of a variable"]),
        ("[calm]\ntemperature = 1", ["calm", "model is missing"]),
        ('calm = "x"', ["calm", "[calm]"]),
        ('[calm]\nmodle = "x"', ["agents.toml, agent calm: modle is not known; did you mean model?"]),
        ("[calm", ["agents.toml", "cannot be read"]),
        ('[calm]\nmodel = "x"\nkey = "MY_KEY"', ["calm", "MY_KEY=..."]),
        ('[calm]\nmodel = "x"\nbase_url = "nowhere"', ["calm", "base_url", "nowhere", "it has to be an address"]),
        ('[calm]\nmodel = "x"\nprovider = {onyl = ["a"]}', ["calm", "provider.onyl", "only"]),
        ('[calm]\nmodel = "x"\nprovider = {data_collection = "no"}', ["calm", "data_collection", "'deny'"]),
        ('[calm]\nmodel = "x"\nreasoning = {effort = "much"}', ["calm", "reasoning.effort", "much"]),
        ('[calm]\nmodel = "bot:steady"', ["calm", "bot:steady", "no model", "--seat bot:steady"]),
        ('[calm]\nmodel = "x"\nretries = -1', ["calm", "retries", "-1", "it has to be 0 or more."]),
        ('[calm]\nmodel = "x"\nextra = {stream = true}', ["calm", "extra", "stream"]),
    ],
)
def test_a_faulty_agents_file_gets_one_sentence(text: str, said: list[str], tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text(text)
    done = tabletop(tmp_path, "play", "dixiquote", "--seat", "calm", "--quiet")
    assert done.returncode == 5
    assert [part for part in said if part not in complaint(done)] == []


@pytest.mark.parametrize("name", [".env", "agents.toml"])
def test_a_settings_file_that_cannot_be_read_gets_one_sentence(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(b"\xff\xfe=1\n")
    why = f"{name} cannot be read: it is not text in UTF-8."
    for words in (["agents"], ["play", "coup", "--quiet"]):
        done = tabletop(tmp_path, *words)
        assert (done.returncode, complaint(done)) == (5, f"tabletop: {why}")
    done = tabletop(tmp_path, "doctor")
    assert done.returncode == 5
    assert f"WRONG settings: {why}" in done.stdout
    file.unlink()
    file.mkdir()
    done = tabletop(tmp_path, "agents")
    assert (done.returncode, complaint(done)) == (5, f"tabletop: {name} cannot be read: it is a folder.")


def test_the_built_in_offline_model_can_be_an_agent_without_a_key(tmp_path: Path) -> None:
    file = tmp_path / "agents.toml"
    file.write_text('[calm]\nmodel = "offline"\nhelp = "shape"\nmemory = "notes"\n')
    assert tabletop(tmp_path, "agents").stdout.startswith("calm: model offline, help shape, memory notes\n")
    done = tabletop(tmp_path, "doctor", "--seat", "calm")
    assert done.returncode == 0
    assert "it is built in" in done.stdout
    words = ["--seat", "calm", "--seat", "bot:random", "--seat", "bot:random", "--players", "3", "--max-rounds", "1", "-q"]
    done = tabletop(tmp_path, "play", "dixiquote", *words, "--log", "log.jsonl")
    assert done.returncode == 0, done.stderr
    seat = read_log(tmp_path / "log.jsonl").header["seats"][0]
    assert (seat["kind"], seat["help"], seat["memory"]) == ("offline", "shape", "notes")
    file.write_text('[calm]\nmodel = "offline/odd"\n')
    done = tabletop(tmp_path, "play", "dixiquote", "--seat", "calm")
    assert done.returncode == 2
    assert 'There is no offline model "offline/odd"' in complaint(done)


def test_the_preset_kaggle_lists_no_legal_answers_and_reasons_with_high_effort(tmp_path: Path) -> None:
    file = tmp_path / "agents.toml"
    file.write_text('[far]\nmodel = "offline"\nhelp = "kaggle"\n')
    done = tabletop(
        tmp_path,
        "play",
        "coup",
        "--seat",
        "far",
        "--seat",
        "bot:random",
        "--max-turns",
        "4",
        "--hopeless",
        "0",
        "-q",
        "--log",
        "l.jsonl",
    )
    assert done.returncode == 0, done.stderr
    log = read_log(tmp_path / "l.jsonl")
    seat = log.header["seats"][0]
    assert (seat["help"], seat["parameters"]["reasoning"], seat["max_tokens"]) == ("kaggle", {"effort": "high"}, 16384)
    asked = [log.messages(attempt)[-1]["content"] for _, attempt in log.of_kind("attempt") if attempt["seat"] == 0]
    assert asked
    assert not [text for text in asked if "One of" in text or "take 1 coin" in text or '"reason"' in text]
    file.write_text('[far]\nmodel = "offline"\nhelp = "kaggle"\nreasoning = {effort = "low"}\n')
    assert 'help = "kaggle" sets reasoning' in complaint(tabletop(tmp_path, "play", "coup", "--seat", "far", "-q"))


@pytest.mark.parametrize(("spec", "missing"), [("m@", "address"), ("@http://127.0.0.1:9/v1", "model"), ("@", "model")])
def test_a_seat_at_an_address_has_a_model_and_an_address(spec: str, missing: str, tmp_path: Path) -> None:
    done = tabletop(tmp_path, "play", "dixiquote", "--seat", spec, "--quiet")
    assert done.returncode == 2
    assert f'The seat "{spec}" has no {missing}: write MODEL@BASE_URL' in complaint(done)


def test_an_agent_can_be_the_default_and_unknown_ones_are_told_the_known(tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text('[calm]\nmodel = "x"\nbase_url = "http://127.0.0.1:9/v1"')
    done = tabletop(tmp_path, "play", "dixiquote", "--seat", "clam")
    assert done.returncode == 2
    assert "agents.toml (calm)" in complaint(done)


async def test_what_an_endpoint_does_not_take_is_left_out_and_said(tmp_path: Path) -> None:
    settings = 'top_k = 5\nmin_p = 0.1\nprovider = {{zdr = true}}\nreasoning = {{effort = "low"}}'
    agent = f'[calm]\nmodel = "m"\nbase_url = "{{url}}"\n{settings}'
    async with Answering([reply(error(400, "unsupported parameter: top_k"), 400)]) as server:
        (tmp_path / "agents.toml").write_text(agent.format(url=server.base_url))
        seats = ["--seat", "calm", "--seat", "bot:random", "--seat", "bot:random", "--players", "3"]
        done = await run(tmp_path, "play", "dixiquote", *seats, "--max-rounds", "1", "--log", "log.jsonl", "--quiet")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("leave out provider, not known to be supported") == 1
    assert done.stderr.count("leave out top_k, not known to be supported") == 1
    assert {"top_k", "min_p"} <= server.bodies[0].keys()
    assert not {"top_k", "provider", "reasoning"} & server.bodies[1].keys()
    assert server.bodies[1]["reasoning_effort"] == "low"
    attempts = [record for _, record in read_log(tmp_path / "log.jsonl").of_kind("attempt") if record["seat"] == 0]
    assert [record["left_out"] for record in attempts[:2]] == [["provider"], ["provider", "top_k"]]


async def test_retries_and_the_mark_for_caches_are_the_agents(tmp_path: Path) -> None:
    agent = (
        '[calm]\nmodel = "anthropic/m"\nbase_url = "{url}"\nopenrouter = true\nretries = {retries}\nheaders = {{X-Title = "t"}}'
    )
    seats = ["--seat", "calm", "--seat", "bot:random", "--seat", "bot:random", "--players", "3", "--max-rounds", "1", "-q"]
    async with Answering([reply(error(502), 502)] * 2) as server:
        (tmp_path / "agents.toml").write_text(agent.format(url=server.base_url, retries=0))
        first = await run(tmp_path, "play", "dixiquote", *seats, "--log", "log.jsonl")
        assert (first.returncode, len(server.bodies)) == (3, 1)
        (tmp_path / "agents.toml").write_text(agent.format(url=server.base_url, retries=1))
        assert (await run(tmp_path, "resume", "log.jsonl", "-q")).returncode == 0
    system = server.bodies[-1]["messages"][0]
    assert system["content"][0]["cache_control"] == {"type": "ephemeral"}
    log = read_log(tmp_path / "log.jsonl")
    sent = log.messages([record for _, record in log.of_kind("attempt") if record["seat"] == 0][-1])
    assert sent[0]["content"] == system["content"][0]["text"]
    assert "x-title: t" in server.heads[0].lower()


def test_a_key_alone_seats_a_model_that_costs_money_and_that_is_known() -> None:
    key = {"OPENROUTER_API_KEY": "k"}
    filled = fill_seats(["offline"], 2, Environment(key))
    assert [str(spec) for spec in filled.specs] == ["offline", "openai/gpt-5-mini"]
    assert filled.paid_by_default == "openai/gpt-5-mini"
    for given, more in ((["offline", "offline"], {}), ([], {"DEFAULT_MODEL": "offline"})):
        assert fill_seats(given, 2, Environment({**key, **more})).paid_by_default is None
    assert fill_seats([], 1, Environment({**key, "MODEL_PLAYER_0": "offline"})).paid_by_default is None
    assert [str(spec) for spec in fill_seats([], 2, Environment()).specs] == ["offline", "offline"]
