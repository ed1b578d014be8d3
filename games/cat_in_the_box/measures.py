"""Bids met and paradoxes caused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from games.cat_in_the_box.position import NOT_YET, Position
from games.core import Count, Event, Measure, State

BID_MET, PARADOX, GIVEN_UP = "bids met", "paradoxes", "colours given up"
MEASURES = (
    Measure(BID_MET, "rounds with exactly as many tricks as bid, of the rounds with a bid; rounds of two players have none"),
    Measure(PARADOX, "rounds that ended because the seat had no legal play, of all rounds"),
    Measure(GIVEN_UP, "colours that the seat gave up by declaring another one, exhausted ones too", is_share=False),
)


def counts(before: State | None, state: State, events: Sequence[Event]) -> Iterator[Count]:
    """The counts of a play or of a scored round."""
    for event in events:
        if event.kind == "play" and event.data["gives_up"]:
            yield Count(GIVEN_UP, event.data["seat"], 1)
        elif event.kind == "score" and before is not None:
            seat = event.data["seat"]
            bid = cast(Position, before).bids[seat]
            yield Count(PARADOX, seat, int(event.data["paradox"]))
            if bid != NOT_YET:  # two players do not bid
                yield Count(BID_MET, seat, int(not event.data["paradox"] and event.data["tricks_won"] == bid))
