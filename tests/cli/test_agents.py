"""Agents by name, from agents.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.record.reader import read_log
from tests.cli.command import complaint, offline_server, tabletop

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
    with offline_server(tmp_path) as url:
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
        ('[calm]\nmodel = "x"\ntemperature = "hot"', ["calm", "temperature", "hot"]),
        ('[calm]\nmodel = "x"\ntemprature = 1', ["calm", "temprature", "temperature"]),
        ("[calm]\ntemperature = 1", ["calm", "model is missing"]),
        ('calm = "x"', ["calm", "[calm]"]),
        ("[calm", ["agents.toml", "cannot be read"]),
        ('["bot:mine"]\nmodel = "x"', ["bot:mine", "something else"]),
        ('[calm]\nmodel = "x"\nkey = "MY_KEY"', ["calm", "MY_KEY=..."]),
        ('[calm]\nmodel = "x"\nbase_url = "nowhere"', ["calm", "base_url", "nowhere"]),
    ],
)
def test_a_faulty_agents_file_gets_one_sentence(text: str, said: list[str], tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text(text)
    done = tabletop(tmp_path, "play", "dixiquote", "--seat", "calm", "--quiet")
    assert done.returncode == 5
    assert [part for part in said if part not in complaint(done)] == []


def test_an_agent_can_be_the_default_and_unknown_ones_are_told_the_known(tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text('[calm]\nmodel = "x"\nbase_url = "http://127.0.0.1:9/v1"')
    done = tabletop(tmp_path, "play", "dixiquote", "--seat", "clam")
    assert done.returncode == 2
    assert "agents.toml (calm)" in complaint(done)
