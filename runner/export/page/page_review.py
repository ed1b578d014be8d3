"""Page review: the win shares and grades of a match as the data of a web page, for one perspective."""

from __future__ import annotations

from runner.record.decisions import LoggedDecision
from runner.review.review_document import SeatEntry
from runner.screen.graded_decision import GradedDecision
from runner.screen.perspective import Perspective
from runner.screen.seen_review import SeenReview
from runner.screen.win_shares import percent

Facts = dict[str, object]
"""JSON-able values by name."""

_UNBROKEN = "\N{NO-BREAK SPACE}"


class PageReview:
    """Collects what one perspective may see of a review, decision by decision from the deal on."""

    def __init__(self, review: SeenReview, perspective: Perspective) -> None:
        self._review = review
        self._perspective = perspective
        self._chances: list[list[float]] = []
        self._grades: dict[int, Facts] = {}

    def add(self, decision: LoggedDecision) -> None:
        """Add a decision, or the deal."""
        if shares := self._review.shares(decision.number, decision.state, self._perspective):
            self._chances.append([round(share, 3) for share in shares])
        graded = self._review.graded(decision.number, decision.before, self._perspective)
        if graded is not None:
            self._grades[decision.number] = _grade(graded)

    def data(self) -> Facts:
        """The data as JSON: the shares after each step, the grades by decision, the seats, and how they were found."""
        document = self._review.document(self._perspective)
        seats = [] if document is None else document["seats"]
        return {
            "chances": self._chances,
            "grades": self._grades,
            "seats": [_seat(seat) for seat in seats if seat["decisions"]],
            "playouts": 0 if document is None else document["playouts"],
        }


def _grade(graded: GradedDecision) -> Facts:
    return {
        "grade": graded.grade,
        "sign": graded.sign,
        "seat": graded.seat,
        "known": graded.known,
        "played": [graded.played.names, graded.played.effects],
        "better": [graded.better.names, graded.better.effects],
        "share": round(graded.share, 3),
        "best": round(graded.best_share, 3),
        "lost": round(graded.given_up, 3),
        "loss": graded.loss.replace(" ", _UNBROKEN),
    }


def _seat(seat: SeatEntry) -> Facts:
    interval = "" if seat["interval"] is None else " to ".join(map(percent, seat["interval"]))
    faults = [seat["blunders"], seat["mistakes"], seat["inaccuracies"]]
    return {"seat": seat["seat"], "facts": [seat["decisions"], percent(seat["given_up"]), interval, *faults]}
