"""The encoding for learners: an observation says what the view says, and action numbers stand for the legal actions."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.core import Encoding, Rng, State, View
from games.dixiquote.actions import CANNED_QUOTES
from games.testing.random_play import walk
from tests.games.dixiquote.tables import GAME, begin, play, to_quote, to_submit, to_vote

OPTIONS: tuple[dict[str, Any], ...] = ({}, {"blind_quote": True}, {"storyteller_skip": "random_card", "skip_scope": "round"})


def encoding(state: State) -> Encoding:
    assert GAME.encoding is not None
    return GAME.encoding(state.setup.players, state.setup.options)


def part(code: Encoding, numbers: tuple[int, ...], name: str) -> tuple[int, ...]:
    (found,) = [segment for segment in code.legend if segment.name == name]
    return numbers[found.start : found.start + found.size]


def marked(code: Encoding, numbers: tuple[int, ...], name: str) -> set[int]:
    """The places of a part that are not 0."""
    return {place for place, value in enumerate(part(code, numbers, name)) if value}


def matches(players: int) -> list[State]:
    """States of matches under several options, every seventh decision a strike-out."""
    return [
        state
        for seed, options in enumerate(OPTIONS)
        for state in list(walk(begin(players, **options), random.Random(seed), 1 / 7))[::5]
    ]


@pytest.mark.parametrize("players", GAME.players)
def test_an_observation_says_what_the_view_says(players: int) -> None:
    for index, state in enumerate(matches(players)):
        code, seat = encoding(state), index % players
        numbers = code.observe(state, seat)
        assert len(numbers) == code.size
        assert all(type(number) is int for number in numbers)
        check(code, numbers, state.view(seat))


def check(code: Encoding, numbers: tuple[int, ...], view: View) -> None:
    ids = [card.id for card in GAME.options["deck"].default]
    for name in ("round", "deck_left"):
        assert part(code, numbers, name) == (view[name],)
    for name, seat in (("observer", view["seat"]), ("storyteller", view["storyteller"])):
        assert marked(code, numbers, name) == {seat}
    assert [GAME.phases[place].id for place in marked(code, numbers, "phase")] == [view["phase"]["id"]]
    for name in ("scores", "hand_sizes"):
        assert part(code, numbers, name) == tuple(view[name])
    own = view["own"]
    played = own["chosen"] or own["submitted"]
    for name, cards in (("hand", own["hand"]), ("table", view["table"]), ("played", [played] if played else [])):
        assert {ids[place] for place in marked(code, numbers, name)} == {card["id"] for card in cards}
    assert [ids[place] for place in marked(code, numbers, "vote")] == ([own["vote"]] if own["vote"] else [])
    past = {ids.index(card["id"]): (done, card) for done in view["history"] for card in done["cards"]}
    players = view["players"]
    for number in range(len(ids)):
        done, card = past.get(number, ({"round": 0}, {"owner": None, "votes": []}))
        assert part(code, numbers, "past_round")[number] == done["round"]
        assert bool(part(code, numbers, "past_quote")[number]) == (number in past)
        row = slice(players * number, players * (number + 1))
        assert part(code, numbers, "past_owner")[row] == tuple(int(seat == card["owner"]) for seat in range(players))
        assert part(code, numbers, "past_votes")[row] == tuple(int(seat in card["votes"]) for seat in range(players))


@pytest.mark.parametrize("players", GAME.players)
def test_what_a_seat_cannot_know_never_changes_its_observation(players: int) -> None:
    for index, state in enumerate(matches(players)):
        code, seat = encoding(state), index % players
        assert code.observe(state.resample(seat, Rng(index)), seat) == code.observe(state, seat)


@pytest.mark.parametrize("players", GAME.players)
def test_action_numbers_stand_for_the_legal_actions(players: int) -> None:
    for state in matches(players):
        code = encoding(state)
        for seat in range(players):
            numbers = [code.number(action) for action in state.actions_of(seat)]
            assert len(set(numbers)) == len(numbers)
            assert [number for number, legal in enumerate(code.mask(state, seat)) if legal] == sorted(numbers)
            assert [code.action(state, seat, number) for number in numbers] == list(state.actions_of(seat))
            assert set(numbers) <= set(range(code.actions))


def test_quotes_come_first_then_cards_to_play_then_cards_to_vote_for() -> None:
    choosing, quoting, voting = begin(), to_quote(begin()), to_vote(begin())
    code = encoding(choosing)
    assert code.actions == 4 + 80 + 80
    assert [code.number(action) for action in quoting.actions] == [0, 1, 2, 3]
    assert [code.number(action) for action in choosing.actions] == [4 + action.move for action in choosing.actions]
    assert [code.number(action) for action in voting.actions] == [84 + action.move for action in voting.actions]
    assert encoding(begin(5)).size > code.size


@pytest.mark.parametrize(("place", "quote"), [*enumerate((*CANNED_QUOTES, "A new one."))])
def test_a_quote_is_one_of_the_list_or_another(place: int, quote: str) -> None:
    before, after = to_quote(begin()), to_submit(begin(), quote)
    code = encoding(before)
    assert marked(code, code.observe(before, 0), "quote") == set()
    assert marked(code, code.observe(after, 1), "quote") == {place}


def test_an_empty_quote_has_a_place_of_its_own() -> None:
    state = to_quote(begin(storyteller_skip="random_card")).strike_out(0)
    code = encoding(state)
    assert marked(code, code.observe(state, 1), "quote") == {5}


def test_a_quote_that_is_not_on_the_list_has_no_number() -> None:
    state = to_quote(begin())
    action = state.read(0, {"quote": "A line of my own."})
    with pytest.raises(ValueError, match="not in tuple"):
        encoding(state).number(action)
    with pytest.raises(ValueError, match="is the number of no legal action of seat 1"):
        encoding(state).action(play(state, 0, quote=CANNED_QUOTES[0]), 1, 0)


def test_the_legend_covers_the_observation() -> None:
    code, end = encoding(begin()), 0
    for segment in code.legend:
        assert segment.start == end
        assert segment.meaning
        end += segment.size
    assert end == code.size
