"""The state of a match of DixiQuote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from games.core import (
    OPENING,
    PENALTY,
    PHASE,
    STRIKE_OUT,
    Event,
    OptionError,
    Question,
    Rng,
    Setup,
    Step,
    Steps,
    View,
    seat_name,
)
from games.core import State as CoreState
from games.dixiquote import asking, viewing
from games.dixiquote.deck import Card
from games.dixiquote.options import HAND, DixiQuoteOptions
from games.dixiquote.phases import CHOOSE, OVER, PHASES, QUOTE, ROUND_END, SCORE, SUBMIT, VOTE
from games.dixiquote.scoring import all_skipped_points, round_points

Told = list[Event] | None
Cards = tuple[int, ...]


class Played(NamedTuple):
    """A card as it lay on the table: its number in the deck, who played it, and who voted for it."""

    card: int
    owner: int
    voters: tuple[int, ...]


class Round(NamedTuple):
    """A finished round. `quote` is None when it was forfeited before one was given."""

    number: int
    storyteller: int
    quote: str | None
    forfeited: bool
    cards: tuple[Played, ...]
    points: tuple[int, ...]


class Fields(NamedTuple):
    """What a state consists of. Cards are numbers in the deck; `submitted` and `votes` have a card or None for each seat.

    Cards played stay in `hands` until the end of the round, so that nothing about them can be told from a count.
    """

    origin: Any
    setup: Setup
    chance: int
    phase_id: int
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


class State(CoreState, Fields):
    """A match of DixiQuote: choose, quote, submit, vote (rule 2)."""

    __slots__ = ()

    @property
    def options(self) -> DixiQuoteOptions:
        """The options of the match."""
        options: DixiQuoteOptions = self.setup.options
        return options

    def card(self, number: int) -> Card:
        """The card of that number."""
        return self.options.deck[number]

    # -- who decides and what is legal -------------------------------------------------------------------------------

    @property
    def pending(self) -> tuple[int, ...]:
        """The Storyteller alone, or everybody who has still to submit or to vote, in seat order."""
        if self.phase_id in (CHOOSE, QUOTE):
            return (self.storyteller,)
        if self.phase_id == SUBMIT:
            return tuple(seat for seat in self._others_unskipped() if self.submitted[seat] is None)
        if self.phase_id == VOTE:
            return tuple(seat for seat in self._others_unskipped() if self.votes[seat] is None and self.legal_moves(seat))
        return ()

    def _others_unskipped(self) -> list[int]:
        takes_part = self.options.blind_quote
        return [
            seat for seat in range(self.setup.players) if (takes_part or seat != self.storyteller) and seat not in self.skipped
        ]

    def legal_moves(self, seat: int) -> Sequence[Any]:
        if self.phase_id == QUOTE:
            return asking.CANNED_QUOTES
        if self.phase_id == VOTE:
            return tuple(card for card in self.table if card != self.submitted[seat])  # rule 5
        return self.hands[seat]

    def answer_of(self, seat: int, move: Any) -> dict[str, Any]:
        return {"quote": move} if self.phase_id == QUOTE else {"card": self.card(move).id}

    def describe_move(self, seat: int, move: Any) -> Steps:
        if self.phase_id == QUOTE:
            return (Step("quote", move),)
        card = self.card(move)
        return (Step("situation", card.id, card.text),)

    def build_question(self, seat: int) -> Question:
        """What a pending seat is asked."""
        return asking.question(self, seat)

    def parse_answer(self, seat: int, data: Any) -> Any:
        return asking.read(self, seat, data)

    # -- transitions -------------------------------------------------------------------------------------------------

    @classmethod
    def deal(cls, setup: Setup, told: Told) -> Self:
        options: DixiQuoteOptions = setup.options
        players, size = setup.players, len(options.deck)
        if size < HAND * players:
            raise OptionError(
                f"The deck has {size} cards, but {players} players need at least {HAND * players} to be dealt {HAND} each."
            )
        rng = Rng.of("dixiquote", setup.seed)
        deck = rng.shuffled(range(size))
        dealt = HAND * players
        state = cls(
            origin=OPENING,
            setup=setup,
            chance=rng.word,
            phase_id=0,
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
        if told is not None:
            told.append(
                Event("deal", f"Everybody is dealt {HAND} of {size} situations.", {"cards": HAND, "deck": size - dealt})
            )
            for seat in range(players):
                state._tell_hand(told, seat, state.hands[seat], "is dealt")
        return state._begin_round(told)

    def apply(self, seat: int, move: Any, told: Told) -> Self:
        state = self._replace(origin=(self, seat, move))
        if self.phase_id == CHOOSE:
            return state._choose(move, told)
        if self.phase_id == QUOTE:
            return state._say(move, told)
        if self.phase_id == SUBMIT:
            return state._submit(seat, move, told)
        return state._vote(seat, move, told)

    def apply_strike_out(self, seat: int, told: Told) -> Self:
        scores = list(self.scores)
        scores[seat] -= scores[seat] > 0  # rule 10; a penalty never raises a score
        state = self._replace(origin=(self, seat, STRIKE_OUT), scores=tuple(scores), skipped=self.skipped | {seat})
        if told is not None:
            lost, scope = self.scores[seat] - scores[seat], self.options.skip_scope
            text = f"{seat_name(seat)} is struck out: {lost} point{'' if lost == 1 else 's'} lost, skipped for the {scope}."
            told.append(Event(PENALTY, text, {"seat": seat, "points": -lost, "scope": scope}))
        if self.phase_id not in (CHOOSE, QUOTE):
            return state._next_if_all_answered(told)
        if self.options.storyteller_skip == "forfeit":
            return state._forfeit(told)
        if self.phase_id == QUOTE:
            return state._say("", told)
        rng = Rng(self.chance)
        drawn = rng.choice(self.hands[seat])
        return state._replace(chance=rng.word)._choose(drawn, told)

    def _enter(self, phase_id: int, told: Told) -> Self:
        if told is not None:
            name = PHASES.by_id(phase_id).name
            told.append(Event(PHASE, f"Phase: {name}.", {"to": phase_id, "from": self.phase_id}))
        skipped = self.skipped if self.options.skip_scope == "round" and phase_id in (QUOTE, SUBMIT, VOTE) else frozenset[int]()
        return self._replace(phase_id=phase_id, skipped=skipped)

    def _begin_round(self, told: Told) -> Self:
        if told is not None:
            text = f"Round {self.round}: {seat_name(self.storyteller)} is the Storyteller."
            told.append(Event("round", text, {"round": self.round, "storyteller": self.storyteller}))
        return self._enter(QUOTE if self.options.blind_quote else CHOOSE, told)

    def _choose(self, card: int, told: Told) -> Self:
        if told is not None:
            who = seat_name(self.storyteller)
            told.append(Event("choose", f"{who} has chosen a situation.", {"seat": self.storyteller}))
            self._tell_own(told, self.storyteller, "chose", card)
        state = self._replace(submitted=_put(self.submitted, self.storyteller, card))._enter(QUOTE, told)
        return state._say("", told) if self.storyteller in state.skipped else state  # struck out for the whole round

    def _say(self, quote: str, told: Told) -> Self:
        if told is not None:
            text = f"{seat_name(self.storyteller)} says: “{quote}”" if quote else "The quote stays empty."
            told.append(Event("quote", text, {"seat": self.storyteller, "quote": quote}))
        return self._replace(quote=quote)._enter(SUBMIT, told)._next_if_all_answered(told)

    def _submit(self, seat: int, card: int, told: Told) -> Self:
        if told is not None:
            told.append(Event("submit", f"{seat_name(seat)} has submitted a situation.", {"seat": seat}))
            self._tell_own(told, seat, "submitted", card)
        return self._replace(submitted=_put(self.submitted, seat, card))._next_if_all_answered(told)

    def _vote(self, seat: int, card: int, told: Told) -> Self:
        if told is not None:
            told.append(Event("vote", f"{seat_name(seat)} has voted.", {"seat": seat}))
            self._tell_own(told, seat, "voted for", card)
        return self._replace(votes=_put(self.votes, seat, card))._next_if_all_answered(told)

    def _next_if_all_answered(self, told: Told) -> Self:
        if self.pending:
            return self
        if self.phase_id == VOTE:
            return self._score(told)
        if not self._others_who(self.submitted):
            return self._score(told)
        rng = Rng(self.chance)
        table = rng.shuffled([card for card in self.submitted if card is not None])  # rule 4
        shown = self._replace(chance=rng.word, table=table)._enter(VOTE, told)
        if told is not None:
            texts = " / ".join(f"[{self.card(card).id}] {self.card(card).text}" for card in table)
            told.append(Event("reveal", f"On the table: {texts}", {"cards": [self.card(card).to_json() for card in table]}))
        return shown._next_if_all_answered(told)

    def _others_who(self, answers: tuple[int | None, ...]) -> bool:
        return any(answer is not None for seat, answer in enumerate(answers) if seat != self.storyteller)

    def _score(self, told: Told) -> Self:
        state = self._enter(SCORE, told)
        owners = {card: seat for seat, card in enumerate(self.submitted) if card is not None}
        skipped = not self._others_who(self.votes)
        if skipped:
            points = all_skipped_points(self.setup.players, self.storyteller, self.options)
        else:
            points = round_points(self.storyteller, owners, self.votes, self.options)
        scores = tuple(self._floored(score, gain) for score, gain in zip(self.scores, points, strict=True))
        gains = tuple(after - before for before, after in zip(self.scores, scores, strict=True))
        order = self.table or tuple(owners)
        cards = tuple(Played(card, owners[card], self._voters(card)) for card in order)
        done = Round(self.round, self.storyteller, self.quote, False, cards, gains)
        if told is not None:
            viewing.tell_scoring(self, done, skipped, told)
        return state._replace(scores=scores)._end_round(done, told)

    def _floored(self, score: int, gain: int) -> int:
        floor = self.options.score_floor
        return score + gain if floor is None or gain >= 0 else max(min(floor, score), score + gain)

    def _voters(self, card: int) -> tuple[int, ...]:
        return tuple(seat for seat, vote in enumerate(self.votes) if vote == card)

    def _forfeit(self, told: Told) -> Self:
        """D-C7: nothing was played, so a card already chosen stays in hand, and secret."""
        if told is not None:
            told.append(Event("forfeit", "The round is forfeited.", {"round": self.round, "seat": self.storyteller}))
        players = self.setup.players
        done = Round(self.round, self.storyteller, self.quote, True, (), (0,) * players)
        return self._replace(submitted=(None,) * players)._end_round(done, told)

    def _end_round(self, done: Round, told: Told) -> Self:
        players = self.setup.players
        state = self._enter(ROUND_END, told)
        teller = (self.storyteller + 1) % players
        hands, deck, short = self._refill(teller if self.options.refill_from == "new_storyteller" else 0)
        state = state._replace(
            hands=hands,
            deck=deck,
            quote=None,
            submitted=(None,) * players,
            table=(),
            votes=(None,) * players,
            history=(*self.history, done),
        )
        if told is not None:
            for seat in range(players):
                state._tell_hand(told, seat, tuple(card for card in hands[seat] if card not in self.hands[seat]), "draws")
        ending = state._reasons_to_end(short)
        if not ending:
            return state._replace(round=self.round + 1, storyteller=teller)._begin_round(told)
        over = state._enter(OVER, told)._replace(ending=ending)
        if told is not None:
            names = " and ".join(seat_name(seat) for seat in over.winners)
            win = "wins" if len(over.winners) == 1 else "share the win"
            text = f"The match is over: {'; '.join(ending)}. {names} {win}."
            told.append(Event("end", text, {"winners": list(over.winners), "reasons": list(ending)}))
        return over

    def _refill(self, first: int) -> tuple[tuple[Cards, ...], Cards, bool]:
        """Hands without the cards played, filled up from the deck (rule 9), the deck left, and whether a hand stayed short."""
        players, deck = self.setup.players, self.deck
        hands = [tuple(card for card in hand if card != self.submitted[seat]) for seat, hand in enumerate(self.hands)]
        for step in range(players):
            seat = (first + step) % players
            missing = HAND - len(hands[seat])
            hands[seat] = tuple(sorted((*hands[seat], *deck[:missing])))
            deck = deck[missing:]
        return tuple(hands), deck, any(len(hand) < HAND for hand in hands)

    def _reasons_to_end(self, short: bool) -> tuple[str, ...]:
        """Rule 12, judged after the refill."""
        options = self.options
        reasons = []
        if max(self.scores) >= options.target_score:
            reasons.append(f"the target score of {options.target_score} is reached")
        if self.round >= options.max_rounds:
            reasons.append(f"round {options.max_rounds} of {options.max_rounds} is played")
        if short if options.deck_end == "cannot_refill" else not self.deck:
            reasons.append("the deck has run out")
        return tuple(reasons)

    def _tell_hand(self, told: list[Event], seat: int, cards: Cards, verb: str) -> None:
        if cards:
            texts = " / ".join(f"[{self.card(card).id}] {self.card(card).text}" for card in cards)
            data = {"seat": seat, "cards": [self.card(card).to_json() for card in cards]}
            told.append(Event("draw", f"{seat_name(seat)} {verb} {texts}", data, (seat,)))

    def _tell_own(self, told: list[Event], seat: int, verb: str, card: int) -> None:
        text = f"{seat_name(seat)} {verb} [{self.card(card).id}] {self.card(card).text}"
        told.append(Event("own", text, {"seat": seat, "card": self.card(card).id}, (seat,)))

    # -- information, result, data -----------------------------------------------------------------------------------

    def build_view(self, seat: int | None) -> View:
        """All that the seat (None: a spectator) may know."""
        return viewing.view(self, seat)

    def resample(self, seat: int | None, rng: Rng) -> State:
        """A state drawn from the information set of a seat (None: a spectator)."""
        return viewing.resample(self, seat, rng)

    @property
    def winners(self) -> tuple[int, ...]:
        """Every seat with the highest score; empty before the end (D-C10: a tie is shared)."""
        if self.phase_id != OVER:
            return ()
        return tuple(seat for seat, score in enumerate(self.scores) if score == max(self.scores))

    def to_json(self) -> dict[str, Any]:
        """The whole state, hidden parts included."""
        data = self._asdict()
        del data["origin"]
        data["setup"] = self.setup.to_json()
        data["skipped"] = sorted(self.skipped)
        data["hands"] = [list(hand) for hand in self.hands]
        for name in ("scores", "deck", "submitted", "table", "votes", "ending"):
            data[name] = list(data[name])
        data["history"] = [_round_to_json(done) for done in self.history]
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """The state that `to_json` wrote."""
        plain: dict[str, Any] = {name: data[name] for name in ("chance", "phase_id", "round", "storyteller", "quote")}
        tuples: dict[str, Any] = {
            name: tuple(data[name]) for name in ("scores", "deck", "submitted", "table", "votes", "ending")
        }
        return cls(
            origin=None,
            setup=cls.game.setup_from_json(data["setup"]),
            hands=tuple(tuple(hand) for hand in data["hands"]),
            skipped=frozenset(data["skipped"]),
            history=tuple(_round_from_json(done) for done in data["history"]),
            **plain,
            **tuples,
        )


def _put(values: tuple[int | None, ...], seat: int, value: int) -> tuple[int | None, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _round_to_json(done: Round) -> dict[str, Any]:
    cards = [{"card": card, "owner": owner, "voters": list(voters)} for card, owner, voters in done.cards]
    return {**done._asdict(), "cards": cards, "points": list(done.points)}


def _round_from_json(data: dict[str, Any]) -> Round:
    cards = tuple(Played(card["card"], card["owner"], tuple(card["voters"])) for card in data["cards"])
    return Round(**{**data, "cards": cards, "points": tuple(data["points"])})
