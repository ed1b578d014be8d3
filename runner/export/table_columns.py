"""Columns of the tables of data: name, type, unit and meaning of each. docs/data.md and docs/log.md list them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Type = Literal["text", "integer", "number", "boolean", "json", "time"]
"""`json` is JSON as text, `time` a time stamp in UTC (ISO 8601 in CSV and SQLite)."""


class Column(NamedTuple):
    """A column. Every column but those of its table's key may be null."""

    name: str
    type: Type
    meaning: str
    unit: str = ""

    @property
    def text(self) -> str:
        """The meaning with the unit."""
        return f"{self.meaning} ({self.unit})" if self.unit else self.meaning


class Table(NamedTuple):
    """A table: its columns, the columns that identify a row, and those worth an index."""

    name: str
    meaning: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    indexes: tuple[tuple[str, ...], ...] = ()


_LOG = (
    Column("log", "text", "path of the log within the folder"),
    Column("game", "text", "name of the game"),
    Column("seed", "integer", "seed of the match; null if it needs more than 64 bits"),
)
_SEAT = (
    Column("seat", "integer", "seat, from 0"),
    Column("player", "text", "name of the player who had the seat then"),
)
_PHASE = (
    Column("phase", "integer", "id of the phase"),
    Column("phase_name", "text", "name of the phase"),
    Column("round", "integer", "round, from 1; null where nobody was asked"),
)
_TOKENS = (
    Column("prompt_tokens", "integer", "tokens sent", "tokens"),
    Column("completion_tokens", "integer", "tokens received, those of reasoning included", "tokens"),
    Column("reasoning_tokens", "integer", "tokens of reasoning among those received", "tokens"),
    Column("cached_tokens", "integer", "tokens from a cache among those sent", "tokens"),
    Column("cost", "number", "cost, by the replies' own figures", "USD"),
)
_COUNTS = (
    Column("attempts", "integer", "number of attempts"),
    Column("mistakes", "integer", "attempts with an invalid answer"),
    Column("failures", "integer", "attempts without an answer"),
    *_TOKENS,
)
_LATENCY = Column("latency", "number", "duration of all attempts", "seconds")
_DECISION_COUNTS = (
    Column("decisions", "integer", "decisions made, forced ones included"),
    Column("forced", "integer", "decisions with only one legal answer"),
    Column("penalties", "integer", "strike-outs"),
)
_DECISION = Column("decision", "integer", "number of the decision, from 1")
_LINE = Column("line", "integer", "line of the log")
_HOW = Column("how", "text", "answer, forced (only one legal answer) or strike_out")
_ACTION = Column("action", "json", "decision as JSON; empty for a strike-out")
_MODEL = Column("model", "text", "model that gave the last reply, as reported by the endpoint")
_PROVIDER = Column("provider", "text", "provider of the last reply")
_DIGEST = Column("digest", "text", "digest of the state after the decision")
_TALK = Column("talk", "text", "what the seat said to the table with it")
_APPLIED = Column("at", "time", "when the decision was applied")
_COPIED = Column("copied", "boolean", "whether a fork copied it from the log of its parent")

_FORK = (
    Column("fork_of", "text", "file of the log that this one is a fork of; null if it is none"),
    Column("fork_at", "integer", "first decision of the fork that differs, from 1"),
    Column("fork_match", "text", "random id of the match that this one is a fork of"),
)

MATCHES = Table(
    "matches",
    "one row for each log",
    (
        *_LOG,
        Column("match", "text", "random id of the match; copies of a log share it"),
        Column("state", "text", "finished, resumable, running or failed"),
        Column("rules", "text", "preset of the rules"),
        Column("rules_version", "text", "version of the rules"),
        Column("players", "integer", "number of seats"),
        Column("options", "json", "every option of the game; values longer than 200 characters as digests"),
        Column("ask", "text", "simultaneous or sequential"),
        Column("ask_forced", "boolean", "whether decisions with one legal answer were asked"),
        Column("talk", "boolean", "whether there was table talk"),
        Column("prompts", "text", "name of the prompt pack"),
        Column("prompts_digest", "text", "digest of the prompt pack: equal prompts have equal digests"),
        Column("templates", "json", "digest of each prompt template"),
        Column("package", "text", "version of tabletop that began the log"),
        Column("created", "time", "when the log was begun"),
        Column("ended", "time", "when the last record with a time was written"),
        Column("rounds", "integer", "rounds played; null before the end"),
        Column("scores", "json", "scores by seat; null before the end"),
        Column("winners", "json", "seats that share the win; null before the end"),
        Column("ending", "text", "why the match ended; null before the end"),
        *_DECISION_COUNTS,
        *_COUNTS,
        _LATENCY,
        Column("charged", "number", "what the budget was charged", "USD"),
        *_FORK,
        Column("playback", "text", "file of the recording whose answers were given"),
        Column("digest", "text", "hash of the last line of a finished log"),
    ),
    ("log",),
    (("game", "seed"), ("created",)),
)

SEATS = Table(
    "seats",
    "one row for each seat of each log, with its last player",
    (
        *_LOG,
        Column("seat", "integer", "seat, from 0"),
        Column("player", "text", "name of the last player of the seat"),
        Column("spec", "text", "SPEC of the player"),
        Column("kind", "text", "bot, offline, model, human or another kind"),
        Column("model", "text", "model that was asked for"),
        Column("base_url", "text", "address of its endpoint"),
        Column("persona", "text", "text about its character in its system message"),
        Column("advice", "text", "its own hints on play in the prompts"),
        Column("rated", "boolean", "whether it played rated"),
        Column("settings", "json", "further settings of the seat"),
        Column("prompts", "text", "name of its prompt pack"),
        Column("prompts_digest", "text", "digest of its prompt pack"),
        Column("score", "integer", "score; null before the end"),
        Column("won", "boolean", "whether the seat shares the win; null before the end"),
        Column("win_share", "number", "1 / winners for a winner, 0 for the others; null before the end"),
        *_DECISION_COUNTS,
        *_COUNTS,
        _LATENCY,
        Column("measures", "json", "measures of the game: how often, out of how many chances; null before the end"),
        *_FORK,
    ),
    ("log", "seat"),
    (("player",), ("model",)),
)

DECISIONS = Table(
    "decisions",
    "one row for each decision",
    (
        *_LOG,
        _DECISION,
        _LINE,
        Column("question", "integer", "number of the question that it answers, from 0; null where nobody was asked"),
        *_SEAT,
        *_PHASE,
        _HOW,
        _ACTION,
        *_COUNTS,
        _LATENCY,
        _MODEL,
        _PROVIDER,
        Column("reason", "text", "reason that the model wrote in its answer"),
        _TALK,
        _APPLIED,
        _DIGEST,
        _COPIED,
    ),
    ("log", "decision"),
    (("player",), ("game", "phase_name")),
)

ATTEMPTS = Table(
    "attempts",
    "one row for each attempt to get an answer",
    (
        *_LOG,
        Column("attempt", "integer", "number of the attempt in the log, from 1"),
        _LINE,
        Column("question", "integer", "number of the question, from 0"),
        Column("decision", "integer", "number of the decision that the question led to; null if none"),
        *_SEAT,
        *_PHASE,
        Column("role", "text", "prompt template of the question; empty for a built-in bot"),
        Column("outcome", "text", "answer, mistake, infrastructure or configuration"),
        Column("what", "text", "kind of the mistake or failure"),
        Column("why", "text", "what was wrong, in words"),
        Column("strike", "integer", "how many answers to the question were invalid before"),
        Column("answer", "json", "answer data that was read"),
        Column("repaired", "boolean", "whether the answer had to be repaired to be read"),
        Column("reason", "text", "reason that the model wrote in its answer"),
        Column("say", "text", "what the seat says to the table with it; `talk` of its decision if it became public"),
        Column("reply", "text", "text of the reply"),
        Column("reasoning", "text", "reasoning that the endpoint sent beside it"),
        Column("requested_model", "text", "model that was asked for"),
        Column("model", "text", "model that answered, as reported by the endpoint"),
        Column("provider", "text", "provider that served it"),
        Column("form", "text", "form of answer that was asked for"),
        Column("finish_reason", "text", "why the reply ended"),
        Column("try", "integer", "number of the request within the call, from 1"),
        Column("prompt_digest", "text", "digest of the messages sent: equal prompts have equal digests"),
        *_TOKENS,
        Column("charged", "number", "what the budget was charged; null when unknown", "USD"),
        Column("charged_tokens", "integer", "tokens the budget was charged", "tokens"),
        Column("latency", "number", "duration of the attempt", "seconds"),
        Column("at", "time", "when the attempt ended"),
        _COPIED,
    ),
    ("log", "attempt"),
    (("log", "decision"), ("player",), ("outcome",)),
)

CLAIMS = Table(
    "claims",
    "one row for each decision that claims a card or may challenge a claim; of games with such claims",
    (
        *_LOG,
        _DECISION,
        *_SEAT,
        Column("claim", "text", "what is claimed, such as Duke"),
        Column("claimant", "integer", "seat that claims it; another one where the decision challenges a claim or lets it pass"),
        Column("is_true", "boolean", "whether the claim is true"),
        Column("chance", "number", "probability that another seat's claim is false, by the cards that the seat knows of"),
        Column("challenged", "boolean", "whether the decision challenges another seat's claim"),
        Column("denied", "boolean", "whether the reason denies what the decision claims; null without a reason"),
        _COPIED,
    ),
    ("log", "decision"),
    (("player",),),
)

TABLES: Mapping[str, Table] = {table.name: table for table in (MATCHES, SEATS, DECISIONS, ATTEMPTS, CLAIMS)}
"""The tables by name."""

LOG_COLUMNS = (
    _DECISION,
    _LINE,
    Column("round", "integer", "round"),
    Column("phase", "integer", "id of the phase"),
    Column("phase_name", "text", "name of the phase"),
    Column("seat", "text", "seat that decided, such as P-0"),
    Column("player", "text", "name of the player"),
    _HOW,
    _ACTION,
    *_COUNTS[:3],
    _MODEL,
    _PROVIDER,
    *_COUNTS[3:],
    _LATENCY,
    Column("scores", "text", "scores after the decision, by seat, separated by spaces"),
    _DIGEST,
    _TALK,
    _APPLIED,
)
"""The columns of the table of one log, for which its match is replayed."""

THOUGHTS = Column("thoughts", "text", "with `--thoughts`: what the seat thought before it, whole")
"""The column of thoughts, which comes last."""
