"""Shared programs: the running programs of a set of matches, some of which keep several matches in one process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from runner.agents.program_process import ErrorOutput, ProgramPlace, ProgramProcess

_Key = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]


class Programs:
    """The running programs of a set of matches, by command line and variables. A process plays for one match, and for several
    once its program has said so; never for two seats of one match. `close` ends those that are left."""

    def __init__(self) -> None:
        self._running: dict[_Key, list[ProgramProcess]] = {}
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
                return ProgramPlace(found, table)
            begun = next((one for one in running if not one.is_decided.is_set()), None)
            if begun is None or key in self._single:
                break
            await begun.is_decided.wait()
            if begun.most is None:
                self._single.add(key)
        process = ProgramProcess(errors)
        running.append(process)
        place = ProgramPlace(process, table)
        try:
            await process.start(words, environment)
        except BaseException:
            process.forget()
            raise
        finally:
            running[:] = [one for one in running if not one.is_over]
        return place

    async def close(self) -> bool:
        """End all programs; whether none had to be ended by force."""
        left = [one for running in self._running.values() for one in running]
        self._running.clear()
        return all(await asyncio.gather(*(one.end() for one in left)))
