"""Questions, and answers that are refused."""

from __future__ import annotations

from typing import Any

import pytest

from games.core import IllegalAction, OptionError
from games.oriflamme import GAME, State
from games.oriflamme.cards import STANDARD_SET, names_of
from tests.games.oriflamme.positions import play, position

REVEAL = {"choice": "reveal"}


def refusal(state: State, answer: Any) -> str:
    assert state.actor is not None
    with pytest.raises(IllegalAction) as refused:
        state.read(state.actor, answer)
    return str(refused.value)


def test_a_placement_is_refused_for_its_reason() -> None:
    state = State.begin(seed=2)
    held, removed = names_of(state.hands[0])[0], names_of(state.removed[0])[0]
    assert "not in your hand" in refusal(state, {"card": removed, "place": "front"})
    assert '"back"' in refusal(state, {"card": held, "place": "back"})
    assert "top card of your own" in refusal(state, {"card": held, "place": "on position 1"})
    assert "not in your hand" in refusal(state, {"card": removed.lower(), "place": "front"})
    assert "missing" in refusal(state, {"place": "front"})
    assert "has to be an object" in refusal(state, [held, "front"])


def test_keep_or_reveal_is_one_word() -> None:
    assert '"keep" or "reveal"' in refusal(position("A:Spy"), {"choice": "pass"})
    assert refusal(position("A:Spy"), {"choice": None})


def test_a_target_has_to_be_legal() -> None:
    state = position("A:Soldier* B:Lord C:Heir")
    assert 'has to be "position 2"' in refusal(state, {"target": "position 3"})
    assert 'has to be "position 2"' in refusal(state, {"target": 2})


def test_a_decree_refuses_what_leads_nowhere() -> None:
    state = play(position("A:Lord A:Decree B:Spy", at=2), REVEAL)
    assert "as it is" in refusal(state, {"card": "position 1", "to": "front"})
    assert "as it is" in refusal(state, {"card": "position 1", "to": "before position 2"})
    assert "own family" in refusal(state, {"card": "position 3", "to": "on position 2"})
    assert '"card"' in refusal(state, {"card": "position 2", "to": "front"})
    assert '"to"' in refusal(state, {"card": "position 1", "to": "on position 3"})


def test_who_owes_nothing_is_told_so() -> None:
    state = State.begin()
    with pytest.raises(IllegalAction, match="You owe no decision now"):
        state.read(1, {"card": "Spy", "place": "front"})
    with pytest.raises(ValueError, match="asked nothing"):
        state.question(1)


def test_a_forced_elimination_of_an_own_card_is_announced() -> None:
    before = position("A:Soldier(1) A:Lord(5) B:Spy").question(0)
    assert "only one choice, position 2" in before.whole
    assert "you lose a card of your own" in before.whole
    asked = position("A:Soldier* A:Lord(5) B:Spy").question(0)
    assert "The only legal choice" in asked.whole
    assert "your own hidden Lord" in asked.whole
    assert "5 tokens" in asked.whole
    assert asked.role == "resolving_player"


def test_a_question_never_names_what_others_hide() -> None:
    for queue in ("A:Soldier* B:Conspiracy(5)", "A:Archer* B:Conspiracy", "A:Lord B:Conspiracy"):
        assert "Conspiracy" not in position(queue).question(0).whole


@pytest.mark.parametrize(
    ("queue", "words"),
    [
        ("A:Conspiracy(3) B:Spy", "6 points for its tokens"),
        ("A:Ambush(3) B:Spy", "its tokens are lost; its ability brings 1 point; then it is discarded"),
        ("A:Heir B:Heir*", "its ability brings nothing now"),
        ("A:Soldier", "finds nothing to act on"),
        ("A:Archer(1) B:Spy", "then you have to eliminate the first or the last card"),
    ],
)
def test_revealing_says_what_it_brings(queue: str, words: str) -> None:
    assert words in position(queue).question(0).whole


@pytest.mark.parametrize(
    ("queue", "words"),
    [
        ("A:Shifter* B:Heir*", "you get 2 points"),
        ("A:Shifter* B:Shifter*", "nothing happens"),
        ("A:Shifter* B:Soldier*", "you then eliminate one of the neighbouring cards"),
        ("A:Shifter* A:Spy*", "nothing to choose"),
        ("A:Archer* B:Spy", "if it is an Ambush"),
        ("A:Soldier* A:Ambush", "1 point more, your card leaves too"),
        ("A:Spy* B:Spy", "takes 1 point from P-1"),
    ],
)
def test_a_choice_says_what_it_does(queue: str, words: str) -> None:
    assert words in position(queue).question(0).whole


def test_each_place_for_a_card_that_a_decree_moves_says_what_it_does() -> None:
    state = play(position("A:Lord B:Spy* A:Decree A:Heir(2) C:Lord", at=3), REVEAL)
    effects = {tuple(step.name for step in action.steps): action.steps[1].effect for action in state.actions}
    assert (
        effects["position 2", "front"] == effects["position 4", "before position 3"] == "it is not resolved any more this round"
    )
    assert (
        effects["position 1", "before position 4"] == effects["position 2", "back"] == "it is still to be resolved this round"
    )
    assert effects["position 1", "on position 3"] == "it covers your own Royal Decree and is resolved next"
    assert effects["position 1", "on position 4"] == "it covers your own hidden Heir and is still to be resolved this round"
    assert effects["position 4", "on position 1"] == "it covers your own hidden Lord and is not resolved any more this round"


def test_a_copied_ability_is_called_so() -> None:
    text = play(position("A:Shifter* B:Soldier*"), {"target": "position 2"}).question(0).whole
    assert "copying the Soldier" in text


def test_a_card_set_is_any_ten_types() -> None:
    backwards = list(reversed(STANDARD_SET))
    assert GAME.begin(card_types=backwards).setup.options.card_types == STANDARD_SET
    assert GAME.options["card_types"].parse(",".join(backwards)) == STANDARD_SET
    for wrong in (backwards[:9], [*backwards[:9], backwards[0]], [*backwards[:9], "Knight"], 7, [1] * 10):
        with pytest.raises(OptionError, match="card_types"):
            GAME.begin(card_types=wrong)
