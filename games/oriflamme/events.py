"""Events of a transition, in words and as data, each with its audience. Transitions add them: `events += told.NAME(...)`.

The types of card build the events of their own abilities (`games/oriflamme/cards`).
"""

from __future__ import annotations

from collections.abc import Iterator

from games.core import PENALTY, PHASE, Does, Event, Sentence, Who, counted, does, win
from games.oriflamme.cards import TYPES, CardType, ChoosingType, names_of
from games.oriflamme.cards.base import public_card
from games.oriflamme.phases import CHOICE_PHASES, RESOLUTION
from games.oriflamme.position import Position
from games.oriflamme.scoring import ending, winners
from games.oriflamme.stack import ON, QueueCard, place_name, position_name


def phase(events: list[Event], before: int | None, to: int, words: str) -> Iterator[Event]:
    """A phase is entered; `before` is the phase of the state before, for the first entry of a transition among `events`."""
    entered = [event.data["to"] for event in events if event.kind == PHASE]
    yield Event(PHASE, words, {"from": entered[-1] if entered else before, "to": to})


def resolution(events: list[Event], before: int, card: QueueCard, at: int) -> Iterator[Event]:
    """The next card of the queue is being resolved."""
    return phase(events, before, RESOLUTION, Sentence(public_card(card), f" at {position_name(at)} is next."))


def choice(events: list[Event], before: int, card: QueueCard, ability: ChoosingType) -> Iterator[Event]:
    """The owner of a card has to choose."""
    how = "" if ability.number == card.kind else f" as a {ability.name}"
    return phase(events, before, CHOICE_PHASES + ability.number, Sentence(public_card(card), f" has to {ability.task}{how}."))


def penalty(seat: int, lost: int) -> Iterator[Event]:
    """A seat was struck out."""
    loss = f"{'lose 1 point' if lost else 'have no point to lose'}, and a random legal action is played."
    text = Sentence(Who(seat), " gave too many invalid answers: ", does(seat, loss))
    yield Event(PENALTY, text, {"seat": seat, "points": -lost})


def dealt(seat: int, hand: int, removed: int) -> Iterator[Event]:
    """A seat got its hand."""
    held, gone = names_of(hand), names_of(removed)
    yield Event(
        "deal",
        Sentence(does(seat, f"remove {len(gone)} cards unseen and"), Does(seat, f"hold {len(held)}.")),
        {"seat": seat, "removed": len(gone), "hand": len(held)},
    )
    yield Event(
        "own deal",
        does(seat, f"be dealt {', '.join(held)}; removed: {', '.join(gone)}."),
        {"seat": seat, "removed": gone, "hand": held},
        (seat,),
    )


def placed(seat: int, kind: int, place: int) -> Iterator[Event]:
    """A card was placed face down."""
    where = f"{'' if place >= ON else 'at the '}{place_name(place)}"
    data = {"seat": seat, "place": place_name(place)}
    name = TYPES[kind].name
    yield Event("placed", does(seat, f"place a card {where}."), data)
    text = Sentence("The card that ", does(seat, f"place {where} is the {name}."))
    yield Event("own card", text, {**data, "card": name}, (seat,))


def kept(card: QueueCard, at: int) -> Iterator[Event]:
    """A card stayed hidden; `card` is as it was before."""
    tokens = card.tokens + 1
    text = does(card.owner, f"keep the card at {position_name(at)} hidden: {counted(tokens, 'token')} on it now.")
    yield Event("kept", text, {"seat": card.owner, "position": at + 1, "tokens": tokens})


def revealed(card: QueueCard, at: int, paid: int) -> Iterator[Event]:
    """A card was revealed by its owner; `card` is as it was before."""
    name = TYPES[card.kind].name
    text = f"reveal the {name} at {position_name(at)}"
    if card.tokens:
        text += f" with {counted(card.tokens, 'token')} on it: {counted(paid, 'point')}" if paid else ": its tokens are lost"
    data = {"seat": card.owner, "position": at + 1, "card": name, "tokens": card.tokens, "points": paid}
    yield Event("revealed", does(card.owner, f"{text}."), data)


def gained(card: QueueCard, ability: CardType, points: int) -> Iterator[Event]:
    """An ability without a choice was performed; nothing for an intrigue that has none."""
    if not points and not ability.is_character:
        return
    text = Sentence(public_card(card), f" brings {counted(points, 'point') if points else 'nothing'}.")
    yield Event("gained", text, {"seat": card.owner, "card": ability.name, "points": points})


def idle(card: QueueCard, ability: CardType) -> Iterator[Event]:
    """An ability found nothing to act on."""
    yield Event("idle", Sentence(public_card(card), " finds nothing to act on."), {"seat": card.owner, "card": ability.name})


def copied(copier: QueueCard, model: QueueCard, at: int) -> Iterator[Event]:
    """A Shapeshifter's model was chosen."""
    name = TYPES[model.kind].name
    end = ": nothing happens." if TYPES[model.kind].copies else "."
    text = Sentence(public_card(copier), " copies ", public_card(model), f" at {position_name(at)}{end}")
    yield Event("copied", text, {"seat": copier.owner, "card": name, "position": at + 1})


def end(position: Position) -> Iterator[Event]:
    """The match is over."""
    best = winners(position)
    text = Sentence(f"The match is over: {'; '.join(ending(position))}. ", win(best))
    yield Event("end", text, {"winners": list(best), "scores": list(position.scores)})
