"""What a match of Coup consists of between two answers, and the same as JSON."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple, TypeVar

from games.coup.cards import Cards, Hand

SUCCESS = "success"
BLOCKED = "blocked"
CHALLENGED_AND_WON = "challenged_and_won"
CHALLENGED_AND_LOST = "challenged_and_lost"

PROVEN = "proven"
FALSE = "false"
CONCEDED = "conceded"

NOBODY = -1


class Turn(NamedTuple):
    """One turn, complete or under way. Everything in it is public except `returned`, which only the actor knows.

    A seat without a part in it is NOBODY; a string not set yet is empty. A verdict is how a challenge ended: PROVEN,
    FALSE or CONCEDED. `losses` holds each seat and the card it turned up, `returned` the cards an exchange gave back.
    """

    actor: int
    action: str = ""
    target: int = NOBODY
    outcome: str = ""
    challenger: int = NOBODY
    verdict: str = ""
    blocker: int = NOBODY
    block: str = ""
    block_challenger: int = NOBODY
    block_verdict: str = ""
    losses: tuple[tuple[int, str], ...] = ()
    returned: Cards = ()

    def challenged(self, seat: int, verdict: str) -> Turn:
        """With a challenge to the action; the verdict is empty while the challenge is open."""
        return _new(Turn, (*self[:4], seat, verdict, *self[6:]))

    def judged(self, verdict: str, outcome: str) -> Turn:
        """With the end of the challenge to the action."""
        return _new(Turn, (*self[:3], outcome, self.challenger, verdict, *self[6:]))

    def blocked_by(self, seat: int, character: str) -> Turn:
        """With a block."""
        return _new(Turn, (*self[:6], seat, character, *self[8:]))

    def block_challenged(self, seat: int, verdict: str) -> Turn:
        """With a challenge to the block; the verdict is empty while the challenge is open."""
        return _new(Turn, (*self[:8], seat, verdict, *self[10:]))

    def block_judged(self, verdict: str) -> Turn:
        """With the end of the challenge to the block."""
        return _new(Turn, (*self[:9], verdict, *self[10:]))

    def lost(self, seat: int, card: str) -> Turn:
        """With one more influence turned up."""
        return _new(Turn, (*self[:10], (*self.losses, (seat, card)), self.returned))

    def exchanged(self, returned: Cards) -> Turn:
        """With the cards an exchange gave back."""
        return _new(Turn, (*self[:11], returned))

    def ended(self, outcome: str) -> Turn:
        """With its outcome."""
        return _new(Turn, (*self[:3], outcome, *self[4:]))

    def to_json(self) -> list[Any]:
        """The fields in order as JSON data, without the empty ones at the end."""
        length = len(self)
        while length > 1 and self[length - 1] == _BLANK[length - 1]:
            length -= 1
        losses = [list(loss) for loss in self.losses]
        whole = (*self[:10], losses, list(self.returned))
        return list(whole[:length])

    @classmethod
    def from_json(cls, data: list[Any]) -> Turn:
        """The turn that `to_json` wrote."""
        turn = cls(*data)
        return turn._replace(losses=tuple((seat, card) for seat, card in turn.losses), returned=tuple(turn.returned))


_new = tuple.__new__
_BLANK = Turn(NOBODY)


@cache
def declared(actor: int, action: str, target: int) -> Turn:
    """A turn in which only the declaration has happened."""
    return Turn(actor, action, target)


@cache
def fresh(actor: int) -> Turn:
    """A turn in which nothing has happened yet."""
    return Turn(actor)


class Position(NamedTuple):
    """Every field of a state.

    `word` is the state of the random generator, `round` the number of the turn, `living` the seats with influence as
    bits, `deck` the Court deck in alphabetical order, `drawn` the cards an exchange has drawn, `turn` the turn under way
    (at the end the last one), `history` the turns before it, `picks` the card each seat drafted, `draws` every card drawn from
    the deck since the deal, in order, `strike_outs` the turn, the phase and the seat of every strike-out.
    """

    origin: Any
    setup: Any
    word: int
    phase_id: int
    pending: tuple[int, ...]
    round: int
    hands: tuple[Hand, ...]
    coins: tuple[int, ...]
    living: int
    deck: Cards
    drawn: Cards
    turn: Turn
    history: tuple[Turn, ...]
    picks: Cards
    draws: Cards = ()
    strike_outs: tuple[tuple[int, int, int], ...] = ()

    def is_struck_out(self, turn: int, phase: int, seat: int) -> bool:
        """Whether the seat was struck out in a phase of a turn."""
        return (turn, phase, seat) in self.strike_outs


P = TypeVar("P", bound=Position)


def to_json(position: Position) -> dict[str, Any]:
    """The whole position, hidden parts included."""
    return {
        "setup": position.setup.to_json(),
        "word": position.word,
        "phase": position.phase_id,
        "pending": list(position.pending),
        "turn": position.round,
        "hands": [hand.code for hand in position.hands],
        "coins": list(position.coins),
        "living": position.living,
        "deck": list(position.deck),
        "drawn": list(position.drawn),
        "current": position.turn.to_json(),
        "history": [turn.to_json() for turn in position.history],
        "picks": list(position.picks),
        "draws": list(position.draws),
        "strike_outs": [list(strike_out) for strike_out in position.strike_outs],
    }


def from_json(kind: type[P], setup: Any, data: dict[str, Any]) -> P:
    """The position that `to_json` wrote; `setup` is its setup, read already."""
    return kind(
        None,
        setup,
        data["word"],
        data["phase"],
        tuple(data["pending"]),
        data["turn"],
        tuple(Hand.read(code) for code in data["hands"]),
        tuple(data["coins"]),
        data["living"],
        tuple(data["deck"]),
        tuple(data["drawn"]),
        Turn.from_json(data["current"]),
        tuple(Turn.from_json(turn) for turn in data["history"]),
        tuple(data["picks"]),
        tuple(data["draws"]),
        tuple((turn, phase, seat) for turn, phase, seat in data["strike_outs"]),
    )


def survivors(position: Position) -> tuple[int, ...]:
    """The seats with influence left."""
    return tuple(seat for seat in range(position.setup.players) if position.living >> seat & 1)


def winners(position: Position) -> tuple[int, ...]:
    """The last living player, or after a draw every living one; empty before the end."""
    return () if position.pending else survivors(position)


def scores(position: Position) -> tuple[int, ...]:
    """1 for each winner and 0 for the others; 0 for all before the end."""
    won = winners(position)
    return tuple(int(seat in won) for seat in range(position.setup.players))


def ending(position: Position) -> tuple[str, ...]:
    """Why the match ended, in words; empty before the end."""
    won = winners(position)
    if len(won) == 1:
        return ("nobody else has influence left",)
    return (f"the limit of {position.round} turns is reached",) if won else ()
