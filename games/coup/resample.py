"""A position drawn from the information set of a seat: a world."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from games.core import Rng
from games.coup.belief.distribution import UNKNOWN, Belief, BeliefStep, Kinds, believed, kinds_at, unknown_before
from games.coup.belief.evidence import LOOK, MOVE, PICK, PUT, SHOW, TAKE, Start, Witness
from games.coup.cards import CHARACTERS, Cards, Hand
from games.coup.position import P, Position, Turn

Tables = Mapping[int, Mapping[Cards, float]]
"""By seat, for each hand in alphabetical order, how likely what its player did is, the likeliest being 1."""


def resample(position: P, seat: int | None, rng: Rng, tables: Tables | None = None) -> P:
    """A position drawn from the information set of a seat (None: a spectator).

    The world agrees with everything the seat has seen: its cards, draws and returns since the deal, cards turned up,
    proofs and the cards shown in them, false and conceded claims. A player who is to show a card has it.

    A world is as likely as the cards make it. All deals and draws are equally likely. The other seats' choices among their
    own cards (which one to draft, to lose, or to keep in an exchange) count as blind: each card is equally likely. What
    they claim, challenge, block and concede counts as equally likely with any cards that allow it. Beyond `belief.LIMIT`
    distributions, which takes several exchanges of five or six players, the proportions are those of a sample. With `tables`
    a world is also as likely as they make the hands of their seats.
    """
    if not position.pending:
        return position._replace(word=rng.next())
    start, belief = belief_of(position, seat)
    distribution, kinds = _likely(belief, tables, rng) if tables else (belief.drawn(rng), None)
    table = _Table(start, rng)
    for step in belief.path(distribution, rng):
        table.follow(step)
    if kinds is None:
        table.settle((card for cards in table.places for card in cards), kinds_at(distribution, belief.pool))
    else:
        table.fill(kinds)
    return _position(position, seat, table, rng)


_MOST_DRAWS = 100


def likely_worlds(position: P, seat: int | None, tables: Tables) -> Callable[[Rng], P] | None:
    """Worlds of a seat, each as often as the tables make the hands of the others likely. Hands are refused before their
    history is made. None where another player's hand holds cards that an exchange has drawn: they do not count."""
    if position.drawn and position.turn.actor != seat:
        return None
    return lambda rng: position.resample(seat, rng, tables)  # type: ignore[attr-defined]  # that of the state, not of the position


def _likely(belief: Belief, tables: Tables, rng: Rng) -> tuple[int, Kinds]:
    """A distribution, and the kinds of its unknown cards from place to place. A draw is accepted with the probability that the
    tables give its hands; after 100 refusals one of them is taken, the likelier ones more often."""
    total, kept = 0.0, (0, Kinds())
    for _ in range(_MOST_DRAWS):
        distribution = belief.drawn(rng)
        kinds = rng.shuffled(kinds_at(distribution, belief.pool))
        weight, begins = 1.0, unknown_before(distribution, belief.pool)
        for seat, table in tables.items():
            held = (*kinds_at(distribution, seat), *kinds[begins[seat] : begins[seat + 1]])
            weight *= table[_hand(held)]
        total += weight
        is_accepted = rng.random() < weight
        if is_accepted or rng.random() * total <= weight:
            kept = distribution, kinds
        if is_accepted:
            break
    return kept


@cache
def _hand(kinds: Kinds) -> Cards:
    return tuple(sorted(CHARACTERS[kind] for kind in kinds))


class _LastAsked:
    """The belief of the seat and position asked about last: a search draws many worlds from one position, and a question has
    several chances."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: tuple[Position, int | None, Start, Belief] | None = None

    def __call__(self, position: Position, seat: int | None) -> tuple[Start, Belief]:
        """How the deal began for a seat, and what it believes now."""
        found = self._found
        if found is None or found[0] is not position or found[1] != seat:
            witness = Witness(position, seat)
            self._found = found = (position, seat, witness.start, believed(witness.start, witness.found))
        return found[2], found[3]


belief_of = _LastAsked()


class _Card:
    """A card of a world; its kind is UNKNOWN until evidence settles it."""

    __slots__ = ("kind",)

    def __init__(self, kind: int) -> None:
        self.kind = kind


class _Table:
    """The cards of a world while its history is followed: those at each place, and those drawn, returned and drafted."""

    def __init__(self, start: Start, rng: Rng) -> None:
        self.places = [[_Card(UNKNOWN) for _ in range(size)] for size in start.sizes]
        self.draws: list[_Card] = []
        self.returned: list[_Card] = []
        self.picks: dict[int, _Card] = {}
        self._rng = rng

    def follow(self, step: BeliefStep) -> None:
        """Do what the evidence says."""
        (what, place, detail), settled = step
        if what == MOVE:
            self._move(place, detail, settled[0])
        elif what == TAKE:
            self._see(place, detail, settled[0])
        elif what == PUT:
            self.places[place].append(_Card(detail))
        elif what == PICK:
            self.picks[place] = _Card(settled[0])
            self.places[place].append(self.picks[place])
        elif what == LOOK:
            looked_at = self._rng.shuffled(self.places[place])[:detail]
            self.draws += looked_at
            self.returned += looked_at
        elif settled:
            self.settle(self.places[place], settled)
        if what == SHOW:
            self._taken(place, detail)

    def fill(self, kinds: Kinds) -> None:
        """Give the unknown cards these kinds, place by place."""
        unknown = [card for cards in self.places for card in cards if card.kind == UNKNOWN]
        for card, kind in zip(unknown, kinds, strict=True):
            card.kind = kind

    def settle(self, cards: Iterable[_Card], kinds: Kinds) -> None:
        """Give the unknown ones of some cards these kinds, in a random order."""
        unknown = [card for card in cards if card.kind == UNKNOWN]
        for card, kind in zip(unknown, self._rng.shuffled(kinds), strict=True):
            card.kind = kind

    def _move(self, place: int, target: int, kind: int) -> None:
        card = self._taken(place, kind)
        self.places[target].append(card)
        (self.draws if self._is_deck(place) else self.returned).append(card)

    def _see(self, place: int, kind: int, before: int) -> None:
        card = self._taken(place, before)
        card.kind = kind
        if self._is_deck(place):
            self.draws.append(card)

    def _taken(self, place: int, kind: int) -> _Card:
        cards = self.places[place]
        return cards.pop(self._rng.choice([index for index, card in enumerate(cards) if card.kind == kind]))

    def _is_deck(self, place: int) -> bool:
        return place == len(self.places) - 1


def _position(position: P, seat: int | None, table: _Table, rng: Rng) -> P:
    """The position with the cards of a table."""
    *places, deck = table.places
    drawn = position.drawn
    if drawn and position.turn.actor != seat:
        held = table.draws[-len(drawn) :]
        places[position.turn.actor] = [card for card in places[position.turn.actor] if card not in held]
        drawn = _names(held)
    hands = [
        hand if other == seat else _refilled(hand, rng.shuffled(_names(cards)))
        for other, (hand, cards) in enumerate(zip(position.hands, places, strict=True))
    ]
    returned = iter(table.returned)
    history = tuple([_with_returned(turn, seat, returned) for turn in position.history])
    return position._replace(
        word=rng.next(),
        hands=tuple(hands),
        deck=tuple(sorted(_names(deck))),
        drawn=drawn,
        history=history,
        picks=tuple(
            CHARACTERS[table.picks[other].kind] if other in table.picks else pick for other, pick in enumerate(position.picks)
        ),
        draws=_names(table.draws),
    )


def _names(cards: Iterable[_Card]) -> Cards:
    return tuple([CHARACTERS[card.kind] for card in cards])


def _refilled(hand: Hand, down: Cards) -> Hand:
    coming = iter(down)
    slots = tuple([card if shown else next(coming) for card, shown in zip(hand.slots, hand.up, strict=True)])
    return Hand.of(slots, hand.up)


def _with_returned(turn: Turn, seat: int | None, returned: Iterator[_Card]) -> Turn:
    if not turn.returned or turn.actor == seat:
        return turn
    return turn.exchanged(_names([next(returned) for _ in turn.returned]))
