"""Remarks of Oriflamme: hidden cards, what they cost and brought, and the lead."""

from __future__ import annotations

from games.oriflamme import GAME
from tests.games.oriflamme.positions import play, position
from tests.games.remarking import brief, remarks

KEEP, REVEAL = {"choice": "keep"}, {"choice": "reveal"}


def at(number: int) -> dict[str, str]:
    return {"target": f"position {number}"}


def test_a_kept_card_is_named() -> None:
    assert brief(remarks(play(position("A:Spy"), KEEP))) == [("kept", "the Spy", None, False)]


def test_a_hidden_card_that_is_moved_is_named_and_a_revealed_one_is_not() -> None:
    to_front = {"card": "position 2", "to": "front"}
    hidden = play(position("A:Decree B:Heir"), REVEAL, to_front)
    assert ("moved", "the Heir", None, False) in brief(remarks(hidden))
    revealed = play(position("A:Decree B:Heir*"), REVEAL, to_front)
    assert "moved" not in {event for event, _ in remarks(revealed)}


def test_the_card_under_a_placed_one_is_named() -> None:
    state = GAME.begin(players=3, seed=1)
    for place in ("front", "front", "front"):
        state = play(state, {"card": state.view(state.actor)["own"]["hand"][0], "place": place})
    while state.phase.name != "Placement":
        state = play(state, KEEP)
    own = next(at for at, stack in enumerate(state.view(state.actor)["queue"], 1) if stack[0]["owner"] == state.actor)
    covered = state.view(state.actor)["queue"][own - 1][0]["card"]
    state = play(state, {"card": state.view(state.actor)["own"]["hand"][0], "place": f"on position {own}"})
    assert brief(remarks(state)) == [("own card", f"on the {covered}", None, False)]


def test_the_card_under_an_eliminated_one_is_named() -> None:
    state = play(position("A:Archer [B:Lord / B:Spy] C:Heir C:Spy"), REVEAL)
    assert not remarks(state)
    state = play(position("A:Archer C:Spy [B:Lord / B:Heir]"), REVEAL, at(3))
    assert ("eliminated", "the Heir is under it", None, False) in brief(remarks(state))


def test_a_sprung_ambush_is_a_highlight_of_its_owner() -> None:
    assert ("ambush", "ambush", 1, True) in brief(remarks(play(position("A:Soldier B:Ambush"), REVEAL, at(2))))
    own = brief(remarks(play(position("A:Soldier A:Ambush"), REVEAL, at(2))))
    assert ("eliminated", "own", 0, True) in own
    assert "ambush" not in {event for event, *_ in own}


def test_tokens_lost_and_points_cashed_are_highlights_from_a_limit_on() -> None:
    for tokens in (2, 3):
        found = brief(remarks(play(position(f"A:Soldier B:Lord({tokens})"), REVEAL, at(2))))
        assert (("eliminated", "tokens", 0, True) in found) == (tokens == 3)
        found = brief(remarks(play(position(f"A:Conspiracy({tokens}) B:Lord"), REVEAL)))
        assert (("revealed", "paid", 0, True) in found) == (tokens == 3)


def test_a_new_leader_is_a_highlight_worth_more_in_the_last_round() -> None:
    early = remarks(play(position("A:Lord(3) B:Spy", points=(1, 3, 1)), REVEAL))
    assert ("gained", "lead", 0, True) in brief(early)
    late = remarks(play(position("A:Lord(3) B:Spy", points=(1, 3, 1), round=6), REVEAL))
    assert late[-1][1].weight > early[-1][1].weight
    assert not remarks(play(position("A:Lord(1) B:Spy", points=(1, 3, 1)), REVEAL)), "level with the leader"
