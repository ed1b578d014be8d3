"""Standings document: the types of the JSON that `tabletop standings --json` prints."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict


class FigureData(TypedDict):
    """A value with its 95 % interval; None without one."""

    value: float
    low: float | None
    high: float | None


class MeasureData(TypedDict):
    """A game's measure for one agent: a share of `out_of` chances, or an amount per match."""

    value: float | None
    hits: int
    out_of: int
    is_share: bool


class RatingData(TypedDict):
    """A rating and the number of matches behind it."""

    rating: FigureData
    matches: int


class RegretData(FigureData):
    """The share of the win given up a graded decision. `narrower`: how many times narrower its interval is than that of the
    win share, each measured by its value. `relative` is the part that was given up of what the best answers were worth.
    `expected` is the mean over logged policies at the `policies` decisions that have one, `played` the regret there."""

    decisions: int
    relative: FigureData
    narrower: float | None
    policies: int
    expected: FigureData | None
    played: FigureData | None


class AdjustedData(TypedDict):
    """The win share without what is known to be luck, and the part of the variance that this saves; below 0 it adds some."""

    win_share: FigureData
    saved: float | None


class HonestyData(TypedDict):
    """Claims and challenges of an agent: `denied` of the `reasons` behind claims deny them, `right` of `challenged` were false.
    `windows` are the decisions that could challenge. `chance_challenged` and `chance_passed` are the mean probability that the
    claim was false, `loss` the mean squared difference between it and the decision (1: challenged); None without any.
    `policies` are decisions with a logged policy and a legal bluff, of which `bluffed` bluff; `bluff_chance` is the policy's
    mean probability of that, `mass` the mean probability of all labels."""

    claims: int
    true: int
    reasons: int
    denied: int
    windows: int
    challenged: int
    right: int
    chance_challenged: float | None
    chance_passed: float | None
    loss: float | None
    policies: int
    bluffed: int
    bluff_chance: float | None
    mass: float | None


class CalibrationData(TypedDict):
    """The probabilities that were stated in one part of 0 to 1: how many, their mean, and the part of them that came true."""

    stated: int
    mean: float
    true: float


class BeliefData(TypedDict):
    """What an agent stated of propositions. `missing` of `asked` it left out; `unsummed` of `groups` do not add up to 1. Means:
    `brier` the squared difference from the truth, `chance_brier` that of the chance, `gap` the squared difference between the
    two, `log` minus the natural logarithm of the probability of what was true; `loss` the win share that `choices` gave up by
    the agent's own probability. `interval` is a 95 % interval of `brier` over matches. None without any."""

    asked: int
    missing: int
    groups: int
    unsummed: int
    brier: float | None
    interval: list[float] | None
    log: float | None
    chance_brier: float | None
    gap: float | None
    choices: int
    loss: float | None
    calibration: list[CalibrationData]


class ForfeitData(TypedDict):
    """The matches of an agent in which another one was struck out: how many, and the wins there. `earned` is the win share,
    over all its matches, won there beyond what it wins in its other matches; None without others."""

    matches: int
    wins: float
    earned: FigureData | None


class RatedAgent(TypedDict):
    """One agent: its rating, the probability of each rank from first to last, its wins and scores. `by_kind` is its rating in
    each kind of match, where a rating combines several."""

    agent: str
    rating: FigureData
    ranks: list[float]
    matches: int
    win_share: FigureData
    mean_score: FigureData
    by_kind: dict[str, float]


class AgentData(RatedAgent):
    """What an agent answered and cost, too. `forfeits` is None where nobody was struck out."""

    decisions: int
    answers: int
    penalties: int
    failures: int
    prompt_tokens: int
    completion_tokens: int
    cost: float
    seconds: float
    mistakes: int
    mistake_kinds: dict[str, int]
    rates: dict[str, float]
    mistake_rate: float
    cost_per_match: float
    latency: float
    longest_latency: float
    measures: dict[str, MeasureData]
    without_penalties: RatingData | None
    forfeits: ForfeitData | None
    given_up: NotRequired[RegretData | None]
    adjusted: NotRequired[AdjustedData | None]
    honesty: NotRequired[HonestyData | None]
    beliefs: NotRequired[BeliefData | None]


class MeetingData(TypedDict):
    """Two agents at the same tables; `error` is the standard error of the difference. The intervals of all pairs hold together.
    `chance` is corrected for their number: an interval leaves out zero where it is below 0.05, and the difference is
    established."""

    agents: list[str]
    wins: float
    losses: float
    ties: float
    difference: FigureData
    error: float | None
    chance: float
    is_established: bool


class SeatData(TypedDict):
    """The results of one seat in one kind of match."""

    kind: str
    seat: int
    matches: int
    win_share: FigureData
    mean_score: FigureData


class GapData(TypedDict):
    """An agent at a line-up: its share of the wins there, and what the ratings predict."""

    agent: str
    lineup: list[str]
    observed: float
    expected: float


class FitData(TypedDict):
    """How well ratings predict the win shares of line-ups: how many could be compared, the mean gap, the largest gap for its
    error, and the probability that chance alone brings that one."""

    lineups: int
    mean_gap: float
    worst: GapData
    chance: float
    is_poor: bool


class SpreadData(TypedDict):
    """The kinds of match that a rating combines, and the standard deviation of agents between them, in points; None where there
    are too few deals to tell."""

    kinds: list[str]
    spread: float | None


class PairingShareData(FigureData):
    """The win share of a seat of an agent in some company, in fair shares, and the expected one."""

    matches: int
    expected: float


class OwnPairingData(TypedDict):
    """An agent alone of its kind, and with another copy of itself at the table; None where it never sat so."""

    agent: str
    kind: str
    alone: PairingShareData | None
    with_own: PairingShareData | None


class DependenceData(TypedDict):
    """An agent that wins more or less of its matches in this company than its strength explains."""

    agent: str
    company: str
    kind: str
    win_share: float
    expected: float
    chance: float


class PairingEffectsData(TypedDict):
    """Self-play against cross-play, and warnings that ratings depend on who else plays."""

    own: list[OwnPairingData]
    warnings: list[DependenceData]


class BiasData(TypedDict):
    """How often an agent takes the choice at a place (first, last, shortest) of those that were shuffled: the part of its
    answers, the part that chance would take, and the difference."""

    agent: str
    place: str
    answers: int
    taken: float
    expected: float
    excess: FigureData


class SkinData(TypedDict):
    """An agent with a skin, and the same agent with the game's own words: the win shares, the rates of invalid answers, and
    what the skin adds to both."""

    agent: str
    skin: str
    matches: int
    own_matches: int
    win_share: FigureData
    own_win_share: FigureData
    difference: FigureData
    mistake_rate: float
    own_mistake_rate: float
    mistake_difference: FigureData


class AurocData(TypedDict):
    """The probability that a judge finds a bluff more likely to be one than a true claim; None where it lacks either.
    `claims` have a verdict, `bluffs` of them are bluffs."""

    claims: int
    bluffs: int
    figure: FigureData | None


class SayingData(TypedDict):
    """Bluffs and true claims: of the `claims`, those with `reasons`, of these those that admit a bluff (`admitted`); those that
    were `talked` about, of these those with talk that affirms the claim (`affirmed`). The AUROC is by what the judge read."""

    bluffs: dict[str, int]
    true: dict[str, int]
    auroc: dict[str, AurocData]


class JudgedData(TypedDict):
    """The verdicts of a judge, with the name of its model and its prompt pack. `failed` answers could not be read."""

    judge: str
    model: str
    prompts: str
    deals: int
    verdicts: int
    failed: int
    all: SayingData
    players: dict[str, SayingData]


class GameData(TypedDict):
    """The standings of one game with one number of players, or of a pool (`players` is None, `kinds` says of what). `fit` is
    None where no line-up can be compared with what the ratings predict."""

    game: str
    players: int | None
    matches: int
    deals: int
    matches_with_penalties: int
    agents: list[AgentData]
    meetings: list[MeetingData]
    seats: list[SeatData]
    fit: FitData | None
    kinds: SpreadData | None
    company: PairingEffectsData
    skins: list[SkinData]
    position_bias: list[BiasData]
    judged: NotRequired[list[JudgedData]]
    notes: list[str]


class ExcludedData(TypedDict):
    """A log that does not count, why (copies, twins or forks), the log that it is one of, and where a fork begins to differ."""

    log: str
    why: str
    of: str
    at: int | None


class StandingsData(TypedDict):
    """The standings of a folder; `logs` counts its logs by state."""

    folder: str
    logs: dict[str, int]
    left_out: list[ExcludedData]
    notes: list[str]
    games: list[GameData]
