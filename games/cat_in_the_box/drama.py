"""Cat in the Box's drama: the beat of each event, and what each changes on the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from games.cat_in_the_box.phases import BID, DEAL, DISCARD, GAME_OVER, PARADOX, PHASES, PLAY, SCORING, TRICK_END
from games.core import Event, View
from games.core.drama import ACT, CONSEQUENCE, FINALE, REVEAL, ROUTINE, Stage, without
from games.core.scene import Banner, Grid, Mark, Scene

BEATS = {
    **dict.fromkeys(("hand", "neutral", "discard", "discards"), ROUTINE),
    "deal": CONSEQUENCE,
    "bid": ACT,
    "play": ACT,
    "trick": CONSEQUENCE,
    "paradox": REVEAL,
    "score": REVEAL,
    "game_over": FINALE,
}

TITLES = {
    DEAL: "Cards are dealt",
    DISCARD: "Everybody removes a card",
    BID: "Everybody bids",
    PLAY: "A card is played",
    TRICK_END: "The trick is taken",
    PARADOX: "A paradox",
    SCORING: "The round is scored",
    GAME_OVER: "The match is over",
}
"""A phase in words."""


def asked(view: View) -> str:
    """What the seat that decides does."""
    phase = view["phase"]["id"]
    if phase == PLAY:
        return "follows in the trick" if view["trick"] else "leads a trick"
    return {DISCARD: "removes a card", BID: "bids"}.get(phase, "")


LETTERS = {"colour": {"red": "d", "blue": "b", "yellow": "y", "green": "g"}}
"""The keys of a person's choices."""

_SCORING = {"id": SCORING, "name": PHASES.by_id(SCORING).name}


def told(stage: Stage, event: Event) -> None:
    """What an event that others follow changes on the table."""
    view, data = stage.view, event.data
    match event.kind:
        case "play":
            seat, rank, colour = data["seat"], data["rank"], data["colour"]
            row = list(view["board"][colour])
            row[rank - 1] = seat
            view["board"] = {**view["board"], colour: row}
            view["trick"] = [*view["trick"], {"seat": seat, "rank": rank, "colour": colour}]
            view["led_colour"] = view["led_colour"] or colour
            view["red_broken"] = view["red_broken"] or colour == "red"
            stage.place("x_tokens", seat, without(view["x_tokens"][seat], [data["gives_up"]]))
            stage.add("hand_sizes", seat, -1)
            if seat in stage.own:
                stage.own[seat] |= {"hand": without(stage.own[seat]["hand"], [rank]), "playable": []}
        case "trick":
            done = {"leader": view["leader"], "winner": data["seat"], "plays": view["trick"]}
            stage.place("tricks_won", data["seat"], data["tricks_won"])
            view |= {"finished_tricks": [*view["finished_tricks"], done], "trick": [], "led_colour": None, "turn": None}
        case "paradox":
            view["paradox"] = {"seat": data["seat"], "hand": data["hand"]}
        case "score":
            after = stage.after
            view |= {"phase": _SCORING, "results": after["results"], "scores": after["scores"], "turn": None}


_BROKEN = Mark("broken", "✗", "cannot be declared")


def moves(before: Scene, after: Scene, event: Event) -> Iterator[Scene]:
    """A paradox breaks over the board: the cells of the cards in hand are struck out, first the lowest, then all."""
    if event.kind != "paradox":
        return
    ranks = sorted(set(event.data["hand"]))
    for struck in (ranks[:1], ranks):
        parts = (_struck(part, struck) if isinstance(part, Grid) else part for part in after.parts)
        yield replace(after, parts=tuple(part for part in parts if not isinstance(part, Banner)))


def _struck(board: Grid, ranks: list[int]) -> Grid:
    """A board on which the cells of some ranks are struck out."""
    places = {board.columns.index(str(rank)) for rank in ranks}
    return replace(
        board,
        rows=tuple(
            (name, tuple(cell._replace(mark=_BROKEN) if place in places else cell for place, cell in enumerate(cells)))
            for name, cells in board.rows
        ),
    )
