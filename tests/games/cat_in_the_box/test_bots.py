"""The bots: legal, deterministic, and sensible enough to beat chance."""

from __future__ import annotations

import pytest

from games.cat_in_the_box import GAME, State
from games.cat_in_the_box.board import ROW_OF, cells
from games.cat_in_the_box.phases import BID, PLAY
from games.core import Rng
from tests.games.cat_in_the_box.playing import POLICIES, SETTINGS, walk


def match(bots: list[str], seed: int, **options) -> State:
    """A match between these bots."""
    rng = Rng.of("bots", seed)
    state = State.begin(len(bots), seed=seed, **options)
    while not state.has_ended:
        seat = state.actor
        state = GAME.bots[bots[seat]](state, seat, rng).next_state
    return state


@pytest.mark.parametrize("bot", GAME.bots)
def test_bots_finish_under_every_setting(bot):
    for players, options in SETTINGS:
        assert match([bot] * players, 1, **options).winners
        assert match([bot] * players, 1, **options) == match([bot] * players, 1, **options)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("other", ["random", "follow"])
def test_steady_beats_the_simpler_bots(players, other):
    lead = 0
    for seed in range(30):
        bots = [("steady", other)[(seat + seed) % 2] for seat in range(players)]
        scores = match(bots, seed).scores
        means = {bot: sum(s for s, b in zip(scores, bots, strict=True) if b == bot) / bots.count(bot) for bot in bots}
        lead += means["steady"] - means[other]
    assert lead > 0


def test_follow_bids_a_fair_share_and_follows():
    follow = GAME.bots["follow"]
    for number, state in enumerate(walk(4, 1)):
        if not state.has_ended and state.phase_id == BID:
            assert follow(state, state.actor, Rng(number)).move == 2  # 8 tricks for 4 players
        elif not state.has_ended and state.phase_id == PLAY:
            moves = {follow(state, state.actor, Rng(word)).move for word in range(60)}
            following = {move for move in cells(state.playable) if ROW_OF[move] == state.led}
            assert moves <= following or not following
            assert len(moves) > 1 or len(following or cells(state.playable)) == 1


@pytest.mark.parametrize(
    ("players", "options", "at_random", "following"),
    [(2, {}, 93, 35), (3, {}, 99.9, 72), (3, {"three_player_max_rank": 7}, 99.9, 61), (4, {}, 99.9, 85), (5, {}, 99.9, 70)],
)
def test_paradoxes_come_as_often_as_in_the_reference(players, options, at_random, following):
    rounds = 150
    for policy, share in zip(POLICIES, (at_random, following), strict=True):
        found = 0
        for seed in range(rounds):
            *_, last = walk(players, seed, policy, **options)
            found += last.context.paradox is not None
        assert abs(100 * found / rounds - share) < 13
