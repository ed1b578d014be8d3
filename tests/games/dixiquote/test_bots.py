"""The bots: legal and repeatable in every match, and the steady one's table looks like the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

import games
from games.core import Answer, Policy, Rng, State, View, decks
from games.dixiquote.bots import BOTS, LINES, similarity, steady_bot, stems

GAME = games.load("dixiquote")
CARDS = [{"id": card["id"], "text": card["text"]} for card in decks.load("situations")["cards"]]
TEXTS = {card["id"]: card["text"] for card in CARDS}
CANNED = [{"quote": "One line."}, {"quote": "Another line."}]
STRANGE_DECK = [{"id": f"x{n}", "genre": "noise", "text": f"{'qz' * (n % 7 + 1)} 第{n}回 {n}!"} for n in range(80)]


def answers_for(cards: Sequence[dict[str, str]]) -> list[Answer]:
    return [{"card": card["id"]} for card in cards]


def view_of(hand: Sequence[dict[str, str]], quote: str | None = None, **more: Any) -> View:
    own = {"hand": list(hand), "chosen": more.pop("chosen", None), "submitted": more.pop("submitted", None)}
    return {"game": "dixiquote", "seat": 0, "storyteller": 0, "quote": quote, "table": [], "history": [], "own": own, **more}


Choose = Callable[[View, Sequence[Answer], Rng], Answer]


def at_random(view: View, answers: Sequence[Answer], rng: Rng) -> Answer:
    return rng.choice(answers)


class Dealt(NamedTuple):
    """A round played with hands dealt from the deck, without the State class."""

    told: str
    submitted: list[str]
    votes: list[str]

    @property
    def hits(self) -> int:
        return self.votes.count(self.told)

    @property
    def is_split(self) -> bool:
        """Two cards got votes, the Storyteller's among them: what the revised Storyteller's point is for."""
        return 0 < self.hits < len(self.votes)


def deal_round(bot: Choose, players: int, seed: int) -> Dealt:
    rng = Rng.of("a round", seed)
    deck = rng.shuffled(CARDS)
    hands = [list(deck[6 * seat : 6 * seat + 6]) for seat in range(players)]

    def without(seat: int, card: dict[str, str]) -> list[dict[str, str]]:
        return [held for held in hands[seat] if held != card]

    def pick(view: View, cards: Sequence[dict[str, str]]) -> dict[str, str]:
        card_id = bot(view, answers_for(cards), rng)["card"]
        return next(card for card in cards if card["id"] == card_id)

    told = pick(view_of(hands[0]), hands[0])
    quote = bot(view_of(without(0, told), chosen=told), CANNED, rng)["quote"]
    played = [told, *(pick(view_of(hands[seat], quote, seat=seat), hands[seat]) for seat in range(1, players))]
    table = list(rng.shuffled(played))
    votes = []
    for seat in range(1, players):
        own = played[seat]
        view = view_of(without(seat, own), quote, seat=seat, table=table, submitted=own)
        votes.append(pick(view, [card for card in table if card != own])["id"])
    return Dealt(told["id"], [card["id"] for card in played], votes)


def play(bot: Policy, players: int, seed: int, rules: str | None = None, **options: Any) -> State:
    state = GAME.begin(players, seed, rules, **options)
    rng = Rng.of("a match", seed)
    while not state.has_ended:
        seat = state.actor
        assert seat is not None
        state = bot(state, seat, rng).next_state
    return state


def quotes_of(state: State) -> list[str]:
    return [done["quote"] for done in state.view(None)["history"]]


@pytest.mark.parametrize("name", sorted(BOTS))
@pytest.mark.parametrize("players", range(3, 9))
@pytest.mark.parametrize("options", [{}, {"blind_quote": True}, {"max_quote_lines": 2, "rules": "original"}], ids=str)
def test_bots_play_legal_matches_to_the_end(name: str, players: int, options: dict[str, Any]) -> None:
    state = play(BOTS[name], players, 11, **options)
    assert state.winners


@pytest.mark.parametrize("name", sorted(BOTS))
@pytest.mark.parametrize("blind_quote", [False, True])
def test_bots_play_with_a_deck_of_unknown_stems(name: str, blind_quote: bool) -> None:
    assert play(BOTS[name], 4, 2, deck=STRANGE_DECK, blind_quote=blind_quote).winners


@pytest.mark.parametrize("name", sorted(BOTS))
def test_the_same_seed_gives_the_same_match(name: str) -> None:
    assert play(BOTS[name], 5, 3).to_json() == play(BOTS[name], 5, 3).to_json()


def test_bots_leave_view_and_answers_alone() -> None:
    view, answers = view_of(CARDS[:6], "A vow outlives the mouth that made it."), answers_for(CARDS[:6])
    steady_bot(view, answers, Rng.of(1))
    assert view == view_of(CARDS[:6], "A vow outlives the mouth that made it.")
    assert answers == answers_for(CARDS[:6])


def test_a_steady_table_splits_its_votes_more_often_than_chance() -> None:
    rounds = 800
    steady = [deal_round(steady_bot, 4, seed) for seed in range(rounds)]
    chance = [deal_round(at_random, 4, seed) for seed in range(rounds)]
    assert sum(played.is_split for played in steady) > sum(played.is_split for played in chance) + 0.02 * rounds


def test_steady_voters_find_the_storytellers_card_more_often_than_chance_but_seldom_all() -> None:
    rounds = [deal_round(steady_bot, 4, seed) for seed in range(400)]
    assert sum(played.hits for played in rounds) > 0.45 * 3 * len(rounds)
    assert sum(played.hits == 3 for played in rounds) < 0.3 * len(rounds)


def test_a_steady_submitter_plays_the_card_most_like_the_quote() -> None:
    quote = "A vow outlives the mouth that made it."
    for seed in range(50):
        hand = Rng.of(seed).shuffled(CARDS)[:6]
        played = steady_bot(view_of(hand, quote), answers_for(hand), Rng.of(seed))["card"]
        assert similarity(quote, TEXTS[played]) == max(similarity(quote, card["text"]) for card in hand)


def test_a_steady_voter_votes_for_one_of_the_two_cards_most_like_the_quote() -> None:
    quote = "Most beginnings are dressed for a funeral."
    table = [card for card in CARDS if card["id"] in ("fan-12", "sci-06", "sci-07", "sur-05")]
    view = view_of(CARDS[-5:], quote, table=table)
    votes = {steady_bot(view, answers_for(table), Rng.of(seed))["card"] for seed in range(60)}
    assert votes == {"fan-12", "sci-06"}


@pytest.mark.parametrize("quote", ["", "Zxqv."])
def test_a_quote_that_brings_nothing_to_mind_may_lead_to_any_card(quote: str) -> None:
    hand = CARDS[:4]
    for table in ([], hand):
        view = view_of(hand, quote, table=table)
        seen = {steady_bot(view, answers_for(hand), Rng.of(seed))["card"] for seed in range(120)}
        assert seen == {card["id"] for card in hand}


def test_a_steady_quote_fits_the_chosen_card_without_a_word_of_it() -> None:
    for seed, card in enumerate(CARDS):
        quote = steady_bot(view_of([], chosen=card), CANNED, Rng.of(seed))["quote"]
        assert len(quote.splitlines()) == 1
        assert stems(quote).isdisjoint(stems(card["text"]))
        assert similarity(quote, card["text"]) > 0


def test_a_blind_quote_fits_a_card_in_hand() -> None:
    for seed in range(50):
        hand = Rng.of(seed).shuffled(CARDS)[:6]
        quote = steady_bot(view_of(hand), CANNED, Rng.of(seed))["quote"]
        assert max(similarity(quote, card["text"]) for card in hand) > 0


def test_steady_quotes_do_not_repeat_in_a_match() -> None:
    for seed in range(5):
        quotes = quotes_of(play(BOTS["steady"], 3, seed, max_rounds=30, target_score=1000))
        assert len(quotes) == len(set(quotes)) == 21


def test_steady_quotes_go_on_when_all_lines_are_said() -> None:
    deck = [{"id": f"c{n}", "genre": "g", "text": f"A bell rings {n} times."} for n in range(480)]
    quotes = quotes_of(play(BOTS["steady"], 3, 1, max_rounds=150, target_score=1000, deck=deck))
    assert len(quotes) == 150
    assert set(quotes) == set(LINES)


def test_a_steady_storyteller_keeps_the_least_ordinary_cards() -> None:
    ordinary = [card for card in CARDS if card["id"] in ("sci-06", "sci-08", "his-12", "his-07", "sci-14")]
    odd = {"id": "odd", "text": "Turnips sulk."}
    chosen = {steady_bot(view_of([*ordinary, odd]), answers_for([*ordinary, odd]), Rng.of(seed))["card"] for seed in range(60)}
    assert len(chosen) == 3
    assert "odd" not in chosen
