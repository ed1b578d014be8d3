"""After a match: what the people who played it are told of their decisions, and what their keys do next."""

import asyncio
import signal
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from rich.text import Text

from games.core import as_told, seat_name
from games.core.sentence import Sentence
from runner.agents.spec import Human
from runner.cli.named_people import with_consent
from runner.errors import TabletopError
from runner.interrupts import STOP, on_signals
from runner.record.decisions import decision_at
from runner.record.notes import keep_note
from runner.record.reader import read_log
from runner.review.costliest import Costliest, again_of, costliest, story_of
from runner.review.review_document import SeatEntry
from runner.screen.consoles import narration, print_note
from runner.screen.keys import keys_of, meaning
from runner.screen.line_breaks import hanging
from runner.screen.line_input import LineInput, line_input
from runner.screen.palette import QUIET
from runner.screen.result import costliest_line
from runner.screen.seat_labels import labels_of
from runner.session.match_spec import ReadyMatch, ready
from runner.session.session import Forked, Source, new_fork_path, new_log_path
from runner.worker_processes import ProcessPool

_SECONDS, _IN_PIPES, _LATE = 5.0, 1.0, 10.0
"""Seconds of grading on a terminal and elsewhere, and those that its process may take beside them."""

Next = tuple[ReadyMatch, Source]
"""A match that is played next."""
_Graded = tuple[Costliest | None, tuple[SeatEntry, list[Sentence]] | None, Sentence | None]
"""The costliest decision of a seat, its figures with what is told of them, and the decision that was made again in a fork."""


def after_match(match: ReadyMatch, log: Path) -> Next | None:
    """Print the costliest decision of each person in the match of a log, on a terminal with keys for what comes next: the match
    that they choose to play; None to leave. Elsewhere nothing waits for a key, and Ctrl-C ends the grading."""
    console = narration()
    with line_input(console) as lines:
        is_at_terminal = lines.is_interactive and console.is_terminal
    if not is_at_terminal:
        with suppress(KeyboardInterrupt, TabletopError):
            found = read_log(log)
            _print([(costliest(found, seat, _IN_PIPES), None, None) for seat in match.people], match)
        return None
    end = _End(match, log)
    while (key := asyncio.run(end.key())) is not None:
        with suppress(KeyboardInterrupt, EOFError):
            try:
                chosen: Next | None = act() if (act := meaning(end, keys_of("after"), key)) else None
                if chosen is not None:
                    return chosen
            except TabletopError as error:
                print_note(error.sentence)
    return None


def _graded(log: Path, seat: int) -> _Graded:
    until, known = time.monotonic() + _SECONDS, read_log(log)
    return costliest(known, seat, _SECONDS), story_of(known, seat, until), again_of(known, seat)


def _print(found: Sequence[_Graded], match: ReadyMatch) -> None:
    labels, is_alone = labels_of(match.config.seats), len(match.people) == 1
    for seat, (worst, story, again) in zip(match.people, found, strict=False):
        who, you = ("", seat) if is_alone else (labels[seat], None)
        told = [] if worst is None else [costliest_line(worst, labels, you, who)]
        more = (story[1] if story else []) + ([again] if again else [])
        told += [Text(as_told(one, labels, you)) for one in more]
        for line in told:
            narration().print(hanging(line), soft_wrap=not narration().is_terminal)


async def _typed(lines: LineInput, prompt: str, keys: Sequence[str], ignored: Sequence[str] = ()) -> str | None:
    """The next of these keys that is typed; None to leave."""
    lines.forget()
    while (typed := (await lines.read(prompt, (*keys, "q"))).strip()) not in keys:
        if typed in ("", "q") and typed not in ignored:
            return None
    return typed


@dataclass(slots=True)
class _End:
    """The end of a match at a terminal. `worst` is the costliest decision of all people."""

    match: ReadyMatch
    log: Path
    is_graded: bool = False
    worst: Costliest | None = None

    async def key(self) -> str | None:
        """The next key of a person, after their decisions are graded; None when they leave, by Ctrl-C too."""
        task = asyncio.current_task()
        assert task is not None
        on_signals(task.cancel, *STOP, signal.SIGHUP)
        with suppress(asyncio.CancelledError, EOFError), line_input(narration()) as lines:
            if not self.is_graded and not await self._grade(lines):
                return None
            shown = [one for one in keys_of("after") if one.method != "retry" or self.worst]
            narration().print(hanging(Text(" · ".join(f"{one.shown} {one.words}" for one in shown), QUIET)))
            return await _typed(lines, "-- Enter: leave -- ", [one.keys for one in shown])
        return None

    async def _grade(self, lines: LineInput) -> bool:
        """Print the costliest decisions; False when the person leaves meanwhile."""
        self.is_graded, work = True, partial(_graded, self.log)
        with closing(ProcessPool(len(self.match.people))) as pool:
            grading = asyncio.gather(*(asyncio.wrap_future(pool.submit(work, seat)) for seat in self.match.people))
            leaving = asyncio.ensure_future(_typed(lines, "Grading your decisions; q: leave ", ("q",), ignored=("",)))
            both: set[asyncio.Future[Any]] = {grading, leaving}
            try:
                done, _ = await asyncio.wait(both, timeout=_SECONDS + _LATE, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for one in both:
                    one.cancel()
                await asyncio.gather(*both, return_exceptions=True)
            if leaving in done:
                return False
            with suppress(TabletopError):
                found = grading.result() if grading in done else []
                _print(found, self.match)
                faults = [one for one, *_ in found if one is not None and "worst" in one]
                self.worst = max(faults, key=lambda one: one["worst"]["entry"]["given_up"], default=None)
        return True

    def review(self) -> None:
        """Show the review of the match, of the seat of a single person."""
        from runner.cli.review import review

        people = self.match.people
        review([self.log], seat=seat_name(people[0]) if len(people) == 1 else None)

    def replay(self) -> None:
        """Step through the match, from before the costliest decision on."""
        from runner.cli.replay import replay

        replay(self.log, at=self.worst["worst"]["entry"]["decision"] - 1 if self.worst else 0)

    def note(self) -> None:
        """Keep a note at the costliest decision, or else at the last one."""
        worst, last = self.worst, sum(1 for _ in read_log(self.log).of_kind("decision"))
        number = worst["worst"]["entry"]["decision"] if worst else last
        keep_note(self.log, number, narration().input(f"Note at decision {number}: ", markup=False).strip())

    def write_page(self) -> None:
        from runner.cli.export import export

        export(self.log, html=True)

    def begin_again(self) -> Next:
        """The same match with new cards."""
        match, called = self.match, [seat.called for seat in self.match.config.seats]
        seats = tuple(replace(seat, name=name) for seat, name in zip(match.spec.seats, called, strict=True))
        spec = match.spec.model_copy(update={"seed": None, "seats": seats})
        again = ready(spec, match.environment, asks=(Human,), functions=match.functions, pack=match.pack)
        return with_consent(again), Source(new_log_path(match.config.game, self.log.parent))

    def retry(self) -> Next:
        """The match from the costliest decision on, which is asked for again."""
        assert self.worst is not None
        log, number = read_log(self.log), self.worst["worst"]["entry"]["decision"]
        return self.match, Forked(new_fork_path(self.log, number), log, decision_at(log, number), None, self.match)
