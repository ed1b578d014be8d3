"""Modules of the current folder: none is imported, by no process of a verb, but for those of a `py:` seat."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import ROOT, environment, tabletop
from tests.patience import PATIENCE

NAMES = sorted({*sys.stdlib_module_names, "sitecustomize", "usercustomize", "runner", "games", "rich", "pydantic", "brotli"})
TRAP = "open(__file__ + '.ran', 'w').close()\nraise ImportError('a module of the current folder was imported')\n"

SPY = """\
import json, os, sys
line = json.dumps({"argv": sys.orig_argv, "safe": sys.flags.safe_path, "names": sorted(os.environ)})
with open(os.environ.get("PYTHONSPYFILE", os.devnull), "a") as file:
    file.write(line + "\\n")
"""
"""A `sitecustomize` of the user's own: every Python process writes down how it was started."""

KEYS = {"OPENROUTER_API_KEY": "canary-1", "AWS_ACCESS_KEY_ID": "canary-2", "DATABASE_URL": "canary-3"}

BOTS = """\
import near


def careful(ask):
    import later

    return later.first(ask) if near.IS_NEAR else None
"""

MATCH = ("play", "coup", "--players", "2", "--max-turns", "3", "-q", "--seed", "1", "--seat")
TOURNAMENT = ("tournament", "--game", "coup", "--players", "2", "--deals", "2", "--workers", "2", "-q", "--seat")
VERBS = {
    "pack of prompts": (*MATCH, "offline", "--log", "pack.jsonl", "--prompts", "pack"),
    "py": (*MATCH, "py:mybots:careful", "--seat", "bot:steady", "--log", "own.jsonl"),
    "gallery": ("gallery", "few", "-o", "site"),
    "tournament py": (*TOURNAMENT, "py:mybots:careful,bot:random", "-o", "u"),
    "check-bot": ("check-bot", "py:mybots:careful", "--matches", "2", "--game", "coup"),
    "doctor": ("doctor",),
}
"""Verbs that import as much as there is, and start processes of every kind: to work on logs, to play, to render, to check."""

WITH_PROCESSES = {
    *(
        "runner/child_processes.py",
        "runner/local/servers.py",
        "runner/process_keeper.py",
        "runner/prompting/isolated_renderer.py",
    ),
    *("runner/worker_processes.py", "runner/agents/program_agent.py"),
    "runner/cli/prompt_editor.py",  # the editor that the user names, which is no Python of ours
}
"""Modules that start processes, or hold those that `child_processes` starts."""


def command(folder: Path, *words: str, **extra: str) -> subprocess.CompletedProcess[str]:
    """The command as the script `tabletop` starts it: the current folder is not on Python's path."""
    return subprocess.run(
        [sys.executable, str(folder.parent / "tabletop"), *words],
        cwd=folder,
        env=environment(DEFAULT_MODEL="offline", **(KEYS | extra)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a module of every standard name, modules of the user's own, a pack, and folders of logs."""
    folder = tmp_path_factory.mktemp("script") / "traps"
    folder.mkdir()
    (folder.parent / "tabletop").write_text("import runner.__main__\nrunner.__main__.main()\n")
    made = tabletop(folder, *MATCH, "bot:steady", "--log", "few/0.jsonl")
    assert made.returncode == 0, made.stderr
    assert tabletop(folder, "prompts", "new", "pack", "coup").returncode == 0
    assert tabletop(folder, *MATCH[:-2], "2", "--seat", "bot:random", "--log", "few/1.jsonl").returncode == 0
    for name in NAMES:
        (folder / f"{name}.py").write_text(TRAP)
    (folder / "mybots.py").write_text(BOTS)
    (folder / "near.py").write_text("IS_NEAR = True\n")
    (folder / "later.py").write_text("def first(ask):\n    return ask.legal[0]\n")
    return folder


@pytest.mark.parametrize("verb", VERBS)
def test_no_process_of_a_verb_imports_a_module_of_the_folder(verb: str, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(SPY)
    spied = tmp_path / "spied"
    done = command(folder, *VERBS[verb], PYTHONSPYFILE=str(spied), PYTHONPATH=f"{ROOT}:{tmp_path}")
    ran = sorted(path.name for path in folder.glob("*.ran"))
    assert ran == [], done.stderr
    assert "Traceback" not in done.stderr
    assert verb in ("doctor", "check-bot") or done.returncode == 0, (done.stdout, done.stderr)
    first, *children = map(json.loads, spied.read_text().splitlines())
    assert first["argv"][-len(VERBS[verb]) :] == [*VERBS[verb]]
    for child in children:
        assert child["safe"], child["argv"]
        if verb != "tournament py":
            assert not {*KEYS} & {*child["names"]}, child["argv"]


def test_processes_are_started_in_few_places() -> None:
    """Of each of which a verb above makes use: a new one belongs there, too."""
    starts = re.compile(
        r"Popen|create_subprocess|subprocess_exec|multiprocessing|subprocess\.(?:run|call|check)|os\.(?:fork|spawn|system|posix_spawn)"
    )
    found = {path.relative_to(ROOT).as_posix() for path in (ROOT / "runner").rglob("*.py") if starts.search(path.read_text())}
    assert found == WITH_PROCESSES
