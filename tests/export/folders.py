"""A folder of logs for exports: finished, paused, hostile, torn, damaged and forked ones, and what is no log."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

from runner.errors import PausedError
from tests.cli.command import tabletop
from tests.match.tables import Failing, bot
from tests.record.hostile import hostile_log
from tests.record.matches import SMALL, erring, played
from tests.screen.talkers import talkers

DAMAGED = ("damaged.jsonl", "empty.jsonl")
GOOD = ("coup.jsonl", "deep/er/small.jsonl", "fork.jsonl", "hostile.jsonl", "paused.jsonl", "talk.jsonl", "torn.jsonl")


async def _play(folder: Path) -> None:
    await played(folder / "coup.jsonl", "coup", erring("coup", 3), 3)
    await played(folder / "talk.jsonl", "coup", talkers("coup", 3), 1, talk=True, max_turns=3)
    await played(folder / "deep" / "er" / "small.jsonl", "dixiquote", erring("dixiquote", 3), 4, **SMALL)
    await hostile_log(folder / "hostile.jsonl")
    with suppress(PausedError):
        await played(folder / "paused.jsonl", "coup", [bot("coup"), Failing(), bot("coup")], 2)


def make_folder(folder: Path) -> Path:
    """Write the logs into a folder."""
    asyncio.run(_play(folder))
    whole = (folder / "coup.jsonl").read_bytes()
    (folder / "torn.jsonl").write_bytes(whole[:-20])
    (folder / "damaged.jsonl").write_bytes(whole.replace(b'"seat":1', b'"seat":2', 1))
    (folder / "empty.jsonl").write_bytes(b"")
    seats = [word for seat in range(3) for word in ("--seat", f"P-{seat}=bot:random")]
    forked = tabletop(folder, "fork", "coup.jsonl", "--at", "9", *seats, "-q", "--log", "fork.jsonl")
    assert forked.returncode == 0, forked.stderr
    return folder
