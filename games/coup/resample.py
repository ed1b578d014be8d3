"""A position drawn from what a seat knows: the cards it cannot know are dealt again."""

from __future__ import annotations

from collections import Counter

from games.core import Rng
from games.coup import phases
from games.coup.actions import CLAIM, EXCHANGE, claim
from games.coup.cards import CHARACTERS, DECK, Cards, Hand
from games.coup.position import FALSE, PROVEN, SUCCESS, P, Position, Turn


def resample(position: P, seat: int | None, rng: Rng) -> P:
    """A position in which the cards unknown to a seat (None: a spectator) are dealt again.

    The seat's view stays the same, and so does what follows from it: a claimant about to show a card has it, a player
    whose claim was false lacks the card until drawing again, and cards seen to go into the deck since the last draw are there.
    """
    if not position.pending:
        return position._replace(origin=None, word=rng.next())
    while (dealt := _deal(position, seat, rng)) is None:
        pass
    hands, deck, drawn, picks = dealt
    history = tuple(_forget(turn, seat, deck, rng) for turn in position.history)
    word = rng.next()
    return position._replace(origin=None, word=word, hands=hands, deck=deck, drawn=drawn, history=history, picks=picks)


def _deal(position: Position, seat: int | None, rng: Rng) -> tuple[tuple[Hand, ...], Cards, Cards, Cards] | None:
    """One attempt: None when the deal contradicts something the seat knows."""
    picks = tuple(_guess(position, seat, other, rng) for other in range(len(position.picks)))
    unseen = Counter([*CHARACTERS, *filter(None, picks)] if position.picks else DECK)
    certain = {other: _certain(position, other, picks) for other in range(position.setup.players) if other != seat}
    into_deck = _seen_into_deck(position, seat)
    unseen.subtract(_known(position, seat))
    unseen.subtract([*into_deck, *(card for cards in certain.values() for card in cards)])
    if min(unseen.values()) < 0:
        return None
    pile = list(rng.shuffled(sorted(unseen.elements())))
    hands = list(position.hands)
    for other, cards in certain.items():
        missing = len(hands[other].down) - len(cards)
        if missing < 0:
            return None
        down = rng.shuffled([*cards, *(pile.pop() for _ in range(missing))])
        if any(card in down for card in _lacking(position, other)):
            return None
        hands[other] = _refilled(hands[other], down)
    drawn = position.drawn if seat == position.turn.actor else tuple(pile.pop() for _ in position.drawn)
    return tuple(hands), tuple(sorted((*into_deck, *pile))), drawn, picks


def _refilled(hand: Hand, down: Cards) -> Hand:
    coming = iter(down)
    slots = tuple(card if shown else next(coming) for card, shown in zip(hand.slots, hand.up, strict=True))
    return Hand.of(slots, hand.up)


def _guess(position: Position, seat: int | None, other: int, rng: Rng) -> str:
    """The card a seat drafted: the real one if the other seat knows it, otherwise a guess."""
    return position.picks[other] if other == seat or not position.picks[other] else rng.choice(CHARACTERS)


def _known(position: Position, seat: int | None) -> list[str]:
    known = [card for hand in position.hands for card in hand.shown]
    if seat is not None:
        known += position.hands[seat].down
    if seat == position.turn.actor:
        known += position.drawn
    return known


def _certain(position: Position, seat: int, picks: Cards) -> Cards:
    """The face-down cards of a seat that follow from what everybody knows, given the guessed picks."""
    turn = position.turn
    claimant = turn.blocker if turn.block else turn.actor
    if position.phase_id in (*phases.EVALUATIONS, *phases.PROOFS) and seat == claimant:
        return (claim(position),)
    if picks and picks[seat] and picks[seat] not in position.hands[seat].shown and not _redrawn(position, seat):
        return (picks[seat],)
    return ()


def _turns(position: Position) -> tuple[Turn, ...]:
    return (*position.history, position.turn)


def _draws(turn: Turn) -> list[tuple[int, Cards]]:
    """The seats that drew in a turn, each with the cards it put into the deck (of an exchange only the actor knows them)."""
    draws: list[tuple[int, Cards]] = []
    if turn.verdict == PROVEN:
        draws.append((turn.actor, (CLAIM[turn.action],)))
    if turn.block_verdict == PROVEN:
        draws.append((turn.blocker, (turn.block,)))
    if turn.action == EXCHANGE and turn.outcome == SUCCESS:
        draws.append((turn.actor, turn.returned))
    return draws


def _redrawn(position: Position, seat: int) -> bool:
    return any(drawer == seat for turn in _turns(position) for drawer, _ in _draws(turn))


def _seen_into_deck(position: Position, seat: int | None) -> Cards:
    """The cards a seat saw go into the deck, nobody having drawn since."""
    if position.drawn:
        return ()
    for turn in reversed(_turns(position)):
        for drawer, cards in reversed(_draws(turn)):
            if len(cards) > 1:
                return cards if drawer == seat else ()
            return cards if position.setup.options.proof_swap == "draw_then_return" else ()
    return ()


def _lacking(position: Position, seat: int) -> Cards:
    """The characters a seat was found not to have, until it draws a card."""
    lacking: list[str] = []
    for turn in _turns(position):
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
