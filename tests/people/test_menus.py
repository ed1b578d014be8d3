"""The menus: each legal answer is reached, none twice, and nothing else; and the line that is typed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from functools import cache

import pytest
from rich.cells import cell_len

import games
from games.core import Answer, Choice, State, Step
from games.menu import Menu
from games.scenes import script_of
from games.testing.random_play import begin, variants, walk
from runner.agents.protocol import DecisionRequest
from runner.screen.keys import RESERVED
from runner.screen.line_input import LONGEST, LineEditor


@cache
def decisions(name: str) -> Sequence[tuple[State, int]]:
    """Decisions of matches of every player count, the variants taken in turn."""
    return [*_decisions(name)]


def _decisions(name: str) -> Iterator[tuple[State, int]]:
    game = games.load(name)
    ways = variants(game)
    for seed in range(12):
        players = game.players[seed % len(game.players)]
        state = begin(game, players, seed, ways[seed % len(ways)]) or game.begin(players=players, seed=seed)
        states = list(walk(state, random.Random(seed)))[:-1]
        for state in states[:: max(1, len(states) // 16)]:
            yield from ((state, seat) for seat in state.pending)


def reached(menu: Menu) -> Iterator[Answer]:
    """The answers behind all choices of a menu, by key and by name alike."""
    if menu.is_decided:
        yield menu.choices_left[0].answer
        return
    for choice in menu.choices:
        after = menu.after(choice.key)
        assert after is not None
        assert menu.after(choice.name.upper()) == after or choice.name.isdecimal()
        assert after.taken[: menu.depth] == menu.taken
        yield from reached(after)


@pytest.mark.parametrize("name", games.names())
def test_letters_keep_their_meaning_and_are_no_commands(name: str) -> None:
    letters, known = script_of(games.load(name)).letters, dict[tuple[str, str], str]()
    for state, seat in decisions(name):
        menus = [Menu.of(DecisionRequest.of(state, seat).question.choices, letters=letters)]
        while menus:
            if (menu := menus.pop()).is_decided:
                continue
            keys = [line.key for line in menu.choices]
            assert len(set(keys)) == len(keys)
            assert not {*keys} & {*RESERVED}
            for line in menu.choices:
                after = menu.after(line.key)
                assert after is not None
                menus += [after] * (len(menus) < 3)
                if line.key.isalpha():
                    assert known.setdefault((menu.what, line.name), line.key) == line.key
                elif line.name.startswith("P-"):
                    assert line.name == f"P-{line.key}"


@pytest.mark.parametrize("name", games.names())
def test_a_menu_leads_to_each_legal_answer_once_and_nowhere_else(name: str) -> None:
    for state, seat in decisions(name):
        ask = DecisionRequest.of(state, seat)
        answers = [json.dumps(answer, sort_keys=True) for answer in ask.answers()]
        found = [json.dumps(answer, sort_keys=True) for answer in reached(Menu.of(ask.question.choices))]
        assert sorted(found) == sorted(answers)
        for offer in random.Random(seat).sample(ask.question.choices, min(5, len(answers))):
            menu = Menu.of(ask.question.choices)
            whole = None if menu.is_decided else menu.after(" ".join(map(str, offer.answer.values())))
            assert whole is None or whole.is_decided
            ask.check(offer.answer)


def test_a_choice_is_named_by_number_by_its_beginning_or_with_the_next_one_in_a_row() -> None:
    state = games.load("coup").begin(players=3, seed=5)
    menu = Menu.of(DecisionRequest.of(state, state.pending[0]).question.choices)
    names = [choice.name for choice in menu.choices]
    for typed in ("steal p-2", "Steal P-2", "st p-2", f"{names.index('Steal') + 1} P-2"):
        after = menu.after(typed)
        assert after is not None, typed
        assert after.choices_left[0].answer["action"] == "steal"
    for typed in ("", " ", "0", "99", "-1", "st nonsense", "income income", "e x", "i" * 5000):
        assert menu.after(typed) is None, typed


def test_a_refusal_names_the_step_that_is_wrong_and_all_that_was_meant() -> None:
    steps = [("card", "sci-05"), ("card", "sci-19"), ("card", "1")]
    offers = [
        Choice({"card": card, "colour": colour}, (Step(what, card), Step("colour", colour)))
        for what, card in steps
        for colour in ("blue", "green")
    ]
    menu = Menu.of(offers)
    assert "sci-05, sci-19" in menu.refusal("sci")
    assert menu.refusal("dog house").startswith("There is no card “dog house” here: type a number from 1 to 3")
    assert menu.refusal("sci-05 red").startswith("After “sci-05” there is no colour “red” here")
    assert "no card “99”" in menu.refusal("99")


def typed(*keys: str) -> LineEditor:
    editor = LineEditor()
    for key in keys:
        assert not editor.press(key)
    return editor


def test_a_line_is_edited_like_any_other() -> None:
    assert typed("a", "space", "b", "left", "left", "x").text == "ax b"
    assert typed("a", "b", "backspace", "c").text == "ac"
    assert typed(*"abc", "home", "delete", "end", "d").text == "bcd"
    assert typed(*"one", "space", *"two", "space", "\x17").text == "one "
    assert typed(*"one", "\x17").text == ""
    assert typed(*"one", "left", "\x15").text == "e"
    assert typed(*"one", "home", "right", "\x0b").text == "o"
    assert typed("up", "pgdn", "escape", "\x01", "\x02", "a").text == "a"


def test_up_brings_back_the_text_that_was_not_meant_where_nothing_is_typed() -> None:
    editor = LineEditor(earlier="a ship\nin a bottle")
    assert not editor.press("up")
    assert editor.shown(40) == ("a ship¶in a bottle", 18)
    assert not editor.press("!")
    assert not editor.press("up")
    assert editor.text == "a ship\nin a bottle!"


def test_the_words_after_the_cursor_stay_in_view() -> None:
    editor = typed(*("0123456789" * 3), *["left"] * 3)
    assert editor.shown(13) == ("890123456789", 9)
    assert typed(*("0123456789" * 3), "home").shown(13) == ("012345678901", 0)
    assert typed(*("0123456789" * 3)).shown(13) == ("890123456789", 12)


def test_a_text_is_shown_on_several_lines_around_the_cursor() -> None:
    editor = typed(*"a ship in a bottle sails")
    assert editor.wrapped(12, 3) == (["a ship in a ", "bottle sails"], 1, 12)
    assert typed("paste", *"one", "enter", *"two", "pasted", "left").wrapped(12, 3) == (["one¶", "two "], 1, 2)
    lines, row, column = typed(*"0123456789" * 9, "home").wrapped(12, 3)
    assert (lines[0], row, column) == ("012345678901", 0, 0)
    lines, row, column = typed(*"0123456789" * 9).wrapped(12, 3)
    assert (len(lines), lines[2], row, column) == (3, "456789 ", 2, 6)


def test_what_is_pasted_never_ends_the_line_and_is_bounded() -> None:
    editor = typed("paste", "1", "enter", "2", "pasted")
    assert editor.text == "1\n2"
    assert editor.press("enter")
    assert len(typed("paste", *("x" * (LONGEST + 500)), "pasted").text) == LONGEST


@pytest.mark.parametrize(
    "text", ["plain", "日本語テキスト" * 9, "e\u0301" * 40, "👩‍👩‍👧" * 20, "\u202eright to left" * 5, "a\nb" * 30]
)
def test_what_is_shown_of_a_line_fits_and_does_no_harm(text: str) -> None:
    editor = typed("paste", *("enter" if letter == "\n" else letter for letter in text), "pasted")
    for columns in (5, 20, 60):
        shown, at = editor.shown(columns)
        assert 0 <= at < columns
        assert cell_len(shown) < columns
        assert "\n" not in shown
        assert "\u202e" not in shown
    assert editor.text == text.replace("\u202e", "")
