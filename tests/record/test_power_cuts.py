"""After a power cut, every reply is there that somebody was told is taken, and every call that was made counts as paid."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import pytest

from runner.record.reader import read_log
from runner.record.verify import verify
from tests.agents.programs import GOOD, LOOP
from tests.arena.paid_server import paid_server
from tests.cli.command import environment
from tests.patience import PATIENCE
from tests.people.player import Player
from tests.record.power_cuts import Disk, compiled
from tests.serve.webs import Site

LOG = "logs/a.jsonl"
TABLETOP = ("-m", "runner")
PAID = '[paid]\nmodel = "offline"\nbase_url = "{}"\nprices = {{ prompt = 1, completion = 1 }}\n'
CALL = "POST /v1/chat/completions"
CLIENT = """
import asyncio, json
from pathlib import Path
from tests.serve.hosting import hosted, play
async def main():
    async with hosted(Path("logs")) as tools:
        async def call(name, **arguments):
            result = await tools(name, **arguments)
            print(json.dumps(result), flush=True)
            return result
        await play(call, (await call("new_match", game="coup", seats=["mcp", "bot:steady"], seed=3))["handles"])
asyncio.run(main())
"""
"""A server of match tools that tells on standard output what it tells its client."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("library"))


@pytest.fixture
def disk(library: Path, tmp_path: Path) -> Disk:
    folder = tmp_path / "table"
    folder.mkdir()
    return Disk.of(folder, library)


def answers(log: bytes, *seats: int) -> int:
    """How many replies of some seats are in a log."""
    records = map(json.loads, log.splitlines())
    return sum(one["kind"] == "attempt" and one["seat"] in seats for one in records)


def table(*seats: str) -> tuple[str, ...]:
    """A short match of Coup between two."""
    return (
        "play",
        "coup",
        "--seed",
        "3",
        "--max-turns",
        "10",
        *(word for seat in seats for word in ("--seat", seat)),
        "--log",
        LOG,
    )


def run(disk: Disk, *words: str) -> None:
    """Python on this disk, to its end."""
    command, variables = [sys.executable, *words], environment(**disk.environment)
    done = subprocess.run(
        command, cwd=disk.folder, env=variables, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("call", "left"), [("", b""), ("os.fsync(1)", b""), ("os.fsync(file); os.fsync(folder)", b"one")])
def test_the_disk_of_these_tests_has_what_was_synced_and_nothing_else(call: str, left: bytes, disk: Disk) -> None:
    script = f"""
import os
file, folder = os.open("f", os.O_CREAT | os.O_WRONLY), os.open(".", os.O_RDONLY)
os.write(file, b"one")
{call}
os.write(1, b"told")
os.write(file, b"two")
os.fsync(file); os.fsync(folder)
"""
    run(disk, "-c", script)
    assert [then.read("f") for then in disk.told("told")] == [left]
    assert disk.now().read("f") == b"onetwo"


def test_a_program_is_asked_nothing_before_its_last_reply_is_on_the_disk(disk: Disk) -> None:
    (disk.folder / "bot.py").write_text(LOOP + GOOD)
    run(disk, *TABLETOP, *table(f"cmd:{sys.executable} -I -S bot.py", "bot:steady"), "-q")
    given = [answers(then.read(LOG), 0) for then in disk.told('"type": ?"(ask|end)"')]
    assert given == [*range(len(given))]
    assert len(given) > 3


def test_a_person_at_a_terminal_loses_no_reply(disk: Disk, tmp_path: Path) -> None:
    player, rng = Player(*table("human", "bot:steady"), folder=disk.folder, **disk.environment), random.Random(1)
    while (prompt := player.prompt()) and answers((disk.folder / LOG).read_bytes(), 0) < 3:
        assert answers(disk.now().read(LOG), 0) == answers((disk.folder / LOG).read_bytes(), 0)
        player.answer(prompt, rng, "")
    os.kill(player.pid, signal.SIGKILL)
    player.ended()
    disk.now().restore(tmp_path / "after")
    assert answers((tmp_path / "after" / LOG).read_bytes(), 0) == 3
    verify(read_log(tmp_path / "after" / LOG))


async def test_browsers_lose_no_reply_that_was_answered_with_ok(disk: Disk) -> None:
    with serving(disk) as lobby:
        async with aiohttp.ClientSession() as http:
            site = Site(lobby, http)
            begun = await site.begin("coup", "human", "human")
            await asyncio.gather(*(site.viewer(link).play() for link in begun["seats"].values()))
    given = [answers(then.read(f"logs/{begun['log']}"), 0, 1) for then in disk.told('"status": ?"ok"')]
    assert all(on_disk >= told for told, on_disk in enumerate(given, 1))
    assert len(given) > 3


@contextmanager
def serving(disk: Disk) -> Iterator[str]:
    """The lobby's address at a server on this disk."""
    words = [sys.executable, *TABLETOP, "serve", "logs", "--port", "0"]
    variables = environment(**disk.environment)
    server = subprocess.Popen(words, cwd=disk.folder, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield server.stdout.readline().split()[1]
    finally:
        server.kill()
        server.communicate()


def test_a_client_of_tools_loses_no_reply_that_was_answered_with_ok(disk: Disk) -> None:
    run(disk, "-c", CLIENT)
    (log,) = (disk.folder / "logs").glob("*.jsonl")
    given = [answers(then.read(f"logs/{log.name}"), 0) for then in disk.told('"status": "ok"')]
    assert given == [*range(1, len(given) + 1)]
    assert len(given) > 3


def test_a_model_is_asked_nothing_before_its_last_reply_and_the_price_of_the_call_are_on_the_disk(
    disk: Disk, library: Path, tmp_path: Path
) -> None:
    with paid_server(0) as server:
        (disk.folder / "agents.toml").write_text(PAID.format(server.url))
        run(disk, *TABLETOP, *table("paid", "bot:steady"), "--budget", "5", "-q")
        for calls, then in enumerate(disk.told(CALL), 1):
            assert answers(then.read(LOG), 0) == calls - 1
            assert then.read("logs/.a.jsonl.calls").count(b"+") == calls
            if calls == 4:
                then.restore(tmp_path / "after")
        after = Disk.of(tmp_path / "after", library)
        (after.folder / "agents.toml").write_text(PAID.format(server.url))
        run(after, *TABLETOP, "resume", LOG, "-q", "--trust-folder")
    assert all(b'"unlogged":{"usd":0.' in then.read(LOG) for then in after.told(CALL))
    assert answers((after.folder / LOG).read_bytes(), 0) > 4


def test_a_tournament_counts_every_call_that_was_made_after_a_power_cut(disk: Disk) -> None:
    words = (
        "--game",
        "coup",
        "--players",
        "2",
        "--seat",
        "a=paid,b=bot:steady",
        "--deals",
        "2",
        "--option",
        "max_turns=6",
        "--budget",
        "5",
    )
    with paid_server(0) as server:
        (disk.folder / "agents.toml").write_text(PAID.format(server.url))
        run(disk, *TABLETOP, "tournament", *words, "-q", "-o", "t")
    reserved = [then.read("t/.ledger").count(b"+") for then in disk.told(CALL)]
    assert all(on_disk >= made for made, on_disk in enumerate(reserved, 1))
    assert len(reserved) > 3
