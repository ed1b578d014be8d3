"""Information: views, events and worlds tell each seat what it may know, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from games.core import STRIKE_OUT, Event, Rng, State
from games.testing.game_checks import GameChecks, refusal, sampled

SECOND_PERSON = re.compile(r"\b(you|your|yours|yourself)\b", re.IGNORECASE)


class InformationChecks(GameChecks):
    """Tests of what seats and spectators get to know."""

    def test_a_seat_cannot_tell_its_worlds_from_the_state(self, players: int) -> None:
        for states in self.matches(players):
            for number, state in enumerate(sampled(states, 10)):
                for seat in (None, *range(players)):
                    world = state.resample(seat, Rng(number))
                    assert same_to(seat, world, state)

    def test_worlds_of_worlds_and_of_restored_states_are_worlds_too(self, players: int) -> None:
        for states in self.matches(players)[:2]:
            for number, state in enumerate(sampled(states, 12)):
                seat = (None, *range(players))[number % (players + 1)]
                world = state.resample(seat, Rng(number))
                assert same_to(seat, world.resample(seat, Rng.of(number)), state)
                assert state.resample(seat, Rng(number)) == world
                assert self.game.from_json(world.to_json()) == world
                assert self.game.from_json(state.to_json()).resample(seat, Rng(number)) == world

    def test_a_view_is_json_and_marks_whose_it_is(self, players: int) -> None:
        for states in self.matches(players):
            for state in sampled(states, 10):
                for seat in (None, *range(players)):
                    view = state.view(seat)
                    assert json.loads(json.dumps(view)) == view
                    assert view["game"] == self.game.name
                    assert view["seat"] == seat
                    assert (view["own"] is None) == (seat is None)
                    assert view["phase"] == {"id": state.phase_id, "name": state.phase.name}

    def test_events_are_sentences_for_seats_that_exist(self, players: int) -> None:
        for states, told in zip(self.matches(players), self.told(players), strict=True):
            for number, (before, after, events) in enumerate(zip(states, states[1:], told[1:], strict=False)):
                _, seat, move = after.origin
                for event in events:
                    assert event.kind == "quote" or not SECOND_PERSON.search(event.text), "others and logs read it too"
                    assert event.text
                    assert "\n" not in event.text or "quote" in event.kind
                    json.dumps(event.data)
                    assert event.audience is None or set(event.audience) <= set(range(players))
                if number % 3 == 0 and move is not STRIKE_OUT:
                    answer = before.answer_of(seat, move)
                    assert before.resample(seat, Rng(7)).read(seat, answer).to_json() == answer

    def test_events_tell_a_seat_nothing_that_its_view_does_not(self, some_players: int) -> None:
        """Two worlds that a seat cannot tell apart, before and after a decision: it hears the same in both."""
        rng, compared = Rng(some_players), 0
        for seed in range(2):
            for before, after in self.steps(some_players, seed)[seed::2]:
                _, seat, move = after.origin
                answer = before.answer_of(seat, move)
                for observer in rng.shuffled([None, *range(some_players)])[:3]:
                    seen, told = after.view(observer), heard(after.events, observer)
                    for world_after, events in decided(before.resample(observer, rng), seat, answer):
                        if world_after.view(observer) == seen:
                            assert heard(events, observer) == told
                            compared += 1
        assert compared

    def test_nobody_sees_who_has_answered_while_a_window_is_open(self, some_players: int) -> None:
        for seed in range(2):
            for before, after in self.steps(some_players, seed):
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

    def test_the_deal_tells_a_spectator_nothing_that_its_view_does_not(self, some_players: int) -> None:
        told: dict[str, list[Event]] = {}
        for seed in range(40):
            state = self.game.begin(players=some_players, seed=seed)
            events = heard(state.events, None)
            assert told.setdefault(repr(state.view(None)), events) == events

    def test_no_view_and_no_question_shows_the_seed(self, some_players: int) -> None:
        for before, _ in self.steps(some_players, 1)[::10]:
            other = self.of_seed(before, 987_654_321)
            for seat in (None, *range(some_players)):
                assert other.view(seat) == before.view(seat)
            for seat in before.pending:
                assert other.question(seat) == before.question(seat)

    def test_there_is_no_view_for_a_seat_that_is_not_there(self, some_players: int) -> None:
        wrong: tuple[Any, ...] = (-1, some_players, 99, True, False, 0.0, "0", (0,))
        for before, _ in self.steps(some_players, 0)[::20]:
            for seat in wrong:
                assert "there is no seat" in refusal(ValueError, before.view, seat)


def same_to(seat: int | None, world: State, state: State) -> bool:
    """Whether a seat sees, is asked and may do the same in two states."""
    if world.view(seat) != state.view(seat) or world.pending != state.pending:
        return False
    if seat is None or seat not in state.pending:
        return True
    question = state.question(seat)
    return world.question(seat) == question and all(
        world.read(seat, choice.answer).to_json() == choice.answer for choice in question.choices[:5]
    )


def heard(events: tuple[Event, ...], seat: int | None) -> list[Event]:
    """The events that a seat (None: a spectator) may know of."""
    return [event for event in events if event.reaches(seat)]


def others(state: State, seat: int) -> list[int | None]:
    """The spectator and the seats but for one."""
    return [None, *(other for other in range(state.setup.players) if other != seat)]


def decided(world: State, seat: int, answer: dict[str, Any]) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """What the same answer leads to in another world, or if it is not legal there, what some other answers lead to."""
    actions = list(world.actions_of(seat))
    same = [action for action in actions if action.to_json() == answer]
    for action in same or actions[:4]:
        yield action.next_with_events()
