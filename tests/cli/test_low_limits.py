"""Low limits of open files and of memory end a command with a sentence and status 3, never with a traceback."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import environment, tabletop
from tests.patience import PATIENCE

FILES, MEMORY = (resource.RLIMIT_NOFILE, 16), (resource.RLIMIT_AS, 400 * 2**20)
CASES = [
    (FILES, "standings logs --honesty"),
    (FILES, "tournament --game coup --seat offline,bot:random --deals 2 --option max_turns=2 -o t -q"),
    (MEMORY, "gallery logs -o site"),
    (MEMORY, "prompts lint --game dixiquote --matches 1"),
]


RUN = """
import sys
from runner.__main__ import main
from runner.match import open_question
open_question.WAIT /= 100
sys.argv[0] = "tabletop"
main()
"""
"""The command. It waits as often as ever for files that others may close, and shorter."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("limits")
    for name in "ab":
        bots = ("--seat", "bot:steady", "--seat", "bot:random", "--seed", str(ord(name)))
        assert tabletop(made, "play", "coup", *bots, "-q", "--log", f"logs/{name}.jsonl").returncode == 0
    return made


@pytest.mark.parametrize(("limit", "words"), CASES)
def test_a_low_limit_is_a_sentence(limit: tuple[int, int], words: str, folder: Path) -> None:
    kind, most = limit
    done = subprocess.run(
        [sys.executable, "-c", RUN, *words.split()],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        preexec_fn=lambda: resource.setrlimit(kind, (most, most)),
    )
    assert done.returncode in (0, 3), done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert done.returncode == 0 or "tabletop: " in done.stderr
