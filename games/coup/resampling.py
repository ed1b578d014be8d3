"""Dealing anew what a seat cannot know."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from games.core import Rng
from games.coup import phases
from games.coup.cards import CHARACTERS, DECK, Cards, Hand
from games.coup.moves import CLAIM, EXCHANGE
from games.coup.turn import FALSE, PROVEN, SUCCESS, Turn

if TYPE_CHECKING:
    from games.coup.state import State


def fields(state: State, seat: int | None, rng: Rng) -> tuple[Any, ...]:
    """The fields of a state, but for `origin`, in which the cards unknown to a seat are dealt anew.

    The seat's view stays the same. What follows from it is kept too: a claimant about to show a card has it, one whose
    claim was false has not got it before drawing again, and what was last seen to go into the deck is there.
    """
    if state.has_ended:
        return (state.setup, rng.next(), *state[3:])
    while (dealt := _deal(state, seat, rng)) is None:
        pass
    hands, deck, drawn, picks = dealt
    history = tuple(_forget(turn, seat, deck, rng) for turn in state.history)
    return (state.setup, rng.next(), *state[3:6], hands, state.coins, state.living, deck, drawn, state.turn, history, picks)


def _deal(state: State, seat: int | None, rng: Rng) -> tuple[tuple[Hand, ...], Cards, Cards, Cards] | None:
    """One attempt: None when it came out against something the seat knows."""
    picks = tuple(_guess(state, seat, other, rng) for other in range(len(state.picks)))
    unseen = Counter([*CHARACTERS, *filter(None, picks)] if state.picks else DECK)
    certain = {other: _certain(state, other, picks) for other in range(state.setup.players) if other != seat}
    into_deck = _seen_into_deck(state, seat)
    unseen.subtract(_known(state, seat))
    unseen.subtract([*into_deck, *(card for cards in certain.values() for card in cards)])
    if min(unseen.values()) < 0:
        return None
    pile = list(rng.shuffled(sorted(unseen.elements())))
    hands = list(state.hands)
    for other, cards in certain.items():
        missing = len(hands[other].down) - len(cards)
        if missing < 0:
            return None
        down = rng.shuffled([*cards, *(pile.pop() for _ in range(missing))])
        if any(card in down for card in _lacking(state, other)):
            return None
        hands[other] = _refilled(hands[other], down)
    drawn = state.drawn if seat == state.turn.actor else tuple(pile.pop() for _ in state.drawn)
    return tuple(hands), tuple(sorted((*into_deck, *pile))), drawn, picks


def _refilled(hand: Hand, down: Cards) -> Hand:
    coming = iter(down)
    slots = tuple(card if shown else next(coming) for card, shown in zip(hand.slots, hand.up, strict=True))
    return Hand.of(slots, hand.up)


def _guess(state: State, seat: int | None, other: int, rng: Rng) -> str:
    """What a seat drafted, as far as another one knows."""
    return state.picks[other] if other == seat or not state.picks[other] else rng.choice(CHARACTERS)


def _known(state: State, seat: int | None) -> list[str]:
    known = [card for hand in state.hands for card in hand.shown]
    if seat is not None:
        known += state.hands[seat].down
    if seat == state.turn.actor:
        known += state.drawn
    return known


def _certain(state: State, seat: int, picks: Cards) -> Cards:
    """The face-down cards of a seat that everybody can be sure of."""
    turn = state.turn
    claimant = turn.blocker if turn.block else turn.actor
    if state.phase_id in (*phases.EVALUATIONS, *phases.PROOFS) and seat == claimant:
        return (state.claim,)
    if picks and picks[seat] and picks[seat] not in state.hands[seat].shown and not _redrawn(state, seat):
        return (picks[seat],)
    return ()


def _turns(state: State) -> tuple[Turn, ...]:
    return (*state.history, state.turn)


def _draws(turn: Turn) -> list[tuple[int, Cards]]:
    """Who took cards from the deck in a turn, and what went into it (for an exchange, as the actor knows)."""
    draws: list[tuple[int, Cards]] = []
    if turn.verdict == PROVEN:
        draws.append((turn.actor, (CLAIM[turn.action],)))
    if turn.block_verdict == PROVEN:
        draws.append((turn.blocker, (turn.block,)))
    if turn.action == EXCHANGE and turn.outcome == SUCCESS:
        draws.append((turn.actor, turn.returned))
    return draws


def _redrawn(state: State, seat: int) -> bool:
    return any(drawer == seat for turn in _turns(state) for drawer, _ in _draws(turn))


def _seen_into_deck(state: State, seat: int | None) -> Cards:
    """The cards a seat saw go into the deck, nobody having drawn since."""
    if state.drawn:
        return ()
    for turn in reversed(_turns(state)):
        for drawer, cards in reversed(_draws(turn)):
            if len(cards) > 1:
                return cards if drawer == seat else ()
            return cards if state.setup.options.proof_swap == "draw_then_return" else ()
    return ()


def _lacking(state: State, seat: int) -> Cards:
    """The characters a seat was found not to have, and has not drawn since."""
    lacking: list[str] = []
    for turn in _turns(state):
        if turn.actor == seat and turn.verdict == FALSE:
            lacking.append(CLAIM[turn.action])
        if turn.blocker == seat and turn.block_verdict == FALSE:
            lacking.append(turn.block)
        if any(drawer == seat for drawer, _ in _draws(turn)):
            lacking.clear()
    return tuple(lacking)


def _forget(turn: Turn, seat: int | None, deck: Cards, rng: Rng) -> Turn:
    if not turn.returned or turn.actor == seat:
        return turn
    return turn.exchanged(rng.shuffled(deck)[:2])
