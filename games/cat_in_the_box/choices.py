"""What each choice does, in words for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.cat_in_the_box.answers import PARADOX_WORD, given_up
from games.cat_in_the_box.board import COLUMN_OF, cells, colour_of, largest_group, rank_of
from games.cat_in_the_box.cards import cards_of
from games.cat_in_the_box.legality import PARADOX_MOVE
from games.cat_in_the_box.phases import BID, DISCARD
from games.core import Step, Steps

if TYPE_CHECKING:
    from games.cat_in_the_box.state import State


def steps(state: State, seat: int, move: int) -> Steps:
    """A move of a pending seat: of a play first the card, then the colour."""
    if state.phase_id == DISCARD:
        held = cards_of(state.hands[seat]).count(move)
        return (Step("card", str(move), f"you have {held} of them" if held > 1 else "your only one"),)
    if state.phase_id == BID:
        return (Step("bid", str(move), f"the bonus is yours with exactly {move} of the {state.table.tricks} tricks"),)
    if move == PARADOX_MOVE:
        return (Step("play", PARADOX_WORD, "you show your hand, and the round is over"),)
    colours = [colour_of(cell) for cell in cells(state.playable & COLUMN_OF[rank_of(move)])]
    return (
        Step("card", str(rank_of(move)), f"can be {_either(colours)}"),
        Step("colour", colour_of(move), _declaring(state, seat, move)),
    )


def _either(colours: list[str]) -> str:
    return " or ".join([", ".join(colours[:-1]), colours[-1]] if len(colours) > 1 else colours)


def _declaring(state: State, seat: int, cell: int) -> str:
    lost = given_up(state, seat, cell)
    does = (
        f"gives up your X-token of {lost}" if lost else "follows" if state.led >> cell & 1 else "leads" if not state.led else ""
    )
    size = largest_group(state.tokens[seat] | 1 << cell).bit_count()
    return "; ".join([*([does] if does else []), f"your largest group is then {size}"])
