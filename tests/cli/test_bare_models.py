"""A model without an address: at OpenRouter, or at OPENAI_BASE_URL where there is no key for OpenRouter."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.agents.environment import Environment
from runner.agents.spec import Endpoint, Named, parse_spec, seat_spec
from runner.record.reader import read_log
from tests.cli.answering import Answering, run
from tests.cli.command import complaint, tabletop
from tests.llm.odd_server import completion

OTHER = "https://models.example/v1"


@pytest.mark.parametrize(
    ("text", "model", "url"),
    [
        ("openrouter/openai/gpt-5-mini", "openai/gpt-5-mini", None),
        ("ada=openrouter/openai/gpt-5-mini:nitro", "openai/gpt-5-mini:nitro", None),
        ("openrouter/openai/gpt-5-mini+pack:a/b", "openai/gpt-5-mini", None),
        ("openrouter/auto", "openrouter/auto", None),
        ("openrouter/openai/gpt-5-mini@http://a.example/v1", "openrouter/openai/gpt-5-mini", "http://a.example/v1"),
    ],
)
def test_openrouter_before_vendor_and_model_changes_nothing(text: str, model: str, url: str | None) -> None:
    spec = parse_spec(text)
    assert isinstance(spec, Endpoint)
    assert (spec.model, spec.url) == (model, url)
    assert url or spec.who == model


@pytest.mark.parametrize("name", ["gpt-5-mini", "Qwen/Qwen3-8B", "openrouter/openai/gpt-5-mini"])
@pytest.mark.parametrize(
    ("own", "is_there"),
    [
        ({}, True),
        ({"OPENROUTER_API_KEY": "router"}, False),
        ({"OPENAI_API_KEY": ""}, False),
        ({"OPENAI_BASE_URL": ""}, False),
        ({"OPENAI_BASE_URL": "models.example"}, False),
    ],
)
def test_a_bare_name_goes_to_the_endpoint_of_the_environment(name: str, own: dict[str, str], is_there: bool) -> None:
    spec = seat_spec(f"ada={name}+pack:mine", Environment({"OPENAI_BASE_URL": OTHER, "OPENAI_API_KEY": "key", **own}))
    assert (isinstance(spec, Endpoint) and spec.url == OTHER) is is_there
    assert (spec.player, spec.pack) == ("ada", Path("mine"))
    assert spec.who == name.removeprefix("openrouter/") + f"@{OTHER}" * is_there


def test_a_folder_does_not_send_a_key_of_the_shell_there() -> None:
    own = frozenset({"OPENAI_BASE_URL"})
    spec = seat_spec("gpt-5-mini", Environment({"OPENAI_BASE_URL": OTHER, "OPENAI_API_KEY": "key"}, own=own))
    assert isinstance(spec, Named)


async def test_a_match_of_a_bare_name_is_played_there_and_resumed_without_a_word(tmp_path: Path) -> None:
    words = ("play", "coup", "--seat", "small", "--seat", "bot:random", "--seed", "3", "--log", "log.jsonl", "-q")
    async with Answering() as server:
        done = await run(tmp_path, *words, OPENAI_BASE_URL=server.base_url, OPENAI_API_KEY="mine")
        assert done.returncode == 0, done.stderr
        assert {body["model"] for body in server.bodies} == {"small"}
        assert all("authorization: bearer mine" in head.lower() for head in server.heads)
    assert read_log(tmp_path / "log.jsonl").header["seats"][0]["spec"] == f"small@{server.base_url}"


def test_without_an_endpoint_a_name_that_is_none_is_said_so(tmp_path: Path) -> None:
    done = tabletop(tmp_path, "play", "coup", "--seat", "small")
    assert done.returncode == 2
    assert 'There is no seat "small"' in complaint(done)


async def test_a_seat_keeps_its_session_at_openrouter_and_tells_what_a_cache_took(tmp_path: Path) -> None:
    usage = {**completion()["usage"], "prompt_tokens_details": {"cached_tokens": 3, "cache_write_tokens": 7}}
    async with Answering(changes={"usage": usage}) as server:
        (tmp_path / "agents.toml").write_text(f'[mine]\nmodel = "a/b"\nbase_url = "{server.base_url}"\nopenrouter = true')
        words = ("play", "coup", "--seat", "mine", "--seat", "mine", "--seed", "3", "--log", "log.jsonl", "-q")
        done = await run(tmp_path, *words)
    assert done.returncode == 0, done.stderr
    asked = [head.lower() for head in server.heads if head.startswith("POST")]
    sessions = [line for head in asked for line in head.split("\r\n") if line.startswith("x-session-id: ")]
    assert (len(sessions), len({*sessions})) == (len(asked), 2)
    log = read_log(tmp_path / "log.jsonl")
    assert {attempt["reply"]["usage"]["cache_write_tokens"] for _, attempt in log.of_kind("attempt")} == {7}
