"""What each choice does, in words, from what the seat may know: the effects in menus and prompts."""

from __future__ import annotations

from typing import Any, NamedTuple

from games.core import Step, Steps, counted, seat_name
from games.core.element import on_card, on_seat
from games.coup import phases
from games.coup.actions import (
    ASSASSINATE,
    BLOCKER,
    BLOCKERS,
    CLAIM,
    COST,
    EXCHANGE,
    FOREIGN_AID,
    GAIN,
    LOOT,
    PASS,
    PROVE,
    STEAL,
    TITLE,
    Declaration,
    claim,
)
from games.coup.cards import Cards
from games.coup.claims import chance_of_none
from games.coup.position import NOBODY, Position, survivors

_REPLACEMENT = {
    "draw_then_return": "you draw a new card for it, and it goes back to the Court deck",
    "return_shuffle_draw": "it goes back to the Court deck, and you draw a card, perhaps the same",
}


def describe_move(position: Position, seat: int, move: Any) -> Steps:
    """A move of a pending seat, step by step."""
    phase = position.phase_id
    effects = _Effects(position, seat)
    if phase == phases.DECLARATION:
        return _declaration(effects, move)
    if phase in phases.CHALLENGE_WINDOWS:
        on = (on_seat(effects.claimant),)
        return (Step("response", move, effects.passing() if move == PASS else effects.challenge(), on),)
    if phase in phases.BLOCK_WINDOWS:
        on = (on_seat(position.turn.actor),)
        return (Step("response", move, effects.no_block() if move == PASS else effects.block(BLOCKER[move]), on),)
    if phase in phases.EVALUATIONS:
        return (Step("response", move, effects.proof() if move == PROVE else effects.concession(), (on_seat(seat),)),)
    if phase == phases.EXCHANGE_DECISION:
        kept = tuple([on_card(seat, card) for card in dict.fromkeys(move)])
        return (Step("cards", " and ".join(move), f"return {' and '.join(effects.rest(move))}", kept),)
    if phase in phases.PROOFS:
        return (Step("card", move, effects.proof(), (on_card(seat, move),)),)
    if phase == phases.SETUP:
        return (Step("card", move, "your first card; the second is dealt at random", (on_card(seat, move),)),)
    return (Step("card", move, effects.loss(move), (on_card(seat, move),)),)


def _declaration(effects: _Effects, move: Declaration) -> Steps:
    title, effect = TITLE[move.action], effects.declaration(move.action)
    if move.target == NOBODY:
        return (Step("action", title, effect, (on_seat(effects.me),)),)
    target = Step("target", seat_name(move.target), effects.standing(move.target), (on_seat(move.target),))
    return Step("action", title, effect), target


def _share(chance: float) -> str:
    """A probability in per cent, never rounded to certainty."""
    share = f"{100 * chance:.0f} %"
    return {"0 %": "under 1 %", "100 %": "over 99 %"}.get(share, share) if 0 < chance < 1 else share


def _unless(conditions: list[str]) -> str:
    return f" unless {' or '.join(conditions)}" if conditions else ""


class _Effects(NamedTuple):
    """The effects of the choices of one seat, `me`, to whom they are described."""

    position: Position
    me: int

    # -- declaring ---------------------------------------------------------------------------------------------------

    def declaration(self, action: str) -> str:
        """Declaring an action, whoever the target is."""
        blocks = [f"it is blocked as {' or '.join(BLOCKERS[action])} ({self._blockers(action)})"] if action in BLOCKERS else []
        parts = [self._declared(action) + _unless(blocks)]
        if action in CLAIM:
            parts.append(f"claims {CLAIM[action]}, {self._holding(CLAIM[action])}")
        elif not blocks:
            parts.append("nobody can stop it")
        return "; ".join(parts)

    def _declared(self, action: str) -> str:
        coins = self.position.coins[self.me]
        if action in COST:
            return f"pay {COST[action]} coins ({coins - COST[action]} left); the target loses an influence"
        if action in GAIN:
            return f"take {counted(GAIN[action], 'coin')} (you then have {coins + GAIN[action]})"
        return f"take up to {LOOT} coins from the target" if action == STEAL else "draw two cards, return two"

    def _holding(self, character: str) -> str:
        if character in self.position.hands[self.me].down:
            return "which you have"
        return "a bluff: if challenged, you lose an influence and the action fails"

    def _blockers(self, action: str) -> str:
        """How likely each opponent can truly block an action: by the cards that the seat knows of alone."""
        opponents = [seat for seat in survivors(self.position) if seat != self.me]
        chances = {seat: _share(1 - chance_of_none(self.position, self.me, seat, BLOCKERS[action])) for seat in opponents}
        has = f"has {'one' if len(BLOCKERS[action]) > 1 else 'it'} with"
        if len(opponents) > 1 and len({*chances.values()}) == 1:
            return f"each opponent {has} {chances[opponents[0]]}"
        first, *rest = (f"{seat_name(seat)} {has} {share}" for seat, share in chances.items())
        return ", ".join((first, *(words.replace(has, "with") for words in rest)))

    def standing(self, seat: int) -> str:
        """A target's coins and influences."""
        influences = len(self.position.hands[seat].down)
        return f"{counted(self.position.coins[seat], 'coin')}, {counted(influences, 'influence')}"

    # -- challenging -------------------------------------------------------------------------------------------------

    @property
    def claimant(self) -> int:
        """The seat behind the claim of the action or the block."""
        turn = self.position.turn
        return turn.blocker if turn.block else turn.actor

    def challenge(self) -> str:
        """Challenging the claim behind the action or the block."""
        turn, me, claimant = self.position.turn, self.me, self.claimant
        has = "shows" if self.position.setup.options.may_concede else "has"
        false = self._loses(claimant, self._false_block() if turn.block else self._failure())
        true = self._loses(me, f"the block stands: {self._no_effect()}" if turn.block else self._after_proof(me))
        chance = chance_of_none(self.position, me, claimant, (claim(self.position),))
        return (
            f"if {seat_name(claimant)} {has} no {claim(self.position)} ({_share(chance)} by the cards you know), {false};"
            f" otherwise {true}; {self._worth(claimant, chance)}"
        )

    def _worth(self, claimant: int, chance: float) -> str:
        """What a challenge costs both players on average, in influences: `chance` is that of a false claim."""
        turn, me = self.position.turn, self.me
        kills = turn.action == ASSASSINATE
        theirs = chance * min(1 + (kills and bool(turn.block)), len(self.position.hands[claimant].down))
        aims_here = kills and not turn.block and turn.target == me
        mine = (1 - chance) * min(1 + aims_here, len(self.position.hands[me].down))
        unless = " if you then do not block" if aims_here and not self._is_last(me) else ""
        return f"on average that costs {seat_name(claimant)} {theirs:.2f} influences and you {mine:.2f}{unless}"

    def passing(self) -> str:
        """Not challenging the claim behind the action or the block."""
        turn = self.position.turn
        others = ["another player's challenge succeeds"] if self._has_others() else []
        if turn.block:
            return f"the block stands{_unless(others)}: {self._no_effect()}"
        blocks = [] if turn.target == NOBODY else [self._does(turn.target, "block")]
        return self._effect() + _unless([*blocks, *others])

    # -- blocking ----------------------------------------------------------------------------------------------------

    def block(self, character: str) -> str:
        """Blocking the action."""
        if character in self.position.hands[self.me].down:
            return f"{self._no_effect()}; you have {character}, so a player who challenges it loses an influence"
        caught = self._loses(self.me, self._after_false_block())
        return f"a bluff; if nobody challenges it, {self._no_effect()}; otherwise {caught}"

    def no_block(self) -> str:
        """Not blocking the action."""
        is_open = self.position.turn.action == FOREIGN_AID and self._has_others()
        return self._effect() + _unless(["another player blocks"] if is_open else [])

    # -- being challenged --------------------------------------------------------------------------------------------

    def proof(self) -> str:
        """Showing the claimed card."""
        turn = self.position.turn
        challenger = turn.block_challenger if turn.block else turn.challenger
        then = "your block stands" if turn.block else self._after_proof(challenger)
        return f"{_REPLACEMENT[self.position.setup.options.proof_swap]}; {self._loses(challenger, then)}"

    def concession(self) -> str:
        """Not showing the claimed card."""
        return self._loses(self.me, self._false_block() if self.position.turn.block else self._failure())

    # -- cards -------------------------------------------------------------------------------------------------------

    def loss(self, card: str) -> str:
        """Turning up a card."""
        position, me = self.position, self.me
        if self._is_last(me):
            return f"it stays face up, and {'you are out' if self._has_others() else self._win(me)}"
        (kept,) = self._without((card,), position.hands[me].down)
        then = ""
        if position.phase_id == phases.BLOCKER_LOSES and position.turn.action == ASSASSINATE:
            then = f"; the assassination then costs you {kept} too"
        if position.phase_id == phases.CHALLENGER_LOSES and position.turn.target == me:
            then = f"; {self._after_proof(me)}"
        return f"it stays face up, and you keep {kept}{then}"

    def rest(self, kept: Cards) -> list[str]:
        """The cards that an exchange returns."""
        return self._without(kept, (*self.position.hands[self.me].down, *self.position.drawn))

    @staticmethod
    def _without(taken: Cards, cards: Cards) -> list[str]:
        left = list(cards)
        for card in taken:
            left.remove(card)
        return left

    # -- what follows ------------------------------------------------------------------------------------------------

    def _after_proof(self, challenger: int) -> str:
        """What follows when the claim behind the action is proven and its challenger has lost an influence."""
        target = self.position.turn.target
        if challenger == target and self._is_last(target):
            return self._effect_on_exile()
        blocks = [] if target == NOBODY else [f"{self._does(target, 'block')} it"]
        return f"{self._title()} goes ahead{_unless(blocks)}"

    def _failure(self) -> str:
        """What follows when the claim behind the action is false."""
        actor, action, _ = self.position.turn[:3]
        if action not in COST:
            return f"{self._title()} fails"
        is_refunded = self.position.setup.options.refund_on_challenge and not self._is_last(actor)
        return f"{self._title()} fails (its {COST[action]} coins {'are paid back' if is_refunded else 'stay paid'})"

    def _false_block(self) -> str:
        """What follows when the claim behind the block is false."""
        then = self._after_false_block()
        return f"the block fails: {then}" if then else "the block fails"

    def _after_false_block(self) -> str:
        """What the action does to a blocker who has lost an influence; empty for nothing."""
        turn = self.position.turn
        blocker = self.me if turn.blocker == NOBODY else turn.blocker
        if self._is_last(blocker):
            return self._effect_on_exile()
        return f"the assassination costs {self._whom(blocker)} the other one" if turn.action == ASSASSINATE else self._effect()

    def _effect_on_exile(self) -> str:
        """What the action does after its target, or the blocker of Foreign Aid, is out; empty for nothing."""
        action = self.position.turn.action
        if action == ASSASSINATE:
            return ""
        if action == STEAL and not self.position.setup.options.steal_from_exiled:
            return f"{self._title()} takes nothing"
        return self._effect()

    def _effect(self) -> str:
        """What the action does when nothing stops it."""
        actor, action, target = self.position.turn[:3]
        if action in GAIN:
            return f"{self._does(actor, 'take')} {GAIN[action]} coins"
        if action == STEAL:
            loot = counted(min(LOOT, self.position.coins[target]), "coin")
            return f"{self._does(actor, 'take')} {loot} from {self._whom(target)}"
        if action == EXCHANGE:
            return f"{seat_name(actor)} draws two cards and returns two"
        return self._loses(target)

    def _no_effect(self) -> str:
        action = self.position.turn.action
        return f"{self._title()} has no effect" + (f" (its {COST[action]} coins stay paid)" if action in COST else "")

    def _loses(self, seat: int, then: str = "") -> str:
        """A player loses an influence, and what follows unless it ends the match."""
        is_me, lost = seat == self.me, self._does(seat, "lose")
        if not self._is_last(seat):
            loss = f"{lost} {'one of your two influences' if is_me else 'one of two influences'}"
        elif self._has_others():
            loss = f"{lost} {'your last influence and are out' if is_me else 'their last influence and is out'}"
        else:
            return f"{lost} {'your' if is_me else 'their'} last influence, and {self._win(seat)}"
        return f"{loss}, and {then}" if then else loss

    def _win(self, loser: int) -> str:
        (winner,) = (other for other in survivors(self.position) if other != loser)
        return f"{self._does(winner, 'win')} the match"

    # -- facts and names ---------------------------------------------------------------------------------------------

    def _is_last(self, seat: int) -> bool:
        return len(self.position.hands[seat].down) == 1

    def _has_others(self) -> bool:
        """Whether more than two players are in."""
        return len(survivors(self.position)) > 2

    def _title(self) -> str:
        turn = self.position.turn
        return f"your {TITLE[turn.action]}" if turn.actor == self.me else TITLE[turn.action]

    def _whom(self, seat: int) -> str:
        return "you" if seat == self.me else seat_name(seat)

    def _does(self, seat: int, verb: str) -> str:
        return f"you {verb}" if seat == self.me else f"{seat_name(seat)} {verb}s"
