"""Examples in the documents, run for real: `python -m tools.examples README.md` writes their output again.

An example is a fenced block of the kind `console`. Commands begin with `$ ` and continue with `> `. The shell runs them one
after the other, in one empty folder a document. What follows a command is what it prints, on standard output and standard
error alike. In that output `…` stands for anything, and on a line of its own for any number of lines. Output that holds is
kept as it is. Commands in a comment `<!-- console … -->` run at the same place, but readers do not see them. A fenced block
with a title, such as ```toml title="plan.toml", is written to a file of that name.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import SequenceMatcher
from itertools import groupby, pairwise
from pathlib import Path
from typing import NamedTuple

from tools import warm_processes
from tools.warm_server import NUMBER

ROOT = Path(__file__).parent.parent
DOCUMENTS = (
    *("README.md", "CONTRIBUTING.md", "AGENTS.md"),
    *sorted(
        path.relative_to(ROOT).as_posix() for pages in ("*.md", "skills/*/SKILL.md") for path in (ROOT / "docs").glob(pages)
    ),
)
ANYTHING = "…"
BEFORE, AFTER = 6, 3
"""Characters before and after `…` by which its place is found in a line that has changed."""
COLUMNS = 100
_BLOCK = re.compile(r"^(```|<!-- )(console|\w+ title=\"([\w.]+)\")\n(.*?)^(?:```|-->)$", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"^\$ (.*\n(?:> .*\n)*)((?:(?!\$ ).*\n)*)", re.MULTILINE)
_OWN = ("OPENROUTER_API_KEY", "OPENAI_API_KEY", "DEFAULT_MODEL", "MODEL_PLAYER_", "FORCE_COLOR", "TABLETOP_")

_CLIENT = """\
#!{python} -IS
import json, os, socket, sys
real = dict(os.environ, PATH=os.environ["PATH"].partition(os.pathsep)[2])  # programs in seats are started by the real Python
name = os.path.basename(sys.argv[0])
call = {{"is_python": name == "python", "is_shown": True, "words": sys.argv[1:], "folder": os.getcwd(), "variables": real}}
text = json.dumps(call).encode()
with socket.socket(socket.AF_UNIX) as server:
    server.connect({socket!r})
    socket.send_fds(server, [len(text).to_bytes({number}, "big")], [0, 1, 2])
    server.sendall(text)
    told = server.recv(2 * {number}, socket.MSG_WAITALL)
    sys.exit(os.waitstatus_to_exitcode(int.from_bytes(told[{number}:], "big", signed=True)) % 256)
"""


class Example(NamedTuple):
    """A command as it is written down, and what the document says it prints."""

    written: str
    printed: str

    @property
    def command(self) -> str:
        """The command without the marks of continuation lines."""
        return self.written.rstrip("\n").replace("\n> ", "\n")

    def holds(self, real: str) -> bool:
        """Whether real output is what the document says."""
        lines = (re.escape(line).replace(re.escape(ANYTHING), ".*") for line in self.printed.splitlines())
        pattern = "".join("(?:.*\n)*" if line == ".*" else f"{line}\n" for line in lines)
        return re.fullmatch(pattern, real) is not None

    def renewed(self, real: str) -> str:
        """The output to write down: as it is where it holds, else the real lines, left out where `…` leaves them out."""
        if self.holds(real):
            return self.printed
        shortened = "".join(f"{line}\n" for line in _shortened(self.printed.splitlines(), real.splitlines()))
        return shortened if Example("", shortened).holds(real) else real


def _shortened(claimed: Sequence[str], real: Sequence[str]) -> Iterator[str]:
    """The real lines from the one most like the first of a claimed passage to the one most like its last, between `…`."""
    at = 0
    for is_gap, passage in groupby(claimed, ANYTHING.__eq__):
        lines = list(passage)
        if is_gap:
            yield ANYTHING
            continue
        first = _place(lines[0], real, at)
        at = _place(lines[-1], real, first + len(lines) // 2) + 1
        for line in real[first:at]:
            held = [old for old in lines if Example("", f"{old}\n").holds(f"{line}\n")]
            yield held[0] if held else _abridged(max(lines, key=lambda old: _likeness(old, line)), line)


def _abridged(claimed: str, real: str) -> str:
    """A real line, left out in part where a claimed one is: between words that are around its `…`, too."""
    written, at = "", 0
    for before, after in pairwise(claimed.split(ANYTHING)):
        words, next_words = before[-BEFORE:], after[:AFTER]
        start = real.find(words, at) + len(words)
        end = real.find(next_words, start) if next_words else len(real)
        if words in real[at:] and end >= 0:
            written, at = f"{written}{real[at:start]}{ANYTHING}", end
    return written + real[at:]


def _place(line: str, real: Sequence[str], at: int) -> int:
    """Where the line most like a claimed one is, from a place on."""
    held = [place for place in range(at, len(real)) if Example("", f"{line}\n").holds(f"{real[place]}\n")]
    return held[0] if held else max(range(at, len(real)), key=lambda place: _likeness(line, real[place]), default=at)


def _likeness(line: str, other: str) -> float:
    return SequenceMatcher(None, line, other, autojunk=False).ratio()


class Shell:
    """A folder to run examples in, with the command `tabletop` of this checkout in reach and no settings of the user's."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._folder = folder
        self._environment = environment

    def write(self, name: str, text: str) -> None:
        """Put a file into the folder."""
        (self._folder / name).write_text(text, encoding="utf-8")

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


@contextmanager
def environment() -> Iterator[dict[str, str]]:
    """The variables of a shell with a quick `tabletop` on its path."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OWN)}
    bare = {**kept, "PYTHONPATH": str(ROOT), "COLUMNS": str(COLUMNS), "NO_COLOR": "1"}
    with tempfile.TemporaryDirectory() as folder:
        path = os.pathsep.join((str(_commands(Path(folder))), str(Path(sys.executable).parent), kept.get("PATH", "")))
        yield {**bare, "PATH": path}


def _commands(folder: Path) -> Path:
    """The folder with a quick `tabletop` and `python`: processes of a server that has everything imported."""
    for name in ("tabletop", "python"):
        client = folder / name
        code = _CLIENT.format(python=sys.executable, socket=str(warm_processes.address()), number=NUMBER)
        client.write_text(code, encoding="utf-8")
        client.chmod(0o755)
    return folder


def run_examples(text: str, runner: Shell) -> Iterator[tuple[Example, str]]:
    """Run the commands of a document in order: each example that readers see, and what it really prints."""
    for block in _BLOCK.finditer(text):
        for example, real in _run(block, runner):
            if block[1] == "```":
                yield example, real


def _run(block: re.Match[str], runner: Shell) -> Iterator[tuple[Example, str]]:
    if block[3]:
        runner.write(block[3], block[4])
    else:
        for found in _COMMAND.findall(block[4]):
            example = Example(*found)
            yield example, runner.run(example.command)


def renewed(text: str, runner: Shell) -> str:
    """The document with the real output in place of what no longer holds."""

    def renew(block: re.Match[str]) -> str:
        lines = [f"$ {example.written}{example.renewed(real)}" for example, real in _run(block, runner)]
        return f"```console\n{''.join(lines)}```" if lines and block[1] == "```" else block[0]

    return _BLOCK.sub(renew, text)


def main() -> None:
    """Renew the documents named, or all."""
    with environment() as variables:
        for name in sys.argv[1:] or DOCUMENTS:
            path = ROOT / name
            with tempfile.TemporaryDirectory() as folder:
                text = renewed(path.read_text(encoding="utf-8"), Shell(Path(folder), variables))
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
