"""Telling: events and results in words for people, with the names of players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.core import WHOSE, Event, Sentence, Who, counted
from games.core.sentence import event_parts, told, with_names

_PLACES = dict(enumerate(["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"], 2))


def parts_of(event: Event, labels: Sequence[str] = (), you: int | None = None) -> Iterator[tuple[str, int | None]]:
    """The text of an event in parts, a label with its seat. Why a match has ended is said in plain words by the rules, and has
    labels, too."""
    for said, seat in event_parts(event, labels, you):
        yield from told(said, labels, you) if seat is None and event.kind == "end" else [(said, seat)]


def place_told(scores: Sequence[float], winners: Sequence[int], you: int, out: Sequence[int] = ()) -> str:
    """The place of a player who has not won, where scores tell the others apart, or the order in which they were `out`, as a
    sentence."""
    others = [seat for seat in range(len(scores)) if seat not in winners]
    if len({scores[seat] for seat in others}) > 1:
        place = max(2, 1 + sum(score > scores[you] for score in scores))
    elif len(others) > 1 and sorted(out) == others:
        place = len(scores) - out.index(you)
    else:
        return "You lost."
    return f"You came {_PLACES.get(place, f'number {place}')}."


def quoted(words: str) -> str:
    """An answer in quotation marks; cards of words have theirs."""
    return words if words.startswith("“") else f"“{words}”"


def best_decision(seat: int, where: str, words: str, gain: float) -> Sentence:
    """The best decision of a seat, and what it brought as a share of the win."""
    brought = f" best decision brought {100 * gain:.0f} % of the win more than the play of bot:steady: {where}, "
    return Sentence(Who(seat, WHOSE), brought, with_names(quoted(words)), ".")


def made_again(seat: int, number: int, before: tuple[str, float], now: tuple[str, float]) -> Sentence:
    """Whether an answer of a seat to a decision that was made again is better than the one before: both with their shares."""
    (old, share), (new, best) = before, now
    again = f"Decision {number} again: ", with_names(quoted(new))
    if old == new:
        return Sentence(*again, ", as before.")
    gain = round(100 * (best - share))
    than = "better than" if gain > 0 else "worse than" if gain else "as good as"
    shares = f": {100 * best:.0f} % of the win, not {100 * share:.0f} %, from what "
    return Sentence(*again, f" is {than} ", with_names(quoted(old)), shares, Who(seat), " knew.")


def skill_and_luck(figures: Mapping[str, Any]) -> Sentence:
    """What a seat's decisions and its luck brought, in shares of the win, from that of the deal to that of the result: the
    figures of the seat in a review."""
    skill, luck, start, result = (figures[name] or 0.0 for name in ("skill", "luck", "start", "result"))
    better, more = _points(skill, "better", "worse"), _points(luck, "more", "less")
    worth = f"about {better} than" if better else "as good as"
    brought = f"brought about {more} than the deal promised" if more else "brought nothing"
    shares = f"from {100 * start:.0f} % of the win to {100 * result:.0f} %"
    cards = f"cards and the others {brought}: {shares}."
    return Sentence(Who(figures["seat"], WHOSE), f" decisions were {worth} the play of bot:steady, {cards}")


def _points(share: float, more: str, less: str) -> str:
    points = round(100 * share)
    return f"{counted(abs(points), 'point')} {more if points > 0 else less}" if points else ""
