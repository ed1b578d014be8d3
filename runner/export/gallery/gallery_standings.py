"""Gallery standings: the standings of the folder, with what agents give up where reviews are kept."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from runner.errors import UsageError
from runner.export.gallery.gallery_types import MatchData
from runner.review.folder_reviews import FolderReviews
from runner.review.kept_reviews import stored_review
from runner.standings.comparability import KINDS
from runner.standings.document import standings
from runner.standings.document_types import StandingsData

_POOLED = frozenset(KINDS) - {"games", "players"}


def gallery_standings(folder: Path, entries: Sequence[MatchData]) -> StandingsData | None:
    """The standings, None before any match has ended. Matches that differ are pooled, and notes say so.

    The reviews are those that the matches' pages show.
    """
    digests = {entry["digest"] for entry in entries if entry["is_reviewed"]}

    def kept(paths: Sequence[Path]) -> FolderReviews:
        found = [review for path in paths if (review := stored_review(path))] if digests else []
        return FolderReviews({digest: review for review in found if (digest := review.get("digest", "")) in digests}, {})

    with suppress(UsageError):
        return standings(folder, _POOLED, reviewing=kept, by_spec=True) | {"folder": folder.resolve().name}
    return None
