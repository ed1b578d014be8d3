"""Cat in the Box on a web page: the research board, the trick, the seats, the finished tricks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.cat_in_the_box.phases import DISCARD, GAME_OVER, PLAY
from games.cat_in_the_box.scoring import TWO_PLAYER_BONUS_UP_TO
from games.core import View, counted
from runner.export.page.element import Child, Element, drawn_once, el
from runner.export.page.table_parts import heading_row, scroller, seat_badge, seat_class, token
from runner.screen.perspective import Facts, VisibleState

CHART = "Points"

Names = tuple[str, ...]
Plays = tuple[tuple[str, int] | None, ...]
"""What each seat played to a trick: a colour and a rank."""


def chart(view: View) -> Sequence[float]:
    """The line of the chart of a match without a review: points, with the tricks of the current round."""
    is_counted = view["phase"]["id"] in (DISCARD, GAME_OVER)
    return [score + (0 if is_counted else won) for score, won in zip(view["scores"], view["tricks_won"], strict=True)]


def table(seen: VisibleState) -> Element:
    """The table. While the next round is prepared, and at the end, it shows the round before."""
    drawn = _round_shown(seen.view)
    trick = None if drawn.points is not None else _trick(seen)
    return el("div.cat", _board(seen, drawn), trick, _paradox(seen, drawn), _seats(seen, drawn), _finished(seen, drawn))


class _Round(NamedTuple):
    """The round on the page. `points` once it is over."""

    number: int
    facts: Facts
    points: Sequence[int] | None


def _round_shown(view: View) -> _Round:
    if view["results"] and view["phase"]["id"] in (DISCARD, GAME_OVER):
        done = view["results"][-1]
        return _Round(done["round"], done, done["points"])
    return _Round(view["round"], view, None)


# -- the board -------------------------------------------------------------------------------------------------------


def _board(seen: VisibleState, drawn: _Round) -> Element:
    rows = drawn.facts["board"]
    signs = _groups(drawn) if drawn.points is not None else _signs(seen)
    ranks = range(1, len(next(iter(rows.values()))) + 1)
    body = (
        _board_row(seen.names, colour, tuple(holders), tuple([signs.get(f"{colour} {rank}", "") for rank in ranks]))
        for colour, holders in rows.items()
    )
    head = heading_row(el("span.sr", "Colour"), *map(str, ranks))
    return el("table.board", el("caption", f"Research board, round {drawn.number}"), head, el("tbody", *body))


@drawn_once
def _board_row(names: Names, colour: str, holders: tuple[int | str | None, ...], signs: tuple[str, ...]) -> Element:
    cells = (_cell(names, holder, sign) for holder, sign in zip(holders, signs, strict=True))
    return el(f"tr.{colour}", el("th", colour, scope="row"), *cells)


def _cell(names: Names, holder: int | str | None, sign: str) -> Element:
    more = f".{sign}" if sign else ""
    if holder is None:
        words = {"open": "open", "costly": "open, gives up the led colour"}.get(sign)
        return el(f"td{more}", el("span.sr", words) if words else None)
    if isinstance(holder, str):
        return el("td.neutral", el("span.sr", "neutral"))
    words = {"now": " (this trick)", "group": " (largest group)", "bonus": " (largest group, bonus)"}.get(sign)
    return el(f"td{more}", token(names, holder), el("span.sr", words) if words else None)


def _signs(seen: VisibleState) -> dict[str, str]:
    """The cells of the current trick, and those that the seat to play may declare."""
    view = seen.view
    own = seen.owns.get(view["turn"]) if view["turn"] is not None else None
    signs = {f"{play['colour']} {play['rank']}": "now" for play in view["trick"]}
    plays = own["playable"] if own else []
    return signs | {f"{play['colour']} {play['rank']}": "costly" if play["gives_up"] else "open" for play in plays}


def _groups(drawn: _Round) -> dict[str, str]:
    groups = zip(drawn.facts["largest_group"], drawn.facts["bonus"], strict=True)
    return {name: "bonus" if bonus else "group" for group, bonus in groups for name in group["cells"]}


def _paradox(seen: VisibleState, drawn: _Round) -> Element | None:
    paradox = drawn.facts["paradox"]
    if paradox is None:
        return None
    hand = ", ".join(map(str, paradox["hand"]))
    return el("p.paradox", el("strong", "Paradox: "), seat_badge(seen.names, paradox["seat"]), f" cannot play {hand}.")


# -- the tricks ------------------------------------------------------------------------------------------------------


def _trick(seen: VisibleState) -> Element | None:
    view = seen.view
    if view["phase"]["id"] != PLAY:
        return None
    number = len(view["finished_tricks"]) + 1
    led = f", {view['led_colour']} led" if view["led_colour"] else ""
    red = "" if view["red_broken"] else ", red not broken"
    turn = None if view["turn"] is None else el("li.waits", seat_badge(seen.names, view["turn"]), el("small", " to play"))
    plays = (_played(seen, play) for play in view["trick"])
    title = el("h3", f"Trick {number} of {view['tricks']}", el("small", f"{led}{red}".removeprefix(", ")))
    return el("section.trick", title, el("ul.hand", *plays, turn))


def _played(seen: VisibleState, play: Facts) -> Element:
    rank = el("span.face", str(play["rank"]), el("small", play["colour"]))
    return el(f"li.card.number.{play['colour']}", rank, seat_badge(seen.names, play["seat"]))


def _finished(seen: VisibleState, drawn: _Round) -> Element | None:
    tricks = drawn.facts["finished_tricks"]
    if not tricks:
        return None
    seats = range(seen.view["players"])
    head = heading_row("Trick", *(seat_badge(seen.names, seat) for seat in seats))
    rows = (
        _trick_row(number, trick["leader"], trick["winner"], _plays(trick["plays"], seats))
        for number, trick in enumerate(tricks, 1)
    )
    return scroller("tricks", el("table.tricks", el("caption", "Tricks (underlined: leads, ★ wins)"), head, el("tbody", *rows)))


def _plays(plays: Sequence[Facts], seats: range) -> Plays:
    found = {play["seat"]: (play["colour"], play["rank"]) for play in plays}
    return tuple(found.get(seat) for seat in seats)


@drawn_once
def _trick_row(number: int, leader: int, winner: int, plays: Plays) -> Element:
    cells = (_trick_cell(play, seat == leader, seat == winner) for seat, play in enumerate(plays))
    return el("tr", el("th", str(number), scope="row"), *cells)


def _trick_cell(play: tuple[str, int] | None, leads: bool, wins: bool) -> Element:
    if play is None:
        return el("td")
    colour, rank = play
    chip = el(f"span.chip.{colour}{'.leads' if leads else ''}", str(rank), el("span.sr", f" {colour}"))
    return el("td", chip, " ★" if wins else None)


# -- the seats -------------------------------------------------------------------------------------------------------


def _seats(seen: VisibleState, drawn: _Round) -> Element:
    view = seen.view
    over = drawn.points is not None
    has_total = bool(view["results"])
    titles = ["Seat", "Tricks", "Points" if over else "May declare", "Group", *(["Total"] if has_total else [])]
    titles.append("New hand" if over and view["phase"]["id"] == DISCARD else "Hand")
    rows = (_seat_row(seen, drawn, seat, has_total) for seat in range(view["players"]))
    return scroller("seats", el("table.seats", el("caption.sr", "Seats"), heading_row(*titles), el("tbody", *rows)))


def _seat_row(seen: VisibleState, drawn: _Round, seat: int, has_total: bool) -> Element:
    view = seen.view
    middle = _points(drawn, seat) if drawn.points is not None else _declarable(view, seat)
    total = [str(view["scores"][seat])] if has_total else []
    cells: list[Child] = [_won(drawn, seat), middle, str(drawn.facts["largest_group"][seat]["size"]), *total, _hand(seen, seat)]
    return _row(seen.names, seat, seat == view["turn"], *cells)


@drawn_once
def _row(names: Names, seat: int, is_active: bool, *cells: Child) -> Element:
    head = el("th", seat_badge(names, seat), scope="row")
    return el(f"tr.{seat_class(seat)}{'.active' if is_active else ''}", head, *(el("td", cell) for cell in cells))


def _won(drawn: _Round, seat: int) -> Element:
    """Tricks won and bid, and whether the bonus would be won now."""
    won, bid = drawn.facts["tricks_won"][seat], drawn.facts["bids"][seat]
    if len(drawn.facts["bids"]) == 2:
        return _standing(str(won), won <= TWO_PLAYER_BONUS_UP_TO, won > TWO_PLAYER_BONUS_UP_TO)
    return el("span", "no bid") if bid is None else _standing(f"{won} of {bid}", won == bid, won > bid)


@drawn_once
def _standing(words: str, is_right: bool, is_over: bool) -> Element:
    return el("span.right", f"{words} ✓") if is_right else el("span.over", f"{words} ✗") if is_over else el("span", words)


def _points(drawn: _Round, seat: int) -> Element:
    """The points of a round and their parts."""
    points, bonus = (drawn.points or ())[seat], drawn.facts["bonus"][seat]
    lost = sum(penalty["seat"] == seat for penalty in drawn.facts["penalties"])
    parts = [f"bonus {bonus}"] * bool(bonus) + [f"invalid answers -{lost}"] * bool(lost)
    return el("span", el("strong", f"{points:+d}"), el("small", f" {', '.join(parts)}") if parts else None)


def _declarable(view: View, seat: int) -> Element:
    """A dot for each colour: filled while the seat may declare it."""
    has = view["x_tokens"][seat]
    return _dots(tuple(has), tuple(view["board"]))


@drawn_once
def _dots(has: tuple[str, ...], colours: tuple[str, ...]) -> Element:
    dots = (el(f"span.dot.{colour}{'' if colour in has else '.gone'}") for colour in colours)
    return el("span.dots", *dots, el("span.sr", ", ".join(has) or "none"))


def _hand(seen: VisibleState, seat: int) -> Element:
    own = seen.owns.get(seat)
    if own is None:
        return el("small", counted(seen.view["hand_sizes"][seat], "card"))
    alive = {rank for ranks in own["declarable"].values() for rank in ranks}
    return _ranks(tuple([(rank, rank in alive) for rank in own["hand"]]))


@drawn_once
def _ranks(hand: tuple[tuple[int, bool], ...]) -> Element:
    return el("span.ranks", *(_rank(rank, is_alive) for rank, is_alive in hand))


def _rank(rank: int, is_alive: bool) -> Element:
    return el("span.rank", str(rank)) if is_alive else el("span.rank.dead", str(rank), el("span.sr", " unplayable"))
