"""What placing order, and keeping or revealing, say of the cards that rivals hide."""

from __future__ import annotations

from collections import Counter

import pytest

from games.core import Rng
from games.core.reading import Reading
from games.oriflamme import GAME, State
from games.oriflamme.cards import NUMBERS
from games.oriflamme.position import from_json, to_json
from games.oriflamme.readings import STYLES, readings
from games.oriflamme.stack import card_of, cards_of, stack_of
from games.search.worlds import Worlds, mixture, playing_on, worlds_of
from tests.games.oriflamme.positions import position

steady = GAME.bots["steady"]


def middle(seed: int, round: int = 4) -> State:
    """A match of four steady bots, in the first resolution of a round in which seat 0 decides."""
    state, rng = GAME.begin(players=4, seed=seed), Rng(seed)
    while state.round < round or state.actor != 0:
        state = steady(state, state.pending[0], rng).next_state
    assert isinstance(state, State)
    return state


def hidden(state: State, seat: int) -> tuple[int, ...]:
    return tuple(card.kind for stack in state.queue for card in cards_of(stack) if card.owner == seat and not card.revealed)


def shares(state: State, seat: int) -> dict[int, float]:
    """By kind how often it is among the hidden cards of a seat, as P-0 reads its play."""
    found = dict[int, float]()
    table = mixture(next(one for one in readings(state, 0) if one.seat == seat))
    for (kinds, _), weight in table.items():
        for kind in kinds:
            found[kind] = found.get(kind, 0) + weight / sum(table.values())
    return found


def test_worlds_keep_what_the_seat_knows() -> None:
    for seed in range(6):
        state = middle(seed)
        worlds = worlds_of(state, 0)
        for number in range(20):
            assert worlds(Rng(number)).view(0) == state.view(0)


def test_a_card_kept_hidden_is_rather_one_that_grows() -> None:
    found = shares(position("B:Conspiracy(3) A:Soldier* C:Spy(1)", at=2, round=5), 1)
    assert found[NUMBERS["Conspiracy"]] > 1.5 * max(found[NUMBERS["Heir"]], found[NUMBERS["Lord"]], found[NUMBERS["Archer"]])


def test_who_places_late_what_goes_early_has_it_no_more() -> None:
    """A rival that began with a Lord is less likely to have kept a Shapeshifter, which mostly goes first."""
    archer, lord = (shares(begun(first), 1).get(NUMBERS["Shapeshifter"], 0) for first in ("Archer", "Lord"))
    assert lord < archer


def begun(first: str) -> State:
    """Round 2 after P-1 placed and revealed this card in round 1, with a hidden one of each player."""
    state = position(f"B:{first}* B:Spy A:Soldier* C:Spy(1)", at=3, round=2)
    stacks = [stack_of([card_of(stack)._replace(placed=1 + (index == 1))]) for index, stack in enumerate(state.queue)]
    return state._replace(queue=tuple(stacks))


def test_all_explanations_are_those_of_the_cards_alone_before_anything_was_placed() -> None:
    for one in readings(GAME.begin(players=3, seed=1), 0):
        assert one.table is not None
        assert {tuple(likelihoods) for likelihoods in _each(one)} == {(1.0,) * len(STYLES)}


def test_in_shares_of_the_win_more_players_are_taken_not_to_be_steady() -> None:
    """And only there: search draws worlds, and lets the others play on, by the weights of before."""
    state = middle(1)
    worlds = worlds_of(state, 0)
    assert weights_of_styles(worlds_of(state, 0, is_adapting=True)) == {(0.6, 0.25, 0.15)}
    assert weights_of_styles(playing_on(state)) == {(0.15, 0.5, 0.35)}
    assert weights_of_styles(playing_on(state, worlds)) == {(0.15, 0.5, 0.35)}
    assert playing_on(state, worlds)(Rng(3)) == worlds(Rng(3))


def weights_of_styles(worlds: Worlds) -> set[tuple[float, ...]]:
    return {tuple(style.prior for style in reading.styles) for reading in worlds.adapting_to}


def _each(one: Reading) -> list[list[float]]:
    """How likely each style finds what was done with each holding of the sample, once for each."""
    assert one.table is not None
    return [[value / likelihoods[-1] for value in likelihoods] for likelihoods in one.table.values()]


def test_the_styles_tell_apart_who_plays_at_random() -> None:
    """After matches of three steady rivals the style `steady` is likelier than before, after those of random ones `random`."""
    for rival, name in ((steady, "steady"), (GAME.bots["random"], "random")):
        ratio = 1.0
        for seed in range(8):
            state, rng = GAME.begin(players=3, seed=seed), Rng(seed)
            while state.round < 5 or state.actor != 0:
                state = (steady if state.pending[0] == 0 else rival)(state, state.pending[0], rng).next_state
            for one in readings(state, 0):
                likelihoods = {style.name: value for style, value in zip(one.styles, one.explain(state), strict=True)}
                ratio *= likelihoods["steady"] / likelihoods["random"]
        assert ratio > 100 if name == "steady" else ratio < 0.01


def test_worlds_come_as_often_as_the_table_says_and_it_says_what_explains_them() -> None:
    state = middle(3)
    worlds, found = worlds_of(state, 0), {one.seat: one for one in readings(state, 0)}
    drawn = [worlds(Rng.of(number)) for number in range(1000)]
    for seat, one in found.items():
        said, kinds = shares(state, seat), Counter(kind for world in drawn for kind in hidden(world, seat))
        for kind in {*said, *kinds}:
            assert kinds[kind] / len(drawn) == pytest.approx(said.get(kind, 0), abs=0.06)
        assert one.table is not None
        for world in drawn[:50]:
            likelihoods, weights = one.explain(world), one.table[hidden(world, seat), world.removed[seat]]
            times = weights[0] / likelihoods[0]  # as often as it is in the sample
            assert [times * value for value in likelihoods] == pytest.approx(weights)
            assert round(times) == pytest.approx(times)


def test_it_reads_nothing_that_is_hidden() -> None:
    state = middle(5)
    world, other = state.resample(0, Rng(1)), state.resample(0, Rng(2))
    for one, same in zip(readings(state, 0), readings(world, 0), strict=True):
        assert one.explain(other) == same.explain(other)
        assert one.table == same.table


def test_a_state_of_an_earlier_release_has_no_rounds_of_placing_and_is_read_all_the_same() -> None:
    state = middle(2)
    data = to_json(state)
    assert to_json(from_json(State, state.setup, data)) == data
    assert {round for stack in data["placed"] for round in stack} <= {1, 2, 3, 4}
    del data["placed"]
    earlier = from_json(State, state.setup, data)
    assert to_json(earlier)["placed"] == [[0] * len(stack) for stack in data["queue"]]
    assert worlds_of(earlier, 0)(Rng(1)).view(0) == state.view(0)
