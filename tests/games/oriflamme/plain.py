"""The rules once more, as plainly as can be: mutable, slow, nothing packed. Written from RULES.md alone, to be compared with.

The queue is a list of positions, a position a list of cards with the top card first. The position whose card is being
resolved is held by identity, not by index.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

FAMILY = (
    "Archer",
    "Soldier",
    "Spy",
    "Heir",
    "Lord",
    "Shapeshifter",
    "Ambush",
    "Assassination",
    "Conspiracy",
    "Royal Decree",
)
CHARACTERS = FAMILY[:6]
DEFAULTS: dict[str, Any] = {
    "decree_stacking": "own_family",
    "ambush_own": "two_points_both_leave",
    "assassination_self": False,
    "shifter_noop": True,
    "lord_counts_covered": False,
    "spy_may_pick_self": False,
    "decree_null_move": False,
}


@dataclass(eq=False)
class Card:
    name: str
    owner: int
    revealed: bool = False
    tokens: int = 0


Position = list[Card]


class Plain:
    def __init__(self, hands: list[list[str]], **options: Any) -> None:
        self.players = len(hands)
        self.hands = [list(hand) for hand in hands]
        self.options = {**DEFAULTS, **options}
        self.points = [1] * self.players
        self.piles: list[list[str]] = [[] for _ in hands]
        self.queue: list[Position] = []
        self.round = 1
        self.over = False
        self.current: Position | None = None
        self.asked = "place"
        self.actor: int | None = 0
        self.placed = 0

    # -- what is legal

    def legal(self) -> list[dict[str, str]]:
        if self.over:
            return []
        if self.asked == "place":
            return self.placements()
        if self.asked == "keep or reveal":
            return [{"choice": "keep"}, {"choice": "reveal"}]
        if self.asked == "Royal Decree":
            return self.decrees()
        if self.asked == "Spy":
            return [{"target": f"P-{seat}"} for seat in self.spied()]
        return [{"target": f"position {self.queue.index(position) + 1}"} for position in self.targets(self.asked)]

    def placements(self) -> list[dict[str, str]]:
        places = ["front"]
        if self.queue:
            places.append("back")
        for number, position in enumerate(self.queue, 1):
            if position[0].owner == self.actor:
                places.append(f"on position {number}")
        return [{"card": card, "place": place} for card in self.hands[self.actor or 0] for place in places]

    def neighbours(self) -> list[Position]:
        assert self.current is not None
        here = self.queue.index(self.current)
        around = []
        if here > 0:
            around.append(self.queue[here - 1])
        if here < len(self.queue) - 1:
            around.append(self.queue[here + 1])
        return around

    def targets(self, ability: str) -> list[Position]:
        if ability == "Archer":
            first, last = self.queue[0], self.queue[-1]
            return [first] if first is last else [first, last]
        if ability == "Soldier":
            return self.neighbours()
        if ability == "Assassination":
            return [p for p in self.queue if p is not self.current or self.options["assassination_self"]]
        assert ability == "Shapeshifter"
        copyable = [p for p in self.neighbours() if p[0].revealed and p[0].name in CHARACTERS]
        if not self.options["shifter_noop"]:
            copyable = [p for p in copyable if p[0].name != "Shapeshifter"]
        return copyable

    def spied(self) -> list[int]:
        assert self.current is not None
        me = self.current[0].owner
        owners = sorted({p[0].owner for p in self.neighbours()})
        if self.options["spy_may_pick_self"]:
            return owners
        return [owner for owner in owners if owner != me]

    def decrees(self) -> list[dict[str, str]]:
        found = []
        size = len(self.queue)
        for i, position in enumerate(self.queue):
            if position is self.current:
                continue
            card = position[0]
            alone = len(position) == 1
            for gap in range(size + 1):
                if alone and gap == i + 1:
                    continue
                if alone and gap == i and not self.options["decree_null_move"]:
                    continue
                to = "front" if gap == 0 else "back" if gap == size else f"before position {gap + 1}"
                found.append({"card": f"position {i + 1}", "to": to})
            if self.options["decree_stacking"] == "forbidden":
                continue
            for j, other in enumerate(self.queue):
                if j == i and (alone or not self.options["decree_null_move"]):
                    continue
                if other[0].owner == card.owner:
                    found.append({"card": f"position {i + 1}", "to": f"on position {j + 1}"})
        return found

    # -- what an answer does

    def do(self, answer: dict[str, str]) -> None:
        if self.asked == "place":
            self.place(answer["card"], answer["place"])
        elif self.asked == "keep or reveal":
            if answer["choice"] == "keep":
                assert self.current is not None
                self.current[0].tokens += 1
                self.resolve_next()
            else:
                self.reveal()
        elif self.asked == "Royal Decree":
            self.decree(answer["card"], answer["to"])
        elif self.asked == "Spy":
            self.spy(int(answer["target"][2:]))
        elif self.asked == "Shapeshifter":
            self.copy(self.position(answer["target"]))
        else:
            self.kill(self.position(answer["target"]))

    def position(self, words: str) -> Position:
        return self.queue[int(words.split()[-1]) - 1]

    def place(self, name: str, where: str) -> None:
        seat = self.actor
        assert seat is not None
        self.hands[seat].remove(name)
        card = Card(name, seat)
        if where == "front":
            self.queue.insert(0, [card])
        elif where == "back":
            self.queue.append([card])
        else:
            self.position(where).insert(0, card)
        self.placed += 1
        if self.placed < self.players:
            self.actor = (seat + 1) % self.players
        else:
            self.resolve(self.queue[0])

    def reveal(self) -> None:
        assert self.current is not None
        card = self.current[0]
        card.revealed = True
        tokens, card.tokens = card.tokens, 0
        if card.name == "Conspiracy":
            self.points[card.owner] += 2 * tokens
        elif card.name == "Ambush":
            self.points[card.owner] += 1
        else:
            self.points[card.owner] += tokens
        if card.name in ("Conspiracy", "Ambush"):
            self.discard_current()
        else:
            self.ability(card.name)

    def ability(self, name: str) -> None:
        """Perform an ability as the current card."""
        assert self.current is not None
        card = self.current[0]
        if name == "Heir":
            same = [p[0] for p in self.queue if p is not self.current and p[0].revealed and p[0].name == card.name]
            if not same:
                self.points[card.owner] += 2
            self.resolve_next()
        elif name == "Lord":
            self.points[card.owner] += 1
            for position in self.neighbours():
                counted = position if self.options["lord_counts_covered"] else position[:1]
                self.points[card.owner] += sum(other.owner == card.owner for other in counted)
            self.resolve_next()
        else:
            self.asked, self.actor = name, card.owner
            if name == "Spy":
                nothing = not self.spied()
            elif name == "Royal Decree":
                nothing = len(self.queue) == 1
            else:
                nothing = not self.targets(name)
            if nothing and name in CHARACTERS:
                self.resolve_next()
            elif nothing:
                self.discard_current()

    def copy(self, position: Position) -> None:
        name = position[0].name
        if name == "Shapeshifter":
            self.resolve_next()
        else:
            self.ability(name)

    def spy(self, victim: int) -> None:
        assert self.current is not None
        if self.points[victim] > 0:
            self.points[victim] -= 1
            self.points[self.current[0].owner] += 1
        self.resolve_next()

    def kill(self, target: Position) -> None:
        assert self.current is not None
        killer, victim = self.current[0], target[0]
        self.points[killer.owner] += 1
        if killer is victim:
            self.discard_current()
            return
        self.remove(target)
        killer_leaves = killer.name == "Assassination"
        if victim.name == "Ambush" and victim.owner != killer.owner:
            self.points[victim.owner] += 4
            killer_leaves = True
        elif victim.name == "Ambush" and self.options["ambush_own"] == "two_points_both_leave":
            self.points[killer.owner] += 1
            killer_leaves = True
        if killer_leaves:
            self.discard_current()
        else:
            self.resolve_next()

    def decree(self, which: str, to: str) -> None:
        assert self.current is not None
        source = self.position(which)
        order = list(self.queue)
        decree = self.current[0]
        card = source.pop(0)
        if to.startswith("on "):
            order[int(to.split()[-1]) - 1].insert(0, card)
        else:
            gap = 0 if to == "front" else len(order) if to == "back" else int(to.split()[-1]) - 1
            order.insert(gap, [card])
        self.queue = [position for position in order if position]
        here = self.current
        following = self.queue[self.queue.index(here) + 1 :]
        here.remove(decree)
        self.piles[decree.owner].append(decree.name)
        if here:
            self.resolve(here)
            return
        self.queue = [position for position in self.queue if position]
        self.resolve(following[0] if following else None)

    # -- the walk along the queue

    def remove(self, position: Position) -> None:
        card = position.pop(0)
        self.piles[card.owner].append(card.name)
        if not position:
            self.queue = [p for p in self.queue if p is not position]

    def discard_current(self) -> None:
        """The current card leaves; what lay under it is resolved at once, else what followed it."""
        assert self.current is not None
        here = self.current
        after = self.after(here)
        self.remove(here)
        self.resolve(here if here else after)

    def after(self, position: Position) -> Position | None:
        rest = self.queue[self.queue.index(position) + 1 :]
        return rest[0] if rest else None

    def resolve_next(self) -> None:
        assert self.current is not None
        self.resolve(self.after(self.current))

    def resolve(self, position: Position | None) -> None:
        self.current = position
        if position is None:
            self.end_round()
            return
        card = position[0]
        if card.revealed:
            self.ability(card.name)
        else:
            self.asked, self.actor = "keep or reveal", card.owner

    def end_round(self) -> None:
        if self.round == 6:
            self.over = True
            self.actor = None
            return
        self.round += 1
        self.placed = 0
        self.asked = "place"
        self.actor = (self.round - 1) % self.players

    def winners(self) -> list[int]:
        def rank(seat: int) -> tuple[int, int]:
            return self.points[seat], sum(card.owner == seat for position in self.queue for card in position)

        best = max(rank(seat) for seat in range(self.players))
        return [seat for seat in range(self.players) if rank(seat) == best]
