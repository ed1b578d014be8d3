"""Match records: what the loop emits, field for field as in the log. docs/log.schema.json is generated from these types.

records.toml says what each field holds.
"""

from typing import Annotated, Literal, NotRequired, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from games.core import Answer, View
from runner.agents.protocol import LONGEST_LINE
from runner.match.header import BudgetRecord, HeaderRecord, SeatRecord, SharedSettings
from runner.prompting.pack import PromptsRecord
from runner.validation import Amount, Count, Digest, FreeObject, FreeValue, Integer, PlayerCount, Positive, Time


class SharedRecord(TypedDict, closed=True):
    """A value that is written once because it is long or repeats. Everywhere else `{"$": name}` stands for it."""

    kind: Literal["shared"]
    name: Digest
    value: Annotated[object, FreeValue()]


class QuestionRecord(TypedDict, closed=True):
    """A seat is asked for a decision."""

    kind: Literal["question"]
    question: Count
    seat: Count
    phase: Integer
    round: Integer
    role: str
    text: NotRequired[str]
    schema: NotRequired[Annotated[dict[str, object], FreeObject()]]
    view: Annotated[View, FreeObject()]
    strikes: NotRequired[Positive]


class UsageRecord(TypedDict, total=False):
    """The tokens of a reply."""

    prompt_tokens: Count
    completion_tokens: Count
    reasoning_tokens: Count
    cached_tokens: Count
    cache_write_tokens: Count
    estimated: bool
    source: str


class ReplyRecord(TypedDict, total=False):
    """What was delivered, as received."""

    text: str
    reasoning: str | None
    id: str | None
    model: str | None
    provider: str | None
    finish_reason: str | None
    usage: UsageRecord | None
    cost: Amount | None
    cost_source: str
    latency: Amount
    raw: str | None
    raw_length: Count
    generation: str | None


class MessageRecord(TypedDict):
    """A message of a request."""

    role: str
    content: str | list[object]


class RequestRecord(TypedDict):
    """The body of a request: its messages, and the parameters of the model."""

    messages: list[MessageRecord]
    max_tokens: NotRequired[Positive | None]
    max_completion_tokens: NotRequired[Positive | None]


_Try = TypedDict("_Try", {"try": NotRequired[Positive]})


Chance: TypeAlias = Annotated[float, Field(ge=0, le=1)]


class StatedRecord(TypedDict, closed=True):
    """A proposition that a model was asked about."""

    text: str
    chance: Chance | None


class AnswerChance(TypedDict, closed=True):
    """A legal answer and its probability."""

    answer: Answer
    chance: Chance | None


class PolicyRecord(TypedDict, closed=True):
    """The policy of a model at a question, from the log-probabilities of labels that stand for the legal answers."""

    answers: list[AnswerChance]
    mass: Chance
    unlisted: Chance
    draw: NotRequired[Chance]


class AttemptRecord(_Try, closed=True):
    """One attempt to get an answer: what was sent, what came back, what was wrong with it."""

    kind: Literal["attempt"]
    question: Count
    seat: Count
    outcome: Literal["answer", "mistake", "infrastructure", "configuration", "policy"]
    strike: NotRequired[Count]
    strikes: NotRequired[Positive]
    what: NotRequired[str]
    why: NotRequired[str]
    answer: NotRequired[object]
    read_as: NotRequired[Answer]
    request: NotRequired[RequestRecord | None]
    form: NotRequired[str]
    left_out: NotRequired[list[str]]
    learnt: NotRequired[Annotated[dict[str, object], FreeObject()]]
    reply: NotRequired[ReplyRecord | None]
    latency: NotRequired[Amount]
    at: NotRequired[Time]
    charged: NotRequired[Amount | None]
    charged_tokens: NotRequired[Count]
    order: NotRequired[dict[str, list[object]]]
    repaired: NotRequired[bool]
    reason: NotRequired[str]
    belief: NotRequired[list[StatedRecord]]
    policy: NotRequired[PolicyRecord]
    say: NotRequired[str]
    notes: NotRequired[str]
    memory_tokens: NotRequired[Count]
    elided: NotRequired[bool]
    chosen: NotRequired[bool]


class DecisionRecord(TypedDict, closed=True):
    """What a seat decided."""

    kind: Literal["decision"]
    seat: Count
    how: Literal["answer", "forced", "strike_out"]
    action: Answer | None
    digest: Digest
    at: NotRequired[Time]


class MootRecord(TypedDict, closed=True):
    """An answer that came too late: another seat's decision had already changed the state."""

    kind: Literal["moot"]
    seat: Count
    action: Answer | None


class TalkRecord(TypedDict, closed=True):
    """Table talk: a seat's line became public, because the answer it came with was applied and nobody is still deciding."""

    kind: Literal["talk"]
    seat: Count
    question: Count
    text: Annotated[str, Field(min_length=1, max_length=LONGEST_LINE)]


_From = TypedDict("_From", {"from": NotRequired[Integer | None]})


class PhaseRecord(_From):
    """The match entered a phase."""

    kind: Literal["phase"]
    to: Integer
    name: str


class PenaltyRecord(TypedDict):
    """A seat was struck out. The game adds fields with the consequence."""

    kind: Literal["penalty"]
    seat: Count


class PauseRecord(TypedDict, closed=True):
    """The match stopped here and can be resumed."""

    kind: Literal["pause"]
    why: str
    at: Time
    failed: NotRequired[bool]
    traceback: NotRequired[str]


class UnloggedRecord(TypedDict, closed=True):
    """What a session that was killed had set aside for calls in flight. It counts as spent."""

    usd: Annotated[float, Field(ge=0)]
    tokens: Count


class ResumedRecord(TypedDict, closed=True):
    """The match was resumed here."""

    kind: Literal["resumed"]
    at: Time
    package: str
    seats: NotRequired[list[SeatRecord]]
    prompts: NotRequired[PromptsRecord]
    budget: NotRequired[Annotated[BudgetRecord, Field(json_schema_extra={"minProperties": 1})]]
    hopeless: NotRequired[Count]
    shared: NotRequired[SharedSettings]
    talk: NotRequired[bool]
    skin: NotRequired[str | None]
    skin_words: NotRequired[dict[str, str]]
    unlogged: NotRequired[UnloggedRecord]


class EarlierPlayer(TypedDict, closed=True):
    """A player who had a seat before a fork or a resumption gave it to another, with the counts of its attempts."""

    spec: str
    name: str
    mistakes: Count
    failures: Count
    prompt_tokens: Count
    completion_tokens: Count
    cost: Annotated[float, Field(ge=0)]


class SeatResult(TypedDict, closed=True):
    """A seat in the result of a match. Decisions and penalties are counted for the seat, attempts for its last player alone."""

    seat: Count
    spec: str
    name: str
    kind: str
    decisions: Count
    forced: Count
    mistakes: Count
    penalties: Count
    failures: Count
    prompt_tokens: Count
    completion_tokens: Count
    cost: Amount
    measures: NotRequired[dict[str, Annotated[list[Count], Field(min_length=2, max_length=2)]]]
    earlier: NotRequired[Annotated[list[EarlierPlayer], Field(min_length=1)]]


class ResultRecord(TypedDict, closed=True):
    """The end of the match."""

    kind: Literal["result"]
    game: str
    rules: str
    rules_version: str
    seed: int
    players: PlayerCount
    rounds: Count
    scores: list[Integer]
    winners: list[Count]
    ending: list[str]
    seats: list[SeatResult]


def win_share(result: ResultRecord, seat: int) -> float:
    """A seat's share of the win, from 0 to 1."""
    return (seat in result["winners"]) / len(result["winners"]) if result["winners"] else 0.0


Record: TypeAlias = (
    HeaderRecord
    | QuestionRecord
    | AttemptRecord
    | DecisionRecord
    | MootRecord
    | TalkRecord
    | PhaseRecord
    | PenaltyRecord
    | PauseRecord
    | ResumedRecord
    | ResultRecord
)
"""A record of a match."""
