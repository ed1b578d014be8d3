"""The deal, and the position after a move or a strike-out.

Functions return positions of the type they are given. Events are appended to `events`, unless it is None.
"""

from __future__ import annotations

from typing import Any

from games.core import OPENING, STRIKE_OUT, Event, OptionError, Rng, Setup
from games.core.tuples import replaced
from games.dixiquote.actions import pending
from games.dixiquote.batches import batches, drawing_order
from games.dixiquote.events import (
    report_choice,
    report_deal,
    report_end,
    report_forfeit,
    report_phase,
    report_quote,
    report_refill,
    report_reshuffle,
    report_reveal,
    report_round,
    report_scoring,
    report_strike_out,
    report_submission,
    report_vote,
)
from games.dixiquote.options import HAND, DixiQuoteOptions, last_round_by_options
from games.dixiquote.phases import CHOOSE, DEAL, OVER, QUOTE, ROUND_END, SCORE, SUBMIT, VOTE
from games.dixiquote.position import Cards, P, Played, Position, Round
from games.dixiquote.scoring import all_skipped_points, round_points

Events = list[Event] | None


def deal(kind: type[P], setup: Setup, events: Events) -> P:
    """The first position of a match. OptionError when the deck is too small."""
    options: DixiQuoteOptions = setup.options
    players, size, dealt = setup.players, len(options.deck), HAND * setup.players
    if size < dealt:
        raise OptionError(f"The deck has {size} cards, but {players} players need at least {dealt} to be dealt {HAND} each.")
    rng = Rng.of("dixiquote", setup.seed)
    deck = rng.shuffled(range(size))
    position = kind(
        origin=OPENING,
        setup=setup,
        chance=rng.word,
        phase_id=DEAL,
        round=1,
        storyteller=0,
        scores=(0,) * players,
        hands=tuple(tuple(sorted(deck[seat * HAND : (seat + 1) * HAND])) for seat in range(players)),
        deck=deck[dealt:],
        quote=None,
        submitted=(None,) * players,
        table=(),
        votes=(None,) * players,
        skipped=frozenset(),
        history=(),
        ending=(),
    )
    if events is not None:
        report_deal(events, position)
    return _begin_round(position, events)


def apply(position: P, seat: int, move: Any, events: Events) -> P:
    """The position after a legal move."""
    after = position._replace(origin=(position, seat, move))
    if position.phase_id == CHOOSE:
        return _choose(after, move, events)
    if position.phase_id == QUOTE:
        return _quote(after, move, events)
    if position.phase_id == SUBMIT:
        return _submit(after, seat, move, events)
    return _vote(after, seat, move, events)


def strike_out(position: P, seat: int, events: Events) -> P:
    """The position after a strike-out: a point is lost and the seat skipped (rule 10)."""
    lost = int(position.scores[seat] > 0)  # a penalty never raises a score
    scores = replaced(position.scores, seat, position.scores[seat] - lost)
    after = position._replace(origin=(position, seat, STRIKE_OUT), scores=scores, skipped=position.skipped | {seat})
    if events is not None:
        report_strike_out(events, position, seat, lost)
    if position.phase_id not in (CHOOSE, QUOTE):
        return _continue(after, events)
    if position.options.storyteller_skip == "forfeit":
        return _forfeit(after, events)
    if position.phase_id == QUOTE:
        return _quote(after, "", events)
    rng = Rng(position.chance)
    drawn = rng.choice(position.hands[seat])
    return _choose(after._replace(chance=rng.word), drawn, events)


def _enter(position: P, phase_id: int, events: Events) -> P:
    if events is not None:
        report_phase(events, position.phase_id, phase_id)
    keeps_skips = position.options.skip_scope == "round" and phase_id in (QUOTE, SUBMIT, VOTE)
    return position._replace(phase_id=phase_id, skipped=position.skipped if keeps_skips else frozenset[int]())


def _begin_round(position: P, events: Events) -> P:
    if events is not None:
        report_round(events, position)
    return _enter(position, QUOTE if position.options.blind_quote else CHOOSE, events)


def _choose(position: P, card: int, events: Events) -> P:
    seat = position.storyteller
    if events is not None:
        report_choice(events, position, card)
    after = _enter(position._replace(submitted=replaced(position.submitted, seat, card)), QUOTE, events)
    return _quote(after, "", events) if seat in after.skipped else after  # struck out for the whole round


def _quote(position: P, quote: str, events: Events) -> P:
    if events is not None:
        report_quote(events, position, quote)
    return _continue(_enter(position._replace(quote=quote), SUBMIT, events), events)


def _submit(position: P, seat: int, card: int, events: Events) -> P:
    if events is not None:
        report_submission(events, position, seat, card)
    return _continue(position._replace(submitted=replaced(position.submitted, seat, card)), events)


def _vote(position: P, seat: int, card: int, events: Events) -> P:
    if events is not None:
        report_vote(events, position, seat, card)
    return _continue(position._replace(votes=replaced(position.votes, seat, card)), events)


def _continue(position: P, events: Events) -> P:
    """The next phase, once everybody has submitted or voted."""
    if pending(position):
        return position
    if position.phase_id == VOTE or not _others_answered(position, position.submitted):
        return _score(position, events)
    rng = Rng(position.chance)
    table = rng.shuffled([card for card in position.submitted if card is not None])  # rule 4
    after = _enter(position._replace(chance=rng.word, table=table), VOTE, events)
    if events is not None:
        report_reveal(events, after)
    return _continue(after, events)


def _others_answered(position: Position, answers: tuple[int | None, ...]) -> bool:
    return any(answer is not None for seat, answer in enumerate(answers) if seat != position.storyteller)


def _score(position: P, events: Events) -> P:
    after = _enter(position, SCORE, events)
    owners = {card: seat for seat, card in enumerate(position.submitted) if card is not None}
    all_skipped = not _others_answered(position, position.votes)
    if all_skipped:
        points = all_skipped_points(position.setup.players, position.storyteller, position.options)
    else:
        points = round_points(position.storyteller, owners, position.votes, position.options)
    scores = tuple(_floored(position, score, gain) for score, gain in zip(position.scores, points, strict=True))
    gains = tuple(new - old for old, new in zip(position.scores, scores, strict=True))
    cards = tuple(Played(card, owners[card], _voters(position, card)) for card in position.table or owners)
    done = Round(position.round, position.storyteller, position.quote, False, cards, gains)
    if events is not None:
        report_scoring(events, position, done, all_skipped)
    return _end_round(after._replace(scores=scores), done, events)


def _floored(position: Position, score: int, gain: int) -> int:
    floor = position.options.score_floor
    return score + gain if floor is None or gain >= 0 else max(min(floor, score), score + gain)


def _voters(position: Position, card: int) -> tuple[int, ...]:
    return tuple(seat for seat, vote in enumerate(position.votes) if vote == card)


def _forfeit(position: P, events: Events) -> P:
    """D-C7: nothing was played, so a card already chosen stays in hand, and secret."""
    if events is not None:
        report_forfeit(events, position)
    zeros, nothing = (0,) * position.setup.players, (None,) * position.setup.players
    done = Round(position.round, position.storyteller, position.quote, True, (), zeros)
    return _end_round(position._replace(submitted=nothing), done, events)


def _end_round(position: P, done: Round, events: Events) -> P:
    entered = _enter(position, ROUND_END, events)
    after, is_short = _refilled(entered, done, events)
    nothing = (None,) * position.setup.players
    after = after._replace(quote=None, submitted=nothing, table=(), votes=nothing, history=(*position.history, done))
    if events is not None:
        report_refill(events, position, after)
    ending = _reasons_to_end(after, is_short)
    if not ending:
        return _begin_round(after._replace(round=position.round + 1, storyteller=_next_storyteller(position)), events)
    over = _enter(after, OVER, events)._replace(ending=ending)
    if events is not None:
        report_end(events, over)
    return over


def _next_storyteller(position: Position) -> int:
    return (position.storyteller + 1) % position.setup.players


def _refilled(position: P, done: Round, events: Events) -> tuple[P, bool]:
    """The position with played cards replaced from the deck (rule 9), and whether a hand stayed short."""
    deck, chance = position.deck, position.chance
    hands: list[Cards] = [
        tuple(card for card in hand if card != position.submitted[seat]) for seat, hand in enumerate(position.hands)
    ]
    for seat in drawing_order(position, position.storyteller):
        missing = HAND - len(hands[seat])
        if missing > len(deck) and position.options.deck_end == "reshuffle":  # at most once: all other cards are in hands
            deck, chance = _reshuffled(position, deck, done, events)
        hands[seat] = tuple(sorted((*hands[seat], *deck[:missing])))
        deck = deck[missing:]
    return position._replace(hands=tuple(hands), deck=deck, chance=chance), any(len(hand) < HAND for hand in hands)


def _reshuffled(position: Position, deck: Cards, done: Round, events: Events) -> tuple[Cards, int]:
    """The rest of the deck with the cards played since the last shuffle under it, and the chance that is left."""
    rng = Rng(position.chance)
    returned = rng.shuffled([*batches(position).played, *(played.card for played in done.cards)])
    if events is not None:
        report_reshuffle(events, len(returned))
    return (*deck, *returned), rng.word


def _reasons_to_end(position: Position, is_short: bool) -> tuple[str, ...]:
    """Rule 12, judged after the refill."""
    options, players = position.options, position.setup.players
    last = last_round_by_options(players, options)
    reasons = []
    if max(position.scores) >= options.target_score:
        reasons.append(f"the target score of {options.target_score} is reached")
    if position.round >= last:
        reasons.append(f"round {last} of {last} is played")
    if _has_run_out(position, is_short):
        reasons.append("the deck has run out")
    goes_on = options.deck_end == "whole_cycle" and position.round % players and position.round < last and all(position.hands)
    return () if goes_on else tuple(reasons)


def _has_run_out(position: Position, is_short: bool) -> bool:
    """Whether the deck is at its end (D-C8); with reshuffling it never is."""
    deck_end = position.options.deck_end
    return deck_end != "reshuffle" and (is_short if deck_end == "cannot_refill" else not position.deck)
