"""Log summary: who played a log's match, how it ended, and what each seat got wrong, cost, and took of its choices by their
place; every line's hash is checked."""

from __future__ import annotations

import fcntl
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, Never, Self

from games.core import GameFault
from runner.agents.settings import DEFAULTS, RECORDED
from runner.digest import canonical, digest_of
from runner.errors import LogDamagedError, TabletopError, in_log
from runner.match.header import SAME_CONDITIONS, HeaderRecord, SeatRecord, logged_skin
from runner.match.records import AttemptRecord, Record, ResultRecord, ResumedRecord, SeatResult, SharedRecord
from runner.match.tally import Tally, charged_tokens
from runner.record.log_paths import pack_of
from runner.record.reader import Log, changed_header, each_record, open_log, read_sound_part, read_start
from runner.record.replay import fold

KINDS = ("first", "last", "shortest")


class Places(NamedTuple):
    """The `field` of a valid answer whose values were shown in the drawn order `shown`, and the value that was taken."""

    field: str
    shown: list[object]
    taken: object

    @property
    def shortest(self) -> list[object]:
        least = min(len(str(value)) for value in self.shown)
        return [value for value in self.shown if len(str(value)) == least]

    @classmethod
    def of(cls, attempt: AttemptRecord) -> Self | None:
        """Those of an attempt: of the first field with several values alone, as the others depend on it. None without any."""
        if attempt["outcome"] != "answer" or not (order := attempt.get("order")):
            return None
        name, shown = next(iter(order.items()))
        read = attempt.get("read_as", attempt["answer"])
        taken = read.get(name) if isinstance(read, dict) else None
        return cls(name, shown, taken) if taken in shown else None


@dataclass
class PlaceCounts:
    """For each kind of place the answers in a drawn order, those that took it, and how many would by chance."""

    sums: dict[str, list[float]] = field(default_factory=dict)

    def add(self, attempt: AttemptRecord) -> None:
        if (found := Places.of(attempt)) is None:
            return
        for kind, values in zip(KINDS, (found.shown[:1], found.shown[-1:], found.shortest), strict=True):
            own = self.sums.setdefault(kind, [0.0, 0.0, 0.0])
            own[:] = own[0] + 1, own[1] + (found.taken in values), own[2] + len(values) / len(found.shown)


Measures = dict[str, list[int]]
"""Hits and chances by the name of the measure."""


def own_measures(log: Log) -> list[Measures]:
    """The measures of each seat's last player; none before the end, or where that needs rules that are not there."""
    if log.result is not None and "fork" not in log.header and not any("seats" in one for _, one in log.of_kind("resumed")):
        return [dict(seat.get("measures", {})) for seat in log.result["seats"]]
    with suppress(LogDamagedError, GameFault):
        if log.result is not None:
            *_, (_, _, match, _) = fold(log)
            return [match.measures.own(seat) for seat in range(log.header["players"])]
    return [{} for _ in log.header["seats"]]


_LONGEST_SHOWN = 60
_APART = ("seat", "name", "spec", "consent")
_UNSAID = {"": "none", None: "the pack's own"}
"""How people read the defaults of texts."""

_SETTINGS = {name: _UNSAID.get(DEFAULTS[name], DEFAULTS[name]) for name in RECORDED}
"""The settings of a seat that standings compare, with the defaults that hold where a log does not name them."""

_COUNTED = ("answers", "failures", "prompt_tokens", "completion_tokens", "cost", "seconds", "longest")
"""The totals of a seat in its summary under the same names."""

_EMPTY: Mapping[str, Never] = {}


class LogState(StrEnum):
    """The condition of a log."""

    FINISHED = "finished"
    RESUMABLE = "resumable"
    RUNNING = "running"
    FAILED = "failed"
    DAMAGED = "damaged"


class SeatSummary(NamedTuple):
    """One seat: its player, and the totals of its attempts. `facts` are its other facts in the header, shortened.

    `decisions` are those that were asked for, `longest` is the slowest reply in seconds, `places` the sums of `PlaceCounts`.
    `consent` is whether a person agreed that results show their name; None where nobody with a name was seated, or asked.
    Those, `penalties` and `measures` are set in a finished match only. What a fork copied or an earlier player did is left out.
    """

    name: str
    spec: str
    settings: dict[str, object]
    facts: str
    decisions: int
    penalties: int
    answers: int
    mistakes: dict[str, int]
    failures: int
    prompt_tokens: int
    completion_tokens: int
    cost: float
    seconds: float
    longest: float
    measures: dict[str, list[int]]
    places: dict[str, list[float]]
    consent: bool | None = None


class LogSummary(NamedTuple):
    """One log. `why` says where a damaged log is damaged or how a match failed; `scores` and `winners` are empty before
    the end. `digest` is the hash of the last line of a finished match, which all lines lead to; `first` is that of the first
    line, if that has the match's id: copies of a log share it.

    `conditions` are the facts of the header that have to be equal for matches to be comparable. `options` are shortened;
    `prompts` is a pack's name with a digest, empty if no model plays. `cost` (USD) and `tokens` are what was charged; neither
    they nor the seats count what a fork copied. `ended` is the time of the last decision of a finished match. `fork_of` is the
    file of a fork's parent, `fork_match` the parent's match id, or the hash of its first line where it has none, and `fork_at`
    the first decision that differs.
    """

    state: LogState
    why: str = ""
    game: str = ""
    created: str = ""
    seed: int | None = None
    conditions: Mapping[str, object] = _EMPTY
    options: Mapping[str, str] = _EMPTY
    prompts: str = ""
    seats: tuple[SeatSummary, ...] = ()
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    decisions: int = 0
    cost: float = 0.0
    tokens: int = 0
    is_playback: bool = False
    digest: str = ""
    first: str = ""
    ended: str = ""
    fork_of: str = ""
    fork_match: str = ""
    fork_at: int = 0

    @property
    def is_fork(self) -> bool:
        return self.fork_at > 0

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    @classmethod
    def loaded(cls, fields: Iterable[Any]) -> LogSummary:
        """The summary whose fields were written as JSON. TypeError or ValueError for others."""
        found = cls(*fields)
        seats = tuple(SeatSummary(*seat) for seat in found.seats)
        scores, winners = tuple(found.scores), tuple(found.winners)
        return found._replace(state=LogState(found.state), seats=seats, scores=scores, winners=winners)


def summarise(path: Path) -> LogSummary:
    """The summary of a log in any condition; a file that cannot be read counts as damaged."""
    try:
        found = _read(path)
    except TabletopError as error:
        return LogSummary(LogState.DAMAGED, str(error))
    if found.state is LogState.RESUMABLE and is_being_written(path):
        return found._replace(state=LogState.RUNNING)
    return found


def _read(path: Path) -> LogSummary:
    with open_log(path) as file:
        with in_log(path):
            log = read_start(path, file)
        totals = _Totals(log.header)
        for _, record in each_record(log, file):
            totals.add(record)
    found = totals.summary()._replace(first=log.first if "match" in log.header else "")
    if log.damage is not None and not log.is_torn:
        return found._replace(state=LogState.DAMAGED, why=str(log.damage))
    if found.is_fork or totals.changes_players:
        measures = own_measures(read_sound_part(path))  # of the last players alone
        seats = (seat._replace(measures=own) for seat, own in zip(found.seats, measures, strict=True))
        found = found._replace(seats=tuple(seats))
    return found._replace(digest=log.last) if found.state is LogState.FINISHED else found


class _Totals:
    """What the lines of a log add up to."""

    def __init__(self, header: HeaderRecord) -> None:
        self.result: ResultRecord | None = None
        self.decisions = 0
        self.changes_players = False
        self._ended = ""
        self._failure = ""
        self._header = header
        self._cost, self._tokens = 0.0, 0
        self._seats = [_SeatTotals() for _ in header["seats"]]
        self._before: list[dict[str, object]] = []
        self._copied = header["fork"]["lines"] if "fork" in header else 0

    def add(self, record: Record | SharedRecord) -> None:
        """Count a record. Attempts and decisions that a fork copied are counted in its parent's log."""
        match record["kind"]:
            case "shared":
                return
            case "decision":
                self.decisions += 1
                self._ended = record.get("at", self._ended)
                if self._copied <= 0:
                    self._seats[record["seat"]].add_decision(record)
            case "attempt" if self._copied <= 0:
                self._cost += record.get("charged") or 0.0
                self._tokens += charged_tokens(record)
                self._seats[record["seat"]].add_attempt(record)
            case "pause":
                self._failure = record["why"] if record.get("failed") else ""
            case "resumed":
                self._failure = ""
                self._resume(record)
            case "result":
                self.result = record
        self._copied -= 1

    def _resume(self, record: ResumedRecord) -> None:
        seats = record.get("seats", self._header["seats"])
        for number, (before, after) in enumerate(zip(self._header["seats"], seats, strict=True)):
            if before["spec"] != after["spec"]:
                self._seats[number] = _SeatTotals()
                self.changes_players = True
            else:
                self._seats[number].before.append(_settings(before))
        self._before.append(_of_table(self._header))
        self._header = changed_header(self._header, record)

    def summary(self) -> LogSummary:
        header, result, fork = self._header, self.result, self._header.get("fork")
        prompts, results = header["prompts"], result["seats"] if result else [None] * len(self._seats)
        return LogSummary(
            state=LogState.FINISHED if result else LogState.FAILED if self._failure else LogState.RESUMABLE,
            why="" if result else self._failure,
            game=str(header["game"]),
            created=str(header["created"]),
            seed=header["seed"],
            conditions={
                "schema": SAME_CONDITIONS.get(header["schema"], header["schema"]),
                "rules version": header["rules_version"],
                "rules": header["rules"],
                "ask": header["ask"],
                "ask_forced": header["ask_forced"],
                **_in_turn([*self._before, _of_table(header)]),
            },
            options={name: _shortened(value) for name, value in header["options"].items()},
            prompts=f"{prompts.get('pack', '')} ({digest_of(canonical(prompts))[:8]})" if prompts else "",
            seats=tuple(
                totals.summary(seat, found) for totals, seat, found in zip(self._seats, header["seats"], results, strict=True)
            ),
            scores=tuple(result["scores"]) if result else (),
            winners=tuple(result["winners"]) if result else (),
            decisions=self.decisions,
            cost=self._cost,
            tokens=self._tokens,
            is_playback="playback" in header,
            ended=self._ended if result else "",
            fork_of=fork["file"] if fork else "",
            fork_match=fork.get("match", fork["parent"]) if fork else "",
            fork_at=fork["at"] if fork else 0,
        )


@dataclass
class _SeatTotals(Tally):
    """The totals of a seat. `kinds` counts the mistakes of each kind; `before`: its player's settings until a resumption."""

    answers: int = 0
    longest: float = 0.0
    kinds: Counter[str] = field(default_factory=Counter)
    before: list[dict[str, object]] = field(default_factory=list)
    places: PlaceCounts = field(default_factory=PlaceCounts)

    def add_attempt(self, record: AttemptRecord) -> None:
        super().add_attempt(record)
        self.answers += record["outcome"] in ("mistake", "answer")
        self.longest = max(self.longest, record.get("latency") or 0.0)
        self.places.add(record)
        if record["outcome"] == "mistake":
            self.kinds[record["what"]] += 1

    def summary(self, seat: SeatRecord, result: SeatResult | None) -> SeatSummary:
        return SeatSummary(
            name=str(seat["name"]),
            spec=str(seat["spec"]),
            settings=_in_turn([*self.before, _settings(seat)]),
            facts=_shortened({name: fact for name, fact in seat.items() if name not in (*_APART, *_SETTINGS)}),
            decisions=self.decisions - self.forced if result else 0,
            penalties=self.penalties if result else 0,
            mistakes=dict(self.kinds),
            **{name: getattr(self, name) for name in _COUNTED},
            measures=result.get("measures", {}) if result else {},
            places=self.places.sums,
            consent=seat.get("consent"),
        )


def _settings(seat: SeatRecord) -> dict[str, object]:
    found = {name: seat.get(name, default) for name, default in _SETTINGS.items()}
    long = (name for name, value in found.items() if isinstance(value, str) and len(value) > _LONGEST_SHOWN)
    return found | {name: _shortened(found[name]) for name in long}


def _of_table(header: HeaderRecord) -> dict[str, object]:
    skin = logged_skin(header)
    words = f"{skin.name} ({digest_of(canonical(skin.words))[:8]})" if skin else OWN_WORDS
    return {"talk": header.get("talk", False), "skin": words}


def _in_turn(each: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """The values of a match by name; one that has changed in its middle is neither the one nor the other."""
    found = {name: [*dict.fromkeys(one[name] for one in each)] for name in each[-1]}
    return {name: values[0] if len(values) == 1 else ", then ".join(map(str, values)) for name, values in found.items()}


OWN_WORDS = "none"
"""The skin of a match in the game's own words."""


def _shortened(value: object) -> str:
    """A value as canonical JSON; a long one by its start and its digest."""
    text = canonical(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN // 2]}… ({digest_of(text)[:8]})"


def is_being_written(path: Path) -> bool:
    if pack_of(path) is not None:
        return False
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
    return False
