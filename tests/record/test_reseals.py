"""Strangers' logs whose hashes are good and whose fields are not: no verb crashes, hangs, or takes memory without bound."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from rich.console import Console

import games
from runner.errors import TabletopError
from runner.record.line_index import LogIndex
from runner.record.log_summary import summarise
from runner.record.reader import read_log
from runner.record.seek import SeekableDecisions
from runner.record.verify import verify
from runner.screen.perspective import Perspective
from runner.screen.player.page import Page
from runner.screen.player.viewer import Viewer
from tests.cli.command import tabletop
from tests.record.matches import NOTE
from tests.record.reseal import SHAPES, Field, changed, fields, records_of, resealed

LONG = "TABLETOP_CAMPAIGN" in os.environ
VERBS = {
    "verify": ("replay", "LOG", "--verify"),
    "verify folder": ("replay", ".", "--verify", "--json"),
    "replay": ("replay", "LOG", "--plain", "--thoughts"),
    "public": ("replay", "LOG", "--plain", "--view", "P-1"),
    "watch": ("watch", "LOG", "--wait", "0", "--until-paused", "--plain"),
    "events": ("watch", "LOG", "--wait", "0", "--until-paused", "--json-events", "--quiet"),
    "resume": ("resume", "LOG", "--quiet"),
    "fork": ("fork", "LOG", "--at", "3", "--quiet", "--log", "fork.jsonl", "--seat", "P-0=bot:random"),
    "html": ("export", "LOG", "--html", "-o", "page.html"),
    "markdown": ("export", "LOG", "--markdown", "-o", "-"),
    "csv": ("export", "LOG", "--csv", "-o", "-"),
    "cast": ("export", "LOG", "--cast", "-o", "-", "--view", "public"),
    "logs": ("logs", "."),
    "standings": ("standings", ".", "--json"),
    "render": ("prompts", "render", "LOG", "--at", "2"),
    "ask": ("prompts", "ask", "LOG", "--at", "2", "--times", "1", "--model", "offline"),
    "playback": ("play", "GAME", "--playback", "LOG", "--quiet", "--log", "again.jsonl"),
}
_HEALTHY = (0, 2, 3, 4, 5)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """A log of each game (short: of one) in which every kind of record stands, and one of a fork."""
    folder = tmp_path_factory.mktemp("logs")
    options = {"dixiquote": ("--max-rounds", "1")}
    found = []
    for name in games.names() if LONG else ["dixiquote"]:
        words = ("play", name, "--seed", "1", "--mistakes", "0.4", "--strikes", "2", "--quiet", *options.get(name, ()))
        words += ("--num-players", str(games.load(name).players[0]))
        assert tabletop(folder, *words, "--seat", "offline", "--log", f"{name}.jsonl").returncode == 0
        fork = ("fork", f"{name}.jsonl", "--at", "3", "--quiet", "--log", f"{name}-fork.jsonl")
        assert tabletop(folder, *fork).returncode == 0
        for path in (folder / f"{name}.jsonl", folder / f"{name}-fork.jsonl"):
            found.append(_with_pauses(path.read_bytes()))
    return found


def _with_pauses(raw: bytes) -> bytes:
    """A log that was stopped and resumed before its end, with a change of everything that can change."""
    *records, result = records_of(raw)
    header = records[0]
    resumed = {**NOTE, "seats": header["seats"], "prompts": header["prompts"], "budget": {"usd": 5.0, "tokens": 10**6}}
    pause = {"kind": "pause", "why": "interrupted", "at": NOTE["at"]}
    return resealed([*records, pause, resumed, result])


Case = tuple[list[dict[str, Any]], Field, str]


@pytest.fixture(scope="module")
def cases(logs: list[bytes]) -> list[Case]:
    """Every field of every kind of record of each log, in every shape."""
    return [(records, field, shape) for records in map(records_of, logs) for field in fields(records) for shape in SHAPES]


def _some(cases: list[Case], short: int, long: int | None = None) -> list[Case]:
    """Some of the cases; in the long version more of them, or all."""
    wanted = (long or len(cases)) if LONG else short
    return cases if wanted >= len(cases) else random.Random(5).sample(cases, wanted)


def test_no_verb_crashes_on_a_resealed_log(cases: list[Case], tmp_path: Path) -> None:
    rng, failed = random.Random(7), []
    counts: Counter[tuple[str, int]] = Counter()
    for records, field, shape in _some(cases, 30, 12_000):
        raw = changed(records, field, shape)
        for verb in rng.sample(sorted(VERBS), 2):
            done = _run(tmp_path / "case", VERBS[verb], raw)
            counts[verb, done.returncode] += 1
            if done.returncode not in _HEALTHY or "Traceback" in done.stderr:
                failed.append(f"{verb}: {field} as {shape}: {done.returncode} {done.stderr[-700:]}")
    assert not failed, f"{len(failed)} of {counts.total()} runs:\n" + "\n".join(failed[:40])
    sys.stdout.write(f"{counts.total()} runs: {dict(sorted(counts.items()))}\n")


def _run(folder: Path, verb: Sequence[str], raw: bytes) -> CompletedProcess[str]:
    folder.mkdir()
    (folder / "log.jsonl").write_bytes(raw)
    game = records_of(raw)[0].get("game")
    replaced = {"LOG": "log.jsonl", "GAME": game if game in games.names() else "coup"}
    try:
        return tabletop(folder, *(str(replaced.get(word, word)) for word in verb), timeout=300)
    finally:
        shutil.rmtree(folder)


def test_every_reader_reads_a_resealed_log_or_refuses_it(cases: list[Case], tmp_path: Path) -> None:
    path, refused, chosen = tmp_path / "log.jsonl", 0, _some(cases, 60)
    for records, field, shape in chosen:
        path.write_bytes(changed(records, field, shape))
        try:
            summarise(path).dumps()
            verify(read_log(path))
            _step_through(path)
        except TabletopError as refusal:
            refused += refusal.exit in _HEALTHY
    sys.stdout.write(f"{refused} of {len(chosen)} resealed logs refused\n")
    assert refused > len(chosen) // 2


def _step_through(path: Path) -> None:
    index = LogIndex.open(path)
    try:
        viewer = Viewer(SeekableDecisions(index), Perspective(sees_all=True))
        console = Console(file=StringIO(), width=100, height=50)
        for key in ("G", "p", "j", "g", "p", "l", "t", "l"):
            viewer.press(key)
            console.print(Page(viewer))
    finally:
        index.close()
