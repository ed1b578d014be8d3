"""The situation cards that ship with DixiQuote: whole, distinct, short, and made so that one quote can fit several."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from games.core import decks

DECK = decks.load("situations")
CARDS = DECK["cards"]
PREFIXES = {"fantasy": "fan", "science fiction": "sci", "surreal": "sur", "historical": "his"}
SMALL_WORDS = re.compile(
    r"(an?|and|at|been|both|but|by|for|from|ha[sd]|have|her|his|in|is|its?|of|on|one|out|the|to|up|who|with)$"
)


def content_words(text: str) -> set[str]:
    return {word for word in re.findall(r"[a-z]+", text.lower()) if not SMALL_WORDS.match(word)}


def test_there_are_eighty_distinct_cards() -> None:
    assert len(CARDS) == len({card["id"] for card in CARDS}) == len({card["text"].casefold() for card in CARDS}) == 80


def test_the_deck_names_itself_and_its_genres() -> None:
    assert DECK["title"].strip()
    assert DECK["genres"] == list(PREFIXES)
    assert Counter(card["genre"] for card in CARDS) == dict.fromkeys(PREFIXES, 20)


def test_ids_count_up_within_each_genre() -> None:
    for genre, prefix in PREFIXES.items():
        assert [card["id"] for card in CARDS if card["genre"] == genre] == [f"{prefix}-{n:02}" for n in range(1, 21)]


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card["id"])
def test_a_card_is_one_short_sentence_on_one_line(card: dict[str, str]) -> None:
    text = card["text"]
    assert set(card) == {"id", "genre", "text"}
    assert text == text.strip()
    assert len(text.splitlines()) == 1
    assert 6 <= len(text.split()) <= 16
    assert text[0].isupper()
    assert text.endswith(".")
    assert not re.search(r"[.!?]\s", text)


def test_no_two_cards_say_nearly_the_same() -> None:
    for place, card in enumerate(CARDS):
        mine = content_words(card["text"])
        for other in CARDS[place + 1 :]:
            theirs = content_words(other["text"])
            assert len(mine & theirs) / min(len(mine), len(theirs)) < 0.5, (card["text"], other["text"])
