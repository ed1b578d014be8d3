"""Every stop of a match under way names the command that resumes it. What was set aside for a killed call counts as spent."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from pathlib import Path

import pytest

from runner.record.log_paths import journal_of
from runner.record.reader import read_log
from tests.cli.answering import Answering, run
from tests.cli.command import complaint, start
from tests.llm.odd_server import Play, error, reply, silence

MATCH = ("play", "dixiquote", "--players", "3", "--max-rounds", "1", "--seed", "1", "--log", "log.jsonl", "-q")
BOTS = ("--seat", "bot:steady", "--seat", "bot:steady")
LATER = time.time() + 5 * 3600
DAY = reply(error(429, "free-models-per-day"), 429, headers={"x-ratelimit-remaining": "0", "x-ratelimit-reset": f"{LATER:.0f}"})
RESETS = reply(error(403, "limit", limit_source="openrouter_key_limit", resets_at=LATER), 403)

STOPS: dict[str, tuple[Play, int, str]] = {
    "key": (reply(error(401, "no such key"), 401), 5, "The match stopped: "),
    "credit": (reply(error(402, "no credit"), 402), 5, "The match stopped: "),
    "model": (reply(error(404, "model m not found"), 404), 5, "The match stopped: "),
    "no right": (reply(error(403, "no"), 403), 5, "name another model (403: no). Resume it with "),
    "redirect": (reply("", 302, headers={"location": "http://other.invalid/v1"}), 5, "redirects to http://other.invalid/v1"),
    "limit without an end": (reply(error(403, "limit", limit_source="openrouter_key_limit"), 403), 5, "The match stopped: "),
    "day limit": (DAY, 3, "the limit ends at 2"),
    "limit with an end": (RESETS, 3, "the limit ends at 2"),
    "long wait": (reply(error(429, "slow"), 429, headers={"retry-after": "4000"}), 3, "in 1 h 6 min"),
}


@pytest.mark.parametrize("name", STOPS)
async def test_every_stop_names_the_command_that_resumes(name: str, tmp_path: Path) -> None:
    play, status, said = STOPS[name]
    async with Answering() as server:
        server.plays = [play]
        first = await run(tmp_path, *MATCH, "--seat", f"m@{server.base_url}", *BOTS, "--json")
        command = f"tabletop resume log.jsonl --seat P-0=m@{server.base_url}"
        assert (first.returncode, len(server.bodies)) == (status, 1)
        assert said in first.stderr
        assert first.stderr.endswith(f"Resume it with `{command}`.\n")
        assert json.loads(first.stdout)["log"] == "log.jsonl"
        again = await run(tmp_path, *command.split()[1:], "-q")
    assert again.returncode == 0, again.stderr


async def test_a_rate_limit_without_a_time_pauses_after_the_retries_of_the_agent(tmp_path: Path) -> None:
    async with Answering() as server:
        server.after = reply(error(429, "slow down"), 429)
        (tmp_path / "agents.toml").write_text(f'[mine]\nmodel = "m"\nbase_url = "{server.base_url}"\nretries = 1\n')
        done = await run(tmp_path, *MATCH, "--seat", "mine", *BOTS)
    assert (done.returncode, len(server.bodies)) == (3, 2)
    assert "no answer in 2 attempts" in complaint(done)
    assert complaint(done).endswith("try again in some minutes. Resume it with `tabletop resume log.jsonl`.")


async def test_a_hopeless_seat_pauses_a_match_and_three_commands_continue_it(tmp_path: Path) -> None:
    done = await run(tmp_path, *MATCH, "--max-rounds", "9", "--seat", "offline/illegal", *BOTS, "--hopeless", "1")
    assert done.returncode == 3
    assert "P-0 gave no valid answer in 1 decision in a row" in complaint(done)
    resume = "`tabletop resume log.jsonl"
    assert f"another player by {resume} --seat P-0=SPEC`, as it is by {resume}`, or" in complaint(done)
    assert complaint(done).endswith(f"without this rule by {resume} --hopeless 0`.")
    again = await run(tmp_path, "resume", "log.jsonl", "-q")
    assert (again.returncode, "in 2 decisions" in complaint(again)) == (3, True)
    last = await run(tmp_path, "resume", "log.jsonl", "--hopeless", "0", "-q")
    assert last.returncode == 0, last.stderr
    assert read_log(tmp_path / "log.jsonl").latest_header["hopeless"] == 0


async def test_a_call_in_flight_at_a_kill_counts_as_spent(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    async with Answering() as server:
        server.plays = [silence]
        seat = ("--seat", f"m@{server.base_url}", *BOTS)
        process = start(tmp_path, *MATCH, *seat)
        while not server.bodies:
            await asyncio.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        await asyncio.to_thread(process.communicate)
        assert journal_of(log).exists()
        done = await run(tmp_path, "resume", "log.jsonl", "--seat", f"P-0=m@{server.base_url}", "-q", "--budget-tokens", "1")
        (resumed,) = [record for _, record in read_log(log).of_kind("resumed")]
        assert resumed["unlogged"]["tokens"] > 4096
        assert f"has 0 left, and the next call may take {resumed['unlogged']['tokens']}" in complaint(done)
        assert not journal_of(log).exists()
        done = await run(
            tmp_path, "resume", "log.jsonl", "--seat", f"P-0=m@{server.base_url}", "-q", "--budget-tokens", "99999"
        )
    assert done.returncode == 0, done.stderr
    assert sum("unlogged" in record for _, record in read_log(log).of_kind("resumed")) == 1
    assert not list(tmp_path.glob(".*"))


async def test_a_day_limit_pauses_a_tournament_without_waiting_for_it(tmp_path: Path) -> None:
    async with Answering() as server:
        server.after = DAY
        agents = f"m@{server.base_url},bot:steady,bot:random"
        words = ("--game", "dixiquote", "--seat", agents, "--players", "3", "--deals", "1", "-o", "my t", "-q")
        done = await run(tmp_path, "tournament", *words, "--workers", "1", "--concurrency", "1", "--json")
    assert (done.returncode, len(server.bodies)) == (3, 1)
    assert {stopped["stop"] for stopped in json.loads(done.stdout)["stopped"].values()} == {"limit"}
    assert "the limit ends at 2" in done.stderr
    assert "`tabletop tournament 'my t'` plays the remaining 6 matches." in done.stderr
