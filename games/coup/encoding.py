"""Observations and action numbers of Coup for learning algorithms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Any

from games import core
from games.core import Action, Answer, Options, View, lay_out
from games.coup import phases
from games.coup.actions import ACTIONS, BLOCKER, CHALLENGE, CONCEDE, PASS, PROVE, TARGETED, Declaration
from games.coup.cards import CHARACTERS
from games.coup.position import (
    BLOCKED,
    CHALLENGED_AND_LOST,
    CHALLENGED_AND_WON,
    CONCEDED,
    FALSE,
    NOBODY,
    PROVEN,
    SUCCESS,
)
from games.coup.questions import answer_in

TURNS = 12
"""How many of the last turns an observation holds."""

_PHASES = tuple(phase.id for phase in phases.PHASES)
_VERDICTS = (PROVEN, FALSE, CONCEDED)
_OUTCOMES = (SUCCESS, BLOCKED, CHALLENGED_AND_WON, CHALLENGED_AND_LOST)
_CARDS = len(CHARACTERS)


class Encoding(core.Encoding):
    """Coup in numbers. Seats are absolute; characters come in the order of `CHARACTERS`, actions in that of `ACTIONS`."""

    def __init__(self, players: int, options: Options) -> None:
        self._seats = range(players)
        self._facts: tuple[tuple[str, Sequence[Any]], ...] = (
            ("actor", self._seats),
            ("action", ACTIONS),
            ("target", self._seats),
            ("challenger", self._seats),
            ("verdict", _VERDICTS),
            ("blocker", self._seats),
            ("block", CHARACTERS),
            ("block_challenger", self._seats),
            ("block_verdict", _VERDICTS),
            ("outcome", _OUTCOMES),
        )
        self._turn_size = sum(len(values) for _, values in self._facts) + players * _CARDS
        meaning = "; ".join(f"1 at the {name} ({_listed(values)})" for name, values in self._facts)
        self.legend = lay_out(
            ("phase", (len(_PHASES),), "1 at the phase, in the order of the phase table"),
            ("observer", (players,), "1 at the observing seat"),
            ("turn", (1,), "the number of the turn, from 1"),
            ("active", (players,), "1 at the active player"),
            ("coins", (players,), "the coins of each seat"),
            ("alive", (players,), "1 at each seat that is in"),
            ("hand_sizes", (players,), "the face-down cards of each seat"),
            ("revealed", (players, _CARDS), "the face-up cards of each seat, by character"),
            ("deck_size", (1,), "the cards in the Court deck"),
            ("claims", (players, _CARDS, 4), "each seat's claims by character: without verdict, proven, false, conceded"),
            ("stake", (self._turn_size,), "the turn under way, in the form of `history`; all 0 when no action is declared"),
            (
                "history",
                (TURNS, self._turn_size),
                f"the turns before, latest first: {meaning}; cards lost by seat and character",
            ),
            ("strike_outs", (1 + TURNS, players), "how often each seat was struck out in the turn under way and in `history`"),
            ("own_cards", (_CARDS,), "the observer's face-down cards, by character"),
            ("own_drawn", (_CARDS,), "the cards the observer has drawn in this exchange, by character"),
            ("own_returned", (TURNS, _CARDS), "the cards the observer returned in each turn of `history`, by character"),
            ("own_pick", (_CARDS,), "1 at the character the observer drafted"),
        )
        self.size = sum(segment.size for segment in self.legend)
        self._numbers = {_key(data): number for number, data in enumerate(_answers(players))}
        self.actions = len(self._numbers)

    def observe(self, state: core.State, seat: int) -> tuple[int, ...]:
        view = state.view(seat)
        struck_out = [(penalty["turn"], penalty["seat"]) for penalty in view["strike_outs"]]
        turns = range(view["turn"], view["turn"] - TURNS - 1, -1)
        strike_outs = (struck_out.count((turn, other)) for turn in turns for other in self._seats)
        return (*self._table(view), *_claims(view), *self._turns(view), *strike_outs, *_own(view))

    def number(self, action: Action) -> int:
        return self._numbers[_key(action.to_json())]

    def _table(self, view: View) -> Iterator[int]:
        yield from _at(view["phase"]["id"], _PHASES)
        yield from _at(view["seat"], self._seats)
        yield view["turn"]
        yield from _at(view["active"], self._seats)
        yield from view["coins"]
        yield from map(int, view["alive"])
        yield from view["hand_sizes"]
        for cards in view["revealed"]:
            yield from _counts(cards)
        yield view["deck_size"]

    def _turns(self, view: View) -> Iterator[int]:
        last = view["history"][: -TURNS - 1 : -1]
        for turn in (view["stake"], *last, *[None] * (TURNS - len(last))):
            yield from self._turn(turn) if turn else [0] * self._turn_size

    def _turn(self, turn: dict[str, Any]) -> Iterator[int]:
        for name, values in self._facts:
            yield from _at(turn[name], values)
        for seat in self._seats:
            yield from _counts([loss["card"] for loss in turn["losses"] if loss["seat"] == seat])


def _claims(view: View) -> Iterator[int]:
    for claims in view["claims"]:
        found = [(claim["character"], claim["verdict"]) for claim in claims]
        for character in CHARACTERS:
            yield from (found.count((character, verdict)) for verdict in (None, *_VERDICTS))


def _own(view: View) -> Iterator[int]:
    own, turns = view["own"], len(view["history"])
    yield from _counts(own["cards"])
    yield from _counts(own["drawn"])
    returned = {done["turn"]: done["cards"] for done in own["returned"]}
    for turn in range(turns, turns - TURNS, -1):
        yield from _counts(returned.get(turn, []))
    yield from _at(own["picked"], CHARACTERS)


def _at(value: object, values: Sequence[Any]) -> list[int]:
    """1 at the place of a value, 0 elsewhere."""
    return [int(value == other) for other in values]


def _counts(cards: list[str]) -> list[int]:
    return [cards.count(character) for character in CHARACTERS]


def _listed(values: Sequence[Any]) -> str:
    return "by seat" if isinstance(values, range) else ", ".join(values)


# -- action numbers ------------------------------------------------------------------------------------------------------


def _key(data: Answer) -> tuple[tuple[str, Any], ...]:
    return tuple(data.items())


def _answers(players: int) -> Iterator[Answer]:
    """Every answer that can be legal in some position, in a fixed order."""
    for action in ACTIONS:
        for target in range(players) if action in TARGETED else (NOBODY,):
            yield answer_in(phases.DECLARATION, Declaration(action, target))
    for response in (PASS, CHALLENGE, PROVE, CONCEDE, *BLOCKER):
        yield answer_in(phases.ACTION_CHALLENGE, response)
    for phase in (phases.SETUP, phases.CLAIMANT_PROOF, phases.TARGET_LOSES):
        yield from (answer_in(phase, character) for character in CHARACTERS)
    for kept in (1, 2):
        for cards in combinations_with_replacement(sorted(CHARACTERS), kept):
            yield answer_in(phases.EXCHANGE_DECISION, cards)
