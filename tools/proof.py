"""Proof of quick: `python -m tools.proof` makes changes to a copy of the tree, one at a time, and asks for each whether a test
that `tools.quick` chooses fails wherever any test does.

The changes are the faults of `tools.mutation_list`, faults by chance (`tools.faults`) in rooms, prompts and pages, and recipes
of CONTRIBUTING.md without what they change in tests and documents. When no chosen test fails, the next best are run until one
does: quick has missed that one. `--chosen` leaves this out. With `--whole` all others are run too, which takes hours; and last,
all recipes are followed together, and every test has to pass.

Results are kept in build/proof/results.jsonl. What stands there is not tried again, so a run that was stopped continues.
`--table` prints them. WORDS: only the changes whose line has one of them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests.recipes.recipe import Recipe, recipes
from tools import costs, quick
from tools.changes import Change
from tools.choice import Choice, Reach, Suite, choose
from tools.dependencies import Project
from tools.faults import Fault, files_below, some
from tools.import_graph import ROOMS, ROOT, room_of
from tools.mutation_list import LEAKS, RULES, Mutation

FOLDER = ROOT / "build" / "proof"
TREE = FOLDER / "tree"
RESULTS = FOLDER / "results.jsonl"
SEED = "1"
EACH = 4
"""Faults by chance of every room."""
MORE = {"games/core": 6, "games/search": 2, "games/testing": 2, "games/learning": 2, "prompts": 10, "docs": 8}
FIRST = 8
"""Modules of quick's choice that are run before the others."""
NEXT = 150.0
"""Seconds of the tests that are the next best."""
CHOSEN, NEXT_BEST, WHOLE = range(3)
DEPTHS = {"--chosen": CHOSEN, "--whole": WHOLE}
"""How deep a change is tried: the chosen tests alone, the next best too, or all."""
ALL_RECIPES = "all recipes, followed to the end"
NO_TESTS = 5
"""Exit status of pytest when no test has been chosen."""
PYTEST = (
    "pytest",
    "-x",
    "-q",
    "-n",
    "0",
    "--reruns",
    "1",
    "--timeout",
    "100",
    "--timeout-method",
    "thread",  # ends the process, which a lock may hold
    "-p",
    "no:cacheprovider",
    *("--ignore=tests/tools", "--ignore=tests/recipes", "--deselect=tests/docs/test_measured.py"),
)
"""Without the tests of faults, recipes and digests, which see every change of a text that they know."""


class Trial(NamedTuple):
    """A change to try: what it is in one line, and the new text of each file."""

    about: str
    texts: Mapping[str, str]

    @property
    def key(self) -> str:
        """What tells it from others, and from the same one in another state of its files."""
        told = [self.about, *(f"{path} {_text(ROOT / path)} {text}" for path, text in sorted(self.texts.items()))]
        return sha256("\n".join(told).encode()).hexdigest()[:16]

    @property
    def changes(self) -> list[Change]:
        """The change as quick sees it."""
        return [Change(path, _text(ROOT / path), text) for path, text in sorted(self.texts.items())]

    def make(self) -> None:
        """Write the new texts into the copy."""
        for path, text in self.texts.items():
            (TREE / path).write_text(text, encoding="utf-8")

    def undo(self) -> None:
        """Restore the files of the copy."""
        for path in self.texts:
            if (ROOT / path).exists():
                shutil.copy2(ROOT / path, TREE / path)
            else:
                (TREE / path).unlink()


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def trials() -> Iterator[Trial]:
    """All changes, the same ones for the same tree."""
    for fault in _faults():
        text = _text(ROOT / fault.path)
        yield Trial(fault.told(text), {fault.path: fault.put_into(text)})
    for recipe in recipes():
        yield Trial(f"recipe {recipe.patch.stem}, its code alone", patched([recipe], code_alone=True))


def _faults() -> Iterator[Fault]:
    yield from (of_mutation(mutation) for mutation in (*LEAKS, *RULES))
    rooms: dict[str, list[str]] = defaultdict(list)
    for path in files_below("runner"):
        rooms[room_of(path.removesuffix(".py").replace("/", ".").removesuffix(".__init__"))].append(path)
    for room in (room for room in ROOMS if room in rooms):
        yield from some(rooms[room], EACH, SEED)
    for folder, count in MORE.items():
        suffix = {"prompts": ".j2", "docs": ".md"}.get(folder, ".py")
        yield from some(files_below(folder, suffix=suffix), count, SEED)


def of_mutation(mutation: Mutation) -> Fault:
    """A fault of the list, whose text stands once in its file."""
    path = f"games/{mutation.game}/{mutation.module}.py"
    start = _text(ROOT / path).index(mutation.old)
    return Fault(path, start, start + len(mutation.old), mutation.new)


def patched(applied: Sequence[Recipe], code_alone: bool = False) -> dict[str, str]:
    """The new texts of the files that recipes change."""
    with TemporaryDirectory() as folder:
        tree, files = Path(folder), {path for recipe in applied for path in recipe.files}
        for path in files:
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / path).exists():
                shutil.copy2(ROOT / path, tree / path)
        for recipe in applied:
            recipe.apply_code(tree) if code_alone else recipe.apply(tree)
        return {path: text for path in files if (text := _text(tree / path)) != _text(ROOT / path)}


def copy_tree() -> None:
    """Copy every file that git knows."""
    shutil.rmtree(TREE, ignore_errors=True)
    words = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (TREE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, TREE / name)


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """A module of Python in the copy."""
    environment = {**os.environ, "PYTHONPATH": str(TREE), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        (sys.executable, "-m", *words), cwd=TREE, env=environment, capture_output=True, text=True, check=False
    )


def failed(arguments: Iterable[str] = ()) -> str:
    """The first test that fails in the copy; empty when all pass."""
    done = run(*PYTEST, *arguments)
    if done.returncode in (0, NO_TESTS):
        return ""
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return lines[0].split(" - ")[0] if lines else f"pytest ended with {done.returncode}: {done.stdout[-300:]}"


def tried(trial: Trial, suite: Suite, depth: int) -> dict[str, Any]:
    """What quick runs for a change, what of it fails, and if nothing does, what of the other tests does."""
    trial.make()
    try:
        is_new = any(not (ROOT / path).exists() for path in trial.texts)
        there = Suite(Project(TREE), suite.costs) if is_new else suite
        choice = choose(Reach(there, trial.changes).candidates())
        by_quick = failed(_first_of(choice)) or failed(quick.arguments(choice))
        missed = "" if by_quick else _missed(choice, there, depth)
    finally:
        trial.undo()
    seconds = round(sum(one.seconds for one in choice.run))
    return {"quick": by_quick, "missed": missed, "depth": depth, "modules": len(choice.modules), "seconds": seconds}


def _missed(choice: Choice, suite: Suite, depth: int) -> str:
    return (depth >= NEXT_BEST and failed(_next_best(choice, suite))) or (depth >= WHOLE and failed()) or ""


def _first_of(choice: Choice) -> list[str]:
    """The chosen tests that most changes break first, for a quick end."""
    likely = [
        module for module in choice.modules if not module.startswith(("tests/contract/", "tests/test_layers", "tests/docs/"))
    ]
    return [word for word in quick.arguments(choice) if word in likely[:FIRST] or word.startswith("--deselect")]


def _next_best(choice: Choice, suite: Suite) -> list[str]:
    """What pytest is told to run the best of the tests that quick has left out."""
    found = choose(choice.left_out, NEXT)
    run = {one.name for one in found.run}
    others = (test for module in found.modules for test in suite.dear[module] if test not in run)
    return [*found.modules, *(f"--deselect={test}" for test in others)]


def followed() -> str:
    """The first test that fails once all recipes have been followed, with what is made after them; empty when none does."""
    for path, text in patched(recipes()).items():
        (TREE / path).write_text(text, encoding="utf-8")
    made = [run(*then.split()) for then in dict.fromkeys(then for recipe in recipes() for then in recipe.then)]
    errors = [done.stderr for done in made if done.returncode]
    return errors[0] if errors else failed()


def results() -> dict[str, dict[str, Any]]:
    """What has been found, by key."""
    lines = RESULTS.read_text(encoding="utf-8").splitlines() if RESULTS.exists() else []
    return {result["key"]: result for result in map(json.loads, lines)}


def kept(key: str, about: str, result: Mapping[str, Any]) -> None:
    """Write down a result, and print it in one line."""
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write(f"{json.dumps({'key': key, 'about': about, **result})}\n")
    _say(f"{about}: {', '.join(f'{name} {value}' for name, value in result.items() if value)}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def table(found: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The results by place."""
    places: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for result in found:
        place = "recipes" if result["about"].startswith("recipe ") else "/".join(result["about"].split(":")[0].split("/")[:2])
        places[place].append(result)
    all_of = [result for those in places.values() for result in those]
    yield "| changes in | tried | suite red | quick red |"
    yield "|---|---|---|---|"
    for place, those in (*sorted(places.items()), ("all", all_of)):
        by_quick, missed = (sum(bool(one[name]) for one in those) for name in ("quick", "missed"))
        yield f"| {place} | {len(those)} | {by_quick + missed} | {by_quick} |"
    yield from (f"missed: {one['about']}: {one['missed']}" for one in all_of if one["missed"])
    for one in all_of:
        if not one["quick"] and not one["missed"]:
            yield f"no {('chosen', 'near', 'single')[one['depth']]} test fails: {one['about']}"


def main() -> int:
    """Try the changes. Exit status 1: quick has missed one, or the recipes do not end with every test passed."""
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    depth = next((DEPTHS[word] for word in sys.argv if word in DEPTHS), NEXT_BEST)
    wanted = [trial for trial in trials() if not words or any(word in trial.about for word in words)]
    if "--table" not in sys.argv:
        copy_tree()
        suite = Suite(Project(), costs.read())
        for trial in wanted:
            known = results().get(trial.key)
            if known is None or (known["depth"] < depth and not known["quick"] and not known["missed"]):
                kept(trial.key, trial.about, tried(trial, suite, depth))
    known = results()
    found = [known[trial.key] for trial in wanted if trial.key in known]
    _say("\n".join(table(found)))
    red = followed() if depth == WHOLE and not words else ""
    _say(f"{ALL_RECIPES}: {red}") if red else None
    return int(bool(red) or any(one["missed"] for one in found))


if __name__ == "__main__":
    sys.exit(main())
