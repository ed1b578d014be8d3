"""One key for one choice, confirmation where a choice has several steps, passing until one's turn, and pasted lines."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games.core import Choice, State, Step, as_told
from games.menu import Menu
from runner.agents.protocol import DecisionRequest
from runner.screen.line_input import LineEditor
from tests.people.player import Player, checked
from tests.people.test_dialog import Shown


def coup(players: int = 3) -> State:
    return games.load("coup").begin(players=players, seed=5)


def asked(state: State, seat: int | None = None) -> DecisionRequest:
    return DecisionRequest.of(state, state.pending[0] if seat is None else seat)


@given(st.lists(st.sampled_from(["1", "9", "?", "t", "a", "space", "enter", "paste", "pasted", "left", "backspace"])))
def test_a_key_ends_an_empty_line_at_once_and_never_inside_a_text_or_a_paste(keys: list[str]) -> None:
    editor, is_pasting = LineEditor(("1", "?")), False
    for key in keys:
        is_blank = not editor.text.strip()
        has_ended = editor.press(key)
        assert has_ended == (not is_pasting and (key == "enter" or (is_blank and key in ("1", "?"))))
        if has_ended:
            assert key == "enter" or editor.text == key
            return
        is_pasting = key == "paste" or (is_pasting and key != "pasted")


def test_menus_of_at_most_nine_choices_have_keys_without_enter() -> None:
    assert Menu.of(asked(coup()).question.choices).single_keys == ["1", "2", "3", "4", "5"]
    choices = [Choice({"n": number}, (Step("card", f"card {number}"),)) for number in range(10)]
    assert Menu.of(choices).single_keys == []
    assert Menu.of(choices[:9]).single_keys[-1] == "9"


def test_one_step_counts_at_once_and_several_are_confirmed() -> None:
    ask = asked(coup())
    one = Shown(ask, ["1"])
    assert one.answer == {"action": "income", "target": "none"}
    assert "Your decision" not in one.text
    assert Shown(ask, ["steal", "1"]).answer is None
    for yes in ("", "y", "Y"):
        assert Shown(ask, ["steal 1", yes]).answer == {"action": "steal", "target": "P-1"}
    assert Shown(ask, ["steal 1", "n", "u", "tax"]).answer == {"action": "tax", "target": "none"}


def test_players_are_chosen_by_the_beginning_of_their_name_and_situations_by_that_of_their_text() -> None:
    named = Menu.of(asked(coup()).question.choices, partial(as_told, names=("P-0", "ada", "Adam"), you=0))
    steal = named.after("steal")
    assert steal is not None
    after = steal.after("adam")
    assert after is not None
    assert after.choices_left[0].answer == {"action": "steal", "target": "P-2"}
    assert steal.after("ad") is None
    assert "ada, Adam" in steal.refusal("ad")
    whole = named.after("steal ada")
    assert whole is not None
    assert whole.is_decided
    menu = Menu.of(asked(games.load("dixiquote").begin(seed=5)).question.choices)
    for choice in menu.choices:
        found = menu.after(choice.effect[:25].upper())
        assert found is not None
        assert found.choices_left == choice.choices_left


def test_only_claims_and_actions_that_do_not_concern_a_seat_can_be_passed_on() -> None:
    state = coup(4)
    after = {str(action.to_json()): action.next_state for action in state.actions}
    actor = state.actor
    for move, found in after.items():
        for seat in found.pending:
            passing = found.question(seat).passing
            is_target = f"'target': 'P-{seat}'" in move
            assert (passing is None) == (is_target or seat == actor or "income" in move)
            if passing is not None:
                found.read(seat, passing)


def test_the_rules_and_a_look_at_the_table_are_named_beside_every_question() -> None:
    quote = games.load("dixiquote").begin(seed=5).actions[0].next_state
    for ask in (asked(coup()), asked(quote)):
        assert "? help  r rules  l look" in Shown(ask, []).text


def test_breaks_that_the_rules_do_not_allow_become_blanks_and_the_player_is_told() -> None:
    quote = games.load("dixiquote").begin(seed=5).actions[0].next_state
    shown = Shown(asked(quote), ["one\n  two", "y"])
    assert shown.answer == {"quote": "one two"}
    assert "line breaks became blanks" in shown.text
    long = games.load("dixiquote").begin(seed=5, max_quote_lines=2).actions[0].next_state
    kept = Shown(asked(long), ["one\ntwo", "y"])
    assert kept.answer == {"quote": "one\ntwo"}
    assert "became blanks" not in kept.text


@pytest.mark.parametrize("marks", [("\x1b[200~", "\x1b[201~"), ("", "")], ids=["bracketed", "as keys"])
def test_pasted_lines_are_one_quote_and_never_an_answer(marks: tuple[str, str], tmp_path: Path) -> None:
    words = ("play", "dixiquote", "--num-players", "3", "--seat", "human", "--seat", "bot:steady", "--seat", "bot:steady")
    player = Player(*words, "--seed", "3", "--speed", "0", "--log", "log.jsonl", folder=tmp_path, width=80)
    assert player.prompt() == "situation"
    player.type("1")
    player.wait_for("quote>")
    player.type(f"{marks[0]}one line\ry\r\rand another{marks[1]}")
    player.wait_for("another")
    player.say("")
    assert player.prompt().startswith("Enter:")
    assert "one line y and another" in player.text
    player.type("y")
    player.wait_for("fits the quote best")
    player.type("\x03")
    assert player.ended() == 3
    assert player.modes() == player.modes_before
    decided = [record["action"] for record in checked(tmp_path / "log.jsonl") if record["kind"] == "decision"]
    assert {"quote": "one line y and another"} in decided
