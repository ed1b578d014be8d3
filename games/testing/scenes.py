"""Scenes: a table shows what its view knows, can be drawn, and is the same for the same view."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from games.core import Rng, State
from games.core.drama import Script
from games.core.element import on_card, on_cell, on_gap, on_seat, on_stack, on_text
from games.core.scene import (
    LOST,
    Card,
    CardRow,
    Grid,
    Part,
    Player,
    Players,
    Row,
    Scene,
    Table,
    Texts,
    checked,
    plain_table,
    table_of,
)
from games.testing.game_checks import GameChecks, sampled

LONG = "a name that is longer than any column of any table, and goes on after that"

Known = dict[int | None, str]
"""The view of each seat, as JSON text."""


class SceneChecks(GameChecks):
    """Tests of the table, its own one or the plain one."""

    def test_a_scene_is_made_of_views_alone(self, players: int) -> None:
        for states in self.matches(players)[:2]:
            for number, state in enumerate(sampled(states, 8)):
                restored = self.game.from_json(state.to_json())
                for seat in (None, *range(players)):
                    known = known_to(state, (seat,))
                    scene = checked(self.scene(known, players))
                    assert scene == self.scene(known_to(state.resample(seat, Rng(number)), (seat,)), players)
                    again = known_to(restored, (seat,))
                    assert again == known or scene == self.scene(again, players)
                checked(self.scene(known_to(state, (None, *range(players))), players))

    def test_a_choice_points_at_elements_of_the_table_of_its_seat(self, players: int) -> None:
        for states in self.matches(players)[:2]:
            for state in sampled(states, 25):
                for seat in state.pending:
                    choices = [choice for choice in state.question(seat).choices if any(step.on for step in choice.steps)]
                    there = self.elements(state, seat) if choices else set()
                    for choice in choices:
                        assert there.issuperset(element for step in choice.steps for element in step.on), (choice, there)

    def test_a_plain_table_draws_every_view(self, some_players: int) -> None:
        for state in islice(self.matches(some_players)[0], 0, None, 9):
            view = state.view(0)
            checked(plain_table(view, {0: view["own"]}, (LONG,) * some_players))

    def test_kinds_that_a_table_shows_are_words(self) -> None:
        assert all(isinstance(kind, str) for kind in Script.of(self.game.table).shown)

    def scene(self, known: Known, players: int) -> Scene:
        """The scene of what a single seat knows, or a spectator and all seats together; not checked."""
        views = {seat: json.loads(text) for seat, text in known.items()}
        view = next(iter(views.values()))
        own = {seat: one["own"] for seat, one in views.items() if seat is not None}
        scene = table_of(self.game.table)(view, own, (LONG,) * players)
        return replace(scene, parts=tuple(scene.shown(()))) if isinstance(scene, Scene) else scene

    def elements(self, state: State, seat: int) -> set[str]:
        """The elements of the table of a seat that a choice can point at."""
        parts = self.scene(known_to(state, (seat,)), state.setup.players).parts
        return {element for part in parts for element in _elements(part)}


def known_to(state: State, seats: Iterable[int | None]) -> Known:
    """What seats see, None for a spectator, as JSON text: equal down to the order of the fields if nothing tells two apart."""
    return {seat: json.dumps(state.view(seat)) for seat in seats}


def _elements(part: Part) -> Iterator[str]:
    """The elements of a part that a choice can point at."""
    match part:
        case Players(rows=rows) | Table(rows=rows):
            yield from (element for row in rows if row.seat is not None for element in _elements_of_seat(row, row.seat))
        case CardRow(stacks=stacks) if all(stack.place for stack in stacks):
            yield on_gap(0)
            for index in range(len(stacks)):
                yield from (on_stack(index), on_gap(index + 1))
        case CardRow(stacks=stacks):
            cards = [card for stack in stacks for card in stack.cards]
            yield from (on_card(card.owner, card.name) for card in cards if card.owner is not None and card.name)
        case Grid(rows=rows, columns=columns):
            yield from (on_cell(name.text, column) for name, _ in rows for column in columns)
        case Texts(cards=texts):
            yield from (on_text(card.name) for card in texts)


def _elements_of_seat(row: Player | Row, seat: int) -> Iterator[str]:
    yield on_seat(seat)
    pieces = row.cards if isinstance(row, Player) else [piece for cell in row.cells for piece in cell]
    for piece in pieces:
        if isinstance(piece, Card) and piece.name and piece.state != LOST:
            yield on_card(seat, piece.name)
