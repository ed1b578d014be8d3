"""Shared programs: the running programs of a set of matches, some of which keep several matches in one process."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress

from runner.agents.program_messages import ToProgram, Wish, line_of
from runner.agents.program_process import MOST_BYTES, ErrorOutput, ProgramFailure, ProgramProcess
from runner.llm.strict_json import Unreadable, strict_value

_Key = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]


class Programs:
    """The running programs of a set of matches, by command line and variables. A process plays for one match, and for several
    once its program has said so; never for two seats of one match. `close` ends those that are left."""

    def __init__(self) -> None:
        self._running: dict[_Key, list[SharedProgram]] = {}
        self._single: set[_Key] = set()

    async def join(
        self, words: Sequence[str], environment: Mapping[str, str], errors: ErrorOutput, table: object
    ) -> ProgramPlace:
        """A place in a process for a seat of the match `table`. A program that may turn out to have room for it is waited for:
        until its first line. OSError when it cannot be started."""
        key = tuple(words), tuple(sorted(environment.items()))
        running = self._running.setdefault(key, [])
        while True:
            if (found := next((one for one in running if one.has_room(table)), None)) is not None:
                return found.place(table)
            begun = next((one for one in running if not one.is_decided.is_set()), None)
            if begun is None or key in self._single:
                break
            await begun.is_decided.wait()
            if begun.most is None:
                self._single.add(key)
        program = SharedProgram()
        running.append(program)
        place = program.place(table)
        try:
            program.process = await ProgramProcess.start(words, environment, errors)
        except BaseException:
            program.is_over = True
            program.is_decided.set()
            raise
        finally:
            running[:] = [one for one in running if not one.is_over]
        return place

    async def close(self) -> bool:
        """End all programs; whether none had to be ended by force."""
        left = [one for running in self._running.values() for one in running if not one.is_over]
        self._running.clear()
        return all(await asyncio.gather(*(one.end() for one in left)))


class SharedProgram:
    """One process and the matches that it keeps: at most `most` at once, None: its program has not said so. `worlds` is how
    many it wants with each question. `is_decided` is set once it has answered, or is over."""

    process: ProgramProcess

    def __init__(self) -> None:
        self.most: int | None = None
        self.worlds: int | None = None
        self.is_decided = asyncio.Event()
        self.is_over = False
        self._places: dict[int, ProgramPlace] = {}
        self._last, self._asked = 0, 0
        self._is_read = False
        self._came = asyncio.Event()

    def has_room(self, table: object) -> bool:
        """Whether it can take a seat of a match."""
        is_here = any(place.table is table for place in self._places.values())
        return not (self.is_over or is_here) and len(self._places) < (self.most or 0) and self.process.is_running

    def place(self, table: object) -> ProgramPlace:
        """A new place for a seat of a match."""
        self._last += 1
        self._places[self._last] = place = ProgramPlace(self, self._last, table)
        return place

    def asked(self, place: ProgramPlace) -> None:
        """Note which match was asked last: a line that names none counts for it."""
        self._asked = place.match

    async def read(self) -> None:
        """Wait until a line has come to any place. One place reads at a time, and the others hear of it."""
        if self._is_read:
            await self._came.wait()
            return
        self._is_read = True
        try:
            line = await self.process.line()
            place = self._places.get(self._match_of(line))
            if place is not None:
                place.take(line)
        finally:
            self._is_read = False
            self._came.set()
            self._came = asyncio.Event()

    def _match_of(self, line: bytes) -> int:
        if self.most is not None:
            with suppress(Unreadable):
                found = strict_value(line.decode("utf-8", "replace"))
                if isinstance(found, dict) and type(match := found.get("match")) is int and 0 < match <= self._last:
                    return match
        return self._asked

    async def leave(self, place: ProgramPlace) -> bool:
        """End a match. The process exits, unless its program keeps several. Whether it was not ended by force."""
        self._places.pop(place.match, None)
        return self.most is not None or await self.end()

    async def end(self) -> bool:
        """Have the process exit; whether it did so by itself."""
        return self._is_over_already() or await self.process.end()

    async def kill(self) -> None:
        """End the process by force, for all its matches."""
        if not self._is_over_already():
            await self.process.kill()

    def _is_over_already(self) -> bool:
        was_over, self.is_over = self.is_over, True
        self.is_decided.set()
        return was_over


class ProgramPlace:
    """The place of one match in a process, which calls it `match`."""

    def __init__(self, program: SharedProgram, match: int, table: object) -> None:
        self._program, self.match, self.table = program, match, table
        self._lines = deque[bytes]()
        self._bytes = 0

    @property
    def worlds(self) -> int | None:
        """How many worlds come with each question."""
        return self._program.worlds

    @property
    def named(self) -> int | None:
        """The match that replies have to name; None in a process for one match."""
        return None if self._program.most is None else self.match

    @property
    def may_wish(self) -> bool:
        """Whether the program may still say what it wants."""
        return not self._program.is_decided.is_set()

    def decide(self, wish: Wish | None = None) -> None:
        """Take in what the program's first line says that it wants."""
        if wish is not None:
            self._program.most, self._program.worlds = wish.matches, wish.worlds
        self._program.is_decided.set()

    def begin_answer(self) -> None:
        """Count the bytes for another answer from here on."""
        self._bytes = sum(map(len, self._lines))
        self._program.process.begin_answer()
        self._program.asked(self)

    def send(self, message: ToProgram) -> None:
        """Write a message, with the number of the match if there can be others."""
        if self.named is not None:
            message["match"] = self.named
        self._program.process.send(line_of(message))

    def take(self, line: bytes) -> None:
        """Keep a line that is for this match. ProgramFailure for more than an answer can have."""
        self._lines.append(line)
        self._bytes += len(line)
        if self._bytes > MOST_BYTES:
            raise ProgramFailure("flood", f"wrote more than {MOST_BYTES:,} bytes for one answer")

    async def line(self) -> bytes:
        """The next complete line for this match. ProgramFailure when none will come."""
        while not self._lines:
            await self._program.read()
        return self._lines.popleft()

    async def leave(self) -> bool:
        """End the match, and the process if it keeps no others; whether that did not need force."""
        return await self._program.leave(self)

    async def kill(self) -> None:
        """End the process by force."""
        await self._program.kill()

    def take_left(self) -> str:
        """What the program has started that could not be ended, once."""
        left, self._program.process.left = self._program.process.left, ""
        return left
