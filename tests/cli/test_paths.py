"""Campaign: paths that cannot be used, in every verb that takes one: one sentence, no traceback, no waiting."""

from __future__ import annotations

import os
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.command import complaint, tabletop

IS_CAMPAIGN = "TABLETOP_CAMPAIGN" in os.environ
SECONDS = 240.0
SEATS = "--players 2 --seat bot:steady --seat bot:random --max-turns 2 --seed 1 -q"
BOTS = "tournament --game coup --players 2 --seat bot:steady,bot:random --deals 1 --option max_turns=2 -q --workers 1 -o"
LINES = (
    f"play coup {SEATS} --log PATH",
    f"play coup {SEATS} --log PATH/log.jsonl",
    f"play coup {SEATS} --record PATH",
    f"play coup {SEATS} --playback PATH",
    f"play coup {SEATS} --prompts PATH",
    "play coup -q --players 2 --seat bot:random --seat PATH",
    "play coup -q --players 2 --seat bot:random --seat offline+pack:PATH",
    "play dixiquote -q --seat bot:random --deck PATH",
    "replay PATH --plain",
    "replay --verify PATH",
    "resume PATH -q",
    "fork PATH --at 1 -q",
    "fork good.jsonl --at 1 -q --log PATH",
    "export PATH --html -o page.html",
    "export good.jsonl --html -o PATH",
    "export good.jsonl --csv -o PATH",
    "export good.jsonl --markdown -o PATH",
    "standings PATH",
    "standings . --html PATH",
    "logs PATH",
    "prompts lint PATH",
    "prompts new PATH",
    "prompts render PATH --at 1",
    "prompts render good.jsonl --at 1 --pack PATH",
    "prompts ask PATH --at 1",
    "tournament PATH -q",
    f"{BOTS} PATH",
    f"{BOTS} t --prompts PATH",
    f"{BOTS} t --dry-run",
    f"{BOTS.replace('bot:random', 'x=PATH')} t",
)
PATHS = (
    "x" * 5000,
    f"{'x' * 200}/" * 25,
    "missing/nothing",
    "folder",
    "pipe",
    "/dev/zero",
    "/dev/full",
    "/dev/null",
    "file/below",
    "/proc/nothing/x",
    "/sys/x",
    "",
    "binary",
    "loop",
    "x\udcff",
)
CASES = [(line, path) for line in LINES for path in PATHS]
CHOSEN = CASES if IS_CAMPAIGN else random.Random(7).sample(CASES, 10)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log and with things that are none."""
    folder = tmp_path_factory.mktemp("paths")
    assert tabletop(folder, "play", "coup", *SEATS.split(), "--log", "good.jsonl").returncode == 0
    (folder / "folder").mkdir()
    (folder / "file").write_text("text")
    (folder / "binary").write_bytes(bytes(range(256)))
    (folder / "loop").symlink_to("loop")
    os.mkfifo(folder / "pipe")
    return folder


def test_a_path_that_cannot_be_used_gets_one_sentence(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    statuses, wrong = Counter[int](), []
    for number, (line, path) in enumerate(CHOSEN):
        folder = tmp_path / str(number)
        shutil.copytree(made, folder, symlinks=True, copy_function=shutil.copy2, ignore=shutil.ignore_patterns("pipe"))
        os.mkfifo(folder / "pipe")
        words = [word.replace("PATH", path) for word in line.split()]
        done = tabletop(folder, *words, timeout=SECONDS)
        statuses[done.returncode] += 1
        if done.returncode not in (0, 2, 3, 4, 5) or "Traceback" in done.stderr:
            wrong.append((line, path[:40], done.returncode, done.stderr[-400:]))
        shutil.rmtree(folder)
    with capsys.disabled():
        if IS_CAMPAIGN:
            print(f"\n{len(CHOSEN)} paths in {len(LINES)} command lines; by exit status {dict(sorted(statuses.items()))}")  # noqa: T201
    assert not wrong


@contextmanager
def deleted(folder: Path) -> Iterator[None]:
    """The current folder is deleted."""
    before = os.open(".", os.O_RDONLY)
    os.chdir(folder)
    folder.rmdir()
    try:
        yield
    finally:
        os.fchdir(before)
        os.close(before)


VERBS = (f"play coup {SEATS}", "agents", "logs", "doctor --no-trial", f"{BOTS} t", "prompts new pack", "games", "standings .")


@pytest.mark.parametrize("line", VERBS if IS_CAMPAIGN else VERBS[:2])
def test_a_current_folder_that_is_gone_gets_one_sentence(line: str, tmp_path: Path) -> None:
    import subprocess
    import sys

    from tests.cli.command import environment

    gone = tmp_path / "gone"
    gone.mkdir()
    with deleted(gone):
        done = subprocess.run(
            [sys.executable, "-m", "runner", *line.split()], env=environment(), capture_output=True, text=True, check=False
        )
    assert done.returncode in (0, 2), done.stderr
    if done.returncode:
        assert complaint(done)
