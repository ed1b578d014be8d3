"""The bots: they see nothing but a seat's view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from math import comb

from games.core import Answer, Policy, Rng, View, answering, random_policy, seat_name
from games.coup import phases
from games.coup.actions import (
    ASSASSINATE,
    BLOCK_AS,
    BLOCKERS,
    CHALLENGE,
    CLAIM,
    COUP,
    EXCHANGE,
    FOREIGN_AID,
    INCOME,
    LOOT,
    PASS,
    STEAL,
    TARGETED,
    TAX,
)
from games.coup.cards import AMBASSADOR, ASSASSIN, CAPTAIN, CONTESSA, COPIES, DUKE
from games.coup.position import FALSE

WORTH = {DUKE: 5, ASSASSIN: 4, CAPTAIN: 4, CONTESSA: 3, AMBASSADOR: 2}
BLUFFING = 0.3
"""How often a player is assumed to claim a character without having it."""


@answering
def steady(view: View, answers: Sequence[Answer], rng: Rng) -> Answer:
    """Rules of thumb: mostly honest, challenges by the count of the cards, blocks what it can."""
    if len(answers) == 1:
        return answers[0]
    phase = view["phase"]["id"]
    if phase == phases.DECLARATION:
        return _declare(view, answers, rng)
    if phase in phases.CHALLENGE_WINDOWS:
        return {"response": CHALLENGE if _doubts(view, rng) else PASS}
    if phase in phases.BLOCK_WINDOWS:
        return {"response": _block(view, rng)}
    if phase in phases.LOSSES:
        return min(answers, key=lambda answer: _worth_of_rest(view, answer["lose"]))
    if phase == phases.EXCHANGE_DECISION:
        return max(answers, key=lambda answer: _worth(answer["keep"].split(", ")))
    return answers[0]


# -- cards ---------------------------------------------------------------------------------------------------------------


def _worth(cards: Sequence[str]) -> int:
    """A second card of the same character adds little."""
    return sum(WORTH[card] for card in set(cards)) + len(cards)


def _worth_of_rest(view: View, lost: str) -> int:
    rest = list(view["own"]["cards"])
    rest.remove(lost)
    return -_worth(rest)


def _unseen(view: View, character: str) -> int:
    """How many copies other players or the deck may have."""
    seen = [*view["own"]["cards"], *view["own"]["drawn"], *chain.from_iterable(view["revealed"])]
    return COPIES - seen.count(character)


def _chance(view: View, seat: int, character: str) -> float:
    """The probability that a player has a character, by the count of the cards alone."""
    hidden = sum(view["hand_sizes"]) - len(view["own"]["cards"]) + view["deck_size"]
    size, copies = view["hand_sizes"][seat], max(0, _unseen(view, character))
    return 1 - comb(max(0, hidden - copies), size) / comb(hidden, size)


# -- what others have claimed --------------------------------------------------------------------------------------------


def _claimed(view: View, seat: int) -> list[str]:
    """The characters a player has claimed without a claim being false."""
    return [claim["character"] for claim in view["claims"][seat] if claim["verdict"] != FALSE]


def _opponents(view: View) -> list[int]:
    """The living opponents, the most dangerous first."""
    living = [seat for seat, alive in enumerate(view["alive"]) if alive and seat != view["seat"]]
    return sorted(living, key=lambda seat: (-view["hand_sizes"][seat], -view["coins"][seat], seat))


# -- decisions -----------------------------------------------------------------------------------------------------------


def _declare(view: View, answers: Sequence[Answer], rng: Rng) -> Answer:
    """The first legal action that makes sense, in order of strength."""
    open_to = {action: [answer["target"] for answer in answers if answer["action"] == action] for action in (COUP, *CLAIM)}
    for action in (COUP, ASSASSINATE, TAX, STEAL, EXCHANGE):
        target = _target(view, action) if action in TARGETED else "none"
        if target in open_to[action] and _would_claim(view, action, rng):
            return {"action": action, "target": target}
    duke_is_about = any(DUKE in _claimed(view, seat) for seat in _opponents(view)) and _unseen(view, DUKE)
    return {"action": INCOME if duke_is_about or rng.random() < 0.3 else FOREIGN_AID, "target": "none"}


def _target(view: View, action: str) -> str | None:
    """The most dangerous opponent who is not expected to block."""
    blockers = BLOCKERS.get(action, ())
    for seat in _opponents(view):
        if action == STEAL and view["coins"][seat] < LOOT:
            continue  # income brings one coin without a claim
        if not any(character in blockers for character in _claimed(view, seat)):
            return seat_name(seat)
    return None


def _would_claim(view: View, action: str, rng: Rng) -> bool:
    if action == COUP:
        return True
    held = CLAIM[action] in view["own"]["cards"]
    if action == EXCHANGE:
        return held and rng.random() < 0.4
    return held or (_unseen(view, CLAIM[action]) > 1 and rng.random() < 0.12)


def _doubts(view: View, rng: Rng) -> bool:
    """Whether a claim is likely enough to be false, given what a wrong challenge costs."""
    stake = view["stake"]
    claimant, character = (stake["blocker"], stake["block"]) if stake["block"] else (stake["actor"], stake["claim"])
    chance = _chance(view, claimant, character)
    doubt = BLUFFING * (1 - chance) / (chance + BLUFFING * (1 - chance))
    last_card = len(view["own"]["cards"]) == 1
    doomed = last_card and stake["action"] == ASSASSINATE and stake["target"] == view["seat"] and not stake["block"]
    if doomed and CONTESSA not in view["own"]["cards"]:
        return doubt > 0.25
    return doubt > (0.75 if last_card else 0.55) + 0.2 * rng.random()


def _block(view: View, rng: Rng) -> str:
    action = view["stake"]["action"]
    for character in BLOCKERS[action]:
        if character in view["own"]["cards"]:
            return BLOCK_AS[character]
    boldness = {FOREIGN_AID: 0.05, STEAL: 0.15, ASSASSINATE: 0.8 if len(view["own"]["cards"]) == 1 else 0.2}[action]
    character = max(BLOCKERS[action], key=lambda blocker: _unseen(view, blocker))
    return BLOCK_AS[character] if _unseen(view, character) and rng.random() < boldness else PASS


BOTS: Mapping[str, Policy] = {"random": random_policy, "steady": steady}
