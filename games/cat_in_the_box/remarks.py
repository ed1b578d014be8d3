"""Remarks on plays: what the hand allows; paradoxes, bids met and missed, and who takes the lead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from games.cat_in_the_box.cards import cards_of
from games.cat_in_the_box.position import NOT_YET, Position
from games.core import Event, Remark, State, overtaker

PARADOX, BID_MET, OVER_BID, LEAD = "paradox", "bid_met", "over_bid", "lead"
HIGHLIGHTS = {
    PARADOX: "paradoxes",
    BID_MET: "bids met",
    OVER_BID: "bids lost by a trick too many",
    LEAD: "lead changes",
}
_NUMBERS = ("no", "one", "two", "three", "four", "five")


def remarks(before: State | None, state: State, events: Sequence[Event]) -> Iterator[Remark]:
    """The remarks on a transition."""
    if before is None:
        return
    for number, event in enumerate(events):
        yield from _on(number, event, cast("Position", before), cast("Position", state))
    scores = [number for number, event in enumerate(events) if event.kind == "score"]
    if scores and (leader := overtaker(before.scores, state.scores)) is not None:
        yield Remark(scores[-1], "a new leader", LEAD, leader, 7 if state.has_ended else 3, is_public=True)


def _on(number: int, event: Event, before: Position, state: Position) -> Iterator[Remark]:
    data = event.data
    match event.kind:
        case "play" if text := _hand(before, data["seat"], data["rank"]):
            yield Remark(number, text)
        case "trick" if before.bids[data["seat"]] != NOT_YET and data["tricks_won"] == before.bids[data["seat"]] + 1:
            yield Remark(number, "one more than its bid", OVER_BID, data["seat"], 4, is_public=True)
        case "paradox":
            yield Remark(number, "", PARADOX, data["seat"], 8, is_public=True)
        case "score" if _meets_bid(data, state.context.results[-1].bids[data["seat"]]):
            yield Remark(number, "bid met", BID_MET, data["seat"], min(2 + data["bonus"], 7), is_public=True)


def _hand(before: Position, seat: int, rank: int) -> str:
    """What a play says about the hand it comes from, which the others do not see."""
    held = cards_of(before.hands[seat]).count(rank)
    parts = [f"it holds {_NUMBERS[held]} of them"] * (held > 1)
    return ", ".join(parts + ["its only legal play"] * (before.playable.bit_count() == 1))


def _meets_bid(score: dict[str, object], bid: int) -> bool:
    return bid != NOT_YET and not score["paradox"] and score["tricks_won"] == bid
