"""Display options: how a match is shown while it is played or watched."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from games.core import Game, seat_name
from runner.cli.completion import complete_views
from runner.cli.output import say_json
from runner.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from runner.match.config import MatchConfig
    from runner.match.records import ResultRecord
    from runner.screen.pacing import Pacing
    from runner.screen.perspective import Perspective
    from runner.screen.shared_terminal import SharedTerminal

View = Annotated[
    str,
    typer.Option(
        "--view",
        help="Point of view: all, public, or a seat such as P-2.",
        metavar="all|public|P-n",
        autocompletion=complete_views,
    ),
]
Thoughts = Annotated[
    bool,
    typer.Option("--thoughts", help="Show each model's reasoning; a seat's view shows only its own, the public view none."),
]


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """Options that show a match. `view` None: everything, or what human players may know. UsageError for a conflict."""

    view: Annotated[
        str | None,
        typer.Option(
            "--view",
            help="Point of view: all, public, or a seat such as P-2. [default: all; with human players, theirs]",
            metavar="all|public|P-n",
            autocompletion=complete_views,
        ),
    ] = None
    speed: Annotated[
        float | None,
        typer.Option(
            "--speed",
            help="Seconds that each step is shown. [default: about 1 an event on a terminal, else 0]",
            metavar="SECONDS",
        ),
    ] = None
    has_thoughts: Thoughts = False
    is_plain: Annotated[
        bool,
        typer.Option("--plain", help="Print one line per event on standard output: for screen readers and grep."),
    ] = False
    has_json_events: Annotated[
        bool, typer.Option("--json-events", help="Print every event as it happens, one JSON object per line.")
    ] = False
    is_quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only the result.")] = False
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as one JSON document.")] = False

    def __post_init__(self) -> None:
        if self.speed is not None and self.speed < 0:
            raise UsageError(f"--speed {self.speed}: expected 0 or more seconds.")
        if self.as_json and self.has_json_events:
            raise UsageError(
                "--json and --json-events both write to standard output: use one of them;"
                " the last line of --json-events is the result."
            )

    def perspective(self, players: int, people: Sequence[int] = ()) -> Perspective:
        """The point of view for a match. With human players, the default shows only what all of them may know.

        UsageError for an unknown view and for one that shows a human player too much.
        """
        from runner.screen.perspective import PUBLIC, Perspective

        own = Perspective(seat=people[0]) if len(people) == 1 else Perspective()
        if self.view is None:
            return own if people else Perspective(sees_all=True)
        perspective = Perspective.of(self.view, players)
        if people and perspective not in (own, Perspective()):
            names, allowed = " and ".join(map(seat_name, people)), " or ".join(dict.fromkeys((own.name, PUBLIC)))
            raise UsageError(f"--view {self.view} shows more than {names} may know: use {allowed}.")
        return perspective

    def terminal(self, perspective: Perspective, budget: float | None = None) -> SharedTerminal:
        """The screens that show the match; `budget` in USD is part of the header."""
        from runner.match.events import Sink
        from runner.screen.shared_terminal import SharedTerminal

        sinks: list[Sink] = []
        if self.has_json_events:
            from runner.screen.json_events import JsonEvents

            sinks.append(JsonEvents(perspective, self.has_thoughts))
        if self.is_quiet:
            return SharedTerminal(sinks)
        from runner.screen.consoles import is_animated, narration
        from runner.screen.narrator import Narrator

        console, narrator = narration(), Narrator(perspective, self.has_thoughts)
        has_terminal = is_animated(console) and not (self.has_json_events and sys.stdout.isatty())
        if has_terminal and not self.is_plain:
            from runner.screen.live import LiveScreen

            live = LiveScreen(console, narrator, budget=budget)
            return SharedTerminal([*sinks, live], live, self._live_pacing(perspective))
        from runner.screen.pacing import Pacing
        from runner.screen.plain_output import PlainOutput

        lines = PlainOutput(self._console_of_lines(), narrator)
        return SharedTerminal([*sinks, lines], pacing=Pacing(self.speed) if self.speed else None)

    def _live_pacing(self, perspective: Perspective) -> Pacing:
        from runner.screen.pacing import NATURAL, Pacing, natural_weight

        if self.speed is not None:
            return Pacing(self.speed)
        return Pacing(0.0 if self.as_json or self.has_json_events else NATURAL, natural_weight(perspective))

    def _console_of_lines(self) -> Console:
        """Standard output for `--plain`, unless that carries a document."""
        from runner.screen.consoles import narration, results

        return results() if self.is_plain and not (self.as_json or self.has_json_events) else narration()

    def print_pause(self, why: str, config: MatchConfig, log: Path, perspective: Perspective) -> None:
        """Print a paused match, with `--json` only; its seed for the perspective that sees all."""
        if self.as_json:
            setup = config.setup
            facts = {"game": config.game.name, "rules": setup.rules, "players": setup.players}
            seed = {"seed": setup.seed} if perspective.sees_all else {}
            say_json({"paused": why, "log": str(log), **facts, **seed})

    def print_result(self, game: Game, result: ResultRecord, log: Path, perspective: Perspective) -> None:
        """Print the result, the highlights that the perspective may know, the path of the log and its digest."""
        from runner.record.highlights import highlights_of
        from runner.record.log_end import end_of
        from runner.record.reader import read_log
        from runner.screen.consoles import narration, results
        from runner.screen.highlight_list import highlight_facts, highlight_lines
        from runner.screen.narrator import Narrator
        from runner.screen.result import log_lines, result_screen
        from runner.screen.seat_labels import labels_of_records

        end, console = end_of(log), narration()
        highlights = [] if self.is_quiet and not self.as_json else highlights_of(read_log(log), perspective.sees_all)
        if self.as_json:
            facts = {name: value for name, value in result.items() if name != "kind"}
            say_json({**facts, "highlights": highlight_facts(highlights)})
        elif not self.has_json_events:
            results().print(result_screen(game, result))
        if not self.is_quiet:
            narrator = Narrator(perspective, labels=labels_of_records(result["seats"]))
            for line in highlight_lines(game, highlights, narrator):
                console.print(line, soft_wrap=not console.is_terminal)
        if not self.as_json:
            for text in log_lines(log, console.is_terminal):
                console.print(text, soft_wrap=True)
        if not (self.as_json and self.is_quiet):
            console.print(f"Digest: {'' if end is None else end.digest}", soft_wrap=True)


@dataclass(frozen=True, slots=True)
class WatchDisplayOptions(DisplayOptions):
    """Display options of a match that another process plays."""

    view: View = "all"
