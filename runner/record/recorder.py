"""What is written down of a match: which records there are, and what stands in each."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from games.core import Action, Question, State, View
from runner.digest import digest_of_state
from runner.record.dedup import Sharer
from runner.record.reader import RECORDING, SCHEMA
from runner.record.resume_cursor import Known
from runner.record.writer import LogWriter

if TYPE_CHECKING:
    from runner.match.config import MatchConfig


@cache
def package_version() -> str:
    """The version of this package; 0 where it is run from a folder without being installed."""
    try:
        return version("tabletop-runner")
    except PackageNotFoundError:
        return "0"


class Recorder:
    """Turns what happens into records of one log."""

    def __init__(self, log: LogWriter | None, known: Known | None = None, replies: LogWriter | None = None) -> None:
        """Write to `log` (None: nowhere) what it does not say already, which is `known`; and the replies alone to `replies`."""
        self._log = log
        self._replies = replies
        self._known = known or Known()
        self._questions = 0

    @property
    def is_behind(self) -> bool:
        """Whether the match has yet to come to where its log ended."""
        return self._known.is_behind

    def begin(self, config: MatchConfig, state: State) -> None:
        """Write the header of a new log."""
        if not self._known.has_header:
            first = header(config, state)
            self._append(first)
            if self._replies is not None:
                self._replies.append({**first, "kind": RECORDING})

    def question(self, seat: int, state: State, view: View, question: Question) -> int:
        """Write a question; its number."""
        number = self._questions
        self._questions += 1
        if self._log is not None and not self._known.takes({"kind": "question", "question": number}):
            share = self._log.share
            self._log.append(
                {
                    "kind": "question",
                    "question": number,
                    "seat": seat,
                    "phase": state.phase_id,
                    "round": state.round,
                    "role": question.role,
                    "text": question.whole,
                    "schema": share.value(question.schema),
                    "view": share.mapping(view),
                }
            )
        return number

    def attempt(self, record: dict[str, Any]) -> None:
        """Write an attempt: what was sent, what came back, what was wrong with it."""
        record = {"kind": "attempt", **record}
        if self._log is not None and not self._known.takes(record):
            self._log.append(_compact(record, self._log.share))
            if self._replies is not None:
                self._replies.append(_compact(record, self._replies.share))

    def decision(self, seat: int, action: Action | None, how: str, state: State) -> None:
        """Write what was decided (None: the seat was struck out) and the digest of the state it led to."""
        if self._log is not None:
            answer = None if action is None else action.to_json()
            self._append({"kind": "decision", "seat": seat, "how": how, "action": answer, "digest": digest_of_state(state)})

    def moot(self, seat: int, action: Action | None) -> None:
        """Write an answer that came too late to count."""
        self._append({"kind": "moot", "seat": seat, "action": None if action is None else action.to_json()})

    def phase(self, data: dict[str, Any], name: str) -> None:
        """Write an entry into a phase."""
        self._append({"kind": "phase", **data, "name": name})

    def penalty(self, data: dict[str, Any]) -> None:
        """Write a strike-out and what it cost."""
        self._append({"kind": "penalty", **data})

    def pause(self, why: str) -> None:
        """Write that the match stopped here and can go on."""
        self._append({"kind": "pause", "why": why, "at": now()})

    def result(self, result: dict[str, Any]) -> None:
        """Write the end of the match."""
        self._append({"kind": "result", **result})

    async def sync(self) -> None:
        """Wait until all of it is on the disk."""
        for writer in filter(None, (self._log, self._replies)):
            await writer.sync()

    def _append(self, record: dict[str, Any]) -> None:
        if self._log is not None and not self._known.takes(record):
            self._log.append(record)


def _compact(record: dict[str, Any], share: Sharer) -> dict[str, Any]:
    """An attempt with what is long in its request replaced by references."""
    request = record.get("request")
    if not request:
        return record
    messages = [{**m, "content": share.text(m["content"])} for m in request["messages"]]
    rest = {name: share.value(value) for name, value in request.items() if name != "messages"}
    return {**record, "request": {**rest, "messages": messages}}


def header(config: MatchConfig, state: State) -> dict[str, Any]:
    """The first record of a log: all that the match is played with."""
    setup = config.setup.to_json()
    return {
        "kind": "header",
        "schema": SCHEMA,
        "package": package_version(),
        "game": config.game.name,
        "rules_version": config.game.rules_version,
        "rules": setup["rules"],
        "players": setup["players"],
        "seed": setup["seed"],
        "options": setup["options"],
        "seats": [seat.to_json() for seat in config.seats],
        "prompts": config.prompts,
        "ask": config.ask,
        "ask_forced": config.ask_forced,
        "created": now(),
        "digest": digest_of_state(state),
        **({"budget": dict(config.budget)} if config.budget else {}),
        **({} if config.playback is None else {"playback": config.playback}),
    }


def now() -> str:
    """The time, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
