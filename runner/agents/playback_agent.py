"""Playback agent: gives recorded answers in their recorded order, and asks nobody."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping

from games.core import seat_name
from runner.agents.protocol import Ask, Given, Record, Report
from runner.agents.resumed import given
from runner.errors import PausedError

Attempts = list[tuple[int, Record]]
"""The attempts at a question, each with its position among all attempts of the match."""


class PlaybackOrder:
    """The order of all recorded attempts of a match, which the seats keep."""

    def __init__(self, places: Iterable[int]) -> None:
        self._left = deque(sorted(places))
        self._waiting: dict[int, asyncio.Future[None]] = {}

    async def wait(self, place: int) -> None:
        """Wait until every earlier attempt was given."""
        while self._left and self._left[0] < place:
            self._waiting[place] = asyncio.get_running_loop().create_future()
            await self._waiting[place]

    def end(self) -> None:
        """Mark the next attempt as given, and wake the seat that waits for it."""
        self._left.popleft()
        if self._left and (waiting := self._waiting.pop(self._left[0], None)):
            waiting.set_result(None)


class PlaybackAgent:
    """Gives the recorded answers to each question; when they end, the match pauses. `whole` completes a recorded attempt."""

    is_paid = False

    def __init__(
        self, recording: str, answers: Mapping[int, Attempts], whole: Callable[[Record], Record], turns: PlaybackOrder
    ) -> None:
        self._recording = recording
        self._whole = whole
        self._answers = {number: iter(attempts) for number, attempts in answers.items()}
        self._turns = turns

    async def answer(self, ask: Ask, report: Report) -> Given:
        """The next recorded answer to a question. PausedError when there is none."""
        await asyncio.sleep(0)  # the others are asked first, as they were
        for place, attempt in self._answers.get(ask.number, ()):
            await self._turns.wait(place)
            self._turns.end()
            record = self._whole(attempt)
            if record["outcome"] in ("answer", "mistake"):
                return given(record)
            await report(record)
        raise PausedError(
            f"the recording {self._recording} ends before {seat_name(ask.seat)} has answered question {ask.number}."
        )

    def remember(self, ask: Ask, attempt: Record) -> None:
        """Do nothing: recorded answers do not depend on the past."""
