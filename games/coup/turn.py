"""The record of one turn: what was declared, claimed, challenged, blocked and lost in it."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from games.coup.cards import Cards

SUCCESS = "success"
BLOCKED = "blocked"
CHALLENGED_AND_WON = "challenged_and_won"
CHALLENGED_AND_LOST = "challenged_and_lost"

PROVEN = "proven"
FALSE = "false"
CONCEDED = "conceded"

NOBODY = -1


class Turn(NamedTuple):
    """One turn, as far as it has gone. Everything in it is public but `returned`, which the actor alone knows.

    A seat that has no part in it is NOBODY, a word not said yet is empty. A verdict is how a challenge ended: PROVEN,
    FALSE or CONCEDED. `losses` are the seats and the cards they turned up, `returned` the cards an exchange gave back.
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
        """With a challenge to the action; the verdict is empty while it is open."""
        return _new(Turn, (*self[:4], seat, verdict, *self[6:]))

    def judged(self, verdict: str, outcome: str) -> Turn:
        """With the end of the challenge to the action."""
        return _new(Turn, (*self[:3], outcome, self.challenger, verdict, *self[6:]))

    def blocked_by(self, seat: int, character: str) -> Turn:
        """With a block."""
        return _new(Turn, (*self[:6], seat, character, *self[8:]))

    def block_challenged(self, seat: int, verdict: str) -> Turn:
        """With a challenge to the block; the verdict is empty while it is open."""
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
        """As JSON data that `from_json` takes: the fields in order, without the empty ones at the end."""
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
    """A turn in which no more has happened than a declaration."""
    return Turn(actor, action, target)


@cache
def fresh(actor: int) -> Turn:
    """A turn in which nothing has happened yet."""
    return Turn(actor)
