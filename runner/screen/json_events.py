"""JSON events: a match while it is played, for programs, as one JSON object a line."""

import json
import sys
from collections.abc import Callable, Iterator

from games.core import Event, State, seat_name
from games.highlights import remarks_on
from runner.film.perspective import Perspective
from runner.match.match_state import MatchEvent, MatchState
from runner.match.records import AttemptRecord
from runner.screen.narrator import thoughts

_ATTEMPT = ("outcome", "strike", "try", "latency", "charged")
_ATTEMPT_OF_OWN = ("what", "why", "answer")
_LONGEST = 20_000


_Facts = dict[str, object]


class JsonEvents:
    """Sink that hands `write` one line for each thing that the perspective may know."""

    def __init__(self, perspective: Perspective, has_thoughts: bool, write: Callable[[str], None] | None = None) -> None:
        self._perspective, self._has_thoughts, self._write = perspective, has_thoughts, write or _print

    async def emit(self, event: MatchEvent) -> None:
        """Write the lines of an event."""
        for name, facts in (*self._of_record(event), *self._told(event.match.state, event.events)):
            self._write(json.dumps({"event": name, **facts}))

    def _of_record(self, event: MatchEvent) -> Iterator[tuple[str, _Facts]]:
        """What a record tells. A seat with one legal answer is not asked; only those who may read a seat know its answers."""
        record, sees_all = event.record, self._perspective.sees_all
        match record["kind"]:
            case "header" | "resumed":
                yield "begun", self._begun(event.match)
            case "question" if self._perspective.reads(record["seat"]):
                yield "asked", {"seat": seat_name(record["seat"])} | ({"question": record["question"]} if sees_all else {})
            case "attempt" if record["outcome"] != "answer" or self._perspective.reads(record["seat"]):
                yield "attempt", self._attempt(record)
            case "decision":
                is_known = record["action"] is not None and self._perspective.reads(record["seat"])
                facts: _Facts = {"seat": seat_name(record["seat"]), "how": self._perspective.how(record)}
                yield "decided", facts | ({"action": record["action"]} if is_known else {})
            case "talk":
                yield "talk", {"seat": seat_name(record["seat"]), "text": record["text"]}
            case "moot":
                yield "decided", {"seat": seat_name(record["seat"]), "how": "moot"}
            case "pause":
                yield "paused", {"why": record["why"]}
            case "result":
                hidden = () if sees_all else ("measures",)
                seats = [{name: value for name, value in seat.items() if name not in hidden} for seat in record["seats"]]
                yield "ended", {"result": {name: value for name, value in record.items() if name != "kind"} | {"seats": seats}}

    def _begun(self, match: MatchState) -> _Facts:
        setup, state = match.config.setup, match.state
        facts: _Facts = {"game": match.config.game.name, "rules": setup.rules, "players": setup.players}
        facts |= {"seed": setup.seed} if self._perspective.sees_all else {}
        seats = [{"seat": seat_name(at), "name": seat.name, "kind": seat.kind} for at, seat in enumerate(match.config.seats)]
        return {**facts, "seats": seats, "view": self._perspective.name, "round": state.round, "phase": state.phase.name}

    def _attempt(self, record: AttemptRecord) -> _Facts:
        reads = self._perspective.reads(record["seat"])
        names = (*_ATTEMPT, *_ATTEMPT_OF_OWN) if reads else _ATTEMPT
        facts: _Facts = {name: value for name in names if (value := record.get(name)) is not None}
        usage = (record.get("reply") or {}).get("usage") or {}
        facts |= {name: usage[name] for name in ("prompt_tokens", "completion_tokens") if name in usage}
        if self._has_thoughts and reads and (thought := thoughts(record)[:_LONGEST]):
            facts["thoughts"] = thought
        return {"seat": seat_name(record["seat"]), **facts}

    def _told(self, state: State, events: tuple[Event, ...]) -> Iterator[tuple[str, _Facts]]:
        for event, remarks in self._perspective.visible_remarks(events, remarks_on(state, events)):
            facts: _Facts = {"kind": event.kind, "text": event.text, "data": event.data}
            if remarks:
                facts["remarks"] = [{"text": remark.text, "kind": remark.kind} for remark in remarks]
            if event.audience is not None:
                facts["only"] = [seat_name(seat) for seat in event.audience]
            yield "told", {**facts, "round": state.round, "phase": state.phase.name}


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
