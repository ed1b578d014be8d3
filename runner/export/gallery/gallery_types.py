"""Gallery types: the JSON documents beside the pages of a gallery."""

from __future__ import annotations

from typing_extensions import TypedDict

from runner.standings.document_types import AgentData


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


class LinkedMoment(MomentData):
    """A highlight of a match that is named: `page` is the match's page, `players` is who played."""

    page: str
    game: str
    title: str
    created: str
    players: list[str]


class LinkedGrade(GradeData):
    """A graded decision of a match that is named."""

    page: str
    title: str
    log: str


class HabitData(TypedDict):
    """A kind of highlight of one player: how often, and its most frequent wording with the number of times."""

    words: str
    count: int
    most_often: str
    times: int


class TableLink(TypedDict):
    """A table of the standings; `anchor` leads to it on their page."""

    game: str
    players: int | None
    title: str
    anchor: str


class PlayerGame(TableLink):
    """One player in one table of the standings: its entry there, and the matches in which it was struck out."""

    standing: AgentData
    forfeits: int


class PlayerData(TypedDict):
    """One player: the JSON beside its page. `matches` are the pages of its matches."""

    player: str
    specs: list[str]
    page: str
    games: list[PlayerGame]
    habits: list[HabitData]
    moments: list[LinkedMoment]
    is_reviewed: bool
    best: list[LinkedGrade]
    worst: list[LinkedGrade]
    matches: list[str]


class LeaderData(TableLink):
    """The first agents of one table of the standings, the best first."""

    matches: int
    agents: list[AgentData]


class SiteData(TypedDict):
    """The JSON beside the first page."""

    title: str
    leaders: list[LeaderData]
    moments: list[LinkedMoment]
    players: dict[str, str]
    matches: list[MatchData]
    left_out: list[str]
