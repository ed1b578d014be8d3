"""Oriflamme's prompts: the cards in play, and what a player is told of the table."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from games.core import State
from games.oriflamme import GAME
from games.oriflamme.cards import STANDARD_SET
from games.testing.random_play import walk
from runner.agents.own_fields import asked_question, prompt_options
from runner.agents.settings import SeatSettings
from runner.prompting.pack import PromptPack, prompt_context
from tests.games.oriflamme.positions import play, position
from tests.prompting.test_built_in import prompt

REVEAL = {"choice": "reveal"}
QUEUE = "A:Soldier* [B:Lord* / B:Spy(1)] B:Archer(2) C:Heir A:Decree"


def system(**options: Any) -> str:
    return prompt(GAME.begin(seed=1, **options), 0)[0]["content"]


def user(state: State, seat: int | None = None) -> str:
    """What the seat that decides is told, or another would be told by the same template."""
    return prompt(state, state.pending[0] if seat is None else seat)[1]["content"]


def test_both_roles_share_one_first_message() -> None:
    for players in GAME.players:
        state = GAME.begin(players=players, seed=2, rules="revised")
        last_of_each = {step.phase_id: step for step in walk(state, random.Random(2)) if step.pending}
        assert len({prompt(step, step.pending[0])[0]["content"] for step in last_of_each.values()}) == 1


def test_every_card_in_play_is_explained() -> None:
    text = system()
    for name in STANDARD_SET:
        assert text.count(f"\n- {name} (") == 1
    characters = [line for line in text.split("\n") if "(character)" in line]
    assert len(characters) == 6
    assert text.count("(intrigue)") == 4


@pytest.mark.parametrize("missing", STANDARD_SET)
def test_a_card_that_is_not_in_play_is_nowhere_named(missing: str) -> None:
    view = GAME.begin(seed=1).view(0)
    view["rules"]["card_types"] = [name for name in STANDARD_SET if name != missing] + ["Herald"]
    view["extra_types"] = [{"name": "Herald", "is_character": True, "text": "brings 1 point."}]
    state = GAME.begin(seed=1)
    context = prompt_context(view, state.question(0), prompt_options(state.setup), True)
    text = PromptPack().render("oriflamme", "placing_player", context)[0]["content"]
    assert "\n- Herald (character) brings 1 point." in text
    assert f"- {missing} (" not in text
    assert missing not in text


def test_strikes_are_counted_in_words() -> None:
    assert "3 invalid answers in a row to one question cost 1 point" in system()
    assert "1 invalid answer in a row to one question costs 1 point" in system(strikes=1)


def test_the_queue_is_told_from_front_to_back_as_the_seat_knows_it() -> None:
    assert (
        "1: P-0 revealed Soldier | 2: P-1 (you) revealed Lord over hidden Spy (1 token) | "
        "3: P-1 (you) hidden Archer (2 tokens) <- being resolved | 4: P-2 hidden card | 5: P-0 hidden card\n"
    ) in user(position(QUEUE, at=3))
    assert "The queue is empty." in user(GAME.begin())


def test_own_hidden_cards_are_named_and_those_of_others_are_not() -> None:
    for state in (position(QUEUE, at=3), play(position(QUEUE, at=3), {"choice": "keep"})):
        seat = state.pending[0]
        told = user(state).split("## The queue")[1]
        for owner, name in ((1, "Spy"), (1, "Archer"), (2, "Heir"), (0, "Royal Decree")):
            assert (f"hidden {name}" in told) == (owner == seat), (owner, name)


def test_round_first_player_points_and_piles_are_told() -> None:
    text = user(position(QUEUE, at=3, points=(4, 1, 0), round=3))
    assert "\nRound 3 of 6; the first player is P-2.\n" in text
    assert "- P-0: 4 points, 4 cards in hand" in text
    assert "- P-1 (you): 1 point, 4 cards in hand" in text
    text = user(play(position("A:Ambush B:Lord C:Spy"), REVEAL))
    out, row = (line for line in text.split("\n") if line.startswith("- P-0:"))
    unseen = row.split("; not seen yet: ")[1]
    assert "Ambush" in out.removeprefix("- P-0: ").split(", ")
    assert "Ambush" not in unseen
    assert "Soldier" in unseen


def test_the_own_hand_and_removed_cards_are_told() -> None:
    state = GAME.begin(seed=2)
    own = state.view(0)["own"]
    assert f"You removed: {', '.join(own['removed'])}.\n" in user(state)
    assert f"Your hand: {', '.join(own['hand'])}.\n" in user(state)


def test_who_places_after_is_told() -> None:
    state = GAME.begin()
    assert "After you place: P-1, P-2." in user(state)
    last = state.actions[0].next_state.actions[0].next_state
    assert "You are the last to place" in user(last)


def test_the_last_round_is_told() -> None:
    words = "This is the last round"
    assert words in user(position("A:Lord B:Spy", round=6))
    assert words not in user(position("A:Lord B:Spy", round=5))


@pytest.mark.parametrize(
    ("queue", "words"),
    [
        (
            "A:Soldier* A:Lord(5) B:Spy",
            'The only legal choice:\n- "position 2": eliminates your own hidden Lord: you get 1 point, the 5 tokens',
        ),
        ("A:Soldier A:Lord(5) B:Spy", "then you have only one choice, position 2: it eliminates your own hidden Lord"),
        (
            "A:Archer(2)",
            "2 points for its tokens; then you have only one choice, position 1: it eliminates itself: you get 1 point\n",
        ),
        ("A:Archer A:Lord", "  - position 2: eliminates your own hidden Lord: you get 1 point; you lose a card of your own"),
        ("A:Shifter A:Soldier*", "position 2: it copies your own Soldier: you then eliminate one of the neighbouring cards"),
        (
            "A:Assassination A:Heir(1)",
            "only one choice, position 2: it eliminates your own hidden Heir: you get 1 point, the 1 token on it",
        ),
    ],
)
def test_forced_eliminations_of_own_cards_are_said(queue: str, words: str) -> None:
    assert words in user(position(queue))


def test_both_neighbours_of_a_soldier_are_told_before_it_is_revealed() -> None:
    text = user(position("A:Lord* A:Soldier(1) A:Heir(3)", at=2))
    assert "Beside it: position 1, P-0 (you) revealed Lord; position 3, P-0 (you) hidden Heir (3 tokens)." in text
    assert "  - position 1: eliminates your own Lord: you get 1 point; you lose a card of your own" in text
    assert "  - position 3: eliminates your own hidden Heir: you get 1 point, the 3 tokens on it are lost; you lose" in text
    assert "it is alone in the queue" in user(position("A:Soldier"))


@pytest.mark.parametrize(
    ("queue", "words"),
    [
        (
            "[A:Conspiracy(2) / A:Spy(1)] B:Lord",
            "then it is discarded, and your hidden Spy with 1 token under it is resolved next, so you keep or reveal it\n",
        ),
        (
            "[A:Ambush / A:Lord*] A:Heir",
            "and your Lord under it is resolved next and brings 2 points as the queue is now\n",
        ),
        ("[A:Ambush / A:Soldier*]", "and your Soldier under it is resolved next and finds nothing to act on\n"),
        (
            "[A:Archer / A:Heir*] B:Spy",
            "- position 1: eliminates itself: you get 1 point; your Heir under it is resolved next and brings 2 points",
        ),
        ("A:Soldier [B:Spy / B:Lord*]", "; P-1's Lord under it is then on top and is still to be resolved this round"),
        ("[A:Soldier / A:Heir*] B:Spy", "and your card leaves too; your Heir under it is resolved next and brings 2 points"),
    ],
)
def test_what_follows_at_once_is_told(queue: str, words: str) -> None:
    assert words in user(position(queue))


def test_a_choice_of_an_intrigue_tells_what_lies_under_it() -> None:
    text = user(play(position("[A:Assassination / A:Heir] B:Spy C:Lord"), REVEAL))
    assert "\nThen your Assassination leaves; your hidden Heir under it is resolved next, so you keep or reveal it.\n" in text
    assert "your card leaves too" not in text


def test_a_copied_ability_is_told_to_be_one() -> None:
    text = user(play(position("A:Shifter* B:Soldier*"), {"target": "position 2"}))
    assert "your own Shapeshifter at position 1, copying the Soldier, has to" in text


def test_a_decrees_moves_are_told_card_by_card() -> None:
    state = play(position(QUEUE.replace("A:Decree", "A:Conspiracy").replace("B:Archer(2)", "B:Decree"), at=3), REVEAL)
    text = user(state)
    assert '- "position 1": moves P-0\'s Soldier to any gap except "front" or "before position 2", or "on position 5"' in text
    assert '- "position 2": moves your own Lord to any gap, or "on position 3"' in text
    assert "any gap in front of your Royal Decree (position 3) is not resolved any more this round" in text
    assert "any gap behind it is still to be resolved. A card of your own moved onto it is resolved next." in text


def test_a_decree_that_may_not_stack_is_told_of_gaps_alone() -> None:
    text = user(play(position("A:Lord A:Decree B:Spy", at=2, decree_stacking="forbidden"), REVEAL))
    assert '"on position' not in text
    assert "moved onto" not in text
    assert '- "position 1": moves your own hidden Lord to "before position 3" or "back"' in text


def test_what_a_decree_is_told_is_what_is_legal() -> None:
    """The words name, for every card, each place it can go to and no other."""
    seen = 0
    for seed in range(40):
        for options in ({}, {"decree_null_move": True}, {"decree_stacking": "forbidden"}):
            for state in walk(GAME.begin(seed=seed, **options), random.Random(seed)):
                if state.phase.name == "Royal Decree":
                    check_decree(state)
                    seen += 1
    assert seen > 50


def check_decree(state: State) -> None:
    legal: dict[str, set[str]] = {}
    for action in state.actions:
        answer = action.to_json()
        legal.setdefault(answer["card"], set()).add(answer["to"])
    size = len(state.view(None)["queue"])
    gaps = {"front", "back", *(f"before position {number}" for number in range(2, size + 1))}
    told = dict(
        line[3:].split('": moves ', 1) for line in state.question(state.pending[0]).whole.split("\n") if ": moves " in line
    )
    assert set(told) == set(legal)
    for card, words in told.items():
        named = set(words.split('"')[1::2])
        on = {place for place in named if place.startswith("on ")}
        meant = (gaps - named if "any gap" in words else named - on) | on
        assert meant == legal[card], words


def test_without_help_nothing_says_which_answers_are_legal() -> None:
    """The views are the same; neither a list of choices nor a schema's enum says more than they do."""
    pack = PromptPack()
    for state in walk(GAME.begin(seed=5), random.Random(5)):
        for seat in state.pending:
            question = asked_question(state.question(seat), SeatSettings(help="shape"))
            context = prompt_context(state.view(seat), question, prompt_options(state.setup), True, lists_legal=False)
            text = pack.render("oriflamme", question.role, context)[1]["content"]
            assert not re.search(r"Choices:|Places:|One of|legal choice", text)
            assert state.question(seat).consequences in prompt(state, seat)[1]["content"]
