"""Kept reviews: a review is written beside its log, so that the next look is at once."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from runner.errors import TabletopError
from runner.match.header import package_version
from runner.record.private_files import write_whole
from runner.record.reader import Log
from runner.regular_files import read_regular_text
from runner.review.review_document import ReviewDocument
from runner.review.reviewing import SEED, Follow, review_log, unfollowed

_LARGEST = 50_000_000
_DOCUMENT = TypeAdapter(ReviewDocument)


def review_path(log: Path) -> Path:
    """The file of a log's review: `.NAME.review.json` beside it."""
    return log.with_name(f".{log.name}.review.json")


def reviewed(log: Log, playouts: int, seed: int = SEED, follow: Follow = unfollowed) -> ReviewDocument:
    """The review of a log: the kept one if it is of the same lines, playouts, seed and version, else a new one, which is kept.

    A folder that cannot be written keeps none.
    """
    kept = kept_review(log)
    if kept is not None and (kept["playouts"], kept["seed"]) == (playouts, seed):
        return kept
    fresh = review_log(log, playouts, seed, follow)
    with suppress(TabletopError):
        text = json.dumps({"version": package_version(), "review": fresh}, separators=(",", ":"))
        write_whole(review_path(log.path), text, "The review")
    return fresh


def kept_review(log: Log) -> ReviewDocument | None:
    """The review that is kept beside a log, whatever its playouts and seed; None without one of the log as it is now.

    The file may be a stranger's: one that does not fit counts as none.
    """
    try:
        kept: dict[str, Any] = json.loads(read_regular_text(review_path(log.path), "The review", _LARGEST))
        found = _DOCUMENT.validate_python(kept["review"])
    except (TabletopError, ValueError, KeyError, TypeError, RecursionError, ValidationError):
        return None
    is_of_log = found.get("digest") == log.last and found["game"] == log.header["game"]
    return found | {"log": log.path.name} if is_of_log and kept.get("version") == package_version() else None
