"""Remarks: each belongs to an event, and a public one follows from public events alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from games.core import Event, Remark, Rng, State
from games.testing.game_checks import GameChecks
from games.testing.information import decided, heard

Told = tuple[Event, tuple[object, ...]]


class RemarkChecks(GameChecks):
    """Tests of what is said to people about events."""

    def test_a_remark_belongs_to_an_event_and_a_highlight_to_a_kind(self, players: int) -> None:
        for states, told in zip(self.matches(players), self.told(players), strict=True):
            for before, state, events in zip((None, *states), states, told, strict=False):
                for remark in self.game.remarks(before, state, events):
                    assert remark.event in range(len(events))
                    assert remark.text or remark.kind, "it says nothing"
                    assert not remark.kind or remark.kind in self.game.highlight_kinds
                    assert remark.seat is None or remark.seat in range(players)
                    assert not remark.is_public or events[remark.event].audience is None, "the event is not public"

    def test_public_remarks_say_nothing_that_public_events_do_not(self, some_players: int) -> None:
        """Two worlds that a spectator cannot tell apart, before and after a decision: the public remarks are the same."""
        rng, compared = Rng(some_players), 0
        for seed in range(2):
            for before, after in self.steps(some_players, seed)[seed::2]:
                _, seat, move = after.origin
                seen, told = after.view(None), heard(after.events, None)
                said = public(after.events, self.game.remarks(before, after, after.events))
                for other, state, events in worlds(before, rng, seat, before.answer_of(seat, move)):
                    if state.view(None) == seen and heard(events, None) == told:
                        assert public(events, self.game.remarks(other, state, events)) == said
                        compared += 1
        assert compared


def public(events: Sequence[Event], remarks: Iterable[Remark]) -> list[Told]:
    """The public remarks, each with its event."""
    return [(events[remark.event], tuple(remark)[1:]) for remark in remarks if remark.is_public]


def worlds(before: State, rng: Rng, seat: int, answer: dict[str, object]) -> Iterator[tuple[State, State, tuple[Event, ...]]]:
    """Another world of a spectator, with the states that the decision leads to in it, and their events."""
    world = before.resample(None, rng)
    for state, events in decided(world, seat, answer):
        yield world, state, events
