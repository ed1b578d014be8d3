"""Scenes: a table shows what its view knows, can be drawn, and is the same for the same view."""

from __future__ import annotations

import json
from collections.abc import Iterator
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


class SceneChecks(GameChecks):
    """Tests of the table, its own one or the plain one."""

    def test_a_scene_is_made_of_views_alone(self, players: int) -> None:
        for states in self.matches(players)[:2]:
            for number, state in enumerate(sampled(states, 12)):
                for seat in (None, *range(players)):
                    scene = self.scene(state, (seat,))
                    assert scene == self.scene(state.resample(seat, Rng(number)), (seat,))
                    assert scene == self.scene(self.game.from_json(state.to_json()), (seat,))
                checked(self.scene(state, range(players)))

    def test_a_choice_points_at_elements_of_the_table_of_its_seat(self, players: int) -> None:
        for states in self.matches(players)[:2]:
            for state in sampled(states, 40):
                for seat in state.pending:
                    there = {element for part in self.scene(state, (seat,)).parts for element in _elements(part)}
                    for choice in state.question(seat).choices:
                        assert there.issuperset(element for step in choice.steps for element in step.on), (choice, there)

    def test_a_plain_table_draws_every_view(self, some_players: int) -> None:
        for state in islice(self.matches(some_players)[0], 0, None, 9):
            view = state.view(0)
            checked(plain_table(view, {0: view["own"]}, (LONG,) * some_players))

    def test_kinds_that_a_table_shows_are_words(self) -> None:
        assert all(isinstance(kind, str) for kind in Script.of(self.game.table).shown)

    def scene(self, state: State, seats: object) -> Scene:
        """The scene of what these seats know together: of a single one, or of all; None is a spectator."""
        eyes = tuple(seats) if isinstance(seats, range | tuple) else ()
        views = {seat: json.loads(json.dumps(state.view(seat))) for seat in eyes}
        view = views[eyes[0]] if len(eyes) == 1 else state.view(None)
        own = {seat: one["own"] for seat, one in views.items() if seat is not None}
        return checked(table_of(self.game.table)(view, own, (LONG,) * state.setup.players))


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
