"""The deal, and the position after a move or a strike-out.

Functions return positions of the type they are given. Events are appended to `events`, unless it is None.
"""

from __future__ import annotations

from operator import sub
from typing import Any

from games.core import OPENING, STRIKE_OUT, Event, OptionError, Rng, Setup
from games.core.rng import replaced
from games.dixiquote import events as told
from games.dixiquote.actions import seats_to_ask
from games.dixiquote.options import HAND, Options
from games.dixiquote.phases import CHOOSE, DEAL, OVER, QUOTE, ROUND_END, SCORE, SUBMIT, VOTE
from games.dixiquote.position import P, Played, Position, Round
from games.dixiquote.round_end import reasons_to_end, refilled
from games.dixiquote.scoring import all_skipped_points, floored, round_points

Events = list[Event] | None
Origin = tuple[Position, int, Any]

_new = tuple.__new__

# Where the fields are that a decision changes: a list with some of them set makes a position faster than `_replace`.
ORIGIN, CHANCE, PHASE_ID, PENDING, QUOTED, SUBMITTED, TABLE, VOTES, SKIPPED = map(
    Position._fields.index,
    ("origin", "chance", "phase_id", "pending", "quote", "submitted", "table", "votes", "skipped"),
)


def deal(kind: type[P], setup: Setup, events: Events) -> P:
    """The first position of a match. OptionError when the deck is too small."""
    options: Options = setup.options
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
        pending=(),
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
        events += told.deal(position)
    return _begin_round(position, events)


def apply(position: P, seat: int, move: Any, events: Events) -> P:
    """The position after a legal move."""
    origin = (position, seat, move)
    phase = position.phase_id
    if phase == SUBMIT:
        return _submit(position, origin, events)
    if phase == VOTE:
        return _vote(position, origin, events)
    return _choose(position, origin, move, events) if phase == CHOOSE else _quote(position, origin, move, events)


def strike_out(position: P, seat: int, events: Events) -> P:
    """The position after a strike-out: a point is lost and the seat skipped (rule 10)."""
    origin = (position, seat, STRIKE_OUT)
    lost = int(position.scores[seat] > 0)  # a penalty never raises a score
    scores = replaced(position.scores, seat, position.scores[seat] - lost)
    after = position._replace(origin=origin, scores=scores, skipped=position.skipped | {seat})
    if events is not None:
        events += told.strike_out(position, seat, lost)
    if position.phase_id not in (CHOOSE, QUOTE):
        return _continue(after._replace(pending=_without(position.pending, seat)), events)
    if position.options.storyteller_skip == "forfeit":
        return _forfeit(after, events)
    if position.phase_id == QUOTE:
        return _quote(after, origin, "", events)
    rng = Rng(position.chance)
    drawn = rng.choice(position.hands[seat])
    return _choose(after._replace(chance=rng.word), origin, drawn, events)


def _choose(position: P, origin: Origin, card: int, events: Events) -> P:
    seat = position.storyteller
    if events is not None:
        events += told.choice(position, card)
    fields = [*position]
    fields[ORIGIN], fields[SUBMITTED] = origin, replaced(position.submitted, seat, card)
    after = _enter(position, fields, QUOTE, events)
    return _quote(after, origin, "", events) if seat in after.skipped else after  # struck out for the whole round


def _quote(position: P, origin: Origin, quote: str, events: Events) -> P:
    if events is not None:
        events += told.quote(position, quote)
    fields = [*position]
    fields[ORIGIN], fields[QUOTED] = origin, quote
    return _continue(_enter(position, fields, SUBMIT, events), events)


def _submit(position: P, origin: Origin, events: Events) -> P:
    _, seat, card = origin
    if events is not None:
        events += told.submission(position, seat, card)
    fields = [*position]
    fields[ORIGIN], fields[PENDING] = origin, _without(position.pending, seat)
    fields[SUBMITTED] = replaced(position.submitted, seat, card)
    return _continue(_new(position.__class__, fields), events)


def _vote(position: P, origin: Origin, events: Events) -> P:
    _, seat, card = origin
    if events is not None:
        events += told.vote(position, seat, card)
    fields = [*position]
    fields[ORIGIN], fields[PENDING] = origin, _without(position.pending, seat)
    fields[VOTES] = replaced(position.votes, seat, card)
    return _continue(_new(position.__class__, fields), events)


def _without(pending: tuple[int, ...], seat: int) -> tuple[int, ...]:
    at = pending.index(seat)
    return pending[:at] + pending[at + 1 :]


def _enter(position: P, fields: list[Any], phase_id: int, events: Events) -> P:
    """The position of these fields, which come after `position`, in a phase where seats decide."""
    if events is not None:
        events += told.phase(position.phase_id, phase_id)
    fields[PHASE_ID] = phase_id
    if phase_id == CHOOSE or position.options.skip_scope != "round":
        fields[SKIPPED] = frozenset()
    fields[PENDING] = seats_to_ask(_new(position.__class__, fields))
    return _new(position.__class__, fields)


def _begin_round(position: P, events: Events) -> P:
    if events is not None:
        events += told.round_begins(position)
    return _enter(position, [*position], QUOTE if position.options.blind_quote else CHOOSE, events)


def _continue(position: P, events: Events) -> P:
    """The next phase, once everybody has submitted or voted."""
    if position.pending:
        return position
    if position.phase_id == VOTE or not _others_answered(position, position.submitted):
        return _score(position, events)
    rng = Rng(position.chance)
    fields = [*position]
    fields[TABLE] = rng.shuffled([card for card in position.submitted if card is not None])  # rule 4
    fields[CHANCE] = rng.word
    after = _enter(position, fields, VOTE, events)
    if events is not None:
        events += told.reveal(after)
    return _continue(after, events)


def _others_answered(position: Position, answers: tuple[int | None, ...]) -> bool:
    storyteller = position.storyteller
    return any(answer is not None for seat, answer in enumerate(answers) if seat != storyteller)


def _score(position: P, events: Events) -> P:
    submitted, votes, options = position.submitted, position.votes, position.options
    owners = {card: seat for seat, card in enumerate(submitted) if card is not None}
    all_skipped = not _others_answered(position, votes)
    if all_skipped:
        points = all_skipped_points(position.setup.players, position.storyteller, options)
    else:
        points = round_points(position.storyteller, owners, votes, options)
    scores = tuple([floored(score, gain, options) for score, gain in zip(position.scores, points, strict=True)])
    gains = tuple(map(sub, scores, position.scores))
    cards = tuple([Played(card, owners[card], _voters(votes, card)) for card in position.table or owners])
    done = Round(position.round, position.storyteller, position.quote, False, cards, gains)
    if events is not None:
        events += told.phase(position.phase_id, SCORE)
        events += told.scoring(position, done, all_skipped)
    return _end_round(position, SCORE, scores, done, events)


def _voters(votes: tuple[int | None, ...], card: int) -> tuple[int, ...]:
    return tuple([seat for seat, vote in enumerate(votes) if vote == card])


def _forfeit(position: P, events: Events) -> P:
    """D-C7: nothing was played, so a card already chosen stays in hand, and secret."""
    if events is not None:
        events += told.forfeit(position)
    zeros, nothing = (0,) * position.setup.players, (None,) * position.setup.players
    done = Round(position.round, position.storyteller, position.quote, True, (), zeros)
    return _end_round(position._replace(submitted=nothing), position.phase_id, position.scores, done, events)


def _end_round(position: P, before: int, scores: tuple[int, ...], done: Round, events: Events) -> P:
    """The next round, or the end of the match. `before` is the phase that the end of the round is entered from."""
    if events is not None:
        events += told.phase(before, ROUND_END)
    hands, deck, chance = refilled(position, done, events)
    nothing = (None,) * position.setup.players
    after = position._replace(
        chance=chance,
        phase_id=ROUND_END,
        pending=(),
        scores=scores,
        hands=hands,
        deck=deck,
        quote=None,
        submitted=nothing,
        table=(),
        votes=nothing,
        skipped=frozenset[int](),
        history=(*position.history, done),
    )
    if events is not None:
        events += told.refill(position, after)
    ending = reasons_to_end(after)
    if not ending:
        return _begin_round(after._replace(round=position.round + 1, storyteller=_next_storyteller(position)), events)
    over = after._replace(phase_id=OVER, ending=ending)
    if events is not None:
        events += told.phase(ROUND_END, OVER)
        events += told.end(over)
    return over


def _next_storyteller(position: Position) -> int:
    return (position.storyteller + 1) % position.setup.players
