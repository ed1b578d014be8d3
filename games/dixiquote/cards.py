"""Situation cards and decks of them, and the themes that situations share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from games.core import OptionError, decks, quoted

LONGEST_TEXT = 400


class Theme(NamedTuple):
    """A theme of many situations: the words that suggest it, and lines that evoke it."""

    words: tuple[str, ...]
    lines: tuple[str, ...]


class SituationCard(NamedTuple):
    """A situation. Its id identifies it; two cards may have the same text."""

    id: str
    genre: str
    text: str

    def to_json(self) -> dict[str, str]:
        """The card in the form of a deck file."""
        return self._asdict()


Deck = tuple[SituationCard, ...]


def read_deck(data: Any) -> Deck:
    """The deck that data describes: a list of cards, or an object with that list under "cards".

    OptionError names the entry and what is wrong with it.
    """
    entries = data.get("cards") if isinstance(data, dict) else data
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        raise OptionError(f'A deck has to be a list of cards, or an object with that list under "cards", not {quoted(data)}.')
    cards: list[SituationCard] = []
    places: dict[str, int] = {}
    for place, entry in enumerate(entries, 1):
        card = _read_card(place, entry)
        if card.id in places:
            raise OptionError(f"Card {place}: the id {quoted(card.id)} is that of card {places[card.id]} already.")
        places[card.id] = place
        cards.append(card)
    return tuple(cards)


def _read_card(place: int, entry: Any) -> SituationCard:
    fields = entry._asdict() if isinstance(entry, SituationCard) else entry
    if not isinstance(fields, dict):
        raise OptionError(f'Card {place} has to be an object with "id", "genre" and "text", not {quoted(entry)}.')
    for field in SituationCard._fields:
        value = fields.get(field)
        if not isinstance(value, str) or not value.strip():
            raise OptionError(f'Card {place} ({quoted(fields.get("id"))}): "{field}" has to be a text, not {quoted(value)}.')
        if len(value) > LONGEST_TEXT or len(value.strip().splitlines()) > 1:
            raise OptionError(f'Card {place}: "{field}" has to be a single line of at most {LONGEST_TEXT} characters.')
    return SituationCard(*(fields[field].strip() for field in SituationCard._fields))


def deck_to_json(deck: Deck) -> list[dict[str, str]]:
    """The deck as data that `read_deck` reads."""
    return [card.to_json() for card in deck]


SITUATIONS: Deck = read_deck(decks.load("situations"))

_WORD_LISTS = decks.load("themes")
THEMES = {name: Theme(tuple(theme["words"]), tuple(theme["lines"])) for name, theme in _WORD_LISTS["themes"].items()}
STOP_WORDS = frozenset[str](_WORD_LISTS["stop_words"])
"""Words that carry no theme: articles, pronouns, prepositions and the like."""
