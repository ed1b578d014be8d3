"""The examples in the documents, run for real: `python -m tools.examples README.md` writes their output anew.

An example is a fenced block of the kind `console`: commands begin with `$ ` (and go on with `> `), are run by the shell one
after the other in one empty folder a document, and are followed by what they print, on standard output and standard error
alike. In that output `…` stands for anything, and on a line of its own for any number of lines; what holds is kept as it is.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
DOCUMENTS = ("README.md", "CONTRIBUTING.md")
ANYTHING = "…"
COLUMNS = 100
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"^\$ (.*\n(?:> .*\n)*)((?:(?!\$ ).*\n)*)", re.MULTILINE)
_OWN = ("OPENROUTER_API_KEY", "OPENAI_API_KEY", "DEFAULT_MODEL", "MODEL_PLAYER_", "FORCE_COLOR", "TABLETOP_")


class Example(NamedTuple):
    """A command as it is written down, and what the document says it prints."""

    written: str
    printed: str

    @property
    def command(self) -> str:
        """The command without the marks of lines that go on."""
        return self.written.rstrip("\n").replace("\n> ", "\n")

    def holds(self, real: str) -> bool:
        """Whether real output is what the document says."""
        lines = (re.escape(line).replace(re.escape(ANYTHING), ".*") for line in self.printed.splitlines())
        pattern = "".join("(?:.*\n)*" if line == ".*" else f"{line}\n" for line in lines)
        return re.fullmatch(pattern, real) is not None


def examples(text: str) -> list[Example]:
    """The examples of a document, in order."""
    return [Example(*found) for block in _BLOCK.findall(text) for found in _COMMAND.findall(block)]


class Shell:
    """A folder to run examples in, with the command `tabletop` of this checkout in reach and no settings of the user's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "work"
        self._folder.mkdir()
        command = folder / "bin" / "tabletop"
        command.parent.mkdir()
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m runner "$@"\n', encoding="utf-8")
        command.chmod(0o755)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_OWN)}
        path = os.pathsep.join((str(command.parent), str(Path(sys.executable).parent), kept.get("PATH", "")))
        self._environment = {**kept, "PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": str(COLUMNS), "NO_COLOR": "1"}

    def run(self, command: str) -> str:
        """What the command prints, line ends and all, without blanks at the ends of lines."""
        done = subprocess.run(
            command,
            shell=True,
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=120,
        )
        return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())


def renewed(text: str, shell: Shell) -> str:
    """The document with the real output in place of what no longer holds."""

    def command(found: re.Match[str]) -> str:
        example = Example(found[1], found[2])
        real = shell.run(example.command)
        return found[0] if example.holds(real) else f"$ {example.written}{real}"

    return _BLOCK.sub(lambda block: "```console\n" + _COMMAND.sub(command, block[1]) + "```", text)


def main() -> None:
    """Renew the documents named, or all."""
    for name in sys.argv[1:] or DOCUMENTS:
        path = ROOT / name
        with tempfile.TemporaryDirectory() as folder:
            path.write_text(renewed(path.read_text(encoding="utf-8"), Shell(Path(folder))), encoding="utf-8")


if __name__ == "__main__":
    main()
