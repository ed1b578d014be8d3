"""The bots: legal and repeatable in every match, and the steady one's table looks like the game."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pytest

import games
from games.core import Policy, Rng, State, decks
from games.dixiquote.bots import BOTS, LINES, fit, similarity, stems
from games.dixiquote.likelihood import likelihood
from games.dixiquote.phases import CHOOSE, QUOTE, SUBMIT, VOTE
from games.dixiquote.position import Round
from games.search.evaluation import evaluate
from games.search.playouts import shares_of
from games.search.worlds import worlds_of
from tools.campaigns.dixiquote_bots import hits as hits_of
from tools.campaigns.dixiquote_bots import match

GAME = games.load("dixiquote")
CARDS = [{"id": card["id"], "text": card["text"]} for card in decks.load("situations")["cards"]]
TEXTS = {card["id"]: card["text"] for card in CARDS}
NUMBERS = {card["id"]: number for number, card in enumerate(CARDS)}
VOW = "A vow outlives the mouth that made it."
STRANGE_DECK = [{"id": f"x{n}", "genre": "noise", "text": f"{'qz' * (n % 7 + 1)} 第{n}回 {n}!"} for n in range(80)]


def play(bot: Policy, players: int, seed: int, rules: str | None = None, **options: Any) -> State:
    state = GAME.begin(players, seed, rules, **options)
    rng = Rng.of("a match", seed)
    while not state.has_ended:
        state = bot(state, state.pending[0], rng).next_state
    return state


def first_round(bot: str, seed: int) -> Round:
    """The first round of a match of four."""
    return play(BOTS[bot], 4, seed, max_rounds=1).history[0]


def hits(played: Round) -> int:
    """The votes for the Storyteller's card."""
    return next(len(card.voters) for card in played.cards if card.owner == played.storyteller)


def decided(seed: int, phase_id: int, seat: int, hand: tuple[int, ...], state: State | None = None, **fields: Any) -> str:
    """The card or quote that the steady bot of a seat decides for in a position with these cards in its hand."""
    state = state or GAME.begin(4)
    hands = (*state.hands[:seat], hand, *state.hands[seat + 1 :])
    state = state._replace(phase_id=phase_id, hands=hands, **fields)
    (answer,) = BOTS["steady"](state, seat, Rng.of(seed)).to_json().values()
    return answer


def dealt(seed: int) -> tuple[int, ...]:
    """Six cards."""
    return Rng.of(seed).shuffled(range(len(CARDS)))[:6]


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


def test_steady_voters_find_the_storytellers_card_more_often_than_chance_but_mostly_not_all() -> None:
    found = [hits(first_round("steady", seed)) for seed in range(400)]
    assert sum(found) > 0.55 * 3 * len(found)
    assert found.count(3) < 0.4 * len(found)


def test_a_steady_submitter_plays_a_card_that_the_quote_fits_best() -> None:
    for seed in range(50):
        hand = dealt(seed)
        played = decided(seed, SUBMIT, 1, hand, quote=VOW)
        assert fit(VOW, TEXTS[played]) == max(fit(VOW, CARDS[card]["text"]) for card in hand)


def test_a_steady_voter_votes_mostly_for_the_card_that_the_quote_fits_best() -> None:
    quote = "Most beginnings are dressed for a funeral."
    table = tuple(NUMBERS[card] for card in ("fan-12", "sci-06", "sci-07", "sur-05"))
    votes = [decided(seed, VOTE, 1, (75, 76), quote=quote, table=table) for seed in range(60)]
    assert votes.count("fan-12") > 50
    assert fit(quote, TEXTS["fan-12"]) == max(fit(quote, TEXTS[card]) for card in ("fan-12", "sci-06", "sci-07", "sur-05"))


def test_a_quote_fits_a_card_less_if_it_says_a_word_of_it_or_if_most_lines_are_like_the_card() -> None:
    said = "The clocks agree to skip Thursday, and nobody ever mentions it."
    assert fit("Nobody mentions the hours.", said) < fit("The hours keep their own counsel.", said)
    assert fit("Zxqv.", said) == fit("", said) == 0
    best = max(LINES, key=lambda line: similarity(line, said))
    assert fit(best, said) <= 1


@pytest.mark.parametrize(("players", "wins", "share"), [(3, 1.3, 0.8), (4, 1.6, 0.75), (6, 1.6, 0.5)])
def test_steady_bots_win_more_among_random_ones_and_find_one_another_s_cards(players: int, wins: float, share: float) -> None:
    ends = [match(players, seed) for seed in range(40)]
    found = [hit for steady, state in ends for hit in hits_of(state, steady)]
    assert fmean(fmean(shares_of(state)[seat] for seat in steady) for steady, state in ends) * players > wins
    assert fmean(found) > share


@pytest.mark.parametrize("quote", ["", "Zxqv."])
@pytest.mark.parametrize("phase_id", [SUBMIT, VOTE])
def test_a_quote_that_brings_nothing_to_mind_may_lead_to_any_card(quote: str, phase_id: int) -> None:
    cards = (0, 1, 2, 3)
    seen = {decided(seed, phase_id, 1, cards, quote=quote, table=cards) for seed in range(120)}
    assert seen == {CARDS[card]["id"] for card in cards}


def test_a_steady_quote_fits_the_chosen_card_without_a_word_of_it() -> None:
    for number, card in enumerate(CARDS):
        quote = decided(number, QUOTE, 0, (number,), submitted=(number, None, None, None))
        assert len(quote.splitlines()) == 1
        assert stems(quote).isdisjoint(stems(card["text"]))
        assert similarity(quote, card["text"]) > 0


def test_a_blind_quote_fits_a_card_in_hand() -> None:
    for seed in range(50):
        hand = dealt(seed)
        quote = decided(seed, QUOTE, 0, hand, GAME.begin(4, blind_quote=True))
        assert max(similarity(quote, CARDS[card]["text"]) for card in hand) > 0


def test_steady_quotes_do_not_repeat_in_a_match() -> None:
    for seed in range(5):
        quotes = quotes_of(play(BOTS["steady"], 3, seed, max_rounds=30, target_score=1000))
        assert len(quotes) == len(set(quotes)) == 21


def test_steady_quotes_go_on_when_all_lines_are_said() -> None:
    deck = [{"id": f"c{n}", "genre": "g", "text": f"A bell rings {n} times."} for n in range(420)]
    quotes = quotes_of(play(BOTS["steady"], 3, 1, max_rounds=130, target_score=1000, deck=deck))
    assert len(quotes) == 130 > len(LINES)
    assert set(quotes) == set(LINES)


def test_a_steady_storyteller_keeps_the_least_ordinary_cards() -> None:
    ordinary = tuple(NUMBERS[card] for card in ("sci-06", "sci-08", "his-12", "his-07", "sci-14"))
    odd = {"id": "odd", "genre": "odd", "text": "Turnips sulk."}
    state = GAME.begin(4, deck=[*({**card, "genre": "any"} for card in CARDS), odd])
    chosen = {decided(seed, CHOOSE, 0, (*ordinary, len(CARDS)), state) for seed in range(60)}
    assert len(chosen) == 3
    assert "odd" not in chosen


def test_worlds_make_a_vote_for_a_card_that_the_quote_fits_better_than_others() -> None:
    """In the worlds of a voter, the Storyteller mostly has the fitting card; no world reads what the voter cannot know."""
    rng, state = Rng(5), GAME.begin(4, 5)
    while state.phase_id != VOTE:
        state = BOTS["steady"](state, state.pending[0], rng).next_state
    position: Any = state
    seat = state.pending[0]
    others = [card for card in position.table if card != position.submitted[seat]]
    best = max(others, key=lambda card: fit(position.quote, position.card(card).text))
    draw = worlds_of(state, seat)
    drawn: list[Any] = [draw(Rng.of(number)) for number in range(300)]
    assert sum(world.submitted[world.storyteller] == best for world in drawn) > 0.4 * len(drawn)
    other = drawn[0]
    assert [*map(likelihood(other, seat), drawn)] == [*map(likelihood(position, seat), drawn)]
    grades = evaluate(state, seat, Rng(1), 300, BOTS["steady"]).grades
    assert grades[0].action.move == best
