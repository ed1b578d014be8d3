"""Bids met and paradoxes caused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from games.cat_in_the_box.rounds import NOT_YET
from games.core import Count, Event, Measure

if TYPE_CHECKING:
    from games.cat_in_the_box.state import State
    from games.core import State as CoreState

BID_MET, PARADOX, GIVEN_UP = "bids met", "paradoxes", "colours given up"
MEASURES = (
    Measure(BID_MET, "rounds in which the seat won exactly as many tricks as it had bid"),
    Measure(PARADOX, "rounds that ended because the seat had no legal play"),
    Measure(GIVEN_UP, "times a match that the seat gave up a colour by declaring another one", is_share=False),
)


def counts(before: CoreState | None, state: CoreState, events: Sequence[Event]) -> Iterator[Count]:
    """What a play, or a round that was counted, adds."""
    for event in events:
        if event.kind == "play" and event.data["gives_up"]:
            yield Count(GIVEN_UP, event.data["seat"], 1)
        elif event.kind == "score" and before is not None:
            seat = event.data["seat"]
            bid = cast("State", before).bids[seat]
            yield Count(PARADOX, seat, int(event.data["paradox"]))
            if bid != NOT_YET:  # two players do not bid
                yield Count(BID_MET, seat, int(not event.data["paradox"] and event.data["tricks_won"] == bid))
