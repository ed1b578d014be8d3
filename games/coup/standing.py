"""Standing claims: the characters that each player has claimed since it last drew cards, as everybody knows them."""

from __future__ import annotations

from games.coup.actions import CLAIM, EXCHANGE
from games.coup.cards import CHARACTERS
from games.coup.position import FALSE, SUCCESS, Turn

BIT = {character: 2 * kind for kind, character in enumerate(CHARACTERS)}
CAUGHT = 2 * len(CHARACTERS)
LEVEL = 0b11
"""What a player showed is one integer: at `BIT` of each character one bit for a claim that nobody tested and another for a
second one; at CAUGHT the same for lies that were found out."""

_CLAIMS = (1 << CAUGHT) - 1
_CLAIMED_AT = {action: BIT[character] for action, character in CLAIM.items()}

History = tuple[Turn, ...]
Standing = tuple[int, ...]
"""What each player showed."""


class Memory:
    """The standing after the history asked about last, and after an earlier one that it continues: the turns of a playout
    come one after another, and the next playout begins where that one did.

    A turn that has ended is an object of its own, which stands behind the same turns everywhere, but for the cards of an
    exchange that nobody saw. So a history goes on from another one if it has the last turn of that one in the same place.
    """

    def __init__(self) -> None:
        self.history: History = ()
        self.standing: Standing = ()
        self._root: tuple[History, Standing] = (), ()

    def look(self, history: History, players: int) -> None:
        """Work out `standing` for a history, and keep it."""
        known, found = self.history, self.standing
        length = len(known)
        if len(found) != players or (length and (length > len(history) or history[length - 1] is not known[-1])):
            known, found = self._root
            length = len(known)
            if len(found) != players or (length and (length > len(history) or history[length - 1] is not known[-1])):
                length, found = 0, (0,) * players
        if length + 1 == len(history):
            found = after(found, history[length])
        elif length < len(history):  # no playout goes on like this: one begins
            for turn in history[length:]:
                found = after(found, turn)
            self._root = history, found
        self.history, self.standing = history, found


def after(before: Standing, turn: Turn) -> Standing:
    """The standing after one more turn."""
    actor, action, _, outcome, _, verdict, blocker, block, _, block_verdict, losses, _ = turn
    bit = _CLAIMED_AT.get(action, -1)
    if bit < 0 and not block and not losses:
        return before
    shown = [*before]
    if bit >= 0:
        shown[actor] = _claimed(shown[actor], bit, verdict)
    if block:
        shown[blocker] = _claimed(shown[blocker], BIT[block], block_verdict)
    for seat, card in losses:
        shown[seat] &= ~(LEVEL << BIT[card])
    if action == EXCHANGE and outcome == SUCCESS:
        shown[actor] &= ~_CLAIMS
    return tuple(shown)


def _claimed(before: int, bit: int, verdict: str) -> int:
    """One more claim. A test settles it: a card shown is exchanged, and one that was not there is claimed by nobody."""
    if not verdict:
        return before | (2 if before >> bit & 1 else 1) << bit
    left = before & ~(LEVEL << bit)
    return left | (2 if left >> CAUGHT & 1 else 1) << CAUGHT if verdict == FALSE else left


def level(shown: int, bit: int) -> int:
    """How many of what is counted at a bit: 0, 1, or 2 for two and more."""
    return (shown >> bit & LEVEL).bit_count()
