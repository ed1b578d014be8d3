"""The deal, and the position after a move or a strike-out.

Functions return positions of the type they are given. Events are appended to `events`, unless it is None.
"""

from __future__ import annotations

from typing import Any

from games.cat_in_the_box import events as told
from games.cat_in_the_box.actions import legal_actions, playable_cells
from games.cat_in_the_box.board import ALL_CELLS, ROW_OF, WIDTH, neutral_cells
from games.cat_in_the_box.cards import counted, rank_counted, shuffled, without
from games.cat_in_the_box.options import REVEALED, MatchRules, match_rules
from games.cat_in_the_box.phases import BID, DISCARD, GAME_OVER, PARADOX, PLAY
from games.cat_in_the_box.position import NOT_YET, Context, P, Penalty, Result
from games.cat_in_the_box.scoring import result_of, winning_seat
from games.core import OPENING, STRIKE_OUT, Event, Rng, Setup
from games.core.rng import replaced

Events = list[Event] | None


def deal(kind: type[P], setup: Setup, events: Events) -> P:
    """The first position of a match."""
    rules = match_rules(setup.players, setup.options)
    return _deal_round(kind, OPENING, setup, rules, 1, Rng.of("cat_in_the_box", setup.seed), (), events)


def _deal_round(
    kind: type[P],
    origin: Any,
    setup: Setup,
    rules: MatchRules,
    number: int,
    rng: Rng,
    results: tuple[Result, ...],
    events: Events,
) -> P:
    players, dealt = rules.players, rules.dealt
    deck = shuffled(rules.deck, rng)
    left_over = deck[players * dealt :]
    revealed: tuple[int, ...] = ()
    free = rules.board
    if rules.two_player:  # rule 19
        revealed = tuple(rank_counted(card) for card in left_over[:REVEALED])
        left_over = left_over[REVEALED:]
        free &= ~neutral_cells(revealed)
    zeros = (0,) * players
    position = kind(
        origin,
        setup,
        context=Context(rules, number, rng.word, counted(sum(left_over)), revealed, (), None, results),
        phase_id=DISCARD,
        pending=rules.seats,
        hands=tuple([counted(sum(deck[seat * dealt : (seat + 1) * dealt])) for seat in rules.seats]),
        discards=zeros,
        bids=zeros,
        tokens=zeros,
        x_tokens=(ALL_CELLS,) * players,  # rule 4
        free=free,
        plays=(),
        leader=(number - 1) % players,  # rules 8 and 18
        led=0,
        tricks_won=zeros,
        playable=0,
    )
    if events is not None:
        events += told.deal(position)
    return position


def apply(position: P, seat: int, move: int, events: Events) -> P:
    """The position after a legal move."""
    phase = position.phase_id
    if phase == PLAY:
        return _play_card(position, seat, move, events)
    if phase == DISCARD:
        return _discard(position, seat, move, events)
    if phase == BID:
        return _bid(position, seat, move, events)
    return _score(position, (position, seat, move), events)


def _discard(position: P, seat: int, rank: int, events: Events) -> P:
    after = position._replace(
        origin=(position, seat, rank),
        pending=tuple([other for other in position.pending if other != seat]),
        hands=replaced(position.hands, seat, without(position.hands[seat], rank)),  # rule 5
        discards=replaced(position.discards, seat, rank),
    )
    if not after.pending:
        after = _start_play(after) if position.rules.two_player else _ask(after, BID, position.leader)  # rule 19
    if events is not None:
        events += told.discard(after, seat)
    return after


def _bid(position: P, seat: int, bid: int, events: Events) -> P:
    after = position._replace(origin=(position, seat, bid), bids=replaced(position.bids, seat, bid))
    turn = (seat + 1) % position.rules.players
    after = _start_play(after) if turn == position.leader else _ask(after, BID, turn)  # rule 6
    if events is not None:
        events += told.bid(after, seat)
    return after


def _ask(position: P, phase_id: int, seat: int, playable: int = 0) -> P:
    return position._replace(phase_id=phase_id, pending=position.rules.alone[seat], playable=playable)


def _start_play(position: P) -> P:
    leader = position.leader
    return _ask(position, PLAY, leader, playable_cells(position.rules, position.hands[leader], ALL_CELLS, position.free, 0))


def _play_card(position: P, seat: int, cell: int, events: Events) -> P:
    (_, setup, context, phase, _, hands, discards, bids, tokens, x_rows, free, plays, leader, led, won, _) = position
    rules = context.rules
    bit = 1 << cell
    hand = without(hands[seat], cell % WIDTH)
    hands = replaced(hands, seat, hand)
    tokens = replaced(tokens, seat, tokens[seat] | bit)  # rule 12
    free ^= bit
    plays += (cell,)
    if not led:
        led = ROW_OF[cell]
    elif not led & bit and led & x_rows[seat]:
        x_rows = replaced(x_rows, seat, x_rows[seat] ^ led)  # rule 11
    turn = (seat + 1) % rules.players
    over = False
    if turn == leader:
        turn = leader = winning_seat(plays[-rules.players :], leader, rules.players)
        won = replaced(won, turn, won[turn] + 1)
        led = 0
        over = hand.bit_count() == 1  # rule 14
    legal = 0 if over else playable_cells(rules, hands[turn], x_rows[turn], free, led)
    pending = rules.alone[turn]
    origin = (position, seat, cell)
    new = origin, setup, context, phase, pending, hands, discards, bids, tokens, x_rows, free, plays, leader, led, won, legal
    after: P = _new(type(position), new)
    if events is not None:
        events += told.play(position, after, seat, cell)
    if legal:
        return after
    return _score(after, origin, events) if over else _enter_paradox(after, turn, events)


def _enter_paradox(position: P, seat: int, events: Events) -> P:
    after = position._replace(context=position.context._replace(paradox=seat), phase_id=PARADOX)  # rule 15
    if events is not None:
        events += told.paradox(after)
    return after if position.rules.explicit_paradox else _score(after, position.origin, events)


def _score(position: P, origin: Any, events: Events) -> P:
    rules, context = position.rules, position.context
    result = result_of(position)
    results = (*context.results, result)
    if events is not None:
        events += told.scores(result)
    if context.number < rules.rounds:
        rng = Rng(context.chance)
        return _deal_round(type(position), origin, position.setup, rules, context.number + 1, rng, results, events)
    after = position._replace(origin=origin, context=context._replace(results=results), phase_id=GAME_OVER, pending=())
    if events is not None:
        events += told.end(after)
    return after


def strike_out(position: P, seat: int, events: Events) -> P:
    """The position after a strike-out: a point is lost and a legal move drawn at random."""
    rng = Rng(position.context.chance)
    move = rng.choice(legal_actions(position, seat))
    penalty = Penalty(seat, position.phase_id, NOT_YET if position.phase_id == DISCARD else move)
    context = position.context._replace(chance=rng.word, penalties=(*position.context.penalties, penalty))
    if events is not None:
        events += told.strike_out(penalty)
    after = apply(position._replace(context=context), seat, move, events)
    return after._replace(origin=(position, seat, STRIKE_OUT))


_new: Any = tuple.__new__
