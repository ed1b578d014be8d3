"""Notes: what people have noted at decisions of a log, by number, in a small file beside it. No check of a log reads them."""

import json
from pathlib import Path
from typing import Annotated

from pydantic import StringConstraints, TypeAdapter, ValidationError

from runner.errors import TabletopError
from runner.files import read_regular_text, write_whole
from runner.record.log_paths import place_of

LONGEST_NOTE = 500
"""Maximum letters of a note."""

_LARGEST = 2**20
_NOTES = TypeAdapter(dict[int, Annotated[str, StringConstraints(max_length=LONGEST_NOTE)]])


def notes_path(log: Path) -> Path:
    """The file of a log's notes: `.NAME.notes.json` beside it; of a packed log, beside its place in the pack's folder."""
    place = place_of(log)
    return place.with_name(f".{place.name}.notes.json")


def kept_notes(log: Path) -> dict[int, str]:
    """The notes of a log by decision, in order. The file may be a stranger's: one that is no such file counts as none."""
    if not (path := notes_path(log)).exists():
        return {}
    try:
        return dict(sorted(_NOTES.validate_json(read_regular_text(path, "The file of notes", _LARGEST)).items()))
    except (TabletopError, ValidationError):
        return {}


def keep_note(log: Path, number: int, text: str) -> dict[int, str]:
    """Keep a note at a decision in place of the one before; an empty text removes it. All notes of the log then. PausedError on
    a full disk, else UsageError."""
    found = {**kept_notes(log), number: text[:LONGEST_NOTE]}
    found = {each: found[each] for each in sorted(found) if found[each]}
    write_whole(notes_path(log), json.dumps(found, ensure_ascii=False, indent=1) + "\n", "The file of notes")
    return found
