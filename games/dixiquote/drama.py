"""DixiQuote's drama: the beat of each event, and what each changes on the table."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import Event, View
from games.core.drama import ACT, BREATH, CONSEQUENCE, FINALE, REVEAL, ROUTINE, Stage
from games.dixiquote import phases

BEATS = {
    **dict.fromkeys(("deal", "draw", "own", "choose", "submit", "vote", "reshuffle"), ROUTINE),
    "round": CONSEQUENCE,
    "quote": ACT,
    "reveal": BREATH,
    "card": REVEAL,
    "score": CONSEQUENCE,
    "end": FINALE,
}

TITLES = {
    phases.CHOOSE: "The Storyteller chooses a situation",
    phases.QUOTE: "The Storyteller looks for a quote",
    phases.SUBMIT: "The others add situations",
    phases.VOTE: "Everybody votes",
    phases.SCORE: "Votes are turned up",
    phases.ROUND_END: "The round ends",
    phases.OVER: "The match is over",
}
"""A phase in words."""


_ASKED = {
    phases.CHOOSE: "chooses a situation",
    phases.QUOTE: "gives a quote",
    phases.SUBMIT: "adds a situation",
    phases.VOTE: "votes",
}


def asked(view: View) -> str:
    """What a seat that decides does."""
    return _ASKED.get(view["phase"]["id"], "")


def told(stage: Stage, event: Event) -> None:
    """What an event that others follow changes on the table."""
    view, after = stage.view, stage.after
    match event.kind:
        case "card" | "forfeit":
            view |= {"history": after["history"], "table": [], "quote": None}
            for seat, own in stage.own.items():
                stage.own[seat] = own | {"chosen": None, "submitted": None, "vote": None}
        case "score":
            view["scores"] = after["scores"]


def landings(stage: Stage, event: Event) -> Iterator[Stage]:
    """The votes, which land one by one before the cards are turned over."""
    if event.kind != "card" or not stage.after["history"]:
        return
    hidden = (seat for seat in range(len(stage.view["scores"])) if not stage.own.get(seat, {}).get("vote"))
    cards = stage.after["history"][-1]["cards"]
    votes = {seat: card["id"] for seat in hidden for card in cards if seat in card["votes"]}
    for seat in votes:
        stage.view["votes"] = {**stage.view.get("votes", {}), seat: votes[seat]}
        yield stage
