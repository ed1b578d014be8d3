"""The end of a round: hands filled up from the deck, and the reasons for the end of the match."""

from __future__ import annotations

from games.core import Event, Rng
from games.dixiquote import events as told
from games.dixiquote.batches import batches, drawing_order
from games.dixiquote.options import HAND, last_round_by_options
from games.dixiquote.position import Cards, Position, Round

Events = list[Event] | None


def refilled(position: Position, done: Round, events: Events) -> tuple[tuple[Cards, ...], Cards, int]:
    """Hands with played cards replaced from the deck (rule 9), the rest of the deck, and the chance that is left."""
    deck, chance, drawn = position.deck, position.chance, 0
    hands = [*position.hands]
    for seat in drawing_order(position, position.storyteller):
        played = position.submitted[seat]
        kept = [card for card in hands[seat] if card != played]
        missing = HAND - len(kept)
        if missing > len(deck) - drawn and position.options.deck_end == "reshuffle":  # at most once: all others are in hands
            deck, chance = _reshuffled(position, deck, done, events)
        kept += deck[drawn : drawn + missing]
        drawn += missing
        kept.sort()
        hands[seat] = tuple(kept)
    return tuple(hands), deck[drawn:], chance


def _reshuffled(position: Position, deck: Cards, done: Round, events: Events) -> tuple[Cards, int]:
    """The rest of the deck with the cards played since the last shuffle under it, and the chance that is left."""
    rng = Rng(position.chance)
    returned = rng.shuffled([*batches(position).played, *(played.card for played in done.cards)])
    if events is not None:
        events += told.reshuffle(len(returned))
    return (*deck, *returned), rng.word


def reasons_to_end(position: Position) -> tuple[str, ...]:
    """Rule 12, judged after the refill."""
    options, players = position.options, position.setup.players
    last = last_round_by_options(players, options)
    reasons = []
    if max(position.scores) >= options.target_score:
        reasons.append(f"the target score of {options.target_score} is reached")
    if position.round >= last:
        reasons.append(f"round {last} of {last} is played")
    if _has_run_out(position):
        reasons.append("the deck has run out")
    goes_on = options.deck_end == "whole_cycle" and position.round % players and position.round < last and all(position.hands)
    return () if goes_on else tuple(reasons)


def _has_run_out(position: Position) -> bool:
    """Whether the deck is at its end (D-C8); with reshuffling it never is."""
    deck_end = position.options.deck_end
    if deck_end == "reshuffle":
        return False
    if deck_end == "cannot_refill":
        return any(len(hand) < HAND for hand in position.hands)
    return not position.deck
