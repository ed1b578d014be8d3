"""What `bot:steady` considers: the moves of each decision, and what speaks for each as features.

The features are what everybody at the table can count, and the own cards: influences, coins, the copies of a character that are
unseen, the claims that a player has let stand, and whether it was found lying. `steady_weights` has what each weighs.

All that a decision depends on is in its key: first the kind of the decision, then small numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import product
from math import comb, log
from typing import Any

from games.core.softmax import Among, Features, Further, Joint, Menu
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
    SEATS,
    STEAL,
    TARGETED,
    Declaration,
    keeps,
    legal_actions,
)
from games.coup.cards import AMBASSADOR, CAPTAIN, CHARACTERS, CONTESSA, COPIES, DECK, DUKE, Cards, Hand
from games.coup.position import NOBODY, Position, Turn
from games.coup.standing import BIT, CAUGHT, LEVEL, Memory

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

_CROWD = tuple(min(4, living.bit_count()) for living in range(64))
"""By the set of living seats how many players are in: two, three, or more."""

_FUNDS = (0, 0, 0, 1, 1, 1, 1, *(2,) * 10)
"""By coins what they buy: nothing, an assassination, a coup."""

_STEPS = 16
_SURE = -1
"""In place of a doubt: no copy is unseen."""


def _doubt(unseen: int, size: int, hidden: int) -> int:
    """The chance, in sixteenths, that no card of a hand is one of the `unseen` copies among `hidden` cards."""
    if unseen <= 0:
        return _SURE
    return round(_STEPS * comb(max(0, hidden - unseen), size) / comb(hidden, size)) if size <= hidden else 0


@cache
def _doubts(unseen: int, size: int, hidden: int) -> tuple[tuple[int, ...], ...]:
    """The doubts of a claim, by how many influences and how many copies who is asked has of the cards that are not face up."""
    return tuple(tuple(_doubt(unseen - copies, size, hidden - own) for copies in range(own + 1)) for own in range(3))


_ALL_LEFT = dict.fromkeys(CHARACTERS, COPIES)
_BLOCK_OF = {action: f"block of {action}" for action in BLOCKERS}
"""What is claimed by a block, among the names of actions."""


class _Table(Memory):
    """What everybody sees in the position asked about last: what players showed, the number of cards that are not face up,
    how many of each character are left there, those of which none is, and what the seats of a window are asked about."""

    def __init__(self) -> None:
        super().__init__()
        self.claim: Turn | None = None
        self.action: Turn | None = None
        self.hands: tuple[Hand, ...] = ()
        self.coins: tuple[int, ...] = ()
        self.hidden = 0
        self.left: Mapping[str, int] = _ALL_LEFT
        self.gone: Cards = ()
        self.asked: Key = ()
        self.blockable: Key = ()
        self.meant = NOBODY
        self.claimed = ""
        self.doubts: tuple[tuple[int, ...], ...] = ()

    def see(self, position: Position) -> None:
        """Look at a position."""
        history, hands = position[12], position[6]
        if history is not self.history or len(hands) != len(self.standing):
            self.look(history, len(hands))
            self.claim = self.action = None
        if hands is not self.hands:
            self.hands = hands
            face_up = [card for hand in hands for card in hand.shown]
            self.hidden = (_DRAFTED if position[13] else _DECK) - len(face_up)
            self.left = {card: COPIES - face_up.count(card) for card in CHARACTERS} if face_up else _ALL_LEFT
            self.gone = tuple([card for card in CHARACTERS if not self.left[card]]) if face_up else ()
            self.claim = self.action = None

    def see_claim(self, position: Position) -> None:
        """Look at a claim that several seats are asked about: all that is the same for them."""
        if position[12] is not self.history or position[6] is not self.hands:
            self.see(position)
        self.claim, self.coins = position[11], position[7]
        actor, action, target, _, _, _, claimant, character, _, _, _, _ = position[11]
        if character:
            self.meant, kind = actor, _BLOCK_OF[action]
        else:
            claimant, character, self.meant, kind = actor, CLAIM[action], target, action
        self.claimed, size = character, len(position[6][claimant].down)
        shown = self.standing[claimant]
        self.doubts = _doubts(self.left[character], size, self.hidden)
        self.asked = (
            kind,
            size,
            _CROWD[position[8]],
            shown >> BIT[character] & LEVEL,
            shown >> CAUGHT > 0,
            _FUNDS[position[7][claimant]],
        )

    def see_block(self, position: Position) -> None:
        """Look at an action that several seats may block: all that is the same for them."""
        if position[12] is not self.history or position[6] is not self.hands:
            self.see(position)
        self.action, self.coins = position[11], position[7]
        actor, action = position[11][:2]
        left = tuple([min(2, self.left[card]) for card in BLOCKERS[action]])
        self.blockable = action, left, _CROWD[position[8]], len(position[6][actor].down), _FUNDS[position[7][actor]]


_table = _Table()


# -- challenges ----------------------------------------------------------------------------------------------------------


def _ask_challenge(position: Position, seat: int) -> Key:
    hands, coins = position[6], position[7]
    if (
        position[11] is not _table.claim
        or hands is not _table.hands
        or coins is not _table.coins
        or position[12] is not _table.history
    ):
        _table.see_claim(position)
    own = hands[seat].down
    doubt = _table.doubts[len(own)][own.count(_table.claimed)]
    part = _BYSTANDER if seat != _table.meant else _COVERED if _has_any(own, BLOCKERS.get(_table.asked[0], ())) else _MEANT
    return "challenge", _table.asked, part, len(own), doubt, coins[seat] > 6


_BYSTANDER, _MEANT, _COVERED = range(3)
"""The part that a player has in a claim: it is not meant; it is the target, or its action is blocked; it is the target and
has a card that blocks."""


@cache
def _has_any(own: Cards, characters: Cards) -> bool:
    return not set(own).isdisjoint(characters)


def _challenge_menu(asked: Key, part: int, own: int, doubt: int, is_rich: bool) -> Entries:
    if doubt == _SURE:
        yield CHALLENGE, {}
        return
    kind, size, crowd, claims, is_liar, funds = asked
    is_struck, is_duel = part != _BYSTANDER, crowd == 2 and size == 1
    yield PASS, {}
    yield (
        CHALLENGE,
        {
            ("challenge", kind, part, own == 1): 1.0,
            ("challenge, influences", is_struck, own, size, crowd): 1.0,
            ("challenge, odds", is_struck, own): _log_odds(doubt),
            ("challenge, claims", claims): 1.0,
            ("challenge, liar", own): float(is_liar),
            ("challenge, their coins", funds, own): 1.0,
            ("challenge, coup at hand", is_rich, own, is_duel, kind == STEAL): 1.0,
        },
    )


def _log_odds(doubt: int) -> float:
    """The logarithm of the odds that a claim is false by the count of the cards."""
    chance = max(0.5, min(_STEPS - 0.5, doubt)) / _STEPS
    return log(chance / (1 - chance))


# -- blocks --------------------------------------------------------------------------------------------------------------


def _ask_block(position: Position, seat: int) -> Key:
    hands, coins = position[6], position[7]
    if (
        position[11] is not _table.action
        or hands is not _table.hands
        or coins is not _table.coins
        or position[12] is not _table.history
    ):
        _table.see_block(position)
    asked = _table.blockable
    action, own = asked[0], hands[seat].down
    return "block", asked, len(own), _HOLDS[action][own], _table.standing[seat] & _SHOWN[action], coins[seat] > 6


_ALL_HANDS = [hand for size in range(3) for hand in product(CHARACTERS, repeat=size)]
_HOLDS = {action: {own: tuple(card in own for card in cards) for own in _ALL_HANDS} for action, cards in BLOCKERS.items()}
"""By action and hand which of the characters that block it are there."""

_SHOWN = {action: 1 << CAUGHT | sum(1 << BIT[card] for card in cards) for action, cards in BLOCKERS.items()}
"""By action what counts of all that a player showed: that it claimed a character that blocks it, and that it lied."""


def _block_menu(asked: Key, own: int, held: Sequence[bool], shown: int, is_rich: bool) -> Entries:
    action, left, crowd, size, funds = asked
    found = [(card, has, some) for card, has, some in zip(BLOCKERS[action], held, left, strict=True) if has or some]
    if action != ASSASSINATE or own > 1 or not found:  # who has one influence is out by passing
        yield PASS, {}
    for card, has, some in found:
        yield (
            BLOCK_AS[card],
            {
                ("block", card, action, has): 1.0,
                ("block, influences", action, has, own, crowd): 1.0,
                ("block, claims", has, shown >> BIT[card] & 1, shown >> CAUGHT): 1.0,
                ("block, their influences", action, has, size): 1.0,
                ("block, their coins", action, has, funds): 1.0,
                ("block, coup at hand", action, has, is_rich, crowd == 2 and size == 1): 1.0,
                ("block, unseen", COPIES if has else some, own): 1.0,
            },
        )


# -- declarations --------------------------------------------------------------------------------------------------------


def _ask_declaration(position: Position, seat: int) -> Key:
    hands, coins, living = position[6], position[7], position[8]
    if position[12] is not _table.history or hands is not _table.hands:
        _table.see(position)
    standing = _table.standing
    some, everybody, purses = 0, -1, 0
    for other in CLOCKWISE[living][seat]:
        shown = standing[other]
        some |= shown
        everybody &= shown
        purses |= _PURSES[coins[other]] if shown & _STOPS_STEAL else _OPEN_PURSES[coins[other]]
    crowd, own = _CROWD[living], hands[seat].down
    return Joint(
        (
            ("purse", len(own), crowd, coins[seat], purses, some & _SAID_DUKE, everybody & _SAID_CONTESSA, _table.gone),
            ("hand", own, standing[seat] & _CLAIMS_SHOWN, crowd),
        )
    )


_A_COIN, _ASSASSIN, _COUP, _LOOT, _OPEN = (1 << bit for bit in range(5))
"""What the purses of some players hold: a coin, the price of an assassination, that of a coup, the loot of a theft, and the
same in front of a player who has not claimed to block one."""

_LEASTS = {_A_COIN: 1, _ASSASSIN: COST[ASSASSINATE], _COUP: COST[COUP], _LOOT: LOOT}
_PURSES = [sum(bit for bit, least in _LEASTS.items() if coins >= least) for coins in range(17)]
_OPEN_PURSES = [purse | (_OPEN if purse & _LOOT else 0) for purse in _PURSES]

_FREE, _BLOCKED_ALL, _ONE_COIN, _NO_COIN = range(4)
"""Whether somebody can be robbed: of two coins without expecting a block, only with a block to expect, of one coin, or
nobody."""

_SAID_DUKE, _SAID_CONTESSA, _STOPS_STEAL = 1 << BIT[DUKE], 1 << BIT[CONTESSA], 1 << BIT[CAPTAIN] | 1 << BIT[AMBASSADOR]
"""What a player has shown who claims one of these characters."""

_CLAIMS_SHOWN = 1 << CAUGHT | sum(1 << BIT[card] for card in CLAIM.values())


def _purse_menu(own: int, crowd: int, coins: int, purses: int, dukes: int, contessas: int, gone: Cards) -> Entries:
    """What speaks for the actions by what they cost and bring, and by what the others claim and have."""
    threat = 2 if purses & _COUP else 1 if purses & _ASSASSIN else 0
    robbed = _FREE if purses & _OPEN else _BLOCKED_ALL if purses & _LOOT else _ONE_COIN if purses else _NO_COIN
    facts: Mapping[str, Any] = {FOREIGN_AID: dukes > 0, STEAL: robbed, ASSASSINATE: contessas > 0}
    for action in ACTIONS:
        is_legal = coins >= COST.get(action, 0) and (coins < FORCED_COUP or action == COUP)
        is_open = CLAIM.get(action) not in gone and not (action == STEAL and robbed == _NO_COIN)
        features: dict[Hashable, float] = {
            ("declare", action, own, crowd): 1.0,
            ("declare, coins", action, coins): 1.0,
            ("declare, threat", action, threat, own, crowd > 2): 1.0,
        }
        if action in facts:
            features["others", action, facts[action], crowd > 2] = 1.0
        yield _DECLARED[action], features if is_legal and is_open else None


def _hand_menu(own: Cards, shown: int, crowd: int) -> Entries:
    """What speaks for the actions by the own cards and claims."""
    for action in ACTIONS:
        features: dict[Hashable, float] = {}
        if action in CLAIM:
            has, claims = CLAIM[action] in own, shown >> BIT[CLAIM[action]] & 1
            features = {
                ("claim", action, has, crowd): 1.0,
                ("claim, influences", action, has, len(own)): 1.0,
                ("claim, earlier claims", has, claims, shown >> CAUGHT): 1.0,
            }
        yield _DECLARED[action], features


# -- targets -------------------------------------------------------------------------------------------------------------


def _ask_target(action: str, position: Position, seat: int) -> Key:
    hands, coins, living = position[6], position[7], position[8]
    standing, stops, crowd = _table.standing, _STOPPED_BY[action], _CROWD[living]
    others = CLOCKWISE[living][seat]
    if len(others) == 1:
        return "only", _AIMED[action][others[0]]
    return Among(
        [
            (
                _AIMED[action][other],
                (
                    "aim",
                    action,
                    crowd,
                    len(hands[other].down),
                    _PURSE[coins[other]],
                    standing[other] & stops > 0,
                    other == others[0],
                ),
            )
            for other in others
            if coins[other] or action != STEAL
        ]
    )


_STOPPED_BY = {COUP: 0, ASSASSINATE: _SAID_CONTESSA, STEAL: _STOPS_STEAL}
_PURSE = tuple(coins if coins < LOOT else LOOT + funds for coins, funds in enumerate(_FUNDS))
_AIMED = {action: [Declaration(action, seat) for seat in range(SEATS)] for action in TARGETED}


def _target_menu(action: str, crowd: int, size: int, purse: int, claims: bool, is_next: bool) -> Entries:
    features: Features = {
        ("aim", action, size, crowd): 1.0,
        ("aim, their coins", action, purse): 1.0,
        ("aim, next", action, is_next): 1.0,
        ("aim, their claims", action, claims): 1.0,
    }
    yield action, features


_DECLARED = {
    action: Further(action, partial(_ask_target, action)) if action in TARGETED else Declaration(action, NOBODY)
    for action in ACTIONS
}


# -- cards ---------------------------------------------------------------------------------------------------------------


def _ask_loss(position: Position, seat: int) -> Key:
    hand = position[6][seat]
    _table.see(position)
    return "lose", hand.down, _table.standing[seat] & _ALL_SHOWN, _CROWD[position[8]]


_ALL_SHOWN = sum(1 << BIT[card] for card in CHARACTERS)


def _loss_menu(down: Cards, shown: int, crowd: int) -> Entries:
    for card in dict.fromkeys(down):
        left = list(down)
        left.remove(card)
        yield card, _holding(tuple(left), shown, crowd)


def _ask_keep(position: Position, seat: int) -> Key:
    _table.see(position)
    return "keep", position[6][seat].down, position[10], _table.standing[seat] & _ALL_SHOWN, _CROWD[position[8]]


def _keep_menu(down: Cards, drawn: Cards, shown: int, crowd: int) -> Entries:
    for kept in keeps(down, drawn):
        yield kept, _holding(kept, shown, crowd)


def _holding(cards: Cards, shown: int, crowd: int) -> dict[Hashable, float]:
    """What speaks for some cards in hand; a second card of one character adds little."""
    found: dict[Hashable, float] = defaultdict(float)
    for card in set(cards):
        found["card", card, len(cards), crowd] = 1.0
        found["card, claims", shown >> BIT[card] & 1, len(cards)] += 1.0
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
    "aim": _target_menu,
    "lose": _loss_menu,
    "keep": _keep_menu,
}
