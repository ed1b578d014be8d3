"""What a seat is asked, how its answer is read, and what each choice does, in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from games.cat_in_the_box.actions import (
    PARADOX_MOVE,
    declarable_ranks,
    given_up,
    legal_actions,
    red_is_broken,
)
from games.cat_in_the_box.board import (
    COLOURS,
    COLUMN_OF,
    RED,
    ROW_OF,
    ROWS,
    cell_at,
    cell_name,
    cells,
    colour_of,
    colours_of,
    largest_group,
    mask_of,
    rank_of,
)
from games.cat_in_the_box.cards import COPIES, cards_of
from games.cat_in_the_box.phases import BID, DISCARD, PARADOX
from games.cat_in_the_box.position import Position
from games.cat_in_the_box.scoring import winning_place, winning_seat
from games.core import Question, Sentence, Step, Steps, answer_schema, chosen, counted, does, fields, one_of, seat_name
from games.core.element import on_card, on_cell, on_seat

ROLES = {
    "discarding_player": "removes one card of the hand before the bids",
    "bidding_player": "says how many tricks they will win",
    "trick_player": "plays a card and declares its colour",
}
PARADOX_WORD = "paradox"
_PLAY = re.compile(rf"({'|'.join(COLOURS)}) ([1-9])")


def answer_of(position: Position, seat: int, move: int) -> dict[str, Any]:
    """The answer data for a move."""
    return answer_in(position.phase_id, move)


def answer_in(phase: int, move: int) -> dict[str, Any]:
    """The answer data for a move in a phase, whatever the position is."""
    if phase == DISCARD:
        return {"rank": move}
    if phase == BID:
        return {"bid": move}
    return {"play": play_name(move)}


def play_name(move: int) -> str:
    """A play in words: `blue 4`, or `paradox`."""
    return PARADOX_WORD if move == PARADOX_MOVE else cell_name(move)


# -- questions -----------------------------------------------------------------------------------------------------------


def question(position: Position, seat: int) -> Question:
    """What a pending seat is asked, without its choices."""
    moves = legal_actions(position, seat)
    if position.phase_id == DISCARD:
        schema = answer_schema(rank=one_of(moves, "the rank of the card you remove from your hand"))
        return Question("Remove one card from your hand, face down, for the rest of the round.", schema, "discarding_player")
    if position.phase_id == BID:
        schema = answer_schema(bid=one_of(moves, "how many tricks you will win in this round"))
        return Question("Bid how many tricks you will win in this round.", schema, "bidding_player")
    schema = answer_schema(play=one_of([play_name(move) for move in moves], "the colour you declare and the rank you play"))
    if position.phase_id == PARADOX:
        return Question("You have no legal play: declare the paradox.", schema, "trick_player")
    return Question(_play_text(position), schema, "trick_player", _paradox_warning(position, seat))


def _play_text(position: Position) -> str:
    if position.led:
        trick = position.trick
        winner = winning_seat(trick, position.leader, position.rules.players)
        best = cell_name(trick[winning_place(trick)])
        led = f"Play a card and declare its colour; {colours_of(position.led)[0]} is led, and "
        return Sentence(led, does(winner, f"be winning with {best}."))
    closed = position.rules.red_waits and not red_is_broken(position.rules, position.free) and not position.playable & RED
    return f"Lead the trick: play a card and declare its colour{'; red is not open yet' if closed else ''}."


def _paradox_warning(position: Position, seat: int) -> str:
    """How many cards of the hand could get a cell of their own and why, if not all of those that could be declared."""
    hand = cards_of(position.hands[seat])
    declarable = declarable_ranks(position, seat).values()
    cells_of = {rank: sum(rank in ranks for ranks in declarable) for rank in sorted(set(hand))}
    short = [f"{hand.count(rank)} cards of {rank} share {counted(cells, 'cell')}"
             for rank, cells in cells_of.items() if 0 < cells < hand.count(rank)]  # fmt: skip
    if not short:
        return ""
    most = sum(min(hand.count(rank), count) for rank, count in cells_of.items())
    plays_left = len(hand) - 1
    own = f"At most {most} of your {counted(len(hand), 'card')} can get a cell of {'its' if most == 1 else 'their'} own"
    warning = f"{own}, as {' and '.join(short)}"
    if most < plays_left:
        warning += f"; {counted(plays_left, 'play')} are left, so there will be a paradox, yours or another's"
    return f"{warning}."


# -- answers -------------------------------------------------------------------------------------------------------------


def parse_answer(position: Position, seat: int, data: Any) -> int:
    """The move that answer data stands for. IllegalAction when it stands for no legal one."""
    moves = legal_actions(position, seat)
    if position.phase_id == DISCARD:
        (rank,) = fields(data, "rank")
        return int(chosen("rank", rank, moves, _not_held(position, moves, rank)))
    if position.phase_id == BID:
        (bid,) = fields(data, "bid")
        return int(chosen("bid", bid, moves))
    (word,) = fields(data, "play")
    named = {play_name(move): move for move in moves}
    return named[chosen("play", word, tuple(named), _refusal(position, seat, word))]


def _not_held(position: Position, held: Sequence[int], rank: object) -> str:
    if type(rank) is not int or rank in held:
        return ""
    return f"there is no {rank} in your hand" if 1 <= rank <= position.rules.ranks else ""


def _refusal(position: Position, seat: int, word: object) -> str:
    """Why a play is not legal; empty when only its spelling is wrong."""
    if position.phase_id == PARADOX:
        return ""
    match = _PLAY.fullmatch(word.strip().casefold()) if isinstance(word, str) else None
    if match is None:
        return "a play is a colour and then a rank"
    colour, rank = match[1], int(match[2])
    cell = cell_at(colour, rank)
    if position.playable >> cell & 1:
        return ""
    if rank > position.rules.ranks:
        return f"the ranks go from 1 to {position.rules.ranks}"
    if not position.hands[seat] >> rank & 1:
        return f"there is no {rank} in your hand"
    if not position.free >> cell & 1:
        return f"{cell_name(cell)} is taken by {_holder(position, cell)}"
    if not position.x_tokens[seat] & ROWS[colour]:
        return f"you gave up your X-token of {colour}"
    if position.led:
        return f"{colours_of(position.led)[0]} is led and you can follow it"
    return "red may be led only once a player's token lies in the red row, or when nothing else can be"


def _holder(position: Position, cell: int) -> str:
    for seat, tokens in enumerate(position.tokens):
        if tokens >> cell & 1:
            return seat_name(seat)
    return "a neutral token"


# -- choices -------------------------------------------------------------------------------------------------------------


def describe_move(position: Position, seat: int, move: int) -> Steps:
    """A move of a pending seat in words; a play has two steps, the card and then the colour."""
    if position.phase_id == DISCARD:
        held = cards_of(position.hands[seat]).count(move)
        empty = counted((position.free & COLUMN_OF[move]).bit_count(), "cell")
        effect = f"{f'you have {held} of them' if held > 1 else 'your only one'}; {empty} empty"
        return (Step("card", str(move), effect, (on_card(seat, str(move)),)),)
    if position.phase_id == BID:
        effect = f"win exactly {move} of the {position.rules.tricks} tricks for the bonus"
        return (Step("bid", str(move), effect, (on_seat(seat),)),)
    if move == PARADOX_MOVE:
        return (Step("play", PARADOX_WORD, "you show your hand, and the round is over", (on_seat(seat),)),)
    colour, rank = colour_of(move), str(rank_of(move))
    colours = [colour_of(cell) for cell in cells(position.playable & COLUMN_OF[rank_of(move)])]
    return (
        Step("card", rank, f"can be {_either(colours)}", (on_card(seat, rank),)),
        Step("colour", colour, "; ".join(_effects(position, seat, move)), (on_cell(colour, rank),)),
    )


def _either(colours: list[str]) -> str:
    return " or ".join([", ".join(colours[:-1]), colours[-1]] if len(colours) > 1 else colours)


def _effects(position: Position, seat: int, cell: int) -> Iterable[str]:
    lost = given_up(position, seat, cell)
    if position.led >> cell & 1:
        yield "follows"
    elif lost:
        yield f"gives up your X-token of {lost}"
    elif position.led:
        yield f"costs nothing, your X-token of {colours_of(position.led)[0]} is already gone"
    yield _prospect(position, seat, cell)
    yield f"largest group then {largest_group(position.tokens[seat] | 1 << cell).bit_count()}"


def _prospect(position: Position, seat: int, cell: int) -> str:
    """What a play does to the trick, as its player can know it: it wins for certain, unless something beats it, or never."""
    trick = (*position.trick, cell)
    if winning_place(trick) != len(trick) - 1:
        return "cannot win"
    players = position.rules.players
    rows = 0  # the colours that somebody who plays later can declare
    for later in range(1, players - len(position.trick)):
        rows |= position.x_tokens[(seat + later) % players]
    higher = position.rules.board & -1 << cell + 1
    counting = higher & RED if 1 << cell & RED else higher & ROW_OF[trick[0]] | position.rules.board & RED
    beating = counting & rows & position.free
    held = Counter((*cards_of(position.hands[seat]), position.discards[seat]))
    beating = mask_of(
        other
        for other in cells(beating)
        if COPIES - 4 + (position.free & COLUMN_OF[rank_of(other)]).bit_count() > held[rank_of(other)]
    )  # fmt: skip -- of the rank is a copy that is neither played nor here
    words = [_any_of(beating & row, counting & row, colour, cell) for colour, row in ROWS.items() if beating & row]
    return f"wins unless beaten by {' or '.join(words)}" if words else "wins for certain"


def _any_of(beating: int, counting: int, colour: str, cell: int) -> str:
    """Cells of a colour that beat a cell, in words; `counting` are all that would."""
    if beating == counting:
        return f"any {'higher ' * (colour == colour_of(cell))}{colour}"
    return f"{colour} {', '.join(str(rank_of(other)) for other in cells(beating))}"
