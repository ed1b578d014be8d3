"""Log rows: the rows of a log in the tables of data, from its records alone, without its rules, but for claims."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from games.core.claim import no_claim
from runner.agents.own_fields import BELIEF
from runner.digest import canonical, digest_of
from runner.export.attempt_sums import Row, attempt_sums, last_reply, token_sums
from runner.export.match_rows import match_row, seat_rows
from runner.export.table_columns import (
    ATTEMPTS,
    BELIEFS,
    CHOICES,
    CLAIMS,
    DECISIONS,
    JUDGED,
    MATCHES,
    POLICIES,
    REVIEWS,
    SEATS,
    TABLES,
    TALK,
)
from runner.match.header import SeatRecord
from runner.match.records import AttemptRecord, DecisionRecord, PhaseRecord, QuestionRecord, TalkRecord
from runner.record.bot_questions import has_view_digest
from runner.record.choice_places import Places
from runner.record.log_summary import LogState, is_being_written
from runner.record.reader import Log
from runner.record.replay import OtherRulesError, opening
from runner.review.beliefs import BeliefRow, belief_rows
from runner.review.decision_review import DecisionEntry
from runner.review.honesty import ClaimRow, claim_rows
from runner.review.judge import judged_log
from runner.review.kept_reviews import kept_review
from runner.review.policies import PolicyRow, policy_rows

Rows = dict[str, list[Row]]
"""The rows by table."""


def rows_of(log: Log, name: str, tables: Collection[str] = TABLES) -> Rows:
    """The rows of a log, which is called `name` in them. A last line that is cut short is left out.

    Claims, for which the rules are played again, and what is read from the files beside the log have no rows unless
    they are among the `tables`.
    """
    found = _LogRows(log)
    found.read()
    common: Row = {"log": name, "game": log.header["game"], "seed": _in_64_bits(log.header["seed"])}
    rows: Rows = {
        MATCHES.name: [match_row(log, found.attempts, found.own_part) | {"state": _state(log)}],
        SEATS.name: seat_rows(log, found.own_attempts, found.own_decisions),
        DECISIONS.name: found.decisions,
        ATTEMPTS.name: found.attempt_rows,
        CLAIMS.name: _claims(log) if CLAIMS.name in tables else [],
        JUDGED.name: list(_judged(log)) if JUDGED.name in tables else [],
        BELIEFS.name: _beliefs(log) if BELIEFS.name in tables else [],
        POLICIES.name: _policies(log) if POLICIES.name in tables else [],
        CHOICES.name: found.choices,
        TALK.name: found.talk,
        REVIEWS.name: _reviews(log, found.decisions) if REVIEWS.name in tables else [],
    }
    won = [seat["won"] for seat in rows[SEATS.name]] if log.result else None
    return {table: [common | _outcome(row, won) | row for row in found] for table, found in rows.items()}


def _outcome(row: Row, won: Sequence[object] | None) -> Row:
    """Whether the seat of a row has won, if it has a seat and the match an end."""
    seat = row.get("seat")
    return {} if won is None or not isinstance(seat, int) else {"won": won[seat]}


def _reviews(log: Log, decisions: Sequence[Row]) -> list[Row]:
    """The rows of the review that is kept beside a log; none without one of its present lines."""
    if (review := kept_review(log)) is None:
        return []
    of = {row["decision"]: row for row in decisions}
    return [_review_row(entry, of[entry["decision"]]) | {"playouts": review["playouts"]} for entry in review["decisions"]]


def _review_row(entry: DecisionEntry, decision: Row) -> Row:
    answers: Row = {name: None if entry[name] is None else json_cell(entry[name]) for name in ("answer", "best")}
    return {**entry, **answers, **{name: decision[name] for name in ("seat", "player", "copied")}}


def _claims(log: Log) -> list[Row]:
    """The rows of claims; none where this version has other rules than the log, or lacks its game.

    The rules are played again only in games with claims: that takes as long as all the rest.
    """
    with suppress(OtherRulesError):
        game = opening(log.header)[0]
        return [] if game.claim is game.doubt is no_claim else [_claim_row(found) for found in claim_rows(log)]
    return []


def _judged(log: Log) -> Iterator[Row]:
    """The rows of the verdicts that are kept beside a log; none where this version has other rules."""
    with suppress(OtherRulesError):
        for judge, claims in judged_log(log):
            model = _text(judge["model"].get("model"))
            facts: Row = {"judge": judge["spec"], "judge_digest": digest_of(canonical(dict(judge))), "judge_model": model}
            for found, verdicts in claims:
                claim = {name: _claim_row(found)[name] for name in ("decision", "seat", "player", "claim", "is_true")}
                yield claim | facts | {str(source): percent for source, percent in verdicts.items()}


def _beliefs(log: Log) -> list[Row]:
    """The rows of beliefs; none where this version has other rules than the log, or lacks its game."""
    with suppress(OtherRulesError):
        return [_belief_row(one) for one in belief_rows(log)] if _has_beliefs(log) else []
    return []


def _has_beliefs(log: Log) -> bool:
    return any(BELIEF in record for _, record in log.of_kind("attempt"))


def _belief_row(found: BeliefRow) -> Row:
    row = found._asdict()
    chance = None if found.chance is None else round(found.chance, 6)
    return {
        "decision": row.pop("number"),
        "copied": row.pop("is_copied"),
        **row,
        "group": found.group or None,
        "chance": chance,
    }


def _policies(log: Log) -> list[Row]:
    """The rows of policies; none where this version has other rules than the log, or lacks its game."""
    with suppress(OtherRulesError):
        return [_policy_row(one) for one in policy_rows(log)]
    return []


def _policy_row(found: PolicyRow) -> Row:
    return {
        **{name: getattr(found, name) for name in ("seat", "player", "chance", "is_bluff", "mass", "unlisted")},
        "decision": found.number,
        "answer": json_cell(found.answer),
        "played": found.is_played,
        "drawn": found.is_drawn,
        "copied": found.is_copied,
    }


def _claim_row(found: ClaimRow) -> Row:
    row: Row = {"decision": found.number, "seat": found.seat, "player": found.player, "copied": found.is_copied}
    if found.claim is not None:
        own = found.claim
        return (
            row
            | {"claim": own.what, "claimant": found.seat, "is_true": own.is_true, "denied": found.denied}
            | {"affirmed": found.affirmed}
        )
    assert found.doubt is not None
    claimant, claim, chance, is_challenged = found.doubt
    return row | {
        "claim": claim.what,
        "claimant": claimant,
        "is_true": claim.is_true,
        "chance": round(chance, 6),
        "challenged": is_challenged,
    }


def _in_64_bits(number: int) -> int | None:
    return number if -(2**63) <= number < 2**63 else None


def _state(log: Log) -> str:
    if log.result is not None:
        return LogState.FINISHED
    last = log.records[-1][1] if log.records else None
    if last is not None and last["kind"] == "pause":
        return LogState.FAILED if last.get("failed") else LogState.RESUMABLE
    return LogState.RUNNING if log.path.is_file() and is_being_written(log.path) else LogState.RESUMABLE


@dataclass
class _OpenQuestion:
    """A question that has no decision yet, with its attempts and their rows."""

    record: QuestionRecord
    attempts: list[AttemptRecord] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)


class _LogRows:
    """One pass over the records of a log. `own_attempts` and `own_decisions` are those of each seat's last player, without
    copied ones."""

    def __init__(self, log: Log) -> None:
        self._log = log
        fork = log.header.get("fork")
        self._copied_lines = fork["lines"] if fork else 0
        self._seats: Sequence[SeatRecord] = fork["seats"] if fork else log.header["seats"]
        self._phase: Row = {}
        self._phase_names: dict[int, str] = {}
        self._open: dict[int, _OpenQuestion] = {}
        self._by_question: dict[int, Row] = {}
        self._is_copied = False
        self.attempts: list[AttemptRecord] = []
        self.own_attempts: list[list[AttemptRecord]] = [[] for _ in log.header["seats"]]
        self.own_decisions: list[list[Row]] = [[] for _ in log.header["seats"]]
        self.decisions: list[Row] = []
        self.attempt_rows: list[Row] = []
        self.choices: list[Row] = []
        self.talk: list[Row] = []

    @property
    def own_part(self) -> list[Row]:
        """The decisions that no fork copied."""
        return [row for row in self.decisions if not row["copied"]]

    def read(self) -> None:
        """Take every record."""
        for place, (line, record) in enumerate(self._log.records):
            self._is_copied = place < self._copied_lines
            if place == self._copied_lines:
                self._sit(self._log.header["seats"])
            match record["kind"]:
                case "phase":
                    self._enter(record)
                case "question":
                    self._open[record["seat"]] = _OpenQuestion(record)
                case "attempt":
                    self._add_attempt(line, record)
                case "decision":
                    self._add_decision(line, record)
                case "moot":
                    self._open.pop(record["seat"], None)
                case "talk" if record["question"] in self._by_question:
                    self._add_talk(line, record)
                case "resumed" if "seats" in record:
                    self._sit(record["seats"])

    def _sit(self, seats: Sequence[SeatRecord]) -> None:
        """Change the players. The counts of a seat that another player takes over start at 0."""
        for seat, (before, after) in enumerate(zip(self._seats, seats, strict=True)):
            if before["spec"] != after["spec"]:
                self.own_attempts[seat], self.own_decisions[seat] = [], []
        self._seats = seats

    def _enter(self, record: PhaseRecord) -> None:
        self._phase_names[record["to"]] = record["name"]
        self._phase = {"phase": record["to"], "phase_name": record["name"]}

    def _player(self, seat: int) -> Row:
        return {"seat": seat, "player": self._seats[seat]["name"]}

    def _asked(self, question: QuestionRecord) -> Row:
        """Where a question was asked."""
        phase = question["phase"]
        where: Row = {"phase": phase, "phase_name": self._phase_names.get(phase), "round": question["round"]}
        return {"question": question["question"], **where}

    def _add_attempt(self, line: int, record: AttemptRecord) -> None:
        question = self._open.get(record["seat"])
        row: Row = {"attempt": len(self.attempt_rows) + 1, "line": line, "question": record["question"]}
        row |= self._player(record["seat"]) | {"copied": self._is_copied} | _attempt_facts(record)
        if question is not None:
            row |= self._asked(question.record) | {"role": question.record["role"]}
            question.attempts.append(record)
            question.rows.append(row)
        self.attempt_rows.append(row)
        if (places := Places.of(record)) is not None:
            self.choices.append(
                {
                    **{name: row[name] for name in ("question", "seat", "player", "copied")},
                    "field": places.field,
                    "choices": len(places.shown),
                    "place": places.shown.index(places.taken) + 1,
                    "taken": str(places.taken),
                    "is_shortest": places.taken in places.shortest,
                    "shortest": len(places.shortest),
                }
            )
        if not self._is_copied:
            self.attempts.append(record)
            self.own_attempts[record["seat"]].append(record)

    def _add_decision(self, line: int, record: DecisionRecord) -> None:
        question = self._open.pop(record["seat"], None)
        row: Row = {"decision": len(self.decisions) + 1, "line": line, "how": record["how"], "digest": record["digest"]}
        row |= self._player(record["seat"]) | {"at": record.get("at"), "copied": self._is_copied}
        row |= self._phase if question is None else self._asked(question.record)
        row["action"] = None if record["action"] is None else json_cell(record["action"])
        if question is not None and not has_view_digest(question.record["view"]):
            row["view"] = json_cell(self._log.expand(question.record["view"]))
        attempts = [] if question is None else question.attempts
        row |= attempt_sums(attempts) | last_reply(attempts)
        if question is not None:
            row["reason"] = attempts[-1].get("reason") if attempts else None
            for attempt in question.rows:
                attempt["decision"] = row["decision"]
            self._by_question[question.record["question"]] = row
        self.decisions.append(row)
        if not self._is_copied:
            self.own_decisions[record["seat"]].append(row)

    def _add_talk(self, line: int, record: TalkRecord) -> None:
        decision = self._by_question[record["question"]]
        decision["talk"] = record["text"]
        where = {name: decision.get(name) for name in ("question", "decision", "phase", "phase_name", "round")}
        self.talk.append(
            {"line": line, **where, **self._player(record["seat"]), "text": record["text"], "copied": self._is_copied}
        )


def json_cell(value: object) -> str:
    """A value as JSON text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_SAME_NAME = ("outcome", "what", "why", "strike", "repaired", "reason", "say", "form", "try", "charged", "charged_tokens", "at")


def _attempt_facts(record: AttemptRecord) -> Row:
    fields: Mapping[str, object] = record
    row: Row = {name: fields[name] for name in _SAME_NAME if name in fields}
    row["latency"] = record.get("latency")
    if (answer := record.get("answer")) is not None:
        row["answer"] = json_cell(answer)
    if request := record.get("request"):
        row["prompt_digest"] = digest_of(canonical(request["messages"]))
        row["requested_model"] = _text(dict(request).get("model"))
    if reply := record.get("reply"):
        row |= {"reply": reply.get("text"), "cost": reply.get("cost"), **token_sums([reply.get("usage") or {}])}
        row |= {name: dict(reply).get(name) for name in ("reasoning", "model", "provider", "finish_reason")}
    return row


def _text(value: object) -> str | None:
    return None if value is None else str(value)
