"""What a seat has seen of the cards since the deal, in order: the evidence that its worlds agree with.

A place is the hand of a seat, by its number, or the deck, whose number is that of the players. A kind is an index in
`CHARACTERS`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from games.coup import phases
from games.coup.actions import CLAIM, claim
from games.coup.cards import CHARACTERS, DECK
from games.coup.position import FALSE, PROVEN, Position, Turn

MOVE, TAKE, PUT, SHOW, HAVE, LACK, PICK, SETTLE, LOOK = range(9)

KIND = {character: kind for kind, character in enumerate(CHARACTERS)}


class Evidence(NamedTuple):
    """One thing seen at a place. `detail` is a kind, of a MOVE the place that the card goes to.

    MOVE: a card that the seat does not see goes to another place; each one is equally likely. TAKE: one of the cards of a
    place, each equally likely, is seen and leaves. PUT: a card that is known comes. SHOW: a card of the kind is there; it is
    seen and leaves. HAVE, LACK: a card of the kind is there, or none is. PICK: a card from outside comes; each kind is
    equally likely. SETTLE: nothing is seen, but all kinds at the place are told apart from now on. LOOK: some cards, as many as
    `detail`, leave the place unseen and come back at once.
    """

    what: int
    place: int
    detail: int = 0


class Start(NamedTuple):
    """The cards that were not seen in the deal: how many there are of each kind, and how many at each place."""

    kinds: tuple[int, ...]
    sizes: tuple[int, ...]


class Witness:
    """The evidence of a seat (None: a spectator): `start` and `found`."""

    __slots__ = ("_deck", "_draws", "_own", "_position", "_seat", "found", "start")

    def __init__(self, position: Position, seat: int | None) -> None:
        self._position = position
        self._seat = seat
        self._deck = position.setup.players
        self._draws = iter(position.draws)
        self._own = Counter(_own_cards(position, seat))
        self.found: list[Evidence] = []
        if position.picks:
            self._see_draft()
        for number, turn in enumerate((*position.history, position.turn), 1):
            self._see_turn(turn, number)
        self._see_open_claim()
        self.start = Start(self._kinds(), self._sizes())

    # -- the deal ----------------------------------------------------------------------------------------------------

    def _kinds(self) -> tuple[int, ...]:
        """What the seat was dealt follows from what it has now, and what it drew and gave away."""
        if self._position.picks:
            return (1,) * len(CHARACTERS)
        unseen = Counter(DECK)
        unseen.subtract(_face_up_at_first(self._position))
        unseen.subtract(self._own)
        return tuple(unseen[character] for character in CHARACTERS)

    def _sizes(self) -> tuple[int, ...]:
        position = self._position
        if position.picks:
            return (*[0] * self._deck, len(CHARACTERS))
        lost = Counter(loser for loser, _ in _losses(position))
        hands = [len(hand.down) + lost[seat] for seat, hand in enumerate(position.hands)]
        if self._seat is not None:
            hands[self._seat] = 0
        return (*hands, len(position.deck) + len(position.drawn))

    def _see_draft(self) -> None:
        picks = self._position.picks
        for seat, picked in enumerate(picks):
            if picked and seat != self._seat:
                if self._position.is_struck_out(1, phases.SETUP, seat):  # it took the first card
                    self._find(PUT, seat, KIND[picked])
                else:
                    self._find(PICK, seat)
        if all(picks):
            first = (*self._position.history, self._position.turn)[0].actor
            self._draw(first)
            self._draw(1 - first)

    # -- turns -------------------------------------------------------------------------------------------------------

    def _see_turn(self, turn: Turn, number: int) -> None:
        losses = iter(turn.losses)
        if turn.verdict:
            self._see_verdict(turn.actor, CLAIM[turn.action], turn.verdict, losses)
        if turn.block_verdict:
            self._see_verdict(turn.blocker, turn.block, turn.block_verdict, losses)
        for loser, card in losses:
            self._see_loss(loser, card)
        if turn.returned or (turn is self._position.turn and self._position.drawn):
            self._see_exchange(turn, self._position.is_struck_out(number, phases.EXCHANGE_DECISION, turn.actor))

    def _see_verdict(self, seat: int, character: str, verdict: str, losses: Iterator[tuple[int, str]]) -> None:
        """How a challenge ended, and the influence that it cost, if that is lost already."""
        if verdict == PROVEN:
            self._see_proof(seat, character)
        lost = ""
        for loser, lost in losses:
            self._see_loss(loser, lost)
            break
        if verdict == FALSE:
            self._find_of_other(LACK, seat, character)
        elif verdict != PROVEN and lost != character:  # conceded, with the card in hand (K-C8)
            self._find_of_other(HAVE, seat, character)

    def _see_proof(self, seat: int, character: str) -> None:
        self._find_of_other(SHOW, seat, character)
        if self._position.setup.options.proof_swap == "draw_then_return":  # K-C1
            self._draw(seat)
            self._give(seat, character)
        else:
            self._give(seat, character)
            self._draw(seat)

    def _see_loss(self, seat: int, card: str) -> None:
        self._find_of_other(TAKE, seat, card)

    def _see_exchange(self, turn: Turn, is_struck_out: bool) -> None:
        """A player who is struck out keeps what it has, and returns what it has drawn."""
        if is_struck_out and turn.actor != self._seat:
            self._find(LOOK, self._deck, len([next(self._draws) for _ in turn.returned]))
            return
        self._draw(turn.actor)
        self._draw(turn.actor)
        for card in turn.returned:
            if turn.actor == self._seat:
                self._give(turn.actor, card)
            else:
                self._find(MOVE, turn.actor, self._deck)

    def _see_open_claim(self) -> None:
        """Only a player who has the claimed card is asked to show it."""
        turn = self._position.turn
        if self._position.phase_id in (*phases.EVALUATIONS, *phases.PROOFS):
            self._find_of_other(HAVE, turn.blocker if turn.block else turn.actor, claim(self._position))

    # -- pieces ------------------------------------------------------------------------------------------------------

    def _draw(self, seat: int) -> None:
        card = next(self._draws)
        if seat == self._seat:
            self._own[card] -= 1
            self._find(TAKE, self._deck, KIND[card])
        else:
            self._find(MOVE, self._deck, seat)

    def _give(self, seat: int, card: str) -> None:
        """A card that everybody, or the seat itself, knows goes into the deck."""
        if seat == self._seat:
            self._own[card] += 1
        self._find(PUT, self._deck, KIND[card])

    def _find_of_other(self, what: int, seat: int, card: str) -> None:
        if seat != self._seat:
            self._find(what, seat, KIND[card])

    def _find(self, what: int, place: int, detail: int = 0) -> None:
        self.found.append(Evidence(what, place, detail))


def _losses(position: Position) -> list[tuple[int, str]]:
    return [loss for turn in (*position.history, position.turn) for loss in turn.losses]


def _own_cards(position: Position, seat: int | None) -> Iterable[str]:
    """The cards of a seat, those that it lost and those that it has drawn in an exchange."""
    if seat is None:
        return ()
    lost = [card for loser, card in _losses(position) if loser == seat]
    return (*position.hands[seat].down, *lost, *(position.drawn if seat == position.turn.actor else ()))


def _face_up_at_first(position: Position) -> Counter[str]:
    """The face-up cards that no turn tells of. Only a position that was set up has some."""
    shown = Counter(card for hand in position.hands for card in hand.shown)
    shown.subtract(card for _, card in _losses(position))
    return shown
