"""The bots: policies that read the position as their seat knows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from games.cat_in_the_box.actions import PARADOX_MOVE, legal_actions, open_cells
from games.cat_in_the_box.board import ALL_CELLS, COLUMN_OF, PATTERN, RANKS_OF, RED, ROW_OF, WIDTH, cells
from games.cat_in_the_box.cards import CARDS_OF, cards_of
from games.cat_in_the_box.options import MatchRules
from games.cat_in_the_box.phases import BID, DISCARD, PLAY
from games.cat_in_the_box.position import Position
from games.cat_in_the_box.scoring import TWO_PLAYER_BONUS_UP_TO, winning_place
from games.core import Policy, Rng, policy, random_policy

_EFFORT = 0.3
"""The tricks that `steady` bids above its share: it plays to win as many as it bids."""

# What `steady` weighs against a trick won or avoided, which counts _TRICK a player: the more players, the smaller its chance.
_TRICK = 1.0
_DEAD_CARD = 3.0
_OPEN_CELL = 0.3
_X_TOKEN = 1.5
_NEIGHBOUR = 0.4


@policy
def follow(position: Position, seat: int, rng: Rng) -> int:
    """Bid a fair share of the tricks, follow the led colour when possible; anything otherwise."""
    rules = position.rules
    if position.phase_id == BID:
        return min(rules.bids, key=lambda bid: abs(bid - rules.tricks / rules.players))
    if position.phase_id == PLAY:
        return rng.choice(cells(position.playable & position.led or position.playable))
    return rng.choice(legal_actions(position, seat))


@policy
def steady(position: Position, seat: int, rng: Rng) -> int:
    """Bid by the strength of the hand, play to the bid, keep cards playable, build a group."""
    phase = position[3]
    if phase == PLAY:
        found = best_plays(position, seat)
        return found[0] if len(found) == 1 else rng.choice(found)
    if phase == BID:
        return rng.choice(best_bids(position, seat))
    if phase == DISCARD:
        return _best_discard(position, seat, rng)
    return PARADOX_MOVE


BOTS: Mapping[str, Policy] = {"random": random_policy, "follow": follow, "steady": steady}


# -- discards and bids ---------------------------------------------------------------------------------------------------


def _best_discard(position: Position, seat: int, rng: Rng) -> int:
    return rng.choice(_discards(position.hands[seat], position.rules.ranks))


@cache
def _discards(hand: int, ranks: int) -> tuple[int, ...]:
    """Many of a rank are hard to place; a card of the middle neither wins nor loses a trick for sure."""
    middle = (ranks + 1) / 2

    def worth(rank: int) -> float:
        return 2 * (hand & CARDS_OF[rank]).bit_count() - abs(rank - middle) / middle

    return _best(RANKS_OF[hand >> 1 & PATTERN], worth)


def best_bids(position: Position, seat: int) -> Sequence[int]:
    """The bids of which `steady` draws one: those nearest to what it expects to win."""
    expected = _expected_tricks(position.rules, position.hands[seat]) + _EFFORT
    return _best(position.rules.bids, lambda bid: -abs(bid - expected))


def _expected_tricks(rules: MatchRules, hand: int) -> float:
    """A fair share of the tricks, more or less as the hand is stronger or weaker than the deck."""
    held, ranks = cards_of(hand), range(1, rules.ranks + 1)
    strength = sum(rank**2 for rank in held) / len(held)
    usual = sum(rank**2 for rank in ranks) / len(ranks)
    return rules.tricks / rules.players * strength / usual


def _best(moves: Sequence[int], worth: Callable[[int], float]) -> tuple[int, ...]:
    """The moves that are worth most."""
    worths = [worth(move) for move in moves]
    best = max(worths)
    return tuple(move for move, value in zip(moves, worths, strict=True) if value == best)


# -- plays ---------------------------------------------------------------------------------------------------------------

_ABOVE = tuple(ROW_OF[cell] & ~((2 << cell) - 1) for cell in range(4 * WIDTH))
BEATING = tuple(above | (0 if RED >> cell & 1 else RED) for cell, above in enumerate(_ABOVE))
"""The cells that beat a cell of the led colour, or a red one."""

_SIDES = (1, -1, WIDTH, -WIDTH)
BESIDE = tuple(sum(1 << cell + side for side in _SIDES if cell + side >= 0) & ALL_CELLS for cell in range(4 * WIDTH))
"""The cells at the four sides of a cell."""


def best_plays(position: Position, seat: int) -> Sequence[int]:
    """The plays worth most, of which `steady` draws one."""
    plays, worths = worths_of_plays(position, seat)
    best = max(worths)
    if worths.count(best) == 1:
        return (plays[worths.index(best)],)
    return [play for play, worth in zip(plays, worths, strict=True) if worth == best]


def worths_of_plays(position: Position, seat: int) -> tuple[Sequence[int], Sequence[float]]:
    """The plays, and what `steady` finds each worth: by a trick won or avoided, the cells left for the hand, and the group that
    the cell belongs to."""
    free, tokens, wish = position[10], position[8][seat], _wish(position, seat)
    trick, chances = position.trick, _chances(position)
    winning = BEATING[trick[winning_place(trick)]] if trick else ALL_CELLS
    following, leaving = _room_after(position, seat)
    led, plays = position[13], cells(position[15])
    worths: list[float] = []
    for cell in plays:
        worth = (following if not led or led >> cell & 1 else leaving)[cell % WIDTH]
        if winning >> cell & 1:
            worth += wish * chances[(free & BEATING[cell]).bit_count()]
        if beside := tokens & BESIDE[cell]:
            worth += _NEIGHBOUR * beside.bit_count()
        worths.append(worth)
    return plays, worths


def _wish(position: Position, seat: int) -> float:
    """What a trick is worth: a point, and beyond the bid, which it then misses, the bonus lost."""
    bid, won = position[7][seat] or TWO_PLAYER_BONUS_UP_TO, position[14][seat]
    worth = _TRICK * position.setup.players
    return worth if won < bid else -worth


def _chances(position: Position) -> tuple[float, ...]:
    """The chance to win the trick by the number of free cells that beat the play."""
    rules = position.rules
    return _chances_to_win(rules.ranks, rules.players - len(position.plays) % rules.players - 1)


@cache
def _chances_to_win(ranks: int, to_come: int) -> tuple[float, ...]:
    """A guess that each player to come beats the play with a chance in proportion to the free cells that beat it."""
    return tuple((1 - beating / (2 * ranks)) ** to_come for beating in range(2 * ranks))


def _room_after(position: Position, seat: int) -> tuple[list[float], list[float]]:
    """By rank what is left to play after the play, where it follows and where it does not: a card without a cell is lost."""
    hand, led, x_rows = position[5][seat], position[13], position[9][seat]
    open_now = open_cells(hand, x_rows, position[10])
    following, leaving = [0.0] * WIDTH, [0.0] * WIDTH
    lost = led & x_rows
    price = _X_TOKEN if lost else 0.0
    for rank in RANKS_OF[hand >> 1 & PATTERN]:
        copies, column = (hand & CARDS_OF[rank]).bit_count(), open_now & COLUMN_OF[rank]
        room = column.bit_count()
        following[rank] = leaving[rank] = -_OPEN_CELL * (copies + room)
        if column & lost:
            leaving[rank] += _OPEN_CELL
            price += _OPEN_CELL * copies + (_DEAD_CARD if copies >= room else 0.0)
    if price:
        leaving = [worth - price for worth in leaving]
    return following, leaving
