"""What is refused, and what the refusal says."""

from __future__ import annotations

from itertools import islice

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.cat_in_the_box import State
from games.cat_in_the_box.phases import DISCARD
from games.core import IllegalAction
from tests.games.cat_in_the_box.drawing import draw
from tests.games.cat_in_the_box.playing import states, walk

TABLE = """
        1 2 3 4 5 6 7 8
red     . . . . . . . .
blue    . . . . . . D .
yellow  . . . C . . . .
green   . . . . . . . .
A: 4 4 8 | X red blue yellow
B: 1 1 1
C: 2 2
D: 5 5
trick: D blue 7
turn: A
"""


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("yellow 4", "yellow 4 is taken by P-2"),
        ("green 4", "you gave up your X-token of green"),
        ("blue 5", "there is no 5 in your hand"),
        ("blue 9", "the ranks go from 1 to 8"),
        ("Blue 5", "there is no 5 in your hand"),
        ("4 blue", "a play is a colour and then a rank"),
        ("paradox", "a play is a colour and then a rank"),
        ("", "a play is a colour and then a rank"),
        (4, "cannot be 4: a play is a colour and then a rank"),
        (None, "cannot be null"),
        ({"rank": 4}, "a play is a colour and then a rank"),
        ("purple 4", "a play is a colour and then a rank"),
    ],
)
def test_a_refused_play_says_what_is_wrong_and_what_is_legal(answer, reason):
    with pytest.raises(IllegalAction) as refusal:
        draw(TABLE).read(0, {"play": answer})
    assert reason in str(refusal.value)
    assert str(refusal.value).endswith('It has to be "red 4", "red 8", "blue 4", "blue 8" or "yellow 8".')


def test_a_play_that_has_to_follow():
    with pytest.raises(IllegalAction, match="blue is led and you can follow it"):
        draw(TABLE, follow="must").read(0, {"play": "red 4"})


def test_a_lead_that_may_not_open_red():
    state = draw(TABLE.replace("trick: D blue 7\n", ""))
    with pytest.raises(IllegalAction, match="red may be led only once a player's token lies in the red row"):
        state.read(0, {"play": "red 4"})


@pytest.mark.parametrize("answer", [None, [], "blue 4", {}, {"rank": 4, "colour": "blue"}, {"bid": 2}])
def test_an_answer_of_another_shape(answer):
    with pytest.raises(IllegalAction, match='an object with the field "play"'):
        draw(TABLE).read(0, answer)


@pytest.mark.parametrize(("rank", "reason"), [(7, "there is no 7 in your hand"), (0, "cannot be 0.")])
def test_a_refused_discard(rank, reason):
    start = State.begin(4, seed=3).to_json()
    start["hands"][0] = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    state = State.from_json(start)
    with pytest.raises(IllegalAction, match=reason):
        state.read(0, {"rank": rank})
    with pytest.raises(IllegalAction):
        state.read(0, {"rank": True})


def test_a_seat_that_owes_nothing():
    with pytest.raises(IllegalAction, match="You owe no decision now"):
        draw(TABLE).read(1, {"play": "blue 1"})


def test_nothing_but_the_paradox_is_legal_in_one():
    state = next(state for state in walk(4, 1, explicit_paradox_action=True) if state.phase.name == "Paradox")
    with pytest.raises(IllegalAction, match='It has to be "paradox"'):
        state.read(state.actor, {"play": "blue 4"})
    assert "no legal play" in state.question(state.actor).text


def test_the_schema_takes_the_legal_answers_and_no_others():
    for state in islice(states(seeds=range(1)), 0, None, 7):
        for seat in state.pending:
            question = state.question(seat)
            assert question.role == {2: "discarding_player", 3: "bidding_player"}.get(state.phase_id, "trick_player")
            (field,) = question.schema["properties"].values()
            legal = [action.to_json() for action in state.actions_of(seat)]
            assert field["enum"] == [value for answer in legal for value in answer.values()]
            validator = jsonschema.Draft202012Validator(question.schema)
            for answer in legal:
                validator.validate(answer)
                assert state.read(seat, answer).to_json() == answer


@given(st.text(max_size=12) | st.integers() | st.none() | st.lists(st.integers(), max_size=2))
def test_whatever_is_answered_is_an_action_or_a_refusal(value):
    for state in (State.begin(3, seed=2), draw(TABLE)):
        field = "rank" if state.phase_id == DISCARD else "play"
        try:
            action = state.read(state.actor, {field: value})
        except IllegalAction:
            continue
        assert action in list(state.actions)
