"""Bots: each plays legally from what its seat knows, and is no worse than random play."""

from __future__ import annotations

from games.core import Policy, Rng
from games.testing.game_checks import GameChecks

_MATCHES = 60
_TOLERANCE = 3.5
"""Standard deviations below a fair share that count as a loss: a fair bot is that unlucky once in 4,000 times."""


class BotChecks(GameChecks):
    """Tests of the bots."""

    def test_there_are_the_bots_that_every_game_has(self) -> None:
        assert {"random", "steady"} <= set(self.game.bots)

    def test_bots_give_legal_answers_from_what_the_seat_knows(self, players: int) -> None:
        for name, bot in self.game.bots.items():
            state, turn = self.game.begin(players=players, seed=players), 0
            while not state.has_ended:
                seat = state.pending[0]
                action = bot(state, seat, Rng.of(name, turn))
                assert action.is_exactly(state.read(seat, action.to_json()).to_json())
                for other in (state.resample(seat, Rng(turn)), self.of_seed(state, turn)):
                    assert bot(other, seat, Rng.of(name, turn)).to_json() == action.to_json(), f"{name} looks behind the view"
                state, turn = action.next_state, turn + 1
                assert turn < 5000

    def test_a_bot_does_not_lose_to_random(self) -> None:
        players = self.game.default_players
        for name, bot in self.game.bots.items():
            share = sum(self._win_share(bot, players, seed) for seed in range(_MATCHES)) / _MATCHES
            deviation = (1 / players * (1 - 1 / players) / _MATCHES) ** 0.5
            assert share > 1 / players - _TOLERANCE * deviation, f"{name} wins {share:.0%} of the matches against random"

    def _win_share(self, bot: Policy, players: int, seed: int) -> float:
        """The share of the win that a bot gets among random ones, in a seat that changes with the seed."""
        state, hero, turn = self.game.begin(players=players, seed=seed), seed % players, 0
        while not state.has_ended:
            seat, turn = state.pending[0], turn + 1
            plays = bot if seat == hero else self.game.bots["random"]
            state = plays(state, seat, Rng.of("test", seed, turn)).next_state
        return (hero in state.winners) / len(state.winners)
