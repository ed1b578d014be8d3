"""Events of a transition, in words and as data, each with its audience: one function an event.

The types of card build the events of their own abilities (`games/oriflamme/cards`).
"""

from __future__ import annotations

from games.core import PENALTY, PHASE, Event, counted, seat_name
from games.oriflamme.cards import TYPES, CardType, ChoosingType, names_of
from games.oriflamme.cards.base import public_card
from games.oriflamme.phases import CHOICE_PHASES, RESOLUTION
from games.oriflamme.stack import ON, Card, place_name, position_name


def enter(events: list[Event], before: int | None, to: int, words: str) -> None:
    """Append the entry into a phase; `before` is the phase of the state before, for the first entry of a transition."""
    entered = [event.data["to"] for event in events if event.kind == PHASE]
    events.append(Event(PHASE, words, {"from": entered[-1] if entered else before, "to": to}))


def enter_resolution(events: list[Event], before: int, card: Card, at: int) -> None:
    """Append that the next card of the queue is being resolved."""
    enter(events, before, RESOLUTION, f"{public_card(card)} at {position_name(at)} is next.")


def enter_choice(events: list[Event], before: int, card: Card, ability: ChoosingType) -> None:
    """Append that the owner of a card has to choose."""
    how = "" if ability.number == card.kind else f" as a {ability.name}"
    enter(events, before, CHOICE_PHASES + ability.number, f"{public_card(card)} has to {ability.task}{how}.")


def penalty(seat: int, lost: int) -> Event:
    """A seat was struck out."""
    name = seat_name(seat)
    loss = "loses 1 point" if lost else "has no point to lose"
    text = f"{name} gave too many invalid answers: {name} {loss}, and a random legal action is played."
    return Event(PENALTY, text, {"seat": seat, "points": -lost})


def dealt(seat: int, hand: int, removed: int) -> tuple[Event, Event]:
    """A seat got its hand."""
    name, held, gone = seat_name(seat), names_of(hand), names_of(removed)
    return (
        Event(
            "deal",
            f"{name} removes {len(gone)} cards unseen and holds {len(held)}.",
            {"seat": seat, "removed": len(gone), "hand": len(held)},
        ),
        Event(
            "own deal",
            f"{name} is dealt {', '.join(held)}; removed: {', '.join(gone)}.",
            {"seat": seat, "removed": gone, "hand": held},
            (seat,),
        ),
    )


def placed(seat: int, kind: int, place: int) -> tuple[Event, Event]:
    """A card was placed face down."""
    where = f"{'' if place >= ON else 'at the '}{place_name(place)}"
    data = {"seat": seat, "place": place_name(place)}
    name = TYPES[kind].name
    return (
        Event("placed", f"{seat_name(seat)} places a card {where}.", data),
        Event("own card", f"The card that {seat_name(seat)} places {where} is the {name}.", {**data, "card": name}, (seat,)),
    )


def kept(card: Card, at: int) -> Event:
    """A card stayed hidden; `card` is as it was before."""
    tokens = card.tokens + 1
    text = f"{seat_name(card.owner)} keeps the card at {position_name(at)} hidden: {counted(tokens, 'token')} on it now."
    return Event("kept", text, {"seat": card.owner, "position": at + 1, "tokens": tokens})


def revealed(card: Card, at: int, paid: int) -> Event:
    """A card was revealed by its owner; `card` is as it was before."""
    name = TYPES[card.kind].name
    text = f"{seat_name(card.owner)} reveals the {name} at {position_name(at)}"
    if card.tokens:
        text += f" with {counted(card.tokens, 'token')} on it: {counted(paid, 'point')}" if paid else ": its tokens are lost"
    data = {"seat": card.owner, "position": at + 1, "card": name, "tokens": card.tokens, "points": paid}
    return Event("revealed", f"{text}.", data)


def gained(card: Card, ability: CardType, points: int) -> tuple[Event, ...]:
    """An ability without a choice was performed; nothing for an intrigue that has none."""
    if not points and not ability.is_character:
        return ()
    text = f"{public_card(card)} brings {counted(points, 'point') if points else 'nothing'}."
    return (Event("gained", text, {"seat": card.owner, "card": ability.name, "points": points}),)


def idle(card: Card, ability: CardType) -> Event:
    """An ability found nothing to act on."""
    return Event("idle", f"{public_card(card)} finds nothing to act on.", {"seat": card.owner, "card": ability.name})


def copied(copier: Card, model: Card, at: int) -> Event:
    """A Shapeshifter's model was chosen."""
    name = TYPES[model.kind].name
    text = f"{public_card(copier)} copies {public_card(model)} at {position_name(at)}"
    text += ": nothing happens." if TYPES[model.kind].copies else "."
    return Event("copied", text, {"seat": copier.owner, "card": name, "position": at + 1})
