"""Coup on a web page: players with their coins, cards and claims, the current turn, the Court deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from games.core import View, counted
from games.coup.cards import CHARACTERS
from games.coup.position import PROVEN
from runner.export.page.element import Child, Element, css_name, drawn_once, el
from runner.export.page.table_parts import card, card_back, coins, seat_badge, seat_class
from runner.screen.perspective import Facts, VisibleState

_VERDICTS = {"proven": "true", "false": "a bluff", "conceded": "conceded"}
CHART = "Coins"

Cards = tuple[str | None, ...]
Claims = tuple[tuple[str, str | None], ...]
"""The characters that a player has claimed, each with the verdict of its challenge."""


def chart(view: View) -> Sequence[float]:
    """The line of the chart of a match without a review: the coins of each player who is in."""
    return [coins if alive else 0 for coins, alive in zip(view["coins"], view["alive"], strict=True)]


def table(seen: VisibleState) -> Element:
    """The table."""
    view = seen.view
    lost = tuple([card for cards in view["revealed"] for card in cards])
    players = el("div.players", *(_player(seen, seat) for seat in range(view["players"])))
    return el("div.coup", players, el("div.middle", _turn(seen), _deck(view["deck_size"], lost)))


# -- the players -----------------------------------------------------------------------------------------------------


def _player(seen: VisibleState, seat: int) -> Element:
    view = seen.view
    is_out, wins = not view["alive"][seat], seat in view["winners"]
    state = "wins" if wins else "out" if is_out else "active" if seat == view["active"] and not view["winners"] else "in"
    role = "wins" if wins else "out" if is_out else _part_in_turn(view, seat)
    down, lost = tuple(_face_down(view, seen.owns.get(seat), seat)), tuple(view["revealed"][seat])
    claims = tuple((claim["character"], claim["verdict"]) for claim in view["claims"][seat])
    return _panel(seen.names, seat, state, role, None if is_out else view["coins"][seat], down, lost, claims)


@drawn_once
def _panel(
    names: tuple[str, ...], seat: int, state: str, role: str, purse: int | None, down: Cards, lost: Cards, claims: Claims
) -> Element:
    return el(
        f"section.player.{seat_class(seat)}.{state}",
        el("h3", seat_badge(names, seat), el("small", role) if role else None),
        None if purse is None else coins(purse),
        el("ul.hand", *(card_back() if name is None else card(name) for name in down), *map(_lost, lost), aria_label="cards"),
        _claims(claims),
    )


def _part_in_turn(view: View, seat: int) -> str:
    stake = view["stake"]
    if stake is None:
        return "to act" if seat == view["active"] and not view["winners"] else ""
    if seat == stake["blocker"]:
        return "blocks"
    if seat in (stake["challenger"], stake["block_challenger"]):
        return "challenges"
    return "target" if seat == stake["target"] else "acts" if seat == stake["actor"] else ""


def _lost(name: str | None) -> Element:
    return el(f"li.card.lost.{css_name(name or '')}", el("span.face", name), el("span.sr", " (lost)"))


def _face_down(view: View, own: Facts | None, seat: int) -> Sequence[str | None]:
    """The face-down cards, None for hidden ones. At the end all hands are public."""
    if not view["hands"]:
        return own["cards"] + own["drawn"] if own else [None] * view["hand_sizes"][seat]
    down = list(view["hands"][seat])
    for name in view["revealed"][seat]:
        down.remove(name)
    return down


def _claims(claims: Claims) -> Element | None:
    """The characters a player has claimed, how often, with the result of the last challenge of each."""
    if not claims:
        return None
    characters = dict.fromkeys(character for character, _ in claims)
    chips = (_claim(name, [verdict for character, verdict in claims if character == name]) for name in characters)
    return el("p.claims", el("small", "claimed "), *chips)


def _claim(character: str, verdicts: Sequence[str | None]) -> Element:
    decided = [verdict for verdict in verdicts if verdict]
    times = f" ×{len(verdicts)}" if len(verdicts) > 1 else ""
    sign = (" ✓" if decided[-1] == PROVEN else " ✗") if decided else ""
    return el(f"span.chip.{css_name(character)}", f"{character}{times}{sign}")


# -- the turn --------------------------------------------------------------------------------------------------------


def _turn(seen: VisibleState) -> Element:
    view, stake = seen.view, seen.view["stake"]
    limit = view["options"]["max_turns"]
    title = el("h3", f"Turn {view['turn']}{f' of {limit}' if limit else ''}")
    if view["winners"]:
        who = [part for seat in view["winners"] for part in (seat_badge(seen.names, seat), " ")]
        return el("section.turn", title, el("p", "★ ", *who, "wins" if len(view["winners"]) == 1 else "win together"))
    if stake is None:
        return el("section.turn", title, el("p", seat_badge(seen.names, view["active"]), " to declare an action"))
    return el("section.turn", title, el("ul.steps", *(el("li", *parts) for parts in _steps(seen.names, stake))))


def _steps(names: Sequence[str], stake: Facts) -> Iterator[list[Child]]:
    """The current turn step by step."""
    action, target = stake["action"].title(), stake["target"]
    against: list[Child] = [] if target is None else [" against ", seat_badge(names, target)]
    claim: list[Child] = [", claims ", _chip(stake["claim"])] if stake["claim"] else []
    yield [seat_badge(names, stake["actor"]), " declares ", el("strong", action), *against, *claim]
    yield from _challenge(names, stake["challenger"], stake["verdict"])
    if stake["block"]:
        yield [seat_badge(names, stake["blocker"]), " blocks, claims ", _chip(stake["block"])]
    yield from _challenge(names, stake["block_challenger"], stake["block_verdict"])
    for loss in stake["losses"]:
        yield [seat_badge(names, loss["seat"]), " turns up ", _chip(loss["card"])]


def _challenge(names: Sequence[str], seat: int | None, verdict: str | None) -> Iterator[list[Child]]:
    if seat is not None:
        result: list[Child] = [": the claim is ", el("strong", _VERDICTS[verdict])] if verdict else []
        yield [seat_badge(names, seat), " challenges", *result]


def _chip(character: str) -> Element:
    return el(f"span.chip.{css_name(character)}", character)


# -- the deck --------------------------------------------------------------------------------------------------------


@drawn_once
def _deck(size: int, lost: tuple[str, ...]) -> Element:
    count = Counter(lost)
    chips = [el(f"span.chip.{css_name(name)}", f"{name} {count[name]}") for name in CHARACTERS if count[name]]
    pile = el("span.pile", aria_hidden="true")
    return el(
        "section.deck",
        el("p", pile, f"Court deck: {counted(size, 'card')}"),
        el("p.claims", el("small", "lost "), *chips) if chips else None,
    )
