"""Gallery types: the JSON documents beside the pages of matches, from which the other pages are made."""

from __future__ import annotations

from typing_extensions import TypedDict


class SeatFacts(TypedDict):
    """One seat of a match; `score` is None before the end. `player` is the name that standings rate."""

    seat: int
    player: str
    spec: str
    score: int | None
    is_winner: bool
    answers: int
    mistakes: int
    penalties: int
    failures: int
    cost: float
    tokens: int


class MomentData(TypedDict):
    """A highlight: decision `decision` of a match, what happened in words, the seat that it is about, if any.

    `words` name its kind; `wording` is the text with an ellipsis for each seat.
    """

    decision: int
    kind: str
    words: str
    text: str
    wording: str
    seat: int | None
    weight: int


class GradeData(TypedDict):
    """A decision that a review graded: what was played, what is better, the win share given up. `rise` is by how much the
    seat's win share rose until the next decision; None where the review does not say."""

    decision: int
    seat: int
    grade: str
    played: str
    better: str
    given_up: float
    rise: float | None


class MatchData(TypedDict):
    """One match: the JSON beside its page.

    `state` is finished, resumable, running or failed; `view` is whose knowledge the page shows. `seed` is None before the end
    and in the public view. `highlights` counts by kind.
    """

    log: str
    digest: str
    page: str
    picture: str
    game: str
    title: str
    created: str
    state: str
    view: str
    seed: int | None
    result: str
    decisions: int
    cost: float
    tokens: int
    seats: list[SeatFacts]
    highlights: dict[str, int]
    moments: list[MomentData]
    is_reviewed: bool
    grades: list[GradeData]
