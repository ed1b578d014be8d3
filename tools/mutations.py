"""Mutation testing of the rules: `python -m tools.mutations [WORDS]` puts faults into a copy of the tree, one at a time.

Every leak has to be caught by the properties of `tests/contract`, without the playthroughs, and every broken rule by
`tests/contract` or the tests of its game. Exit status 1: a fault was not caught. 2: the tests fail without any
fault, or the text of a fault no longer stands once in its file. WORDS: only the faults whose game or text has one of them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

from tools.mutation_list import LEAK, LEAKS, RULE, RULES, Mutation

ROOT = Path(__file__).parent.parent
COPIED = ("games", "runner", "tests", "tools", "prompts", "decks")
PLAYTHROUGHS = "tests/contract/test_playthroughs.py"
NO_TESTS = 5
"""Exit status of pytest when no test has been chosen."""


def say(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def stop(why: str) -> NoReturn:
    """SystemExit 2 with a reason."""
    say(why)
    raise SystemExit(2)


def copy_tree(target: Path) -> None:
    """Copy what the tests of the rules need."""
    for name in COPIED:
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", target)


def failures(tree: Path, *arguments: str) -> str:
    """The first failing test of a run of pytest in a tree; empty when all pass."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if done.returncode in (0, NO_TESTS):
        return ""
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" - ")[0] if failed else f"pytest ended with {done.returncode}: {done.stdout[-300:]}"


def suites(kind: str, game: str) -> list[list[str]]:
    """The arguments of each run of pytest that may catch a fault, the quickest first."""
    contract = ["tests/contract", "-k", f"{game} or {game.replace('_', '')}"]
    if kind == LEAK:
        return [[*contract, "--ignore", PLAYTHROUGHS]]
    return [[f"tests/games/{game}"], contract]


def caught_by(tree: Path, mutation: Mutation) -> str:
    """The test that catches a fault; empty when none does. SystemExit 2 when the fault cannot be put in."""
    path = tree / "games" / mutation.game / f"{mutation.module}.py"
    text = path.read_text(encoding="utf-8")
    if text.count(mutation.old) != 1:
        stop(f"{mutation.game}, {mutation.about}: {mutation.old!r} stands {text.count(mutation.old)} times in {path.name}.")
    path.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    try:
        return next(filter(None, (failures(tree, *suite) for suite in suites(mutation.kind, mutation.game))), "")
    finally:
        path.write_text(text, encoding="utf-8")


def check_sound(tree: Path, mutations: Sequence[Mutation]) -> None:
    """SystemExit 2 when a test fails without any fault."""
    for game in dict.fromkeys(mutation.game for mutation in mutations):
        for suite in suites(RULE, game):  # those for leaks are part of them
            if failed := failures(tree, *suite):
                stop(f"Without any fault: {failed}")


def main() -> int:
    """Put in every fault and print which test catches it."""
    words = sys.argv[1:]
    chosen = [m for m in (*LEAKS, *RULES) if not words or any(word in f"{m.kind} {m.game} {m.about}" for word in words)]
    with TemporaryDirectory() as folder:
        tree = Path(folder)
        copy_tree(tree)
        check_sound(tree, chosen)
        survivors = 0
        for mutation in chosen:
            test = caught_by(tree, mutation)
            survivors += not test
            told = test or "NOT CAUGHT"
            say(f"{mutation.kind}  {mutation.game}: {mutation.about}. {told}")
    say(f"{len(chosen) - survivors} of {len(chosen)} faults were caught.")
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main())
