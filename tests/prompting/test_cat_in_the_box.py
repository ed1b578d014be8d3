"""Cat in the Box's prompts: each option's rules exactly when they are in force, and what a player is told of the table."""

from __future__ import annotations

import random
import re

import pytest

from games.cat_in_the_box import GAME
from games.core import Rng, State
from runner.agents.own_fields import prompt_options
from runner.prompting.pack import prompt_context
from tests.games.cat_in_the_box.drawing import draw
from tests.games.cat_in_the_box.playing import ALL_OPTIONS, POLICIES, follow_first, walk
from tests.prompting.test_built_in import PACK, prompt

TABLE = """
        1 2 3 4 5 6 7 8
red     D . . . . . . .
blue    . A . B . . . .
yellow  . . . . C . . .
green   . . . . . . . .
A: 2 3 5 8
B: 4 4 6 | X red blue yellow | bid 2 | won 1
C: 1 1 2 4 | X red blue yellow | bid 3
D: 1 1 1 8 | bid 4
trick: A blue 2, B blue 4
turn: C
"""


def system(players: int, **options: object) -> str:
    state = GAME.begin(players=players, seed=1, **options)
    return prompt(state, 0)[0]["content"]


def user(state: State) -> str:
    return prompt(state, state.pending[0])[1]["content"]


STATEMENTS = {
    "not only the led one": lambda n, o: o["follow"] == "free",
    "you must declare the led colour if any card of yours allows it": lambda n, o: o["follow"] == "must",
    "Red may be led once": lambda n, o: o["red_lead"] == "until_broken",
    "any colour, including red": lambda n, o: o["red_lead"] == "free",
    'answer "paradox"': lambda n, o: o["explicit_paradox_action"],
    "1, 2, 3 or 4.": lambda n, o: n > 2 and o["bids"] == "1-4",
    "1, 3 or 4.": lambda n, o: n == 3 and o["bids"] == "board",
    "1, 2 or 3.": lambda n, o: n > 3 and o["bids"] == "board",
    "2. Bid: ": lambda n, o: n > 2,
    "as they bid": lambda n, o: n > 2,
    "Neutral tokens": lambda n, o: n == 2,
    "and do not open red": lambda n, o: n == 2 and o["red_lead"] == "until_broken",
    "won at most four tricks": lambda n, o: n == 2,
    "five are left over": lambda n, o: n == 2,
    "two are left over and seen by nobody": lambda n, o: n == 3 and o["three_player_max_rank"] == 7,
    "from 1 to 7. Each player is dealt 11 cards": lambda n, o: n == 3 and o["three_player_max_rank"] == 7,
    "from 1 to 6. Each player is dealt 10 cards.": lambda n, o: n == 3 and o["three_player_max_rank"] == 6,
    "from 1 to 9. Each player is dealt 9 cards.": lambda n, o: n == 5,
    "The match is one round": lambda n, o: o["rounds"] == 1,
    "The match has 2 rounds": lambda n, o: o["rounds"] == 2 or (o["rounds"] == "players" and n == 2),
    "The match has 5 rounds": lambda n, o: o["rounds"] == "players" and n == 5,
    "scored most in the last round": lambda n, o: o["rounds"] != 1,
}


@pytest.mark.parametrize("players", GAME.players)
def test_each_rule_is_stated_exactly_when_it_is_in_force(players: int) -> None:
    for options in ALL_OPTIONS:
        text = system(players, **options)
        for statement, holds in STATEMENTS.items():
            assert (statement in text) == holds(players, options), (statement, options)
        assert ("bid" in text.casefold()) == (players > 2)


@pytest.mark.parametrize("players", GAME.players)
def test_all_roles_share_one_first_message(players: int) -> None:
    firsts = {prompt(state, seat)[0]["content"] for state in walk(players, 3, rounds=2) for seat in state.pending}
    assert firsts == {system(players, rounds=2)}


def test_strikes_are_counted_in_words() -> None:
    assert "3 invalid answers in a row to one question cost 1 point" in system(4)
    assert "1 invalid answer in a row to one question costs 1 point" in system(4, strikes=1)


def test_a_player_sees_the_board_the_trick_and_the_price_of_each_play() -> None:
    text = user(draw(TABLE))
    assert (
        """\
rank    1    2    3    4    5    6    7    8
red     P-3  .    .    .    .    .    .    .
blue    .    P-0  .    P-1  .    .    .    .
yellow  .    .    .    .    P-2  .    .    .
green   .    .    .    .    .    .    .    .
"""
        in text
    )
    assert "- P-1: won 1 trick of 2 bid; 3 cards in hand; X-tokens red, blue, yellow; largest group 1 (blue 4)\n" in text
    assert "P-0 leads blue 2.\nP-1 plays blue 4.\nAfter you: P-3.\n" in text
    assert "blue is led, and P-1 is winning with blue 4." in text
    assert "- 1 (2 cards): blue, yellow\n- 2 (1 card): red, yellow\n- 4 (1 card): red, yellow\n" in text
    assert "4 of your 4 cards have such a colour; you play 3 if the tricks go to their end.\n" in text
    assert (
        """\
Play a card and declare its colour; blue is led, and P-1 is winning with blue 4.
- "blue 1": follows; cannot win; largest group then 1
- "yellow 1", "yellow 2": gives up your X-token of blue; cannot win; largest group then 1
- "yellow 4": gives up your X-token of blue; cannot win; largest group then 2
- "red 2", "red 4": gives up your X-token of blue; wins unless beaten by any higher red; largest group then 1
"""
        in text
    )


@pytest.mark.parametrize(
    ("player", "told"),
    [
        ("C: 1 1 2 4 | X red blue yellow | bid 3", "For your bid of 3 you need exactly 3 of the 8 tricks left"),
        ("C: 1 1 2 4 | X red blue yellow | bid 1 | won 1", "You have met your bid of 1: any of the 8 tricks left, this one"),
        ("C: 1 1 2 4 | X red blue yellow | bid 1 | won 2", "You have won 2 tricks: there is no bonus for you any more."),
    ],
)
def test_a_player_reads_what_is_left_to_win(player: str, told: str) -> None:
    assert told in user(draw(TABLE.replace("C: 1 1 2 4 | X red blue yellow | bid 3", player)))


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("options", [{}, {"follow": "must"}])
def test_what_a_play_does_to_the_trick_comes_true(players: int, options: dict[str, str]) -> None:
    """What wins for certain wins, unless there is a paradox, and what cannot win never does; else one of the named cards beats
    it. The others play at random in worlds that the player holds possible."""
    said: dict[str, int] = {}
    for seed in range(2):
        for state in walk(players, seed, **options):
            if not state.pending or state.phase.name != "Play":
                continue
            seat = state.pending[0]
            for action in state.actions:
                told = next(part for part in action.steps[1].effect.split("; ") if "win" in part)
                after = state.resample(seat, Rng(seed)).read(seat, action.to_json()).next_state
                while after.pending and len(after.view(None)["trick"]) not in (0, players):
                    after = random.Random(seed).choice(after.actions).next_state
                done = (*after.view(None)["results"], after.view(None))[0 if after.has_ended else -1]["finished_tricks"]
                if len(done) <= len(state.view(None)["finished_tricks"]):
                    continue  # a paradox: nobody wins
                trick = done[len(state.view(None)["finished_tricks"])]
                said[told.split(" by ")[0]] = said.get(told.split(" by ")[0], 0) + 1
                if "for certain" in told or "cannot" in told:
                    assert (trick["winner"] == seat) == ("for certain" in told)
                elif trick["winner"] != seat:
                    best = next(play for play in trick["plays"] if play["seat"] == trick["winner"])
                    named = re.findall(rf"(?:any (?:higher )?|){best['colour']}(?: [\d, ]+)?", told)
                    assert any("any" in words or str(best["rank"]) in words for words in named), (told, best)
    assert len(said) == 3


def test_a_play_that_costs_nothing_more_says_so() -> None:
    text = user(draw(TABLE.replace("C: 1 1 2 4 | X red blue yellow", "C: 1 1 2 4 | X red yellow")))
    assert ": costs nothing, your X-token of blue is already gone; cannot win; largest group then 1\n" in text
    assert "follows" not in text


def test_a_player_who_gets_no_such_help_is_not_told_what_is_legal() -> None:
    state = draw(TABLE)
    context = prompt_context(state.view(2), state.question(2), prompt_options(state.setup), False, lists_legal=False)
    text = PACK.render("cat_in_the_box", "trick_player", context)[1]["content"]
    assert """## Your hand\n1, 1, 2, 4\n\nWrite a play as its colour and its rank, such as "blue 4".\n""" in text
    assert "legal" not in text
    assert "gives up" not in text


def test_under_must_only_following_is_named_while_it_is_possible() -> None:
    text = user(draw(TABLE, follow="must"))
    assert 'is winning with blue 4.\n- "blue 1": follows; cannot win; largest group then 1\n\n' in text


def test_a_paradox_that_is_certain_is_announced() -> None:
    text = user(draw(TABLE.replace("C: 1 1 2 4 | X red blue yellow", "C: 1 1 1 2 | X blue")))
    assert "3 of your 4 cards have such a colour; you play 3 if" in text
    own = "At most 1 of your 4 cards can get a cell of its own, as 3 cards of 1 share 1 cell"
    assert f"{own}; 3 plays are left, so there will be a paradox, yours or another's.\n" in text


def test_a_certain_paradox_always_comes() -> None:
    announced = 0
    for policy in POLICIES:
        for seed in range(4):
            states = list(walk(4, seed, policy))
            told = [s for s in states if s.pending and "there will be a paradox" in user(s)]
            announced += len(told)
            assert not told or states[-1].context.paradox is not None
    assert announced


def test_former_rounds_are_told_in_a_line_each() -> None:
    state = next(state for state in walk(3, 1, follow_first, rounds=3) if state.round == 3)
    text = user(state)
    for done in state.view(None)["results"]:
        (line,) = re.findall(rf"^Round {done['round']}: .*$", text, re.MULTILINE)
        for seat, points in enumerate(done["points"]):
            facts = (
                rf"bid {done['bids'][seat]}, won {done['tricks_won'][seat]}(?:, [a-z 0-9]+)?: {re.escape(f'{points:+d}')}[;.]"
            )
            assert re.search(rf"P-{seat}(?: \(you\))? {facts}", line)
    assert "Totals: " in text
    assert "Rounds before" not in user(GAME.begin(players=3, seed=1, rounds=3))


def test_the_paradox_that_has_to_be_answered() -> None:
    found = [
        s for seed in range(5) for s in walk(3, seed, explicit_paradox_action=True) if s.pending and s.view(None)["paradox"]
    ]
    assert found
    for state in found:
        assert "You are in a paradox: no card of your hand can be played." in user(state)
        assert 'One of: "paradox"' in user(state)
        assert "tricks left" not in user(state)
