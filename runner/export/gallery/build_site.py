"""Build site: the gallery of a folder of logs; only what is new or changed since the last time is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from runner.digest import canonical, digest_of
from runner.errors import UsageError
from runner.export.gallery.match_files import MatchJob, MatchOutcome, write_match
from runner.export.gallery.site_files import (
    SiteIndex,
    check_free,
    check_site,
    json_name,
    page_name,
    picture_name,
    remove,
    write_page,
)
from runner.export.gallery.site_pages import SITE_PAGES, SiteFacts, site_pages
from runner.match.header import package_version
from runner.record.log_folder import copies, summaries
from runner.record.log_paths import has_logs
from runner.record.log_summary import LogState, LogSummary
from runner.record.unusable import Unusable, none_left
from runner.screen.safe_text import clean
from runner.standings.document import with_distinct_names
from runner.worker_processes import in_order

FollowMatches = Callable[[Iterable[MatchOutcome], int], Iterable[MatchOutcome]]
"""Passes on the matches whose pages are written, and tells somebody how many there are of all."""


class Built(NamedTuple):
    """What a run did: match pages `made`, `kept` from the last run, files `removed`, and the logs left out."""

    first_page: Path
    made: int
    kept: int
    removed: int
    unusable: list[Unusable]


def build_site(folder: Path, site: Path, view: str, follow: FollowMatches, title: str = "") -> Built:
    """Write the gallery of a folder of logs. Stopped in between, it continues with the next call.

    UsageError without logs, or when the site holds files that no gallery wrote. The error of `none_left` when no log is usable.
    """
    if not has_logs(folder):
        raise UsageError(f"There is no folder or pack {clean(folder, 200)}.")
    index = SiteIndex.read(site)
    check_site(site, folder, index.files)
    found = summaries(folder)
    damaged = {name: Unusable(name, log.why) for name, log in found.items() if log.state is LogState.DAMAGED}
    if not found:
        raise UsageError(f"There are no logs (*.jsonl) in {clean(folder, 200)}.")
    if len(damaged) == len(found):
        raise none_left([*damaged.values()])
    jobs = _jobs(folder, found, view, site)
    return _Run(folder, site, index, jobs, damaged, title).build(follow)


def _jobs(folder: Path, found: Mapping[str, LogSummary], view: str, site: Path) -> dict[str, MatchJob]:
    """The jobs by the logs' names: neither damaged logs nor copies."""
    copied = copies(found)
    shown = {name: log for name, log in found.items() if log.state is not LogState.DAMAGED and name not in copied}
    named = zip(shown, with_distinct_names([*shown.values()]), strict=True)
    return {name: MatchJob.of(folder, name, log, view, site) for name, log in named}


class _Run:
    """One run over a folder."""

    def __init__(
        self,
        folder: Path,
        site: Path,
        index: SiteIndex,
        jobs: Mapping[str, MatchJob],
        unusable: dict[str, Unusable],
        title: str,
    ) -> None:
        self._folder, self._site, self._index, self._title = folder, site, index, title
        self._jobs, self._unusable = jobs, unusable
        self._stamps = {name: job.stamp for name, job in jobs.items()}
        known = {name: job.page for name, job in jobs.items() if index.matches.get(name) == self._stamps[name]}
        self._entries = {name: entry for name, page in known.items() if (entry := index.entry(site, page)) is not None}
        """The matches whose pages are up to date."""

    def build(self, follow: FollowMatches) -> Built:
        """Write the pages of the matches, then those that are made from all of them, then remove what is gone."""
        new = [job for name, job in self._jobs.items() if name not in self._entries]
        kept = len(self._entries)
        self._claim([name for job in self._jobs.values() for name in (*_files(job.page), picture_name(job.page))])
        try:
            self._write_matches(new, follow)
        finally:
            self._index.write(self._site)
        if not self._entries:
            raise none_left(self._left_out())
        removed = self._finish()
        return Built(self._site / "index.html", len(self._entries) - kept, kept, removed, self._left_out())

    def _claim(self, files: Iterable[str]) -> None:
        """Enter files into the index before any of them is written: an interrupted run leaves none that is not in it."""
        wanted = {*files}
        check_free(self._site, wanted, self._index.files)
        self._index.files = dict.fromkeys(wanted, "") | self._index.files
        self._index.write(self._site)

    def _write_matches(self, jobs: list[MatchJob], follow: FollowMatches) -> None:
        with closing(in_order(write_match, jobs)) as working:
            for name, files, unusable in follow(working, len(jobs)):
                if unusable is not None:
                    self._unusable[name] = unusable
                    continue
                self._index.matches[name] = self._stamps[name]
                self._index.files |= files
                entry = self._index.entry(self._site, self._jobs[name].page)
                assert entry is not None
                self._entries[name] = entry

    def _finish(self) -> int:
        """Write the pages that are made from all matches, unless they are up to date. The number of files removed."""
        entries = [self._entries[name] for name in self._jobs if name in self._entries]
        players = sorted({seat["player"] for entry in entries for seat in entry["seats"]})
        notes = [clean(one.place, 700) for one in self._left_out()]
        facts = SiteFacts(self._folder, entries, {name: page_name("players", name) for name in players}, notes, self._title)
        pages = [*(entry["page"] for entry in entries), *facts.players.values(), *SITE_PAGES]
        wanted = {file for page in pages for file in _files(page)} | {entry["picture"] for entry in entries}
        self._claim(wanted)
        whole = digest_of(canonical([package_version(), facts.title, entries, facts.left_out]))
        if whole != self._index.whole or not self._index.has(self._site, wanted):
            self._index.files |= {name: write_page(self._site / name, text) for name, text in site_pages(facts)}
        gone = self._index.files.keys() - wanted
        remove(self._site, gone)
        self._index.files, self._index.whole = {name: self._index.files[name] for name in wanted}, whole
        self._index.matches = {name: self._index.matches[name] for name in self._entries}
        self._index.write(self._site)
        return len(gone)

    def _left_out(self) -> list[Unusable]:
        return [self._unusable[name] for name in sorted(self._unusable)]


def _files(page: str) -> tuple[str, str]:
    return page, json_name(page)
