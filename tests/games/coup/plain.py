"""The rules of Coup once more, as plain as can be: one mutable object, no sharing with the package it is compared with.

Chance is not drawn here: `luck` is handed the Court deck and says which card comes out, and the table checks that it
was in there.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

BLOCKERS = {"foreign aid": ["Duke"], "assassinate": ["Contessa"], "steal": ["Captain", "Ambassador"]}
CLAIMED = {"tax": "Duke", "assassinate": "Assassin", "steal": "Captain", "exchange": "Ambassador"}
COST = {"coup": 7, "assassinate": 3}


class Player:
    def __init__(self, cards: list[str], coins: int) -> None:
        self.cards = cards
        self.up = [False] * len(cards)
        self.coins = coins
        self.outcome = ""

    @property
    def alive(self) -> bool:
        return False in self.up

    @property
    def face_down(self) -> list[str]:
        return [card for card, up in zip(self.cards, self.up, strict=True) if not up]

    def slot(self, card: str) -> int:
        return next(i for i in range(2) if self.cards[i] == card and not self.up[i])


class PlainCoup:
    def __init__(
        self,
        hands: list[list[str]],
        coins: list[int],
        deck: list[str],
        start: int,
        options: Any,
        luck: Callable[[list[str]], str],
    ) -> None:
        self.options = options
        self.luck = luck
        self.players = [Player(list(cards), held) for cards, held in zip(hands, coins, strict=True)]
        self.deck = list(deck)
        self.turn = 1
        self.phase = 3
        self.path: list[int] = []
        self.over = False
        self.new_turn(start)
        if not hands[0]:
            self.phase = 1

    # -- helpers

    def new_turn(self, seat: int) -> None:
        self.active = seat
        self.action = ""
        self.claim = ""
        self.target = -1
        self.challenger = -1
        self.blocker = -1
        self.block_claim = ""
        self.block_challenger = -1
        self.drawn: list[str] = []
        self.waiting = [seat]

    def living(self) -> list[int]:
        return [seat for seat, player in enumerate(self.players) if player.alive]

    def clockwise_after(self, seat: int) -> list[int]:
        count = len(self.players)
        return [(seat + step) % count for step in range(1, count) if self.players[(seat + step) % count].alive]

    def go(self, phase: int, waiting: list[int] | None = None) -> None:
        self.path.append(phase)
        self.phase = phase
        self.waiting = list(waiting or [])

    def draw(self) -> str:
        card = self.luck(self.deck)
        self.deck.remove(card)
        return card

    def name(self, seat: int) -> str:
        return f"P-{seat}"

    # -- what is legal

    def legal(self, seat: int) -> list[dict[str, str]]:
        if seat not in self.waiting:
            return []
        if self.phase == 1:
            return [{"take": card} for card in ("Ambassador", "Assassin", "Captain", "Contessa", "Duke")]
        if self.phase == 3:
            return self.legal_actions()
        if self.phase in (4, 13):
            return [{"response": "pass"}, {"response": "challenge"}]
        if self.phase in (10, 11, 12):
            return [{"response": "pass"}] + [{"response": f"block as {card}"} for card in BLOCKERS[self.action]]
        if self.phase in (5, 14):
            return [{"response": "prove"}, {"response": "concede"}]
        if self.phase == 6:
            return [{"show": self.claim}]
        if self.phase == 15:
            return [{"show": self.block_claim}]
        if self.phase == 22:
            held = self.players[seat].face_down
            kept = {tuple(sorted(some)) for some in combinations(held + self.drawn, len(held))}
            return [{"keep": ", ".join(some)} for some in sorted(kept)]
        return [{"lose": card} for card in sorted(set(self.players[seat].face_down))]

    def legal_actions(self) -> list[dict[str, str]]:
        me = self.players[self.active]
        others = self.clockwise_after(self.active)
        if me.coins >= 10:
            return [{"action": "coup", "target": self.name(other)} for other in others]
        answers = [{"action": action, "target": "none"} for action in ("income", "foreign aid", "tax", "exchange")]
        for other in others:
            if me.coins >= 7:
                answers.append({"action": "coup", "target": self.name(other)})
            if me.coins >= 3:
                answers.append({"action": "assassinate", "target": self.name(other)})
            if self.players[other].coins > 0 or not self.options.steal_requires_coins:
                answers.append({"action": "steal", "target": self.name(other)})
        return answers

    # -- answers

    def answer(self, seat: int, data: dict[str, str]) -> None:
        self.path = []
        if self.phase == 1:
            self.draft(seat, data["take"])
        elif self.phase == 3:
            self.declare(data)
        elif self.phase == 4:
            self.answer_claim(seat, data["response"])
        elif self.phase in (5, 14):
            self.answer_proof(data["response"])
        elif self.phase == 6:
            self.prove(self.active, self.claim)
        elif self.phase == 8:
            self.challenger_loses(data["lose"])
        elif self.phase == 9:
            self.claimant_loses(data["lose"])
        elif self.phase in (10, 11, 12):
            self.answer_block(seat, data["response"])
        elif self.phase == 13:
            self.answer_block_claim(seat, data["response"])
        elif self.phase == 15:
            self.prove(self.blocker, self.block_claim)
        elif self.phase == 17:
            self.block_challenger_loses(data["lose"])
        elif self.phase == 18:
            self.blocker_loses(data["lose"])
        elif self.phase == 21:
            self.target_loses(data["lose"])
        elif self.phase == 22:
            self.exchange(data["keep"].split(", "))

    def strike_out(self, seat: int) -> None:
        default = self.harmless(seat)
        player = self.players[seat]
        player.coins = max(0, player.coins - 1)
        self.answer(seat, default)

    def harmless(self, seat: int) -> dict[str, str]:
        player = self.players[seat]
        if self.phase == 1:
            return {"take": "Duke"}
        if self.phase == 3:
            if player.coins < 10:
                return {"action": "income", "target": "none"}
            richest = max(self.clockwise_after(seat), key=lambda other: self.players[other].coins)
            return {"action": "coup", "target": self.name(richest)}
        if self.phase in (4, 10, 11, 12, 13):
            return {"response": "pass"}
        if self.phase in (5, 14):
            return {"response": "prove"}
        if self.phase == 6:
            return {"show": self.claim}
        if self.phase == 15:
            return {"show": self.block_claim}
        if self.phase == 22:
            return {"keep": ", ".join(sorted(player.face_down))}
        return {"lose": player.face_down[0]}

    def draft(self, seat: int, card: str) -> None:
        self.players[seat].cards.append(card)
        self.players[seat].up.append(False)
        if seat == self.active:
            self.waiting = [1 - seat]
            return
        for player in (self.players[self.active], self.players[1 - self.active]):
            player.cards.append(self.draw())
            player.up.append(False)
        self.go(2)
        self.go(3, [self.active])

    def declare(self, data: dict[str, str]) -> None:
        self.action = data["action"]
        self.claim = CLAIMED.get(self.action, "")
        self.target = -1 if data["target"] == "none" else int(data["target"].removeprefix("P-"))
        self.players[self.active].coins -= COST.get(self.action, 0)
        if self.action == "income":
            self.resolve()
        elif self.action == "coup":
            self.go(21, [self.target])
        elif self.action == "foreign aid":
            self.go(10, self.clockwise_after(self.active))
        else:
            self.go(4, self.clockwise_after(self.active))

    def answer_claim(self, seat: int, response: str) -> None:
        if response == "challenge":
            self.challenger = seat
            self.go(5)
            self.evaluate(self.active, self.claim, true_phase=6, false_phase=9)
        else:
            self.waiting.remove(seat)
            if not self.waiting:
                self.claim_stands()

    def evaluate(self, claimant: int, card: str, true_phase: int, false_phase: int) -> None:
        if card not in self.players[claimant].face_down:
            self.go(false_phase, [claimant])
        elif self.options.may_concede:
            self.waiting = [claimant]
        else:
            self.go(true_phase, [claimant])

    def answer_proof(self, response: str) -> None:
        claimant = self.active if self.phase == 5 else self.blocker
        if response == "prove":
            self.go(6 if self.phase == 5 else 15, [claimant])
        else:
            self.go(9 if self.phase == 5 else 18, [claimant])

    def prove(self, seat: int, card: str) -> None:
        player = self.players[seat]
        slot = player.slot(card)
        self.go(self.phase + 1)
        if self.options.proof_swap == "draw_then_return":
            player.cards[slot] = self.draw()
            self.deck.append(card)
        else:
            self.deck.append(card)
            player.cards[slot] = self.draw()
        if self.phase == 7:
            player.outcome = "challenged_and_won"
            self.go(8, [self.challenger])
        else:
            self.go(17, [self.block_challenger])

    def claim_stands(self) -> None:
        if self.action == "assassinate":
            self.go(11, [self.target])
        elif self.action == "steal":
            self.go(12, [self.target])
        elif self.action == "tax":
            self.resolve()
        else:
            self.drawn = [self.draw(), self.draw()]
            self.go(22, [self.active])

    def lose(self, seat: int, card: str) -> bool:
        """Turn the card up. Whether that ends the match at once."""
        player = self.players[seat]
        player.up[player.slot(card)] = True
        return len(self.living()) == 1

    def bury(self) -> None:
        for player in self.players:
            if not player.alive:
                player.coins = 0

    def challenger_loses(self, card: str) -> None:
        if self.lose(self.challenger, card):
            self.finish()
        elif self.target >= 0 and not self.players[self.target].alive:
            if self.action == "assassinate":
                self.end_turn()
            else:
                self.resolve()
        else:
            self.bury()
            self.claim_stands()

    def claimant_loses(self, card: str) -> None:
        player = self.players[self.active]
        self.lose(self.active, card)
        player.outcome = "challenged_and_lost"
        if player.alive and self.options.refund_on_challenge:
            player.coins += COST.get(self.action, 0)
        self.end_turn()

    def answer_block(self, seat: int, response: str) -> None:
        if response == "pass":
            self.waiting.remove(seat)
            if not self.waiting:
                if self.action == "assassinate":
                    self.go(21, [self.target])
                else:
                    self.resolve()
            return
        self.blocker = seat
        self.block_claim = response.removeprefix("block as ")
        if self.options.block_challenge_order == "from_blocker":
            self.go(13, self.clockwise_after(seat))
        else:
            order = [self.active, *self.clockwise_after(self.active)]
            self.go(13, [other for other in order if other != seat])

    def answer_block_claim(self, seat: int, response: str) -> None:
        if response == "challenge":
            self.block_challenger = seat
            self.go(14)
            self.evaluate(self.blocker, self.block_claim, true_phase=15, false_phase=18)
        else:
            self.waiting.remove(seat)
            if not self.waiting:
                self.blocked()

    def blocked(self) -> None:
        self.go(19)
        self.players[self.active].outcome = "blocked"
        self.end_turn()

    def block_challenger_loses(self, card: str) -> None:
        if self.lose(self.block_challenger, card):
            self.finish()
        else:
            self.blocked()

    def blocker_loses(self, card: str) -> None:
        if self.lose(self.blocker, card):
            self.finish()
        elif self.action == "assassinate":
            if self.players[self.blocker].alive:
                self.go(21, [self.target])
            else:
                self.players[self.active].outcome = "success"
                self.end_turn()
        else:
            self.resolve()

    def target_loses(self, card: str) -> None:
        self.lose(self.target, card)
        self.players[self.active].outcome = "success"
        self.end_turn()

    def resolve(self) -> None:
        self.go(20)
        actor = self.players[self.active]
        if self.action == "steal":
            victim = self.players[self.target]
            if victim.alive or self.options.steal_from_exiled:
                taken = min(2, victim.coins)
                victim.coins -= taken
                actor.coins += taken
        else:
            actor.coins += {"income": 1, "foreign aid": 2, "tax": 3}[self.action]
        actor.outcome = "success"
        self.end_turn()

    def exchange(self, kept: list[str]) -> None:
        player = self.players[self.active]
        pool = player.face_down + self.drawn
        for card in kept:
            pool.remove(card)
        self.deck += pool
        self.drawn = []
        coming = list(kept)
        free = []
        for slot in range(2):
            if not player.up[slot]:
                if player.cards[slot] in coming:
                    coming.remove(player.cards[slot])
                else:
                    free.append(slot)
        for slot, card in zip(free, coming, strict=True):
            player.cards[slot] = card
        player.outcome = "success"
        self.claim = ""
        self.end_turn()

    def end_turn(self) -> None:
        self.bury()
        self.go(23)
        if len(self.living()) == 1 or (self.options.max_turns is not None and self.turn >= self.options.max_turns):
            self.finish()
        else:
            self.go(24)
            self.turn += 1
            self.go(2)
            self.go(3)
            self.new_turn(self.clockwise_after(self.active)[0])

    def finish(self) -> None:
        self.bury()
        self.over = True
        self.go(99)

    # -- what can be compared

    def player_states(self) -> dict[int, dict[str, Any]]:
        states = {}
        for seat, player in enumerate(self.players):
            active = seat == self.active
            states[seat + 1] = {
                "name": self.name(seat),
                "coins": player.coins,
                "influences": {
                    str(i + 1): {"character": card, "revealed": up}
                    for i, (card, up) in enumerate(zip(player.cards, player.up, strict=True))
                },
                "is_alive": player.alive or not player.cards,
                "claimed_action": self.action.title() if active else "",
                "claimed_character": self.claim if active else self.block_claim if seat == self.blocker else "",
                "target_player_id": self.target + 1 if active else 0,
                "last_action_outcome": player.outcome,
            }
        return states

    def winners(self) -> list[int]:
        return self.living() if self.over else []
