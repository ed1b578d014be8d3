"""Installs the stand-in servers of others below a folder, each by itself: `python -m tools.conformance.install FOLDER`.

One that cannot be installed is named with the reason, and is no error.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

NPM = {"aimock": "@copilotkit/aimock", "mock-llm": "@dwmkerr/mock-llm"}
PYPI = {"llmock": "llmock", "litellm": "litellm[proxy]", "fakellm": "fakellm", "xllamacpp": "xllamacpp"}


def main(folder: Path) -> None:
    """Install what is missing, and name what cannot be installed."""
    for name, package in NPM.items():
        _install(folder / name, ["npm", "install", "--no-fund", "--no-audit", "--ignore-scripts", "--prefix", "{}", package])
    for name, package in PYPI.items():
        _install(folder / name, [sys.executable, "-m", "venv", "{}"], ["{}/bin/python", "-m", "pip", "install", package])


def _install(place: Path, *commands: list[str]) -> None:
    """A folder stands for an installed server, so what failed leaves none."""
    failed = "" if place.exists() else next((words for command in _filled(place, commands) if (words := _failure(command))), "")
    if failed:
        shutil.rmtree(place, ignore_errors=True)
        sys.stdout.write(f"{place.name}: cannot be installed here ({failed})\n")


def _filled(place: Path, commands: tuple[list[str], ...]) -> Iterator[list[str]]:
    for command in commands:
        yield [word.replace("{}", str(place)) for word in command]


def _failure(command: list[str]) -> str:
    """Nothing if the command went well, else the last error it named, or its last line."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    except OSError as missing:
        return str(missing)
    lines = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
    return "" if done.returncode == 0 else next((line for line in reversed(lines) if "error" in line.lower()), lines[-1])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
