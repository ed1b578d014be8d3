"""How a match is shown while it is played or watched: the options that verbs share, and who looks on."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from games.core import Game, seat_name
from runner.cli.completion import views_named
from runner.cli.output import say_json
from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.match.config import MatchConfig
    from runner.match.records import ResultRecord
    from runner.screen.scene import Perspective
    from runner.screen.shared_terminal import SharedTerminal

OwnView = Annotated[
    str | None,
    typer.Option(
        "--view",
        help="Whose eyes: all, public, or a seat such as P-2. [default: all; where people play, theirs]",
        metavar="all|public|P-n",
        autocompletion=views_named,
    ),
]
View = Annotated[
    str,
    typer.Option(
        "--view", help="Whose eyes: all, public, or a seat such as P-2.", metavar="all|public|P-n", autocompletion=views_named
    ),
]
Speed = Annotated[float, typer.Option("--speed", help="Seconds to wait after every step.", metavar="SECONDS")]
Thoughts = Annotated[bool, typer.Option("--thoughts", help="Tell what players say they thought, as far as the view may know.")]
Plain = Annotated[bool, typer.Option("--plain", help="One line an event, on a terminal too: for screen readers and grep.")]
JsonLines = Annotated[
    bool, typer.Option("--json-events", help="What happens on standard output, one JSON object a line, as it happens.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No narration, only the result.")]
AsJson = Annotated[bool, typer.Option("--json", help="The result as one JSON document.")]


@dataclass(frozen=True, slots=True)
class Showing:
    """How a match is shown: whose eyes (None: as many as may look), seconds a step, and the switches.

    UsageError for those that do not go together.
    """

    view: str | None = None
    speed: float = 0.0
    is_quiet: bool = False
    as_json: bool = False
    is_plain: bool = False
    has_thoughts: bool = False
    has_json_events: bool = False

    def __post_init__(self) -> None:
        if self.speed < 0:
            raise UsageError(f"--speed {self.speed}: it is a number of seconds, 0 or more.")
        if self.as_json and self.has_json_events:
            raise UsageError(
                "--json and --json-events both want standard output: give one; the last of --json-events is the result."
            )

    def perspective(self, players: int, people: Sequence[int] = ()) -> Perspective:
        """Whose eyes look at a match of so many players: where people play, of no more than all of them may know.

        UsageError for more than that, and for no view at all.
        """
        from runner.screen.scene import PUBLIC, Perspective

        own = Perspective(seat=people[0]) if len(people) == 1 else Perspective()
        if self.view is None:
            return own if people else Perspective(sees_all=True)
        perspective = Perspective.of(self.view, players)
        if people and perspective not in (own, Perspective()):
            names, allowed = " and ".join(map(seat_name, people)), " or ".join(dict.fromkeys((own.name, PUBLIC)))
            raise UsageError(f"--view {self.view} shows more than {names} may know: here it can be {allowed}.")
        return perspective

    def terminal(self, perspective: Perspective, budget: float | None = None) -> SharedTerminal:
        """The screens of a match with this budget in USD."""
        from runner.match.events import Sink
        from runner.screen.shared_terminal import SharedTerminal

        sinks: list[Sink] = []
        if self.has_json_events:
            from runner.screen.json_events import JsonEvents

            sinks.append(JsonEvents(perspective, self.has_thoughts))
        if self.is_quiet:
            return SharedTerminal(sinks)
        from runner.screen.consoles import is_animated, narration
        from runner.screen.narrator import Telling

        console, telling = narration(), Telling(perspective, self.has_thoughts)
        has_terminal = is_animated(console) and not (self.has_json_events and sys.stdout.isatty())
        if has_terminal and not self.is_plain:
            from runner.screen.live import LiveScreen

            live = LiveScreen(console, telling, self.speed, budget)
            return SharedTerminal([*sinks, live], live)
        from runner.screen.plain_output import PlainOutput

        return SharedTerminal([*sinks, PlainOutput(console, telling, self.speed)])

    def tell_pause(self, why: str, config: MatchConfig, log: Path) -> None:
        """With `--json`, print that the match is paused, and which match that is."""
        if self.as_json:
            setup = config.setup
            facts = {"game": config.game.name, "rules": setup.rules, "players": setup.players, "seed": setup.seed}
            say_json({"paused": why, "log": str(log), **facts})

    def conclude(self, game: Game, result: ResultRecord, log: Path) -> None:
        """Print the result, and where the log is."""
        from runner.screen.consoles import narration, results
        from runner.screen.result import log_lines, result_screen

        if self.as_json:
            say_json({name: value for name, value in result.items() if name != "kind"})
            return
        if not self.has_json_events:
            results().print(result_screen(game, result))
        said = narration()
        for line in log_lines(log, said.is_terminal):
            said.print(line, soft_wrap=True)
