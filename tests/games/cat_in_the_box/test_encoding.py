"""The encoding for learners: an observation says what the view says, and action numbers stand for the legal actions."""

from __future__ import annotations

import os
from functools import cache
from itertools import islice

import pytest

from games.cat_in_the_box import GAME, State
from games.cat_in_the_box.board import COLOURS
from games.core import Encoding, Rng, View
from tests.games.cat_in_the_box.playing import SETTINGS, states

EVERY = 1 if "TABLETOP_CAMPAIGN" in os.environ else 3
"""One of that many states is observed."""


@cache
def encoding_of(players: int, options: object) -> Encoding:
    return GAME.encoding(players, options)


def encoding(state: State) -> Encoding:
    return encoding_of(state.setup.players, state.setup.options)


def part(code: Encoding, numbers: tuple[int, ...], name: str) -> list:
    """A part of an observation in its shape."""
    (found,) = [segment for segment in code.legend if segment.name == name]
    values: list = list(numbers[found.start : found.start + found.size])
    for length in reversed(found.shape[1:]):
        values = [values[first : first + length] for first in range(0, len(values), length)]
    return values


def one_hot(values: list[int]) -> int | None:
    assert sum(values) <= 1
    return values.index(1) if 1 in values else None


def by_seat(plays: list[dict], players: int) -> list[list[int]]:
    numbers = [[0, 0] for _ in range(players)]
    for play in plays:
        numbers[play["seat"]] = [play["rank"], COLOURS.index(play["colour"]) + 1]
    return numbers


def test_an_observation_says_what_the_view_says():
    for number, state in enumerate(islice(states(seeds=range(1), strikes=7), 0, None, EVERY)):
        seat = number % state.rules.players
        check(encoding(state), encoding(state).observe(state, seat), state.view(seat))


def check(code: Encoding, numbers: tuple[int, ...], view: View) -> None:
    assert len(numbers) == code.size
    assert all(type(value) is int for value in numbers)
    assert part(code, numbers, "round") == [view["round"]]
    for name, fact in (("observer", "seat"), ("turn", "turn"), ("start_player", "start_player"), ("leader", "leader")):
        assert one_hot(part(code, numbers, name)) == view[fact]
    assert one_hot(part(code, numbers, "phase")) == view["phase"]["id"] - 1
    for name in ("scores", "tricks_won", "hand_sizes"):
        assert part(code, numbers, name) == view[name]
    assert part(code, numbers, "bids") == [bid or 0 for bid in view["bids"]]
    for seat, colours in enumerate(view["x_tokens"]):
        assert part(code, numbers, "x_tokens")[seat] == [int(colour in colours) for colour in COLOURS]
    for plane, holder in zip(part(code, numbers, "board"), (*range(view["players"]), "neutral"), strict=True):
        assert plane == [[int(cell == holder) for cell in view["board"][colour]] for colour in COLOURS]
    assert part(code, numbers, "red_broken") == [int(view["red_broken"])]
    led = one_hot(part(code, numbers, "led_colour"))
    assert (None if led is None else COLOURS[led]) == view["led_colour"]
    check_tricks(code, numbers, view)
    assert part(code, numbers, "own_hand") == [view["own"]["hand"].count(rank) for rank in range(1, view["ranks"] + 1)]
    discard = one_hot(part(code, numbers, "own_discard"))
    assert (None if discard is None else discard + 1) == view["own"]["discard"]
    shown = view["paradox"] or {"seat": 0, "hand": []}
    assert part(code, numbers, "shown_hand")[shown["seat"]] == [shown["hand"].count(rank + 1) for rank in range(view["ranks"])]


def check_tricks(code: Encoding, numbers: tuple[int, ...], view: View) -> None:
    finished = view["finished_tricks"]
    assert part(code, numbers, "trick") == by_seat(view["trick"], view["players"])
    shown = part(code, numbers, "finished_tricks")
    assert shown[: len(finished)] == [by_seat(trick["plays"], view["players"]) for trick in finished]
    assert not any(rank for trick in shown[len(finished) :] for rank, _ in trick)
    leaders = [one_hot(leader) for leader in part(code, numbers, "trick_leaders") if any(leader)]
    assert leaders == [trick["leader"] for trick in finished]
    drawn = {(row, seat) for row, seats in enumerate(part(code, numbers, "drawn")) for seat, flag in enumerate(seats) if flag}
    struck = [penalty for penalty in view["penalties"] if penalty["phase"] != "Paradox"]
    assert drawn == {(row_of(penalty, finished), penalty["seat"]) for penalty in struck}


def row_of(penalty: dict, finished: list[dict]) -> int:
    """0 for a discard, 1 for a bid, then a row for each trick."""
    if penalty["phase"] != "Play":
        return ("Discard", "Bid").index(penalty["phase"])
    plays = [[f"{play['colour']} {play['rank']}" for play in trick["plays"]] for trick in finished]
    return 2 + next((row for row, trick in enumerate(plays) if penalty["answer"]["play"] in trick), len(finished))


def test_what_a_seat_cannot_know_never_changes_its_observation():
    for number, state in enumerate(islice(states(seeds=range(1), strikes=7), 0, None, EVERY)):
        seat = number % state.rules.players
        assert encoding(state).observe(state.resample(seat, Rng(number)), seat) == encoding(state).observe(state, seat)


@pytest.mark.parametrize(("players", "options"), SETTINGS)
def test_the_legend_covers_the_observation(players, options):
    code, end = encoding(State.begin(players, **options)), 0
    for segment in code.legend:
        assert segment.start == end
        assert segment.meaning
        end += segment.size
    assert end == code.size


def test_action_numbers_stand_for_the_legal_actions():
    seen = {}
    for state in states(seeds=range(2)):
        code = encoding(state)
        for seat in range(state.rules.players):
            actions = state.actions_of(seat)
            numbers = [code.number(action) for action in actions]
            assert len(set(numbers)) == len(numbers)
            assert [number for number, legal in enumerate(code.mask(state, seat)) if legal] == sorted(numbers)
            assert [code.action(state, seat, number) for number in numbers] == list(actions)
            seen.setdefault(code, set()).update(numbers)
    for code, numbers in seen.items():
        assert numbers <= set(range(code.actions))
        assert len(numbers) > code.actions * 0.8


def test_a_paradox_to_be_answered_has_the_last_number():
    plain, explicit = (encoding(State.begin(3, explicit_paradox_action=explicit)) for explicit in (False, True))
    assert explicit.actions == plain.actions + 1
    assert plain.actions == 6 + 4 + 4 * 6


def test_a_number_that_is_not_legal_is_refused():
    state = State.begin(4, seed=1)
    code = encoding(state)
    assert code.action(state, 0, state.actions[0].move - 1) == state.actions[0]
    with pytest.raises(ValueError, match="is the number of no legal action of seat 0"):
        code.action(state, 0, code.actions - 1)
