"""Quick check of what changed: `python -m tools.quick` runs ruff, mypy on one platform, and the tests of the changed rooms.

Changed is what differs from the branch `main`, or from the last commit on `main` itself, new files included.
`python -m tools.quick --list` prints the tests alone.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.examples import DOCUMENTS, ROOT

ALWAYS = "tests/test_layers.py"
CHECKS = (("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy", "--platform", sys.platform))
OF_DOCUMENTS = ("test_examples_print_what_they_claim", "test_links_lead_somewhere")


def changed() -> list[str]:
    """Files that differ from the point where this branch left `main`, and files that git does not know yet."""
    base = _git("merge-base", "HEAD", "main") or ["HEAD"]
    return [*_git("diff", "--name-only", base[0]), *_git("ls-files", "--others", "--exclude-standard")]


def _git(*words: str) -> list[str]:
    return subprocess.run(("git", *words), cwd=ROOT, capture_output=True, text=True, check=False).stdout.split("\n")[:-1]


def selected(files: Iterable[str]) -> list[str]:
    """The tests of changed files: those of a room or a game, a test file itself, a document's examples and links."""
    wanted = {ALWAYS, *(test for file in files for test in _tests(Path(file)) if (ROOT / test.partition("::")[0]).exists())}
    return sorted(test for test in wanted if not any(f"{parent}" in wanted for parent in Path(test).parents))


def _tests(file: Path) -> Iterator[str]:
    match file.parts:
        case ("tests", *_) if file.name.startswith("test_"):
            yield str(file)
        case ("runner", room, _, *_):
            yield f"tests/{room}"
        case ("games", game, _, *_) | ("prompts", game, _, *_):
            yield from (
                f"tests/games/{game}",
                *(str(at.relative_to(ROOT)) for at in (ROOT / "tests").glob(f"*/test_{game}.py")),
            )
        case _ if str(file) in DOCUMENTS:
            yield from (f"tests/docs/test_examples.py::{test}[{file}]" for test in OF_DOCUMENTS)


def main() -> int:
    """Run the checks, then the tests; the first failure ends it."""
    tests = selected(changed())
    if "--list" in sys.argv:
        sys.stdout.write("".join(f"{test}\n" for test in tests))
        return 0
    commands = (*CHECKS, ("pytest", "-x", "--ff", "-q", "-n", "auto", *tests))
    return next((code for code in (_run(command) for command in commands) if code), 0)


def _run(command: tuple[str, ...]) -> int:
    sys.stderr.write(f"$ {' '.join(command)}\n")
    return subprocess.run((sys.executable, "-m", *command), cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
