"""Oriflamme's drama: the beat of each event, and what each changes on the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from games.core import Event, View
from games.core.drama import ACT, CONSEQUENCE, ELIMINATION, FINALE, REVEAL, ROUTINE, Stage, with_item
from games.core.scene import DOWN, UP, CardRow, Scene, Stack
from games.oriflamme import phases
from games.oriflamme.cards import CHOOSERS

BEATS = {
    **dict.fromkeys(("deal", "own deal", "own card", "discarded", "idle"), ROUTINE),
    **dict.fromkeys(("placed", "kept", "copied"), ACT),
    "revealed": REVEAL,
    "eliminated": ELIMINATION,
    "ambush": REVEAL,
    **dict.fromkeys(("gained", "spied", "moved"), CONSEQUENCE),
    "end": FINALE,
}

TITLES = {
    phases.PLACEMENT: "Cards are placed",
    phases.RESOLUTION: "Keep or reveal?",
    phases.ROUND_END: "The round ends",
    phases.GAME_OVER: "The match is over",
    **{phases.CHOICE_PHASES + number: f"{chooser.name}: a choice" for number, chooser in CHOOSERS.items()},
}
"""A phase in words."""

_ASKED = {
    phases.PLACEMENT: "places a card",
    phases.RESOLUTION: "keeps or reveals a card",
    **{phases.CHOICE_PHASES + number: f"chooses for the {chooser.name}" for number, chooser in CHOOSERS.items()},
}


def asked(view: View) -> str:
    """What the seat that decides does."""
    return _ASKED.get(view["phase"]["id"], "")


LETTERS = {
    "choice": {"keep": "k", "reveal": "v"},
    "card": {
        "Archer": "a",
        "Soldier": "s",
        "Spy": "y",
        "Heir": "h",
        "Lord": "d",
        "Shapeshifter": "f",
        "Ambush": "b",
        "Assassination": "n",
        "Conspiracy": "c",
        "Royal Decree": "e",
    },
}
"""The keys of a person's choices, the same in all matches."""

Card = dict[str, Any]


def told(stage: Stage, event: Event) -> None:
    """What an event that others follow changes on the table."""
    view, data = stage.view, event.data
    at = data.get("position", 1) - 1
    view["is_decided"] = True
    match event.kind:
        case "placed":
            _place(stage, {"owner": data["seat"], "card": None, "revealed": False, "tokens": 0}, data["place"])
            stage.add("hand_sizes", data["seat"], -1)
        case "kept":
            stage.place("queue", at, with_item(view["queue"][at], 0, tokens=data["tokens"]))
        case "revealed":
            stage.place("queue", at, with_item(view["queue"][at], 0, card=data["card"], revealed=True, tokens=0))
            _uncover(stage, data["seat"], data["card"])
            stage.add("points", data["seat"], data["points"])
        case "eliminated":
            _leave(stage, at, data["victim_card"])
            stage.add("points", data["seat"], data["points"])
        case "discarded":
            cards = ((place, depth, card) for place, stack in enumerate(view["queue"]) for depth, card in enumerate(stack))
            whose = data["seat"], data["card"]
            place, depth = next(one[:2] for one in cards if (one[2]["owner"], one[2]["card"]) == whose)
            _leave(stage, place, data["card"], depth)
        case "gained" | "ambush":
            stage.add("points", data["seat"], data["points"])
        case "spied":
            stage.add("points", data["seat"], data["points"])
            stage.add("points", data["victim"], -data["points"])
        case "moved":
            card, *under = view["queue"][at]
            stage.place("queue", at, under)
            _place(stage, card, data["to"])


def _place(stage: Stage, card: Card, place: str) -> None:
    """Put a card somewhere in the queue; places are counted as before it."""
    queue = list(stage.view["queue"])
    where, _, number = place.partition(" position ")
    if where == "on":
        queue[int(number) - 1] = [card, *queue[int(number) - 1]]
    else:
        queue.insert(0 if where == "front" else len(queue) if where == "back" else int(number) - 1, [card])
    stage.view["queue"] = [stack for stack in queue if stack]
    if (owner := card["owner"]) in stage.own:  # hidden cards are known in their order in the queue
        stage.own[owner] |= {name: stage.own_after[owner][name] for name in ("hand", "hidden")}


def _leave(stage: Stage, at: int, name: str, depth: int = 0) -> None:
    """A card of a position leaves, the top one or one below others; its name is known to all then."""
    queue = list(stage.view["queue"])
    card, queue[at] = queue[at][depth], [*queue[at][:depth], *queue[at][depth + 1 :]]
    stage.view["queue"] = [stack for stack in queue if stack]
    stage.place("discarded", card["owner"], [*stage.view["discarded"][card["owner"]], name])
    if not card["revealed"]:
        _uncover(stage, card["owner"], name)


def _uncover(stage: Stage, owner: int, name: str) -> None:
    """A hidden card is not hidden any more."""
    if owner in stage.own:
        stage.own[owner]["hidden"] = [card for card in stage.own[owner]["hidden"] if card["card"] != name]


def moves(before: Scene, after: Scene, event: Event) -> Iterator[Scene]:
    """A card leaves the hand before it stands in the queue; one that moves leaves its place before it has another; one that is
    eliminated lies open before it is gone."""
    queue = next((part for part in before.parts if isinstance(part, CardRow) and not part.use), None)
    stacks, at = () if queue is None else queue.stacks, event.data.get("position", 0) - 1
    if event.kind == "placed":
        yield _with_queue(after, stacks)
    elif event.kind == "moved":
        left = stacks[at]._replace(cards=stacks[at].cards[1:])
        yield _with_queue(after, (*stacks[:at], *[left] * bool(left.cards), *stacks[at + 1 :]))
    elif event.kind == "eliminated" and stacks[at].cards[0].state == DOWN:
        top, *under = stacks[at].cards
        shown = stacks[at]._replace(cards=(top._replace(name=event.data["victim_card"], sign="✗", state=UP), *under))
        yield from (_with_queue(after, row) for row in (stacks, (*stacks[:at], shown, *stacks[at + 1 :])))


def _with_queue(scene: Scene, stacks: tuple[Stack, ...]) -> Scene:
    parts = (replace(part, stacks=stacks) if isinstance(part, CardRow) and not part.use else part for part in scene.parts)
    return replace(scene, parts=tuple(parts))
