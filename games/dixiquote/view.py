"""What a seat may know, as JSON data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.core import View
from games.dixiquote.cards import SituationCard
from games.dixiquote.phases import PHASES, VOTE
from games.dixiquote.position import Position, Round
from games.dixiquote.scoring import winners

Deck = Sequence[SituationCard]


def view(position: Position, seat: int | None) -> View:
    """All that a seat (None: a spectator) may know. Nobody sees who has already answered in the current phase."""
    options, deck = position.options, position.options.deck
    return {
        "game": "dixiquote",
        "seat": seat,
        "phase": {"id": position.phase_id, "name": PHASES.by_id(position.phase_id).name},
        "players": position.setup.players,
        "round": position.round,
        "max_rounds": options.max_rounds,
        "storyteller": position.storyteller,
        "scores": list(position.scores),
        "target_score": options.target_score,
        "scoring": options.scoring,
        "blind_quote": options.blind_quote,
        "max_quote_lines": options.max_quote_lines,
        "genre": options.genre,
        "deck_left": len(position.deck),
        "hand_sizes": _hand_sizes(position),
        "quote": position.quote,
        "table": [_card(deck, card) for card in position.table],
        "skipped": sorted(position.skipped),
        "history": [_round(deck, done) for done in position.history],
        "winners": list(winners(position)),
        "ending": list(position.ending),
        "own": None if seat is None else _own(position, seat),
    }


def _hand_sizes(position: Position) -> list[int]:
    """The cards in each hand. A submitted card counts until all have submitted, so that nobody can tell who has."""
    on_table = position.phase_id == VOTE
    return [len(hand) - (on_table and position.submitted[seat] is not None) for seat, hand in enumerate(position.hands)]


def _own(position: Position, seat: int) -> dict[str, Any]:
    played, deck = position.submitted[seat], position.options.deck
    told = seat == position.storyteller and not position.options.blind_quote
    return {
        "hand": [_card(deck, card) for card in position.hands[seat] if card != played],
        "chosen": _card(deck, played) if told and played is not None else None,
        "submitted": _card(deck, played) if not told and played is not None else None,
        "vote": None if (vote := position.votes[seat]) is None else deck[vote].id,
    }


def _card(deck: Deck, number: int) -> dict[str, str]:
    card = deck[number]
    return {"id": card.id, "text": card.text}


def _round(deck: Deck, done: Round) -> dict[str, Any]:
    return {
        "round": done.number,
        "storyteller": done.storyteller,
        "quote": done.quote,
        "forfeited": done.forfeited,
        "cards": [{**_card(deck, p.card), "owner": p.owner, "votes": list(p.voters)} for p in done.cards],
        "points": list(done.points),
    }
