"""Match files: the page and the JSON document of each match, made by several processes; and the files of a site, which are
written whole or not at all, and never over those of somebody else."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, TypeAdapter

from games.core import seat_name
from games.core.sentence import labelled
from games.highlights import Highlight, remarked
from games.scenes import Heading
from runner.digest import canonical, digest_of
from runner.errors import TabletopError, UsageError, unwritable
from runner.export.match_pictures import preview_ending, preview_file
from runner.export.page.match_page import match_page
from runner.export.side_by_side import answer_words, deal_of
from runner.files import read_regular, read_regular_text, write_whole
from runner.film.perspective import EVERYTHING, PUBLIC, Perspective
from runner.match.header import HeaderRecord, package_version
from runner.record.decisions import LoggedDecision, decisions, highlights_in
from runner.record.log_folder import UNUSABLE, Unusable
from runner.record.log_summary import LogState, LogSummary
from runner.record.notes import notes_path
from runner.record.reader import Log, open_log, read_sound_part
from runner.review.kept_reviews import review_path
from runner.screen.result import verdict
from runner.screen.safe_text import clean
from runner.screen.seat_labels import labels_of
from runner.screen.seen_review import SeenReview, kept_seen_review

SiteDocument = dict[str, Any]
"""A JSON document beside a page, or a part of one."""

INDEX = ".tabletop-gallery.json"
FOLDERS = ("matches", "players", "deals")
_LONGEST_SLUG = 60
_OWN = re.compile(r"(?:index|standings|deals|(?:matches|players|deals)/[a-z0-9-]+)\.(?:html|json|preview\.(?:svg|png))")


def page_name(folder: str, name: str) -> str:
    """The page of a match or a player: readable, safe in an address, and always the same for the same name."""
    slug = re.sub("[^a-z0-9]+", "-", name.lower())[-_LONGEST_SLUG:].strip("-")
    return f"{folder}/{slug}-{sha256(os.fsencode(name)).hexdigest()[:32]}.html"


def json_name(page: str) -> str:
    """The JSON document beside a page."""
    return page.removesuffix(".html") + ".json"


def picture_name(page: str) -> str:
    """The preview beside the page of a match."""
    return page.removesuffix(".html") + preview_ending()


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


def write_page(path: Path, text: str | bytes, *, is_synced: bool = False) -> str:
    """Write a file, whole or not at all, unless it has this text. Its digest. PausedError on a full disk, else UsageError."""
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
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

_VERSION = 3
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


_DIGITS = 4
_LINKS = (("All matches", "../index.html"), ("Standings", "../standings.html"))


class MatchJob(NamedTuple):
    """The work on one match: its log, called `name`, and the folder of the site. `stamp` changes when the page does."""

    log: Path
    name: str
    summary: LogSummary
    view: str
    site: Path
    stamp: str

    @classmethod
    def of(cls, folder: Path, name: str, summary: LogSummary, view: str, site: Path) -> MatchJob:
        """The job for a log. A match that has not ended is shown in the public view: the others' cards may still be played."""
        log, view = folder / name, view if summary.state is LogState.FINISHED else PUBLIC
        return cls(log, name, summary, view, site, _stamp(log, summary, view))

    @property
    def page(self) -> str:
        """The page's name in the site."""
        return page_name("matches", self.name.removesuffix(".jsonl"))


def _stamp(log: Path, summary: LogSummary, view: str) -> str:
    """What changes when the page does: the digests of the log, and of its review and notes if there are any."""
    digest = summary.digest
    if not digest:  # a match that has not ended
        with open_log(log) as file:
            digest = f"{summary.state} {digest_of(file.read())}"
    kept = (path for path in (review_path(log), notes_path(log)) if path.is_file())
    content = [digest, *(f"{path.name} {digest_of(path.read_bytes())}" for path in kept)]
    return digest_of(canonical([package_version(), view, content, [seat.name for seat in summary.seats]]))


class WrittenMatch(NamedTuple):
    """A match whose files are written, with the digest of each; or the reason why it has none."""

    name: str
    files: Mapping[str, str]
    unusable: Unusable | None = None


def write_match(job: MatchJob) -> WrittenMatch:
    """Write the files of a match. A log that does not replay has none."""
    try:
        texts = _texts(job)
    except UNUSABLE as error:
        return WrittenMatch(job.name, {}, Unusable.of(job.name, error))
    files = zip(files_of_match(job.page), texts, strict=True)
    return WrittenMatch(job.name, {name: write_page(job.site / name, text) for name, text in files})


def _texts(job: MatchJob) -> tuple[str, str, str | bytes]:
    """The page of a match, its JSON document and its preview. The log is replayed once for all; one whose last line is being
    written, or was cut short, is read up to there."""
    log = read_sound_part(job.log)
    if log.is_torn:
        log.damage = None
    review, replayed = kept_seen_review(log), list(decisions(log))
    picture, seen = Path(picture_name(job.page)).name, Perspective.of(job.view, log.header["players"])
    has_thoughts = job.view == EVERYTHING
    page = match_page(log, job.view, review, replayed=replayed, has_thoughts=has_thoughts, links=_LINKS, picture=picture)
    return page, dumped(_entry(job, log, replayed, review)), preview_file(log.header, replayed, seen)[1]


def _entry(job: MatchJob, log: Log, replayed: Sequence[LoggedDecision], review: SeenReview | None) -> SiteDocument:
    """What the gallery knows of a match: the JSON beside its page. `state` is finished, resumable, running or failed; `view` is
    whose knowledge the page shows. `seed` and `deal` are None before the end and in the public view, and `line`, its decisions
    as seat, phase and answer, is empty then. `highlights` counts by kind."""
    game, found = replayed[0].state.game, job.summary
    seen, labels = Perspective.of(job.view, log.header["players"]), labels_of(log.latest_header["seats"])
    highlights = (one for decision in replayed for one in highlights_in(decision, seen.sees_all))
    moments = [_moment(one, labels, game.highlight_kinds) for one in highlights]
    grades = [grade for decision in replayed for grade in _grades(decision, review, seen)] if review else []
    is_open = found.state is LogState.FINISHED and job.view == EVERYTHING
    unfinished = f"Failed: {clean(found.why, 300)}" if found.state is LogState.FAILED else "Not finished."
    return {
        "log": clean(job.name),
        "digest": found.digest,
        "page": job.page,
        "picture": picture_name(job.page),
        "game": found.game,
        "title": game.title,
        "created": clean(found.created, 40),
        "state": found.state.value,
        "view": job.view,
        "seed": found.seed if is_open else None,
        "deal": digest_of(canonical(deal_of(log.header))) if is_open else None,
        "line": [*map(_told, replayed[1:])] if is_open else [],
        "result": verdict(log.result) if log.result else unfinished,
        "decisions": found.decisions,
        "cost": found.cost,
        "tokens": found.tokens,
        "seats": list(_seats(found, log.latest_header)),
        "highlights": dict(sorted(Counter(one["kind"] for one in moments).items())),
        "moments": moments,
        "is_reviewed": bool(grades),
        "grades": grades,
    }


def _told(one: LoggedDecision) -> tuple[str, str, str]:
    return seat_name(one.seat or 0), Heading.of(one.before).phase, clean(answer_words(one), 300)


def _seats(found: LogSummary, header: HeaderRecord) -> Iterator[SiteDocument]:
    """The seats; `score` is None before the end. Names are the summary's, in which standings tell apart players of one name."""
    for number, seat in enumerate(found.seats):
        yield {
            "seat": number,
            "player": clean(seat.name, 200),
            "spec": clean(header["seats"][number]["spec"], 200),
            "score": found.scores[number] if found.scores else None,
            "is_winner": number in found.winners,
            "answers": seat.answers,
            "mistakes": sum(seat.mistakes.values()),
            "penalties": seat.penalties,
            "failures": seat.failures,
            "cost": seat.cost,
            "tokens": seat.prompt_tokens + seat.completion_tokens,
        }


def _moment(found: Highlight, labels: Sequence[str], kinds: Mapping[str, str]) -> SiteDocument:
    """A highlight. `words` name its kind; `wording` has an ellipsis for each seat; `seat` is whom it is about, if anybody."""
    return {
        "decision": found.number,
        "kind": found.kind,
        "words": kinds.get(found.kind, found.kind),
        "text": clean(remarked(labelled(found.event, labels), found.remark.text), 300),
        "wording": clean(remarked(labelled(found.event, ["…"] * len(labels)), found.remark.text), 300),
        "seat": found.remark.seat,
        "weight": found.remark.weight,
    }


def _grades(decision: LoggedDecision, review: SeenReview, seen: Perspective) -> Iterator[SiteDocument]:
    """The decision's grade, if it has one that the perspective may know. `rise` is by how much the seat's win share rose until
    the next decision; None where the review does not say."""
    graded = review.graded(decision.number, decision.before, seen)
    if graded is not None:
        before = review.shares(decision.number - 1, decision.before, seen)
        after = review.shares(decision.number, decision.state, seen)
        yield {
            "decision": graded.number,
            "seat": graded.seat,
            "grade": graded.grade,
            "played": graded.played.names,
            "better": graded.better.names,
            "given_up": graded.given_up,
            "rise": round(after[graded.seat] - before[graded.seat], _DIGITS) if before and after else None,
        }
