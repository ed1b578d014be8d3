"""Scenes of what perspectives see, and scripts of games: those of other packages may be broken."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import NamedTuple, cast

from games.core import Answer, Event, Game, GameFault, IllegalAction, State, View, scene
from games.core.definition import Definition
from games.core.drama import Script, Stage
from games.core.eye import VisibleState
from games.registry import OWN


def scene_of(game: Game, seen: VisibleState) -> scene.Scene:
    """The scene of what a perspective sees. A table of another package that cannot be drawn becomes a plain one with a note."""
    if game.name in OWN:
        return scene.table_of(game.table)(seen.view, seen.owns, seen.names)
    try:
        return scene.checked(scene.table_of(game.table)(seen.view, seen.owns, seen.names))
    except Exception as error:
        fault = GameFault.of(game.name, "table", error)
        note = f"The game's own table does not work: {fault}. `tabletop doctor` shows where."
        bare = scene.plain_table(seen.view, seen.owns, seen.names)
        return replace(bare, parts=(*bare.parts, scene.Steps((("", (scene.Word(note, scene.BAD),)),))))


def script_of(game: Game | Definition) -> Script:
    """How a game's events are told; plainly for a table of another package that does not work."""
    return _script(cast(Game, game).table, game.name in OWN)


@cache
def _script(module: str, is_own: bool) -> Script:
    if is_own:
        return Script.of(module)
    try:
        found = Script.of(module)
    except Exception:
        return Script()

    def told(stage: Stage, event: Event) -> None:
        with suppress(Exception):
            found.told(stage, event)

    def landings(stage: Stage, event: Event) -> Iterator[Stage]:
        with suppress(Exception):
            yield from found.landings(stage, event)

    def moves(before: scene.Scene, after: scene.Scene, event: Event) -> Iterator[scene.Scene]:
        with suppress(Exception):
            yield from map(scene.checked, found.moves(before, after, event))

    def asked(view: View) -> str:
        with suppress(Exception):
            return str(found.asked(view))
        return ""

    return found._replace(told=told, landings=landings, moves=moves, asked=asked)


def shown_by_table(game: Game) -> frozenset[str]:
    """The kinds of events that a game's table shows, so that a story beside it need not tell them."""
    return frozenset(script_of(game).shown)


class Heading(NamedTuple):
    """Where the match is: the round or turn with its number, and the phase in words."""

    round_word: str
    round: int
    phase: str

    @classmethod
    def of(cls, state: State) -> Heading:
        """Where the match is in a state."""
        phase = state.phase
        return cls(state.game.round_word, state.round, script_of(state.game).titles.get(phase.id, phase.name))

    def __str__(self) -> str:
        return f"{self.round_word} {self.round} · {self.phase}"


def asked_of(state: State, seat: int) -> str:
    """What a seat does or may do that decides in a state, in words: what the game says of it, else the phase."""
    return script_of(state.game).asked(state.view(seat)) or Heading.of(state).phase


def in_words(asked: State, seat: int, answer: Answer | None) -> tuple[str, str]:
    """An answer in the words of the menu, and what it does; one that is not legal by its values. Choices that have no name but
    an id are named by what they do."""
    values, by_text = answer or {}, script_of(asked.game).by_text
    try:
        steps = asked.read(seat, values).steps
    except IllegalAction:
        return ", ".join(map(str, values.values())), ""
    names = ", ".join(f"“{step.effect}”" if step.what in by_text and step.effect else step.name for step in steps)
    return names, "; ".join(step.effect for step in steps if step.effect and step.what not in by_text)
