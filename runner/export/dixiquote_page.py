"""DixiQuote on a web page: the scores, the quote, the situations with their owners and votes, the visible hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.core import View
from runner.export.page.element import Child, Element, drawn_once, el
from runner.export.page.table_parts import bar, seat_badge, seat_class, seat_list
from runner.screen.perspective import Facts, VisibleState

CHART = "Points"


def chart(view: View) -> Sequence[float]:
    """The line of the chart of a match without a review: points."""
    return list(view["scores"])


def table(seen: VisibleState) -> Element:
    """The table. Between rounds it shows the round before."""
    view = seen.view
    parts: list[Child] = [_scores(seen)]
    if view["table"] or view["quote"] is not None:
        parts += [_quote(seen.names, view["storyteller"], view["quote"]), _cards(seen)]
    elif view["history"]:
        parts += _last_round(seen, view["history"][-1])
    return el("div.dixi", *parts, *_hands(seen))


def _scores(seen: VisibleState) -> Element:
    scores = (_score(seen, seat, score) for seat, score in enumerate(seen.view["scores"]))
    return el("ul.scores", *scores, aria_label="scores")


def _score(seen: VisibleState, seat: int, score: int) -> Element:
    view = seen.view
    role = "wins" if seat in view["winners"] else "Storyteller" if seat == view["storyteller"] and not view["winners"] else ""
    return _score_line(seen.names, seat, score, view["target_score"], role)


@drawn_once
def _score_line(names: tuple[str, ...], seat: int, score: int, target: int, role: str) -> Element:
    who = el("span", seat_badge(names, seat), el("small", f" ★ {role}") if role else None)
    figures = el("span", el("strong", str(score)), el("small", f" of {target}"))
    return el("li", who, figures, bar(seat, score / target))


def _quote(names: tuple[str, ...], teller: int, quote: str | None) -> Element | None:
    return None if quote is None else _said(names, teller, quote)


@drawn_once
def _said(names: tuple[str, ...], teller: int, quote: str) -> Element:
    words = f"“{quote}”" if quote else "No quote: the Storyteller was struck out."
    return el(f"section.quote.{seat_class(teller)}", el("h3", seat_badge(names, teller), " says"), el("p", words))


# -- the cards on the table ------------------------------------------------------------------------------------------


def _cards(seen: VisibleState) -> Element | None:
    """The cards of this round, with what the view may know of their owners and votes."""
    played = {own[part]["id"]: seat for seat, own in seen.owns.items() for part in ("chosen", "submitted") if own[part]}
    votes = {seat: own["vote"] for seat, own in seen.owns.items()}
    cards = [
        _situation(seen, card, played.get(card["id"]), [seat for seat, vote in votes.items() if vote == card["id"]])
        for card in seen.view["table"]
    ]
    return el("ol.situations", *cards, aria_label="situations on the table") if cards else None


def _situation(seen: VisibleState, card: Facts, owner: int | None, voters: Sequence[int]) -> Element:
    star = " ★" if owner is not None and owner == seen.view["storyteller"] else ""
    return _card(seen.names, card["text"], owner, tuple(voters), star)


@drawn_once
def _card(names: tuple[str, ...], text: str, owner: int | None, voters: tuple[int, ...], star: str) -> Element:
    owned = f".owned.{seat_class(owner)}" if owner is not None else ""
    by = el("span", "by ", seat_badge(names, owner), star) if owner is not None else None
    votes = el("span.votes", "✓ ", *seat_list(names, voters)) if voters else None
    foot = el("p.foot", by, votes) if by or votes else None
    return el(f"li.situation{owned}{'.teller' if star else ''}", el("p", text), foot)


def _last_round(seen: VisibleState, done: Facts) -> list[Child]:
    title = el("h3.round", f"Round {done['round']}")
    if done["forfeited"]:
        return [title, el("p", seat_badge(seen.names, done["storyteller"]), " was struck out: the round was forfeited.")]
    cards = (
        _card(
            seen.names, card["text"], card["owner"], tuple(card["votes"]), " ★" if card["owner"] == done["storyteller"] else ""
        )
        for card in done["cards"]
    )
    listed = el("ol.situations", *cards, aria_label=f"situations of round {done['round']}")
    quote = _quote(seen.names, done["storyteller"], done["quote"])
    return [title, quote, listed, _points(seen.names, tuple(done["points"]))]


@drawn_once
def _points(names: tuple[str, ...], points: tuple[int, ...]) -> Element:
    gains = (el("span.gain", seat_badge(names, seat), f" {gained:+d} ") for seat, gained in enumerate(points))
    return el("p.points", "Points: ", *gains)


# -- hands -----------------------------------------------------------------------------------------------------------


def _hands(seen: VisibleState) -> Iterator[Element]:
    for seat, own in seen.owns.items():
        if _owes_a_card(seen.view, seat):
            played = ((part, own[part]["text"]) for part in ("chosen", "submitted") if own[part])
            yield _hand(seen.names, seat, tuple([card["text"] for card in own["hand"]]), tuple(played))


def _owes_a_card(view: View, seat: int) -> bool:
    """Whether a seat chooses a card in this phase."""
    if view["table"] or view["winners"]:
        return False
    return bool(view["blind_quote"]) or (seat == view["storyteller"]) == (view["quote"] is None)


@drawn_once
def _small(text: str) -> Element:
    return el("li.situation.small", el("p", text))


@drawn_once
def _hand(names: tuple[str, ...], seat: int, hand: tuple[str, ...], played: tuple[tuple[str, str], ...]) -> Element:
    cards = [_small(text) for text in hand]
    cards += [el("li.situation.small.picked", el("p", text), el("p.foot", part)) for part, text in played]
    title = el("h3", seat_badge(names, seat), " holds")
    return el(f"section.held.{seat_class(seat)}", title, el("ul.situations", *cards))
