"""Scenes: a table shows what its view knows, can be drawn, and is the same for the same view."""

from __future__ import annotations

import json
from itertools import islice

from games.core import Rng, State
from games.core.drama import Script
from games.core.scene import Scene, checked, plain_table, table_of
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
