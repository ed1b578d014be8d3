"""DixiQuote on screen."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from games.core import seat_name
from runner.screen.palette import QUIET, TITLE, points_text, seat_style, seat_text
from runner.screen.scene import Scene
from runner.screen.text import clean, plain

_BAR = 20


def table(scene: Scene) -> RenderableType:
    """The whole table: scores, quote, cards, the round before, and the hands in sight."""
    view = scene.view
    parts: list[RenderableType] = [_scores(scene)]
    if view["quote"] is not None:
        parts.append(_quote(view))
    if view["table"]:
        parts += [] if scene.has_menu else [_cards(scene)]
    elif view["history"]:
        parts.append(_last_round(view["history"][-1]))
    if not scene.has_menu:
        parts += [_hand(seat, own) for seat, own in scene.owns.items() if _owes_a_card(view, seat)]
    return Group(*parts)


def _scores(scene: Scene) -> Table:
    view = scene.view
    target = view["target_score"]
    rows = Table(box=None, padding=(0, 1), show_header=False)
    for _ in range(4):
        rows.add_column(no_wrap=True, overflow="ellipsis")
    for seat, score in enumerate(view["scores"]):
        filled = max(0, min(_BAR, round(_BAR * score / target)))
        bar = Text("━" * filled, style=seat_style(seat)) + Text("─" * (_BAR - filled), style=QUIET)
        role = Text("Storyteller", style=TITLE) if seat == view["storyteller"] else Text("")
        rows.add_row(seat_text(seat), plain(scene.names[seat]), Text(f"{score:>3} of {target} ") + bar, role)
    return rows


def _quote(view: dict[str, Any]) -> Panel:
    words = plain(view["quote"], "italic") if view["quote"] else Text("no quote: the Storyteller was struck out", style=QUIET)
    title = Text(f"{seat_name(view['storyteller'])} says", style=seat_style(view["storyteller"]))
    return Panel(words, title=title, title_align="left", border_style=seat_style(view["storyteller"]))


def _cards(scene: Scene) -> Table:
    played = {own[part]["id"]: seat for seat, own in scene.owns.items() for part in ("chosen", "submitted") if own[part]}
    votes = {seat: own["vote"] for seat, own in scene.owns.items()}
    rows = Table(title="On the table", title_justify="left", title_style=TITLE, expand=True, box=None, show_header=False)
    rows.add_column(no_wrap=True, style=QUIET)
    rows.add_column(ratio=1)
    rows.add_column(no_wrap=True)
    for card in scene.view["table"]:
        known = Text()
        if card["id"] in played:
            known += Text("by ") + seat_text(played[card["id"]])
        voters = [seat for seat, vote in votes.items() if vote == card["id"]]
        rows.add_row(clean(card["id"]), plain(card["text"]), known + _voters(voters))
    return rows


def _voters(voters: list[int]) -> Text:
    text = Text()
    for seat in voters:
        text += Text(" ✓", style=seat_style(seat)) + seat_text(seat)
    return text


def _last_round(done: dict[str, Any]) -> RenderableType:
    title = f"Round {done['round']}"
    if done["forfeited"]:
        return Text(f"{title} was forfeited: {seat_name(done['storyteller'])} was struck out.", style=QUIET)
    quote = f": “{clean(done['quote'], 200)}”" if done["quote"] else ""
    rows = Table(title=Text(title + quote), title_justify="left", title_style=TITLE, expand=True, box=None, header_style=QUIET)
    rows.add_column("Situation", ratio=1)
    rows.add_column("By", no_wrap=True)
    rows.add_column("Votes", no_wrap=True)
    for card in done["cards"]:
        teller = Text(" ★") if card["owner"] == done["storyteller"] else Text("")
        voters = _voters(card["votes"]) if card["votes"] else Text(" none", style=QUIET)
        count = Text(str(len(card["votes"])), style="bold green" if card["votes"] else QUIET)
        rows.add_row(plain(card["text"]), seat_text(card["owner"]) + teller, count + voters)
    points = Text("Points: ")
    for seat, gained in enumerate(done["points"]):
        points += seat_text(seat) + Text(" ") + points_text(gained) + Text("  ")
    return Group(rows, points + Text("(★ the Storyteller's card)", style=QUIET))


def _owes_a_card(view: dict[str, Any], seat: int) -> bool:
    """Whether a hand matters in this phase: the Storyteller's while choosing, the others' while submitting."""
    is_teller = seat == view["storyteller"]
    if view["table"] or view["winners"]:
        return False
    return bool(view["blind_quote"]) or is_teller == (view["quote"] is None)


def _hand(seat: int, own: dict[str, Any]) -> Table:
    rows = Table(
        title=Text(f"{seat_name(seat)}'s hand", style=seat_style(seat)), title_justify="left", box=None, show_header=False
    )
    rows.add_column(no_wrap=True, style=QUIET)
    rows.add_column()
    for card in own["hand"]:
        rows.add_row(clean(card["id"]), plain(card["text"]))
    for part, sign in (("chosen", "chosen"), ("submitted", "submitted")):
        if own[part]:
            rows.add_row(clean(own[part]["id"]), plain(own[part]["text"], TITLE) + Text(f"  ← {sign}", style=QUIET))
    return rows
