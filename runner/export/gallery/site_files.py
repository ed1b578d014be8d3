"""Site files: the files that a gallery writes, whole or not at all, and never over those of somebody else."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from runner.errors import UsageError, unwritable
from runner.screen.safe_text import clean

INDEX = ".tabletop-gallery.json"
FOLDERS = ("matches", "players")
_LONGEST_SLUG = 60
_OWN = re.compile(r"(?:index|standings|matches/[a-z0-9-]+|players/[a-z0-9-]+)\.(?:html|json)")
_FRESH = ".new"


def page_name(folder: str, name: str) -> str:
    """The page of a match or a player: readable, safe in an address, and always the same for the same name."""
    slug = re.sub("[^a-z0-9]+", "-", name.lower())[-_LONGEST_SLUG:].strip("-")
    return f"{folder}/{slug}-{sha256(os.fsencode(name)).hexdigest()[:8]}.html"


def json_name(page: str) -> str:
    """The JSON document beside a page."""
    return page.removesuffix(".html") + ".json"


def check_site(site: Path, logs: Path, known: Iterable[str], is_gallery: bool) -> None:
    """UsageError when a site cannot be a folder of its own: inside the logs, or with files that are not the gallery's.

    `known` are the files that the gallery wrote there. Hidden files, such as `.git`, are left alone.
    """
    shown = clean(site, 200)
    if site.resolve().is_relative_to(logs.resolve()):
        raise UsageError(f"The site {shown} is inside the folder of logs {clean(logs, 200)}: name a folder outside of it.")
    if site.exists() and not site.is_dir():
        raise UsageError(f"The site {shown} is not a folder: name another one.")
    foreign = sorted(path.name for path in site.glob("*") if not path.name.startswith(".")) if not is_gallery else []
    if foreign:
        raise UsageError(f"The folder {shown} holds {clean(foreign[0], 100)}, which no gallery wrote: name an empty folder.")
    for name in {*FOLDERS, *known}:
        if (site / name).is_symlink():
            raise UsageError(f"{shown}/{clean(name, 200)} is a link: remove it, or name another folder.")


def check_free(site: Path, names: Iterable[str], known: Iterable[str]) -> None:
    """UsageError when a file that the gallery is going to write is there and not its own."""
    for name in sorted({*names} - {*known}):
        if os.path.lexists(site / name):
            raise UsageError(f"{clean(site / name, 300)} was not written by the gallery: move it, or name another folder.")


def own(names: Iterable[object]) -> Iterator[str]:
    """Of names, those that a gallery can have written."""
    return (name for name in names if isinstance(name, str) and _OWN.fullmatch(name))


def write_page(path: Path, text: str) -> None:
    """Write a file, whole or not at all; one with this content stays as it is. PausedError on a full disk, else UsageError."""
    data = text.encode("utf-8", "replace")
    fresh = path.with_name(path.name + _FRESH)
    try:
        if not _has(path, data):
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_bytes(data)
            fresh.replace(path)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise unwritable(str(path), error) from error


def _has(path: Path, data: bytes) -> bool:
    with suppress(OSError):
        return path.stat().st_size == len(data) and path.read_bytes() == data
    return False


def remove(site: Path, names: Iterable[str]) -> None:
    """Remove files of the gallery."""
    for name in names:
        with suppress(OSError):
            (site / name).unlink(missing_ok=True)
