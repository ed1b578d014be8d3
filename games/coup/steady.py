"""What `bot:steady` considers: the moves of each decision, and what speaks for each as features.

The features are what everybody at the table can count, and the own cards: influences, coins, the copies of a character that are
unseen, the claims that a player has let stand, and whether it was found lying. `steady_weights` has what each weighs.

All that a decision depends on is in its key: first the kind of the decision, then small numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache, partial
from math import comb
from typing import Any

from games.core.softmax import Features, Further, Joint, Menu
from games.coup import phases
from games.coup.actions import (
    ACTIONS,
    ASSASSINATE,
    BLOCK_AS,
    BLOCKERS,
    CHALLENGE,
    CLAIM,
    CLOCKWISE,
    COST,
    COUP,
    FORCED_COUP,
    FOREIGN_AID,
    LOOT,
    PASS,
    STEAL,
    TARGETED,
    Declaration,
    keeps,
    legal_actions,
)
from games.coup.cards import AMBASSADOR, CAPTAIN, CHARACTERS, CONTESSA, COPIES, DECK, DUKE, Cards, Hand
from games.coup.position import NOBODY, Position
from games.coup.standing import BIT, CAUGHT, LEVEL, Memory, level

Entries = Iterator[tuple[Any, Features | None]]
Key = tuple[Any, ...]

_DECK, _DRAFTED = len(DECK), len(CHARACTERS) + 2
"""The cards of a match, and of one with the draft: a card that each of two players chose, and one of each character."""


def ask(position: Position, seat: int) -> Key:
    """The key of a pending seat's decision."""
    found = _ASKS.get(position[3])
    return found(position, seat) if found is not None else ("only", legal_actions(position, seat)[0])


def menu(key: Key) -> Menu:
    """The moves that a key stands for, and the features of each."""
    return list(_MENUS[key[0]](*key[1:]))


# -- what is counted -----------------------------------------------------------------------------------------------------


class _Table(Memory):
    """What everybody sees in the position asked about last: what players showed, the face-up cards, and the characters of
    which all copies are face up."""

    def __init__(self) -> None:
        super().__init__()
        self.hands: tuple[Hand, ...] = ()
        self.face_up: Cards = ()
        self.gone: Cards = ()

    def see(self, position: Position) -> None:
        """Look at a position."""
        history, hands = position[12], position[6]
        if history is not self.history or len(hands) != len(self.standing):
            self.look(history, len(hands))
        if hands is not self.hands:
            self.hands = hands
            self.face_up = tuple([card for hand in hands for card in hand.shown])
            self.gone = tuple([card for card in CHARACTERS if self.face_up.count(card) == COPIES]) if self.face_up else ()


_table = _Table()

_CROWD = tuple(min(4, living.bit_count()) for living in range(64))
"""By the set of living seats how many players are in: two, three, or more."""

_FUNDS = (0, 0, 0, 1, 1, 1, 1, *(2,) * 10)
"""By coins what they buy: nothing, an assassination, a coup."""


_STEPS = 8


def _doubt(unseen: int, size: int, hidden: int) -> int:
    """The chance, in eighths, that no card of a hand is one of the `unseen` copies among `hidden` cards."""
    return round(_STEPS * comb(max(0, hidden - unseen), size) / comb(hidden, size)) if size <= hidden else 0


_DOUBT = [[[_doubt(unseen, size, hidden) for hidden in range(16)] for size in range(3)] for unseen in range(COPIES + 1)]
_SURE = -1
"""In place of a doubt: no copy is unseen."""


# -- challenges ----------------------------------------------------------------------------------------------------------


def _ask_challenge(position: Position, seat: int) -> Key:
    actor, action, target, _, _, _, claimant, character, _, _, _, _ = position[11]
    hands, coins = position[6], position[7]
    if position[12] is not _table.history or hands is not _table.hands:
        _table.see(position)
    own, face_up = hands[seat].down, _table.face_up
    if character:
        part = _BLOCKED if seat != actor else _OWN_BLOCKED
    else:
        claimant, character = actor, CLAIM[action]
        part = _BYSTANDER if seat != target else _COVERED if _has_any(own, BLOCKERS[action]) else _TARGET
    unseen, size = COPIES - own.count(character) - face_up.count(character), len(hands[claimant].down)
    shown = _table.standing[claimant]
    return (
        "challenge",
        action,
        part,
        len(own),
        size,
        _DOUBT[unseen][size][(_DRAFTED if position[13] else _DECK) - len(own) - len(face_up)] if unseen > 0 else _SURE,
        _CROWD[position[8]],
        shown >> BIT[character] & LEVEL,
        shown >> CAUGHT > 0,
        _FUNDS[coins[claimant]],
        coins[seat] > 6,
    )


_BYSTANDER, _TARGET, _COVERED, _BLOCKED, _OWN_BLOCKED = range(5)
"""The part that a player has in a claim: it is not meant; it is the target, with or without a card that blocks; the claim is
a block of somebody else's action, or of its own."""


@cache
def _has_any(own: Cards, characters: Cards) -> bool:
    return not set(own).isdisjoint(characters)


def _challenge_menu(action: str, part: int, own: int, size: int, doubt: int, crowd: int, *given: Any) -> Entries:
    if doubt == _SURE:
        yield CHALLENGE, {}
        return
    claims, is_liar, funds, is_rich = given
    is_struck = part in (_TARGET, _COVERED, _OWN_BLOCKED)
    yield PASS, {}
    yield (
        CHALLENGE,
        {
            ("challenge", action, part, own == 1): 1.0,
            ("challenge, influences", is_struck, own, size, crowd): 1.0,
            ("challenge, chance of none", is_struck, own): doubt / _STEPS,
            ("challenge, claims", claims, is_liar): 1.0,
            ("challenge, their coins", funds, own): 1.0,
            ("challenge, coup at hand", is_rich, own): 1.0,
        },
    )


# -- blocks --------------------------------------------------------------------------------------------------------------


def _ask_block(position: Position, seat: int) -> Key:
    turn, hands, coins = position[11], position[6], position[7]
    if position[12] is not _table.history or hands is not _table.hands:
        _table.see(position)
    actor, own, shown = turn[0], hands[seat].down, _table.standing[seat]
    return (
        "block",
        turn[1],
        len(own),
        tuple([_standing_of(own, shown, _table.face_up, card) for card in BLOCKERS[turn[1]]]),
        shown >> CAUGHT > 0,
        _CROWD[position[8]],
        len(hands[actor].down),
        _FUNDS[coins[actor]],
        coins[seat] > 6,
    )


def _standing_of(own: Cards, shown: int, face_up: Cards, character: str) -> int:
    """How well a player can claim a character: it has it, or some copies, one, or none are unseen; and whether it has
    claimed it."""
    unseen = COPIES - face_up.count(character)
    kind = _HELD if character in own else min(2, unseen)
    return kind << 1 | (shown >> BIT[character] & LEVEL > 0)


_HELD = 3


def _block_menu(action: str, own: int, claims: Sequence[int], is_liar: bool, crowd: int, *given: Any) -> Entries:
    size, funds, is_rich = given
    found = [(card, claim) for card, claim in zip(BLOCKERS[action], claims, strict=True) if claim > 1]
    if action != ASSASSINATE or own > 1 or not found:  # who has one influence is out by passing
        yield PASS, {}
    for card, claim in found:
        bluffs = claim >> 1 != _HELD
        yield (
            BLOCK_AS[card],
            {
                ("block", card, action, bluffs): 1.0,
                ("block, influences", action, bluffs, own, crowd): 1.0,
                ("block, claims", bluffs, claim & 1, is_liar): 1.0,
                ("block, their influences", action, bluffs, size): 1.0,
                ("block, their coins", action, bluffs, funds): 1.0,
                ("block, coup at hand", action, bluffs, is_rich): 1.0,
                ("block, unseen", claim >> 1, own): 1.0,
            },
        )


# -- declarations --------------------------------------------------------------------------------------------------------


def _ask_declaration(position: Position, seat: int) -> Key:
    hands, coins, living = position[6], position[7], position[8]
    if position[12] is not _table.history or hands is not _table.hands:
        _table.see(position)
    standing = _table.standing
    most, some, everybody, robbed = 0, 0, -1, _NO_COIN
    for other in CLOCKWISE[living][seat]:
        shown, held = standing[other], coins[other]
        some |= shown
        everybody &= shown
        most = max(most, held)
        if held and robbed:
            robbed = min(robbed, _ONE_COIN if held < LOOT else _BLOCKED_ALL if shown & _STOPS_STEAL else _FREE)
    crowd, own = _CROWD[living], hands[seat].down
    return Joint(
        (
            ("purse", len(own), crowd, coins[seat], _FUNDS[most]),
            ("hand", own, standing[seat], crowd),
            ("others", crowd, some & _SAID_DUKE > 0, robbed, everybody & _SAID_CONTESSA > 0, _table.gone),
        )
    )


_FREE, _BLOCKED_ALL, _ONE_COIN, _NO_COIN = range(4)
"""Whether somebody can be robbed: of two coins without expecting a block, only with a block to expect, of one coin, or
nobody."""

_SAID_DUKE, _SAID_CONTESSA, _STOPS_STEAL = 1 << BIT[DUKE], 1 << BIT[CONTESSA], 1 << BIT[CAPTAIN] | 1 << BIT[AMBASSADOR]
"""What a player has shown who claims one of these characters."""


def _purse_menu(own: int, crowd: int, coins: int, threat: int) -> Entries:
    """What speaks for the actions by what they cost and bring."""
    for action in ACTIONS:
        is_legal = coins >= COST.get(action, 0) and (coins < FORCED_COUP or action == COUP)
        features: Features = {
            ("declare", action, own, crowd): 1.0,
            ("declare, coins", action, coins): 1.0,
            ("declare, threat", action, threat, own): 1.0,
        }
        yield _DECLARED[action], features if is_legal else None


def _hand_menu(own: Cards, shown: int, crowd: int) -> Entries:
    """What speaks for the actions by the own cards and claims."""
    for action in ACTIONS:
        features: dict[Hashable, float] = {}
        if action in CLAIM:
            bluffs, claims = CLAIM[action] not in own, level(shown, BIT[CLAIM[action]])
            features = {
                ("claim", action, bluffs, crowd): 1.0,
                ("claim, influences", action, bluffs, len(own)): 1.0,
                ("claim, earlier claims", bluffs, claims, shown >> CAUGHT > 0): 1.0,
            }
        yield _DECLARED[action], features


def _others_menu(crowd: int, dukes: bool, robbed: int, contessas: bool, gone: Cards) -> Entries:
    """What speaks for the actions by what the others claim and have."""
    facts: Mapping[str, Any] = {FOREIGN_AID: dukes, STEAL: robbed, ASSASSINATE: contessas}
    for action in ACTIONS:
        is_open = CLAIM.get(action) not in gone and not (action == STEAL and robbed == _NO_COIN)
        yield (
            _DECLARED[action],
            ({("others", action, facts[action], crowd > 2): 1.0} if action in facts else {}) if is_open else None,
        )


# -- targets -------------------------------------------------------------------------------------------------------------


def _ask_target(action: str, position: Position, seat: int) -> Key:
    hands, coins, living = position[6], position[7], position[8]
    standing, stops = _table.standing, _STOPPED_BY[action]
    return (
        "aim",
        action,
        _CROWD[living],
        *[(other, len(hands[other].down), coins[other], standing[other] & stops > 0) for other in CLOCKWISE[living][seat]],
    )


_STOPPED_BY = {COUP: 0, ASSASSINATE: _SAID_CONTESSA, STEAL: _STOPS_STEAL}


def _target_menu(action: str, crowd: int, *others: Sequence[int]) -> Entries:
    for other in others:
        seat, size, coins, claims = other
        if coins or action != STEAL:
            purse = coins if coins < LOOT else LOOT + _FUNDS[coins]
            features: Features = {
                ("aim", action, size, crowd): 1.0,
                ("aim, their coins", action, purse): 1.0,
                ("aim, next", action, other is others[0]): 1.0,
                ("aim, their claims", action, claims): 1.0,
            }
            yield Declaration(action, seat), features


_DECLARED = {
    action: Further(action, partial(_ask_target, action)) if action in TARGETED else Declaration(action, NOBODY)
    for action in ACTIONS
}


# -- cards ---------------------------------------------------------------------------------------------------------------


def _ask_loss(position: Position, seat: int) -> Key:
    hand = position[6][seat]
    _table.see(position)
    return "lose", hand.down, _table.standing[seat], _CROWD[position[8]]


def _loss_menu(down: Cards, shown: int, crowd: int) -> Entries:
    for card in dict.fromkeys(down):
        left = list(down)
        left.remove(card)
        yield card, _holding(tuple(left), shown, crowd)


def _ask_keep(position: Position, seat: int) -> Key:
    _table.see(position)
    return "keep", position[6][seat].down, position[10], _table.standing[seat], _CROWD[position[8]]


def _keep_menu(down: Cards, drawn: Cards, shown: int, crowd: int) -> Entries:
    for kept in keeps(down, drawn):
        yield kept, _holding(kept, shown, crowd)


def _holding(cards: Cards, shown: int, crowd: int) -> dict[Hashable, float]:
    """What speaks for some cards in hand; a second card of one character adds little."""
    found: dict[Hashable, float] = defaultdict(float)
    for card in set(cards):
        found["card", card, len(cards), crowd] = 1.0
        found["card, claims", level(shown, BIT[card]), len(cards)] += 1.0
    if len(set(cards)) < len(cards):
        found["two alike", cards[0]] = 1.0
    return found


def _ask_draft(position: Position, seat: int) -> Key:
    return ("take", legal_actions(position, seat))


_ASKS: dict[int, Callable[[Position, int], Key]] = {
    phases.SETUP: _ask_draft,
    phases.DECLARATION: _ask_declaration,
    phases.EXCHANGE_DECISION: _ask_keep,
    **dict.fromkeys(phases.CHALLENGE_WINDOWS, _ask_challenge),
    **dict.fromkeys(phases.BLOCK_WINDOWS, _ask_block),
    **dict.fromkeys(phases.LOSSES, _ask_loss),
}

_MENUS: dict[str, Callable[..., Entries]] = {
    "only": lambda move: iter([(move, {})]),
    "take": lambda cards: ((card, {("take", card): 1.0}) for card in cards),
    "challenge": _challenge_menu,
    "block": _block_menu,
    "purse": _purse_menu,
    "hand": _hand_menu,
    "others": _others_menu,
    "aim": _target_menu,
    "lose": _loss_menu,
    "keep": _keep_menu,
}
