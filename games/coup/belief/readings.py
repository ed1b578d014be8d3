"""What the others did in a match of Coup, as each style of play explains it: how they claim and block, and how they challenge.

A claim that nobody tested says something of the cards held now: a style makes it so often with the card and so often
without. A claim that came out true or false says nothing of these cards, but tells the styles apart. A claim that is made
again is nearly no new evidence, since a player who has bluffed once repeats the bluff.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations_with_replacement
from math import prod

from games.core.policy import noisy
from games.core.reading import Reading, Style
from games.coup.actions import ASSASSINATE, BLOCKERS, CLAIM, EXCHANGE, FOREIGN_AID, INCOME, STEAL
from games.coup.belief.answers import answers
from games.coup.cards import CHARACTERS, DUKE, Cards
from games.coup.position import FALSE, NOBODY, PROVEN, SUCCESS, Position, Turn
from games.coup.styles import ANY_CHARACTER, believing, bluffer, doubting, honest, random_style

CLAIMS, BLOCKS, SAVES, REPEATS, MODEST = "claims", "blocks", "saves", "claims again", "modest"
"""What a player does: it claims a character for the first time, with an action, with a block, or with one of an
assassination; it claims one again; it takes Income or Foreign Aid, with a Duke or without. To let an action pass is named by
the action."""

Rates = Mapping[str, tuple[float, float]]
"""How often a style does what others see, with one of the characters that it is about and without."""

_KINDS = CLAIMS, BLOCKS, SAVES, REPEATS, MODEST, FOREIGN_AID, STEAL, ASSASSINATE


def _rates(*rates: tuple[float, float]) -> Rates:
    return dict(zip(_KINDS, rates, strict=True))


_STEADY = _rates((0.4, 0.06), (0.8, 0.06), (0.98, 0.78), (0.33, 0.26), (0.18, 0.38), (0.16, 0.87), (0.06, 0.81), (0.02, 0.23))
_NOISY = _rates((0.37, 0.11), (0.82, 0.17), (0.9, 0.69), (0.3, 0.23), (0.22, 0.34), (0.22, 0.74), (0.09, 0.63), (0.1, 0.29))
_BLUFFER = _rates((0.18, 0.11), (0.6, 0.5), (0.98, 0.79), (0.5, 0.5), (0.055, 0.06), (0.03, 0.17), (0.02, 0.17), (0.02, 0.2))
_HONEST = _rates(
    (0.44, 0.005), (0.82, 0.005), (0.98, 0.005), (0.42, 0.005), (0.21, 0.64), (0.16, 0.99), (0.02, 0.99), (0.02, 0.99)
)
_RANDOM = _rates((0.21, 0.21), (0.45, 0.45), (0.5, 0.5), (0.2, 0.2), (0.28, 0.28), (0.5, 0.5), (0.34, 0.34), (0.5, 0.5))

STYLES: Mapping[Style, tuple[Rates, float]] = {
    Style("steady", 0.38): (_STEADY, 0.0),
    Style("noisy", 0.18, noisy(0.3)): (_NOISY, 0.15),
    Style("bluffer", 0.14, bluffer(ANY_CHARACTER)): (_BLUFFER, 0.0),
    Style("honest", 0.08, honest): (_HONEST, 0.0),
    Style("random", 0.12, random_style): (_RANDOM, 0.5),
    Style("believing", 0.04, believing): (_STEADY, -1.0),
    Style("doubting", 0.03, doubting(0.3)): (_STEADY, 0.3),
    Style("always", 0.03, doubting(0.95)): (_STEADY, 0.95),
}
"""Styles of play: the rates at which each claims, as measured in matches against `bot:steady` (0.005 in place of never), and
the part that it challenges of the claims that `bot:steady` lets pass; -1 for one that never challenges. A claim made again is
taken to say less than it does of `bot:steady`, as other players repeat their bluffs."""

_CHALLENGED = {2: 0.31, 3: 0.08}
_CHALLENGED_BY_MANY, _NEVER = 0.03, 0.005
"""The part of the claims that `bot:steady` challenges by the number of players, measured over 250 matches."""

Done = tuple[str, Cards]
"""What a player did, and the characters it is about."""


def readings(position: Position, seat: int | None) -> Sequence[Reading]:
    """The readings of what the others did, for a seat (None: a spectator)."""
    records, players, styles = _records(position), position.setup.players, [*STYLES]
    steady = _CHALLENGED.get(players, _CHALLENGED_BY_MANY)
    rates = [_NEVER if more < 0 else steady + more * (1 - steady) for _, more in STYLES.values()]
    for other, is_challenge in answers(position):
        records[other].answer(rates if is_challenge else [1 - rate for rate in rates])
    found = list[Reading]()
    for other, hand in enumerate(position.hands):
        if other != seat and hand.down:
            table = records[other].table(len(hand.down))
            found.append(Reading(other, styles, partial(_explain, other, table), table))
    return found


def _explain(seat: int, table: Mapping[Cards, Sequence[float]], world: Position) -> Sequence[float]:
    return table[tuple(sorted(world.hands[seat].down))]


# -- what each player did ------------------------------------------------------------------------------------------------


class _Record:
    """What a player did: claims by character that nobody tested and blocks that it did not make, which tell of the cards it
    has now; and claims that came out true or false."""

    def __init__(self) -> None:
        self._answers = [1.0] * len(STYLES)
        self._claims: dict[str, list[str]] = {}
        self._others: list[Done] = []
        self._settled: list[tuple[str, bool]] = []

    def answer(self, likelihoods: Sequence[float]) -> None:
        """An answer to a claim, with how likely each style is to give it."""
        self._answers = [before * one for before, one in zip(self._answers, likelihoods, strict=True)]

    def claim(self, kind: str, character: str) -> None:
        """A claim that nobody has tested yet."""
        made = self._claims.setdefault(character, [])
        made.append(REPEATS if made else kind)

    def settle(self, character: str, is_true: bool) -> None:
        """The claims of a character came out true or false."""
        self._settled += [(kind, is_true) for kind in self._claims.pop(character, ())]

    def do(self, kind: str, characters: Cards) -> None:
        """Something else that tells of the cards."""
        self._others.append((kind, characters))

    def swap(self) -> None:
        """One of the cards is another one now: only claims of other characters still tell of them."""
        self._others = []

    def renew(self) -> None:
        """All cards may be others now."""
        self._claims, self._others = {}, []

    def table(self, size: int) -> dict[Cards, list[float]]:
        """For each hand how likely each style finds all of it."""
        done = [*self._others, *((kind, (character,)) for character, kinds in self._claims.items() for kind in kinds)]
        styles = [
            (rates, answered * prod(rates[kind][not is_true] for kind, is_true in self._settled))
            for (rates, _), answered in zip(STYLES.values(), self._answers, strict=True)
        ]
        return {
            hand: [
                settled * prod([rates[kind][not _has_any(hand, characters)] for kind, characters in done])
                for rates, settled in styles
            ]
            for hand in _hands(size)
        }


@cache
def _hands(size: int) -> Sequence[Cards]:
    return [*combinations_with_replacement(sorted(CHARACTERS), size)]


@cache
def _has_any(hand: Cards, characters: Cards) -> bool:
    return not set(hand).isdisjoint(characters)


def _records(position: Position) -> list[_Record]:
    found = [_Record() for _ in range(position.setup.players)]
    for turn in (*position.history, position.turn):
        _read(turn, found, position)
    return found


def _read(turn: Turn, found: Sequence[_Record], position: Position) -> None:
    """Note what was done in a turn, in order."""
    blocked = SAVES if turn.action == ASSASSINATE else BLOCKS
    tests = (
        (turn.actor, CLAIM.get(turn.action, ""), turn.verdict, CLAIMS),
        (turn.blocker, turn.block, turn.block_verdict, blocked),
    )
    for seat, character, verdict, kind in tests:
        if character:
            found[seat].claim(kind, character)
        if verdict:
            found[seat].settle(character, verdict != FALSE)
        if verdict == PROVEN:
            found[seat].swap()
    for seat, card in turn.losses:
        found[seat].settle(card, True)
    for seat, (kind, characters) in _omissions(turn, position):
        found[seat].do(kind, characters)
    if turn.action == EXCHANGE and turn.outcome == SUCCESS:
        found[turn.actor].renew()


def _omissions(turn: Turn, position: Position) -> Iterator[tuple[int, Done]]:
    """The blocks that nobody made in a complete turn, and the Tax that its actor did not take."""
    if turn.action in (INCOME, FOREIGN_AID):
        yield turn.actor, (MODEST, (DUKE,))
    if turn.action in BLOCKERS and turn.outcome == SUCCESS and turn.blocker == NOBODY:
        everybody = range(position.setup.players)
        for seat in (turn.target,) if turn.target != NOBODY else [seat for seat in everybody if seat != turn.actor]:
            yield seat, (turn.action, BLOCKERS[turn.action])
