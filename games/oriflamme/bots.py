"""The bots: from a view and the legal answers to one of the answers.

`steady` follows rules of thumb: spare the own cards, let tokens grow on a Conspiracy, reveal what pays, eliminate what costs
rivals most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games.core import Answer, Policy, Rng, View, answering, random_policy

_WORTH = {
    "Archer": 1.6,
    "Soldier": 1.4,
    "Spy": 1.2,
    "Heir": 1.8,
    "Lord": 1.7,
    "Shapeshifter": 1.2,
    "Ambush": 1.5,
    "Assassination": 1.2,
    "Conspiracy": 1.5,
    "Royal Decree": 0.6,
}
"""Points that a card may bring each round it is resolved, or once for an intrigue."""

_AMBUSH_LOSS = 5.0
"""What eliminating an Ambush costs: its owner gets 4 points and the eliminating card is lost."""

_WAITING = {"Conspiracy": 1.6, "Ambush": 1.3}
"""What waiting hidden for another round is worth to these; to others it is the token and little more."""

_EARLY = {"Conspiracy": 3.0, "Heir": 2.5, "Lord": 2.2, "Ambush": 2.0, "Archer": 2.0, "Soldier": 1.8, "Spy": 1.5}
_LATE = {"Heir": 2.0, "Archer": 2.0, "Assassination": 2.0, "Lord": 1.5, "Soldier": 1.5, "Spy": 1.2, "Ambush": 1.0}


@answering
def steady(view: View, answers: Sequence[Answer], rng: Rng) -> Answer:
    """An answer of the highest value; a random one if there are several."""
    known = Knowledge(view)
    values = [_value(view, known, answer) for answer in answers]
    best = max(values)
    return rng.choice([answer for answer, value in zip(answers, values, strict=True) if value > best - 1e-9])


def _value(view: View, known: Knowledge, answer: Answer) -> float:
    if "place" in answer:
        return _value_of_place(known, answer["card"], answer["place"])
    if "choice" in answer:
        return _value_of_reveal(known) if answer["choice"] == "reveal" else _value_of_keep(known)
    if "to" in answer:
        return _value_of_move(known, _index(answer["card"]), answer["to"])
    if view["ability"] == "Spy":
        victim = _index(answer["target"]) + 1
        return -1.0 if victim == known.seat else float(known.points[victim])
    target = known.tops[_index(answer["target"])]
    return _value_of_copy(known, target) if view["ability"] == "Shapeshifter" else known.loss(target)


def _index(words: str) -> int:
    """The index a position or a seat is called by, less one: `position 3` is 2."""
    return int(words.replace("-", " ").split()[-1]) - 1


def _value_of_place(known: Knowledge, card: str, place: str) -> float:
    """Cards that collect tokens go early, cards that eliminate go late; covering an own card costs its worth."""
    value = (_EARLY if known.rounds_left >= 2 else _LATE).get(card, 0.5)
    if place.startswith("on "):
        return value - 0.3 - known.worth(known.tops[_index(place)])
    if not known.tops:
        return value
    beside = known.tops[0 if place == "front" else -1]
    friendly = beside.owner == known.seat
    if card in ("Soldier", "Spy"):
        return value - friendly
    if card == "Lord":
        return value + friendly
    return value + (0.3 if place == "back" and card == "Conspiracy" else 0.0)


def _value_of_keep(known: Knowledge) -> float:
    """A token now and the ability later, if there are later rounds."""
    if not known.rounds_left:
        return 0.0
    card = known.current
    assert card.name is not None
    return _WAITING.get(card.name, 0.6) + 0.3 * card.tokens * (card.name == "Conspiracy")


def _value_of_reveal(known: Knowledge) -> float:
    """The tokens and the gain of the ability now; a character gains the same again in later rounds."""
    card = known.current
    assert card.name is not None
    if card.name == "Conspiracy":
        return 2.0 * card.tokens if not known.rounds_left else 0.5 * card.tokens
    if card.name == "Ambush":
        return 1.0
    tokens = 0.5 * card.tokens if known.rounds_left else card.tokens + 0.1
    return tokens + _value_of_ability(known, card.name, card)


def _value_of_ability(known: Knowledge, name: str, card: SeenCard) -> float:
    """What an ability brings if the card performs it now."""
    around = known.neighbours(card.at)
    if name == "Heir":
        return 0.0 if any(other.revealed and other.name == card.name and other is not card for other in known.tops) else 2.0
    if name == "Lord":
        return 1.0 + sum(other.owner == known.seat for other in around)
    if name == "Spy":
        return 1.5 * any(other.owner != known.seat and known.points[other.owner] > 0 for other in around)
    if name == "Shapeshifter":
        return max((_value_of_copy(known, other) for other in around if other.revealed), default=0.0)
    if name == "Royal Decree":
        return 0.4
    targets = {"Archer": known.ends(), "Soldier": around, "Assassination": [t for t in known.tops if t is not card]}
    if not targets.get(name):
        return 0.0
    return 1.0 + max(known.loss(target) for target in targets[name])


def _value_of_copy(known: Knowledge, model: SeenCard) -> float:
    if model.name is None or model.name == "Shapeshifter":
        return 0.0
    return _value_of_ability(known, model.name, known.current)


def _value_of_move(known: Knowledge, index: int, to: str) -> float:
    """Bring own revealed cards behind the pointer to be resolved again, and others' ahead of it, where they are passed by."""
    card, pointer = known.tops[index], known.current.at
    lands = 0 if to == "front" else len(known.tops) if to == "back" else _index(to)
    if to.startswith("on "):
        covered = known.tops[lands]
        cost = known.worth(covered) if covered.at != pointer else 0.0
        return -cost if covered.owner == known.seat else cost
    gained = (lands > pointer) - (index > pointer)
    worth = known.worth(card) / (known.rounds_left + 1) if card.revealed else 0.3
    return gained * (worth if card.owner == known.seat else -worth)


class SeenCard(NamedTuple):
    """A top card of the queue as the seat sees it."""

    at: int
    owner: int
    name: str | None
    revealed: bool
    tokens: int


class Knowledge:
    """What a seat knows of the table, and how likely each hidden card is."""

    def __init__(self, view: View) -> None:
        self.seat: int = view["seat"]
        self.points: list[int] = view["points"]
        self.rounds_left: int = view["rounds"] - view["round"]
        self.tops = [_seen(index, stack[0]) for index, stack in enumerate(view["queue"])]
        self.pointer: int | None = None if view["pointer"] is None else view["pointer"] - 1
        card_types = view["rules"]["card_types"]
        revealed = [(card["owner"], card["card"]) for stack in view["queue"] for card in stack if card["revealed"]]
        self._unseen = {
            owner: [name for name in card_types if name not in gone and (owner, name) not in revealed]
            for owner, gone in enumerate(view["discarded"])
        }

    @property
    def current(self) -> SeenCard:
        """The card being resolved."""
        assert self.pointer is not None
        return self.tops[self.pointer]

    def neighbours(self, index: int) -> list[SeenCard]:
        """The top cards next to a position."""
        return [self.tops[i] for i in (index - 1, index + 1) if 0 <= i < len(self.tops)]

    def ends(self) -> list[SeenCard]:
        """The first and the last top card."""
        return [self.tops[0], self.tops[-1]]

    def chance(self, card: SeenCard, name: str) -> float:
        """How likely a card is of that name, by what the seat knows."""
        if card.name is not None:
            return float(card.name == name)
        unseen = self._unseen[card.owner]
        return 1 / len(unseen) if name in unseen else 0.0

    def worth(self, card: SeenCard) -> float:
        """What a card may still bring its owner."""
        if card.name is not None:
            return self._worth(card, card.name)
        unseen = self._unseen[card.owner]
        return sum(self._worth(card, name) for name in unseen) / len(unseen)

    def loss(self, card: SeenCard) -> float:
        """What eliminating a card brings the seat beyond the point for it: its owner's loss, or its own."""
        if card.owner == self.seat:
            return -1.0 - self.worth(card)
        rival = 1.0 + 0.1 * (self.points[card.owner] - min(self.points))
        return rival * self.worth(card) / 2 - _AMBUSH_LOSS * self.chance(card, "Ambush")

    def _worth(self, card: SeenCard, name: str) -> float:
        worth = _WORTH.get(name, 1.0)
        tokens = card.tokens * (2 if name == "Conspiracy" else 0 if name == "Ambush" else 1)
        if name in ("Ambush", "Assassination", "Conspiracy", "Royal Decree"):
            return worth + tokens
        return worth * (self.rounds_left + (card.at >= (self.pointer or 0))) + tokens


def _seen(index: int, card: dict[str, Any]) -> SeenCard:
    return SeenCard(index, card["owner"], card["card"], card["revealed"], card["tokens"])


BOTS: Mapping[str, Policy] = {"random": random_policy, "steady": steady}
