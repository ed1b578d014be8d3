"""Log rows: the rows of a log in the tables of data. They are read from its records alone, but for claims, beliefs and
policies, for which the rules are played again.

A row is made of facts by name: the fields of a record as they are, and what is worked out. Its table takes those that it has
columns for.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from games.core.claim import no_claim
from runner.agents.own_fields import BELIEF
from runner.digest import canonical, digest_of
from runner.export.table_columns import TABLES, DataRow
from runner.match.header import HeaderRecord, SeatRecord
from runner.match.records import AttemptRecord, DecisionRecord, QuestionRecord, win_share
from runner.prompting.pack import PromptsRecord
from runner.record.line import has_view_digest
from runner.record.log_summary import LogState, Places, is_being_written, own_measures
from runner.record.reader import Log
from runner.record.replay import OtherRulesError, opening
from runner.review.honesty import ClaimRow, belief_rows, claim_rows
from runner.review.judge import judged_log
from runner.review.kept_reviews import kept_review
from runner.review.logged_answers import policy_rows

RowFacts = dict[str, Any]
"""What a row is made of, by name; what is missing is null."""

_LONGEST_OPTION = 200
"""Characters of an option's value as JSON; a longer one, such as a deck, is given by its digest."""


def rows_of(log: Log, name: str, tables: Collection[str] = tuple(TABLES)) -> dict[str, list[DataRow]]:
    """The rows of a log by table; the log is called `name` in them. A last line that is cut short is left out.

    Claims, beliefs and policies have no rows where this version has other rules than the log, or lacks its game.
    """
    played = _Played(log)
    facts: dict[str, Callable[[], Iterable[RowFacts]]] = {
        "matches": lambda: [_match(log, played)],
        "seats": lambda: _seats(log, played),
        "decisions": lambda: played.decisions,
        "attempts": lambda: played.attempts,
        "claims": lambda: _by_rules(_claims, log),
        "judged": lambda: _by_rules(_judged, log),
        "beliefs": lambda: _by_rules(_beliefs, log),
        "policies": lambda: _by_rules(_policies, log),
        "choices": lambda: played.choices,
        "talk": lambda: played.talk,
        "reviews": lambda: _reviews(log, played),
    }
    common, result = {"log": name, "game": log.header["game"], "seed": log.header["seed"]}, log.result
    won = {seat: seat in result["winners"] for seat in range(len(result["scores"]))} if result else {}
    rows: dict[str, list[DataRow]] = {table: [] for table in tables}
    for table, found in rows.items():
        for one in facts[table]():
            one |= common
            one["won"] = won.get(one.get("seat", -1))
            found.append(TABLES[table].row(one))
    return rows


# -- one pass over the records ----------------------------------------------------------------------------------------


class _Played:
    """The facts of decisions, attempts, choices and talk. A `turn` is the seat and the number of its player there, from 0."""

    def __init__(self, log: Log) -> None:
        self._log = log
        fork = log.header.get("fork")
        self._copied_lines = fork["lines"] if fork else 0
        self._seats: Sequence[SeatRecord] = fork["seats"] if fork else log.header["seats"]
        self._turns = [0] * len(self._seats)
        self._phase: RowFacts = {}
        self._phase_names: dict[int, str] = {}
        self._open: dict[int, tuple[QuestionRecord, list[RowFacts]]] = {}
        self._decided: dict[int, RowFacts] = {}
        self._is_copied = False
        self.decisions, self.attempts = list[RowFacts](), list[RowFacts]()
        self.choices, self.talk = list[RowFacts](), list[RowFacts]()
        self._read()

    def sums(self, seat: int | None = None) -> RowFacts:
        """The sums of the match, or of a seat's last player, without what a fork copied."""
        decisions, attempts = (
            [row for row in rows if not row["copied"] and (seat is None or row["turn"] == (seat, self._turns[seat]))]
            for rows in (self.decisions, self.attempts)
        )
        how = [row["how"] for row in decisions]
        counts = {"decisions": len(how) - how.count("strike_out"), "forced": how.count("forced")}
        return counts | {"penalties": how.count("strike_out")} | _sums(attempts)

    def _read(self) -> None:
        for place, (line, record) in enumerate(self._log.records):
            self._is_copied = place < self._copied_lines
            if place == self._copied_lines:
                self._sit(self._log.header["seats"])
            match record["kind"]:
                case "phase":
                    self._phase_names[record["to"]] = record["name"]
                    self._phase = {"phase": record["to"], "phase_name": record["name"]}
                case "question":
                    self._open[record["seat"]] = record, []
                case "attempt":
                    self._add_attempt(line, record)
                case "decision":
                    self._add_decision(line, record)
                case "moot":
                    self._open.pop(record["seat"], None)
                case "talk" if record["question"] in self._decided:
                    decision = self._decided[record["question"]]
                    decision["talk"] = record["text"]
                    where = {name: decision.get(name) for name in ("decision", "phase", "phase_name", "round")}
                    self.talk.append({**record, **where, **self._of(line, record["seat"])})
                case "resumed" if "seats" in record:
                    self._sit(record["seats"])
        for row in self.attempts:
            row["decision"] = self._decided.get(row["question"], {}).get("decision")

    def _sit(self, seats: Sequence[SeatRecord]) -> None:
        """Change the players. The sums of a seat that another player takes over start again from zero."""
        for seat, (before, after) in enumerate(zip(self._seats, seats, strict=True)):
            self._turns[seat] += before["spec"] != after["spec"]
        self._seats = seats

    def _of(self, line: int, seat: int) -> RowFacts:
        turn = seat, self._turns[seat]
        return {"line": line, "seat": seat, "player": self._seats[seat]["name"], "copied": self._is_copied, "turn": turn}

    def _asked(self, question: QuestionRecord) -> RowFacts:
        """Where a question was asked."""
        found: RowFacts = {name: question.get(name) for name in ("question", "phase", "round", "role")}
        return found | {"phase_name": self._phase_names.get(question["phase"])}

    def _add_attempt(self, line: int, record: AttemptRecord) -> None:
        row = _attempt(record) | self._of(line, record["seat"]) | {"attempt": len(self.attempts) + 1}
        if record["seat"] in self._open:
            question, attempts = self._open[record["seat"]]
            row |= self._asked(question)
            attempts.append(row)
        self.attempts.append(row)
        if (places := Places.of(record)) is not None:
            shown, taken, shortest = places.shown, places.taken, places.shortest
            place = {"field": places.field, "choices": len(shown), "place": shown.index(taken) + 1, "taken": str(taken)}
            self.choices.append({**row, **place, "is_shortest": taken in shortest, "shortest": len(shortest)})

    def _add_decision(self, line: int, record: DecisionRecord) -> None:
        question, attempts = self._open.pop(record["seat"], (None, []))
        row: RowFacts = {**record, **self._of(line, record["seat"]), "decision": len(self.decisions) + 1}
        row |= _sums(attempts) if attempts else _NO_SUMS
        row |= self._phase if question is None else self._asked(question)
        if replied := [attempt for attempt in attempts if attempt["has_reply"]]:
            row |= {name: replied[-1].get(name) for name in ("model", "provider")}
        if question is not None:
            row["view"] = None if has_view_digest(question["view"]) else self._log.expand(question["view"])
            row["reason"] = attempts[-1].get("reason") if attempts else None
            self._decided[question["question"]] = row
        self.decisions.append(row)


_TOKENS = ("prompt_tokens", "completion_tokens", "reasoning_tokens", "cached_tokens", "cache_write_tokens")


def _attempt(record: AttemptRecord) -> RowFacts:
    reply, request = record.get("reply") or {}, dict(record.get("request") or {})
    tokens = {**dict.fromkeys(_TOKENS, 0), **(reply.get("usage") or {})} if reply else {}
    facts: RowFacts = {**tokens, **reply, "latency": None, **record, "reply": reply.get("text"), "has_reply": bool(reply)}
    if request:
        facts |= {"prompt_digest": digest_of(canonical(request["messages"])), "requested_model": request.get("model")}
    return facts


def _sums(attempts: Sequence[RowFacts]) -> RowFacts:
    """The counts, tokens, USD and seconds of attempts."""
    outcomes = [row["outcome"] for row in attempts]

    def total(name: str) -> float:
        return sum(row.get(name) or 0 for row in attempts)

    return {
        "attempts": len(attempts),
        "mistakes": outcomes.count("mistake"),
        "failures": outcomes.count("infrastructure") + outcomes.count("configuration"),
        **{kind: total(kind) for kind in _TOKENS},
        "cost": round(total("cost"), 8),
        "latency": round(total("latency"), 3),
        "charged": round(total("charged"), 8),
    }


_NO_SUMS = _sums(())


# -- the match and its seats ------------------------------------------------------------------------------------------


def _match(log: Log, played: _Played) -> RowFacts:
    header, result = log.latest_header, log.result
    facts: RowFacts = {"talk": False, **header, **_fork(header), **_prompts(header["prompts"]), **played.sums()}
    facts |= {"state": _state(log), "templates": header["prompts"].get("templates"), "options": _options(header)}
    times = (record.get("at") for _, record in reversed(log.records))
    facts["ended"] = next((at for at in times if at), None)
    facts["playback"] = header["playback"]["file"] if "playback" in header else None
    if result is None:
        return facts | {"digest": None}
    ending = {name: result[name] for name in ("rounds", "scores", "winners")}
    return facts | ending | {"ending": "; ".join(result["ending"]), "digest": log.last}


def _options(header: HeaderRecord) -> RowFacts:
    texts = {name: canonical(value) for name, value in header["options"].items()}
    return {
        name: header["options"][name] if len(text) <= _LONGEST_OPTION else {"digest": digest_of(text)}
        for name, text in texts.items()
    }


def _state(log: Log) -> str:
    if log.result is not None:
        return LogState.FINISHED
    last = log.records[-1][1] if log.records else None
    if last is not None and last["kind"] == "pause":
        return LogState.FAILED if last.get("failed") else LogState.RESUMABLE
    return LogState.RUNNING if log.path.is_file() and is_being_written(log.path) else LogState.RESUMABLE


def _fork(header: HeaderRecord) -> RowFacts:
    fork = header.get("fork")
    return {"fork_of": fork["file"], "fork_match": fork.get("match"), "fork_at": fork["at"]} if fork else {}


def _prompts(prompts: PromptsRecord) -> RowFacts:
    """The name of a prompt pack and one digest of all its templates."""
    templates = prompts.get("templates")
    return {"prompts": prompts.get("pack"), "prompts_digest": digest_of(canonical(templates)) if templates else None}


_SEAT = ("spec", "kind", "model", "base_url", "persona", "advice", "rated")


def _seats(log: Log, played: _Played) -> Iterator[RowFacts]:
    header, result, measures = log.latest_header, log.result, own_measures(log)
    for number, seat in enumerate(header["seats"]):
        has_model = seat["kind"] in ("model", "offline")
        known: Mapping[str, object] = seat
        facts: RowFacts = {"rated": False, **{name: known[name] for name in _SEAT if name in known}}
        facts |= {"seat": number, "player": seat["name"], "skin": header.get("skin") if has_model else None, **_fork(header)}
        facts["settings"] = {name: value for name, value in seat.items() if name not in (*_SEAT, "name", "prompts")} or None
        facts |= _prompts(seat.get("prompts") or (header["prompts"] if has_model else {}))
        facts |= played.sums(number)
        if result is not None:
            score, share = result["scores"][number], win_share(result, number)
            facts |= {"score": score, "win_share": share, "measures": measures[number]}
        yield facts


# -- what the rules say, and what is kept beside the log --------------------------------------------------------------


def _by_rules(read: Callable[[Log], Iterable[RowFacts]], log: Log) -> list[RowFacts]:
    """What is read with the rules; nothing where this version has other rules than the log, or lacks its game."""
    with suppress(OtherRulesError):
        return list(read(log))
    return []


def _claims(log: Log) -> Iterator[RowFacts]:
    """The facts of claims. Only in games with claims are the rules played again: that takes as long as all the rest."""
    game = opening(log.header)[0]
    return iter(()) if game.claim is game.doubt is no_claim else map(_claim, claim_rows(log))


def _claim(found: ClaimRow) -> RowFacts:
    claim, claimant = (found.doubt.claim, found.doubt.claimant) if found.doubt else (found.claim, found.seat)
    assert claim is not None
    facts = {"decision": found.number, "seat": found.seat, "player": found.player, "copied": found.is_copied}
    facts |= {"claim": claim.what, "claimant": claimant, "is_true": claim.is_true}
    if found.doubt is None:
        return facts | {"denied": found.denied, "affirmed": found.affirmed}
    return facts | {"chance": round(found.doubt.chance, 6), "challenged": found.doubt.is_challenged}


def _judged(log: Log) -> Iterator[RowFacts]:
    """The facts of the verdicts that are kept beside a log."""
    for judge, claims in judged_log(log):
        own = {"judge": judge["spec"], "judge_digest": digest_of(canonical(dict(judge)))}
        for found, verdicts in claims:
            yield _claim(found) | own | {"judge_model": judge["model"].get("model")} | dict(verdicts)


def _beliefs(log: Log) -> Iterator[RowFacts]:
    if any(BELIEF in record for _, record in log.of_kind("attempt")):
        for found in belief_rows(log):
            chance = None if found.chance is None else round(found.chance, 6)
            named = {"decision": found.number, "group": found.group or None, "chance": chance, "copied": found.is_copied}
            yield vars(found) | named


def _policies(log: Log) -> Iterator[RowFacts]:
    for found in policy_rows(log):
        named = {"decision": found.number, "played": found.is_played, "drawn": found.is_drawn, "copied": found.is_copied}
        yield vars(found) | named


def _reviews(log: Log, played: _Played) -> Iterator[RowFacts]:
    """The facts of the review that is kept beside a log; none without one of its present lines."""
    if (review := kept_review(log)) is not None:
        for entry in review["decisions"]:
            decision = played.decisions[entry["decision"] - 1]
            own = {name: decision[name] for name in ("seat", "player", "copied")}
            yield {**entry, **own, "playouts": review["playouts"]}
