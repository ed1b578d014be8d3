"""Phases, what is told of them, and strike-outs."""

from __future__ import annotations

from collections import Counter

from games.cat_in_the_box import GAME, State
from games.cat_in_the_box.phases import BID, DISCARD, GAME_OVER, PHASES, PLAY
from games.core import PENALTY
from tests.games.cat_in_the_box.playing import POLICIES, SETTINGS, random_choice, states, walk

EDGES = {(phase.id, edge.to) for phase in PHASES for edge in phase.edges}


def test_every_transition_is_an_edge_and_every_edge_is_taken():
    taken = set()
    for players, options in SETTINGS:
        for policy in POLICIES:
            for seed in range(3):
                at = PHASES[0].id
                for state in walk(players, seed, policy, strikes=10, **options):
                    for event in state.events:
                        if event.kind == "phase":
                            assert event.data["from"] == at
                            taken.add((at, event.data["to"]))
                            at = event.data["to"]
                    assert at == state.phase_id
    assert taken == EDGES


def test_each_bid_and_each_play_is_an_entry_of_its_own():
    for before, after in (
        (before, after)
        for players in (2, 4)
        for before, after in zip(walk(players, 3), list(walk(players, 3))[1:], strict=False)
    ):
        if before.phase_id != DISCARD or after.phase_id != DISCARD:
            assert after.path
        else:
            assert not after.path


def test_nobody_decides_where_the_phase_says_so():
    for state in states(seeds=range(1)):
        assert bool(state.phase.decides) == bool(state.pending)
        assert state.has_ended == (state.phase_id == GAME_OVER)
        assert bool(state.ending) == bool(state.winners) == state.has_ended


def test_a_strike_out_costs_a_point_and_plays_at_random():
    for before in states(seeds=range(1), settings=SETTINGS[:6]):
        for seat in before.pending:
            after = before.strike_out(seat)
            assert after == before.strike_out(seat)
            (penalty,) = [event for event in after.events if event.kind == PENALTY]
            assert (penalty.data["seat"], penalty.audience) == (seat, None)
            if before.phase_id == DISCARD:
                assert penalty.data["answer"] is None
                assert penalty.text == f"P-{seat} loses 1 point for invalid answers; the card to remove is drawn at random."
            else:
                assert penalty.data["answer"] in [action.to_json() for action in before.actions]
            penalties = after.context.penalties or after.context.results[-1].penalties
            assert penalties[-1].seat == seat


def test_penalties_come_off_the_points_of_the_round():
    state = State.begin(2, seed=8, rounds=2)
    struck = state.strike_out(1).strike_out(0)
    while struck.round == 1:
        struck = struck.actions[0].next_state
    result = struck.context.results[0]
    for seat in (0, 1):
        tricks = -result.tricks_won[seat] if seat == result.paradox else result.tricks_won[seat]
        assert result.points[seat] == tricks + result.bonuses[seat] - 1
    assert struck.view(None)["results"][0]["penalties"][0] == {"seat": 1, "phase": "Discard", "answer": None}
    assert struck.context.penalties == ()


def test_a_score_may_go_below_zero():
    state = State.begin(3, seed=1)
    while not state.has_ended:
        state = state.strike_out(state.actor)
    assert min(state.scores) < 0


def test_a_play_is_drawn_over_distinct_plays():
    state = next(state for state in walk(4, 1) if state.phase_id == PLAY)
    drawn = Counter()
    for chance in range(400):
        other = state._replace(context=state.context._replace(chance=chance))
        drawn[other.strike_out(state.actor).plays[-1]] += 1
    assert set(drawn) == {action.move for action in state.actions}
    assert max(drawn.values()) < 3 * min(drawn.values())


def test_a_bid_is_drawn_over_the_bids_there_are():
    state = next(state for state in walk(4, 1) if state.phase_id == BID)
    chances = (state._replace(context=state.context._replace(chance=chance)) for chance in range(80))
    assert {other.strike_out(0).bids[0] for other in chances} == {1, 2, 3, 4}


def test_the_words_of_a_round():
    told = [event for state in walk(3, 2, random_choice) for event in state.events]
    texts = " ".join(event.text for event in told if event.audience is None)
    assert "Round 1 of 1: everybody is dealt 10 cards; P-0 is the start player." in texts
    assert "P-0 bids" in texts
    assert "Everybody has removed a card, face down." in texts
    assert all(event.text.endswith(".") for event in told)


def test_the_ending_says_why():
    *_, last = walk(4, 0)
    assert last.ending == (f"round 1 of 1 is over: P-{last.context.paradox} is in a paradox",)


def test_what_has_no_effect_is_said():
    cautions = GAME.cautions
    assert cautions(4, GAME.begin(4, three_player_max_rank=7).setup.options)
    assert not cautions(3, GAME.begin(3, three_player_max_rank=7).setup.options)
