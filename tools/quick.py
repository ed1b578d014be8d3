"""Quick check of what has changed: `python -m tools.quick` runs ruff, mypy on one platform, and tests that may break.

Of these it runs what is worth most for about a minute on a quiet machine (`tools.choice`), and says what it leaves out. A test
that fails is run once more, and named if it then passes.
"""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import defaultdict
from collections.abc import Iterable, Sequence

from tools import costs
from tools.changes import ROOT, Change, GitError, changes
from tools.choice import Candidate, Choice, Reach, Suite, choose
from tools.dependencies import Project

CHECKS = (("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy", "--platform", sys.platform))
PYTEST = ("pytest", "-q", "-n", "auto", "--reruns", "1", "-rfER")


def chosen(found: Sequence[Change]) -> Choice:
    """What to run of the tests that changes may break."""
    gone = [change.path for change in found if not (ROOT / change.path).is_file()]
    return choose(Reach(Suite(Project(gone=gone), costs.read()), found).candidates())


def arguments(choice: Choice) -> list[str]:
    """What pytest is told to run."""
    others = (one for one in (*choice.left_out, *choice.beside) if one.test and one.module in choice.modules)
    return [*choice.modules, *(f"--deselect={one.name}" for one in others)]


def main() -> int:
    """Run the checks, then the tests. The exit status is that of the first that fails; each of them is run."""
    parser = ArgumentParser("python -m tools.quick", description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print the modules of the chosen tests, and run nothing")
    parser.add_argument("--left-out", action="store_true", help="print the tests within reach that are not chosen")
    asked = parser.parse_args()
    try:
        choice = chosen(changes())
    except GitError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    left_out = sorted(one.name for one in choice.left_out)
    for is_asked, names in ((asked.list, sorted(choice.modules)), (asked.left_out, left_out)):
        if is_asked:
            sys.stdout.write("".join(f"{name}\n" for name in names))
            return 0
    codes = [_run(command) for command in (*CHECKS, (*PYTEST, *arguments(choice)))]
    sys.stderr.write(told(choice.left_out))
    return next(filter(None, codes), 0)


def told(left_out: Iterable[Candidate]) -> str:
    """What is left out, in words; empty when nothing is."""
    rooms: dict[str, list[Candidate]] = defaultdict(list)
    for one in left_out:
        rooms[one.module.rpartition("/")[0]].append(one)
    if not rooms:
        return ""
    parts = (f"{room} {len(those)}" for room, those in sorted(rooms.items(), key=lambda pair: -len(pair[1])))
    seconds = sum(one.seconds for those in rooms.values() for one in those)
    return (
        f"Left out, though the change is within their reach: {', '.join(parts)} (about {seconds:.0f} s). "
        "`python -m tools.quick --left-out` names them, `make test` runs them.\n"
    )


def _run(command: tuple[str, ...]) -> int:
    sys.stderr.write(f"$ {' '.join(word for word in command if not word.startswith('--deselect'))}\n")
    return subprocess.run((sys.executable, "-m", *command), cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
