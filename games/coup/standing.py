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

History = tuple[Turn, ...]
Standing = tuple[int, ...]
"""What each player showed."""


class Memory:
    """The standing after the history asked about last, and after an earlier one that it continues: the turns of a playout
    come one after another, and the next playout begins where that one did."""

    def __init__(self) -> None:
        self.history: History | None = None
        self.standing: Standing = ()
        self._root: tuple[History, Standing] = (), ()

    def look(self, history: History, players: int) -> None:
        """Work out `standing` for a history, and keep it."""
        for known, found in ((self.history, self.standing), self._root):
            if known is not None and len(found) == players and history[: len(known)] == known:
                break
        else:
            known, found = (), (0,) * players
            self._root = (), ()
        for turn in history[len(known) :]:
            found = after(found, turn)
        self.history, self.standing = history, found
        if not self._root[1]:
            self._root = history, found


def after(before: Standing, turn: Turn) -> Standing:
    """The standing after one more turn."""
    actor, action, _, outcome, _, verdict, blocker, block, _, block_verdict, losses, _ = turn
    if action not in CLAIM and not block and not losses:
        return before
    shown = [*before]
    if action in CLAIM:
        shown[actor] = _claimed(shown[actor], BIT[CLAIM[action]], verdict)
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
        return before | _more(before, bit)
    left = before & ~(LEVEL << bit)
    return left | _more(left, CAUGHT) if verdict == FALSE else left


def _more(shown: int, bit: int) -> int:
    """One more of what is counted at a bit."""
    return (2 if shown >> bit & 1 else 1) << bit


def level(shown: int, bit: int) -> int:
    """How many of what is counted at a bit: 0, 1, or 2 for two and more."""
    return (shown >> bit & LEVEL).bit_count()
