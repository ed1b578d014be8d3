"""What nobody may learn, in every game: from views, events, answers in an open window, and seats that owe nothing."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

import games
from games.core import Event, Game, IllegalAction, Rng, State
from tests.play import begin, variants, walk

GAMES = [games.load(name) for name in games.names()]
TABLES = [
    pytest.param(game, players, id=f"{game.name}-{players}")
    for game in GAMES
    for players in sorted({game.players[0], game.default_players, game.players[-1]})
]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
each_table = pytest.mark.parametrize(("game", "players"), TABLES)
Step = tuple[State, State]
MOST_STEPS = 60
"""Transitions of a match that are looked at."""


def steps(game: Game, players: int, seed: int) -> list[Step]:
    """Transitions of a match without strike-outs, evenly spread, under one of the variants."""
    ways = variants(game)
    variant = ways[(seed * 7 + players) % len(ways)]
    state = begin(game, players, seed, variant) or game.begin(players=players, seed=seed)
    found = list(itertools.pairwise(walk(state, random.Random(seed))))
    return found[:: max(1, len(found) // MOST_STEPS)]


def heard(events: tuple[Event, ...], seat: int | None) -> list[Event]:
    """The events that a seat (None: a spectator) may know of."""
    return [event for event in events if event.reaches(seat)]


def others(state: State, seat: int) -> list[int | None]:
    """The spectator and the seats but for one."""
    return [None, *(other for other in range(state.setup.players) if other != seat)]


@each_table
def test_nobody_sees_who_has_answered_while_a_window_is_open(game: Game, players: int) -> None:
    for seed in range(2):
        for before, after in steps(game, players, seed):
            _, seat, _ = after.origin
            if set(after.pending) != set(before.pending) - {seat} or after.path or not after.pending:
                continue
            for other in others(before, seat):
                assert after.view(other) == before.view(other)
                told = heard(after.events, other)
                for action in before.actions_of(seat)[:6] if told else ():
                    assert heard(action.next_with_events()[1], other)[: len(told)] == told, "it depends on the answer"
            for other in after.pending:
                assert after.question(other) == before.question(other)


@each_table
def test_events_tell_a_seat_nothing_that_its_view_does_not(game: Game, players: int) -> None:
    """Two worlds that a seat cannot tell apart, before and after a decision: it hears the same in both."""
    rng, compared = Rng(players), 0
    for seed in range(2):
        for before, after in steps(game, players, seed)[seed::2]:
            _, seat, move = after.origin
            answer = before.answer_of(seat, move)
            for observer in rng.shuffled([None, *range(players)])[:3]:
                seen, told = after.view(observer), heard(after.events, observer)
                for world_after, events in decided(before.resample(observer, rng), seat, answer):
                    if world_after.view(observer) == seen:
                        assert heard(events, observer) == told
                        compared += 1
    assert compared > 20


def decided(world: State, seat: int, answer: dict[str, Any]) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """What the same answer leads to in another world, or if it is not legal there, what some other answers lead to."""
    actions = list(world.actions_of(seat))
    same = [action for action in actions if action.to_json() == answer]
    for action in same or actions[:4]:
        yield action.next_with_events()


@each_table
def test_the_deal_tells_a_spectator_nothing_that_its_view_does_not(game: Game, players: int) -> None:
    told: dict[str, list[Event]] = {}
    compared = 0
    for seed in range(40):
        state = game.begin(players=players, seed=seed)
        seen = repr(state.view(None))
        compared += seen in told
        assert told.setdefault(seen, heard(state.events, None)) == heard(state.events, None)
    assert compared or players == 2


@each_table
def test_no_view_and_no_question_shows_the_seed(game: Game, players: int) -> None:
    for before, _ in steps(game, players, 1)[::10]:
        data = before.to_json()
        other = game.from_json({**data, "setup": {**data["setup"], "seed": 987_654_321}})
        for seat in (None, *range(players)):
            assert other.view(seat) == before.view(seat)
        for seat in before.pending:
            assert other.question(seat) == before.question(seat)


@each_table
def test_a_seat_that_owes_nothing_is_asked_nothing_and_decides_nothing(game: Game, players: int) -> None:
    phases = set()
    for seed in range(3):
        for before, after in steps(game, players, seed)[::3]:
            phases.add(before.phase_id)
            legal = [action.to_json() for action in before.actions[:3]]
            for state in (before, after):
                for seat in {*range(players), -1, players, 99, True, False, "0", None} - set(state.pending) | {True, False}:
                    check_owes_nothing(state, seat, legal)
    assert len(phases) > 1


def check_owes_nothing(state: State, seat: Any, answers: list[dict[str, Any]]) -> None:
    for answer in (*answers, None):
        with pytest.raises(IllegalAction, match="You owe no decision now"):
            state.read(seat, answer)
    with pytest.raises(ValueError, match="owes no decision"):
        state.question(seat)
    with pytest.raises(ValueError, match="owes no decision"):
        state.strike_out(seat)


@each_table
def test_there_is_no_view_for_a_seat_that_is_not_there(game: Game, players: int) -> None:
    wrong: tuple[Any, ...] = (-1, players, 99, True, False, 0.0, "0", (0,))
    for before, _ in steps(game, players, 0)[::20]:
        for seat in wrong:
            with pytest.raises(ValueError, match="there is no seat"):
                before.view(seat)


@each_game
def test_equal_and_unequal_always_disagree(game: Game) -> None:
    states = [state for state, _ in steps(game, game.default_players, 2)]
    again = [game.from_json(state.to_json()) for state in states]
    for one in states[::4]:
        for other in (*again[::4], None, tuple(one), one.to_json()):
            assert (one == other) is not (one != other)
            assert (other == one) is not (other != one)
    assert [one == other for one, other in zip(states, again, strict=True)] == [True] * len(states)
