"""How likely the play of the others is with their cards: claims, blocks and what nobody did."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from games.core import Rng
from games.coup import State
from games.coup.belief.likelihood import likelihood
from games.coup.resample import likely_worlds
from tests.games.coup.positions import blocks, challenges, does, hand, passes, play, position
from tests.games.search.test_search import middle


def weight(state: State, seat: int, cards: str, knows: int | None = 0) -> float:
    """How likely the play so far is if a seat has these face-down cards, for another seat that knows nothing of them."""
    hands = list(state.hands)
    hands[seat] = hand(cards)
    return likelihood(state, knows)(state._replace(hands=tuple(hands)))


def table(*answers: Any, **options: Any) -> State:
    """A match of three after these answers; P-1 begins."""
    return play(position("2 Co As", "3 Ca Am", "2 Co Co", actor=1, **options), *answers)


def test_without_evidence_all_hands_are_equally_likely() -> None:
    assert weight(table(), 1, "Du Du") == weight(table(), 1, "Ca Am") == 1


@pytest.mark.parametrize(
    ("answers", "seat", "likely", "unlikely"),
    [
        ([does(1, "tax")], 1, "Du Co", "Co Co"),
        ([does(1, "tax"), *passes(2, 0)], 1, "Du Co", "Co Co"),
        ([does(1, "foreign aid"), *passes(2), blocks(0, "Duke"), *passes(1, 2), does(2, "income")], 2, "Co Co", "Du Co"),
        ([does(1, "foreign aid"), *passes(2, 0)], 2, "Co Co", "Du Co"),
        ([does(1, "steal", 2), *passes(2, 0), *passes(2)], 2, "Co Co", "Ca Co"),
        ([does(1, "steal", 2), *passes(2, 0), blocks(2, "Ambassador")], 2, "Am Co", "Ca Co"),
        ([does(1, "income")], 1, "Co Co", "Du Co"),
    ],
)
def test_what_a_player_did_makes_hands_more_or_less_likely(answers: Any, seat: int, likely: str, unlikely: str) -> None:
    state = table(*answers)
    assert weight(state, seat, likely) == 1
    assert weight(state, seat, unlikely) < 0.5


def test_evidence_multiplies() -> None:
    state = table(does(1, "tax"), *passes(2, 0), does(2, "income"), does(0, "income"), does(1, "steal", 0), *passes(2, 0))
    assert weight(state, 1, "Du Ca") == 1
    assert weight(state, 1, "Co Co") == weight(state, 1, "Du Co") * weight(state, 1, "Ca Co")


def test_the_own_play_is_no_evidence_for_oneself_but_is_for_the_public() -> None:
    state = table(does(1, "tax"))
    assert weight(state, 1, "Co Co", knows=1) == 1
    assert weight(state, 1, "Co Co", knows=None) < 0.5


def test_a_claim_that_was_proven_says_nothing_more() -> None:
    state = play(position("2 Co As", "3 Du Am", "2 Am Am", actor=1), does(1, "tax"), challenges(2))
    state = play(state, (1, {"show": "Duke"})) if state.pending == (1,) else state
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
    """For each seat's hand, the shares among worlds drawn at once and among worlds weighted by the likelihood agree."""
    state: Any = middle("coup", players, 2)
    seat = state.pending[0]
    judge, draw = likelihood(state, seat), likely_worlds(state, seat)
    assert draw is not None
    drawn, weighted = Counter[object](), dict[object, float]()
    for number in range(3000):
        world, other = draw(Rng.of(number)), state.resample(seat, Rng.of("other", number))
        drawn.update((one, tuple(sorted(held.down))) for one, held in enumerate(world.hands))
        for one, held in enumerate(other.hands):
            cards = one, tuple(sorted(held.down))
            weighted[cards] = weighted.get(cards, 0) + judge(other)
    total = sum(weighted.values()) / players
    assert len(drawn) > players
    for key, times in drawn.items():
        assert times / 3000 == pytest.approx(weighted.get(key, 0) / total, abs=0.05), key


@pytest.mark.parametrize("seed", range(5))
def test_it_reads_nothing_that_is_hidden(seed: int) -> None:
    state = table(does(1, "tax"), *passes(2, 0), does(2, "foreign aid"), *passes(0, 1), does(0, "income"))
    world, other = state.resample(0, Rng(seed)), state.resample(0, Rng(seed + 100))
    assert likelihood(state, 0)(other) == likelihood(world, 0)(other)
