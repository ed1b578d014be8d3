"""Results: every match ends, and the settings of a match are checked."""

from __future__ import annotations

import json
import random
from typing import Any

from games.core import OptionError
from games.testing.game_checks import GameChecks, refusal
from games.testing.random_play import begin, variants, walk


class ResultChecks(GameChecks):
    """Tests of matches as a whole."""

    def test_a_match_ends_with_a_result(self, players: int) -> None:
        for seed in range(6):  # each variant twice: with strike-outs and without
            for variant in variants(self.game)[seed % 3 :: 3]:
                state = begin(self.game, players, seed, variant)
                if state is None:
                    continue
                *_, last = walk(state, random.Random(seed), strike_rate=0.1 * (seed % 2))
                assert last.actor is None
                assert len(last.actions) == 0
                assert len(last.scores) == players
                assert last.winners == tuple(sorted(set(last.winners)))
                assert last.winners
                if self.game.placing == "scores":
                    assert {last.scores[seat] for seat in last.winners} == {max(last.scores)}
                assert last.ending

    def test_every_preset_and_option_is_for_some_number_of_players(self) -> None:
        assert self.game.default_players in self.game.players
        for variant in variants(self.game):
            assert any(begin(self.game, players, 0, variant) for players in self.game.players), variant

    def test_seeds_make_a_difference(self) -> None:
        assert len({json.dumps(self.game.begin(seed=seed).to_json()) for seed in range(-5, 20)}) == 25

    def test_wrong_settings_get_one_sentence(self) -> None:
        wrong: tuple[dict[str, Any], ...] = (
            {"players": self.game.players[0] - 1},
            {"players": self.game.players[-1] + 1},
            {"players": "3"},
            {"seed": "x"},
            {"rules": "nonesuch"},
            {"no_such_option": 1},
            {"strikes": 0},
            {"strikes": True},
        )
        for settings in wrong:
            sentence = refusal(OptionError, self.game.begin, **settings)
            assert sentence.count("\n") == 0
            assert len(sentence) > 20
