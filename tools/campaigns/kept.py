"""Kept results: what a campaign has measured so far, a line for each result, in a file of the code that it was measured with.

The name of the file ends with the digest of that code, so a campaign never continues with results of other code.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from tools.measured import digest_of

BUILD = Path("build")
SHARED = ("games/core", "games/search")
REVIEW = ("runner/review/decision_review.py", "runner/review/review_document.py")
"""The code behind every figure of search, and behind those of reviews."""

Task = Callable[[], Any]


def code_of(*games: str) -> tuple[str, ...]:
    """The folders and modules that decide how the bots of some games play and search."""
    return (*SHARED, *(f"games/{game}" for game in games))


def kept_file(campaign: str, name: str, *code: str) -> Path:
    """The file of some results."""
    return BUILD / campaign / f"{name}-{digest_of(*code)}.jsonl".replace(":", "_").replace(" ", "_")


def rows(path: Path) -> list[Any]:
    """The results kept in a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def work(tasks: Mapping[Any, tuple[Path, Task]], jobs: int) -> None:
    """Do the tasks in some processes, and keep each result as soon as it is there. Ctrl-C stops."""
    with ProcessPoolExecutor(jobs) as pool:
        running = {pool.submit(task): path for path, task in tasks.values()}
        try:
            for number, future in enumerate(as_completed(running), 1):
                path = running[future]
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(future.result()) + "\n")
                if sys.stderr.isatty():
                    sys.stderr.write(f"\r{number} of {len(running)} ")
                    sys.stderr.flush()
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            sys.stderr.write("stopped\n")
