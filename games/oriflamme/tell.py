"""What happened, in words and data, for those who may know it. Each function appends to the events told so far."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import PENALTY, PHASE, Event, counted, seat_name
from games.oriflamme.cards.base import TYPES, CardType
from games.oriflamme.phase_ids import RESOLUTION
from games.oriflamme.places import BACK, ON, place_name, position_name
from games.oriflamme.stack import Card
from games.oriflamme.words import public_card

Told = list[Event]


def phase(told: Told, before: int | None, to: int, words: str) -> None:
    """A phase was entered; `before` is the phase of the state before, for the first entry of a transition."""
    entered = [event.data["to"] for event in told if event.kind == PHASE]
    told.append(Event(PHASE, words, {"from": entered[-1] if entered else before, "to": to}))


def reached(told: Told, before: int, card: Card, at: int) -> None:
    """The next card of the queue is being resolved."""
    phase(told, before, RESOLUTION, f"{public_card(card)} at {position_name(at)} is next.")


def choosing(told: Told, before: int, card: Card, ability: CardType) -> None:
    """The owner of a card has to choose."""
    how = "" if ability.number == card.kind else f" as a {ability.name}"
    phase(told, before, ability.phase_id, f"{public_card(card)} has to {ability.task}{how}.")


def penalty(told: Told, seat: int, lost: int) -> None:
    """A seat was struck out."""
    name = seat_name(seat)
    loss = "loses 1 point" if lost else "has no point to lose"
    text = f"{name} gave too many invalid answers: {name} {loss}, and a random legal action is played."
    told.append(Event(PENALTY, text, {"seat": seat, "points": -lost}))


def dealt(told: Told, seat: int, hand: Sequence[int], removed: Sequence[int]) -> None:
    """A seat got its hand."""
    text = f"{seat_name(seat)} removes {len(removed)} cards unseen and holds {len(hand)}."
    told.append(Event("deal", text, {"seat": seat, "removed": len(removed), "hand": len(hand)}))
    held, gone = [TYPES[kind].name for kind in hand], [TYPES[kind].name for kind in removed]
    text = f"{seat_name(seat)} is dealt {', '.join(held)}; removed: {', '.join(gone)}."
    told.append(Event("own deal", text, {"seat": seat, "removed": gone, "hand": held}, (seat,)))


def placed(told: Told, seat: int, kind: int, place: int) -> None:
    """A card was placed face down."""
    where = f"{'' if place >= ON else 'at the '}{place_name(place)}"
    data = {"seat": seat, "place": place_name(place)}
    told.append(Event("placed", f"{seat_name(seat)} places a card {where}.", data))
    name = TYPES[kind].name
    told.append(Event("own card", f"The card you place {where} is your {name}.", {**data, "card": name}, (seat,)))


def kept(told: Told, card: Card, at: int) -> None:
    """A card stayed hidden; `card` is as it was before."""
    tokens = card.tokens + 1
    text = f"{seat_name(card.owner)} keeps the card at {position_name(at)} hidden: {counted(tokens, 'token')} on it now."
    told.append(Event("kept", text, {"seat": card.owner, "position": at + 1, "tokens": tokens}))


def revealed(told: Told, card: Card, at: int, paid: int) -> None:
    """A card was revealed by its owner; `card` is as it was before."""
    name = TYPES[card.kind].name
    text = f"{seat_name(card.owner)} reveals the {name} at {position_name(at)}"
    if card.tokens:
        text += f" with {counted(card.tokens, 'token')} on it: {counted(paid, 'point')}" if paid else ": its tokens are lost"
    data = {"seat": card.owner, "position": at + 1, "card": name, "tokens": card.tokens, "points": paid}
    told.append(Event("revealed", f"{text}.", data))


def gained(told: Told, card: Card, ability: CardType, points: int) -> None:
    """An ability without a choice was performed."""
    if not points and not ability.is_character:
        return
    text = f"{public_card(card)} brings {counted(points, 'point') if points else 'nothing'}."
    told.append(Event("gained", text, {"seat": card.owner, "card": ability.name, "points": points}))


def idle(told: Told, card: Card, ability: CardType) -> None:
    """An ability found nothing to act on."""
    data = {"seat": card.owner, "card": ability.name}
    told.append(Event("idle", f"{public_card(card)} finds nothing to act on.", data))


def eliminated(told: Told, attacker: Card, victim: Card, target: int, itself: bool) -> None:
    """A card was eliminated; it is public from now on."""
    name = TYPES[victim.kind].name
    whom = "itself" if itself else public_card(victim)
    text = f"{public_card(attacker)} eliminates {whom} at {position_name(target)}"
    text += "" if victim.revealed else f": it was the {name}"
    lost = f", {counted(victim.tokens, 'token')} lost" if victim.tokens else ""
    data = {
        "seat": attacker.owner,
        "card": TYPES[attacker.kind].name,
        "victim": victim.owner,
        "victim_card": name,
        "position": target + 1,
        "tokens": victim.tokens,
        "points": 1,
    }
    told.append(Event("eliminated", f"{text}{lost}. {seat_name(attacker.owner)} gets 1 point.", data))


def ambushed(told: Told, attacker: Card, victim: Card, points: int) -> None:
    """The eliminated card was an Ambush and took the attacker with it."""
    name = TYPES[victim.kind].name
    text = f"{seat_name(victim.owner)}'s {name} brings {counted(points, 'point')} and {public_card(attacker)} leaves too."
    told.append(Event("ambush", text, {"seat": victim.owner, "attacker": attacker.owner, "points": points}))


def discarded(told: Told, card: Card) -> None:
    """A card left after its ability."""
    name = TYPES[card.kind].name
    told.append(Event("discarded", f"{public_card(card)} is discarded.", {"seat": card.owner, "card": name}))


def spied(told: Told, seat: int, victim: int, taken: int) -> None:
    """A Spy's victim was chosen."""
    if seat == victim:
        text = f"{seat_name(seat)}'s Spy turns on its own family: nothing happens."
    else:
        text = f"{seat_name(seat)}'s Spy takes {counted(taken, 'point') if taken else 'nothing'} from {seat_name(victim)}."
    told.append(Event("spied", text, {"seat": seat, "victim": victim, "points": taken}))


def copied(told: Told, copier: Card, model: Card, at: int) -> None:
    """A Shapeshifter's model was chosen."""
    name = TYPES[model.kind].name
    text = f"{public_card(copier)} copies {public_card(model)} at {position_name(at)}"
    text += ": nothing happens." if TYPES[model.kind].copies else "."
    told.append(Event("copied", text, {"seat": copier.owner, "card": name, "position": at + 1}))


def moved(told: Told, decree: Card, card: Card, at: int, place: int) -> None:
    """A Royal Decree moved a card."""
    where = f"{'' if 0 < place < BACK or place >= ON else 'to the '}{place_name(place)}"
    text = f"{public_card(decree)} moves {public_card(card)} from {position_name(at)} {where}."
    name = TYPES[card.kind].name if card.revealed else None
    data = {"seat": decree.owner, "owner": card.owner, "card": name, "position": at + 1, "to": place_name(place)}
    told.append(Event("moved", text, data))
