"""The rules page by examples, drawn; comments name the rule of RULES.md."""

from __future__ import annotations

import pytest

from games.cat_in_the_box import GAME
from games.cat_in_the_box.board import cell_at
from games.cat_in_the_box.phases import GAME_OVER, PARADOX
from games.cat_in_the_box.scoring import leaders, winning_place
from games.core import IllegalAction
from tests.games.cat_in_the_box.drawing import draw, play, plays
from tests.games.cat_in_the_box.playing import follow_first, walk

OPENING = """
        1 2 3 4 5 6 7 8
red     . . . . . . . .
blue    . . . . . . . .
yellow  . . . . . . . .
green   . . . . . . . .
A: 3 5
B: 1 1
C: 2 2
D: 4 4
turn: A
"""


def test_a_leader_on_an_empty_board_may_not_open_red():  # rule 10
    assert plays(draw(OPENING)) == {"B3", "Y3", "G3", "B5", "Y5", "G5"}


def test_a_leader_may_open_red_when_that_is_free():
    assert plays(draw(OPENING, red_lead="free")) >= {"R3", "R5"}


def test_a_token_in_the_red_row_opens_red():  # rule 10
    state = draw("""
            1 2 3 4 5 6 7 8
    red     B . . . . . . .
    blue    . . . . . . . .
    yellow  . . . . . . . .
    green   . . . . . . . .
    A: 3 5
    B: 1 1
    C: 2 2
    D: 4 4
    turn: A
    """)
    assert plays(state) == {f"{colour}{rank}" for colour in "RBYG" for rank in (3, 5)}


def test_a_leader_with_nothing_else_may_open_red():  # rule 10
    state = draw("""
            1 2 3 4 5 6 7 8
    red     . . . . . . . .
    blue    . . B . . . . .
    yellow  . . C . . . . .
    green   . . . . . . . .
    A: 3 3 | X red blue yellow
    B: 1 1
    C: 2 2
    D: 4 4
    turn: A
    """)
    assert plays(state) == {"R3"}


def test_another_card_that_is_not_red_keeps_red_closed():  # rule 10
    state = draw("""
            1 2 3 4 5 6 7 8
    red     . . . . . . . .
    blue    . . B . . . . .
    yellow  . . C . . . . .
    green   . . . . . . . .
    A: 3 6 | X red blue yellow
    B: 1 1
    C: 2 2
    D: 4 4
    turn: A
    """)
    assert plays(state) == {"B6", "Y6"}


BLUE_IS_LED = """
        1 2 3 4 5 6 7 8
red     . . . . . . . .
blue    . . . . . . D .
yellow  . . . . . . . .
green   . . . . . . . .
A: 4 4 8
B: 1 1 1
C: 2 2 2
D: 5 5
trick: D blue 7
turn: A
"""


def test_a_follower_may_declare_any_colour_at_a_price():  # rule 11
    state = draw(BLUE_IS_LED)
    assert plays(state) == {f"{colour}{rank}" for colour in "RBYG" for rank in (4, 8)}
    assert play(state, "B4").view(0)["x_tokens"][0] == ["red", "blue", "yellow", "green"]
    assert play(state, "Y4").view(0)["x_tokens"][0] == ["red", "yellow", "green"]


def test_following_can_be_compulsory():  # rule 11
    assert plays(draw(BLUE_IS_LED, follow="must")) == {"B4", "B8"}


def test_who_gave_up_a_colour_may_never_declare_it_again():  # rule 11
    state = draw("""
            1 2 3 4 5 6 7 8
    red     . . . . . . . .
    blue    . . . . . . D .
    yellow  . . . A . . . .
    green   . . . . . . . .
    A: 4 8 | X red yellow green
    B: 1 1
    C: 2 2
    D: 5 5
    trick: D blue 7
    turn: A
    """)
    assert plays(state) == {"R4", "G4", "R8", "Y8", "G8"}
    with pytest.raises(IllegalAction, match="you gave up your X-token of blue"):
        state.read(0, {"play": "blue 4"})


def test_who_cannot_follow_gives_the_colour_up_all_the_same():  # option follow
    state = draw(
        """
            1 2 3 4 5 6 7 8
    red     . . . . . . . .
    blue    . . . B . . D .
    yellow  . . . . . . . .
    green   . . . . . . . .
    A: 4 4 4
    B: 1 1
    C: 2 2
    D: 5 5
    trick: D blue 7
    turn: A
    """,
        follow="must",
    )
    assert plays(state) == {"R4", "Y4", "G4"}
    assert play(state, "G4").view(None)["x_tokens"][0] == ["red", "yellow", "green"]


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        (["yellow 5", "yellow 7", "blue 9", "red 1"], "red 1"),
        (["yellow 5", "yellow 7", "blue 9", "green 9"], "yellow 7"),
        (["red 2", "red 6", "blue 9"], "red 6"),
    ],
)
def test_the_highest_red_wins_or_else_the_highest_of_the_led_colour(trick, winner):  # rule 13
    cells = tuple(cell_at(colour, int(rank)) for colour, rank in (cell.split() for cell in trick))
    assert trick[winning_place(cells)] == winner


LAST_OF_A_TRICK = """
        1 2 3 4 5 6 7 8 9
red     B . . . . . . . .
blue    . . . . . . . . A
yellow  . . . . C . E . .
green   . . . . . . . . .
A: 4 4
B: 5 5
C: 6 6
D: 3 3 3
E: 2 2
trick: E yellow 7, A blue 9, B red 1, C yellow 5
turn: D
"""


def test_the_winner_of_a_trick_leads_the_next():  # rules 8 and 13
    state = play(draw(LAST_OF_A_TRICK), "G3")
    assert state.view(None)["tricks_won"] == [0, 1, 0, 0, 0]
    assert (state.leader, state.actor, state.led) == (1, 1, 0)
    assert state.path == (5, 4)


SIXES_ARE_GONE = """
        1 2 3 4 5 6 7 8
red     . . . . . B . .
blue    . . . . . C . .
yellow  . . . . . D . .
green   . . . . . A . .
A: 3 3 3
B: 6 6
C: 2 2 2
D: 4 4 4
turn: A
"""


def test_a_follower_without_a_place_is_in_a_paradox():  # rule 15
    state = play(draw(SIXES_ARE_GONE), "B3")
    assert state.path == (PARADOX, 7, GAME_OVER)
    assert state.view(None)["paradox"] == {"seat": 1, "hand": [6, 6]}
    assert state.has_ended
    assert state.view(None)["board"]["blue"][2] == 0


def test_a_leader_without_a_place_is_in_a_paradox():  # rule 15
    state = play(
        draw("""
                1 2 3 4 5 6 7 8
        red     . . . . . B . .
        blue    . D . . . C . .
        yellow  . . . . . D . B
        green   . . . . . A . .
        A: 3 3 3
        B: 6 6
        C: 2 2
        D: 4 4
        trick: B yellow 8, C green 1, D blue 2
        turn: A
        """),
        "Y3",
    )
    assert state.path == (5, PARADOX, 7, GAME_OVER)
    assert state.view(None)["paradox"]["seat"] == 1
    assert state.view(None)["tricks_won"] == [0, 1, 0, 0]
    assert state.scores == (0, -1, 0, 0)


def test_a_paradox_can_be_a_move():  # explicit_paradox_action
    state = play(draw(SIXES_ARE_GONE, explicit_paradox_action=True), "B3")
    assert (state.phase_id, state.pending, len(state.actions)) == (PARADOX, (1,), 1)
    (action,) = state.actions
    assert action.to_json() == {"play": "paradox"}
    assert action.next_state.has_ended
    assert action.next_state.scores == play(draw(SIXES_ARE_GONE), "B3").scores


def test_a_paradox_turns_tricks_into_lost_points_and_takes_no_bonus():  # rules 16 and 17
    state = play(draw(SIXES_ARE_GONE.replace("B: 6 6", "B: 6 6 | bid 2 | won 2")), "B3")
    assert state.scores == (0, -2, 0, 0)


def test_a_paradox_without_tricks_costs_nothing():  # rules 16 and 17
    state = play(draw(SIXES_ARE_GONE), "B3")
    assert state.scores[1] == 0
    assert state.context.results[0].bonuses[1] == 0


def test_the_others_keep_their_points_after_a_paradox():  # rule 17
    text = SIXES_ARE_GONE.replace("C: 2 2 2", "C: 2 2 2 | bid 1 | won 1").replace("D: 4 4 4", "D: 4 4 4 | bid 3 | won 2")
    assert play(draw(text), "B3").scores == (0, 0, 1 + 1, 2)


def test_points_are_tricks_and_for_a_bid_made_the_largest_group():  # rules 16 and 17
    state = draw("""
            1 2 3 4 5 6 7 8
    red     . . . . A A A .
    blue    . . . . . A . D
    yellow  C B . . . A . .
    green   C . . . . . . A
    A: 1 | bid 3 | won 3
    B: 3 | bid 3 | won 2
    C: 2 2 | bid 1
    D: 5 | bid 2 | won 1
    trick: D blue 8, A green 8, B yellow 2
    turn: C
    """)
    over = play(state, "G2")
    assert over.path == (5, 7, GAME_OVER)
    assert over.scores == (3 + 5, 2, 0, 2 + 1)
    assert over.view(None)["results"][0]["bonus"] == [5, 0, 0, 1]
    assert over.view(None)["largest_group"][0]["cells"] == ["red 5", "red 6", "red 7", "blue 6", "yellow 6"]
    assert over.winners == (0,)


def test_the_end_of_the_tricks_comes_before_a_paradox():  # rule 15
    state = draw("""
            1 2 3 4 5 6 7 8
    red     . . . . . B . .
    blue    . . . . . C . D
    yellow  . B . . . D . .
    green   C . . . . A . A
    A: 1
    B: 3
    C: 2 2
    D: 6
    trick: D blue 8, A green 8, B yellow 2
    turn: C
    """)
    over = play(state, "G2")
    assert over.path == (5, 7, GAME_OVER)
    assert over.view(None)["paradox"] is None


def bidding(players, **options):
    for state in walk(players, seed=1, **options):
        if state.phase.name == "Bid":
            return state
    raise AssertionError("nobody bids")


def test_bids():  # rule 7
    house = bidding(3)
    for bid in (0, 5):
        with pytest.raises(IllegalAction, match="1, 2, 3 or 4"):
            house.read(0, {"bid": bid})
    assert house.read(0, {"bid": 2}).next_state.view(None)["bids"] == [2, None, None]
    with pytest.raises(IllegalAction, match="1, 3 or 4"):
        bidding(3, bids="board").read(0, {"bid": 2})
    for players in (4, 5):
        assert [action.move for action in bidding(players, bids="board").actions] == [1, 2, 3]


def test_two_players_discard_and_play_eight_tricks():  # rule 19
    seen = False
    for seed in range(20):
        *_, last = match = list(walk(2, seed, follow_first))
        start = next(state for state in match if state.phase.name == "Play")
        assert start.view(None)["hand_sizes"] == [9, 9]
        if last.context.paradox is None:
            assert len(last.view(None)["finished_tricks"]) == 8
            assert last.view(None)["hand_sizes"] == [1, 1]
            seen = True
    assert seen


NEUTRAL = """
        1 2 3 4 5
red     . . . . .
blue    . n . . .
yellow  . n . . .
green   . n . . .
A: 3 5
B: 1 2
turn: A
"""


def test_neutral_tokens_do_not_break_red():  # rule 19
    state = draw(NEUTRAL)
    assert plays(state) == {"B3", "Y3", "G3", "B5", "Y5", "G5"}
    assert state.view(None)["revealed"] == [2, 2, 2]
    assert not state.view(None)["red_broken"]


def test_neutral_tokens_take_their_cells():  # rule 19
    state = play(draw(NEUTRAL), "B3")
    assert plays(state) == {"R1", "B1", "Y1", "G1", "R2"}
    with pytest.raises(IllegalAction, match="green 2 is taken by a neutral token"):
        state.read(1, {"play": "green 2"})


@pytest.mark.parametrize(("won", "points"), [(4, 4 + 2), (5, 5)])
def test_two_players_get_the_bonus_for_at_most_four_tricks(won, points):  # rule 19
    state = draw(f"""
            1 2 3 4 5
    red     . . . . .
    blue    A A . . .
    yellow  . n . A .
    green   . n . . n
    A: 1 | won {won}
    B: 3 4 | won 2
    trick: A yellow 4
    turn: B
    """)
    won_by_b = play(state, "R3")
    assert won_by_b.has_ended
    assert won_by_b.scores == (points, 3 + 1)


def test_four_players_without_a_paradox_fill_the_board():  # rule 14
    seen = 0
    for seed in range(40):
        *_, last = walk(4, seed, follow_first)
        if last.context.paradox is None:
            board = last.view(None)["board"]
            assert all(holder is not None for row in board.values() for holder in row)
            assert last.view(None)["hand_sizes"] == [1, 1, 1, 1]
            assert sum(rank > 0 for rank in last.discards) == 4
            seen += 1
    assert seen


def test_bids_start_with_the_start_player_and_discards_stay_hidden():  # rules 5 and 6
    order = [[], [], [], []]
    for state in walk(4, seed=3, rounds="players"):
        if state.phase.name == "Bid":
            order[state.round - 1].append(state.actor)
        for seat in (None, 0, 1, 2, 3):
            public = {key: value for key, value in state.view(seat).items() if key not in ("own", "phase")}
            assert "discard" not in str(public)
    assert order == [[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]


def test_a_tie_goes_to_the_better_last_round_and_is_shared_otherwise():  # rule 18
    assert leaders((5, 7, 7), (1, 2, 3)) == (2,)
    assert leaders((5, 7, 7), (9, 3, 3)) == (1, 2)
    assert leaders((5, 7, 6), (9, 1, 3)) == (1,)


def test_rounds():  # rule 18
    for rounds, expected in ((1, 1), (3, 3), ("players", 2)):
        *_, last = walk(2, seed=1, rounds=rounds)
        assert last.round == expected == len(last.context.results)
    assert GAME.begin(players=5, rules="official").rules.rounds == 5
