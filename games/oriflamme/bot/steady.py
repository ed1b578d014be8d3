"""Sensible rules of thumb: spare the own cards, let tokens grow on a Conspiracy, reveal what pays, hit where it hurts."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import Answer, Rng, View
from games.oriflamme.bot.table import Seen, Table

_WAITING = {"Conspiracy": 1.6, "Ambush": 1.3}
"""What waiting hidden for another round is worth to these; to others it is the token and little more."""

_EARLY = {"Conspiracy": 3.0, "Heir": 2.5, "Lord": 2.2, "Ambush": 2.0, "Archer": 2.0, "Soldier": 1.8, "Spy": 1.5}
_LATE = {"Heir": 2.0, "Archer": 2.0, "Assassination": 2.0, "Lord": 1.5, "Soldier": 1.5, "Spy": 1.2, "Ambush": 1.0}


def steady(view: View, answers: Sequence[Answer], rng: Rng) -> Answer:
    """The answer that promises most, or one of those that do."""
    table = Table(view)
    values = [_value(view, table, answer) for answer in answers]
    best = max(values)
    return rng.choice([answer for answer, value in zip(answers, values, strict=True) if value > best - 1e-9])


def _value(view: View, table: Table, answer: Answer) -> float:
    if "place" in answer:
        return _placing(table, answer["card"], answer["place"])
    if "choice" in answer:
        return _revealing(table) if answer["choice"] == "reveal" else _keeping(table)
    if "to" in answer:
        return _moving(table, _index(answer["card"]), answer["to"])
    if view["ability"] == "Spy":
        victim = _index(answer["target"]) + 1
        return -1.0 if victim == table.seat else float(table.points[victim])
    target = table.tops[_index(answer["target"])]
    return _copying(table, target) if view["ability"] == "Shapeshifter" else table.loss(target)


def _index(words: str) -> int:
    """The index a position or a seat is called by, less one: `position 3` is 2."""
    return int(words.replace("-", " ").split()[-1]) - 1


def _placing(table: Table, card: str, place: str) -> float:
    """Cards that grow go early, those that strike late; covering an own card costs what it was worth."""
    value = (_EARLY if table.rounds_left >= 2 else _LATE).get(card, 0.5)
    if place.startswith("on "):
        return value - 0.3 - table.worth(table.tops[_index(place)])
    if not table.tops:
        return value
    beside = table.tops[0 if place == "front" else -1]
    friendly = beside.owner == table.seat
    if card in ("Soldier", "Spy"):
        return value - friendly
    if card == "Lord":
        return value + friendly
    # The ends are where Archers strike: what has to live goes there last.
    return value + (0.3 if place == "back" and card == "Conspiracy" else 0.0)


def _keeping(table: Table) -> float:
    """A token now and the ability later, for what the later rounds are worth."""
    if not table.rounds_left:
        return 0.0
    card = table.current
    assert card.name is not None
    return _WAITING.get(card.name, 0.6) + 0.3 * card.tokens * (card.name == "Conspiracy")


def _revealing(table: Table) -> float:
    """The tokens and what the ability brings now; a character brings the like in later rounds."""
    card = table.current
    assert card.name is not None
    if card.name == "Conspiracy":
        return 2.0 * card.tokens if not table.rounds_left else 0.5 * card.tokens
    if card.name == "Ambush":
        return 1.0
    tokens = 0.5 * card.tokens if table.rounds_left else card.tokens + 0.1
    return tokens + _ability(table, card.name, card)


def _ability(table: Table, name: str, card: Seen) -> float:
    """What an ability brings if the card performs it now."""
    around = table.neighbours(card.at)
    if name == "Heir":
        return 0.0 if any(other.revealed and other.name == card.name and other is not card for other in table.tops) else 2.0
    if name == "Lord":
        return 1.0 + sum(other.owner == table.seat for other in around)
    if name == "Spy":
        return 1.5 * any(other.owner != table.seat and table.points[other.owner] > 0 for other in around)
    if name == "Shapeshifter":
        return max((_copying(table, other) for other in around if other.revealed), default=0.0)
    if name == "Royal Decree":
        return 0.4
    targets = {"Archer": table.ends(), "Soldier": around, "Assassination": [t for t in table.tops if t is not card]}
    if not targets.get(name):
        return 0.0
    return 1.0 + max(table.loss(target) for target in targets[name])


def _copying(table: Table, model: Seen) -> float:
    if model.name is None or model.name == "Shapeshifter":
        return 0.0
    return _ability(table, model.name, table.current)


def _moving(table: Table, index: int, to: str) -> float:
    """Bring own revealed cards behind the pointer to be resolved again, and others' ahead of it, where they are passed by."""
    card, pointer = table.tops[index], table.current.at
    lands = 0 if to == "front" else len(table.tops) if to == "back" else _index(to)
    if to.startswith("on "):
        covered = table.tops[lands]
        cost = table.worth(covered) if covered.at != pointer else 0.0
        return -cost if covered.owner == table.seat else cost
    gained = (lands > pointer) - (index > pointer)
    worth = table.worth(card) / (table.rounds_left + 1) if card.revealed else 0.3
    return gained * (worth if card.owner == table.seat else -worth)
