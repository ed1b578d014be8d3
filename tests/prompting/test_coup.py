"""Coup's prompts: the numbers of the rules, the claim at stake, and nobody's secrets."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from games.core import Rng, State
from games.coup import GAME
from games.coup.actions import ACTIONS, BLOCK_AS
from games.coup.cards import CHARACTERS
from games.coup.claims import challenge_of
from games.testing.random_play import walk
from runner.agents.own_fields import asked_question, prompt_options
from runner.agents.settings import SeatSettings
from runner.prompting.pack import prompt_context
from tests.games.coup.positions import blocks, challenges, does, loses, passes, play, position, shows
from tests.prompting.test_built_in import PACK, prompt

THREE = ("3 As Du", "2 Ca Am", "2 Co Co")


def system(players: int, **options: Any) -> str:
    state = GAME.begin(players=players, seed=1, **options)
    return prompt(state, state.pending[0])[0]["content"]


def user(state: State, seat: int | None = None) -> str:
    return prompt(state, state.pending[0] if seat is None else seat)[1]["content"]


# -- the rules -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "options", "said"),
    [
        (2, {}, "The starting player begins with 1 coin, the other with 2."),
        (2, {"two_player_start_coin": 2}, "Each player begins with 2 coins."),
        (3, {"two_player_start_coin": 1}, "Each player begins with 2 coins."),
        (2, {}, "the other 11 are the Court deck"),
        (6, {"draft": True}, "the other 3 are the Court deck"),
        (4, {"max_turns": 9}, "After turn 9 the match is over"),
        (4, {}, "3 invalid answers in a row in one phase cost 1 coin"),
        (4, {"strikes": 1}, "1 invalid answer in a row in one phase costs 1 coin"),
    ],
)
def test_the_numbers_of_the_rules(players: int, options: dict[str, Any], said: str) -> None:
    assert said in system(players, **options)


def test_all_roles_share_one_first_message() -> None:
    for players in GAME.players:
        options: dict[str, Any] = {"may_concede": True, "draft": players == 2}
        states = walk(GAME.begin(players=players, seed=2, **options), random.Random(1))
        last_of_each = {state.phase_id: state for state in states if state.pending}
        firsts = {prompt(state, seat)[0]["content"] for state in last_of_each.values() for seat in state.pending}
        assert firsts == {system(players, **options)}


def test_the_rules_say_every_word_that_answers_take() -> None:
    text = system(4, may_concede=True)
    words = {f'"{word}"' for word in (*ACTIONS, "pass", "challenge", "prove", "concede", "none", "block as Captain")}
    assert not [word for word in words if word not in text]
    assert not [character for character in CHARACTERS if character not in text]
    assert not [words for words in BLOCK_AS.values() if f"may {words}" not in text and "may block as" not in text]


# -- what is at stake ----------------------------------------------------------------------------------------------------


def test_the_claim_at_stake_with_the_count_of_its_cards() -> None:
    state = play(position("3 As Du", "2 Ca (Du)", "2 Co Co"), does(0, "tax"))
    text = user(state, 1)
    assert "P-0 declared Tax, claiming Duke.\n" in text
    assert (
        "The claim at stake: P-0 claims Duke, with 2 face-down cards. Of 3 cards of Duke 1 is turned up and 0 are yours,"
        " so 2 can be with others or in the Court deck.\n" in text
    )
    assert "Of the 3 cards of each character you see, turned up or in your hand: Duke 1, Assassin 0, Ambassador 0," in text
    assert "if P-0 has no Duke (71 % by the cards you know), P-0 loses one of two influences, and Tax fails;" in text
    assert "you lose your last influence and are out, and Tax goes ahead; on average that costs P-0 0.71 influences" in text
    assert '- "pass": P-0 takes 3 coins unless another player\'s challenge succeeds.\n' in text


def test_who_is_assassinated_reads_what_blocking_and_challenging_cost() -> None:
    state = play(position(*THREE), does(0, "assassinate", 1))
    text = user(state, 1)
    assert "you lose one of your two influences, and Assassinate goes ahead unless you block it; on average" in text
    assert "P-0 loses one of two influences, and Assassinate fails (its 3 coins are paid back);" in text
    assert '- "pass": you lose one of your two influences unless you block or another player\'s challenge succeeds.\n' in text
    assert "Assassinate goes ahead unless P-1 blocks it; on average" in user(state, 2)
    text = user(play(state, *passes(1, 2)), 1)
    assert (
        '"block as Contessa": a bluff; if nobody challenges it, Assassinate has no effect (its 3 coins stay paid); otherwise'
        " you lose one of your two influences, and the assassination costs you the other one.\n" in text
    )
    assert '- "pass": you lose one of your two influences.\n' in text


def test_who_has_the_character_reads_that_a_block_is_no_bluff() -> None:
    text = user(play(position(*THREE), does(0, "steal", 1), *passes(1, 2)), 1)
    assert (
        '- "block as Captain": Steal has no effect; you have Captain, so a player who challenges it loses an influence.\n'
        in text
    )
    text = user(play(position(*THREE), does(0, "foreign aid")), 1)
    assert '- "pass": P-0 takes 2 coins unless another player blocks.\n' in text


def test_a_block_is_a_claim_at_stake_too() -> None:
    state = play(position(*THREE), does(0, "steal", 1), *passes(1, 2), blocks(1, "Captain"))
    for seat in (0, 2):
        text = user(state, seat)
        assert "Nobody challenged it." in text
        assert "P-1 blocked, claiming Captain.\n" in text
        assert "The claim at stake: P-1 claims Captain to block, with 2 face-down cards." in text
        assert "you lose one of your two influences, and the block stands:" in text
        assert "Steal has no effect; on average that costs P-1" in text
        assert '- "pass": the block stands unless another player\'s challenge succeeds:' in text
    assert "which blocks your Steal, or pass.\n" in user(state, 0)
    assert "P-1 loses one of two influences, and the block fails: you take 2 coins from P-1;" in user(state, 0)


@pytest.mark.parametrize(("exiled", "told"), [(True, "P-0 takes 2 coins from P-1"), (False, "Steal takes nothing")])
def test_a_steal_from_a_blocker_who_goes_out(exiled: bool, told: str) -> None:
    state = position("3 As Du", "2 Ca (Am)", "2 Co Co", steal_from_exiled=exiled)
    state = play(state, does(0, "steal", 1), *passes(1, 2), blocks(1, "Ambassador"))
    assert f"P-1 loses their last influence and is out, and the block fails: {told};" in user(state, 2)


@pytest.mark.parametrize("refund", [True, False])
def test_what_becomes_of_the_coins_of_a_false_assassination(refund: bool) -> None:
    state = play(position("3 Du Du", "2 Ca Am", "2 Co Co", refund_on_challenge=refund), does(0, "assassinate", 1))
    assert ("its 3 coins are paid back" in user(state, 2)) == refund
    assert ("its 3 coins stay paid" in user(state, 2)) == (not refund)


def test_who_may_concede_reads_both_ends() -> None:
    state = play(position(*THREE, may_concede=True), does(0, "assassinate", 1), challenges(1))
    text = user(state, 0)
    assert '- "prove": you draw a new card for it, and it goes back to the Court deck;' in text
    assert '- "concede": you lose one of your two influences, and your Assassinate fails (its 3 coins are paid back).\n' in text
    assert "if P-0 shows no Duke" in user(play(position(*THREE, may_concede=True), does(0, "tax")), 1)
    assert "if P-0 has no Duke" in user(play(position(*THREE), does(0, "tax")), 1)


def test_a_loss_and_what_comes_after_it() -> None:
    state = play(position(*THREE), does(0, "assassinate", 1), *passes(1, 2), blocks(1, "Contessa"), challenges(2))
    assert "it stays face up, and you keep Ambassador; the assassination then costs you Ambassador too.\n" in user(state, 1)
    state = play(position(*THREE), does(0, "assassinate", 1), challenges(1), shows(0, "Assassin"))
    assert "you keep Ambassador; Assassinate goes ahead unless you block it.\n" in user(state, 1)
    state = play(position("3 As Du", "2 Ca (Am)", "2 Co Co"), does(0, "tax"), challenges(1), shows(0, "Duke"))
    assert '- "Captain": it stays face up, and you are out.\n' in user(state, 1)


def test_the_last_challenge_of_a_match_says_who_wins() -> None:
    state = play(position("3 As (Du)", "2 Ca (Am)"), does(0, "tax"))
    text = user(state, 1)
    assert (
        "if P-0 has no Duke (83 % by the cards you know), P-0 loses their last influence, and you win the match; otherwise you"
        " lose your last influence, and P-0 wins the match; on average that costs P-0 0.83 influences and you 0.17.\n" in text
    )


def test_the_coins_of_a_target_that_goes_out_by_a_wrong_challenge() -> None:
    for exiled, taken in ((True, "you take 2 coins from P-1"), (False, "your Steal takes nothing")):
        state = position("3 Ca Du", "2 Ca (Am)", "2 Co Co", steal_from_exiled=exiled)
        text = user(play(state, does(0, "steal", 1), challenges(1)), 0)
        assert f"P-1 loses their last influence and is out, and {taken}.\n" in text


def test_what_was_claimed_and_proven_before_and_by_whom() -> None:
    state = play(position(*THREE), does(0, "steal", 1), *passes(1, 2), blocks(1, "Captain"), challenges(2))
    state = play(state, shows(1, "Captain"), loses(2, "Contessa"), does(1, "income"), does(2, "tax"), challenges(0))
    state = play(state, loses(2, "Contessa"), does(0, "tax"))
    text = user(state, 1)
    assert (
        "- P-0: Captain in turn 1; Duke in turn 4\n- P-1 (you): Captain in turn 1 (proven)\n- P-2: Duke in turn 3 (false)\n"
        in text
    )
    assert (
        "Turn 1: P-0 declared Steal against P-1 (you), claiming Captain. Nobody challenged it. P-1 (you) blocked, claiming"
        " Captain. P-2 challenged Captain: P-1 (you) showed it and exchanged it; P-2 turned up Contessa. The action had no"
        " effect.\nTurn 2: P-1 (you) declared Income.\nTurn 3: P-2 declared Tax, claiming Duke. P-0 challenged Duke: P-2 did"
        " not have it; P-2 turned up Contessa. The action failed.\n" in text
    )
    assert (
        "- P-0: 3 coins, 2 face-down cards\n- P-1 (you): 3 coins, 2 face-down cards\n"
        "- P-2: out; turned up: Contessa, Contessa\n" in text
    )


def test_a_challenge_is_worth_what_both_ends_cost() -> None:
    """In influences, with what an assassination adds; the chance is that of the belief, which knows what was shown."""
    state = play(position(*THREE), does(0, "assassinate", 1))
    lacks = challenge_of(state, 1, None)
    assert lacks is not None
    low, high = f"{lacks.chance:.2f}", f"{2 * (1 - lacks.chance):.2f}"
    assert f"on average that costs P-0 {low} influences and you {high} if you then do not block.\n" in user(state, 1)
    assert f"on average that costs P-0 {low} influences and you {1 - lacks.chance:.2f}.\n" in user(state, 2)
    state = play(state, *passes(1, 2), blocks(1, "Contessa"))
    lacks = challenge_of(state, 0, None)
    assert lacks is not None
    assert f"on average that costs P-1 {2 * lacks.chance:.2f} influences and you {1 - lacks.chance:.2f}.\n" in user(state, 0)


def test_the_chance_of_a_block_knows_what_was_shown() -> None:
    state = play(position(*THREE), does(0, "steal", 1), *passes(1, 2), blocks(1, "Captain"), challenges(2))
    state = play(state, shows(1, "Captain"), loses(2, "Contessa"), does(1, "income"), does(2, "income"))
    text = user(state, 0)
    assert "P-1 has one with" in text
    assert "P-2 with" in text
    assert "each opponent" not in text


def test_a_declaration_names_what_can_be_paid_and_what_would_be_a_bluff() -> None:
    text = user(position(*THREE))
    assert (
        "pay 3 coins (0 left); the target loses an influence unless it is blocked as Contessa (each opponent has it with 42 %);"
        " claims Assassin, which you have.\n" in text
    )
    assert "claims Ambassador, a bluff: if challenged, you lose an influence and the action fails.\n" in text
    assert '- "income": take 1 coin (you then have 4); nobody can stop it.\n' in text
    assert '- "coup":' not in text
    text = user(position("10 As Du", "2 Ca Am"))
    assert "With 10 or more it has to be a coup." in text
    assert '- "coup": pay 7 coins (3 left); the target loses an influence; nobody can stop it.\n' in text
    assert '- "income":' not in text


def test_the_draft_counts_by_its_sets() -> None:
    state = GAME.begin(players=2, seed=3, draft=True)
    assert "## The table" not in user(state)
    state = play(state, (state.pending[0], {"take": "Duke"}))
    other = state.pending[0]
    assert "Duke" not in user(state).split("## Your task")[0]
    state = play(state, (other, {"take": "Captain"}))
    text = user(state, state.pending[0])
    assert "which you took from your set, and at most 2 of any other character" in text
    assert "Of the 3 cards of each character" not in text


# -- what is not told ----------------------------------------------------------------------------------------------------


def asked(players: int, seeds: int, **options: Any) -> Iterator[tuple[State, int]]:
    for seed in range(seeds):
        for state in walk(GAME.begin(players=players, seed=seed, **options), random.Random(seed), 0.02):
            for seat in state.pending:
                yield state, seat


@pytest.mark.parametrize("options", [{}, {"may_concede": True}, {"rules": "official"}])
def test_neither_cards_of_others_nor_the_deck_change_a_prompt(options: dict[str, Any]) -> None:
    changed = 0
    for number, (state, seat) in enumerate(asked(2, 4, **options)):
        other = state.resample(seat, Rng(number))
        assert prompt(other, seat) == prompt(state, seat)
        changed += other != state
    assert changed > 40


def test_an_answer_in_an_open_window_is_in_no_other_prompt() -> None:
    table = position("3 As Du", "2 Ca Am", "2 Co Co", "2 Ca Am")
    for state in (
        play(table, does(0, "tax")),
        play(table, does(0, "foreign aid")),
        play(table, does(0, "foreign aid"), blocks(3, "Duke")),
    ):
        first, *others = state.pending
        after = play(state, *passes(first))
        assert [prompt(after, seat) for seat in others] == [prompt(state, seat) for seat in others]


def test_without_help_the_legal_answers_are_not_listed() -> None:
    """What answers there are is in the rules; which are legal now the player has to see."""
    for state, seat in asked(3, 4, may_concede=True):
        question = asked_question(state.question(seat), SeatSettings(help="shape"))
        context = prompt_context(state.view(seat), question, prompt_options(state.setup), True, lists_legal=False)
        text = PACK.render("coup", question.role, context)[1]["content"]
        assert "One of:" not in text
        assert "Your choices" not in text
        assert not re.search(r'"(enum|keep)": \[', text)


def test_a_long_match_stays_short() -> None:
    longest = max((len(user(state, seat)) for state, seat in asked(2, 8)), default=0)
    assert longest < 12_000
