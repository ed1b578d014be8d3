"""Match files: the page and the JSON document of each match, made by several processes."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from runner.digest import canonical, digest_of
from runner.errors import LogDamagedError, UnreadableFileError
from runner.export.gallery.match_entry import match_entry
from runner.export.gallery.site_files import json_name, page_name, write_page
from runner.export.gallery.site_index import dumped
from runner.export.page.match_page import match_page
from runner.match.header import package_version
from runner.record.decisions import decisions
from runner.record.log_paths import modified_of, size_of
from runner.record.log_summary import LogState, LogSummary
from runner.record.reader import Log, read_sound_part
from runner.review.kept_reviews import review_path
from runner.screen.perspective import EVERYTHING, PUBLIC
from runner.screen.seen_review import kept_seen_review

_LINKS = (("All matches", "../index.html"), ("Standings", "../standings.html"))


class MatchJob(NamedTuple):
    """The work on one match: its log, called `name`, and the folder of the site."""

    log: Path
    name: str
    summary: LogSummary
    view: str
    site: Path

    @property
    def page(self) -> str:
        """The page's name in the site."""
        return page_name("matches", self.name.removesuffix(".jsonl"))

    @property
    def stamp(self) -> str:
        """What changes when the page does."""
        players = [seat.name for seat in self.summary.seats]
        return digest_of(canonical([package_version(), self.view, _content(self.log, self.summary), players]))


class MatchOutcome(NamedTuple):
    """A match whose files are written, with the digest of its JSON document; or the reason why it has none."""

    name: str
    digest: str
    damage: str = ""


def match_job(folder: Path, name: str, summary: LogSummary, view: str, site: Path) -> MatchJob:
    """The job for a log. A match that has not ended is shown in the public view: the others' cards may still be played."""
    seen = view if summary.state is LogState.FINISHED else PUBLIC
    return MatchJob(folder / name, name, summary, seen, site)


def _content(log: Path, summary: LogSummary) -> list[str]:
    """What tells the content of a log and of its review: digests where there are any, else size and time."""
    review = review_path(log)
    kept = digest_of(review.read_bytes()) if review.is_file() else ""
    return [summary.digest or f"{summary.state} {size_of(log)} {modified_of(log)}", kept]


def write_match(job: MatchJob) -> MatchOutcome:
    """Write the files of a match. A log that does not replay has none."""
    try:
        page, document = _texts(job)
    except (LogDamagedError, UnreadableFileError) as damage:
        return MatchOutcome(job.name, "", str(damage))
    write_page(job.site / job.page, page)
    write_page(job.site / json_name(job.page), document)
    return MatchOutcome(job.name, digest_of(document))


def _texts(job: MatchJob) -> tuple[str, str]:
    """The page of a match and its JSON document. The log is replayed once for both."""
    log = _read(job.log)
    review, replayed = kept_seen_review(log), list(decisions(log))
    entry = match_entry(log, replayed, job.name, job.page, job.summary, job.view, review)
    page = match_page(log, job.view, review, replayed=replayed, has_thoughts=job.view == EVERYTHING, links=_LINKS)
    return page, dumped(entry)


def _read(path: Path) -> Log:
    """The log. One whose last line is being written, or was cut short, is read up to there."""
    log = read_sound_part(path)
    if log.is_torn:
        log.damage = None
    return log
