"""A log may come from a stranger: an address in it is called only if this call, or files that are trusted, name it too."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from runner.record.line import FIRST, seal
from runner.record.reader import read_log
from tests.cli.answering import Answering, run
from tests.cli.command import complaint, tabletop

MATCH = ("play", "dixiquote", "--players", "3", "--max-rounds", "1", "--seed", "1", "--log", "log.jsonl", "-q")
BOTS = ("--seat", "bot:steady", "--seat", "bot:steady")
CANARY = "canary-openai-key"
HERE = {"OPENAI_API_KEY": CANARY, "OPENROUTER_API_KEY": "canary-openrouter-key"}


def strangers_log(folder: Path, url: str) -> None:
    """An unfinished match whose first seat plays at an address, made without calling it."""
    done = tabletop(folder, *MATCH, "--seat", "offline", *BOTS)
    assert done.returncode == 0, done.stderr
    path, previous, lines = folder / "log.jsonl", FIRST, []
    for line in path.read_bytes().splitlines()[:6]:
        record = {name: value for name, value in json.loads(line).items() if name != "hash"}
        if record["kind"] == "header":
            record["seats"][0] = {"spec": f"m@{url}", "name": "m", "kind": "model", "model": "m", "base_url": url}
        sealed, previous = seal(record, previous)
        lines.append(sealed)
    path.write_bytes(b"".join(lines))
    assert read_log(path).header["seats"][0]["base_url"] == url


VERBS = {
    "resume": ("resume", "log.jsonl", "-q"),
    "fork": ("fork", "log.jsonl", "--at", "1", "-q"),
    "ask": ("prompts", "ask", "log.jsonl", "--at", "1", "--times", "1"),
    "playback": ("play", "dixiquote", "--playback", "log.jsonl", "--dry-run"),
}


@pytest.mark.parametrize("verb", VERBS)
async def test_an_address_that_only_a_log_names_is_not_called(verb: str, tmp_path: Path) -> None:
    async with Answering() as server:
        await asyncio.to_thread(strangers_log, tmp_path, server.base_url)
        before = (tmp_path / "log.jsonl").read_bytes()
        done = await run(tmp_path, *VERBS[verb], **HERE)
    assert (done.returncode, server.connections) == (5, 0)
    flag = "--seat m@" if verb == "ask" else "--seat P-0=m@"
    assert f"{flag}{server.base_url}" in complaint(done)
    assert f"the host 127.0.0.1:{server.port}: nothing was sent there" in complaint(done)
    assert (tmp_path / "log.jsonl").read_bytes() == before
    assert len(list(tmp_path.glob("*.jsonl"))) == 1


@pytest.mark.parametrize("by", ["--seat", "other seat", "MODEL_PLAYER_3", "agents.toml", "TABLETOP_KEY_HOSTS", "prompts ask"])
async def test_an_address_that_this_call_names_is_called(by: str, tmp_path: Path) -> None:
    words, env = VERBS["ask" if by == "prompts ask" else "resume"], {}
    async with Answering() as server:
        await asyncio.to_thread(strangers_log, tmp_path, server.base_url)
        if by == "agents.toml":
            (tmp_path / "agents.toml").write_text(f'[mine]\nmodel = "x"\nbase_url = "{server.base_url}/"\n')
            words += ("--trust-folder",)
        elif by.isupper():
            env = {by: f"127.0.0.1:{server.port}" if by == "TABLETOP_KEY_HOSTS" else f"y@{server.base_url}"}
        else:
            seat = f"P-1=z@{server.base_url}" if by == "other seat" else f"P-0=m@{server.base_url}"
            words += ("--seat", f"m@{server.base_url}") if by == "prompts ask" else ("--seat", seat)
        done = await run(tmp_path, *words, **env)
    assert done.returncode == 0, done.stderr
    assert server.bodies


async def test_the_printed_command_resumes_the_match(tmp_path: Path) -> None:
    words = ("--seat", "ignored", *BOTS)
    async with Answering() as server:
        words = ("--seat", f"m@{server.base_url}", *BOTS, "--budget-tokens", "100")
        paused = await run(tmp_path, *MATCH, *words)
        command, _, more = complaint(paused).removesuffix("`.").partition("`")[2].rpartition(" ")
        assert (paused.returncode, command) == (3, f"tabletop resume log.jsonl --seat P-0=m@{server.base_url} --budget-tokens")
        asked = len(server.bodies)
        again = await run(tmp_path, *command.split()[1:], more, "-q")
        assert (again.returncode in (0, 3), len(server.bodies) > asked) == (True, True), "the number that is named helps"
        done = await run(tmp_path, *command.split()[1:], "999999", "-q")
    assert done.returncode == 0, done.stderr


async def test_a_key_that_was_not_sent_is_explained_when_the_endpoint_wants_one(tmp_path: Path) -> None:
    from tests.llm.odd_server import error, reply

    async with Answering() as server:
        server.after = reply(error(401, "who are you"), 401)
        named = f"m@http://0.0.0.0:{server.port}/v1"
        done = await run(tmp_path, *MATCH, "--seat", named, *BOTS, **HERE)
    assert done.returncode == 5
    assert "OPENAI_API_KEY is not sent to 0.0.0.0:" in complaint(done)
    assert f"TABLETOP_KEY_HOSTS=0.0.0.0:{server.port}" in complaint(done)
    assert f"Resume it with `tabletop resume log.jsonl --seat P-0={named}`." in complaint(done)
    assert "canary" not in "".join(server.heads)


@pytest.mark.parametrize("url", ["http://user:pw-canary@host/v1", "http://host:x/v1", "http://[::1/v1", "http://a..b/v1"])
def test_a_faulty_address_ends_every_command_with_one_sentence(url: str, tmp_path: Path) -> None:
    for words in ((*MATCH, "--seat", f"m@{url}"), ("models", "--endpoint", url)):
        done = tabletop(tmp_path, *words)
        assert done.returncode == 5
        assert "pw-canary" not in complaint(done)
    for words in (("doctor", "--seat", f"m@{url}", "--no-trial"), ("doctor", "--seat", f"m@{url}", "--json"), ("agents",)):
        done = tabletop(tmp_path, *words, MODEL_PLAYER_0=f"m@{url}")
        assert "pw-canary" not in done.stdout + done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_log_alone_does_not_say_how_long_a_bot_thinks(tmp_path: Path) -> None:
    words = ("play", "coup", "--players", "2", "--seed", "1", "--max-turns", "2", "--log", "log.jsonl", "-q")
    assert tabletop(tmp_path, *words, "--seat", "bot:random", "--seat", "bot:random").returncode == 0
    previous, lines = FIRST, []
    for line in (tmp_path / "log.jsonl").read_bytes().splitlines()[:6]:
        record = {name: value for name, value in json.loads(line).items() if name != "hash"}
        if record["kind"] == "header":
            record["seats"][0] = {"spec": "bot:search:1000000", "name": "b", "kind": "bot", "playouts": 1_000_000}
        sealed, previous = seal(record, previous)
        lines.append(sealed)
    (tmp_path / "log.jsonl").write_bytes(b"".join(lines))
    for verb in (("resume", "log.jsonl", "-q"), ("fork", "log.jsonl", "--at", "1", "-q")):
        done = tabletop(tmp_path, *verb)
        assert done.returncode == 5
        assert "only the log names how long it thinks: nothing was played" in complaint(done)
        assert "--seat P-0=bot:search:1000000" in complaint(done)
    assert tabletop(tmp_path, "resume", "log.jsonl", "-q", "--seat", "P-0=bot:random").returncode == 0
