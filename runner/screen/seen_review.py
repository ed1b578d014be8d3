"""Seen review: the review of a match as perspectives may see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from games.core import State
from games.search.playouts import shares_of
from runner.record.reader import Log
from runner.review.kept_reviews import kept_review, kept_review_from
from runner.review.restricted_review import restricted
from runner.review.review_document import DecisionEntry, ReviewDocument
from runner.screen.graded_decision import SIGNS, GradedDecision, graded_decision
from runner.screen.perspective import EVERYTHING, Perspective


class SeenReview:
    """A review by perspective. `find` gives the document of a perspective: what that one may know and nothing else."""

    def __init__(self, find: Callable[[Perspective], ReviewDocument | None]) -> None:
        self._find = cache(find)
        self._entries = cache(self._by_number)

    def document(self, perspective: Perspective) -> ReviewDocument | None:
        """The review as the perspective may see it; None where there is none."""
        return self._find(perspective)

    def shares(self, number: int, state: State, perspective: Perspective) -> Sequence[float]:
        """Each seat's share of the win in the state after a decision (0: the deal); nothing where it is not known."""
        document = self._find(perspective)
        if document is None or not document["chances"]:
            return ()
        if state.has_ended:
            return shares_of(state)
        return document["chances"][number] if number < len(document["chances"]) else ()

    def chances_up_to(self, number: int, perspective: Perspective) -> Sequence[Sequence[float]]:
        """Each seat's share of the win in the states up to the one after decision `number`; nothing where it is not known."""
        document = self._find(perspective)
        return document["chances"][: number + 1] if document is not None else ()

    def graded(self, number: int, before: State, perspective: Perspective) -> GradedDecision | None:
        """A decision with its grade, from the state before it; None for one without a grade that the perspective may know."""
        entry = self._entries(perspective).get(number)
        return None if entry is None else graded_decision(entry, before)

    def marked(self, perspective: Perspective) -> list[int]:
        """The numbers of the decisions with the sign of a fault, in order."""
        return sorted(number for number, entry in self._entries(perspective).items() if entry["grade"] in SIGNS)

    def _by_number(self, perspective: Perspective) -> dict[int, DecisionEntry]:
        document = self._find(perspective)
        return {} if document is None else {entry["decision"]: entry for entry in document["decisions"]}


def seen_review(log: Log, document: ReviewDocument) -> SeenReview:
    """A review of a log; of a whole one every perspective sees its part, of a restricted one only its own perspective."""

    def find(perspective: Perspective) -> ReviewDocument | None:
        if perspective.name == document.get("view", EVERYTHING):
            return document
        if "view" in document:
            return None
        return kept_review_from(log, perspective.seat) or restricted(document, perspective.seat, [])

    return SeenReview(find)


def kept_seen_review(log: Log) -> SeenReview | None:
    """The review that is kept beside a log; None without one."""
    document = kept_review(log)
    return None if document is None else seen_review(log, document)
