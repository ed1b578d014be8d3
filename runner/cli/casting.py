"""Casting: the caster that `--caster` names, and its comments on a log."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from runner.cli.command_environment import load_environment
from runner.cli.options import UsdBudget
from runner.errors import AccountError, UsageError
from runner.film.perspective import Perspective
from runner.record.reader import Log, read_sound_part
from runner.screen.consoles import print_note
from runner.screen.safe_text import clean
from runner.screen.transcript import Comments

if TYPE_CHECKING:
    from runner.llm.client import Client
    from runner.match.header import HeaderRecord
    from runner.screen.shared_terminal import SharedTerminal
    from runner.workshop.caster import Caster

_BUDGET, _TOKENS = 0.05, 100_000
"""USD, unless another budget is named, and tokens, for models that do not say what they cost."""
_PATIENCE = 60.0
"""Seconds that a text without a screen waits for its comments."""
_AT_END = 10.0
"""Seconds that lines wait after the end of a match."""


@dataclass(frozen=True, slots=True)
class CasterOptions:
    """A model that comments on highlights, and what it may cost."""

    caster: str | None = None
    budget: UsdBudget = None

    def client(self) -> Client:
        """The client of the caster, with its budget."""
        from runner.llm.budget import Budget
        from runner.session.session import new_client

        return new_client(Budget(self.budget or _BUDGET, _TOKENS), 0, 0.0)

    def check(self, is_shown: bool = True) -> None:
        """UsageError where there is nothing to comment on, or no caster for the budget."""
        if self.caster is None and self.budget is not None:
            raise UsageError("--budget is for the caster: add --caster SPEC.")
        if self.caster is not None and not is_shown:
            raise UsageError("--caster comments on one match that is shown to people: omit it.")

    def named(self, header: HeaderRecord, perspective: Perspective) -> Caster | None:
        """The caster; None where none is named, and, as a note says, for one that lacks its key."""
        if self.caster is None:
            return None
        from runner.workshop.caster import Caster

        try:
            return Caster(self.caster, load_environment(), header, perspective)
        except AccountError as error:
            print_note(f"Note: there is no caster. {clean(error.why, 2000)}")
            return None

    def comments(self, log: Log, perspective: Perspective, after: int = 0) -> Comments:
        """The comments on a log by decision, once all are there."""
        if (caster := self.named(log.header, perspective)) is None:
            return {}
        with suppress(TimeoutError):
            asyncio.run(asyncio.wait_for(self._ask(caster, log, after), _PATIENCE))
        say_why(caster)
        return caster.comments

    @contextmanager
    def coming(self, path: Path, view: str) -> Iterator[Comments]:
        """The same of a log in a file while they come: they are asked for in the background."""
        log = None if self.caster is None else read_sound_part(path)
        caster = None if log is None else self.named(log.header, Perspective.of_header(view, log.header))
        if log is None or caster is None:
            yield {}
            return
        threading.Thread(target=asyncio.run, args=[self._ask(caster, log)], daemon=True).start()
        yield caster.comments
        say_why(caster)

    @asynccontextmanager
    async def live(self, header: HeaderRecord, perspective: Perspective, terminal: SharedTerminal) -> AsyncIterator[None]:
        """Comment on what a terminal shows. Lines without a screen wait a little for what was asked last."""
        if (caster := self.named(header, perspective)) is None:
            yield
            return
        from runner.workshop.caster import LiveComments

        async with self.client() as client:
            comments = LiveComments(caster, client, terminal.comment)
            terminal.sinks.append(comments)
            try:
                yield
                await comments.finish(_AT_END if terminal.keeps_lines else 0.0)
            finally:
                comments.stop()
        say_why(caster)

    async def _ask(self, caster: Caster, log: Log, after: int = 0) -> None:
        async with self.client() as client:
            await caster.comment(client, *caster.moments(log, after))


UNCAST = CasterOptions()


def say_why(caster: Caster) -> None:
    """Say why a caster has stopped."""
    if caster.why:
        print_note(f"Note: the caster has stopped: {clean(caster.why, 2000)}")
