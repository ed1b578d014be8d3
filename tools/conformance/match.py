"""A short match played through the command with one seat at a server, and the counts of its log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from runner.record.reader import Log, read_log
from runner.record.verify import verify
from tests.cli.answering import run as run_tabletop

AGENT = """
[served]
model = "random"
base_url = "http://127.0.0.1:{port}/v1"
max_tokens = 192
temperature = 1.0
key = "SERVED_KEY"
"""
FIXED_GAME = ("coup",)
FIXED_ANSWER = '{"action": "income", "target": "none", "response": "pass", "lose": "Duke"}'
"""The one answer of a server that cannot choose: legal at most of Coup's questions, and a strike at the others."""

SEATS = ("--seat", "served", "--seat", "bot:steady", "--seat", "bot:steady", "--num-players", "3")


class Played(NamedTuple):
    """`status` is the exit status, `words` what it said or what is in the log, `kinds` the attempts by their outcome."""

    status: int
    words: str
    kinds: Mapping[str, int] = MappingProxyType({})
    failed: tuple[str, ...] = ()

    @property
    def has_ended(self) -> bool:
        return self.status == 0


async def play(folder: Path, port: int, *game: str, key: str = "none") -> Played:
    """The match of a game with its options, one seat at the server of this port and two of rules of thumb."""
    log = f"{game[0]}.jsonl"
    (folder / "agents.toml").write_text(AGENT.format(port=port), encoding="utf-8")
    done = await run_tabletop(folder, "play", *game, *SEATS, "--seed", "1", "--quiet", "--log", log, SERVED_KEY=key)
    if done.returncode != 0:
        return Played(done.returncode, f"exit status {done.returncode}: {done.stderr.strip()}")
    return _played(read_log(folder / log))


def _played(log: Log) -> Played:
    attempts = [record for _, record in log.of_kind("attempt") if record.get("request")]
    kinds = Counter(record.get("what", record["outcome"]) for record in attempts)
    forms = " then ".join(dict.fromkeys(record["form"] for record in attempts))
    failed = tuple(record["why"] for record in attempts if record["outcome"] == "infrastructure")
    words = f"a match of {verify(log).decisions} decisions, {len(attempts)} attempts {dict(kinds)}, forms {forms}"
    return Played(0, words, kinds, failed)
