"""Observations and action numbers for learners.

Seats are counted as in the match and cards as in the deck. A quote is one of a fixed list.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from games import core
from games.core import Action, Encoding, State, View, lay_out
from games.dixiquote.actions import CANNED_QUOTES
from games.dixiquote.options import Options
from games.dixiquote.phases import PHASES, QUOTE, VOTE

_PHASE_IDS = tuple(phase.id for phase in PHASES)
_QUOTES = len(CANNED_QUOTES)


class DixiQuoteEncoding(Encoding):
    """The numbers of DixiQuote for a number of players and options.

    Action numbers: first the quotes of the list, then the cards to choose or submit, then the cards to vote for.
    """

    def __init__(self, players: int, options: core.Options) -> None:
        assert isinstance(options, Options)
        n, cards = players, len(options.deck)
        self._players, self._cards = n, cards
        self._number_of = {card.id: number for number, card in enumerate(options.deck)}
        self.actions = _QUOTES + 2 * cards
        self.legend = lay_out(
            ("round", (1,), "the round being played, from 1"),
            ("observer", (n,), "1 at the observing seat"),
            ("phase", (len(PHASES),), "1 at the phase, in the order of the phase table"),
            ("storyteller", (n,), "1 at the Storyteller"),
            ("scores", (n,), "the score of each seat"),
            ("deck_left", (1,), "cards left in the deck"),
            ("hand_sizes", (n,), "cards in hand"),
            (
                "quote",
                (_QUOTES + 2,),
                "1 at the quote: one of the list, another one, or an empty one; 0 before it is given",
            ),
            ("hand", (cards,), "1 at the cards the observer holds"),
            ("played", (cards,), "1 at the card the observer chose or submitted"),
            ("vote", (cards,), "1 at the card the observer voted for"),
            ("table", (cards,), "1 at the cards on the table"),
            ("past_round", (cards,), "the last round in which the card was played, 0 for none"),
            ("past_quote", (cards,), "that round's quote, counted from 1 as in `quote`"),
            ("past_owner", (cards, n), "1 at the seat that played the card"),
            ("past_votes", (cards, n), "1 at the seats that voted for the card"),
            ("skipped", (n,), "1 at each seat that is skipped"),
        )
        self.size = sum(segment.size for segment in self.legend)

    def observe(self, state: State, seat: int) -> tuple[int, ...]:
        view = state.view(seat)
        skipped = _flags(self._players, view["skipped"])
        return tuple(chain(self._table(view), self._own_cards(view), self._history(view), skipped))

    def _table(self, view: View) -> Iterable[int]:
        yield view["round"]
        yield from _flags(self._players, [view["seat"]])
        yield from _flags(len(_PHASE_IDS), [_PHASE_IDS.index(view["phase"]["id"])])
        yield from _flags(self._players, [view["storyteller"]])
        yield from view["scores"]
        yield view["deck_left"]
        yield from view["hand_sizes"]
        yield from _flags(_QUOTES + 2, [] if view["quote"] is None else [_quote_number(view["quote"])])

    def _own_cards(self, view: View) -> Iterable[int]:
        own = view["own"]
        played = own["chosen"] or own["submitted"]
        yield from self._card_flags(card["id"] for card in own["hand"])
        yield from self._card_flags([played["id"]] if played else [])
        yield from self._card_flags([own["vote"]] if own["vote"] else [])
        yield from self._card_flags(card["id"] for card in view["table"])

    def _card_flags(self, ids: Iterable[str]) -> Iterable[int]:
        return _flags(self._cards, [self._number_of[card_id] for card_id in ids])

    def _history(self, view: View) -> Iterable[int]:
        """What happened to each card when it was played last."""
        rounds, quotes = [0] * self._cards, [0] * self._cards
        owners, votes = ([[0] * self._players for _ in range(self._cards)] for _ in range(2))
        for done in view["history"]:
            for card in done["cards"]:
                number = self._number_of[card["id"]]
                rounds[number] = done["round"]
                quotes[number] = 1 + _quote_number(done["quote"])
                owners[number], votes[number] = [0] * self._players, [0] * self._players
                owners[number][card["owner"]] = 1
                for voter in card["votes"]:
                    votes[number][voter] = 1
        return chain(rounds, quotes, *owners, *votes)

    def number(self, action: Action) -> int:
        """The number of a legal action. ValueError for a quote that is not on the list."""
        if action.state.phase_id == QUOTE:
            return CANNED_QUOTES.index(action.move)
        first = _QUOTES + (self._cards if action.state.phase_id == VOTE else 0)
        return first + int(action.move)


def _flags(size: int, marked: Iterable[int | None]) -> list[int]:
    """1 at every place that is marked."""
    flags = [0] * size
    for place in marked:
        if place is not None:
            flags[place] = 1
    return flags


def _quote_number(quote: str) -> int:
    """The place of a quote in the list; after it come any other quote and an empty one."""
    if quote in CANNED_QUOTES:
        return CANNED_QUOTES.index(quote)
    return _QUOTES if quote else _QUOTES + 1
