"""The card-count table, and that no card, token or cell is ever lost."""

from __future__ import annotations

from collections import Counter

import pytest

from games.cat_in_the_box import State
from games.cat_in_the_box.options import match_rules
from tests.games.cat_in_the_box.playing import SETTINGS, follow_first, states, walk

TABLE = [
    # players, options, ranks, deck, dealt, left over, tricks, plays, empty cells at the end
    (5, {}, 9, 45, 9, 0, 7, 35, 1),
    (4, {}, 8, 40, 10, 0, 8, 32, 0),
    (3, {}, 6, 30, 10, 0, 8, 24, 0),
    (3, {"three_player_max_rank": 7}, 7, 35, 11, 2, 9, 27, 1),
    (2, {}, 5, 25, 10, 5, 8, 16, 1),
]


@pytest.mark.parametrize(("players", "options", "ranks", "deck", "dealt", "left_over", "tricks", "plays", "empty"), TABLE)
def test_the_card_count_table(players, options, ranks, deck, dealt, left_over, tricks, plays, empty):  # rules 1, 2 and 14
    data = State.begin(players, seed=4, **options).to_json()
    assert [len(hand) for hand in data["hands"]] == [dealt] * players
    assert len(data["aside"]) + len(data["revealed"]) == left_over
    assert Counter(cards(data)) == dict.fromkeys(range(1, ranks + 1), 5)
    assert sum(Counter(cards(data)).values()) == deck
    last = without_paradox(players, **options)
    assert len(last.view(None)["finished_tricks"]) == tricks == last.rules.tricks
    assert len(last.plays) == plays
    assert sum(holder is None for row in last.view(None)["board"].values() for holder in row) == empty


def without_paradox(players: int, **options) -> State:
    for seed in range(100):
        *_, last = walk(players, seed, follow_first, **options)
        if last.context.paradox is None:
            return last
    raise AssertionError("a paradox in every round")


def cards(data: dict) -> list[int]:
    """The rank of every card there is, wherever it is."""
    ranks = [rank for hand in data["hands"] for rank in hand] + [rank for rank in data["discards"] if rank]
    return ranks + data["aside"] + data["revealed"] + [cell % 10 for cell in data["plays"]]


def test_nothing_is_ever_lost():
    for state in states(seeds=range(1), strikes=9):
        data, view, rules = state.to_json(), state.view(None), state.rules
        assert Counter(cards(data)) == dict.fromkeys(range(1, rules.ranks + 1), 5)
        tokens = [cell for owned in data["tokens"] for cell in owned]
        assert sorted(tokens) == sorted(state.plays)
        held = [holder for row in view["board"].values() for holder in row]
        assert Counter(holder for holder in held if isinstance(holder, int)) == {
            seat: len(owned) for seat, owned in enumerate(data["tokens"]) if owned
        }
        assert held.count("neutral") == (3 if rules.two_player else 0)
        assert held.count(None) == len(held) - held.count("neutral") - len(tokens)
        assert sum(state.tricks_won) == len(state.plays) // rules.players
        assert len(held) == 4 * rules.ranks


def test_every_setting_reaches_its_number_of_rounds():
    for players, options in SETTINGS:
        *_, last = walk(players, 1, **options)
        assert last.round == last.rules.rounds == len(last.view(None)["results"])
        assert last.rules is match_rules(players, last.setup.options)
