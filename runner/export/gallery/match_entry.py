"""Match entry: what a gallery knows of one match, from its log, its summary and the review kept beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from runner.export.gallery.gallery_types import GradeData, MatchData, MomentData, SeatFacts
from runner.match.header import HeaderRecord
from runner.record.decisions import LoggedDecision
from runner.record.highlights import Highlight, highlights_in, remarked
from runner.record.log_summary import LogState, LogSummary
from runner.record.reader import Log
from runner.screen.perspective import EVERYTHING, Perspective
from runner.screen.result import verdict
from runner.screen.safe_text import clean
from runner.screen.seat_labels import labelled, labels_of_records
from runner.screen.seen_review import SeenReview

_DIGITS = 4


def match_entry(
    log: Log, replayed: Sequence[LoggedDecision], name: str, page: str, found: LogSummary, view: str, review: SeenReview | None
) -> MatchData:
    """The entry of a log that is called `name`, with its decisions, whose page shows `view`."""
    game = replayed[0].state.game
    seen = Perspective.of(view, log.header["players"])
    moments, grades = list[MomentData](), list[GradeData]()
    labels = labels_of_records(log.latest_header["seats"])
    for decision in replayed:
        moments += (_moment(one, labels, game.highlight_kinds) for one in highlights_in(decision, seen.sees_all))
        grades += _grade(decision, review, seen)
    return {
        "log": clean(name),
        "digest": found.digest,
        "page": page,
        "game": found.game,
        "title": game.title,
        "created": clean(found.created, 40),
        "state": found.state.value,
        "view": view,
        "seed": found.seed if found.state is LogState.FINISHED and view == EVERYTHING else None,
        "result": verdict(log.result) if log.result else _unfinished(found),
        "decisions": found.decisions,
        "cost": found.cost,
        "tokens": found.tokens,
        "seats": list(_seats(found, log.latest_header)),
        "highlights": dict(sorted(Counter(one["kind"] for one in moments).items())),
        "moments": moments,
        "is_reviewed": bool(grades),
        "grades": grades,
    }


def _unfinished(found: LogSummary) -> str:
    return f"Failed: {clean(found.why, 300)}" if found.state is LogState.FAILED else "Not finished."


def _seats(found: LogSummary, header: HeaderRecord) -> Iterator[SeatFacts]:
    """The seats. Their names are those of the summary, in which standings tell apart players of one name."""
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


def _moment(found: Highlight, labels: Sequence[str], kinds: Mapping[str, str]) -> MomentData:
    return {
        "decision": found.number,
        "kind": found.kind,
        "words": kinds.get(found.kind, found.kind),
        "text": clean(remarked(labelled(found.event, labels), found.remark.text), 300),
        "wording": clean(remarked(labelled(found.event, ["…"] * len(labels)), found.remark.text), 300),
        "seat": found.remark.seat,
        "weight": found.remark.weight,
    }


def _grade(decision: LoggedDecision, review: SeenReview | None, seen: Perspective) -> Iterator[GradeData]:
    """The decision's grade, if it has one that the perspective may know."""
    if review is None or decision.seat is None:
        return
    graded = review.graded(decision.number, decision.before, seen)
    if graded is not None:
        yield {
            "decision": graded.number,
            "seat": graded.seat,
            "grade": graded.grade,
            "played": graded.played.names,
            "better": graded.better.names,
            "given_up": graded.given_up,
            "rise": _rise(decision, review, seen),
        }


def _rise(decision: LoggedDecision, review: SeenReview, seen: Perspective) -> float | None:
    """By how much the win share of the seat that decided rose."""
    before = review.shares(decision.number - 1, decision.before, seen)
    after = review.shares(decision.number, decision.state, seen)
    seat = decision.seat
    return None if seat is None or not before or not after else round(after[seat] - before[seat], _DIGITS)
