"""The bots: one plays anything, one quotes and votes by what words bring to mind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.core import Answer, Bot, Rng, View
from games.dixiquote.association import likeness, words
from games.dixiquote.themes import THEMES

LINES = tuple(line for theme in THEMES.values() for line in theme.lines)
APT_LINES = 6
"""Out of so many of the lines that suit a card best the Storyteller draws one."""


def random_bot(view: View, answers: Sequence[Answer], rng: Rng) -> Answer:
    """Any of the legal answers."""
    return rng.choice(answers)


def steady_bot(view: View, answers: Sequence[Answer], rng: Rng) -> Answer:
    """Rules of thumb: quote what several cards share, play the card most like a quote, vote for one of the two most like it."""
    if "quote" in answers[0]:
        return {"quote": _quote(view, rng)}
    texts = _seen(view)
    if view["quote"] is None:
        return _ordinary(texts, answers, rng)
    ranked = _by_likeness(view["quote"], texts, answers, rng)
    return _either(view["quote"], texts, ranked[:2], rng) if view["table"] else ranked[0]


def _seen(view: View) -> dict[str, str]:
    """The text of every card the seat has seen, by id."""
    own = view["own"]
    cards = [*own["hand"], *view["table"], *(card for done in view["history"] for card in done["cards"])]
    cards += [card for card in (own["chosen"], own["submitted"]) if card is not None]
    return {card["id"]: card["text"] for card in cards}


def _ordinary(texts: Mapping[str, str], answers: Sequence[Answer], rng: Rng) -> Answer:
    """The Storyteller's choice: from the half of the hand that is most like everything seen, so that others hold its like."""

    def commonness(answer: Answer) -> float:
        return sum(likeness(texts[answer["card"]], other) for other in texts.values())

    ranked = sorted(rng.shuffled(answers), key=commonness, reverse=True)
    return rng.choice(ranked[: (len(ranked) + 1) // 2])


def _quote(view: View, rng: Rng) -> str:
    """A line not said before that suits the card chosen, or the hand when there is none yet, and has no word of it."""
    chosen = view["own"]["chosen"]
    cards = [card["text"] for card in (view["own"]["hand"] if chosen is None else [chosen])]
    taboo = frozenset[str]().union(*map(words, cards))
    said = {done["quote"] for done in view["history"]}
    fresh = [line for line in LINES if line not in said] or LINES
    discreet = [line for line in fresh if taboo.isdisjoint(words(line))] or fresh
    apt = sorted(rng.shuffled(discreet), key=lambda line: sum(likeness(line, card) for card in cards), reverse=True)
    return rng.choice(apt[:APT_LINES])


def _by_likeness(quote: str, texts: Mapping[str, str], answers: Sequence[Answer], rng: Rng) -> list[Answer]:
    """The answers whose cards are most like the quote first, equals in any order."""
    return sorted(rng.shuffled(answers), key=lambda answer: likeness(quote, texts[answer["card"]]), reverse=True)


def _either(quote: str, texts: Mapping[str, str], best: Sequence[Answer], rng: Rng) -> Answer:
    """One of the best answers, each as probable as its card is like the quote: a voter can never be sure what was meant."""
    fits = [likeness(quote, texts[answer["card"]]) for answer in best]
    drawn = rng.random() * sum(fits)
    for answer, fit in zip(best, fits, strict=True):
        if drawn < fit:
            return answer
        drawn -= fit
    return rng.choice(best)


BOTS: dict[str, Bot] = {"random": random_bot, "steady": steady_bot}
