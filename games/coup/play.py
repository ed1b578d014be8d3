"""What an answer does: the walk from one decision to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from games.coup import phases, tell
from games.coup.cards import Cards
from games.coup.moves import (
    ASSASSINATE,
    BLOCKER,
    CHALLENGE,
    CLAIM,
    COST,
    COUP,
    EXCHANGE,
    FOREIGN_AID,
    GAIN,
    INCOME,
    LOOT,
    PASS,
    PROVE,
    STEAL,
    TAX,
    Declaration,
)
from games.coup.table import Table, put
from games.coup.turn import (
    BLOCKED,
    CHALLENGED_AND_LOST,
    CHALLENGED_AND_WON,
    CONCEDED,
    FALSE,
    PROVEN,
    SUCCESS,
    declared,
    fresh,
)

if TYPE_CHECKING:
    from games.coup.state import State


class Play(Table):
    """The rules: what each answer does, by the phase it is given in."""

    __slots__ = ()

    # -- declaring ---------------------------------------------------------------------------------------------------

    def declare(self, seat: int, move: Declaration) -> State:
        """Phase 3 (rules 4 to 9)."""
        action, target = move
        self.turn = declared(seat, action, target)
        if action in COST:
            self.pay(seat, -COST[action])
        if self.told is not None:
            self.tell(tell.declaration(seat, action, target))
        if action == INCOME:
            return self._resolve()
        if action == FOREIGN_AID:
            return self.rest(phases.BLOCK_FOREIGN_AID, self.others(seat))
        if action == COUP:
            return self.rest(phases.TARGET_LOSES, (target,))
        return self.rest(phases.ACTION_CHALLENGE, self.others(seat))

    # -- the claim behind the action ---------------------------------------------------------------------------------

    def answer_claim(self, seat: int, move: str) -> State:
        """Phase 4: a challenge, or the last pass (rules 9, 10)."""
        turn = self.turn
        if move != CHALLENGE:
            if self.told is not None:
                self.tell(tell.unchallenged(turn.actor, CLAIM[turn.action]))
            return self._claim_stands()
        if self.told is not None:
            self.tell(tell.challenge(seat, turn.actor, CLAIM[turn.action]))
            self.walk(phases.EVALUATE_ACTION)
        if CLAIM[turn.action] in self.hands[turn.actor].down:
            self.turn = turn.challenged(seat, "")
            if self.setup.options.may_concede:
                return self.rest(phases.EVALUATE_ACTION, (turn.actor,))
            return self.rest(phases.CLAIMANT_PROOF, (turn.actor,))
        self.turn = turn.challenged(seat, FALSE)
        if self.told is not None:
            self.tell(tell.false_claim(turn.actor, CLAIM[turn.action]))
        return self.rest(phases.CLAIMANT_LOSES, (turn.actor,))

    def answer_claim_proof(self, seat: int, move: str) -> State:
        """Phase 5, with may_concede."""
        if move == PROVE:
            return self.rest(phases.CLAIMANT_PROOF, (seat,))
        self.turn = self.turn.judged(CONCEDED, self.turn.outcome)
        if self.told is not None:
            self.tell(tell.concession(seat, CLAIM[self.turn.action]))
        return self.rest(phases.CLAIMANT_LOSES, (seat,))

    def prove_claim(self, seat: int, card: str) -> State:
        """Phases 6 and 7 (rule 11)."""
        self._prove(seat, card, phases.REPLACE_PROOF)
        self.turn = self.turn.judged(PROVEN, CHALLENGED_AND_WON)
        return self.rest(phases.CHALLENGER_LOSES, (self.turn.challenger,))

    def lose_challenge(self, seat: int, card: str) -> State:
        """Phase 8 (rules 11, 14; K-C4)."""
        purse = self.coins[seat]
        is_in = self.turn_up(seat, card)
        if self.one_left():
            return self._finish()
        turn = self.turn
        if is_in or turn.target != seat:
            return self._claim_stands()
        if turn.action == STEAL:
            return self._resolve(purse)
        if self.told is not None:
            self.tell(tell.fizzle(seat))
        return self._end_turn(turn.outcome)

    def lose_claim(self, seat: int, card: str) -> State:
        """Phase 9 (rule 12)."""
        is_in = self.turn_up(seat, card)
        cost = COST.get(self.turn.action, 0)
        if cost and is_in and self.setup.options.refund_on_challenge:  # K-C2
            self.pay(seat, cost)
            if self.told is not None:
                self.tell(tell.refund(seat, cost))
        return self._end_turn(CHALLENGED_AND_LOST)

    def _claim_stands(self) -> State:
        actor, action, target = self.turn[:3]
        if action == TAX:
            return self._resolve()
        if action == STEAL:
            return self.rest(phases.BLOCK_STEAL, (target,))
        if action == ASSASSINATE:
            return self.rest(phases.BLOCK_ASSASSINATION, (target,))
        assert action == EXCHANGE
        self.drawn = (self.draw(), self.draw())
        if self.told is not None:
            self.tell(*tell.exchange_draw(actor, self.drawn))
        return self.rest(phases.EXCHANGE_DECISION, (actor,))

    def _prove(self, seat: int, card: str, replacing: int) -> None:
        if self.told is not None:
            self.tell(tell.proof(seat, card))
            self.walk(replacing)
        if self.setup.options.proof_swap == "draw_then_return":  # K-C1
            drawn = self.draw()
            self.give_back(card)
        else:
            self.give_back(card)
            drawn = self.draw()
        self.hands = put(self.hands, seat, self.hands[seat].swap(card, drawn))
        if self.told is not None:
            self.tell(*tell.replacement(seat, card, drawn))

    # -- blocks ------------------------------------------------------------------------------------------------------

    def answer_block(self, seat: int, move: str) -> State:
        """Phases 10, 11 and 12: a block, or the last pass (rules 6, 7, 10)."""
        turn = self.turn
        if move == PASS:
            if self.told is not None:
                self.tell(tell.unblocked(turn.actor, turn.action))
            if turn.action == ASSASSINATE:
                return self.rest(phases.TARGET_LOSES, (seat,))
            return self._resolve()
        character = BLOCKER[move]
        self.turn = turn.blocked_by(seat, character)
        if self.told is not None:
            self.tell(tell.block(seat, turn.actor, turn.action, character))
        pending = self.others(seat)
        if self.setup.options.block_challenge_order == "from_actor":
            pending = tuple(other for other in (turn.actor, *self.others(turn.actor)) if other != seat)
        return self.rest(phases.BLOCK_CHALLENGE, pending)

    def answer_block_claim(self, seat: int, move: str) -> State:
        """Phase 13: a challenge, or the last pass (rules 9, 10, 13)."""
        turn = self.turn
        if move != CHALLENGE:
            if self.told is not None:
                self.tell(tell.unchallenged(turn.blocker, turn.block))
            return self._block_stands()
        if self.told is not None:
            self.tell(tell.challenge(seat, turn.blocker, turn.block))
            self.walk(phases.EVALUATE_BLOCK)
        if turn.block in self.hands[turn.blocker].down:
            self.turn = turn.block_challenged(seat, "")
            if self.setup.options.may_concede:
                return self.rest(phases.EVALUATE_BLOCK, (turn.blocker,))
            return self.rest(phases.BLOCKER_PROOF, (turn.blocker,))
        self.turn = turn.block_challenged(seat, FALSE)
        if self.told is not None:
            self.tell(tell.false_claim(turn.blocker, turn.block))
        return self.rest(phases.BLOCKER_LOSES, (turn.blocker,))

    def answer_block_proof(self, seat: int, move: str) -> State:
        """Phase 14, with may_concede."""
        if move == PROVE:
            return self.rest(phases.BLOCKER_PROOF, (seat,))
        self.turn = self.turn.block_judged(CONCEDED)
        if self.told is not None:
            self.tell(tell.concession(seat, self.turn.block))
        return self.rest(phases.BLOCKER_LOSES, (seat,))

    def prove_block(self, seat: int, card: str) -> State:
        """Phases 15 and 16 (rule 11)."""
        self._prove(seat, card, phases.REPLACE_BLOCK_PROOF)
        self.turn = self.turn.block_judged(PROVEN)
        return self.rest(phases.BLOCK_CHALLENGER_LOSES, (self.turn.block_challenger,))

    def lose_block_challenge(self, seat: int, card: str) -> State:
        """Phase 17 (rule 13; K-C12)."""
        self.turn_up(seat, card)
        return self._finish() if self.one_left() else self._block_stands()

    def lose_block(self, seat: int, card: str) -> State:
        """Phase 18 (rule 12; K-C5, K-C6)."""
        purse = self.coins[seat]
        is_in = self.turn_up(seat, card)
        if self.one_left():
            return self._finish()
        if self.turn.action != ASSASSINATE:
            return self._resolve(purse)
        if is_in:
            return self.rest(phases.TARGET_LOSES, (seat,))
        return self._end_turn(SUCCESS)

    def _block_stands(self) -> State:
        if self.told is not None:
            self.walk(phases.BLOCK_STANDS)
            self.tell(tell.blocked(self.turn.blocker, self.turn.action))
        return self._end_turn(BLOCKED)

    # -- effects -----------------------------------------------------------------------------------------------------

    def _resolve(self, purse: int = 0) -> State:
        """Phase 20. `purse` is what the target had before it went out in this turn, if it did."""
        actor, action, target = self.turn[:3]
        if self.told is not None:
            self.walk(phases.RESOLVE)
        amount = self._steal(target, purse) if action == STEAL else GAIN[action]
        self.pay(actor, amount)
        if self.told is not None:
            self.tell(tell.gain(actor, action, target, amount))
        return self._end_turn(SUCCESS)

    def _steal(self, target: int, purse: int) -> int:
        if not self.is_in(target):  # K-C6
            return min(LOOT, purse) if self.setup.options.steal_from_exiled else 0
        amount = min(LOOT, self.coins[target])
        self.pay(target, -amount)
        return amount

    def lose_to_effect(self, seat: int, card: str) -> State:
        """Phase 21 (rules 6, 7)."""
        self.turn_up(seat, card)
        return self._end_turn(SUCCESS)

    def keep(self, seat: int, kept: Cards) -> State:
        """Phase 22 (rule 16)."""
        hand = self.hands[seat]
        returned = list(hand.down + self.drawn)
        for card in kept:
            returned.remove(card)
        for card in returned:
            self.give_back(card)
        self.hands = put(self.hands, seat, hand.keep(kept))
        self.drawn = ()
        self.turn = self.turn.exchanged(tuple(returned))
        if self.told is not None:
            self.tell(*tell.exchange_end(seat, kept, tuple(returned)))
        return self._end_turn(SUCCESS)

    # -- the end of a turn -------------------------------------------------------------------------------------------

    def _end_turn(self, outcome: str) -> State:
        """Phases 23, 24, 2 and 3 (rules 4, 18; K-C14)."""
        self.turn = turn = self.turn.ended(outcome)
        if self.told is not None:
            self.walk(phases.CHECK)
        limit = self.setup.options.max_turns
        if self.one_left() or (limit is not None and self.round >= limit):
            return self._finish()
        following = self.others(turn.actor)[0]
        self.history += (turn,)
        self.turn = fresh(following)
        self.round += 1
        if self.told is not None:
            self.walk(phases.ADVANCE, phases.START_OF_TURN)
            self.tell(tell.turn(self.round, following, self.coins[following]))
        return self.rest(phases.DECLARATION, (following,))

    def _finish(self) -> State:
        state = self.rest(phases.GAME_OVER, ())
        if self.told is not None:
            self.tell(tell.end(state.winners, state.ending, self.hands))
        return state

    # -- the draft and the first turn --------------------------------------------------------------------------------

    def draft(self, seat: int, card: str) -> Any:
        """Phase 1, with the draft (rule 3)."""
        self.picks = put(self.picks, seat, card)
        self.hands = put(self.hands, seat, self.hands[seat].take(card))
        if self.told is not None:
            self.tell(*tell.pick(seat, card))
        other = 1 - seat
        if not self.picks[other]:
            return self.rest(phases.SETUP, (other,))
        for player in (other, seat):
            self.hands = put(self.hands, player, self.hands[player].take(self.draw()))
        return self.start()

    def start(self) -> Any:
        """Phases 2 and 3 of the first turn, everybody having cards and coins."""
        if self.told is not None:
            for seat, hand in enumerate(self.hands):
                self.tell(tell.dealt(seat, hand.down))
            actor = self.turn.actor
            self.walk(phases.START_OF_TURN)
            self.tell(tell.turn(self.round, actor, self.coins[actor]))
        return self.rest(phases.DECLARATION, (self.turn.actor,))

    def await_draft(self) -> Any:
        """Phase 1, the starting player being the first to choose."""
        return self.rest(phases.SETUP, (self.turn.actor,))


ANSWERS: dict[int, Callable[[Play, int, Any], Any]] = {
    phases.SETUP: Play.draft,
    phases.DECLARATION: Play.declare,
    phases.ACTION_CHALLENGE: Play.answer_claim,
    phases.EVALUATE_ACTION: Play.answer_claim_proof,
    phases.CLAIMANT_PROOF: Play.prove_claim,
    phases.CHALLENGER_LOSES: Play.lose_challenge,
    phases.CLAIMANT_LOSES: Play.lose_claim,
    phases.BLOCK_FOREIGN_AID: Play.answer_block,
    phases.BLOCK_ASSASSINATION: Play.answer_block,
    phases.BLOCK_STEAL: Play.answer_block,
    phases.BLOCK_CHALLENGE: Play.answer_block_claim,
    phases.EVALUATE_BLOCK: Play.answer_block_proof,
    phases.BLOCKER_PROOF: Play.prove_block,
    phases.BLOCK_CHALLENGER_LOSES: Play.lose_block_challenge,
    phases.BLOCKER_LOSES: Play.lose_block,
    phases.TARGET_LOSES: Play.lose_to_effect,
    phases.EXCHANGE_DECISION: Play.keep,
}
"""What an answer does, by the phase it is given in."""
