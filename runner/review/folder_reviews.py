"""Folder reviews: the reviews of many logs, a log at a time in each worker process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

import games
from games.core import OptionError
from runner.errors import TabletopError
from runner.record.reader import read_log
from runner.review.kept_reviews import Settings, kept_review, reviewed
from runner.review.review_document import ReviewDocument
from runner.review.reviewing import default_playouts
from runner.worker_processes import in_processes

Outcome = tuple[Path, ReviewDocument | str]
"""A log and its review, or why it has none."""

FollowLogs = Callable[[Iterable[Outcome], int], Iterable[Outcome]]
"""Passes on the reviewed logs, and tells somebody how many there are of all."""


class FolderReviews(NamedTuple):
    """Reviews by the digest of their log, and the logs that could not be reviewed, with the reason."""

    reviews: dict[str, ReviewDocument]
    refused: dict[Path, str]

    def of(self, digest: str) -> ReviewDocument | None:
        """The review of the log with this digest."""
        return self.reviews.get(digest)


def folder_reviews(paths: Sequence[Path], follow: FollowLogs) -> FolderReviews:
    """The reviews of logs: those that are kept, whatever their settings, and new ones for the others, which are kept then."""
    return _gathered(_review_of, paths, follow)


def reviews_with(settings: Settings, paths: Sequence[Path], follow: FollowLogs) -> FolderReviews:
    """The reviews of logs with these settings: those that are kept with them, and new ones for the others."""
    return _gathered(partial(_review_with, settings), paths, follow)


def _gathered(review: Callable[[Path], Outcome], paths: Sequence[Path], follow: FollowLogs) -> FolderReviews:
    with closing(in_processes(review, paths)) as working:
        outcomes = dict(follow(working, len(paths)))
    found, refused = dict[str, ReviewDocument](), dict[Path, str]()
    for path in paths:
        outcome = outcomes[path]
        if isinstance(outcome, str):
            refused[path] = outcome
        else:
            found[outcome.get("digest", "")] = outcome
    return FolderReviews(found, refused)


def _review_of(path: Path) -> Outcome:
    try:
        log = read_log(path)
        game = games.load(log.header["game"])
        return path, kept_review(log) or reviewed(log, Settings(default_playouts(game)))
    except (TabletopError, OptionError) as error:
        return path, str(error)


def _review_with(settings: Settings, path: Path) -> Outcome:
    try:
        return path, reviewed(read_log(path), settings)
    except (TabletopError, OptionError) as error:
        return path, str(error)
