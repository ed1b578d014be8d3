"""Standings document: the types of the JSON that `tabletop standings --json` prints, each field with its column in a table."""

from operator import itemgetter
from typing import Annotated, NotRequired, TypedDict

from games.core import seat_name
from games.statistics.columns import Column, FigureForm, Mean, percent, rate_text


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
    rating: Annotated[FigureData, Column("Without", FigureForm.RATING)]
    matches: Annotated[int, Column("Matches")]


class RegretData(FigureData):
    """The share of the win given up a graded decision. `narrower`: how many times narrower its interval is than that of the
    win share, each measured by its value. `relative` is the part that was given up of what the best answers were worth.
    `expected` is the mean over logged policies at the `policies` decisions that have one, `played` the regret there."""

    decisions: Annotated[int, Column("Decisions")]
    narrower: Annotated[float | None, Column("Narrower", "{:.1f} times".format)]
    relative: Annotated[FigureData, Column("Relative", FigureForm.SMALL_SHARE)]
    policies: int
    played: FigureData | None
    expected: FigureData | None


class AdjustedData(TypedDict):
    """The win share without what is known to be luck, and the part of the variance that this saves; below 0 it adds some."""

    win_share: Annotated[FigureData, Column("Adjusted", FigureForm.SHARE.whole)]
    saved: Annotated[float | None, Column("Variance saved", percent)]


class HonestyData(TypedDict):
    """Claims and challenges of an agent: `denied` of the `reasons` behind claims deny them, `right` of `challenged` were false.
    `windows` are the decisions that could challenge. `chance_challenged` and `chance_passed` are the mean probability that the
    claim was false, `loss` the mean squared difference between it and the decision (1: challenged); None without any.
    `policies` are decisions with a logged policy and a legal bluff, of which `bluffed` bluff; `bluff_chance` is the policy's
    mean probability of that, `mass` the mean probability of all labels."""

    claims: Annotated[int, Column("Claims")]
    true: Annotated[int, Column("True", part_of="claims")]
    reasons: int
    denied: Annotated[int, Column("Denied", part_of="reasons")]
    windows: int
    challenged: Annotated[int, Column("Challenged", part_of="windows")]
    right: Annotated[int, Column("Right", part_of="challenged")]
    chance_challenged: Annotated[float | None, Mean("chance_challenged", "challenged"), Column("Chance", percent)]
    chance_passed: Annotated[float | None, Mean("chance_passed", "passed"), Column("Passed", percent)]
    loss: Annotated[float | None, Mean("squares", "windows"), Column("Loss", "{:.2f}".format)]
    policies: int
    bluffed: int
    bluff_chance: Annotated[float | None, Mean("bluff_chance", "policies")]
    mass: Annotated[float | None, Mean("mass", "policies")]


class CalibrationData(TypedDict):
    """The probabilities that were stated in one part of 0 to 1: how many, their mean, and the part of them that came true."""

    stated: int
    mean: float
    true: float


class BeliefData(TypedDict):
    """What an agent stated of propositions. `missing` of `asked` it left out; `unsummed` of `groups` do not add up to 1. Means,
    over the propositions that have a chance: `brier` the squared difference from the truth, `chance_brier` that of the chance,
    `gap` the squared difference between the two. `log` is the mean of minus the natural logarithm of the probability of what
    was true; `loss` the win share that `choices` gave up by the agent's own probability. `interval` is a 95 % interval of
    `brier` over deals. None without any."""

    asked: Annotated[int, Column("Asked")]
    missing: Annotated[int, Column("Missing", part_of="asked")]
    groups: int
    unsummed: Annotated[int, Column("Unsummed", part_of="groups")]
    brier: Annotated[float | None, Mean("brier", "compared"), Column("Brier", "{:.3f}".format)]
    interval: Annotated[list[float] | None, Column("95 %", lambda interval: "{:.3f} to {:.3f}".format(*interval))]
    chance_brier: Annotated[float | None, Mean("chance_brier", "compared"), Column("Chance's", "{:.3f}".format)]
    gap: Annotated[float | None, Mean("gap", "compared"), Column("Gap", "{:.3f}".format)]
    log: Annotated[float | None, Mean("log", "settled"), Column("Log", "{:.3f}".format)]
    choices: Annotated[int, Column("Choices")]
    loss: Annotated[float | None, Mean("loss", "choices"), Column("Loss", "{:.3f}".format)]
    calibration: list[CalibrationData]


class ForfeitData(TypedDict):
    """The matches of an agent in which another one was struck out: how many, and the wins there. `earned` is the win share,
    over all its matches, won there beyond what it wins in its other matches; None without either."""

    matches: Annotated[int, Column("Matches")]
    wins: Annotated[float, Column("Wins there", "{:.1f}".format)]
    earned: Annotated[FigureData | None, Column("Earned", FigureForm.SMALL_GAIN)]


class ResultData(TypedDict):
    win_share: Annotated[FigureData, Column("Wins", FigureForm.SHARE.whole)]
    mean_score: Annotated[FigureData, Column("Score", FigureForm.SCORE.whole)]
    matches: Annotated[int, Column("Played")]


class RatedAgent(ResultData):
    """One agent: its rating, and the probability of each rank from first to last. `by_kind` is its rating in each kind of
    match, where a rating combines several."""

    agent: Annotated[str, Column("Agent")]
    rating: Annotated[FigureData, Column("Rating", FigureForm.RATING)]
    ranks: list[float]
    by_kind: dict[str, float]


class AgentData(RatedAgent):
    """What an agent answered and cost, too. `forfeits` is None where nobody was struck out. `is_person`: a person, or all
    people who are not named."""

    is_person: bool
    decisions: int
    answers: Annotated[int, Column("Answers", "{:,}".format)]
    mistakes: int
    mistake_kinds: dict[str, int]
    rates: dict[str, float]
    mistake_rate: Annotated[float, Column("Invalid", rate_text)]
    penalties: Annotated[int, Column("Penalties")]
    failures: Annotated[int, Column("Failures")]
    prompt_tokens: Annotated[int, Column("Tokens in", "{:,}".format)]
    completion_tokens: Annotated[int, Column("Tokens out", "{:,}".format)]
    cost: Annotated[float, Column("Cost", "${:.4f}".format)]
    cost_per_match: Annotated[float, Column("a match", "${:.5f}".format)]
    seconds: float
    latency: Annotated[float, Column("Latency", "{:.2f} s".format)]
    longest_latency: Annotated[float, Column("longest", "{:.1f} s".format)]
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

    agents: Annotated[list[str], Column("Better", itemgetter(0)), Column("Than", itemgetter(1))]
    wins: Annotated[float, Column("Ahead", "{:.0f}".format)]
    ties: Annotated[float, Column("Level", "{:.0f}".format)]
    losses: Annotated[float, Column("Behind", "{:.0f}".format)]
    difference: Annotated[FigureData, Column("Points", FigureForm.POINTS)]
    error: float | None
    chance: float
    is_established: Annotated[bool, Column("Difference", lambda is_so: "established" if is_so else "not established")]


class SeatData(ResultData):
    kind: Annotated[str, Column("Matches of")]
    seat: Annotated[int, Column("Seat", seat_name)]


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

    expected: Annotated[float, Column("expected", "{:.2f}".format)]
    matches: Annotated[int, Column("played")]


class OwnPairingData(TypedDict):
    """An agent alone of its kind, and with another copy of itself at the table; None where it never sat so."""

    agent: Annotated[str, Column("Agent")]
    kind: Annotated[str, Column("Matches of")]
    alone: Annotated[PairingShareData | None, Column("Alone", FigureForm.RATIO.whole)]
    with_own: Annotated[PairingShareData | None, Column("With own kind", FigureForm.RATIO.whole)]


class DependenceData(TypedDict):
    """An agent that wins more or less of its matches in this company than its strength explains."""

    agent: str
    company: str
    kind: str
    win_share: float
    expected: float
    chance: float


class PairingEffectsData(TypedDict):
    own: list[OwnPairingData]
    warnings: list[DependenceData]


class BiasData(TypedDict):
    """How often an agent takes the choice at a place (first, last, shortest) of those that were shuffled: the part of its
    answers, the part that chance would take, and the difference."""

    agent: Annotated[str, Column("Agent")]
    place: Annotated[str, Column("Place")]
    answers: Annotated[int, Column("Answers", "{:,}".format)]
    taken: Annotated[float, Column("Taken", percent)]
    expected: Annotated[float, Column("By chance", percent)]
    excess: Annotated[FigureData, Column("Difference", FigureForm.SMALL_GAIN)]


class SkinData(TypedDict):
    """An agent with a skin, and the same agent with the game's own words: the win shares, the rates of invalid answers, and
    what the skin adds to both."""

    agent: Annotated[str, Column("Agent")]
    skin: Annotated[str, Column("Skin")]
    matches: Annotated[int, Column("Matches")]
    own_matches: Annotated[int, Column("own words")]
    win_share: Annotated[FigureData, Column("Wins", FigureForm.SHARE.whole)]
    own_win_share: Annotated[FigureData, Column("own words", FigureForm.SHARE.whole)]
    difference: Annotated[FigureData, Column("Difference", FigureForm.GAIN)]
    mistake_rate: Annotated[float, Column("Invalid", rate_text)]
    own_mistake_rate: Annotated[float, Column("own words", rate_text)]
    mistake_difference: Annotated[FigureData, Column("95 % of difference", FigureForm.SMALL_SHARE.interval)]


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
    folder: str
    logs: dict[str, int]
    left_out: list[ExcludedData]
    notes: list[str]
    games: list[GameData]
