"""Display options: how a match is shown while it is played or watched."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from games.core import Game
from runner.cli.options import complete_views
from runner.cli.output import say_json
from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.agents.spec import LoggedSeat
    from runner.film.perspective import Perspective
    from runner.match.header import MatchConfig
    from runner.match.records import ResultRecord
    from runner.screen.shared_terminal import SharedTerminal


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """Options that show a match. `view` None: everything, or what human players may know. UsageError for a conflict."""

    view: Annotated[str | None, typer.Option(autocompletion=complete_views)] = None
    speed: float | None = None
    has_thoughts: bool = False
    is_still: bool = False
    is_plain: bool = False
    has_json_events: bool = False
    is_quiet: bool = False
    as_json: bool = False

    def __post_init__(self) -> None:
        if self.as_json and self.has_json_events:
            raise UsageError(
                "--json and --json-events both write to standard output: use one of them;"
                " the last line of --json-events is the result."
            )

    def perspective(self, seats: Sequence[LoggedSeat], people: Sequence[int] = ()) -> Perspective:
        """The point of view for a match. With human players, the default shows only what all of them may know. UsageError for
        an unknown view and for one that shows a human player too much."""
        from runner.film.perspective import PUBLIC, Perspective, names_of
        from runner.screen.seat_labels import labels_of

        own = Perspective(seat=people[0]) if len(people) == 1 else Perspective()
        if self.view is None:
            return own if people else Perspective(sees_all=True)
        perspective = Perspective.of(self.view, len(seats), names_of(seats))
        if people and perspective not in (own, Perspective()):
            labels = labels_of(seats)
            names, allowed = " and ".join(labels[seat] for seat in people), f"{labels[people[0]]} or " * (len(people) == 1)
            raise UsageError(f"--view {self.view} shows more than {names} may know: use {allowed}{PUBLIC}.")
        return perspective

    def terminal(self, perspective: Perspective, budget: float | None = None) -> SharedTerminal:
        """The screens that show the match; `budget` in USD is part of the header."""
        from runner.match.match_state import Sink
        from runner.screen.shared_terminal import SharedTerminal

        sinks: list[Sink] = []
        if self.has_json_events:
            from runner.screen.transcript import JsonEvents

            sinks.append(JsonEvents(perspective, self.has_thoughts))
        if self.is_quiet:
            return SharedTerminal(sinks)
        from runner.film.pacing import NATURAL, Pacing
        from runner.film.perspective import Perspective
        from runner.screen.consoles import is_animated, narration, results
        from runner.screen.narrator import Narrator

        console, narrator = narration(), Narrator(perspective, self.has_thoughts)
        has_document = self.as_json or self.has_json_events
        has_terminal = is_animated(console) and not (self.has_json_events and sys.stdout.isatty())
        if has_terminal and not self.is_plain:
            from runner.screen.live import LiveScreen

            pacing = Pacing((0.0 if has_document else NATURAL) if self.speed is None else self.speed)
            first = Perspective() if self.view is None and perspective.sees_all else None
            live = LiveScreen(console, narrator, budget, pacing=pacing, first=first, has_motion=not self.is_still)
            return SharedTerminal([*sinks, live], live, pacing, live.viewer.comment)
        from runner.screen.transcript import PlainOutput

        lines = PlainOutput(results() if self.is_plain and not has_document else console, narrator)
        return SharedTerminal([*sinks, lines], pacing=Pacing(self.speed) if self.speed else None, comment=lines.comment)

    def print_pause(self, why: str, config: MatchConfig, log: Path, perspective: Perspective) -> None:
        """Print a paused match, with `--json` only; its seed for the perspective that sees all."""
        if self.as_json:
            setup = config.setup
            facts = {"game": config.game.name, "rules": setup.rules, "players": setup.players}
            seed = {"seed": setup.seed} if perspective.sees_all else {}
            say_json({"paused": why, "log": str(log), **facts, **seed})

    def print_result(self, game: Game, result: ResultRecord, log: Path, perspective: Perspective) -> None:
        """Print the result, the highlights that the perspective may know, the path of the log and its digest."""
        from games.highlights import eliminated, highlight_facts
        from runner.agents.spec import HUMAN
        from runner.record.decisions import highlights_of
        from runner.record.reader import end_of, read_log
        from runner.screen.consoles import narration, results
        from runner.screen.narrator import Narrator
        from runner.screen.result import print_highlights, print_log, result_screen

        end, console = end_of(log), narration()
        highlights = [] if self.is_quiet and not self.as_json else highlights_of(read_log(log), perspective.sees_all)
        if self.as_json:
            facts = {name: value for name, value in result.items() if name != "kind"}
            say_json({**facts, "highlights": highlight_facts(highlights)})
        elif not self.has_json_events:
            own = next(
                (seat for seat, one in enumerate(result["seats"]) if seat == perspective.seat and one["kind"] == HUMAN), None
            )
            results().print(result_screen(game, result, own, eliminated(highlights)))
        if not self.is_quiet:
            print_highlights(console, game, highlights, Narrator(perspective).of(result["seats"]))
        if not self.as_json:
            print_log(console, log)
        if not (self.as_json and self.is_quiet):
            console.print(f"Digest: {'' if end is None else end.digest}", soft_wrap=True)
