"""The scenarios of the rules, each drawn as a position."""

from __future__ import annotations

import pytest

from games.oriflamme import GAME, State
from tests.games.oriflamme.positions import drawn, play, position

KEEP = {"choice": "keep"}
REVEAL = {"choice": "reveal"}


def at(number: int) -> dict[str, str]:
    return {"target": f"position {number}"}


def answers(state: State) -> list[dict[str, str]]:
    return [action.to_json() for action in state.actions]


def test_a_lord_pays_its_tokens_and_a_point() -> None:  # rules 11 and 24
    state = play(position("A:Lord(3)"), REVEAL)
    assert state.scores[0] == 1 + 3 + 1
    assert drawn(state) == "A:Lord*"


def test_a_kept_card_gets_a_token() -> None:  # rule 11
    state = play(position("A:Spy"), KEEP)
    assert drawn(state) == "A:Spy(1)"
    assert state.scores[0] == 1


def test_a_conspiracy_pays_double_and_leaves() -> None:  # rules 12 and 29
    state = play(position("A:Conspiracy(3)"), REVEAL)
    assert state.scores[0] == 7
    assert drawn(state) == ""


def test_an_ambush_revealed_by_its_owner_loses_its_tokens() -> None:  # rules 12 and 26
    state = play(position("A:Ambush(2)"), REVEAL)
    assert state.scores[0] == 2
    assert drawn(state) == ""


def test_an_ambush_takes_the_soldier_with_it() -> None:  # rules 14 and 26
    state = position("A:Soldier* B:Ambush(2) C:Lord")
    assert answers(state) == [at(2)]
    state = play(state, at(2))
    assert state.scores[:2] == (2, 5)
    assert drawn(state) == "C:Lord"
    assert (state.phase.name, state.actor, state.pointer) == ("Resolution", 2, 0)


def test_an_assassination_springs_an_ambush_as_well() -> None:  # rules 26 and 28
    state = play(position("A:Assassination B:Ambush(2) C:Lord"), REVEAL, at(2))
    assert state.scores == (2, 5, 1)
    assert drawn(state) == "C:Lord"


def test_an_own_soldier_eliminates_an_own_ambush() -> None:  # rule 27
    state = play(position("A:Soldier* A:Ambush(4)"), at(2))
    assert (state.scores[0], drawn(state)) == (3, "")
    state = play(position("A:Soldier* A:Ambush(4)", ambush_own="one_point_attacker_stays"), at(2))
    assert (state.scores[0], drawn(state)) == (2, "A:Soldier*")


def test_an_assassination_leaves_though_the_attacker_stays() -> None:  # rule 27
    state = play(position("A:Assassination A:Ambush(4)", ambush_own="one_point_attacker_stays"), REVEAL, at(2))
    assert (state.scores[0], drawn(state)) == (2, "")


def test_an_archer_alone_eliminates_itself() -> None:  # rules 7 and 20
    state = play(position("A:Archer"), REVEAL)
    assert answers(state) == [at(1)]
    state = play(state, at(1))
    assert (state.scores[0], drawn(state)) == (2, "")
    assert state.phase.name == "Placement"
    assert {answer["place"] for answer in answers(state)} == {"front"}


def test_an_archer_that_goes_exposes_what_it_covered() -> None:  # rule 14
    state = play(position("[A:Archer* / A:Spy(2)] B:Lord"), at(1))
    assert drawn(state) == "A:Spy(2) B:Lord"
    assert (state.phase.name, state.pointer, state.actor) == ("Resolution", 0, 0)


def test_heirs_look_out_for_one_another() -> None:  # rule 23
    state = position("A:Heir* B:Heir")
    assert state.scores[0] == 1 + 2
    state = play(state, REVEAL)
    assert state.scores[:2] == (3, 1)
    state = position(drawn(state))
    assert state.scores[:2] == (1, 1)


def test_a_covered_heir_does_not_count() -> None:  # rules 9 and 23
    assert position("[B:Lord* / B:Heir*] A:Heir*").scores[:2] == (3, 2)


@pytest.mark.parametrize(
    ("queue", "gain"),
    [
        ("A:Shifter* B:Heir* C:Shifter*", 0),
        ("A:Shifter* B:Heir* C:Shifter", 2),
        ("A:Shifter* B:Heir* C:Heir*", 2),
    ],
)
def test_a_copied_heir_looks_out_for_shapeshifters(queue: str, gain: int) -> None:  # rule 25
    assert play(position(queue), at(2)).scores[0] == 1 + gain


def test_a_copied_soldier_strikes_from_the_shapeshifter() -> None:  # rules 14 and 25
    state = play(position("B:Soldier* A:Shifter* C:Lord(1)", at=2), at(1))
    assert state.phase.name == "Soldier"
    assert answers(state) == [at(1), at(3)]
    state = play(state, at(1))
    assert state.scores[0] == 2
    assert drawn(state) == "A:Shifter* C:Lord(1)"
    assert (state.actor, state.pointer) == (2, 1)


def test_the_ambushed_attacker_is_the_shapeshifter() -> None:  # rule 26
    state = play(position("B:Soldier* A:Shifter* C:Ambush(1)", at=2), at(1), at(3))
    assert state.scores == (2, 1, 5)
    assert drawn(state) == "B:Soldier*"


def test_a_shapeshifter_may_copy_one_for_nothing() -> None:  # rule 25
    assert drawn(play(position("A:Shifter* B:Shifter*"), at(2))) == "A:Shifter* B:Shifter*"
    assert position("A:Shifter* B:Shifter* C:Spy", shifter_noop=False).phase.name == "Resolution"


def test_a_lord_counts_top_cards() -> None:  # rule 24
    queue = "[A:Spy / A:Heir] A:Lord* B:Archer"
    assert position(queue, at=2).scores[0] == 1 + 2
    assert position(queue, at=2, lord_counts_covered=True).scores[0] == 1 + 3


def test_a_spy_finds_nothing_to_take() -> None:  # rule 22
    state = play(position("B:Lord(3) A:Spy*", at=2, points=(1, 0, 1)), {"target": "P-1"})
    assert state.scores == (1, 0, 1)
    assert drawn(state) == "B:Lord(3) A:Spy*"
    assert position("A:Spy*").phase.name == "Placement"
    assert position("A:Heir A:Spy*", at=2).phase.name == "Placement"


def test_a_spy_chooses_among_owners() -> None:  # rule 22
    assert answers(position("B:Lord A:Spy* B:Heir", at=2)) == [{"target": "P-1"}]
    assert answers(position("B:Lord A:Spy* A:Heir", at=2)) == [{"target": "P-1"}]
    state = position("B:Lord A:Spy* A:Heir", at=2, spy_may_pick_self=True)
    assert answers(state) == [{"target": "P-1"}, {"target": "P-0"}]
    assert play(state, {"target": "P-0"}).scores == (1, 1, 1)
    assert play(state, {"target": "P-1"}).scores == (2, 0, 1)
    assert answers(position("A:Heir A:Spy*", at=2, spy_may_pick_self=True)) == [{"target": "P-0"}]


def test_an_assassination_alone_is_discarded() -> None:  # rule 28
    assert play(position("A:Assassination"), REVEAL).scores[0] == 1
    state = play(position("A:Assassination", assassination_self=True), REVEAL)
    assert answers(state) == [at(1)]
    assert play(state, at(1)).scores[0] == 2


def test_a_card_moved_before_the_decree_is_not_resolved() -> None:  # rule 30
    state = play(position("A:Decree B:Soldier* C:Lord"), REVEAL, {"card": "position 3", "to": "front"})
    assert drawn(state) == "C:Lord B:Soldier*"
    assert (state.phase.name, state.actor, state.pointer) == ("Soldier", 1, 1)


def test_a_card_moved_after_the_decree_is_resolved_again() -> None:  # rule 30
    state = position("B:Lord* A:Decree C:Spy")
    assert state.scores[1] == 2
    state = play(state, REVEAL, {"card": "position 1", "to": "back"}, KEEP)
    assert drawn(state) == "C:Spy(1) B:Lord*"
    assert state.scores[1] == 3


def test_a_decree_alone_is_discarded() -> None:  # rule 30
    state = play(position("A:Decree(1)"), REVEAL)
    assert (state.scores[0], drawn(state)) == (2, "")


def test_a_card_moved_onto_the_decree_is_current() -> None:  # rules 14 and 30
    state = play(position("A:Lord(1) [A:Decree / A:Spy] B:Heir", at=2), REVEAL)
    assert {"card": "position 1", "to": "on position 2"} in answers(state)
    assert {"card": "position 3", "to": "on position 2"} not in answers(state)
    state = play(state, {"card": "position 1", "to": "on position 2"})
    assert drawn(state) == "[A:Lord(1) / A:Spy] B:Heir"
    assert (state.phase.name, state.actor, state.pointer) == ("Resolution", 0, 0)


def test_a_decree_of_the_revised_printing_never_stacks() -> None:  # rule 30
    state = play(position("A:Lord A:Decree A:Heir B:Spy", at=2, decree_stacking="forbidden"), REVEAL)
    assert not any(answer["to"].startswith("on ") for answer in answers(state))


def test_a_kept_card_moved_ahead_is_decided_again() -> None:  # rule 30
    state = play(position("B:Spy A:Decree"), KEEP, REVEAL, {"card": "position 1", "to": "back"})
    assert (state.phase.name, state.actor) == ("Resolution", 1)
    assert drawn(play(state, KEEP)) == "B:Spy(2)"


def test_a_soldier_has_to_strike_its_own() -> None:  # rules 19 and 21
    state = position("A:Soldier* A:Lord(5)")
    assert answers(state) == [at(2)]
    assert play(state, at(2)).scores[0] == 2


def test_an_eliminated_conspiracy_pays_nothing() -> None:  # rule 19
    assert play(position("A:Soldier* B:Conspiracy(4)"), at(2)).scores == (2, 1, 1)


def test_what_is_exposed_behind_the_pointer_waits() -> None:  # rule 15
    state = play(position("[B:Lord / B:Spy] A:Soldier* C:Heir", at=2), at(1))
    assert drawn(state) == "B:Spy A:Soldier* C:Heir"
    assert (state.actor, state.pointer) == (2, 2)


def test_the_first_player_marker_goes_round() -> None:  # rules 16 and 17
    state, placed = GAME.begin(players=4, seed=3), []
    while not state.has_ended:
        if state.phase.name == "Placement":
            placed.append((state.round, state.actor))
        state = state.actions[0].next_state
    assert placed == [(round, (round - 1 + turn) % 4) for round in range(1, 7) for turn in range(4)]
    assert isinstance(state, State)
    assert all(hand.bit_count() == 1 for hand in state.hands)


@pytest.mark.parametrize(
    ("queue", "points", "winners"),
    [
        ("A:Spy", (5, 3, 4), (0,)),
        ("[A:Spy / A:Heir] B:Lord*", (5, 5, 4), (0,)),
        ("A:Spy B:Lord(6)", (5, 5, 4), (0, 1)),
        ("C:Spy", (5, 5, 4), (0, 1)),
    ],
)
def test_a_tie_goes_to_the_cards_in_the_queue(queue: str, points: tuple[int, ...], winners: tuple[int, ...]) -> None:  # rule 31
    state = position(queue, at=len(queue), points=points, round=6)
    assert state.has_ended
    assert state.scores == points
    assert state.winners == winners
    assert state.ending[0] == "round 6 of 6 is over"
    assert ("tie at" in state.ending[1]) == (points[0] == points[1])
