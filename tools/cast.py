"""The recording of a tweak: `python -m tools.cast` writes docs/pictures/tweak.cast, which `asciinema play` shows.

A terminal of 80 columns and 24 lines is recorded, in the format asciicast, version 2. A sentence of Coup's advice is changed in
a pack, judged, and taken back. A stand-in of a model is asked, on this machine: it answers by chance, but challenges whatever
it may as soon as the advice has the sentence.
"""

from __future__ import annotations

import json
import os
import pty
import random
import re
import select
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fcntl import ioctl
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from termios import TIOCSWINSZ
from threading import Thread
from typing import Any

CAST = Path(__file__).parent.parent / "docs" / "pictures" / "tweak.cast"
COLUMNS, LINES = 80, 24
SENTENCE = "Challenge every claim: most of them are bluffs."
_ADVICE = "coup/advice.j2"
_LOOK, _READ, _LONGEST = 0.1, 2.0, 240.0
"""Seconds between two looks at the screen, for a reader at what has changed, and until a step is given up."""
_LONGEST_PAUSE = 2.5
"""Seconds that a player of the recording waits at most."""


class StandIn(BaseHTTPRequestHandler):
    """A model behind the protocol of OpenAI: chooses by chance, and challenges where the prompt has the sentence."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = json.dumps(asked["messages"], ensure_ascii=False)
        fields = asked["response_format"]["json_schema"]["schema"]["properties"]
        chance = random.Random(text)
        answer = {name: _value(field, SENTENCE in text, chance) for name, field in fields.items()}
        message = {"role": "assistant", "content": json.dumps(answer)}
        usage = {"prompt_tokens": len(text) // 4, "completion_tokens": 12, "total_tokens": len(text) // 4 + 12}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        body = {"id": "1", "object": "chat.completion", "model": asked["model"], "choices": [choice], "usage": usage}
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def _value(field: dict[str, Any], is_bold: bool, chance: random.Random) -> object:
    values = field.get("enum") or ["" if field["type"] == "string" else 0]
    return "challenge" if is_bold and "challenge" in values else chance.choice(values)


@contextmanager
def standing_in() -> Iterator[str]:
    """The SPEC of a stand-in that is served meanwhile."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"small@http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()


class Recorder:
    """A command in a terminal, and what it writes with the time of each part."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self._child, self._master = pty.fork()
        if not self._child:
            os.chdir(folder)
            os.execve(command[0], command, {**os.environ, "TERM": "xterm-256color"})
        ioctl(self._master, TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self._begin = time.monotonic()
        self.parts: list[tuple[float, str]] = []

    def follow(self, seconds: float) -> bool:
        """Record for a while; False when the command has ended."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self._master], [], [], left)[0]:
                try:
                    data = os.read(self._master, 1 << 16)
                except OSError:
                    return False
                self.parts.append((time.monotonic() - self._begin, data.decode("utf-8", "replace")))
        return True

    def until(self, pattern: str) -> None:
        """Record until something is written that fits. TimeoutError when it is not."""
        begin, seen = time.monotonic(), len(self.parts)
        while not re.search(pattern, "".join(text for _, text in self.parts[seen:])):
            if time.monotonic() - begin > _LONGEST or not self.follow(_LOOK):
                last = "".join(text for _, text in self.parts)[-2_000:]
                raise TimeoutError(f"nothing like {pattern!r} was written, but {last!r}")
        self.follow(_READ)

    def press(self, key: str) -> None:
        os.write(self._master, key.encode())

    def end(self) -> None:
        while self.follow(_LOOK):
            pass
        os.waitpid(self._child, 0)
        os.close(self._master)


def shortened(parts: list[tuple[float, str]]) -> Iterator[str]:
    """The lines of a recording, in which no pause is longer than a reader needs."""
    yield json.dumps({"version": 2, "width": COLUMNS, "height": LINES, "title": "tabletop prompts tweak"})
    at = before = 0.0
    for moment, text in parts:
        at, before = at + min(_LONGEST_PAUSE, moment - before), moment
        yield json.dumps([round(at, 2), "o", text], ensure_ascii=False)


def record(folder: Path, say: Callable[[str], object]) -> list[tuple[float, str]]:
    """Change a sentence, let it be judged, and take it back."""
    tabletop = str(Path(sys.executable).parent / "tabletop")
    subprocess.run([tabletop, "prompts", "new", "bold", "coup", "--part", _ADVICE], cwd=folder, check=True, capture_output=True)
    advice = folder / "bold" / _ADVICE
    with standing_in() as spec:
        recorder = Recorder([tabletop, "prompts", "tweak", "bold", "--game", "coup", "--seat", spec], folder)
        recorder.until("Watching")
        advice.write_text(f"{advice.read_text(encoding='utf-8').rstrip()}\n- {SENTENCE}\n", encoding="utf-8")
        say("saved")
        recorder.until("40 of 40 decisions")
        recorder.press("\r")
        say("more")
        recorder.until("80 of 80 decisions")
        recorder.press("u")
        say("taken back")
        recorder.until("Taken back")
        recorder.press("q")
        recorder.end()
    return recorder.parts


def main() -> None:
    """Record, and write the file."""
    with tempfile.TemporaryDirectory() as folder:
        parts = record(Path(folder), lambda what: sys.stderr.write(f"{what}\n"))
    CAST.write_text("".join(f"{line}\n" for line in shortened(parts)), encoding="utf-8")


if __name__ == "__main__":
    main()
