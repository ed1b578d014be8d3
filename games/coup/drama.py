"""Coup's drama: the beat of each event, and what each changes on the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.core import Event, View
from games.core.drama import ACT, BREATH, CONSEQUENCE, ELIMINATION, FINALE, REVEAL, ROUTINE, Stage, with_item, without
from games.coup import phases
from games.coup.actions import BLOCKERS
from games.coup.position import PROVEN

BEATS = {
    **dict.fromkeys(("pass", "pick", "unchallenged", "unblocked", "gain", "refund", "turn"), ROUTINE),
    **dict.fromkeys(("replacement", "replaced", "exchange", "exchanged", "dealt"), ROUTINE),
    "declaration": ACT,
    "declaration income": ROUTINE,
    "block": ACT,
    "challenge": BREATH,
    **dict.fromkeys(("proof", "false_claim", "concession"), REVEAL),
    **dict.fromkeys(("loss", "blocked", "fizzle"), CONSEQUENCE),
    "out": ELIMINATION,
    "end": FINALE,
}

_CHALLENGED = "A challenge: is the claim true?"
TITLES = {
    phases.INTRODUCTION: "The players sit down",
    phases.SETUP: "Cards are dealt",
    phases.START_OF_TURN: "A turn begins",
    phases.DECLARATION: "An action is declared",
    phases.ACTION_CHALLENGE: "Does anybody challenge?",
    phases.BLOCK_FOREIGN_AID: "Does anybody block?",
    phases.BLOCK_ASSASSINATION: "Does the target block?",
    phases.BLOCK_STEAL: "Does the target block?",
    phases.BLOCK_CHALLENGE: "Does anybody challenge the block?",
    **dict.fromkeys((*phases.EVALUATIONS, *phases.PROOFS), _CHALLENGED),
    **dict.fromkeys(phases.LOSSES, "A card is lost"),
    phases.EXCHANGE_DECISION: "Cards are exchanged",
    phases.GAME_OVER: "The match is over",
}
"""A phase in words. A challenge looks the same whether the claim is true or false."""

_ASKED = {
    phases.SETUP: "takes a card",
    phases.DECLARATION: "declares an action",
    **dict.fromkeys(phases.LOSSES, "turns up a card"),
    phases.EXCHANGE_DECISION: "exchanges cards",
}


def asked(view: View) -> str:
    """What the seat that decides does or may do."""
    phase, stake = view["phase"]["id"], view["stake"]
    if phase in phases.CHALLENGE_WINDOWS:
        return f"may challenge the {stake['block'] or stake['claim']}"
    if phase in phases.BLOCK_WINDOWS:
        return f"may block as {' or '.join(BLOCKERS[stake['action']])}"
    if phase in (*phases.EVALUATIONS, *phases.PROOFS):
        return f"is challenged as {stake['block'] or stake['claim']}"
    return _ASKED.get(phase, "")


LETTERS = {
    "action": {
        "Income": "i",
        "Foreign Aid": "f",
        "Coup": "c",
        "Tax": "t",
        "Steal": "s",
        "Assassinate": "a",
        "Exchange": "e",
    },
    "response": {
        "pass": "p",
        "challenge": "c",
        "concede": "n",
        "show": "s",
        **dict.fromkeys(("block as Duke", "block as Captain", "block as Contessa"), "b"),
        "block as Ambassador": "m",
    },
    "card": {"Duke": "d", "Assassin": "a", "Captain": "c", "Ambassador": "m", "Contessa": "o"},
}
"""The keys of a person's choices, the same in all matches. Of the blocks with one key only one is ever offered."""


def is_open(own: Mapping[str, Any], seat: int, view: View) -> bool:
    """Whether all that a seat alone knew is public: its cards lie open, and none of them has been changed."""
    if view["alive"][seat] or own["drawn"] or own["returned"] or own["picked"] is not None:
        return False
    exchanged = any(turn["actor"] == seat and turn["action"] == "exchange" for turn in view["history"])
    proven = any(claim["verdict"] == PROVEN for claim in view["claims"][seat])
    return not exchanged and not proven


def told(stage: Stage, event: Event) -> None:
    """What an event that others follow changes on the table."""
    view, data = stage.view, event.data
    stake = dict(view["stake"] or {})
    view["shown"] = (data["seat"], data["card"]) if event.kind == "proof" else None
    match event.kind:
        case "challenge":
            stake |= {"block_challenger" if stake["block"] else "challenger": data["seat"]}
        case "proof":
            seat = data["seat"]
            stake |= {"block_verdict" if stake["block"] else "verdict": "proven", "window": None}
            stage.place("claims", seat, with_item(view["claims"][seat], -1, verdict="proven"))
        case "unchallenged" | "unblocked":
            stake |= {"window": None}
        case "loss":
            seat, card = data["seat"], data["card"]
            stake |= {"losses": [*stake["losses"], {"seat": seat, "card": card}], "window": None}
            stage.place("revealed", seat, [*view["revealed"][seat], card])
            stage.add("hand_sizes", seat, -1)
            if seat in stage.own:
                stage.own[seat]["cards"] = without(stage.own[seat]["cards"], [card])
        case "out":
            stage.place("alive", data["seat"], False)
        case "gain" | "refund":
            stage.add("coins", data["seat"], data["coins"])
            if data.get("target") is not None:
                stage.add("coins", data["target"], -data["coins"])
    if view["stake"]:
        stage.view["stake"] = stake
