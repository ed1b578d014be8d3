"""A person at a terminal: reads what stands on the screen, types, and gets things wrong on the way."""

from __future__ import annotations

import os
import random
import re
import select
import time
from itertools import takewhile
from pathlib import Path
from typing import Any

from runner.match.records import Record
from runner.record.reader import read_log
from runner.record.verify import verify
from tests.patience import PATIENCE
from tests.screen.terminal import Terminal

GRADING = "Grading your decisions"
_PROMPT = re.compile(
    rf"(\w+|Enter: yes, u: undo|u: take back|-- .* --|human \d, press Enter|\.\.\.|{GRADING})(?:>|; q: leave)? $"
)
_NO_CHOICE = ("human", "Enter:", "u: take", "--", "...")
"""How prompts begin that Enter answers."""
_KEY = re.compile(r"^ {0,2}(\d+|[a-z])(?: |$)")

WRONG = (
    *(
        "999",
        "-1",
        "nonsense",
        "",
        " ",
        "1 2 3 4 5",
        "\x1b[A\x1b[D\x1b[3~",
        "\x1b]0;evil\x07\x1b[2J",
        "[bold]1[/]",
        "日本語 👩‍👩‍👧",
    ),
    *("x" * 6000, "\x1b[200~1\r1\r\r1\r\x1b[201~", "\x1b[200~" + "1\r" * 3000 + "\x1b[201~"),
    *("?", "l", "r"),
)
"""What brings no decision, whatever is asked: mistakes, escape sequences, pastes, and questions of one's own."""


class Player(Terminal):
    """Somebody who plays the command in a terminal."""

    def __init__(self, *words: str, **how: Any) -> None:
        super().__init__(*words, **how)
        self._said = -1
        self.asked: list[str] = []

    def prompt(self) -> str:
        """What the person is asked for now; empty when the command has ended."""
        end = time.monotonic() + PATIENCE
        while not (found := self._prompt()):
            assert time.monotonic() < end, self.text
            if not self._pump():
                return ""
        self.asked.append(found)
        return found

    def _prompt(self) -> str:
        """The prompt before the cursor, once the line typed before it has been taken."""
        cursor = self.screen.cursor
        line = self.screen.display[cursor.y]
        found = _PROMPT.match(line[: cursor.x]) if self._said < 0 or self.raw.find(b"\r\n", self._said) >= 0 else None
        return found[1] if found and not line[cursor.x :].strip() else ""

    def say(self, line: str) -> None:
        """Type a line, as fast as it is read."""
        self._said = len(self.raw)
        typed = f"{line}\r".encode()
        while typed:
            while select.select([self._file], [], [], 0)[0] and self._pump():
                pass
            typed = typed[os.write(self._file, typed[:512]) :]

    def hung_up(self) -> int:
        """Close the terminal, as a window is closed; the exit status."""
        os.close(self._file)
        return self._process.wait()

    def keys(self) -> list[str]:
        """The keys of the menu above the cursor. A prompt without one answers an earlier line, such as the Enter after a
        command of one key: the menu is still to come."""
        self.wait_until(lambda: bool(self._keys()))
        return self._keys()

    def _keys(self) -> list[str]:
        above = reversed(self.screen.display[: self.screen.cursor.y])
        menu = takewhile(lambda row: _KEY.match(row) or row.startswith("   "), above)
        return [found[1] for row in menu if (found := _KEY.match(row))][::-1]

    def answer(self, prompt: str, rng: random.Random, text: str) -> None:
        """Go on: any choice of the menu, a text where one is asked for, and yes."""
        if prompt.startswith(_NO_CHOICE):
            self.say("")
        elif prompt == "quote":
            self.say(text)
        else:
            self.say("")
            if not self.prompt().startswith(_NO_CHOICE):
                self.say(rng.choice(self.keys()))

    def play(self, rng: random.Random, text: str = "A line to remember.", wrong: tuple[str, ...] = ()) -> int:
        """Play to the end, with everything that is wrong on the way, and wait for no grades; the exit status."""
        mistakes = list(wrong)
        while prompt := self.prompt():
            if prompt == GRADING:
                self.say("q")
            elif mistakes and not prompt.startswith(_NO_CHOICE):
                self.say(mistakes.pop())
                self.settle()
            else:
                self.answer(prompt, rng, text)
        assert not mistakes, "the match was too short to get everything wrong"
        return self.ended()

    def settle(self) -> None:
        """Take back whatever would be a decision, until a menu or a text is asked for.

        Pages are turned to their end and not left by q: the Enter that was typed after a command of one key can turn the last
        page meanwhile, and q in a menu pauses the match.
        """
        while (prompt := self.prompt()).startswith(("Enter:", "--", "...")):
            self.say("u" if prompt.startswith("Enter:") else "")


def checked(path: Path) -> list[Record]:
    """The records of a log, the header first; the log verifies."""
    log = read_log(path)
    verify(log)
    return [log.header, *(record for _, record in log.records)]
