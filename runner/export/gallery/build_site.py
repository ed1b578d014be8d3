"""Build site: the gallery of a folder of logs; only what is new or changed since the last time is made."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from runner.digest import canonical, digest_of
from runner.export.gallery.match_files import (
    MatchJob,
    SiteDocument,
    SiteIndex,
    WrittenMatch,
    check_site,
    files_of_match,
    json_name,
    page_name,
    write_match,
    write_page,
)
from runner.export.gallery.site_pages import SITE_PAGES, SiteFacts, site_pages
from runner.match.header import package_version
from runner.record.log_folder import Unusable, copies, none_left, summaries
from runner.record.log_paths import logs_in, refuse_missing
from runner.record.log_summary import LogState, LogSummary
from runner.screen.safe_text import clean
from runner.standings.document import with_distinct_names
from runner.worker_processes import in_order

FollowMatches = Callable[[Iterable[WrittenMatch], int], Iterable[WrittenMatch]]
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
    refuse_missing(folder, only_many=True)
    index = SiteIndex.read(site)
    check_site(site, folder, index.files)
    found = summaries(folder)
    damaged = {name: Unusable(name, log.why) for name, log in found.items() if log.state is LogState.DAMAGED}
    if not found:
        logs_in(folder)
    if len(damaged) == len(found):
        raise none_left([*damaged.values()])
    jobs = _jobs(folder, found, view, site)
    index.claim(site, (name for job in jobs.values() for name in files_of_match(job.page)))
    same = {name: job for name, job in jobs.items() if index.matches.get(name) == job.stamp}
    kept = {name: entry for name, job in same.items() if (entry := index.entry(site, job.page)) is not None}
    made, unusable = _written(index, [job for name, job in jobs.items() if name not in kept], follow)
    left_out = [one for _, one in sorted((damaged | unusable).items())]
    entries = {name: (kept | made)[name] for name in jobs if name in kept or name in made}
    if not entries:
        raise none_left(left_out)
    players = sorted({seat["player"] for entry in entries.values() for seat in entry["seats"]})
    pages = {name: page_name("players", name) for name in players}
    facts = SiteFacts(folder, [*entries.values()], pages, [clean(one.place, 700) for one in left_out], title)
    removed = _finish(index, site, facts, entries)
    return Built(site / "index.html", len(made), len(kept), removed, left_out)


def _jobs(folder: Path, found: Mapping[str, LogSummary], view: str, site: Path) -> dict[str, MatchJob]:
    """The jobs by the logs' names: neither damaged logs nor copies."""
    copied = copies(found)
    shown = {name: log for name, log in found.items() if log.state is not LogState.DAMAGED and name not in copied}
    named = zip(shown, with_distinct_names([*shown.values()]), strict=True)
    return {name: MatchJob.of(folder, name, log, view, site) for name, log in named}


def _written(
    index: SiteIndex, jobs: Sequence[MatchJob], follow: FollowMatches
) -> tuple[dict[str, SiteDocument], dict[str, Unusable]]:
    """Write the files of matches. What the gallery then knows of each, and those that have none."""
    by_name, made, unusable = {job.name: job for job in jobs}, dict[str, SiteDocument](), dict[str, Unusable]()
    try:
        with closing(in_order(write_match, jobs)) as working:
            for outcome in follow(working, len(jobs)):
                job = by_name[outcome.name]
                if outcome.unusable is not None:
                    unusable[job.name] = outcome.unusable
                    continue
                index.matches[job.name] = job.stamp
                index.files |= outcome.files
                entry = index.entry(job.site, job.page)
                assert entry is not None
                made[job.name] = entry
    finally:
        if jobs:
            index.write(jobs[0].site)
    return made, unusable


def _finish(index: SiteIndex, site: Path, facts: SiteFacts, matches: Collection[str]) -> int:
    """Write the pages that are made from all matches, unless they are up to date, and remove what is gone. The number of files
    removed."""
    wanted = {name for page in (*facts.players.values(), *SITE_PAGES) for name in (page, json_name(page))}
    wanted |= {name for entry in facts.matches for name in files_of_match(entry["page"])}
    index.claim(site, wanted)
    whole = digest_of(canonical([package_version(), facts.title, facts.matches, facts.left_out]))
    if whole != index.whole or not index.has(site, wanted):
        index.files |= {name: write_page(site / name, text) for name, text in site_pages(facts)}
    index.whole = whole
    return index.keep(site, wanted, matches)
