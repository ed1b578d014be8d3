"""Seats whose answers are recorded, every one of them, in the order in which they came."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Mapping

from games.core import seat_name
from runner.agents.protocol import Ask, Given, Record, Report
from runner.agents.resumed import given
from runner.errors import PausedError

Attempts = list[tuple[int, Record]]
"""The attempts at a question, each with its place among all attempts of the match."""


class Turns:
    """Lets the seats of a match give what is recorded of them one after the other, as it was recorded."""

    def __init__(self, places: Iterable[int]) -> None:
        self._left = deque(sorted(places))
        self._waiting: dict[int, asyncio.Future[None]] = {}

    async def wait(self, place: int) -> None:
        """Wait until everything before this place has been given."""
        while self._left and self._left[0] < place:
            self._waiting[place] = asyncio.get_running_loop().create_future()
            await self._waiting[place]

    def end(self) -> None:
        """What was next has been given; whoever waits for that goes on once this seat waits for something."""
        self._left.popleft()
        if self._left and (waiting := self._waiting.pop(self._left[0], None)):
            waiting.set_result(None)


class PlayedBackAgent:
    """Gives the recorded answers to each question, as they were given; nobody is asked when they end."""

    is_paid = False

    def __init__(self, recording: str, answers: Mapping[int, Attempts], turns: Turns) -> None:
        self._recording = recording
        self._answers = {number: iter(attempts) for number, attempts in answers.items()}
        self._turns = turns

    async def answer(self, ask: Ask, report: Report) -> Given:
        """The next recorded answer to a question. PausedError when there is none."""
        await asyncio.sleep(0)  # the others are asked first, as they were
        for place, record in self._answers.get(ask.number, ()):
            await self._turns.wait(place)
            self._turns.end()
            if record["outcome"] in ("answer", "mistake"):
                return given(record)
            await report(record)
        raise PausedError(
            f"the recording {self._recording} ends before {seat_name(ask.seat)} has answered question {ask.number}."
        )

    def remember(self, ask: Ask, attempt: Record) -> None:
        """What is recorded is given whatever came before."""
