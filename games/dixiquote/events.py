"""Events of a transition, in words and as data, each with its audience."""

from __future__ import annotations

from games.core import PENALTY, PHASE, Event, counted, seat_name, seat_names
from games.dixiquote.options import HAND
from games.dixiquote.phases import PHASES
from games.dixiquote.position import Cards, Position, Round
from games.dixiquote.scoring import winners

Events = list[Event]


def _named(position: Position, *cards: int) -> str:
    return " / ".join(f"[{position.card(card).id}] {position.card(card).text}" for card in cards)


def report_phase(events: Events, before: int, phase_id: int) -> None:
    """The match entered a phase."""
    events.append(Event(PHASE, f"Phase: {PHASES.by_id(phase_id).name}.", {"to": phase_id, "from": before}))


def report_deal(events: Events, position: Position) -> None:
    """The hands were dealt."""
    text = f"Everybody is dealt {HAND} of {len(position.options.deck)} situations."
    events.append(Event("deal", text, {"cards": HAND, "deck": len(position.deck)}))
    for seat, hand in enumerate(position.hands):
        _report_cards(events, position, seat, "is dealt", hand)


def report_reshuffle(events: Events, cards: int) -> None:
    """The cards played came back as a new deck."""
    text = f"The deck has run out: the {counted(cards, 'card')} played are shuffled into a new one."
    events.append(Event("reshuffle", text, {"cards": cards}))


def report_refill(events: Events, before: Position, position: Position) -> None:
    """Hands were refilled from the deck."""
    for seat, hand in enumerate(position.hands):
        kept = set(before.hands[seat]) - {before.submitted[seat]}
        drawn = tuple(card for card in hand if card not in kept)
        if drawn:
            _report_cards(events, position, seat, "draws", drawn)


def _report_cards(events: Events, position: Position, seat: int, verb: str, cards: Cards) -> None:
    data = {"seat": seat, "cards": [position.card(card).to_json() for card in cards]}
    events.append(Event("draw", f"{seat_name(seat)} {verb} {_named(position, *cards)}", data, (seat,)))


def report_round(events: Events, position: Position) -> None:
    """A round began."""
    text = f"Round {position.round}: {seat_name(position.storyteller)} is the Storyteller."
    events.append(Event("round", text, {"round": position.round, "storyteller": position.storyteller}))


def report_choice(events: Events, position: Position, card: int) -> None:
    """The Storyteller chose a card."""
    seat = position.storyteller
    events.append(Event("choose", f"{seat_name(seat)} has chosen a situation.", {"seat": seat}))
    _report_own(events, position, seat, "chose", card)


def report_quote(events: Events, position: Position, quote: str) -> None:
    """The Storyteller gave a quote; an empty one stands for a Storyteller who was struck out."""
    text = f"{seat_name(position.storyteller)} says: “{quote}”" if quote else "The quote stays empty."
    events.append(Event("quote", text, {"seat": position.storyteller, "quote": quote}))


def report_submission(events: Events, position: Position, seat: int, card: int) -> None:
    """A seat submitted a card."""
    events.append(Event("submit", f"{seat_name(seat)} has submitted a situation.", {"seat": seat}))
    _report_own(events, position, seat, "submitted", card)


def report_vote(events: Events, position: Position, seat: int, card: int) -> None:
    """A seat voted."""
    events.append(Event("vote", f"{seat_name(seat)} has voted.", {"seat": seat}))
    _report_own(events, position, seat, "voted for", card)


def _report_own(events: Events, position: Position, seat: int, verb: str, card: int) -> None:
    text = f"{seat_name(seat)} {verb} {_named(position, card)}"
    events.append(Event("own", text, {"seat": seat, "card": position.card(card).id}, (seat,)))


def report_reveal(events: Events, position: Position) -> None:
    """The submitted cards were shown."""
    data = {"cards": [position.card(card).to_json() for card in position.table]}
    events.append(Event("reveal", f"On the table: {_named(position, *position.table)}", data))


def report_scoring(events: Events, position: Position, done: Round, all_skipped: bool) -> None:
    """A round was scored: owners and voters of the cards, and the points."""
    for card, owner, voters in done.cards:
        names = ", ".join(seat_name(voter) for voter in voters) or "nobody"
        whose = f"{seat_name(owner)}{' (Storyteller)' if owner == done.storyteller else ''}"
        data = {"card": position.card(card).id, "owner": owner, "votes": list(voters)}
        events.append(Event("card", f"{whose} played {_named(position, card)} Votes: {names}.", data))
    if all_skipped:
        text = f"Everybody else was skipped: {seat_name(done.storyteller)} gets the Storyteller's bonus."
        events.append(Event("all_skipped", text, {"seat": done.storyteller}))
    gains = ", ".join(f"{seat_name(seat)} {points:+d}" for seat, points in enumerate(done.points))
    data = {"round": done.number, "points": list(done.points)}
    events.append(Event("score", f"Points of round {done.number}: {gains}.", data))


def report_strike_out(events: Events, position: Position, seat: int, lost: int) -> None:
    """A seat was struck out and lost points."""
    scope = position.options.skip_scope
    text = f"{seat_name(seat)} is struck out: {counted(lost, 'point')} lost, skipped for the {scope}."
    events.append(Event(PENALTY, text, {"seat": seat, "points": -lost, "scope": scope}))


def report_forfeit(events: Events, position: Position) -> None:
    """The round was forfeited."""
    events.append(Event("forfeit", "The round is forfeited.", {"round": position.round, "seat": position.storyteller}))


def report_end(events: Events, position: Position) -> None:
    """The match is over."""
    best = winners(position)
    win = "wins" if len(best) == 1 else "share the win"
    text = f"The match is over: {'; '.join(position.ending)}. {seat_names(best)} {win}."
    events.append(Event("end", text, {"winners": list(best), "reasons": list(position.ending)}))
