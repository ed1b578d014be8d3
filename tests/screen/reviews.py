"""Reviews written by hand, so that tests need no search: every answer of a log is graded in turn."""

from __future__ import annotations

import json
from itertools import cycle

from games.search.grading import GradeName
from games.search.playouts import shares_of
from runner.digest import code_of
from runner.match.header import package_version
from runner.record.decisions import decisions
from runner.record.reader import Log
from runner.review.decision_review import DecisionEntry
from runner.review.kept_reviews import review_path
from runner.review.review_document import SEED, NotGraded, ReviewDocument, SeatEntry

GRADES: dict[GradeName, float] = {"best": 0.0, "blunder": 0.4, "good": 0.02, "inaccuracy": 0.06, "mistake": 0.12}


def written_review(log: Log, playouts: int = 400) -> ReviewDocument:
    """A review of a log that fits it. Its shares are made up, and tell decisions apart."""
    made: list[DecisionEntry] = []
    left_out: list[NotGraded] = []
    chances, grades = [], cycle(GRADES.items())
    for decision in decisions(log):
        last = decision.state
        if (record := decision.record) is None:
            continue
        players = log.header["players"]
        chances.append([round((1 + (decision.number + seat) % 3) / (2 * players), 4) for seat in range(players)])
        legal = decision.before.actions_of(record["seat"])
        if record["action"] is None or len(legal) < 2:
            left_out.append({"decision": decision.number, "seat": record["seat"], "why": "the seat was struck out"})
            continue
        grade, given_up = next(grades)
        made.append(
            {
                "decision": decision.number,
                "seat": record["seat"],
                "answer": record["action"],
                "share": 0.25,
                "best": legal[-1].to_json(),
                "best_share": 0.25 + given_up,
                "given_up": given_up,
                "se": 0.01,
                "regret": given_up,
                "regret_se": 0.01,
                "grade": grade,
            }
        )
    result = shares_of(last) if last.has_ended else None
    return {
        "log": log.path.name,
        "game": log.header["game"],
        "playouts": playouts,
        "seed": SEED,
        "digest": log.last,
        "seats": [_seat(log, seat, result and result[seat]) for seat in range(log.header["players"])],
        "decisions": made,
        "chances": chances,
        "not_graded": left_out,
    }


def _seat(log: Log, seat: int, result: float | None) -> SeatEntry:
    return {
        "seat": seat,
        "player": log.latest_header["seats"][seat]["name"],
        "decisions": 5,
        "regret": 0.5,
        "best_share": 2.5,
        "given_up": 0.1,
        "relative": 0.2,
        "interval": [0.05, 0.15],
        "blunders": 1,
        "mistakes": 1,
        "inaccuracies": 1,
        "start": 0.25,
        "result": result,
        "skill": 0.1,
        "luck": -0.2,
    }


def keep(log: Log, document: ReviewDocument, **views: list[list[float]]) -> None:
    """Keep a review beside its log, with the chances of restricted views, such as `public`."""
    kept = {"version": package_version(), "code": code_of(log.header["game"]), "review": document, "views": views}
    review_path(log.path).write_text(json.dumps(kept), encoding="utf-8")
