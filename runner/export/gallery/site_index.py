"""Site index: what a gallery wrote into its folder, and from which logs, so that the next run makes only what is new."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from runner.digest import digest_of
from runner.errors import TabletopError
from runner.export.gallery.gallery_types import MatchData
from runner.export.gallery.site_files import INDEX, json_name, own, write_page
from runner.regular_files import read_regular_text

_VERSION = 1
"""Counts up when what stands in the index changes; an index of another version only tells which files are the gallery's."""

_LARGEST = 256 * 2**20


class MatchStamp(NamedTuple):
    """A match of the site: the stamp of what its page was made from, and the digest of its JSON document."""

    stamp: str
    digest: str


@dataclass(slots=True)
class SiteIndex:
    """The index of a site. `whole` is the stamp of the pages that are made from all matches, empty while they are not."""

    is_found: bool = False
    files: set[str] = field(default_factory=set)
    matches: dict[str, MatchStamp] = field(default_factory=dict)
    whole: str = ""

    def write(self, site: Path) -> None:
        """Write the index into the site."""
        data = {
            "version": _VERSION,
            "whole": self.whole,
            "files": sorted(self.files),
            "matches": dict(sorted(self.matches.items())),
        }
        write_page(site / INDEX, json.dumps(data, indent=0) + "\n")


class _Stored(TypedDict):
    version: int
    whole: str
    files: list[str]
    matches: dict[str, MatchStamp]


_STORED = TypeAdapter(_Stored)


def read_index(site: Path) -> SiteIndex:
    """The index of a site; an empty one without a file that can be read."""
    try:
        data = json.loads(read_regular_text(site / INDEX, "The index", _LARGEST))
        stored = _STORED.validate_python(data)
    except (TabletopError, ValueError, RecursionError, ValidationError):
        return SiteIndex(is_found=(site / INDEX).is_file())
    files = set(own(stored["files"]))
    if stored["version"] != _VERSION:
        return SiteIndex(True, files)
    return SiteIndex(True, files, stored["matches"], stored["whole"])


def stored_entry(site: Path, page: str, known: MatchStamp | None, stamp: str) -> MatchData | None:
    """The entry of a match whose page is up to date; None when the page has to be made."""
    if known is None or known.stamp != stamp or not (site / page).is_file():
        return None
    try:
        text = read_regular_text(site / json_name(page), "The document", _LARGEST)
        if digest_of(text) != known.digest:
            return None
        entry: MatchData = json.loads(text)
    except (TabletopError, ValueError):
        return None
    return entry


def dumped(data: Mapping[str, object]) -> str:
    """A document of the site."""
    return json.dumps(data, separators=(",", ":")) + "\n"
