"""The similarity of texts: stems, themes, and the lines that evoke them."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from games.core import decks
from games.dixiquote.bots import similarity, stem, stems, themes
from games.dixiquote.cards import STOP_WORDS, THEMES

CARDS = decks.load("situations")["cards"]
LINES = [(name, line) for name, theme in THEMES.items() for line in theme.lines]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("promise", "promises"),
        ("promise", "promised"),
        ("promise", "promising"),
        ("stop", "stopped"),
        ("stop", "stopping"),
        ("bury", "buried"),
        ("bury", "buries"),
        ("glass", "glasses"),
        ("quiet", "quietly"),
        ("mother", "mother's"),
        ("neighbour", "neighbours’"),
        ("silence", "Silence"),
    ],
)
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    assert stems(one) == stems(other) != frozenset()


@pytest.mark.parametrize("word", ["ring", "king", "spring", "red", "seed", "bus", "gas", "ye", "e", "was"])
def test_a_stem_is_never_empty(word: str) -> None:
    assert stem(word)


def test_different_words_stay_different() -> None:
    assert len({stem(word) for word in ("ring", "king", "sing", "bring", "spring", "string", "seed", "need")}) == 8


@pytest.mark.parametrize(("name", "line"), LINES, ids=[line for _, line in LINES])
def test_a_line_is_short_and_suggests_its_own_theme_most(name: str, line: str) -> None:
    found = themes(line)
    assert found[name] == max(found.values())
    assert line == line.strip()
    assert len(line.splitlines()) == 1
    assert len(line.split()) <= 12


def test_lines_are_distinct_and_enough_for_the_longest_match() -> None:
    assert len({line for _, line in LINES}) == len(LINES) >= 80


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card["id"])
def test_a_card_of_ours_shares_a_theme_with_cards_of_other_genres(card: dict[str, str]) -> None:
    mine = themes(card["text"])
    assert mine
    genres = {other["genre"] for other in CARDS if mine.keys() & themes(other["text"]).keys()}
    assert len(genres) == 4


def test_every_theme_runs_through_all_four_genres() -> None:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for card in CARDS:
        for theme in themes(card["text"]):
            found[theme].add(card["genre"])
    assert {theme: len(genres) for theme, genres in found.items()} == dict.fromkeys(THEMES, 4)


def test_similarity_is_symmetric_and_between_nothing_and_one() -> None:
    texts = [card["text"] for card in CARDS] + [line for _, line in LINES] + ["", "…", "Zxqv.", "沈黙"]
    for one in texts:
        for other in texts:
            assert similarity(one, other) == similarity(other, one)
            assert 0 <= similarity(one, other) <= 1


def test_a_card_is_most_similar_to_itself() -> None:
    for card in CARDS:
        best = max(CARDS, key=lambda other: similarity(card["text"], other["text"]))
        assert best == card
        assert similarity(card["text"], card["text"]) == pytest.approx(1)


def test_shared_themes_make_texts_similar_without_a_common_word() -> None:
    quote = "A vow outlives the mouth that made it."
    kept = "The stowaway keeps her promise and gives herself up after the landing."
    assert stems(quote).isdisjoint(stems(kept))
    assert similarity(quote, kept) > similarity(quote, "The missile counts down to one, then stops to reconsider.")


def test_common_words_make_texts_similar_without_a_theme() -> None:
    assert (
        similarity("Purple turnips sulk.", "The turnips turned purple.")
        > 0
        == similarity("Purple turnips sulk.", "Blue beets hum.")
    )


def test_a_text_without_words_is_similar_to_nothing() -> None:
    assert similarity("", CARDS[0]["text"]) == similarity("", "") == similarity("the of and", "the of and") == 0


def test_themes_count_the_words_that_suggest_them() -> None:
    assert themes("The silent bell.") == Counter({"silence": 2})
    themes("The silent bell.").clear()
    assert themes("The silent bell.") == Counter({"silence": 2})


def test_the_word_lists_are_sound() -> None:
    for theme in THEMES.values():
        assert len(set(theme.words)) == len(theme.words)
        assert not STOP_WORDS & set(theme.words)
