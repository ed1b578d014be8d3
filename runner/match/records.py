"""Match records: what the loop emits, field for field as in the log. docs/log.schema.json is generated from these types."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

from games.core import Answer, View
from runner.agents.protocol import LONGEST_LINE
from runner.match.header import BudgetRecord, HeaderRecord, SeatRecord, SharedSettings
from runner.prompting.pack import PromptsRecord
from runner.record_fields import (
    Amount,
    Count,
    Digest,
    FreeObject,
    FreeValue,
    Integer,
    Keywords,
    Players,
    Positive,
    Time,
)


class SharedRecord(TypedDict, closed=True):
    """A value that is written once because it is long or repeats. Everywhere else `{"$": name}` stands for it."""

    kind: Literal["shared"]
    name: Digest
    """the digest of the value as canonical JSON"""
    value: Annotated[object, FreeValue()]
    """the value"""


class QuestionRecord(TypedDict, closed=True):
    """A seat is asked for a decision."""

    kind: Literal["question"]
    question: Count
    """its number in the match, from 0 without gaps"""
    seat: Count
    """who is asked"""
    phase: Integer
    """the id of the phase"""
    round: Integer
    """the round, from 1"""
    role: str
    """the prompt template that asks it"""
    text: NotRequired[str]
    """the question in words; missing for a built-in bot, which is sent no words"""
    schema: NotRequired[Annotated[dict[str, object], FreeObject()]]
    """the JSON Schema of an answer, or a reference; missing for a built-in bot"""
    view: Annotated[View, FreeObject()]
    """all that the seat may know; long values are references. A built-in bot's has the field `digest` alone: the rules give \
the view again, and this is the digest of its canonical JSON"""
    strikes: NotRequired[Positive]
    """how many invalid answers strike the seat out here, if not as many as the option `strikes` says: 1 for a hopeless seat"""


class UsageRecord(TypedDict, total=False):
    """The tokens of a reply."""

    prompt_tokens: Count
    """tokens sent"""
    completion_tokens: Count
    """tokens received"""
    reasoning_tokens: Count
    """of these, tokens of reasoning"""
    cached_tokens: Count
    """of the tokens sent, those from a cache"""
    cache_write_tokens: Count
    """of the tokens sent, those written to a cache"""
    estimated: bool
    """whether they are estimated"""
    source: str
    """which count `completion_tokens` is if the reply does not name it so: `reasoning` beside it, or the `total` less the \
prompt; why counts are estimated: `missing`, `implausible`"""


class ReplyRecord(TypedDict, total=False):
    """What was delivered, as received."""

    text: str
    """the reply's text"""
    reasoning: str | None
    """the model's reasoning, if the endpoint sends it"""
    id: str | None
    """the endpoint's id of the reply"""
    model: str | None
    """the model that answered, as it calls itself"""
    provider: str | None
    """who served it"""
    finish_reason: str | None
    """why it ended"""
    usage: UsageRecord | None
    """the tokens it took"""
    cost: Amount | None
    """USD, as the endpoint reports it, else by the model's prices; null when unknown"""
    cost_source: str
    """where the cost is from if not from the reply's `cost`: `prices`, `ticks` (xAI), `header` (LiteLLM)"""
    latency: Amount
    """seconds"""
    raw: str | None
    """the body as received, at most its first 65,536 characters"""
    raw_length: Count
    """characters of the body, where `raw` is cut"""
    generation: str | None
    """the endpoint's name for the call"""


class MessageRecord(TypedDict):
    """A message of a request."""

    role: str
    """system, user or assistant"""
    content: str | list[object]
    """its text, or its paragraphs"""


class RequestRecord(TypedDict):
    """The body of a request: its messages, and the parameters of the model."""

    messages: list[MessageRecord]
    """the messages, in their order"""
    max_tokens: NotRequired[Positive | None]
    """the maximum tokens of the reply, by its older name"""
    max_completion_tokens: NotRequired[Positive | None]
    """the maximum tokens of the reply"""


_Try = TypedDict(
    "_Try", {"try": NotRequired[Annotated[Positive, Keywords(description="the number of the request within the call, from 1")]]}
)


class StatedRecord(TypedDict, closed=True):
    """A proposition that a model was asked about."""

    text: str
    """the proposition, in words"""
    chance: Annotated[float, Keywords(minimum=0, maximum=1)] | None
    """the probability that it stated; null where it stated none"""


class AnswerChance(TypedDict, closed=True):
    """A legal answer and its probability."""

    answer: Answer
    """the answer data"""
    chance: Annotated[float, Keywords(minimum=0, maximum=1)] | None
    """its probability among the answers that were listed; null where the endpoint did not list it"""


class PolicyRecord(TypedDict, closed=True):
    """The policy of a model at a question, from the log-probabilities of labels that stand for the legal answers."""

    answers: list[AnswerChance]
    """the legal answers, in the order of their labels"""
    mass: Annotated[float, Keywords(minimum=0, maximum=1)]
    """the probability of all listed labels together; the rest is that of other tokens"""
    unlisted: Annotated[float, Keywords(minimum=0, maximum=1)]
    """the probability of all tokens that the endpoint did not list"""
    draw: NotRequired[Annotated[float, Keywords(minimum=0, maximum=1)]]
    """the number from the match's seed by which the answer was drawn from the policy, where it was"""


class AttemptRecord(_Try, closed=True):
    """One attempt to get an answer: what was sent, what came back, what was wrong with it."""

    kind: Literal["attempt"]
    question: Count
    """the question it belongs to"""
    seat: Count
    """who was asked"""
    outcome: Literal["answer", "mistake", "infrastructure", "configuration", "policy"]
    """a valid answer; a complete answer that is unreadable or illegal; no complete answer; refused by the endpoint; a request \
for the policy before the answer"""
    strike: NotRequired[Count]
    """how many answers to this question were invalid before"""
    strikes: NotRequired[Positive]
    """how many invalid answers strike the seat out here, if not as many as the option `strikes` says: 1 for a hopeless seat"""
    what: NotRequired[str]
    """the kind of mistake or failure"""
    why: NotRequired[str]
    """what was wrong, in words"""
    answer: NotRequired[object]
    """the answer data that was read, without `reason`, `say` and `notes`; null where none was"""
    read_as: NotRequired[Answer]
    """the legal answer it was read as, if it was not written exactly so: other spelling, extra or missing fields, a wrapping \
object"""
    request: NotRequired[RequestRecord | None]
    """the exact body sent; a message's `content` is its text, or its paragraphs, each a text or a reference, joined by blank \
lines; a message with `cache_control` is sent as one text part that carries it"""
    form: NotRequired[str]
    """the form of answer that was asked for"""
    left_out: NotRequired[list[str]]
    """the parameters that were not sent because the endpoint does not accept them"""
    learnt: NotRequired[Annotated[dict[str, object], FreeObject()]]
    """what the endpoint was known to take when the request was sent, from its list and its refusals; `at` is its address"""
    reply: NotRequired[ReplyRecord | None]
    """what was delivered, as received"""
    latency: NotRequired[Amount]
    """seconds the attempt took"""
    at: NotRequired[Time]
    """when it ended, UTC, to the millisecond"""
    charged: NotRequired[Amount | None]
    """USD the budget was charged; null when unknown"""
    charged_tokens: NotRequired[Count]
    """tokens the budget was charged"""
    order: NotRequired[dict[str, list[object]]]
    """the order in which the values of each field were shown, where it was drawn"""
    repaired: NotRequired[bool]
    """whether the answer had to be repaired to be read"""
    reason: NotRequired[str]
    """the reason that the model wrote before its answer, whole; present if it was asked for one, empty if it gave none"""
    belief: NotRequired[list[StatedRecord]]
    """what the model stated of each proposition before its answer; present if it was asked for that"""
    policy: NotRequired[PolicyRecord]
    """the probability of each legal answer; with the outcome `answer` the answer was drawn from it"""
    say: NotRequired[str]
    """what the seat says to the table with this answer; public once the answer is applied, as a record of kind `talk`"""
    notes: NotRequired[str]
    """the private notes of a seat that keeps notes, after this answer"""
    memory_tokens: NotRequired[Count]
    """the limit of the conversation in tokens, after it was cut because the prompt was too long"""
    elided: NotRequired[bool]
    """true if the conversation and the texts of other players were left out, because a filter refused the prompt"""
    chosen: NotRequired[bool]
    """true for the action a fork was given"""


class DecisionRecord(TypedDict, closed=True):
    """What a seat decided."""

    kind: Literal["decision"]
    seat: Count
    """who decided"""
    how: Literal["answer", "forced", "strike_out"]
    """answered; only one answer was legal; struck out after too many invalid answers"""
    action: Answer | None
    """the answer data; null for a strike-out"""
    digest: Digest
    """the digest of the state it led to"""
    at: NotRequired[Time]
    """when it was applied, UTC, to the millisecond"""


class MootRecord(TypedDict, closed=True):
    """An answer that came too late: another seat's decision had already changed the state."""

    kind: Literal["moot"]
    seat: Count
    """who answered"""
    action: Answer | None
    """the answer data; null for a strike-out that did not take place"""


class TalkRecord(TypedDict, closed=True):
    """Table talk: a seat's line became public, because the answer it came with was applied and nobody is still deciding."""

    kind: Literal["talk"]
    seat: Count
    """who said it"""
    question: Count
    """the question that the seat answered with it"""
    text: Annotated[str, Keywords(minLength=1, maxLength=LONGEST_LINE)]
    """the line"""


_From = TypedDict("_From", {"from": NotRequired[Annotated[Integer | None, Keywords(description="the phase before")]]})


class PhaseRecord(_From):
    """The match entered a phase."""

    kind: Literal["phase"]
    to: Integer
    """the phase's id"""
    name: str
    """its name"""


class PenaltyRecord(TypedDict):
    """A seat was struck out. The game adds fields with the consequence."""

    kind: Literal["penalty"]
    seat: Count
    """who"""


class PauseRecord(TypedDict, closed=True):
    """The match stopped here and can be resumed."""

    kind: Literal["pause"]
    why: str
    """why, in words"""
    at: Time
    """when"""
    failed: NotRequired[bool]
    """whether a bug of a bot, a game or tabletop stopped it"""
    traceback: NotRequired[str]
    """the end of the bug's traceback"""


class UnloggedRecord(TypedDict, closed=True):
    """What a session that was killed had set aside for calls in flight. It counts as spent."""

    usd: Annotated[float, Keywords(minimum=0)]
    """USD"""
    tokens: Count
    """tokens"""


class ResumedRecord(TypedDict, closed=True):
    """The match was resumed here."""

    kind: Literal["resumed"]
    at: Time
    """when"""
    package: str
    """the version of tabletop that resumed it"""
    seats: NotRequired[list[SeatRecord]]
    """the seats from here on, if they changed"""
    prompts: NotRequired[PromptsRecord]
    """the prompt pack from here on, if it changed"""
    budget: NotRequired[Annotated[BudgetRecord, Keywords(minProperties=1)]]
    """the budget of the whole match from here on, if it changed"""
    hopeless: NotRequired[Count]
    """the number of strike-outs in a row from here on, if it changed"""
    shared: NotRequired[SharedSettings]
    """the settings of all models from here on, if they changed"""
    talk: NotRequired[bool]
    """whether every answer may bring a line of table talk from here on, if it changed"""
    skin: NotRequired[str | None]
    """the name or the seed of the words that models read from here on, if it changed; null for the game's own"""
    skin_words: NotRequired[dict[str, str]]
    """each word of the game that models do not read, and the one in its place, if they changed"""
    unlogged: NotRequired[UnloggedRecord]
    """what the session before had set aside for calls in flight when it was killed"""


class EarlierPlayer(TypedDict, closed=True):
    """A player who had a seat before a fork or a resumption gave it to another, with the counts of its attempts."""

    spec: str
    """the player's SPEC"""
    name: str
    """the displayed name"""
    mistakes: Count
    """invalid answers"""
    failures: Count
    """attempts without a complete answer"""
    prompt_tokens: Count
    """tokens sent"""
    completion_tokens: Count
    """tokens received"""
    cost: Annotated[float, Keywords(minimum=0)]
    """USD, by the replies' own figures"""


class SeatResult(TypedDict, closed=True):
    """A seat in the result of a match. Decisions and penalties are counted for the seat, attempts for its last player alone."""

    seat: Count
    """the seat, from 0"""
    spec: str
    """the player's SPEC"""
    name: str
    """the displayed name"""
    kind: str
    """as in the header"""
    decisions: Count
    """decisions made, forced ones included"""
    forced: Count
    """of these, with a single legal answer"""
    mistakes: Count
    """invalid answers"""
    penalties: Count
    """strike-outs"""
    failures: Count
    """attempts without a complete answer"""
    prompt_tokens: Count
    """tokens sent"""
    completion_tokens: Count
    """tokens received"""
    cost: Amount
    """USD, by the replies' own figures"""
    measures: NotRequired[dict[str, Annotated[list[Count], Keywords(minItems=2, maxItems=2)]]]
    """by measure of the game: how often, out of how many chances"""
    earlier: NotRequired[Annotated[list[EarlierPlayer], Keywords(minItems=1)]]
    """the earlier players of the seat, if there were any"""


class ResultRecord(TypedDict, closed=True):
    """The end of the match."""

    kind: Literal["result"]
    game: str
    """as in the header"""
    rules: str
    """as in the header"""
    rules_version: str
    """as in the header"""
    seed: int
    """as in the header"""
    players: Players
    """as in the header"""
    rounds: Count
    """rounds played"""
    scores: list[Integer]
    """by seat"""
    winners: list[Count]
    """every seat that shares the win"""
    ending: list[str]
    """every reason for the end"""
    seats: list[SeatResult]
    """who played, with counts over the whole match"""


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
