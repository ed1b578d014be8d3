"""Walks through the code: `python -m tools.walks [FOLDER]` measures this tree, or that of another version in FOLDER.

One model decision of each game: the files and functions, templates among them, that one step of the match loop runs, with the
offline model: what every way to show, log and pace a match does, too. The way of the options of `play`, from the command line
to the beginning of the match loop: the files with a function that gets several of their values, or something that holds them,
and those that get one or two, where they have their effect. Then how often settings are declared, in how many files, the lines
and files of every room, and who else than `runner/session` puts a match together.
"""

from __future__ import annotations

import ast
import dataclasses
import io
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout, suppress
from itertools import pairwise
from pathlib import Path
from statistics import median
from types import FrameType

ROOT = Path(__file__).parent.parent
WORDS = (
    "play",
    "coup",
    "--quiet",
    "--seat",
    "walker=offline",
    "--seat",
    "offline",
    "--log",
    "walk.jsonl",
)
WORDS += ("--seed", "918273645", "--hopeless", "97", "--mistakes", "0.0625", "--budget-tokens", "87654321", "--max-turns", "61")
WORDS += ("--ask", "sequential", "--reason", "never")
GAME, OF_GAME = "coup", ("--max-turns", "61")
OF_PACK = ("--prompts", "walk-pack")
"""Left out where a decision is measured: the templates of a pack of one's own are rendered in another process."""
FEWEST = {GAME: 2, "dixiquote": 3, "cat_in_the_box": 2, "oriflamme": 3}
"""The games, with their fewest players; the options of one alone."""
MARKS = {918273645, 97, 0.0625, 87654321, 61, "sequential", "never", "walker=offline", "walker", "walk.jsonl", "walk-pack"}
"""The values of the options, which nothing else in a match has."""

_LOOP, _STEP = "runner/match/loop.py", "_step"
_ASKED = "runner/llm/"
_WARM = 8
"""Steps with a question to a model before the one that is measured: by then everything is imported and compiled."""
_DEEPEST = 4
"""How deep values are looked for in others."""
_TOGETHER = 3
"""Values of options that a function handles together, so that it is on their way, and not where one has its effect."""
_PARTS = {"Match": "Match", "Client": "Client", "seat_agents": "agents"}


class Walk:
    """What runs while a match is played, as `sys.setprofile` tells it."""

    def __init__(self, root: Path) -> None:
        self._root = f"{root.resolve()}{os.sep}"
        self._parts = tuple(f"{self._root}{part}" for part in ("runner", "games", "prompts"))
        self._calls: list[tuple[str, str]] = []
        self._asked = 0
        self._step: FrameType | None = None
        self.decision: list[tuple[str, str]] = []
        self.carriers = dict[str, int]()
        self._is_begun = False

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        """Take in an event of the profiler."""
        name = frame.f_code.co_filename
        if event != "call" or self.decision or not name.startswith(self._parts):
            return
        place = name.removeprefix(self._root), frame.f_code.co_qualname
        if place[0] == _LOOP:
            self._is_begun |= frame.f_code.co_name == "run"
            if frame.f_code.co_name == _STEP and frame is not self._step:
                self._step = frame
                self._end_step()
        self._calls.append(place)
        if not self._is_begun and place[0].startswith("runner/"):
            carried = len(self._carried(frame))
            self.carriers[place[0]] = max(carried, self.carriers.get(place[0], 0))

    def _end_step(self) -> None:
        if any(path.startswith(_ASKED) for path, _ in self._calls):
            self._asked += 1
            if self._asked > _WARM:
                self.decision = self._calls
        self._calls = []

    def _carried(self, frame: FrameType) -> set[object]:
        """The values that the arguments of a function are or hold."""
        names = frame.f_code.co_varnames[: frame.f_code.co_argcount + frame.f_code.co_kwonlyargcount]
        return {mark for name in names for mark in _held(frame.f_locals.get(name), _DEEPEST)}


def _held(value: object, depth: int) -> Iterator[object]:
    """The marks that a value is or holds."""
    if isinstance(value, int | float | str | Path):
        mark = str(value) if isinstance(value, Path) else value
        if not isinstance(value, bool) and mark in MARKS:
            yield mark
    elif depth > 0 and not isinstance(value, type):
        for part in _parts(value):
            yield from _held(part, depth - 1)


def _parts(value: object) -> Iterator[object]:
    """The values that a value of plain data holds."""
    if isinstance(value, Mapping):
        yield from value.values()
    elif isinstance(value, tuple | list):
        yield from value
    elif dataclasses.is_dataclass(value):
        yield from (getattr(value, field.name, None) for field in dataclasses.fields(value))
    elif hasattr(type(value), "model_fields"):
        yield from vars(value).values()


def walked(root: Path, game: str, *more: str) -> Walk:
    """The walks in a match of a game, in this process, which has to have imported nothing of the tree yet; `more` words."""
    sys.path.insert(0, str(root))
    from runner.__main__ import main

    walk = Walk(root)
    others = [word for _ in range(FEWEST.get(game, 2) - 2) for word in ("--seat", "offline")]
    words = (game if word == GAME else word for word in WORDS if game == GAME or word not in OF_GAME)
    sys.argv = ["tabletop", *words, *others, *more]
    sys.setprofile(walk)
    try:
        with redirect_stdout(io.StringIO()), suppress(SystemExit):
            main()
    finally:
        sys.setprofile(None)
    return walk


def rooms(root: Path) -> dict[str, list[int]]:
    """The lines of each file, by room."""
    found: dict[str, list[int]] = {}
    for path in sorted((root / "runner").rglob("*.py")):
        parts = path.relative_to(root / "runner").parts
        found.setdefault(parts[0] if len(parts) > 1 else "(root)", []).append(len(path.read_text("utf-8").splitlines()))
    return found


def assemblers(root: Path) -> dict[str, list[str]]:
    """The modules outside of `runner/session` and of where they are defined that make matches, clients or agents."""
    found: dict[str, list[str]] = {}
    for path in sorted((root / "runner").rglob("*.py")):
        name = path.relative_to(root).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _PARTS:
                found.setdefault(_PARTS[node.func.id], []).append(name)
    return {part: sorted({*names}) for part, names in found.items()}


_SETTINGS = {"runner/agents/settings.py": "SeatSettings", "runner/session/match_spec.py": "MatchSettings"}
"""Where settings are declared."""
_OF_ANNOTATIONS = {"Annotated", "Field", "told", "Setting", "BeforeValidator", "None", "value", "isinstance"}


def declarations(root: Path) -> dict[str, list[tuple[str, set[str]]]]:
    """By name each parameter and each field: its file, and the names of types in its annotation."""
    found: dict[str, list[tuple[str, set[str]]]] = {}
    for path in sorted((root / "runner").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                name = node.target.id
            elif isinstance(node, ast.arg):
                name = node.arg
            else:
                continue
            parts = ast.walk(node.annotation) if node.annotation else ()
            types = {part.id for part in parts if isinstance(part, ast.Name) and not part.id.startswith("_")}
            found.setdefault(name, []).append((path.relative_to(root).as_posix(), types - _OF_ANNOTATIONS))
    return found


def settings_of(root: Path) -> list[str]:
    """The names of the settings of seats and matches."""
    found = []
    for path, model in _SETTINGS.items():
        tree = ast.parse((root / path).read_text("utf-8")) if (root / path).exists() else ast.Module([], [])
        bodies = [node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == model]
        fields = [node for body in bodies for node in body if isinstance(node, ast.AnnAssign)]
        found += [node.target.id for node in fields if isinstance(node.target, ast.Name)]
    return found


def main(root: Path) -> None:
    """Print the figures of a tree."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        for number, words in enumerate((*((game,) for game in FEWEST), (GAME, *OF_PACK))):
            place = Path(folder) / str(number)
            place.mkdir()
            script = [sys.executable, str(Path(__file__).resolve()), "--here", str(root.resolve()), *words]
            done = subprocess.run(script, cwd=place, env=environment, check=True, stdout=subprocess.PIPE, text=True)
            sys.stdout.write(done.stdout)
    known = declarations(root)
    for name in settings_of(root):
        (types,) = [types for path, types in known[name] if path in _SETTINGS][-1:]
        alike = sorted({path for path, found in known[name] if found & types})
        every = len({path for path, _ in known[name]})
        sys.stdout.write(f"{name} is declared in {len(alike)} files, and as something else in {every - len(alike)} more\n")
    found = rooms(root)
    for room, lines in sorted(found.items()):
        sys.stdout.write(f"{room:12} {len(lines):4} files {sum(lines):6} lines, median {median(lines):.0f}\n")
    every = [line for lines in found.values() for line in lines]
    sys.stdout.write(f"{'runner':12} {len(every):4} files {sum(every):6} lines, median {median(every):.0f}\n")
    for part, names in assemblers(root).items():
        sys.stdout.write(f"{part} made in {len(names)}: {', '.join(names)}\n")


def _print_decision(root: Path, game: str) -> None:
    calls = walked(root, game).decision
    files = [path for path, _ in calls]
    folders = Counter(path.partition("/")[0] for path in dict.fromkeys(files))
    by_folder = ", ".join(f"{folder} {count}" for folder, count in sorted(folders.items()))
    changes = sum(one != other for one, other in pairwise(files))
    sys.stdout.write(
        f"one model decision of {game}: {folders.total()} files ({by_folder}), {len({*calls})} functions, {len(files)} calls,"
        f" {changes} changes of file\n"
    )


def _print_way(root: Path, *more: str) -> None:
    (Path.cwd() / "walk-pack").mkdir()
    carriers = {path: most for path, most in walked(root, GAME, *more).carriers.items() if most}
    way = [path for path, most in carriers.items() if most >= _TOGETHER]
    sys.stdout.write(f"options of play: {len(way)} files handle {_TOGETHER} or more together: {', '.join(way)}\n")
    rest = [path for path in carriers if path not in way]
    sys.stdout.write(f"  {len(rest)} more get one or two: {', '.join(rest)}\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        where, game, *more = Path(sys.argv[2]), *sys.argv[3:]
        if more:
            _print_way(where, *more)
        else:
            _print_decision(where, game)
    else:
        main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
