"""The numeric observation says what the view says, and ids stand for the legal actions."""

from __future__ import annotations

import pytest

from games.cat_in_the_box import State
from games.cat_in_the_box.board import COLOURS
from games.cat_in_the_box.observation import ACTIONS, LEGEND, SIZE, action_id, action_of, legal_mask, observe
from tests.games.cat_in_the_box.playing import states


def part(numbers: tuple[int, ...], name: str) -> list:
    """A part of an observation in its shape."""
    found = LEGEND[name]
    values: list = list(numbers[found.start : found.start + found.size])
    for length in reversed(found.shape[1:]):
        values = [values[first : first + length] for first in range(0, len(values), length)]
    return values


def one_hot(values: list[int]) -> int | None:
    assert sum(values) <= 1
    return values.index(1) if 1 in values else None


def by_seat(plays: list[dict]) -> list[list[int]]:
    numbers = [[0, 0] for _ in range(5)]
    for play in plays:
        numbers[play["seat"]] = [play["rank"], COLOURS.index(play["colour"]) + 1]
    return numbers


def test_an_observation_says_what_the_view_says():
    for number, state in enumerate(states(seeds=range(1), strikes=7)):
        seat = (None, *state.table.seats)[number % (state.table.players + 1)]
        check(observe(state, seat), state.view(seat))


def check(numbers: tuple[int, ...], view: dict) -> None:
    assert len(numbers) == SIZE
    assert all(type(value) is int for value in numbers)
    players = view["players"]
    for name in ("players", "ranks", "rounds", "round"):
        assert part(numbers, name) == [view[name]]
    for name, fact in (("observer", "seat"), ("turn", "turn"), ("start_player", "start_player"), ("leader", "leader")):
        assert one_hot(part(numbers, name)) == view[fact]
    assert one_hot(part(numbers, "phase")) == view["phase"]["id"] - 1
    for name in ("scores", "tricks_won", "hand_sizes"):
        assert part(numbers, name) == view[name] + [0] * (5 - players)
    assert part(numbers, "bids") == [bid or 0 for bid in view["bids"]] + [0] * (5 - players)
    assert sum(part(numbers, "penalties")) == len(view["penalties"])
    for seat, colours in enumerate(view["x_tokens"]):
        assert part(numbers, "x_tokens")[seat] == [int(colour in colours) for colour in COLOURS]
    for index, holder in enumerate((0, 1, 2, 3, 4, "neutral")):
        plane = part(numbers, "board")[index]
        for row, colour in enumerate(COLOURS):
            held = [int(cell == holder) for cell in view["board"][colour]]
            assert plane[row] == held + [0] * (9 - view["ranks"])
    assert part(numbers, "red_broken") == [int(view["red_broken"])]
    led = one_hot(part(numbers, "led_colour"))
    assert (None if led is None else COLOURS[led]) == view["led_colour"]
    assert part(numbers, "trick") == by_seat(view["trick"])
    finished = view["finished_tricks"]
    assert part(numbers, "finished_tricks")[: len(finished)] == [by_seat(trick["plays"]) for trick in finished]
    assert [one_hot(leader) for leader in part(numbers, "trick_leaders") if any(leader)] == [
        trick["leader"] for trick in finished
    ]
    marks = [penalty for penalty in view["penalties"] if penalty["phase"] != "Paradox"]
    assert sum(map(sum, part(numbers, "drawn"))) == len(marks)
    own = view["own"] or {"hand": [], "discard": None}
    assert part(numbers, "own_hand") == [own["hand"].count(rank) for rank in range(1, 10)]
    discard = one_hot(part(numbers, "own_discard"))
    assert (None if discard is None else discard + 1) == own["discard"]
    shown = view["paradox"] or {"seat": 0, "hand": []}
    assert part(numbers, "shown_hand")[shown["seat"]] == [shown["hand"].count(rank) for rank in range(1, 10)]


def test_the_shape_is_fixed_and_explained():
    end = 0
    for name, found in LEGEND.items():
        assert (found.name, found.start) == (name, end)
        assert found.meaning
        end += found.size
    assert end == SIZE


def test_ids_stand_for_the_legal_actions():
    seen = set()
    for state in states(seeds=range(2)):
        assert not any(legal_mask(state)) or not state.has_ended
        for seat in state.pending:
            ids = [action_id(action) for action in state.actions_of(seat)]
            assert len(set(ids)) == len(ids)
            assert [number for number, legal in enumerate(legal_mask(state, seat)) if legal] == sorted(ids)
            assert [action_of(state, number, seat) for number in ids] == list(state.actions_of(seat))
            seen |= set(ids)
    assert seen <= set(range(ACTIONS))
    assert len(seen) > 40
    assert ACTIONS - 1 in seen


def test_an_id_that_is_not_legal():
    state = State.begin(4, seed=1)
    with pytest.raises(ValueError, match="action 49 is not legal now"):
        action_of(state, 49)
    assert action_of(state, state.actions[0].move - 1) == state.actions[0]
