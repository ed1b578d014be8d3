"""What a person is shown: it fits the screen, and no text of others does harm."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from io import StringIO
from itertools import pairwise
from types import TracebackType
from typing import Self

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

import games
from games.core import Answer
from runner.agents.protocol import DecisionRequest
from runner.screen.dialog import Dialog
from tests.people.test_menus import decisions
from tests.screen.test_hostile_text import HOSTILE

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Script:
    """Types these lines, then leaves. `asked` is where the output stood each time."""

    is_interactive = True

    def __init__(self, file: StringIO, lines: list[str]) -> None:
        self._file = file
        self._lines = iter(lines)
        self.asked: list[int] = []
        self.earlier: list[str] = []

    def forget(self) -> None:
        pass

    async def read(self, prompt: str, at_once: Collection[str] = (), keeps_breaks: bool = False, earlier: str = "") -> str:
        self.earlier.append(earlier)
        self._file.write(f"{prompt}\n")
        self.asked.append(len(self._file.getvalue()))
        for line in self._lines:
            return line
        raise EOFError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        pass


class Shown:
    """A dialog that a script answers, on a terminal of this size."""

    def __init__(
        self, ask: DecisionRequest, lines: list[str], width: int = 60, height: int = 24, story: tuple[str, ...] = ()
    ) -> None:
        file = StringIO()
        console = Console(
            file=file,
            width=width,
            height=height,
            force_terminal=True,
            color_system="256",
            highlight=False,
            markup=False,
            emoji=False,
        )
        self.script = Script(file, lines)
        self.answer: Answer | None = None
        with suppress(EOFError):
            dialog = Dialog(console, self.script, ask, lambda room: Text("the table"), [Text(line) for line in story], {})
            self.answer = asyncio.run(dialog.answer(shows_events=True))
        self.raw = file.getvalue()
        self.text = _COLOUR.sub("", self.raw)

    def screens(self) -> Iterator[str]:
        """What was shown between one line typed and the next."""
        starts = [0, *self.script.asked]
        yield from (_COLOUR.sub("", self.raw[start:end]) for start, end in pairwise(starts))


@pytest.mark.parametrize("name", games.names())
def test_every_menu_fits_sixty_columns_and_twenty_four_lines(name: str) -> None:
    for state, seat in decisions(name)[::20]:
        ask = DecisionRequest.of(state, seat)
        for screen in Shown(ask, ["", "1", "u", "1 1"]).screens():
            lines = screen.splitlines()
            assert len(lines) <= 24, screen
            assert max(map(cell_len, lines)) <= 60, screen


def test_what_is_typed_is_taken_back_asked_about_and_meant() -> None:
    state = games.load("coup").begin(players=3, seed=5)
    ask = DecisionRequest.of(state, state.pending[0])
    shown = Shown(ask, ["steal", "2", "no", "u", "u", "u", "?", "l", "", "", "tax", ""], story=("something happened",))
    assert shown.answer == {"action": "tax", "target": "none"}
    for words in (
        "Your decision",
        "Press Enter to confirm",
        "Nothing to undo",
        "this help",
        "look: all choices",
        "something happened",
    ):
        assert words in shown.text


def test_a_text_that_was_taken_back_or_refused_can_be_brought_back() -> None:
    state = games.load("dixiquote").begin(seed=5).actions[0].next_state
    ask = DecisionRequest.of(state, state.pending[0])
    shown = Shown(ask, ["a long quote", "u", " ", "?", "", "another", ""])
    assert shown.answer == {"quote": "another"}
    assert shown.script.earlier[0] == ""
    assert shown.script.earlier[2] == "a long quote"
    assert "Up: your last text." in shown.text


def test_a_text_is_written_taken_back_and_corrected() -> None:
    state = games.load("dixiquote").begin(seed=5, max_quote_lines=2).actions[0].next_state
    ask = DecisionRequest.of(state, state.pending[0])
    assert Shown(ask, ["u", "first", "u", " q", ""]).answer == {"quote": "q"}
    assert Shown(ask, ["one\\", "two", ""]).answer == {"quote": "one\ntwo"}
    refused = Shown(ask, ["", "one\\", "two\\", "three", "u", "x" * 501, "fine", "y"])
    assert refused.answer == {"quote": "fine"}
    assert refused.text.count("✗ ") == 3


def test_a_decision_without_a_choice_can_be_asked_for_too() -> None:
    state = games.load("oriflamme").begin(players=3, seed=5)
    while len(state.actions) > 1:
        state = state.actions[-1].next_state
    assert Shown(DecisionRequest.of(state, state.pending[0]), ["1", ""]).answer == state.actions[0].to_json()


def test_the_rules_are_told_page_by_page_as_far_as_one_wants() -> None:
    state = games.load("oriflamme").begin(players=3, seed=5)
    ask = DecisionRequest.of(state, state.pending[0])
    some, all_of_it = Shown(ask, ["r", "", "q", "1", ""]), Shown(ask, ["r", *[""] * 20])
    assert some.answer is not None
    assert len(some.text) < len(all_of_it.text)
    assert all(len(screen.splitlines()) <= 24 for screen in all_of_it.screens())


@pytest.mark.parametrize("game", ["cat_in_the_box", "coup", "dixiquote", "oriflamme"])
def test_the_rules_say_first_that_a_person_gives_no_invalid_answers(game: str) -> None:
    state = games.load(game).begin(seed=5)
    ask = DecisionRequest.of(state, state.pending[0])
    told = " ".join(Shown(ask, ["xyzzy", "r", *[""] * 20]).text.split())
    assert "✗" in told
    assert "in a row" in told.partition("You never give an invalid answer: you are asked again")[2]


def test_text_of_decks_and_what_is_typed_are_shown_harmlessly() -> None:
    texts = [text.translate({ord(c): None for c in "\n\r\u2028"})[:400] for text in HOSTILE[:5]]
    deck = [{"id": f"c{number}", "genre": "x", "text": texts[number % 5]} for number in range(40)]
    state = games.load("dixiquote").begin(seed=1, deck=deck, genre=HOSTILE[1])
    told = ""
    while state.round == 1:
        told += Shown(DecisionRequest.of(state, state.pending[0]), [*HOSTILE, "r", "q"]).text
        state = state.actions[0].next_state
    assert not {"\x1b", "\x07", "\x9b", "\u202e", "\u2066", "\x08"} & set(told)
    assert "[bold red]" in told
