"""Events of a transition, in words and as data, each with its audience. Transitions add them: `events += told.NAME(...)`."""

from __future__ import annotations

from collections.abc import Iterator

from games.core import PENALTY, PHASE, Aside, Event, Sentence, Who, counted, does, named, win
from games.dixiquote.options import HAND
from games.dixiquote.phases import PHASES
from games.dixiquote.position import Cards, Position, Round
from games.dixiquote.scoring import winners


def _named(position: Position, *cards: int) -> Sentence:
    named = [position.card(card) for card in cards]
    words = [(" / " * (card is not named[0]), Aside(f"[{card.id}] "), f"“{card.text}”") for card in named]
    return Sentence(*(piece for one in words for piece in one))


def phase(before: int, phase_id: int) -> Iterator[Event]:
    """The match entered a phase."""
    yield Event(PHASE, f"Phase: {PHASES.by_id(phase_id).name}.", {"to": phase_id, "from": before})


def deal(position: Position) -> Iterator[Event]:
    """The hands were dealt."""
    text = f"Everybody is dealt {HAND} of {len(position.options.deck)} situations."
    yield Event("deal", text, {"cards": HAND, "deck": len(position.deck)})
    for seat, hand in enumerate(position.hands):
        yield from _cards(position, seat, "be dealt", hand)


def reshuffle(cards: int) -> Iterator[Event]:
    """The cards played came back as a new deck."""
    text = f"The deck has run out: the {counted(cards, 'card')} played are shuffled into a new one."
    yield Event("reshuffle", text, {"cards": cards})


def refill(before: Position, position: Position) -> Iterator[Event]:
    """Hands were refilled from the deck."""
    for seat, hand in enumerate(position.hands):
        kept = set(before.hands[seat]) - {before.submitted[seat]}
        drawn = tuple(card for card in hand if card not in kept)
        if drawn:
            yield from _cards(position, seat, "draw", drawn)


def _cards(position: Position, seat: int, verb: str, cards: Cards) -> Iterator[Event]:
    data = {"seat": seat, "cards": [position.card(card).to_json() for card in cards]}
    yield Event("draw", Sentence(does(seat, f"{verb} "), _named(position, *cards)), data, (seat,))


def round_begins(position: Position) -> Iterator[Event]:
    """A round began."""
    text = Sentence(f"Round {position.round}: ", does(position.storyteller, "be the Storyteller."))
    yield Event("round", text, {"round": position.round, "storyteller": position.storyteller})


def choice(position: Position, card: int) -> Iterator[Event]:
    """The Storyteller chose a card."""
    seat = position.storyteller
    yield Event("choose", does(seat, "have chosen a situation."), {"seat": seat})
    yield from _own(position, seat, "chose", card)


def quote(position: Position, quote: str) -> Iterator[Event]:
    """The Storyteller gave a quote; an empty one stands for a Storyteller who was struck out."""
    text = does(position.storyteller, f"say: “{quote}”") if quote else "The quote stays empty."
    yield Event("quote", text, {"seat": position.storyteller, "quote": quote})


def submission(position: Position, seat: int, card: int) -> Iterator[Event]:
    """A seat submitted a card."""
    yield Event("submit", does(seat, "have submitted a situation."), {"seat": seat})
    yield from _own(position, seat, "submitted", card)


def vote(position: Position, seat: int, card: int) -> Iterator[Event]:
    """A seat voted."""
    yield Event("vote", does(seat, "have voted."), {"seat": seat})
    yield from _own(position, seat, "voted for", card)


def _own(position: Position, seat: int, verb: str, card: int) -> Iterator[Event]:
    text = Sentence(Who(seat), f" {verb} ", _named(position, card))
    yield Event("own", text, {"seat": seat, "card": position.card(card).id}, (seat,))


def reveal(position: Position) -> Iterator[Event]:
    """The submitted cards were shown."""
    data = {"cards": [position.card(card).to_json() for card in position.table]}
    yield Event("reveal", Sentence("On the table: ", _named(position, *position.table)), data)


def scoring(position: Position, done: Round, all_skipped: bool) -> Iterator[Event]:
    """A round was scored: owners and voters of the cards, and the points."""
    for card, owner, voters in done.cards:
        whose = f"{' (Storyteller)' if owner == done.storyteller else ''} played "
        data = {"card": position.card(card).id, "owner": owner, "votes": list(voters)}
        yield Event(
            "card",
            Sentence(Who(owner), whose, _named(position, card), " Votes: ", *(named(voters, ",") or ("nobody",)), "."),
            data,
        )
    if all_skipped:
        gets = does(done.storyteller, "get the Storyteller's bonus.")
        text = Sentence("Everybody else was skipped: ", gets)
        yield Event("all_skipped", text, {"seat": done.storyteller})
    gains = [(Who(seat), f" {points:+d}", ", ") for seat, points in enumerate(done.points)]
    data = {"round": done.number, "points": list(done.points)}
    words = [piece for gain in gains for piece in gain]
    yield Event("score", Sentence(f"Points of round {done.number}: ", *words[:-1], "."), data)


def strike_out(position: Position, seat: int, lost: int) -> Iterator[Event]:
    """A seat was struck out and lost points."""
    scope = position.options.skip_scope
    text = does(seat, f"be struck out: {counted(lost, 'point')} lost, skipped for the {scope}.")
    yield Event(PENALTY, text, {"seat": seat, "points": -lost, "scope": scope})


def forfeit(position: Position) -> Iterator[Event]:
    """The round was forfeited."""
    yield Event("forfeit", "The round is forfeited.", {"round": position.round, "seat": position.storyteller})


def end(position: Position) -> Iterator[Event]:
    """The match is over."""
    best = winners(position)
    text = Sentence(f"The match is over: {'; '.join(position.ending)}. ", win(best))
    yield Event("end", text, {"winners": list(best), "reasons": list(position.ending)})
