"""What the play of the others says of their cards and of their style: claims, blocks, what nobody did, and challenges."""

from __future__ import annotations

from collections import Counter
from math import prod
from typing import Any

import pytest

from games.core import Rng
from games.core.reading import Reading
from games.coup import State
from games.coup.belief.readings import readings
from games.coup.cards import Cards
from games.coup.resample import likely_worlds
from games.search.worlds import mixed, mixture, worlds_of
from tests.games.coup.positions import blocks, challenges, does, hand, passes, play, position, shows
from tests.games.search.test_search import middle


def reading(state: State, seat: int, knows: int | None = 0) -> Reading:
    """What another seat (None: a spectator) reads of a seat's play."""
    return next(one for one in readings(state, knows) if one.seat == seat)


def weight(state: State, seat: int, cards: str, knows: int | None = 0) -> float:
    """How likely the play of a seat makes face-down cards, in relation to the likeliest ones."""
    return mixture(reading(state, seat, knows))[held(cards)]


def held(cards: str) -> Cards:
    return tuple(sorted(hand(cards).down))


def styles(state: State, seat: int) -> dict[str, float]:
    """How likely each style is, over the hands of a seat that the deck makes equally likely."""
    found = reading(state, seat)
    assert found.table is not None
    parts = [style.prior * sum(one[number] for one in found.table.values()) for number, style in enumerate(found.styles)]
    return {style.name: part / sum(parts) for style, part in zip(found.styles, parts, strict=True)}


def table(*answers: Any, **options: Any) -> State:
    """A match of three after these answers; P-1 begins."""
    return play(position("2 Co As", "3 Ca Am", "2 Co Co", actor=1, **options), *answers)


def taxes(number: int, *answers: Any) -> State:
    """A match of two in which P-1 has taken Tax so often, each one answered by P-0 (passed if nothing is given)."""
    state = position("2 Du Am", "2 Co As", actor=1)
    for turn in range(number):
        state = play(state._replace(coins=(2, 2)), does(1, "tax"), *(answers or passes(0)))
        if turn + 1 < number:
            state = play(state, does(0, "income"))
    return state


def duke(state: State) -> float:
    """The share of worlds of P-0 in which P-1 has a Duke."""
    worlds = worlds_of(state, 0)
    return sum("Duke" in worlds(Rng(number)).hands[1].down for number in range(600)) / 600


def test_without_evidence_all_hands_are_equally_likely() -> None:
    assert weight(table(), 1, "Du Du") == weight(table(), 1, "Ca Am") == 1


@pytest.mark.parametrize(
    ("answers", "seat", "likely", "unlikely", "at_most"),
    [
        ([does(1, "tax")], 1, "Du Co", "Co Co", 0.5),
        ([does(1, "tax"), *passes(2, 0)], 1, "Du Co", "Co Co", 0.5),
        ([does(1, "foreign aid"), *passes(2, 0)], 2, "Co Co", "Du Co", 0.75),
        ([does(1, "steal", 2), *passes(2, 0), *passes(2)], 2, "Co Co", "Ca Co", 0.5),
        ([does(1, "steal", 2), *passes(2, 0), blocks(2, "Ambassador")], 2, "Am Co", "Ca Co", 0.55),
        ([does(1, "income")], 1, "Co Co", "Du Co", 0.9),
    ],
)
def test_what_a_player_did_makes_hands_more_or_less_likely(
    answers: Any, seat: int, likely: str, unlikely: str, at_most: float
) -> None:
    state = table(*answers)
    assert weight(state, seat, likely) == 1
    assert weight(state, seat, unlikely) < at_most


def test_claims_of_two_characters_are_more_evidence_than_one() -> None:
    state = table(does(1, "tax"), *passes(2, 0), does(2, "income"), does(0, "income"), does(1, "steal", 0), *passes(2, 0))
    assert weight(state, 1, "Du Ca") == 1
    assert weight(state, 1, "Co Co") < min(weight(state, 1, "Du Co"), weight(state, 1, "Ca Co")) < 1


def test_a_claim_made_again_is_hardly_more_evidence() -> None:
    once, often = duke(taxes(1)), duke(taxes(6))
    assert duke(taxes(0)) < 0.35
    assert once > 0.45
    assert abs(duke(taxes(3)) - once) < 0.15
    assert often < 0.75


def test_who_was_found_lying_is_believed_less() -> None:
    state = play(position("3 Du Am", "3 Co Co", "3 Ca Ca", actor=1), does(1, "tax"), challenges(2), (1, {"lose": "Contessa"}))
    state = play(state, does(2, "income"), does(0, "income"))
    later = [play(one, does(1, "steal", 0), *passes(2, 0)) for one in (state, lucky(state))]
    liar, unknown = (weight(one, 1, "(Co) Co") for one in later)
    assert liar > unknown * 1.2
    assert styles(later[0], 1)["honest"] < 0.1 * styles(later[1], 1)["honest"]


def lucky(state: State) -> State:
    """The same position without the turn in which P-1 was found lying."""
    return state._replace(history=tuple(turn for turn in state.history if turn.actor != 1))


def test_who_never_challenges_is_bluffed_more_and_who_does_less() -> None:
    """Beside `steady`, which claims alike, the style that never challenges gains with every claim let pass; one challenge rules
    it out nearly."""

    def more_than_steady(state: State, style: str) -> float:
        found = styles(state, 1)
        return found[style] / found["steady"]

    state = position("2 Du Am", "2 Co As", actor=0)
    believing, always = [more_than_steady(state, "believing")], [more_than_steady(state, "always")]
    for _ in range(4):
        state = play(state._replace(coins=(2, 2)), does(0, "tax"), *passes(1), does(1, "income"))
        believing.append(more_than_steady(state, "believing"))
        always.append(more_than_steady(state, "always"))
    assert believing == sorted(believing)
    assert believing[-1] > 1.5 * believing[0]
    assert always[-1] < 0.01 * always[0]
    state = play(state, does(0, "tax"), challenges(1), shows(0, "Duke"), (1, {"lose": "Assassin"}))
    assert more_than_steady(state, "believing") < 0.1 * believing[-1]


def test_the_own_play_is_no_evidence_for_oneself_but_is_for_the_public() -> None:
    state = table(does(1, "tax"))
    assert [one.seat for one in readings(state, 1)] == [0, 2]
    assert weight(state, 1, "Co Co", knows=None) < 0.5


def test_a_claim_that_was_proven_says_nothing_more() -> None:
    state = play(position("2 Co As", "3 Du Am", "2 Am Am", actor=1), does(1, "tax"), challenges(2))
    state = play(state, shows(1, "Duke")) if state.pending == (1,) else state
    state = play(state, (2, {"lose": "Ambassador"}))
    assert weight(state, 1, "Co Co") == weight(state, 1, "Du Co") == 1


def test_a_false_claim_says_nothing_about_the_cards_left() -> None:
    state = table(does(1, "tax"), challenges(2))
    assert weight(state, 1, "Co Co") == 1


def test_an_exchange_ends_what_was_known() -> None:
    state = table(does(1, "exchange"), *passes(2, 0))
    state = play(state, (1, state.actions_of(1)[0].to_json()))
    assert weight(state, 1, "Co Co") == weight(state, 1, "Am Co") == 1


def test_a_lost_card_explains_an_earlier_claim() -> None:
    before = table(does(1, "steal", 2), *passes(2, 0), *passes(2), does(2, "income"))
    state = before._replace(coins=(7, 2, 2), pending=(0,))
    assert weight(state, 1, "Co Co") < 1
    state = play(state, does(0, "coup", 1), (1, {"lose": "Captain"}))
    assert weight(state, 1, "(Ca) Co") == 1


@pytest.mark.parametrize("players", [3, 4, 6])
def test_likely_worlds_are_those_that_refusing_would_leave(players: int) -> None:
    """For each seat's hand, the shares among worlds drawn at once and among worlds weighted by the readings agree."""
    state: Any = middle("coup", players, 2)
    seat = state.pending[0]
    found = readings(state, seat)
    draw = likely_worlds(state, seat, {one.seat: mixture(one) for one in found})
    assert draw is not None
    drawn, weighted = Counter[object](), dict[object, float]()
    for number in range(1500):
        world, other = draw(Rng.of(number)), state.resample(seat, Rng.of("other", number))
        drawn.update((one, tuple(sorted(held.down))) for one, held in enumerate(world.hands))
        judged = prod(mixed(one.styles, one.explain(other)) for one in found)
        for one, held in enumerate(other.hands):
            cards = one, tuple(sorted(held.down))
            weighted[cards] = weighted.get(cards, 0) + judged
    total = sum(weighted.values()) / players
    assert len(drawn) > players
    for key, times in drawn.items():
        assert times / 1500 == pytest.approx(weighted.get(key, 0) / total, abs=0.05), key


@pytest.mark.parametrize("seed", range(5))
def test_it_reads_nothing_that_is_hidden(seed: int) -> None:
    state = table(does(1, "tax"), *passes(2, 0), does(2, "foreign aid"), *passes(0, 1), does(0, "income"))
    world, other = state.resample(0, Rng(seed)), state.resample(0, Rng(seed + 100))
    for one, same in zip(readings(state, 0), readings(world, 0), strict=True):
        assert one.explain(other) == same.explain(other)
        assert one.table == same.table
