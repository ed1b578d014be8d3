"""Bots: `random` plays anything; `steady` quotes, submits and votes by the similarity of texts.

Two texts are similar when they share themes, which their words suggest, or words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from games.core import Answer, Policy, Rng, View, answering, random_policy
from games.dixiquote.cards import STOP_WORDS, THEMES

LINES = tuple(line for theme in THEMES.values() for line in theme.lines)
BEST_LINES = 6
"""The Storyteller draws one of this many lines that suit a card best."""

THEME_WEIGHT = 0.75
"""The weight of shared themes in a similarity; the rest is that of shared words."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_VOWELS = frozenset("aeiouy")
_ENDINGS = (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", ""), ("ly", ""))


# -- policies ------------------------------------------------------------------------------------------------------------


def steady_bot(view: View, answers: Sequence[Answer], rng: Rng) -> Answer:
    """Quote what several cards share; play the card most similar to a quote; vote for one of the two most similar."""
    if "quote" in answers[0]:
        return {"quote": _quote(view, rng)}
    texts = _seen(view)
    if view["quote"] is None:
        return _ordinary(texts, answers, rng)
    ranked = _by_similarity(view["quote"], texts, answers, rng)
    return _either(view["quote"], texts, ranked[:2], rng) if view["table"] else ranked[0]


BOTS: Mapping[str, Policy] = {"random": random_policy, "steady": answering(steady_bot)}


def _seen(view: View) -> dict[str, str]:
    """The text of every card the seat has seen, by id."""
    own = view["own"]
    cards = [*own["hand"], *view["table"], *(card for done in view["history"] for card in done["cards"])]
    cards += [card for card in (own["chosen"], own["submitted"]) if card is not None]
    return {card["id"]: card["text"] for card in cards}


def _ordinary(texts: Mapping[str, str], answers: Sequence[Answer], rng: Rng) -> Answer:
    """The Storyteller's choice: from the half of the hand most similar to all cards seen, so that others hold similar ones."""

    def commonness(answer: Answer) -> float:
        return sum(similarity(texts[answer["card"]], other) for other in texts.values())

    ranked = sorted(rng.shuffled(answers), key=commonness, reverse=True)
    return rng.choice(ranked[: (len(ranked) + 1) // 2])


def _quote(view: View, rng: Rng) -> str:
    """An unused line that suits the chosen card, or the hand before one is chosen, and shares no word with it."""
    chosen = view["own"]["chosen"]
    cards = [card["text"] for card in (view["own"]["hand"] if chosen is None else [chosen])]
    taboo = frozenset[str]().union(*map(stems, cards))
    used = {done["quote"] for done in view["history"]}
    fresh = [line for line in LINES if line not in used] or LINES
    allowed = [line for line in fresh if taboo.isdisjoint(stems(line))] or fresh
    best = sorted(rng.shuffled(allowed), key=lambda line: sum(similarity(line, card) for card in cards), reverse=True)
    return rng.choice(best[:BEST_LINES])


def _by_similarity(quote: str, texts: Mapping[str, str], answers: Sequence[Answer], rng: Rng) -> list[Answer]:
    """The answers, those whose cards are most similar to the quote first, ties in random order."""
    return sorted(rng.shuffled(answers), key=lambda answer: similarity(quote, texts[answer["card"]]), reverse=True)


def _either(quote: str, texts: Mapping[str, str], best: Sequence[Answer], rng: Rng) -> Answer:
    """One of the best answers, with a probability in proportion to its similarity: a voter is never certain."""
    weights = [similarity(quote, texts[answer["card"]]) for answer in best]
    drawn = rng.random() * sum(weights)
    for answer, weight in zip(best, weights, strict=True):
        if drawn < weight:
            return answer
        drawn -= weight
    return rng.choice(best)


# -- similarity of texts -------------------------------------------------------------------------------------------------


class Features(NamedTuple):
    """The stems of a text, the themes they suggest with the number of stems for each, and the length of that vector."""

    stems: frozenset[str]
    themes: Counter[str]
    length: float


def similarity(text_a: str, text_b: str) -> float:
    """The similarity of two texts, from 0 (nothing shared) to 1; symmetric."""
    a, b = _features(text_a), _features(text_b)
    return THEME_WEIGHT * _shared_themes(a, b) + (1 - THEME_WEIGHT) * _shared_stems(a, b)


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
