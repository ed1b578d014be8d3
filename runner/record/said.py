"""Said: what players of a log wrote in free text: talk, quotes, reasons, thoughts and notes, each with its decision."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import games
from games.core import OptionError
from runner.errors import TabletopError
from runner.record.reader import Log, read_sound_part

_FIELDS = ("say", "reason", "notes")


class SaidText(NamedTuple):
    """A text, what kind it is, whose, and before which decision it was written."""

    decision: int
    seat: int
    kind: str
    text: str


def said_in(log: Log) -> Iterator[SaidText]:
    """The texts of a log in order."""
    try:
        free = games.load(log.header["game"]).free_text
    except OptionError:
        free = ()
    decision = 1
    for _, record in log.records:
        if record["kind"] == "decision":
            decision += 1
        elif record["kind"] == "attempt":
            reply, answer = record.get("reply") or {}, record.get("answer")
            texts = {name: record.get(name) for name in _FIELDS} | {"thought": reply.get("reasoning")}
            texts |= {name: answer.get(name) for name in free} if isinstance(answer, dict) else {}
            yield from (SaidText(decision, record["seat"], kind, text) for kind, text in texts.items() if isinstance(text, str))


def found_in(path: Path, words: str) -> list[SaidText]:
    """The texts of a log that contain words, in any case; none for a log that cannot be read."""
    try:
        return [one for one in said_in(read_sound_part(path)) if words.casefold() in one.text.casefold()]
    except TabletopError:
        return []
