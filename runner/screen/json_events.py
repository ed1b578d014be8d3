"""JSON events: a match while it is played, for programs, as one JSON object a line."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence

from games.core import Event, Remark, State, seat_name
from runner.match.events import MatchEvent, MatchView
from runner.match.records import AttemptRecord, DecisionRecord, QuestionRecord, ResultRecord
from runner.record.highlights import remarks_on
from runner.screen.perspective import Perspective
from runner.screen.thoughts import thoughts

_ATTEMPT = ("outcome", "strike", "try", "latency", "charged")
_ATTEMPT_OF_OWN = ("what", "why", "answer")
_LONGEST = 20_000


class JsonEvents:
    """Sink that hands `write` one line for each thing that the perspective may know."""

    def __init__(self, perspective: Perspective, has_thoughts: bool, write: Callable[[str], None] | None = None) -> None:
        self._perspective = perspective
        self._has_thoughts = has_thoughts
        self._write_line = write or _print

    async def emit(self, event: MatchEvent) -> None:
        """Write the lines of an event."""
        record = event.record
        match record["kind"]:
            case "header" | "resumed":
                self._begun(event.match)
            case "question":
                self._asked(record)
            case "attempt":
                self._attempt(record)
            case "decision":
                self._decided(record)
            case "talk":
                self._write("talk", seat=seat_name(record["seat"]), text=record["text"])
            case "moot":
                self._write("decided", seat=seat_name(record["seat"]), how="moot")
            case "pause":
                self._write("paused", why=record["why"])
            case "result":
                self._ended(record)
        self._told(event.match.state, event.events)

    def _begun(self, match: MatchView) -> None:
        """`begun`: what is played, who sits where, the round and phase; the seed for the perspective that sees all."""
        setup, state = match.config.setup, match.state
        seats = [{"seat": seat_name(at), "name": seat.name, "kind": seat.kind} for at, seat in enumerate(match.config.seats)]
        facts = {"game": match.config.game.name, "rules": setup.rules, "players": setup.players}
        seed = {"seed": setup.seed} if self._perspective.sees_all else {}
        self._write(
            "begun", **facts, **seed, seats=seats, view=self._perspective.name, round=state.round, phase=state.phase.name
        )

    def _asked(self, record: QuestionRecord) -> None:
        """`asked`: only for a seat whose answers the perspective may read. A seat with one legal answer is not asked."""
        number = {"question": record["question"]} if self._perspective.sees_all else {}
        if self._perspective.reads(record["seat"]):
            self._write("asked", seat=seat_name(record["seat"]), **number)

    def _attempt(self, record: AttemptRecord) -> None:
        """`attempt`: an answer, if the perspective may read it; an invalid one, or none delivered."""
        reads = self._perspective.reads(record["seat"])
        if record["outcome"] == "answer" and not reads:
            return
        names = (*_ATTEMPT, *_ATTEMPT_OF_OWN) if reads else _ATTEMPT
        counts = {"strike": 0} if record["outcome"] in ("answer", "mistake") else {}
        given: Mapping[str, object] = {**counts, **record}
        facts = {name: value for name in names if (value := given.get(name)) is not None}
        usage = (record.get("reply") or {}).get("usage") or {}
        facts |= {name: usage[name] for name in ("prompt_tokens", "completion_tokens") if name in usage}
        if self._has_thoughts and reads and (thought := thoughts(record)[:_LONGEST]):
            facts["thoughts"] = thought
        self._write("attempt", seat=seat_name(record["seat"]), **facts)

    def _decided(self, record: DecisionRecord) -> None:
        """`decided`: with the action, if the perspective may read the seat's answers."""
        is_known = record["action"] is not None and self._perspective.reads(record["seat"])
        action = {"action": record["action"]} if is_known else {}
        self._write("decided", seat=seat_name(record["seat"]), how=self._perspective.how(record), **action)

    def _told(self, state: State, events: tuple[Event, ...]) -> None:
        """`told`: one line for each event of the game that the perspective may know."""
        where = {"round": state.round, "phase": state.phase.name}
        for event, remarks in self._perspective.visible_remarks(events, remarks_on(state, events)):
            only = {} if event.audience is None else {"only": [seat_name(seat) for seat in event.audience]}
            self._write("told", kind=event.kind, text=event.text, data=event.data, **_remarked(remarks), **only, **where)

    def _ended(self, result: ResultRecord) -> None:
        """`ended`: the result; measures of play only for the perspective that sees all."""
        hidden = set() if self._perspective.sees_all else {"measures"}
        seats = [{name: value for name, value in seat.items() if name not in hidden} for seat in result["seats"]]
        self._write("ended", result={**{name: value for name, value in result.items() if name != "kind"}, "seats": seats})

    def _write(self, event: str, **facts: object) -> None:
        self._write_line(json.dumps({"event": event, **facts}))


def _remarked(remarks: Sequence[Remark]) -> dict[str, list[dict[str, str]]]:
    found = [{"text": remark.text, "kind": remark.kind} for remark in remarks]
    return {"remarks": found} if found else {}


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
