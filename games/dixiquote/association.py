"""How much one line of text brings another to mind."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from games.dixiquote.themes import THEMES

THEME_SHARE = 0.75
"""How much of a likeness comes from shared themes; the rest comes from shared words."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_VOWELS = frozenset("aeiouy")
_ENDINGS = (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", ""), ("ly", ""))
_SMALL_WORDS = (
    "a about after all also an and any are as at be been before behind being both but by can could did do does each else even "
    "every for from had has have he her hers him his how i if in into is it its itself just me more most my near never nor not "
    "of off on one only or our out over quite rather said seldom several she since so some than that the their them then there "
    "these they this those though through to too under until up us very was we were what when where which while who "
    "whose why will with without would you your"
)
_SMALL = frozenset(_SMALL_WORDS.split())


class Reading(NamedTuple):
    """What a text says to someone who reads it for its themes: how many of its words give each of them away."""

    words: frozenset[str]
    themes: Counter[str]
    length: float


def likeness(text_a: str, text_b: str) -> float:
    """How much one text brings the other to mind, from 0 (nothing shared) to 1; the same both ways."""
    a, b = _read(text_a), _read(text_b)
    return THEME_SHARE * _shared_themes(a, b) + (1 - THEME_SHARE) * _shared_words(a, b)


def words(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning."""
    return _read(text).words


def themes(text: str) -> Counter[str]:
    """The themes that the words of a text give away, with the number of words for each."""
    return Counter(_read(text).themes)


def stem(word: str) -> str:
    """A word without its ending: crude, but the same for nearly all regular forms of a word."""
    word = word.casefold().replace("’", "'").removesuffix("'s")
    for ending, instead in _ENDINGS:
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 2 and not word.endswith(("ss", "eed")) and not _VOWELS.isdisjoint(rest):
            word = rest + instead
            break
    if len(word) > 3:
        word = word.removesuffix("e")
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def _lexicon() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, theme in THEMES.items():
        for word in dict.fromkeys(stem(word) for word in theme.words.split()):
            found[word] = (*found.get(word, ()), name)
    return found


_LEXICON = _lexicon()


@lru_cache(maxsize=4096)
def _read(text: str) -> Reading:
    stems = frozenset(stem(word) for word in _WORD.findall(text) if word.casefold() not in _SMALL)
    found = Counter(theme for word in sorted(stems) for theme in _LEXICON.get(word, ()))
    return Reading(stems, found, sqrt(sum(count * count for count in found.values())))


def _shared_themes(a: Reading, b: Reading) -> float:
    """The cosine of the angle between the two counts of themes."""
    product = sum(count * b.themes[theme] for theme, count in a.themes.items())
    return min(1.0, product / (a.length * b.length)) if product else 0.0


def _shared_words(a: Reading, b: Reading) -> float:
    """Twice the words in common over all words (Dice)."""
    common = len(a.words & b.words)
    return 2 * common / (len(a.words) + len(b.words)) if common else 0.0
