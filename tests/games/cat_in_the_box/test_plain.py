"""Every match goes move by move as the plain second implementation says."""

from __future__ import annotations

import os
from itertools import product
from random import Random

import pytest

from games.cat_in_the_box import State
from games.cat_in_the_box.board import cell_name
from games.cat_in_the_box.phases import BID, DISCARD, GAME_OVER, PARADOX, PLAY
from games.core import Rng
from tests.games.cat_in_the_box.plain import COLOURS, PlainMatch
from tests.games.cat_in_the_box.playing import ALL_OPTIONS, POLICIES

IS_CAMPAIGN = "TABLETOP_CAMPAIGN" in os.environ
STAGES = {DISCARD: "discard", BID: "bid", PLAY: "play", PARADOX: "paradox", GAME_OVER: "over"}


def deal(plain: PlainMatch, state: State) -> None:
    data = state.to_json()
    plain.deal(data["hands"], data["revealed"])


def as_plain(state: State) -> dict:
    """What the two have to agree about, out of the state and its public view."""
    data, view = state.to_json(), state.view(None)
    return {
        "stage": STAGES[state.phase_id],
        "owing": list(state.pending),
        "legal": {seat: sorted(str(action.to_json()) for action in state.actions_of(seat)) for seat in state.pending},
        "hands": data["hands"],
        "discards": [rank or None for rank in data["discards"]],
        "bids": view["bids"],
        "won": view["tricks_won"],
        "x_tokens": [set(colours) for colours in view["x_tokens"]],
        "board": {(colour, rank): holder for colour in COLOURS for rank, holder in enumerate(view["board"][colour], 1)},
        "trick": [(play["seat"], play["colour"], play["rank"]) for play in view["trick"]],
        "finished": [[(p["seat"], p["colour"], p["rank"]) for p in trick["plays"]] for trick in view["finished_tricks"]],
        "groups": [group["size"] for group in view["largest_group"]],
        "paradox": view["paradox"] and view["paradox"]["seat"],
        "round": state.round,
        "start": state.start_player,
        "totals": list(state.scores),
        "winners": list(state.winners),
    }


def as_told(plain: PlainMatch) -> dict:
    facts = ("stage", "hands", "discards", "bids", "won", "x_tokens", "board", "trick", "finished", "paradox", "round")
    more = {
        "owing": plain.owing(),
        "legal": {seat: sorted(map(str, plain.legal(seat))) for seat in plain.owing()},
        "groups": [plain.group(seat) for seat in range(plain.players)],
        "start": plain.start,
        "totals": plain.totals,
        "winners": plain.winners,
    }
    return {fact: getattr(plain, fact) for fact in facts} | more


def drawn_answer(before: State, after: State, seat: int) -> dict:
    """The answer that was drawn for a struck-out seat: the penalty says it, but for a discard."""
    (penalty,) = [event for event in after.events if event.kind == "penalty"]
    if penalty.data["answer"] is not None:
        return penalty.data["answer"]
    (told,) = [event for event in after.events if event.kind == "discard"]
    assert before.phase_id == DISCARD
    assert told.audience == (seat,)
    return {"rank": told.data["rank"]}


def follow_along(players: int, options: dict, policy, seed: int, strikes: int) -> None:
    rng = Rng.of("plain", seed)
    state = State.begin(players, seed=seed, **options)
    plain = PlainMatch(players, **options)
    deal(plain, state)
    while not state.has_ended:
        assert as_plain(state) == as_told(plain)
        seat = rng.choice(state.pending)
        if strikes and rng.below(strikes) == 0:
            after = state.strike_out(seat)
            plain.punish(seat)
            plain.do(seat, drawn_answer(state, after, seat))
        else:
            action = policy(state, seat, rng)
            after = action.next_state
            plain.do(seat, action.to_json())
        if plain.stage == "deal":
            assert after.round == state.round + 1
            deal(plain, after)
        state = after
    assert as_plain(state) == as_told(plain)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("policy", POLICIES)
def test_the_plain_rules_agree_under_all_options(players, policy):
    chance = Random(f"{players} {policy.__name__}")
    for number, options in chance.sample(list(enumerate(ALL_OPTIONS)), len(ALL_OPTIONS) if IS_CAMPAIGN else 10):
        if players == 3 or options["three_player_max_rank"] == 6:
            follow_along(players, options, policy, seed=number, strikes=0)


@pytest.mark.parametrize(("players", "policy"), [*product([2, 3, 4, 5], POLICIES)])
def test_the_plain_rules_agree_with_struck_out_seats(players, policy):
    for number, options in enumerate(ALL_OPTIONS[::17]):
        follow_along(players, options, policy, seed=number, strikes=6)


def test_cells_are_named_alike():
    assert [cell_name(30 - 10 * row + 1) for row in range(4)] == [f"{colour} 1" for colour in COLOURS]
