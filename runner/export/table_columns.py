"""Columns of the tables of data: name, type, unit and meaning of each. `tabletop export --table NAME` lists them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Type = Literal["text", "integer", "number", "boolean", "json", "time"]
"""`json` is JSON as text, `time` a time stamp in UTC (ISO 8601 in CSV and SQLite)."""


class DataColumn(NamedTuple):
    """A column. Every column but those of its table's key may be null."""

    name: str
    type: Type
    meaning: str
    unit: str = ""

    @property
    def text(self) -> str:
        """The meaning with the unit."""
        return f"{self.meaning} ({self.unit})" if self.unit else self.meaning


class DataTable(NamedTuple):
    """A table: its columns, the columns that identify a row, and those worth an index."""

    name: str
    meaning: str
    columns: tuple[DataColumn, ...]
    key: tuple[str, ...]
    indexes: tuple[tuple[str, ...], ...] = ()


_LOG = (
    DataColumn("log", "text", "path of the log within the folder"),
    DataColumn("game", "text", "name of the game"),
    DataColumn("seed", "integer", "seed of the match; null if it needs more than 64 bits"),
)
_WON = DataColumn("won", "boolean", "whether the seat shares the win of the match; null before the end")
_SEAT = (
    DataColumn("seat", "integer", "seat, from 0"),
    DataColumn("player", "text", "name of the player who had the seat then"),
    _WON,
)
_PHASE = (
    DataColumn("phase", "integer", "id of the phase"),
    DataColumn("phase_name", "text", "name of the phase"),
    DataColumn("round", "integer", "round, from 1; null where nobody was asked"),
)
_TOKENS = (
    DataColumn("prompt_tokens", "integer", "tokens sent", "tokens"),
    DataColumn("completion_tokens", "integer", "tokens received, those of reasoning included", "tokens"),
    DataColumn("reasoning_tokens", "integer", "tokens of reasoning among those received", "tokens"),
    DataColumn("cached_tokens", "integer", "tokens from a cache among those sent", "tokens"),
    DataColumn("cache_write_tokens", "integer", "tokens written to a cache among those sent", "tokens"),
    DataColumn("cost", "number", "cost, by the replies' own figures", "USD"),
)
_COUNTS = (
    DataColumn("attempts", "integer", "number of attempts"),
    DataColumn("mistakes", "integer", "attempts with an invalid answer"),
    DataColumn("failures", "integer", "attempts without an answer"),
    *_TOKENS,
)
_LATENCY = DataColumn("latency", "number", "duration of all attempts", "seconds")
_DECISION_COUNTS = (
    DataColumn("decisions", "integer", "decisions made, forced ones included"),
    DataColumn("forced", "integer", "decisions with only one legal answer"),
    DataColumn("penalties", "integer", "strike-outs"),
)
_DECISION = DataColumn("decision", "integer", "number of the decision, from 1")
_LINE = DataColumn("line", "integer", "line of the log")
_HOW = DataColumn("how", "text", "answer, forced (only one legal answer) or strike_out")
_VIEW = DataColumn("view", "json", "what the seat was shown; null where nobody was asked and for built-in bots")
_ACTION = DataColumn("action", "json", "decision as a JSON object; null for a strike-out")
_MODEL = DataColumn("model", "text", "model that gave the last reply, as reported by the endpoint")
_PROVIDER = DataColumn("provider", "text", "provider of the last reply")
_DIGEST = DataColumn("digest", "text", "digest of the state after the decision")
_TALK = DataColumn("talk", "text", "what the seat said to the table with it")
_APPLIED = DataColumn("at", "time", "when the decision was applied")
_COPIED = DataColumn("copied", "boolean", "whether a fork copied it from the log of its parent")

_FORK = (
    DataColumn("fork_of", "text", "file of the log that this one is a fork of; null if it is none"),
    DataColumn("fork_at", "integer", "first decision of the fork that differs, from 1"),
    DataColumn("fork_match", "text", "random id of the match that this one is a fork of"),
)

MATCHES = DataTable(
    "matches",
    "one row for each log",
    (
        *_LOG,
        DataColumn("match", "text", "random id of the match; copies of a log share it"),
        DataColumn("state", "text", "finished, resumable, running or failed"),
        DataColumn("rules", "text", "preset of the rules"),
        DataColumn("rules_version", "text", "version of the rules"),
        DataColumn("players", "integer", "number of seats"),
        DataColumn("options", "json", "every option of the game; values longer than 200 characters as digests"),
        DataColumn("ask", "text", "simultaneous or sequential"),
        DataColumn("ask_forced", "boolean", "whether decisions with one legal answer were asked"),
        DataColumn("talk", "boolean", "whether there was table talk"),
        DataColumn("skin", "text", "name or seed of the other words that models read; null for the game's own"),
        DataColumn("prompts", "text", "name of the prompt pack"),
        DataColumn("prompts_digest", "text", "digest of the prompt pack: equal prompts have equal digests"),
        DataColumn("templates", "json", "digest of each prompt template"),
        DataColumn("package", "text", "version of tabletop that began the log"),
        DataColumn("created", "time", "when the log was begun"),
        DataColumn("ended", "time", "when the last record with a time was written"),
        DataColumn("rounds", "integer", "rounds played; null before the end"),
        DataColumn("scores", "json", "scores by seat; null before the end"),
        DataColumn("winners", "json", "seats that share the win; null before the end"),
        DataColumn("ending", "text", "why the match ended; null before the end"),
        *_DECISION_COUNTS,
        *_COUNTS,
        _LATENCY,
        DataColumn("charged", "number", "what the budget was charged", "USD"),
        *_FORK,
        DataColumn("playback", "text", "file of the recording whose answers were given"),
        DataColumn("digest", "text", "hash of the last line of a finished log"),
    ),
    ("log",),
    (("game", "seed"), ("created",)),
)

SEATS = DataTable(
    "seats",
    "one row for each seat of each log, with its last player",
    (
        *_LOG,
        DataColumn("seat", "integer", "seat, from 0"),
        DataColumn("player", "text", "name of the last player of the seat"),
        DataColumn("spec", "text", "SPEC of the player"),
        DataColumn("kind", "text", "bot, offline, model, human or another kind"),
        DataColumn("model", "text", "model that was asked for"),
        DataColumn("base_url", "text", "address of its endpoint"),
        DataColumn("skin", "text", "name or seed of the other words that its model read; null for the game's own"),
        DataColumn("persona", "text", "text about its character in its system message"),
        DataColumn("advice", "text", "its own hints on play in the prompts"),
        DataColumn("rated", "boolean", "whether it played rated"),
        DataColumn("settings", "json", "further settings of the seat"),
        DataColumn("prompts", "text", "name of its prompt pack"),
        DataColumn("prompts_digest", "text", "digest of its prompt pack"),
        DataColumn("score", "integer", "score; null before the end"),
        _WON,
        DataColumn("win_share", "number", "1 / winners for a winner, 0 for the others; null before the end"),
        *_DECISION_COUNTS,
        *_COUNTS,
        _LATENCY,
        DataColumn("measures", "json", "measures of the game: how often, out of how many chances; null before the end"),
        *_FORK,
    ),
    ("log", "seat"),
    (("player",), ("model",)),
)

DECISIONS = DataTable(
    "decisions",
    "one row for each decision",
    (
        *_LOG,
        _DECISION,
        _LINE,
        DataColumn("question", "integer", "number of the question that it answers, from 0; null where nobody was asked"),
        *_SEAT,
        *_PHASE,
        _HOW,
        _VIEW,
        _ACTION,
        *_COUNTS,
        _LATENCY,
        _MODEL,
        _PROVIDER,
        DataColumn("reason", "text", "reason that the model wrote in its answer"),
        _TALK,
        _APPLIED,
        _DIGEST,
        _COPIED,
    ),
    ("log", "decision"),
    (("player",), ("game", "phase_name")),
)

ATTEMPTS = DataTable(
    "attempts",
    "one row for each attempt to get an answer",
    (
        *_LOG,
        DataColumn("attempt", "integer", "number of the attempt in the log, from 1"),
        _LINE,
        DataColumn("question", "integer", "number of the question, from 0"),
        DataColumn("decision", "integer", "number of the decision that the question led to; null if none"),
        *_SEAT,
        *_PHASE,
        DataColumn("role", "text", "prompt template of the question"),
        DataColumn("outcome", "text", "answer, mistake, infrastructure or configuration"),
        DataColumn("what", "text", "kind of the mistake or failure"),
        DataColumn("why", "text", "what was wrong, in words"),
        DataColumn("strike", "integer", "how many answers to the question were invalid before"),
        DataColumn("answer", "json", "answer data that was read"),
        DataColumn("repaired", "boolean", "whether the answer had to be repaired to be read"),
        DataColumn("reason", "text", "reason that the model wrote in its answer"),
        DataColumn("say", "text", "what the seat says to the table with it; `talk` of its decision if it became public"),
        DataColumn("reply", "text", "text of the reply"),
        DataColumn("reasoning", "text", "reasoning that the endpoint sent beside it"),
        DataColumn("requested_model", "text", "model that was asked for"),
        DataColumn("model", "text", "model that answered, as reported by the endpoint"),
        DataColumn("provider", "text", "provider that served it"),
        DataColumn("form", "text", "form of answer that was asked for"),
        DataColumn("finish_reason", "text", "why the reply ended"),
        DataColumn("try", "integer", "number of the request within the call, from 1"),
        DataColumn("prompt_digest", "text", "digest of the messages sent: equal prompts have equal digests"),
        *_TOKENS,
        DataColumn("charged", "number", "what the budget was charged; null when unknown", "USD"),
        DataColumn("charged_tokens", "integer", "tokens the budget was charged", "tokens"),
        DataColumn("latency", "number", "duration of the attempt", "seconds"),
        DataColumn("at", "time", "when the attempt ended"),
        _COPIED,
    ),
    ("log", "attempt"),
    (("log", "decision"), ("player",), ("outcome",)),
)

CLAIMS = DataTable(
    "claims",
    "one row for each decision that claims a card or may challenge a claim; of games with such claims",
    (
        *_LOG,
        _DECISION,
        *_SEAT,
        DataColumn("claim", "text", "what is claimed, such as Duke"),
        DataColumn("claimant", "integer", "seat that claims it; another one where the decision challenges a claim or passes"),
        DataColumn("is_true", "boolean", "whether the claim is true"),
        DataColumn("chance", "number", "probability that another seat's claim is false, by the cards that the seat knows of"),
        DataColumn("challenged", "boolean", "whether the decision challenges another seat's claim"),
        DataColumn("denied", "boolean", "whether the reason denies what the decision claims; null without a reason"),
        DataColumn("affirmed", "boolean", "whether the table talk affirms what the decision claims; null without talk"),
        _COPIED,
    ),
    ("log", "decision"),
    (("player",),),
)

_VERDICT = "probability of a bluff by the judge; null where it was not asked or its answer could not be read"

JUDGED = DataTable(
    "judged",
    "one row for each claim and each judge of `review --judge` whose verdicts are beside the log",
    (
        *_LOG,
        _DECISION,
        *_SEAT,
        DataColumn("judge", "text", "SPEC of the judge"),
        DataColumn("judge_digest", "text", "digest of the judge: SPEC, model, settings and prompts"),
        DataColumn("judge_model", "text", "model that judged"),
        DataColumn("claim", "text", "what is claimed, such as Duke"),
        DataColumn("is_true", "boolean", "whether the claim is true"),
        DataColumn("reason", "integer", f"from the reason: {_VERDICT}", "%"),
        DataColumn("talk", "integer", f"from the table talk: {_VERDICT}", "%"),
        DataColumn("both", "integer", f"from both: {_VERDICT}", "%"),
    ),
    ("log", "decision", "judge_digest"),
    (("player",), ("judge",)),
)

BELIEFS = DataTable(
    "beliefs",
    "one row for each proposition that a model was asked about before a decision",
    (
        *_LOG,
        _DECISION,
        *_SEAT,
        DataColumn("text", "text", "proposition"),
        DataColumn("group", "text", "what it is an answer to: exactly one of a group holds; null for one that stands alone"),
        DataColumn("stated", "number", "probability that the model stated; null where it stated none"),
        DataColumn("holds", "boolean", "whether it holds; null where that never came out"),
        DataColumn("chance", "number", "its probability by the cards that the seat knows of; null where there is none"),
        _COPIED,
    ),
    ("log", "decision", "text"),
    (("player",),),
)

POLICIES = DataTable(
    "policies",
    "one row for each legal answer of a decision before which a model was asked for its policy",
    (
        *_LOG,
        _DECISION,
        *_SEAT,
        DataColumn("answer", "json", "legal answer"),
        DataColumn("chance", "number", "its probability among the listed answers; null where the endpoint did not list it"),
        DataColumn("played", "boolean", "whether the seat gave this answer"),
        DataColumn("is_bluff", "boolean", "whether it makes a false claim; null in a game without claims"),
        DataColumn(
            "drawn", "boolean", "whether the decision was drawn from the policy; otherwise the model answered by itself"
        ),
        DataColumn("mass", "number", "probability of the labels of all legal answers"),
        DataColumn("unlisted", "number", "probability of all tokens that the endpoint did not list"),
        _COPIED,
    ),
    ("log", "decision", "answer"),
    (("player",),),
)

CHOICES = DataTable(
    "choices",
    "one row for each valid answer to a question whose choices were shown in a drawn order",
    (
        *_LOG,
        DataColumn("question", "integer", "number of the question, from 0"),
        *_SEAT,
        DataColumn("field", "text", "first field of the answer with several values"),
        DataColumn("choices", "integer", "number of its values"),
        DataColumn("place", "integer", "place of the value that was taken in the order that was shown, from 1"),
        DataColumn("taken", "text", "value that was taken"),
        DataColumn("is_shortest", "boolean", "whether no value has fewer characters"),
        DataColumn("shortest", "integer", "number of values with the fewest characters"),
        _COPIED,
    ),
    ("log", "question"),
    (("player",),),
)

TALK = DataTable(
    "talk",
    "one row for each line of table talk that became public",
    (
        *_LOG,
        _LINE,
        DataColumn("question", "integer", "number of the question that the seat answered with it, from 0"),
        DataColumn("decision", "integer", "number of the decision that it came with"),
        *_SEAT,
        *_PHASE,
        DataColumn("text", "text", "what was said"),
        _COPIED,
    ),
    ("log", "line"),
    (("player",),),
)

_SHARE = "share of the win from what the seat knew, from 0 to 1"

REVIEWS = DataTable(
    "reviews",
    "one row for each graded decision; of logs with a review beside them",
    (
        *_LOG,
        _DECISION,
        *_SEAT,
        DataColumn("answer", "json", "what the seat answered"),
        DataColumn("share", "number", f"with this answer: {_SHARE}"),
        DataColumn("best", "json", "the best answer found"),
        DataColumn("best_share", "number", f"with the best answer: {_SHARE}"),
        DataColumn("given_up", "number", "best_share minus share, at least 0"),
        DataColumn("se", "number", "standard error of that difference"),
        DataColumn("regret", "number", "best_share minus share without the favour of chance, for means; can be below 0"),
        DataColumn("expected_regret", "number", "mean regret over the policy that was logged; null without one"),
        DataColumn("grade", "text", "best, good, inaccuracy, mistake, blunder or forced"),
        DataColumn("playouts", "integer", "playouts of each decision of the review"),
        _COPIED,
    ),
    ("log", "decision"),
    (("player",), ("grade",)),
)

_ALL = (MATCHES, SEATS, DECISIONS, ATTEMPTS, CLAIMS, JUDGED, BELIEFS, POLICIES, CHOICES, TALK, REVIEWS)

TABLES: Mapping[str, DataTable] = {table.name: table for table in _ALL}
"""The tables by name."""


def described(table: DataTable) -> str:
    """The table in words: what a row is, its key, and a line for each column."""
    lines = (f"{column.name:<20}{column.type:<9}{column.text}" for column in table.columns)
    return "\n".join((f"{table.name}: {table.meaning}. Key: {', '.join(table.key)}.", *lines))
