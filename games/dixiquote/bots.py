"""Bots: `random` plays anything; `steady` quotes by the similarity of texts, and submits and votes by how well a quote fits.

Two texts are similar when they share themes, which their words suggest, or words.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from math import sqrt
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from games.core import Policy, Rng, policy, random_policy
from games.dixiquote.actions import legal_actions
from games.dixiquote.cards import STOP_WORDS, THEMES, Deck
from games.dixiquote.phases import CHOOSE, QUOTE, VOTE
from games.dixiquote.position import Position

T = TypeVar("T")

LINES = tuple(line for theme in THEMES.values() for line in theme.lines)
BEST_LINES, BEST_LINES_OF_FEW = 6, {3: 12, 4: 8}
"""The Storyteller draws one of this many lines that suit a card best: of more with few players, whose voters would all find the
card by a better line. `tools.campaigns.dixiquote_bots` measured these numbers against others."""

_MEMORY = 4
"""The rounds whose cards the Storyteller has in mind."""

THEME_WEIGHT = 0.75
"""The weight of shared themes in a similarity; the rest is that of shared words."""

_SAID = 0.5
"""What is left of the fit of a card that shares a word with the quote."""

_DOUBT, _SHARPNESS = 0.03, 3.0
"""A vote falls on a card with a probability in proportion to (1 + doubt - fit) to the power of -sharpness."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_VOWELS = frozenset("aeiouy")
_ENDINGS = (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", ""), ("ly", ""))


# -- policies ------------------------------------------------------------------------------------------------------------


@policy
def steady(position: Position, seat: int, rng: Rng) -> Any:
    """Quote what several cards share; play the card that a quote fits best; vote mostly for such a card."""
    phase = position.phase_id
    if phase == QUOTE:
        return _quote(position, seat, rng)
    moves, deck = legal_actions(position, seat), position.options.deck
    if phase == CHOOSE:
        return _ordinary(position, moves, rng)
    quote = position.quote or ""
    if phase == VOTE:
        return _vote(moves, [_trust(quote, deck[card].text) for card in moves], rng)
    return rng.choice(_best(moves, [fit(quote, deck[card].text) for card in moves], 1))


BOTS: Mapping[str, Policy] = {"random": random_policy, "steady": steady}


def _ordinary(position: Position, hand: Sequence[int], rng: Rng) -> int:
    """The Storyteller's choice: from the half of the hand most similar to the cards seen, so that others hold similar ones."""
    rows = _likeness.rows(position.options.deck)
    seen = [*hand, *[card for done in position.history[-_MEMORY:] for card, _, _ in done.cards]]
    commonness = [sum([row[card] for card in seen]) for row in [rows[card] for card in hand]]
    return rng.choice(_best(hand, commonness, (len(hand) + 1) // 2))


class _Likeness:
    """The similarities of the cards of the deck that was asked about last."""

    def __init__(self) -> None:
        self._deck: Deck = ()
        self._rows: list[list[float]] = []

    def rows(self, deck: Deck) -> list[list[float]]:
        """For each card its similarity to every card."""
        if deck is not self._deck:
            self._deck = deck
            self._rows = [[similarity(card.text, other.text) for other in deck] for card in deck]
        return self._rows


_likeness = _Likeness()


def _quote(position: Position, seat: int, rng: Rng) -> str:
    """An unused line that suits the chosen card, or the hand before one is chosen, and shares no word with it."""
    chosen = position.submitted[seat]
    cards = position.hands[seat] if chosen is None else (chosen,)
    used = {done.quote for done in position.history}
    lines = _lines_for(tuple([position.card(card).text for card in cards]))
    most = BEST_LINES_OF_FEW.get(position.setup.players, BEST_LINES)
    found, least = list[str](), 0.0
    for text, worth, is_apart in lines:  # the best ones come first
        if not worth or (len(found) >= most and worth < least):
            break
        if is_apart and text not in used:
            found.append(text)
            least = worth
    return rng.choice(found or _lines_left(lines, used, most))


def _lines_left(lines: Sequence[Quip], used: Collection[str | None], most: int) -> list[str]:
    """The lines where no unused one is like the card and shares no word with it."""
    fresh = [line for line in lines if line.text not in used] or lines
    allowed = [line for line in fresh if line.is_apart] or fresh
    fitting = [line for line in allowed if line.worth] or allowed
    return [line.text for line in fitting if line.worth >= fitting[:most][-1].worth]


class Quip(NamedTuple):
    """A line, its similarity to some cards, and whether it shares no word with them."""

    text: str
    worth: float
    is_apart: bool


@lru_cache(maxsize=1024)
def _lines_for(cards: tuple[str, ...]) -> list[Quip]:
    """Every line for cards with these texts, the most similar ones first."""
    taboo = frozenset[str]().union(*map(stems, cards))
    lines = [Quip(text, sum(map(similarity, repeat(text), cards)), taboo.isdisjoint(stems(text))) for text in LINES]
    return sorted(lines, key=attrgetter("worth"), reverse=True)


def _best(moves: Sequence[T], worths: Sequence[float], number: int) -> list[T]:
    """That many moves that are worth most, and those worth as much as the last of them."""
    least = sorted(worths)[-min(number, len(worths))]
    return [move for move, worth in zip(moves, worths, strict=True) if worth >= least]


@lru_cache(maxsize=1 << 16)
def _trust(quote: str, text: str) -> float:
    """By how much a card is likelier to get a vote the better a quote fits it."""
    trust: float = (1 + _DOUBT - fit(quote, text)) ** -_SHARPNESS
    return trust


def _vote(cards: Sequence[int], weights: Sequence[float], rng: Rng) -> int:
    """Any card, the better it fits the more likely: a voter is never certain."""
    drawn = rng.random() * sum(weights)
    for card, weight in zip(cards, weights, strict=True):
        drawn -= weight
        if drawn < 0:
            return card
    return cards[-1]


# -- similarity of texts -------------------------------------------------------------------------------------------------


class Features(NamedTuple):
    """The stems of a text, the themes they suggest with the number of stems for each, and the length of that vector."""

    stems: frozenset[str]
    themes: Counter[str]
    length: float


@lru_cache(maxsize=1 << 16)
def similarity(text_a: str, text_b: str) -> float:
    """The similarity of two texts, from 0 (nothing shared) to 1; symmetric."""
    a, b = _features(text_a), _features(text_b)
    return THEME_WEIGHT * _shared_themes(a, b) + (1 - THEME_WEIGHT) * _shared_stems(a, b)


@lru_cache(maxsize=1 << 16)
def fit(quote: str, text: str) -> float:
    """How well a quote fits a card, from 0 to 1: the share of all lines that fit it less, since a card that is like everything
    says little; less where both share a word, which a Storyteller avoids."""
    known, found = _similarities(text), similarity(quote, text)
    if not found:
        return 0.0
    share = (bisect_left(known, found) + bisect_right(known, found)) / (2 * len(known))
    return share if stems(quote).isdisjoint(stems(text)) else share * _SAID


@lru_cache(maxsize=4096)
def _similarities(text: str) -> list[float]:
    """The similarities of all lines to a text, in ascending order."""
    return sorted(map(similarity, repeat(text), LINES))


def stems(text: str) -> frozenset[str]:
    """The stems of the words of a text, without stop words."""
    return _features(text).stems


def themes(text: str) -> Counter[str]:
    """The themes that a text suggests, with the number of words for each."""
    return Counter(_features(text).themes)


def stem(word: str) -> str:
    """A word without its ending: a rough stemmer that maps nearly all regular forms of a word to one stem."""
    word = word.casefold().replace("’", "'").removesuffix("'s")
    for ending, instead in _ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 2 and not word.endswith(("ss", "eed")) and not _VOWELS.isdisjoint(rest):
            word = rest + instead
            break
    if len(word) > 3:
        word = word.removesuffix("e")
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def _themes_by_stem() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, theme in THEMES.items():
        for word in dict.fromkeys(map(stem, theme.words)):
            found[word] = (*found.get(word, ()), name)
    return found


_THEMES_OF = _themes_by_stem()


@lru_cache(maxsize=4096)
def _features(text: str) -> Features:
    found = frozenset(stem(word) for word in _WORD.findall(text) if word.casefold() not in STOP_WORDS)
    suggested = Counter(theme for word in sorted(found) for theme in _THEMES_OF.get(word, ()))
    return Features(found, suggested, sqrt(sum(count * count for count in suggested.values())))


def _shared_themes(a: Features, b: Features) -> float:
    """The cosine similarity of the counts of themes."""
    product = sum(count * b.themes[theme] for theme, count in a.themes.items())
    return min(1.0, product / (a.length * b.length)) if product else 0.0


def _shared_stems(a: Features, b: Features) -> float:
    """The Dice coefficient of the sets of stems."""
    common = len(a.stems & b.stems)
    return 2 * common / (len(a.stems) + len(b.stems)) if common else 0.0
