"""What each seat may know of a match of DixiQuote, and what that leaves open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.core import Event, Rng, View, seat_name
from games.dixiquote.phases import VOTE

if TYPE_CHECKING:
    from games.dixiquote.state import Round, State


def view(state: State, seat: int | None) -> View:
    """The view of a seat (None: a spectator). Who has answered in the phase going on is nobody's to see."""
    options = state.options
    return {
        "game": "dixiquote",
        "seat": seat,
        "phase": {"id": state.phase_id, "name": state.phase.name},
        "players": state.setup.players,
        "round": state.round,
        "max_rounds": options.max_rounds,
        "storyteller": state.storyteller,
        "scores": list(state.scores),
        "target_score": options.target_score,
        "scoring": options.scoring,
        "blind_quote": options.blind_quote,
        "max_quote_lines": options.max_quote_lines,
        "genre": options.genre,
        "deck_left": len(state.deck),
        "hand_sizes": _hand_sizes(state),
        "quote": state.quote,
        "table": [_card(state, card) for card in state.table],
        "history": [_round(state, done) for done in state.history],
        "winners": list(state.winners),
        "ending": list(state.ending),
        "own": None if seat is None else _own(state, seat),
    }


def _hand_sizes(state: State) -> list[int]:
    """Cards in hand; while submissions are being made these are full, so that nobody can tell who has answered."""
    on_table = state.phase_id == VOTE
    return [len(hand) - (on_table and state.submitted[seat] is not None) for seat, hand in enumerate(state.hands)]


def _own(state: State, seat: int) -> dict[str, Any]:
    played = state.submitted[seat]
    told = seat == state.storyteller and not state.options.blind_quote
    return {
        "hand": [_card(state, card) for card in state.hands[seat] if card != played],
        "chosen": _card(state, played) if told and played is not None else None,
        "submitted": _card(state, played) if not told and played is not None else None,
        "vote": None if (vote := state.votes[seat]) is None else state.card(vote).id,
    }


def _card(state: State, number: int) -> dict[str, str]:
    card = state.card(number)
    return {"id": card.id, "text": card.text}


def _round(state: State, done: Round) -> dict[str, Any]:
    return {
        "round": done.number,
        "storyteller": done.storyteller,
        "quote": done.quote,
        "forfeited": done.forfeited,
        "cards": [{**_card(state, p.card), "owner": p.owner, "votes": list(p.voters)} for p in done.cards],
        "points": list(done.points),
    }


def tell_scoring(state: State, done: Round, all_skipped: bool, told: list[Event]) -> None:
    """Tell who played and voted what, and the points."""
    for played in done.cards:
        voters = ", ".join(seat_name(voter) for voter in played.voters) or "nobody"
        whose = f"{seat_name(played.owner)}{' (Storyteller)' if played.owner == done.storyteller else ''}"
        text = f"{whose} played [{state.card(played.card).id}] {state.card(played.card).text} Votes: {voters}."
        data = {"card": state.card(played.card).id, "owner": played.owner, "votes": list(played.voters)}
        told.append(Event("card", text, data))
    if all_skipped:
        text = f"Everybody else was skipped: {seat_name(done.storyteller)} gets the Storyteller's bonus."
        told.append(Event("all_skipped", text, {"seat": done.storyteller}))
    gains = ", ".join(f"{seat_name(seat)} {points:+d}" for seat, points in enumerate(done.points))
    told.append(Event("score", f"Points of round {done.number}: {gains}.", {"round": done.number, "points": list(done.points)}))


def resample(state: State, seat: int | None, rng: Rng) -> State:
    """Deal anew what the seat cannot know: other hands, the deck's order, who played which card, and others' votes."""
    on_table = state.phase_id == VOTE
    submitted = _resampled_owners(state, seat, rng) if on_table else list(state.submitted)
    fixed = {seat} if seat is not None else set()
    known = set(state.table).union(*(state.hands[s] for s in fixed))
    pool = rng.shuffled([c for hand in state.hands for c in hand if c not in known] + [c for c in state.deck if c not in known])
    hands, start = list(state.hands), 0
    for other, hand in enumerate(state.hands):
        if other in fixed:
            continue
        kept = [submitted[other]] if on_table and submitted[other] is not None else []
        need = len(hand) - len(kept)
        hands[other] = tuple(sorted([*(card for card in kept if card is not None), *pool[start : start + need]]))
        start += need
        if not on_table and submitted[other] is not None:
            submitted[other] = rng.choice(hands[other])
    dealt = state._replace(origin=None, hands=tuple(hands), deck=pool[start:], submitted=tuple(submitted), chance=rng.next())
    votes = [
        vote if vote is None or voter == seat else rng.choice(dealt.legal_moves(voter))
        for voter, vote in enumerate(state.votes)
    ]
    return dealt._replace(votes=tuple(votes))


def _resampled_owners(state: State, seat: int | None, rng: Rng) -> list[int | None]:
    owners = [s for s, card in enumerate(state.submitted) if card is not None and s != seat]
    cards = rng.shuffled([card for s in owners if (card := state.submitted[s]) is not None])
    submitted = list(state.submitted)
    for owner, card in zip(owners, cards, strict=True):
        submitted[owner] = card
    return submitted
