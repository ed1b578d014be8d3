"""A position of DixiQuote: its fields, the records they are made of, and its JSON."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

from games.core import Setup
from games.dixiquote.cards import SituationCard
from games.dixiquote.options import Options

Cards = tuple[int, ...]


class Played(NamedTuple):
    """A card on the table: its number in the deck, who played it, and who voted for it."""

    card: int
    owner: int
    voters: tuple[int, ...]


class Round(NamedTuple):
    """A finished round. `quote` is None when the round was forfeited before one was given."""

    number: int
    storyteller: int
    quote: str | None
    forfeited: bool
    cards: tuple[Played, ...]
    points: tuple[int, ...]


class Position(NamedTuple):
    """The fields of a state. Cards are numbers in the deck; `submitted` and `votes` have a card or None for each seat.

    Cards played stay in `hands` until the end of the round, so that the size of a hand tells nothing about them. `pending`
    follows from the other fields, and is kept because every decision asks for it.
    """

    origin: Any
    setup: Setup
    chance: int
    phase_id: int
    pending: tuple[int, ...]
    round: int
    storyteller: int
    scores: tuple[int, ...]
    hands: tuple[Cards, ...]
    deck: Cards
    quote: str | None
    submitted: tuple[int | None, ...]
    table: Cards
    votes: tuple[int | None, ...]
    skipped: frozenset[int]
    history: tuple[Round, ...]
    ending: tuple[str, ...]

    @property
    def options(self) -> Options:
        """The options of the match."""
        options: Options = self.setup.options
        return options

    def card(self, number: int) -> SituationCard:
        """The card of that number."""
        return self.options.deck[number]


P = TypeVar("P", bound=Position)


def to_json(position: Position) -> dict[str, Any]:
    """The whole position, hidden parts included."""
    data = position._asdict()
    del data["origin"], data["pending"]
    data["setup"] = position.setup.to_json()
    data["skipped"] = sorted(position.skipped)
    data["hands"] = [list(hand) for hand in position.hands]
    for name in ("scores", "deck", "submitted", "table", "votes", "ending"):
        data[name] = list(data[name])
    data["history"] = [_round_to_json(done) for done in position.history]
    return data


def _round_to_json(done: Round) -> dict[str, Any]:
    cards = [{"card": card, "owner": owner, "voters": list(voters)} for card, owner, voters in done.cards]
    return {**done._asdict(), "cards": cards, "points": list(done.points)}


def from_json(kind: type[P], setup: Setup, data: dict[str, Any]) -> P:
    """The position that `to_json` wrote, with no seat pending."""
    plain: dict[str, Any] = {name: data[name] for name in ("chance", "phase_id", "round", "storyteller", "quote")}
    tuples: dict[str, Any] = {name: tuple(data[name]) for name in ("scores", "deck", "submitted", "table", "votes", "ending")}
    return kind(
        origin=None,
        setup=setup,
        pending=(),
        hands=tuple(tuple(hand) for hand in data["hands"]),
        skipped=frozenset(data["skipped"]),
        history=tuple(_round_from_json(done) for done in data["history"]),
        **plain,
        **tuples,
    )


def _round_from_json(data: dict[str, Any]) -> Round:
    cards = tuple(Played(card["card"], card["owner"], tuple(card["voters"])) for card in data["cards"])
    return Round(**{**data, "cards": cards, "points": tuple(data["points"])})
