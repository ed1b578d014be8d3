"""A folder of logs for galleries: few decisions each, so that pages are made quickly."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from runner.errors import PausedError
from runner.export.gallery.build_site import Built, build_site
from runner.export.gallery.match_files import WrittenMatch
from runner.record.reader import read_log
from tests.cli.command import one_processor
from tests.match.tables import Failing, bot
from tests.record.matches import erring, played
from tests.screen.reviews import keep, written_review

SHORT = {"max_turns": 2}


async def _play(folder: Path) -> None:
    for seed in (1, 2):
        await played(folder / f"coup{seed}.jsonl", "coup", erring("coup", 3), seed, **SHORT)
    with suppress(PausedError):
        await played(folder / "deep" / "paused.jsonl", "coup", [bot("coup"), Failing(), bot("coup")], 2)


def make_logs(folder: Path) -> Path:
    """Two finished matches, one of them reviewed, a paused one, and a damaged one."""
    asyncio.run(_play(folder))
    log = read_log(folder / "coup1.jsonl")
    keep(log, written_review(log))
    whole = (folder / "coup1.jsonl").read_bytes()
    (folder / "damaged.jsonl").write_bytes(whole.replace(b'"seat":1', b'"seat":2', 1))
    return folder


def plainly(found: Iterable[WrittenMatch], total: int) -> Iterable[WrittenMatch]:
    """No progress bar."""
    return found


def build(logs: Path, site: Path, view: str = "all") -> Built:
    """Build a site, in this process."""
    with one_processor():
        return build_site(logs, site, view, plainly)


def contents(site: Path) -> dict[str, bytes]:
    """The files of a site but for its index."""
    return {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in sorted(site.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }
