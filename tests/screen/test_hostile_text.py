"""Text of models, decks and logs on screen."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import games
from runner.screen.narrator import event_line
from runner.screen.safe_text import clean
from tests.screen.drawing import drawn, table, widest

HOSTILE = [
    "\x1b[2J\x1b]0;owned\x07\x9b31m",
    "[bold red]markup[/] [/nonesuch] [link=http://x]y",
    "\u202eright to left\u2066\u200f",
    "👩‍👩‍👧‍👦 漢字" * 20,
    "line\r\noverwrites\x08\x08\x08 \u2028 next",
    "x" * 10_000,
]


@given(st.text())
def test_clean_text_is_one_line_without_controls(text: str) -> None:
    cleaned = clean(text)
    assert "\n" not in cleaned
    assert len(cleaned.splitlines()) <= 1
    assert not any(ord(character) < 32 or 0x7F <= ord(character) < 0xA0 for character in cleaned)


def test_a_hostile_deck_and_quote_are_shown_harmlessly() -> None:
    texts = [text.translate({ord(c): None for c in "\n\r\u2028"})[:400] for text in HOSTILE[:5]]
    deck = [{"id": f"c{number}", "genre": "x", "text": texts[number % 5]} for number in range(40)]
    for quote in HOSTILE:
        state = games.load("dixiquote").begin(seed=1, deck=deck)
        state = state.actions[0].next_state
        state = state.read(0, {"quote": " ".join(quote.splitlines())[:500]}).next_state
        while state.round == 1:
            for width in (60, 120):
                text = table(state, width)
                assert widest(text) <= width
                assert not {"\x1b", "\x07", "\x9b", "\u202e", "\u2066", "\x08"} & set(text)
                for event in state.events:
                    assert "\x1b" not in drawn(event_line(event), width)
            state = state.actions[0].next_state
