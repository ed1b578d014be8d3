"""Match files: the page and the JSON document of each match, made by several processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from games.core.sentence import labelled
from games.highlights import Highlight, remarked
from runner.digest import canonical, digest_of
from runner.export.gallery.site_files import SiteDocument, dumped, files_of_match, page_name, picture_name, write_page
from runner.export.match_pictures import preview
from runner.export.page.match_page import match_page
from runner.film.perspective import EVERYTHING, PUBLIC, Perspective
from runner.match.header import HeaderRecord, package_version
from runner.record.decisions import LoggedDecision, decisions, highlights_in
from runner.record.log_folder import UNUSABLE, Unusable
from runner.record.log_summary import LogState, LogSummary
from runner.record.reader import Log, open_log, read_sound_part
from runner.review.kept_reviews import review_path
from runner.screen.result import verdict
from runner.screen.safe_text import clean
from runner.screen.seat_labels import labels_of
from runner.screen.seen_review import SeenReview, kept_seen_review

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
    """What changes when the page does: the digests of the log and of its review, if there is one."""
    digest, review = summary.digest, review_path(log)
    if not digest:  # a match that has not ended
        with open_log(log) as file:
            digest = f"{summary.state} {digest_of(file.read())}"
    content = [digest, digest_of(review.read_bytes()) if review.is_file() else ""]
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


def _texts(job: MatchJob) -> tuple[str, str, str]:
    """The page of a match, its JSON document and its preview. The log is replayed once for all; one whose last line is being
    written, or was cut short, is read up to there."""
    log = read_sound_part(job.log)
    if log.is_torn:
        log.damage = None
    review, replayed = kept_seen_review(log), list(decisions(log))
    picture, seen = Path(picture_name(job.page)).name, Perspective.of(job.view, log.header["players"])
    has_thoughts = job.view == EVERYTHING
    page = match_page(log, job.view, review, replayed=replayed, has_thoughts=has_thoughts, links=_LINKS, picture=picture)
    return page, dumped(_entry(job, log, replayed, review)), preview(log.header, replayed, seen)


def _entry(job: MatchJob, log: Log, replayed: Sequence[LoggedDecision], review: SeenReview | None) -> SiteDocument:
    """What the gallery knows of a match: the JSON beside its page. `state` is finished, resumable, running or failed; `view` is
    whose knowledge the page shows. `seed` is None before the end and in the public view. `highlights` counts by kind."""
    game, found = replayed[0].state.game, job.summary
    seen, labels = Perspective.of(job.view, log.header["players"]), labels_of(log.latest_header["seats"])
    highlights = (one for decision in replayed for one in highlights_in(decision, seen.sees_all))
    moments = [_moment(one, labels, game.highlight_kinds) for one in highlights]
    grades = [grade for decision in replayed for grade in _grades(decision, review, seen)] if review else []
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
        "seed": found.seed if found.state is LogState.FINISHED and job.view == EVERYTHING else None,
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


def _seats(found: LogSummary, header: HeaderRecord) -> Iterator[SiteDocument]:
    """The seats; `score` is None before the end. Their names are those of the summary, in which standings tell apart players of
    one name."""
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
    """A highlight. `words` name its kind; `wording` is the text with an ellipsis for each seat; `seat` is whom it is about, if
    anybody."""
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
