"""The bots: policies that read the position as their seat knows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache

from games.cat_in_the_box.actions import PARADOX_MOVE, legal_actions
from games.cat_in_the_box.board import COLUMN_OF, PATTERN, RANKS_OF, RED, ROW_OF, WIDTH, cells
from games.cat_in_the_box.cards import CARDS_OF, cards_of
from games.cat_in_the_box.options import MatchRules
from games.cat_in_the_box.phases import BID, DISCARD, PLAY
from games.cat_in_the_box.position import Position
from games.cat_in_the_box.scoring import TWO_PLAYER_BONUS_UP_TO
from games.core import Policy, Rng, policy, random_policy

WEIGHTS: Mapping[str, float] = {
    "effort": 0.3,
    "trick wanted": 1.0,
    "trick needed": 1.0,
    "trick spare": -1.0,
    "trick without bonus": -1.0,
    "trick below the limit": 1.0,
    "trick at the limit": -1.0,
    "open": -0.3,
    "colour lost": -4.0,
}
"""What `steady` weighs: the tricks that it bids above its share, a trick for each player, each card of a rank and each cell
that is open for it, a colour that cannot be declared any more."""


@policy
def follow(position: Position, seat: int, rng: Rng) -> int:
    """Bid a fair share of the tricks, follow the led colour when possible; anything otherwise."""
    rules = position.rules
    if position.phase_id == BID:
        return min(rules.bids, key=lambda bid: abs(bid - rules.tricks / rules.players))
    if position.phase_id == PLAY:
        return rng.choice(cells(position.playable & position.led or position.playable))
    return rng.choice(legal_actions(position, seat))


def playing(weights: Mapping[str, float]) -> Policy:
    """The policy with these weights."""
    wishes = _Wishes(weights)

    @policy
    def steady(position: Position, seat: int, rng: Rng) -> int:
        """Bid by the strength of the hand, play to the bid, keep cards playable, build a group."""
        phase = position[3]
        if phase == PLAY:
            return _best_play(position, seat, rng, weights, wishes)
        if phase == BID:
            return _best_bid(position, seat, rng, weights["effort"])
        if phase == DISCARD:
            return _best_discard(position, seat, rng)
        return PARADOX_MOVE

    return steady


# -- discards and bids ---------------------------------------------------------------------------------------------------


def _best_discard(position: Position, seat: int, rng: Rng) -> int:
    return rng.choice(_discards(position.hands[seat], position.rules.ranks))


@lru_cache(1 << 12)
def _discards(hand: int, ranks: int) -> tuple[int, ...]:
    """Many of a rank are hard to place; a card of the middle neither wins nor loses a trick for sure."""
    middle = (ranks + 1) / 2

    def worth(rank: int) -> float:
        return 2 * (hand & CARDS_OF[rank]).bit_count() - abs(rank - middle) / middle

    return _best(RANKS_OF[hand >> 1 & PATTERN], worth)


def _best_bid(position: Position, seat: int, rng: Rng, effort: float) -> int:
    return rng.choice(_bids(position.rules, position.hands[seat], effort))


@lru_cache(1 << 12)
def _bids(rules: MatchRules, hand: int, effort: float) -> tuple[int, ...]:
    expected = _expected_tricks(rules, hand) + effort
    return _best(rules.bids, lambda bid: -abs(bid - expected))


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


def _best_play(position: Position, seat: int, rng: Rng, weights: Mapping[str, float], wishes: _Wishes) -> int:
    """The play worth most: a trick won or avoided, and the cells that it leaves for the hand; of equal ones, one beside an own
    token.

    Who can follow looks at other colours only if they can be worth more: at red where a trick is wanted, at cards that lose
    where it is not.
    """
    _, _, context, _, _, hands, _, bids, tokens, x_tokens, free, plays, _, led, won, playable = position
    if not playable & (playable - 1):
        return playable.bit_length() - 1
    rules, hand, x_rows = context.rules, hands[seat], x_tokens[seat]
    players = rules.players
    in_trick = len(plays) % players
    wish = wishes[bids[seat] - won[seat], hand.bit_count() - 1, players]
    copies, weight, is_open = _copies(hand), weights["open"], free & x_rows
    part, cost, winning = playable & led or playable, 0.0, playable
    if in_trick:
        trick = plays[-in_trick:]
        top = max(trick)
        winning = BEATING[top if RED >> top & 1 else max([cell for cell in trick if led >> cell & 1])]
    chances = _chances_to_win(rules.ranks, players - in_trick - 1)
    best, found = _NEVER, 0
    while part:
        for cell in cells(part):
            rank = cell % WIDTH
            worth = cost + weight * (copies[rank] + (is_open & COLUMN_OF[rank]).bit_count())
            if winning >> cell & 1:
                worth += wish * chances[(free & BEATING[cell]).bit_count()]
            if worth > best:
                best, found = worth, 1 << cell
            elif worth == best:
                found |= 1 << cell
        part = playable & ~led & (winning if wish > 0 else -1) if led and not cost and found & led else 0
        cost = weights["colour lost"]
        if cost + max(wish, 0.0) + 2 * weight < best:
            break
    if not found & (found - 1):
        return found.bit_length() - 1
    own = tokens[seat]
    return rng.choice(cells(found & (own << 1 | own >> 1 | own << WIDTH | own >> WIDTH) or found))


_NEVER = -1000.0


class _Wishes(dict[tuple[int, int, int], float]):
    """What winning a trick is worth, by the tricks needed to reach the bid, those left and the number of players."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        super().__init__()
        self._weights = weights

    def __missing__(self, stake: tuple[int, int, int]) -> float:
        need, left, players = stake
        self[stake] = wish = players * self._weights[_two_player_stake(-need) if players == 2 else _stake(need, left)]
        return wish


def _stake(need: int, left: int) -> str:
    """The name of what a trick is worth."""
    if need > left or need < 0:
        return "trick without bonus"
    return "trick spare" if need == 0 else "trick wanted" if need < left else "trick needed"


def _two_player_stake(won: int) -> str:
    """The same for two players, who do not bid, by the tricks won."""
    limit = TWO_PLAYER_BONUS_UP_TO
    return "trick below the limit" if won < limit else "trick at the limit" if won == limit else "trick without bonus"


@lru_cache(1 << 14)
def _copies(hand: int) -> tuple[int, ...]:
    """By rank how many cards of it are in a hand."""
    return tuple((hand & cards).bit_count() for cards in CARDS_OF)


@cache
def _chances_to_win(ranks: int, to_come: int) -> tuple[float, ...]:
    """A guess that each player to come beats the play with a chance in proportion to the free cells that beat it."""
    return tuple((1 - beating / (2 * ranks)) ** to_come for beating in range(2 * ranks))


BOTS: Mapping[str, Policy] = {"random": random_policy, "follow": follow, "steady": playing(WEIGHTS)}
