"""Draws all positions on the terminal it is run in, one after the other, each when it is told to: `show.py PIPE [voices]`.

With `voices` one position of each game, where every seat has thought and talked.

It writes to the pipe when the terminal has taken in everything, which it knows by having asked the terminal for the
place of the cursor, and waits there for a line before it draws the next one.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
import termios
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from rich.console import Console

import games
from games.core import Event, Game, State
from runner.agents.spec import Seat, parse_spec
from runner.film.pacing import Pacing
from runner.film.perspective import Perspective
from runner.match.header import MatchConfig
from runner.match.match_state import MatchEvent
from runner.match.records import Record, ResultRecord
from runner.match.tally import Tally
from runner.screen.live import LiveScreen
from runner.screen.narrator import Narrator
from runner.screen.result import print_log, result_screen
from tests.screen.talkers import LINES, REASONS
from tests.terminal.positions import Position, chosen, states, voiced

NAMES = ("openai/gpt-5-mini", "anthropic/claude-haiku-4.5", "bot:steady", "offline model", "llama3", "bot:random")
_TOLD = 40
"""Steps that the story goes back."""
_THINKING = 12.0


class Table:
    """A match at one of its states, as those see it who look on."""

    def __init__(self, game: Game, state: State) -> None:
        seats = tuple(
            Seat(parse_spec(name), name, "test", {})
            for name in (NAMES[seat % len(NAMES)] for seat in range(state.setup.players))
        )
        self.config = MatchConfig(game, state.setup, seats, {})
        self.state, self.header = state, self.config.header(state)
        self.tallies = [Tally(prompt_tokens=12_345, completion_tokens=678, cost=0.0123) for _ in seats]
        self.progress, self.open = [None for _ in seats], dict[int, object]()
        self.due = list[Record]()

    def result(self) -> ResultRecord:
        """A result as the match loop gives it."""
        seats = [
            {
                **tally.to_json(),
                "spec": seat.spec.text,
                "name": seat.name,
                "kind": seat.kind,
                "mistakes": 2,
                "penalties": 1,
                "failures": 3,
            }
            for seat, tally in zip(self.config.seats, self.tallies, strict=True)
        ]
        facts: dict[str, Any] = {"players": len(seats), "scores": list(self.state.scores), "winners": list(self.state.winners)}
        setup = self.config.setup
        facts |= {"ending": list(self.state.ending), "seed": setup.seed, "rules": setup.rules, "seats": seats}
        return cast(ResultRecord, {"kind": "result", **facts})


def positions(game: Game, wanted: list[Position]) -> Iterator[tuple[str, list[State]]]:
    """Each position with the states before it."""
    for position in wanted:
        before: list[State] = []
        for step, state in enumerate(states(game, position.players, position.seed, position.options)):
            before = [*before, state][-_TOLD - 1 :]
            if step == position.step:
                break
        yield position.phase, before


async def draw(console: Console, game: Game, before: list[State], has_voices: bool = False) -> LiveScreen:
    """The live screen at the last of the states: one seat thinks, one was struck, one waits for its endpoint."""
    now = 100.0
    table = Table(game, before[0])
    narrator = Narrator(Perspective(sees_all=True), has_voices)
    screen = LiveScreen(console, narrator, budget=2.5, clock=lambda: now, pacing=Pacing(1.0))
    await screen.emit(MatchEvent(table.config.header(table.state), table, before[0].events))
    screen.hide()  # on a slow machine it would draw some of the states before, too, which leave the last one other room

    async def emit(kind: str, seat: int, events: tuple[Event, ...] = (), **facts: str) -> None:
        await screen.emit(MatchEvent(cast(Record, {"kind": kind, "seat": seat, **facts}), table, events))

    for earlier, table.state in itertools.pairwise(before):
        if has_voices and table.state is before[-1]:
            said = ((seat, LINES[seat % len(LINES)]) for seat in range(table.state.setup.players))
            table.due = [{"kind": "talk", "seat": seat, "question": 0, "text": line} for seat, line in said if line]
        await emit("decision", earlier.actor or 0, table.state.events, how="answer")
    screen.viewer.play(float("inf"))
    for seat in range(table.state.setup.players if has_voices else 0):
        await emit("attempt", seat, outcome="answer", reason=REASONS[seat % len(REASONS)])
    for place, seat in enumerate(table.state.pending):
        await emit("question", seat)
        if place == 1:
            await emit("attempt", seat, outcome="mistake", what="illegal", why="there is no such card")
        if place == 2:
            await emit("attempt", seat, outcome="infrastructure", what="overloaded", why="503 Busy")
    now += _THINKING
    screen.show()
    if table.state.has_ended:
        await screen.emit(MatchEvent(table.result(), table))
        screen.close()
        console.print(result_screen(game, table.result()))
        print_log(console, Path(f"logs/{game.name}-20260801-120000-seed7-1f2e.jsonl"))
    return screen


def settle() -> None:
    """Wait until the terminal has taken in everything it was sent."""
    sys.stdout.write("\x1b[6n")
    sys.stdout.flush()
    while sys.stdin.read(1) != "R":
        pass


def main() -> None:
    """Draw every position of every game, or with voices one of each."""
    pipe, has_voices = Path(sys.argv[1]), sys.argv[2:] == ["voices"]
    console = Console(highlight=False, markup=False, emoji=False)
    tty.setcbreak(sys.stdin.fileno(), termios.TCSANOW)
    for name, wanted in (voiced() if has_voices else chosen()).items():
        for phase, before in positions(games.load(name), wanted):
            console.file.write("\x1b[2J\x1b[H")
            screen = asyncio.run(draw(console, games.load(name), before, has_voices))
            settle()
            with pipe.open("w") as out:
                out.write(f"{name}\t{phase}\n")
            with pipe.open() as back:
                back.readline()
            screen.hide()


if __name__ == "__main__":
    main()
