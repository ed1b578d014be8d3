"""Site files: the files that a gallery writes, whole or not at all, and never over those of somebody else."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, TypeAdapter

from runner.digest import digest_of
from runner.errors import TabletopError, UsageError, unwritable
from runner.files import read_regular, read_regular_text, write_whole
from runner.screen.safe_text import clean

SiteDocument = dict[str, Any]
"""A JSON document beside a page, or a part of one."""

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


def files_of_match(page: str) -> tuple[str, str, str]:
    """The page of a match, its document and its preview."""
    return page, json_name(page), picture_name(page)


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


def write_page(path: Path, text: str, *, is_synced: bool = False) -> str:
    """Write a file, whole or not at all; one with this content stays as it is. Its digest. PausedError on a full disk, else
    UsageError."""
    data = text.encode("utf-8", "replace")
    digest = digest_of(data)
    if _digest(path) != digest:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(f"The folder {path.parent}", error) from error
        write_whole(path, data, "The page", is_private=False, is_synced=is_synced)
    return digest


def _digest(path: Path) -> str | None:
    with suppress(TabletopError):
        return digest_of(read_regular(path, "The page", _LARGEST))
    return None


# -- the index -------------------------------------------------------------------------------------------------------

_VERSION = 2
"""Counts up when what stands in the index changes; an index of another version only tells which files are the gallery's."""

_LARGEST = 256 * 2**20


def _named(files: object) -> object:
    """The files of an older index, which had no digests."""
    return dict.fromkeys(files, "") if isinstance(files, list) else files


@dataclass(slots=True)
class SiteIndex:
    """What a gallery wrote into its folder, and from which logs, so that the next run makes only what is new: the digest of
    each file, empty until it is written, and the stamp of what each match's files were made from. `whole` is the stamp of the
    pages that are made from all matches, empty while they are not."""

    version: int = _VERSION
    whole: str = ""
    files: Annotated[dict[str, str], BeforeValidator(_named)] = field(default_factory=dict)
    matches: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, site: Path) -> SiteIndex:
        """The index of a site; an empty one without a file that can be read."""
        try:
            found = _INDEX.validate_json(read_regular_text(site / INDEX, "The index", _LARGEST))
        except (TabletopError, ValueError):
            return cls()
        files = {name: digest for name, digest in found.files.items() if _OWN.fullmatch(name)}
        return cls(files=files) if found.version != _VERSION else replace(found, files=files)

    def write(self, site: Path) -> None:
        """Write the index into the site. It is synced and the pages are not: after a power cut it tells which ones are lost."""
        data = asdict(self) | {"files": dict(sorted(self.files.items())), "matches": dict(sorted(self.matches.items()))}
        write_page(site / INDEX, json.dumps(data, indent=0) + "\n", is_synced=True)

    def claim(self, site: Path, names: Iterable[str]) -> None:
        """Enter files before any of them is written: an interrupted run leaves none that is not in the index. UsageError when
        one is there and not the gallery's own."""
        for name in sorted({*names} - self.files.keys()):
            if os.path.lexists(site / name):
                raise UsageError(f"{clean(site / name, 300)} was not written by the gallery: move it, or name another folder.")
            self.files[name] = ""
        self.write(site)

    def has(self, site: Path, names: Iterable[str]) -> bool:
        """Whether files of the site are as they were written."""
        return all(name in self.files and self.files[name] == _digest(site / name) for name in names)

    def content(self, site: Path, name: str) -> bytes | None:
        """A file of the site as it was written; None where there is none, or where it was changed."""
        if not self.files.get(name):
            return None
        with suppress(TabletopError):
            data = read_regular(site / name, "The page", _LARGEST)
            return data if digest_of(data) == self.files[name] else None
        return None

    def entry(self, site: Path, page: str) -> SiteDocument | None:
        """What the gallery knows of a match; None when its files have to be made."""
        if not self.has(site, files_of_match(page)):
            return None
        found: SiteDocument = json.loads((site / json_name(page)).read_text(encoding="utf-8"))
        return found

    def keep(self, site: Path, names: Collection[str], matches: Collection[str]) -> int:
        """Remove all other files, and what is known of other matches. The number of files removed."""
        gone = self.files.keys() - names
        for name in gone:
            with suppress(OSError):
                (site / name).unlink(missing_ok=True)
        self.files = {name: self.files[name] for name in names}
        self.matches = {name: self.matches[name] for name in matches}
        self.write(site)
        return len(gone)


_INDEX = TypeAdapter(SiteIndex)


def dumped(data: Mapping[str, object]) -> str:
    """A document of the site."""
    return json.dumps(data, separators=(",", ":")) + "\n"
