"""Strangers' logs whose hashes are good and whose fields are not: no verb crashes, hangs, or takes memory without bound."""

from __future__ import annotations

import json
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import games
from runner.errors import TabletopError
from runner.film.perspective import Perspective
from runner.record.decisions import DecisionList
from runner.record.log_summary import summarise
from runner.record.reader import read_log, read_sound_part
from runner.record.verify import verify
from runner.screen.replay_page import Page
from runner.screen.replay_viewer import Viewer
from runner.workshop import comparing
from tests.cli.command import tabletop
from tests.record.reseal import SHAPES, changed, fields, records_of, with_pauses
from tests.record.verbs import FOLDER_VERBS, VERBS, Run, begun, resumed, run_on, words_of

LONG = "TABLETOP_CAMPAIGN" in os.environ
ROUNDS = 2
"""How often the long version tries every shape in every verb, each time in another field."""

Records = list[dict[str, Any]]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[Records]:
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
            found.append(with_pauses(path.read_bytes()))
    for verb in ("verify", "html", "render", "standings"):
        assert tabletop(folder, *words_of(verb, path.name)).returncode == 0  # what these import, no child has to
    return found


def _pairs(verbs: Sequence[str], each: int) -> Iterator[tuple[str, str]]:
    """Verbs with shapes: each verb with some of them, in the long version with every one."""
    if LONG:
        return product(verbs, [*SHAPES] * ROUNDS)
    rng = random.Random(5)
    return ((verb, shape) for verb in verbs for shape in rng.sample([*SHAPES], each))


class Tally:
    """The outcomes of the runs: how many of each verb ended with each status, the largest peak of memory, the failures."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, int]] = Counter()
        self._peak = 0.0
        self._failed: list[str] = []

    def add(self, verb: str, what: str, run: Run) -> None:
        self._counts[verb, run.status] += 1
        self._peak = max(self._peak, run.peak)
        if not run.is_healthy:
            self._failed.append(f"{verb}: {what}: {run.status}, {run.peak:.0f} MiB, {run.errors[-700:]}")

    def check(self) -> None:
        total = self._counts.total()
        sys.stdout.write(f"{total} runs, at most {self._peak:.0f} MiB: {dict(sorted(self._counts.items()))}\n")
        assert not self._failed, f"{len(self._failed)} of {total} runs:\n" + "\n".join(self._failed[:40])


def test_no_verb_crashes_on_a_resealed_log(logs: list[Records], tmp_path: Path) -> None:
    rng, tally = random.Random(7), Tally()
    for verb, shape in _pairs(list(VERBS), 1):
        records = rng.choice(logs)
        field = rng.choice(list(fields(records)))
        game = records[0]["game"]
        tally.add(verb, f"{field} as {shape}", run_on(tmp_path / "case", verb, changed(records, field, shape), game))
    tally.check()


@pytest.mark.parametrize("verb", FOLDER_VERBS)
def test_no_folder_of_logs_stops_on_a_resealed_one(verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, tally = random.Random(verb), Tally()
    monkeypatch.setattr(comparing, "check_packs", lambda *packs: None)  # no pack is in question here
    made = begun(tmp_path, verb)
    paths = sorted(path.relative_to(made) for path in made.rglob("*.jsonl"))
    for _, shape in _pairs([verb], 4):
        path = rng.choice(paths)
        records = records_of((made / path).read_bytes())
        field = rng.choice(list(fields(records)))
        if rng.random() < 0.5:
            records = records[: max(field[1] + 1, len(records) // 2)]  # a match that is to be resumed
        tally.add(verb, f"{field} as {shape}", resumed(tmp_path, verb, made, path, changed(records, field, shape)))
    tally.check()


def test_every_reader_reads_a_resealed_log_or_refuses_it(logs: list[Records], tmp_path: Path) -> None:
    path, refused, rng = tmp_path / "log.jsonl", 0, random.Random(5)
    chosen = [(records, field) for records in logs for field in fields(records)]
    cases = rng.sample([(*one, shape) for one in chosen for shape in SHAPES], 6000 if LONG else 30)
    for records, field, shape in cases:
        path.write_bytes(changed(records, field, shape))
        try:
            json.dumps(summarise(path))
            verify(read_log(path))
            _step_through(path)
        except TabletopError as refusal:
            refused += refusal.exit in (2, 4)
    sys.stdout.write(f"{refused} of {len(cases)} resealed logs refused\n")
    assert refused > len(cases) // 2


def _step_through(path: Path) -> None:
    viewer = Viewer(DecisionList(read_sound_part(path)), Perspective(sees_all=True))
    console = Console(file=StringIO(), width=100, height=50)
    for key in ("G", "p", "j", "g", "p", "l", "t", "l"):
        viewer.press(key)
        console.print(Page(viewer))
