"""Every verb that reads a log, run in a child of this process, whose peak of memory is measured."""

from __future__ import annotations

import os
import pickle
import resource
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.cli.command import tabletop

VERBS: Mapping[str, Sequence[str]] = {
    "verify": ("replay", "LOG", "--verify"),
    "verify folder": ("replay", ".", "--verify", "--json"),
    "replay": ("replay", "LOG", "--plain", "--thoughts"),
    "public": ("replay", "LOG", "--plain", "--view", "P-1"),
    "watch": ("watch", "LOG", "--wait", "0", "--until-paused", "--plain"),
    "events": ("watch", "LOG", "--wait", "0", "--until-paused", "--json-events", "--quiet"),
    "resume": ("resume", "LOG", "--quiet"),
    "fork": ("fork", "LOG", "--at", "AT", "--quiet", "--log", "fork.jsonl", "--seat", "P-0=bot:random"),
    "html": ("export", "LOG", "--html", "-o", "page.html"),
    "markdown": ("export", "LOG", "--markdown", "-o", "-"),
    "csv": ("export", "LOG", "--csv", "-o", "-"),
    "cast": ("export", "LOG", "--cast", "-o", "-", "--view", "public"),
    "logs": ("logs", "."),
    "standings": ("standings", ".", "--json"),
    "render": ("prompts", "render", "LOG", "--at", "AT"),
    "ask": ("prompts", "ask", "LOG", "--at", "AT", "--times", "1", "--seat", "offline"),
    "table": ("export", ".", "--table", "decisions", "--csv", "-o", "-"),
    "playback": ("play", "GAME", "--playback", "LOG", "--quiet", "--log", "again.jsonl"),
}
"""The verbs that read one log; LOG, GAME and AT (a decision) are replaced."""

_AGENTS = ("--seat", "a=offline,b=offline", "--players", "2", "--mistakes", "0.4")
_PACKS = ("coup", "built-in", "brief", "--num-players", "2", "--seat", "offline")
FOLDER_VERBS: Mapping[str, Sequence[str]] = {
    "tournament": ("tournament", "--game", "coup", *_AGENTS, "--deals", "1", "--seed", "2", "--quiet", "-o", "OUT"),
    "compare": ("prompts", "compare", *_PACKS, "--by", "matches", "--deals", "1", "--seed", "2", "--quiet", "-o", "OUT"),
}
"""The verbs that resume a folder of logs, which is OUT."""

LARGEST = 300.0
"""MiB that no verb adds to the memory of the process it is forked from."""

_SECONDS = 120


class Run(NamedTuple):
    """A finished command: its status, what it wrote to standard error, the MiB of memory that it added, and its seconds of the
    processor."""

    status: int
    errors: str
    peak: float
    seconds: float

    @property
    def is_healthy(self) -> bool:
        """Whether the command refused in a sentence whatever it could not do, within its memory."""
        return self.status in (0, 2, 3, 4, 5) and "Traceback" not in self.errors and self.peak < LARGEST


def run_on(folder: Path, verb: str, raw: bytes, game: str, at: int = 2) -> Run:
    """A verb on the log in a new folder, which is removed."""
    folder.mkdir()
    (folder / "log.jsonl").write_bytes(raw)
    try:
        return forked(folder, *words_of(verb, "log.jsonl", game, at))
    finally:
        shutil.rmtree(folder)


def words_of(verb: str, log: str, game: str = "", at: int = 2) -> list[str]:
    """The command line of a verb that reads one log."""
    replaced = {"LOG": log, "GAME": game, "AT": str(at)}
    return [replaced.get(word, word) for word in VERBS[verb]]


def begun(folder: Path, verb: str) -> Path:
    """The folder of logs that a verb made, below a folder."""
    out = folder / verb
    if verb == "compare":
        (folder / "brief" / "coup").mkdir(parents=True)
        (folder / "brief" / "pack.toml").write_text('name = "brief"\nversion = "1"\nauthor = ""\n')
        (folder / "brief" / "coup" / "advice.j2").write_text("Bluff seldom.\n")
    assert tabletop(folder, *_words(verb, out)).returncode == 0
    return out


def resumed(folder: Path, verb: str, made: Path, log: Path, raw: bytes) -> Run:
    """A verb on a copy of the folder that it made, one of whose logs (a path within) has been changed."""
    out = Path(shutil.copytree(made, folder / "out"))
    (out / log).write_bytes(raw)
    try:
        return forked(folder, *_words(verb, out))
    finally:
        shutil.rmtree(out)


def _words(verb: str, out: Path) -> list[str]:
    return [str(out) if word == "OUT" else word for word in FOLDER_VERBS[verb]]


def forked(folder: Path, *words: str) -> Run:
    """The finished command, in a child of this process: it has its own memory and starts at once."""
    reader, writer = os.pipe()
    before = _resident()
    child = os.fork()
    if not child:
        _serve(writer, folder, words)
    os.close(writer)
    with os.fdopen(reader, "rb") as said:
        raw = said.read()
    _, _, usage = os.wait4(child, 0)
    status, errors = pickle.loads(raw) if raw else (1, "Traceback: the child died")
    return Run(status, errors, usage.ru_maxrss / 1024 - before, usage.ru_utime + usage.ru_stime)


def _resident() -> float:
    """The MiB of memory that this process holds, which a forked one begins with; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * resource.getpagesize() / 2**20


def _serve(writer: int, folder: Path, words: Sequence[str]) -> None:
    """Run the command, write its status and standard error, and end the process."""
    try:
        done = tabletop(folder, *words, timeout=_SECONDS)
        with os.fdopen(writer, "wb") as out:
            out.write(pickle.dumps((done.returncode, done.stderr)))
    finally:
        os._exit(0)
