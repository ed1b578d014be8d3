"""Untold events: what has happened that a seat may know of, kept until its next question or the end of the match."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence

from games.core import Event
from runner.agents.protocol import Agent, OutsideAgent
from runner.agents.talk import MOST_LINES, TalkLine
from runner.match.records import ResultRecord


class UntoldEvents:
    """The events of each seat since its last question, and the last lines of table talk, which all seats have heard."""

    def __init__(self, seats: int) -> None:
        self._untold: list[list[Event]] = [[] for _ in range(seats)]
        self._talk: deque[TalkLine] = deque(maxlen=MOST_LINES)

    @property
    def talk(self) -> tuple[TalkLine, ...]:
        """The last lines of talk, oldest first."""
        return tuple(self._talk)

    def add_talk(self, seat: int, text: str) -> None:
        """Keep a line of talk for every seat."""
        self._talk.append(said := TalkLine(seat, text))
        self.add([said.event])

    def add(self, events: Iterable[Event]) -> None:
        """Keep events for the seats that may know of them."""
        for event in events:
            for seat, untold in enumerate(self._untold):
                if event.audience is None or seat in event.audience:
                    untold.append(event)

    def take(self, seat: int) -> tuple[Event, ...]:
        """The events of a seat, which are told with this call."""
        told, self._untold[seat] = tuple(self._untold[seat]), []
        return told

    async def end(self, agents: Sequence[Agent], result: ResultRecord | None) -> None:
        """Tell agents outside this process the rest and the result, and have them end, all at the same time."""
        record = None if result is None else dict(result)
        outside = [(seat, agent) for seat, agent in enumerate(agents) if isinstance(agent, OutsideAgent)]
        ended = await asyncio.gather(*(agent.end(self.take(seat), record) for seat, agent in outside), return_exceptions=True)
        for error in ended:
            if error is not None:
                raise error
