"""A match as it is played, for programs: one JSON object a line."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from games.core import Action, Event, State, seat_name
from runner.match.watcher import Watched, Watcher
from runner.screen.perspective import Perspective
from runner.screen.thoughts import thoughts

_ATTEMPT = ("outcome", "strike", "try", "latency", "charged")
_ATTEMPT_OF_OWN = ("what", "why", "answer")
_LONGEST = 20_000


class JsonEvents(Watcher):
    """Gives each thing that happens as one line to `say`, as far as the perspective may know it."""

    def __init__(self, perspective: Perspective, has_thoughts: bool, say: Callable[[str], None] | None = None) -> None:
        self._perspective = perspective
        self._has_thoughts = has_thoughts
        self._say_line = say or _print

    async def begun(self, match: Watched) -> None:
        """`begun`: what is played, who sits where, where the match stands."""
        setup, state = match.config.setup, match.state
        seats = [{"seat": seat_name(at), "name": seat.name, "kind": seat.kind} for at, seat in enumerate(match.config.seats)]
        facts = {"game": match.config.game.name, "rules": setup.rules, "players": setup.players, "seed": setup.seed}
        self._say("begun", **facts, seats=seats, view=self._perspective.name, round=state.round, phase=state.phase.name)

    async def asked(self, seat: int, number: int) -> None:
        """`asked`: a seat thinks from here on."""
        self._say("asked", seat=seat_name(seat), question=number)

    async def attempted(self, seat: int, record: dict[str, Any]) -> None:
        """`attempt`: an answer, one that did not count, or none delivered."""
        reads = self._perspective.reads(seat)
        names = (*_ATTEMPT, *_ATTEMPT_OF_OWN) if reads else _ATTEMPT
        facts = {name: record[name] for name in names if record.get(name) is not None}
        usage = (record.get("reply") or {}).get("usage") or {}
        tokens = {name: usage[name] for name in ("prompt_tokens", "completion_tokens") if name in usage}
        thought = thoughts(record)[:_LONGEST] if self._has_thoughts and reads else ""
        self._say("attempt", seat=seat_name(seat), **facts, **tokens, **({"thoughts": thought} if thought else {}))

    async def decided(self, seat: int, action: Action | None, how: str) -> None:
        """`decided`: with the action for those who may read the seat's answers."""
        is_told = action is not None and how != "moot" and self._perspective.reads(seat)
        self._say("decided", seat=seat_name(seat), how=how, **({"action": action.to_json()} if is_told and action else {}))

    async def moved(self, state: State, events: tuple[Event, ...]) -> None:
        """`told`: one line for each event of the game that the perspective hears of."""
        where = {"round": state.round, "phase": state.phase.name}
        for event in self._perspective.visible_events(events):
            only = {} if event.audience is None else {"only": [seat_name(seat) for seat in event.audience]}
            self._say("told", kind=event.kind, text=event.text, data=event.data, **only, **where)

    async def paused(self, why: str) -> None:
        """`paused`: the match can be resumed."""
        self._say("paused", why=why)

    async def ended(self, result: dict[str, Any]) -> None:
        """`ended`: the result; how each seat played is for those who see all."""
        hidden = set() if self._perspective.sees_all else {"measures"}
        seats = [{name: value for name, value in seat.items() if name not in hidden} for seat in result["seats"]]
        self._say("ended", result={**{name: value for name, value in result.items() if name != "kind"}, "seats": seats})

    def _say(self, event: str, **facts: Any) -> None:
        self._say_line(json.dumps({"event": event, **facts}))


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
