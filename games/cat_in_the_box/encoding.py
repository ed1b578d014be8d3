"""Observations and action numbers for learners.

Seats are counted as in the match; colours in the order red, blue, yellow, green.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

from games import core
from games.cat_in_the_box.actions import PARADOX_MOVE
from games.cat_in_the_box.board import COLOURS, colour_of, rank_of
from games.cat_in_the_box.options import Options, match_rules
from games.cat_in_the_box.phases import BID, DISCARD, PHASES
from games.cat_in_the_box.view import NEUTRAL
from games.core import Action, Encoding, State, View, lay_out

_DRAWN_BEFORE_PLAY = {"Discard": 0, "Bid": 1}


class CatEncoding(Encoding):
    """The numbers of Cat in the Box for a number of players and options.

    Action numbers: first the ranks to remove, then the bids, then the cells to declare (row by row), and last the
    paradox where it is to be answered.
    """

    def __init__(self, players: int, options: core.Options) -> None:
        assert isinstance(options, Options)
        rules = match_rules(players, options)
        self._players, self._ranks, self._tricks = players, rules.ranks, rules.tricks
        self._bids = rules.bids
        self._first_play = rules.ranks + len(rules.bids)
        self._paradox = self._first_play + len(COLOURS) * rules.ranks
        self.actions = self._paradox + rules.explicit_paradox
        n, ranks, tricks = players, rules.ranks, rules.tricks
        self.legend = lay_out(
            ("round", (1,), "the round being played, from 1"),
            ("observer", (n,), "1 at the observing seat"),
            ("phase", (len(PHASES),), "1 at the phase, in the order of the phase table"),
            ("turn", (n,), "1 at the seat to bid or play; none while everybody removes a card"),
            ("start_player", (n,), "1 at the start player of the round"),
            ("leader", (n,), "1 at the leader of the trick"),
            ("scores", (n,), "points of the finished rounds"),
            ("bids", (n,), "the bid, 0 for none yet"),
            ("tricks_won", (n,), "tricks won in this round"),
            ("hand_sizes", (n,), "cards in hand; those dealt while everybody removes a card"),
            ("x_tokens", (n, 4), "1 where the seat may still declare the colour"),
            ("board", (n + 1, 4, ranks), "1 where the seat, or at the last index nobody (neutral), has a token"),
            ("red_broken", (1,), "1 when some player's token lies in the red row"),
            ("led_colour", (4,), "1 at the led colour of the trick"),
            ("trick", (n, 2), "rank and colour (1 red to 4 green) of the seat's play to the trick, 0 for none"),
            ("finished_tricks", (tricks, n, 2), "the same for each finished trick of the round"),
            ("trick_leaders", (tricks, n), "1 at the leader of each finished trick"),
            ("drawn", (2 + tricks, n), "1 where a discard, a bid or a play to a trick was drawn for a struck-out seat"),
            ("shown_hand", (n, ranks), "how many cards of each rank the seat in a paradox shows"),
            ("own_hand", (ranks,), "how many cards of each rank the observer holds"),
            ("own_discard", (ranks,), "1 at the rank the observer removed"),
        )
        self.size = sum(segment.size for segment in self.legend)

    def observe(self, state: State, seat: int) -> tuple[int, ...]:
        view = state.view(seat)
        return tuple(chain(self._table(view), self._tokens(view), self._plays(view), self._hands(view)))

    def _table(self, view: View) -> Iterable[int]:
        yield view["round"]
        yield from _one_hot(self._players, view["seat"])
        yield from _one_hot(len(PHASES), view["phase"]["id"] - PHASES[0].id)
        for name in ("turn", "start_player", "leader"):
            yield from _one_hot(self._players, view[name])
        yield from view["scores"]
        yield from (bid or 0 for bid in view["bids"])
        yield from view["tricks_won"]
        yield from view["hand_sizes"]

    def _tokens(self, view: View) -> Iterable[int]:
        yield from (int(colour in held) for held in view["x_tokens"] for colour in COLOURS)
        for holder in (*range(self._players), NEUTRAL):
            yield from (int(cell == holder) for row in view["board"].values() for cell in row)
        yield int(view["red_broken"])
        yield from (int(colour == view["led_colour"]) for colour in COLOURS)

    def _plays(self, view: View) -> Iterable[int]:
        finished = view["finished_tricks"]
        plays = [view["trick"], *(trick["plays"] for trick in finished)]
        yield from _padded(chain.from_iterable(map(self._trick, plays)), 2 * self._players * (1 + self._tricks))
        leaders = (_one_hot(self._players, trick["leader"]) for trick in finished)
        yield from _padded(chain.from_iterable(leaders), self._players * self._tricks)
        drawn = {(_trick_of(penalty, finished), penalty["seat"]) for penalty in view["penalties"]}
        yield from (int((index, seat) in drawn) for index in range(2 + self._tricks) for seat in range(self._players))

    def _trick(self, plays: list[dict[str, Any]]) -> list[int]:
        numbers = [0] * (2 * self._players)
        for play in plays:
            numbers[2 * play["seat"] : 2 * play["seat"] + 2] = play["rank"], COLOURS.index(play["colour"]) + 1
        return numbers

    def _hands(self, view: View) -> Iterable[int]:
        shown = view["paradox"] or {"seat": None, "hand": []}
        for seat in range(self._players):
            yield from self._counts(shown["hand"] if seat == shown["seat"] else [])
        yield from self._counts(view["own"]["hand"])
        yield from self._counts([view["own"]["discard"]])

    def _counts(self, ranks: list[int]) -> list[int]:
        return [ranks.count(rank) for rank in range(1, self._ranks + 1)]

    def number(self, action: Action) -> int:
        phase_id, move = action.state.phase_id, action.move
        if phase_id == DISCARD:
            return int(move) - 1
        if phase_id == BID:
            return self._ranks + self._bids.index(move)
        if move == PARADOX_MOVE:
            return self._paradox
        return self._first_play + self._ranks * COLOURS.index(colour_of(move)) + rank_of(move) - 1


def _one_hot(size: int, place: int | None) -> list[int]:
    return [int(place == other) for other in range(size)]


def _padded(values: Iterable[int], size: int) -> list[int]:
    known = list(values)
    return known + [0] * (size - len(known))


def _trick_of(penalty: dict[str, Any], finished: list[dict[str, Any]]) -> int:
    """Which row of `drawn` a penalty belongs to; none of a paradox."""
    if penalty["phase"] != "Play":
        return _DRAWN_BEFORE_PLAY.get(penalty["phase"], -1)
    for number, trick in enumerate(finished):
        if any(penalty["answer"]["play"] == f"{play['colour']} {play['rank']}" for play in trick["plays"]):
            return 2 + number
    return 2 + len(finished)
