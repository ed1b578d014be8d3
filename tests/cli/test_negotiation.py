"""An endpoint that refuses requests, from the command line: what is said, logged, and known again by resume."""

from __future__ import annotations

from pathlib import Path

from runner.prompting.pack import PromptPack
from runner.record.reader import read_log
from runner.record.verify import verify
from runner.workshop.prompted_decision import prompted_decision
from tests.cli.answering import Answering, run
from tests.cli.command import complaint
from tests.llm.endpoints.standin import StandIn
from tests.llm.endpoints.table import ENDPOINTS
from tests.llm.odd_server import OddServer, reply

ENDPOINT = next(endpoint for endpoint in ENDPOINTS if endpoint.name == "Gemma at Google")
AGENT = '[ada]\nmodel = "vendor/model"\nbase_url = "{url}"\nfrequency_penalty = 0.5\n'
PLAY = ("play", "coup", "--seat", "ada", "--seat", "bot:steady", "--seed", "1", "--log", "match.jsonl")


async def test_what_was_learnt_is_said_once_logged_and_known_after_a_pause(tmp_path: Path) -> None:
    async with StandIn(ENDPOINT) as server:
        (tmp_path / "agents.toml").write_text(AGENT.format(url=server.base_url))
        paused = await run(tmp_path, *PLAY, "--budget-tokens", "15000")
        assert paused.returncode == 3, paused.stderr
        refused, answered = len(server.refused), len(server.bodies)
        done = await run(tmp_path, "resume", "match.jsonl", "--budget-tokens", "9000000", "--trust-folder")
        assert done.returncode == 0, done.stderr
        assert len(server.refused) == refused
        assert len(server.bodies) > answered
    for stderr in (paused.stderr, done.stderr):
        assert stderr.count("have no system message: its text is in the first user message.") == 1
        assert stderr.count("leave out frequency_penalty, not known to be supported.") == 1
    log = read_log(tmp_path / "match.jsonl")
    learnt = [record.get("learnt") for _, record in log.records if record["kind"] == "attempt" and record["seat"] == 0]
    assert learnt[0] is None
    known = {"form": "text", "best_form": "text", "rejected": ["frequency_penalty"], "merges_system": True}
    assert learnt[-1] == {**known, "at": server.base_url}
    verify(log)
    at = next(at for at in range(5, 30) if prompted_decision(log, at).attempts)
    rendered, sent = prompted_decision(log, at).messages(PromptPack(), 1), prompted_decision(log, at).sent(1)
    assert [message["role"] for message in rendered] == [message["role"] for message in sent] == ["user"]
    assert rendered[0]["content"][-400:] == sent[0]["content"][-400:]


async def test_what_one_address_taught_is_not_believed_of_another(tmp_path: Path) -> None:
    async with StandIn(ENDPOINT) as server:
        (tmp_path / "agents.toml").write_text(AGENT.format(url=server.base_url))
        assert (await run(tmp_path, *PLAY, "--budget-tokens", "15000")).returncode == 3
    async with Answering() as other:
        (tmp_path / "agents.toml").write_text(AGENT.format(url=other.base_url))
        done = await run(tmp_path, "resume", "match.jsonl", "--budget-tokens", "9000000", "--trust-folder")
    assert done.returncode == 0, done.stderr
    assert all("response_format" in body and "frequency_penalty" in body for body in other.bodies)


async def test_an_endpoint_that_takes_nothing_is_quoted(tmp_path: Path) -> None:
    async with OddServer(after=reply({"message": "Keine Angabe von Gründen (17)"}, 422)) as server:
        (tmp_path / "agents.toml").write_text(AGENT.format(url=server.base_url))
        done = await run(tmp_path, *PLAY)
    assert done.returncode == 5
    assert "Keine Angabe von Gründen (17)" in complaint(done)
    assert "The endpoint" not in done.stderr
    assert "the endpoint of" not in done.stderr
    assert "tabletop resume match.jsonl" in done.stderr


async def test_doctor_says_what_the_trial_taught(tmp_path: Path) -> None:
    async with StandIn(ENDPOINT) as server:
        (tmp_path / "agents.toml").write_text(AGENT.format(url=server.base_url))
        done = await run(tmp_path, "doctor", "--seat", "ada")
    assert "requests have no system message: its text is in the first user message" in done.stdout
    assert "requests leave out frequency_penalty after a refusal" in done.stdout
