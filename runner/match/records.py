"""Match records: what the loop emits, field for field as in the log. docs/log.schema.json is generated from these types.

What a field holds is said beside its type, or below it where that takes a line of its own."""

from typing import Annotated, Literal, NotRequired, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from games.core import Answer, View
from runner.agents.protocol import LONGEST_LINE
from runner.match.header import BudgetRecord, HeaderRecord, SeatRecord, SharedSettings
from runner.prompting.pack import PromptsRecord
from runner.validation import (
    Amount,
    Count,
    Digest,
    FreeObject,
    FreeValue,
    Integer,
    PlayerCount,
    Positive,
    Time,
    about,
)


class SharedRecord(TypedDict, closed=True):
    """A value that is written once because it is long or repeats. Everywhere else `{"$": name}` stands for it."""

    kind: Literal["shared"]
    name: Annotated[Digest, about("the digest of the value as canonical JSON")]
    value: Annotated[object, FreeValue(), about("the value")]


class QuestionRecord(TypedDict, closed=True):
    """A seat is asked for a decision."""

    kind: Literal["question"]
    question: Annotated[Count, about("its number in the match, from 0 without gaps")]
    seat: Annotated[Count, about("who is asked")]
    phase: Annotated[Integer, about("the id of the phase")]
    round: Annotated[Integer, about("the round, from 1")]
    role: Annotated[str, about("the prompt template that asks it")]
    text: NotRequired[Annotated[str, about("the question in words; missing for a built-in bot, which is sent no words")]]
    schema: NotRequired[Annotated[dict[str, object], FreeObject()]]
    """the JSON Schema of an answer, or a reference; missing for a built-in bot"""
    view: Annotated[View, FreeObject()]
    """all that the seat may know; long values are references. A built-in bot's has the field `digest` alone: the rules give \
the view again, and this is the digest of its canonical JSON"""
    strikes: NotRequired[Positive]
    """how many invalid answers strike the seat out here, if not as many as the option `strikes` says: 1 for a hopeless seat"""


class UsageRecord(TypedDict, total=False):
    """The tokens of a reply."""

    prompt_tokens: Annotated[Count, about("tokens sent")]
    completion_tokens: Annotated[Count, about("tokens received")]
    reasoning_tokens: Annotated[Count, about("of these, tokens of reasoning")]
    cached_tokens: Annotated[Count, about("of the tokens sent, those from a cache")]
    cache_write_tokens: Annotated[Count, about("of the tokens sent, those written to a cache")]
    estimated: Annotated[bool, about("whether they are estimated")]
    source: str
    """which count `completion_tokens` is if the reply does not name it so: `reasoning` beside it, or the `total` less the \
prompt; why counts are estimated: `missing`, `implausible`"""


class ReplyRecord(TypedDict, total=False):
    """What was delivered, as received."""

    text: Annotated[str, about("the reply's text")]
    reasoning: Annotated[str | None, about("the model's reasoning, if the endpoint sends it")]
    id: Annotated[str | None, about("the endpoint's id of the reply")]
    model: Annotated[str | None, about("the model that answered, as it calls itself")]
    provider: Annotated[str | None, about("who served it")]
    finish_reason: Annotated[str | None, about("why it ended")]
    usage: Annotated[UsageRecord | None, about("the tokens it took")]
    cost: Annotated[Amount | None, about("USD, as the endpoint reports it, else by the model's prices; null when unknown")]
    cost_source: str
    """where the cost is from if not from the reply's `cost`: `prices`, `ticks` (xAI), `header` (LiteLLM)"""
    latency: Annotated[Amount, about("seconds")]
    raw: Annotated[str | None, about("the body as received, at most its first 65,536 characters")]
    raw_length: Annotated[Count, about("characters of the body, where `raw` is cut")]
    generation: Annotated[str | None, about("the endpoint's name for the call")]


class MessageRecord(TypedDict):
    """A message of a request."""

    role: Annotated[str, about("system, user or assistant")]
    content: Annotated[str | list[object], about("its text, or its paragraphs")]


class RequestRecord(TypedDict):
    """The body of a request: its messages, and the parameters of the model."""

    messages: Annotated[list[MessageRecord], about("the messages, in their order")]
    max_tokens: NotRequired[Annotated[Positive | None, about("the maximum tokens of the reply, by its older name")]]
    max_completion_tokens: NotRequired[Annotated[Positive | None, about("the maximum tokens of the reply")]]


_Try = TypedDict("_Try", {"try": NotRequired[Annotated[Positive, about("the number of the request within the call, from 1")]]})


Chance: TypeAlias = Annotated[float, Field(ge=0, le=1)]


class StatedRecord(TypedDict, closed=True):
    """A proposition that a model was asked about."""

    text: Annotated[str, about("the proposition, in words")]
    chance: Annotated[Chance | None, about("the probability that it stated; null where it stated none")]


class AnswerChance(TypedDict, closed=True):
    """A legal answer and its probability."""

    answer: Annotated[Answer, about("the answer data")]
    chance: Chance | None
    """its probability among the answers that were listed; null where the endpoint did not list it"""


class PolicyRecord(TypedDict, closed=True):
    """The policy of a model at a question, from the log-probabilities of labels that stand for the legal answers."""

    answers: Annotated[list[AnswerChance], about("the legal answers, in the order of their labels")]
    mass: Annotated[Chance, about("the probability of all listed labels together; the rest is that of other tokens")]
    unlisted: Annotated[Chance, about("the probability of all tokens that the endpoint did not list")]
    draw: NotRequired[Chance]
    """the number from the match's seed by which the answer was drawn from the policy, where it was"""


class AttemptRecord(_Try, closed=True):
    """One attempt to get an answer: what was sent, what came back, what was wrong with it."""

    kind: Literal["attempt"]
    question: Annotated[Count, about("the question it belongs to")]
    seat: Annotated[Count, about("who was asked")]
    outcome: Literal["answer", "mistake", "infrastructure", "configuration", "policy"]
    """a valid answer; a complete answer that is unreadable or illegal; no complete answer; refused by the endpoint; a request \
for the policy before the answer"""
    strike: NotRequired[Annotated[Count, about("how many answers to this question were invalid before")]]
    strikes: NotRequired[Positive]
    """how many invalid answers strike the seat out here, if not as many as the option `strikes` says: 1 for a hopeless seat"""
    what: NotRequired[Annotated[str, about("the kind of mistake or failure")]]
    why: NotRequired[Annotated[str, about("what was wrong, in words")]]
    answer: NotRequired[object]
    """the answer data that was read, without `reason`, `say` and `notes`; null where none was"""
    read_as: NotRequired[Answer]
    """the legal answer it was read as, if it was not written exactly so: other spelling, extra or missing fields, a wrapping \
object"""
    request: NotRequired[RequestRecord | None]
    """the exact body sent; a message's `content` is its text, or its paragraphs, each a text or a reference, joined by blank \
lines; a message with `cache_control` is sent as one text part that carries it"""
    form: NotRequired[Annotated[str, about("the form of answer that was asked for")]]
    left_out: NotRequired[list[str]]
    """the parameters that were not sent because the endpoint does not accept them"""
    learnt: NotRequired[Annotated[dict[str, object], FreeObject()]]
    """what the endpoint was known to take when the request was sent, from its list and its refusals; `at` is its address"""
    reply: NotRequired[Annotated[ReplyRecord | None, about("what was delivered, as received")]]
    latency: NotRequired[Annotated[Amount, about("seconds the attempt took")]]
    at: NotRequired[Annotated[Time, about("when it ended, UTC, to the millisecond")]]
    charged: NotRequired[Annotated[Amount | None, about("USD the budget was charged; null when unknown")]]
    charged_tokens: NotRequired[Annotated[Count, about("tokens the budget was charged")]]
    order: NotRequired[dict[str, list[object]]]
    """the order in which the values of each field were shown, where it was drawn"""
    repaired: NotRequired[Annotated[bool, about("whether the answer had to be repaired to be read")]]
    reason: NotRequired[str]
    """the reason that the model wrote before its answer, whole; present if it was asked for one, empty if it gave none"""
    belief: NotRequired[list[StatedRecord]]
    """what the model stated of each proposition before its answer; present if it was asked for that"""
    policy: NotRequired[PolicyRecord]
    """the probability of each legal answer; with the outcome `answer` the answer was drawn from it"""
    say: NotRequired[str]
    """what the seat says to the table with this answer; public once the answer is applied, as a record of kind `talk`"""
    notes: NotRequired[Annotated[str, about("the private notes of a seat that keeps notes, after this answer")]]
    memory_tokens: NotRequired[Count]
    """the limit of the conversation in tokens, after it was cut because the prompt was too long"""
    elided: NotRequired[bool]
    """true if the conversation and the texts of other players were left out, because a filter refused the prompt"""
    chosen: NotRequired[Annotated[bool, about("true for the action a fork was given")]]


class DecisionRecord(TypedDict, closed=True):
    """What a seat decided."""

    kind: Literal["decision"]
    seat: Annotated[Count, about("who decided")]
    how: Literal["answer", "forced", "strike_out"]
    """answered; only one answer was legal; struck out after too many invalid answers"""
    action: Annotated[Answer | None, about("the answer data; null for a strike-out")]
    digest: Annotated[Digest, about("the digest of the state it led to")]
    at: NotRequired[Annotated[Time, about("when it was applied, UTC, to the millisecond")]]


class MootRecord(TypedDict, closed=True):
    """An answer that came too late: another seat's decision had already changed the state."""

    kind: Literal["moot"]
    seat: Annotated[Count, about("who answered")]
    action: Annotated[Answer | None, about("the answer data; null for a strike-out that did not take place")]


class TalkRecord(TypedDict, closed=True):
    """Table talk: a seat's line became public, because the answer it came with was applied and nobody is still deciding."""

    kind: Literal["talk"]
    seat: Annotated[Count, about("who said it")]
    question: Annotated[Count, about("the question that the seat answered with it")]
    text: Annotated[str, Field(min_length=1, max_length=LONGEST_LINE), about("the line")]


_From = TypedDict("_From", {"from": NotRequired[Annotated[Integer | None, about("the phase before")]]})


class PhaseRecord(_From):
    """The match entered a phase."""

    kind: Literal["phase"]
    to: Annotated[Integer, about("the phase's id")]
    name: Annotated[str, about("its name")]


class PenaltyRecord(TypedDict):
    """A seat was struck out. The game adds fields with the consequence."""

    kind: Literal["penalty"]
    seat: Annotated[Count, about("who")]


class PauseRecord(TypedDict, closed=True):
    """The match stopped here and can be resumed."""

    kind: Literal["pause"]
    why: Annotated[str, about("why, in words")]
    at: Annotated[Time, about("when")]
    failed: NotRequired[Annotated[bool, about("whether a bug of a bot, a game or tabletop stopped it")]]
    traceback: NotRequired[Annotated[str, about("the end of the bug's traceback")]]


class UnloggedRecord(TypedDict, closed=True):
    """What a session that was killed had set aside for calls in flight. It counts as spent."""

    usd: Annotated[float, Field(ge=0), about("USD")]
    tokens: Annotated[Count, about("tokens")]


class ResumedRecord(TypedDict, closed=True):
    """The match was resumed here."""

    kind: Literal["resumed"]
    at: Annotated[Time, about("when")]
    package: Annotated[str, about("the version of tabletop that resumed it")]
    seats: NotRequired[Annotated[list[SeatRecord], about("the seats from here on, if they changed")]]
    prompts: NotRequired[Annotated[PromptsRecord, about("the prompt pack from here on, if it changed")]]
    budget: NotRequired[Annotated[BudgetRecord, Field(json_schema_extra={"minProperties": 1})]]
    """the budget of the whole match from here on, if it changed"""
    hopeless: NotRequired[Annotated[Count, about("the number of strike-outs in a row from here on, if it changed")]]
    shared: NotRequired[Annotated[SharedSettings, about("the settings of all models from here on, if they changed")]]
    talk: NotRequired[Annotated[bool, about("whether every answer may bring a line of table talk from here on, if it changed")]]
    skin: NotRequired[str | None]
    """the name or the seed of the words that models read from here on, if it changed; null for the game's own"""
    skin_words: NotRequired[dict[str, str]]
    """each word of the game that models do not read, and the one in its place, if they changed"""
    unlogged: NotRequired[UnloggedRecord]
    """what the session before had set aside for calls in flight when it was killed"""


class EarlierPlayer(TypedDict, closed=True):
    """A player who had a seat before a fork or a resumption gave it to another, with the counts of its attempts."""

    spec: Annotated[str, about("the player's SPEC")]
    name: Annotated[str, about("the displayed name")]
    mistakes: Annotated[Count, about("invalid answers")]
    failures: Annotated[Count, about("attempts without a complete answer")]
    prompt_tokens: Annotated[Count, about("tokens sent")]
    completion_tokens: Annotated[Count, about("tokens received")]
    cost: Annotated[float, Field(ge=0), about("USD, by the replies' own figures")]


class SeatResult(TypedDict, closed=True):
    """A seat in the result of a match. Decisions and penalties are counted for the seat, attempts for its last player alone."""

    seat: Annotated[Count, about("the seat, from 0")]
    spec: Annotated[str, about("the player's SPEC")]
    name: Annotated[str, about("the displayed name")]
    kind: Annotated[str, about("as in the header")]
    decisions: Annotated[Count, about("decisions made, forced ones included")]
    forced: Annotated[Count, about("of these, with a single legal answer")]
    mistakes: Annotated[Count, about("invalid answers")]
    penalties: Annotated[Count, about("strike-outs")]
    failures: Annotated[Count, about("attempts without a complete answer")]
    prompt_tokens: Annotated[Count, about("tokens sent")]
    completion_tokens: Annotated[Count, about("tokens received")]
    cost: Annotated[Amount, about("USD, by the replies' own figures")]
    measures: NotRequired[dict[str, Annotated[list[Count], Field(min_length=2, max_length=2)]]]
    """by measure of the game: how often, out of how many chances"""
    earlier: NotRequired[Annotated[list[EarlierPlayer], Field(min_length=1)]]
    """the earlier players of the seat, if there were any"""


class ResultRecord(TypedDict, closed=True):
    """The end of the match."""

    kind: Literal["result"]
    game: Annotated[str, about("as in the header")]
    rules: Annotated[str, about("as in the header")]
    rules_version: Annotated[str, about("as in the header")]
    seed: Annotated[int, about("as in the header")]
    players: Annotated[PlayerCount, about("as in the header")]
    rounds: Annotated[Count, about("rounds played")]
    scores: Annotated[list[Integer], about("by seat")]
    winners: Annotated[list[Count], about("every seat that shares the win")]
    ending: Annotated[list[str], about("every reason for the end")]
    seats: Annotated[list[SeatResult], about("who played, with counts over the whole match")]


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
