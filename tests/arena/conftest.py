"""The command without a process of its own, where that is not what is tested: ten times as fast."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from runner.__main__ import main
from tests.cli.command import PRIVATE

Here = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    """Runs the command in a folder, in this process."""
    for name in filter(PRIVATE.search, list(os.environ)):
        monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "120")

    def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", ["tabletop", *words])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        code = ended.value.code
        printed = capsys.readouterr()
        return subprocess.CompletedProcess(words, code if isinstance(code, int) else 0, printed.out, printed.err)

    return run
