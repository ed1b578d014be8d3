"""Benched models: the documents of a folder, one for each model, and which of them can be compared."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from runner.errors import TabletopError
from runner.record.private_files import make_folder, write_whole
from runner.regular_files import read_regular_text
from runner.workshop.bench.bench_document import BENCH_DATA, SCHEMA, BenchData, SuiteData


class Benched(NamedTuple):
    """Documents of one suite, and a sentence for each that is left out."""

    documents: tuple[BenchData, ...]
    notes: tuple[str, ...]


def document_text(data: BenchData) -> str:
    """A document as the text of its file."""
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def write_document(path: Path, data: BenchData) -> None:
    """Write a document."""
    make_folder(path.parent)
    write_whole(path, document_text(data), "The document")


def benched(folders: Sequence[Path], suite: SuiteData) -> Benched:
    """All documents in some folders that are of this suite; a model that several folders have counts once, in the first."""
    found, notes = dict[str, BenchData](), list[str]()
    for path in (path for folder in folders for path in sorted(folder.glob("*.json"))):
        document = _read(path)
        if document is None:
            notes.append(f"{path} is not a document of `tabletop bench` of this version and is left out.")
        elif document["suite"] != suite:
            version = document["suite"]["version"]
            notes.append(f"{document['model']} is left out: it was benched on another suite (version {version}, {path}).")
        else:
            found.setdefault(document["model"], document)
    return Benched(tuple(found.values()), tuple(notes))


def _read(path: Path) -> BenchData | None:
    """The document in a file; None for any other file."""
    try:
        found = BENCH_DATA.validate_json(read_regular_text(path, "The document"))
    except (TabletopError, ValidationError, ValueError, RecursionError):
        return None
    return found if found["schema"] == SCHEMA else None
