"""Site files: the files that a gallery writes, whole or not at all, and never over those of somebody else."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, cast

from pydantic import TypeAdapter

from runner.digest import digest_of
from runner.errors import TabletopError, UsageError, unwritable
from runner.export.gallery.gallery_types import MatchData
from runner.files import read_regular_text, write_whole
from runner.screen.safe_text import clean

INDEX = ".tabletop-gallery.json"
FOLDERS = ("matches", "players")
_LONGEST_SLUG = 60
_OWN = re.compile(r"(?:index|standings|matches/[a-z0-9-]+|players/[a-z0-9-]+)\.(?:html|json|preview\.svg)")


def page_name(folder: str, name: str) -> str:
    """The page of a match or a player: readable, safe in an address, and always the same for the same name."""
    slug = re.sub("[^a-z0-9]+", "-", name.lower())[-_LONGEST_SLUG:].strip("-")
    return f"{folder}/{slug}-{sha256(os.fsencode(name)).hexdigest()[:32]}.html"


def json_name(page: str) -> str:
    """The JSON document beside a page."""
    return page.removesuffix(".html") + ".json"


def picture_name(page: str) -> str:
    """The preview beside the page of a match."""
    return page.removesuffix(".html") + ".preview.svg"


def check_site(site: Path, logs: Path, known: Iterable[str]) -> None:
    """UsageError when a site cannot be a folder of its own: inside the logs, or with files that are not the gallery's.

    `known` are the files that the gallery wrote there. Hidden files, such as `.git`, are left alone.
    """
    shown = clean(site, 200)
    if site.resolve().is_relative_to(logs.resolve()):
        raise UsageError(f"The site {shown} is inside the folder of logs {clean(logs, 200)}: name a folder outside of it.")
    if site.exists() and not site.is_dir():
        raise UsageError(f"The site {shown} is not a folder: name another one.")
    foreign = sorted(path.name for path in site.glob("*") if not path.name.startswith("."))
    if foreign and not (site / INDEX).is_file():
        raise UsageError(f"The folder {shown} holds {clean(foreign[0], 100)}, which no gallery wrote: name an empty folder.")
    for name in {*FOLDERS, *known}:
        if (site / name).is_symlink():
            raise UsageError(f"{shown}/{clean(name, 200)} is a link: remove it, or name another folder.")


def check_free(site: Path, names: Iterable[str], known: Iterable[str]) -> None:
    """UsageError when a file that the gallery is going to write is there and not its own."""
    for name in sorted({*names} - {*known}):
        if os.path.lexists(site / name):
            raise UsageError(f"{clean(site / name, 300)} was not written by the gallery: move it, or name another folder.")


def write_page(path: Path, text: str) -> None:
    """Write a file, whole or not at all; one with this content stays as it is. PausedError on a full disk, else UsageError."""
    data = text.encode("utf-8", "replace")
    if not _has(path, data):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(f"The folder {path.parent}", error) from error
        write_whole(path, data, "The page", is_private=False, is_synced=False)  # the next call compares and writes it again


def _has(path: Path, data: bytes) -> bool:
    with suppress(OSError):
        return path.stat().st_size == len(data) and path.read_bytes() == data
    return False


def remove(site: Path, names: Iterable[str]) -> None:
    """Remove files of the gallery."""
    for name in names:
        with suppress(OSError):
            (site / name).unlink(missing_ok=True)


# -- the index -------------------------------------------------------------------------------------------------------

_VERSION = 1
"""Counts up when what stands in the index changes; an index of another version only tells which files are the gallery's."""

_LARGEST = 256 * 2**20


class MatchStamp(NamedTuple):
    """A match of the site: the stamp of what its page was made from, and the digest of its JSON document."""

    stamp: str
    digest: str


@dataclass(slots=True)
class SiteIndex:
    """What a gallery wrote into its folder, and from which logs, so that the next run makes only what is new. `whole` is the
    stamp of the pages that are made from all matches, empty while they are not."""

    version: int = _VERSION
    whole: str = ""
    files: set[str] = field(default_factory=set)
    matches: dict[str, MatchStamp] = field(default_factory=dict)

    @classmethod
    def read(cls, site: Path) -> SiteIndex:
        """The index of a site; an empty one without a file that can be read."""
        try:
            found = _INDEX.validate_json(read_regular_text(site / INDEX, "The index", _LARGEST))
        except (TabletopError, ValueError):
            return cls()
        files = {name for name in found.files if _OWN.fullmatch(name)}
        return cls(files=files) if found.version != _VERSION else replace(found, files=files)

    def write(self, site: Path) -> None:
        """Write the index into the site."""
        data = asdict(self) | {"files": sorted(self.files), "matches": dict(sorted(self.matches.items()))}
        write_page(site / INDEX, json.dumps(data, indent=0) + "\n")


_INDEX = TypeAdapter(SiteIndex)


def stored_entry(site: Path, page: str, known: MatchStamp | None, stamp: str) -> MatchData | None:
    """The entry of a match whose page is up to date; None when the page has to be made."""
    if known is None or known.stamp != stamp or not all((site / name).is_file() for name in (page, picture_name(page))):
        return None
    with suppress(TabletopError):
        text = read_regular_text(site / json_name(page), "The document", _LARGEST)
        if digest_of(text) == known.digest:
            return cast(MatchData, json.loads(text))
    return None


def dumped(data: Mapping[str, object]) -> str:
    """A document of the site."""
    return json.dumps(data, separators=(",", ":")) + "\n"
