"""Answers that are refused, and what the refusals say."""

from __future__ import annotations

from typing import Any

import pytest

from games.core import IllegalAction
from games.coup import State
from tests.games.coup.positions import blocks, challenges, does, passes, play, position

TABLE = position("5 Du As", "2 (Am) (Am)", "2 Ca Co", "0 Co Co")
RICH = position("10 Du As", "2 (Am) (Am)", "2 Ca Co")
POOR = position("9 Du As", "0 Am Am", "0 Ca Co", steal_requires_coins=True)
CLAIM = play(TABLE, does(0, "tax"))
AID = play(TABLE, does(0, "foreign aid"))
THEFT = play(TABLE, does(0, "steal", 2), *passes(2, 3))
MURDER = play(TABLE, does(0, "assassinate", 2), *passes(2, 3))
BLOCK = play(THEFT, blocks(2, "Captain"))
DUEL = position("7 Du As", "2 Am Co")
LOSS = play(DUEL, does(0, "coup", 1))
PROOF = play(DUEL, does(0, "tax"), challenges(1))
EXCHANGE = play(position("2 Du As", "2 Am Co", deck="Am As"), does(0, "exchange"), *passes(1))

REFUSED: list[tuple[str, State, int, Any, str]] = [
    ("a coup without 7 coins", TABLE, 0, {"action": "coup", "target": "P-2"}, "Coup costs 7 coins and you have 5"),
    ("anything but a coup with 10", RICH, 0, {"action": "income", "target": "none"}, "only a coup is open, and you have 10"),
    ("a target that is out", TABLE, 0, {"action": "assassinate", "target": "P-1"}, "P-1 is out of the game"),
    ("oneself as the target", TABLE, 0, {"action": "assassinate", "target": "P-0"}, "that is you"),
    ("an absent target", TABLE, 0, {"action": "steal", "target": "P-7"}, "there is no such player"),
    ("no target", TABLE, 0, {"action": "steal", "target": "none"}, "Steal needs a target"),
    ("null as the target", TABLE, 0, {"action": "steal", "target": None}, "Steal needs a target"),
    ("a target too many", TABLE, 0, {"action": "tax", "target": "P-2"}, 'Tax has no target. It has to be "none"'),
    ("a target without coins", POOR, 0, {"action": "steal", "target": "P-1"}, "no opponent has a coin to steal"),
    ("no action at all", TABLE, 0, {"action": "bribe", "target": "none"}, '"action" cannot be "bribe". It has to be "income"'),
    ("a list", TABLE, 0, {"action": ["tax"], "target": "none"}, 'It has to be "income"'),
    ("no field at all", TABLE, 0, {}, 'The field "action" is missing'),
    ("an action twice", TABLE, 0, {"action": "tax", "Action": "income"}, 'has to be an object with the fields "action"'),
    ("two answers", TABLE, 0, {"a": {"action": "tax"}, "b": {"action": "income"}}, "has to be an object"),
    ("a target that is out, in lower case", TABLE, 0, {"action": "Steal", "target": "p1"}, "P-1 is out of the game"),
    ("true as a target", TABLE, 0, {"action": "steal", "target": True}, "there is no such player"),
    ("a string", TABLE, 0, "tax", "The answer has to be an object"),
    ("a block in the challenge window", CLAIM, 2, {"response": "block as Duke"}, "this window is for challenges"),
    ("a block by a character that may not", THEFT, 2, {"response": "block as Duke"}, "blocked as Captain or Ambassador only"),
    ("a block of murder as Captain", MURDER, 2, {"response": "block as Captain"}, "Assassinate is blocked as Contessa only"),
    ("a block without a character", THEFT, 2, {"response": "block"}, "a block names the character that is claimed"),
    ("a challenge of what nobody claims", AID, 2, {"response": "challenge"}, "Foreign Aid claims no character"),
    ("a challenge when it is too late", THEFT, 2, {"response": "challenge"}, "the challenges to the action are over"),
    ("a block of a block", BLOCK, 3, {"response": "block as Captain"}, "the action is blocked already"),
    ("losing a card not held", LOSS, 1, {"lose": "Duke"}, "it is not among your face-down cards"),
    ("showing another card", PROOF, 0, {"show": "Assassin"}, "the claim to prove is Duke"),
    ("keeping a card not held", EXCHANGE, 0, {"keep": "Contessa, Duke"}, "you hold Ambassador, Assassin, Assassin, Duke"),
    ("keeping a card twice", EXCHANGE, 0, {"keep": "Duke, Duke"}, "you hold Ambassador, Assassin, Assassin, Duke"),
    ("keeping one card", EXCHANGE, 0, {"keep": "Duke"}, "you keep exactly 2"),
    ("keeping three cards", EXCHANGE, 0, {"keep": "Duke, Assassin, Assassin"}, "you keep exactly 2"),
    ("keeping cards in a list", EXCHANGE, 0, {"keep": ["Duke", "Assassin"]}, "it is one string"),
]


@pytest.mark.parametrize(("state", "seat", "data", "sentence"), [pytest.param(*case[1:], id=case[0]) for case in REFUSED])
def test_a_refusal_says_what_is_wrong_and_what_is_legal(state: State, seat: int, data: Any, sentence: str) -> None:
    with pytest.raises(IllegalAction) as refusal:
        state.read(seat, data)
    assert sentence in str(refusal.value)
    field = data.get("action") if isinstance(data, dict) else None
    legal = [action.to_json() for action in state.actions_of(seat) if action.to_json().get("action") in (None, field)]
    named = [value for answer in legal for name, value in answer.items() if name != "action"]
    assert all(f'"{value}"' in str(refusal.value) for value in named) or "has to be an object" in str(refusal.value)


READ: list[tuple[str, State, int, Any, dict[str, Any]]] = [
    ("a seat as a number", TABLE, 0, {"action": "steal", "target": 2}, {"action": "steal", "target": "P-2"}),
    ("a seat as a numeral", TABLE, 0, {"action": "steal", "target": "2"}, {"action": "steal", "target": "P-2"}),
    ("a seat in short", TABLE, 0, {"action": "steal", "target": "P2"}, {"action": "steal", "target": "P-2"}),
    ("an action in upper case", TABLE, 0, {"action": " TAX ", "target": "none"}, {"action": "tax", "target": "none"}),
    ("an underscore", TABLE, 0, {"action": "foreign_aid", "target": "none"}, {"action": "foreign aid", "target": "none"}),
    ("no target where none is needed", TABLE, 0, {"action": "tax"}, {"action": "tax", "target": "none"}),
    ("null where none is needed", TABLE, 0, {"action": "tax", "target": None}, {"action": "tax", "target": "none"}),
    ("null with one possible target", DUEL, 0, {"action": "coup", "target": None}, {"action": "coup", "target": "P-1"}),
    ("a field too many", TABLE, 0, {"action": "tax", "reasoning": "x"}, {"action": "tax", "target": "none"}),
    ("a wrapping object", TABLE, 0, {"answer": {"action": "tax"}}, {"action": "tax", "target": "none"}),
    ("curly quotes", CLAIM, 2, {"response": "“pass”"}, {"response": "pass"}),
    ("a block in lower case", THEFT, 2, {"response": "block as captain"}, {"response": "block as Captain"}),
    ("losing a card in lower case", LOSS, 1, {"lose": "contessa"}, {"lose": "Contessa"}),
    ("keeping cards in lower case", EXCHANGE, 0, {"keep": "duke, assassin"}, {"keep": "Assassin, Duke"}),
    ("showing the only card", PROOF, 0, {"show": None}, {"show": "Duke"}),
]


@pytest.mark.parametrize(("state", "seat", "data", "answer"), [pytest.param(*case[1:], id=case[0]) for case in READ])
def test_an_answer_that_can_mean_one_thing_only_is_that_thing(
    state: State, seat: int, data: Any, answer: dict[str, Any]
) -> None:
    action = state.read(seat, data)
    assert action.to_json() == answer
    assert action.is_exactly(data) == (data == answer)


def test_cards_to_keep_may_come_in_any_order() -> None:
    assert EXCHANGE.read(0, {"keep": "Duke, Assassin"}) == EXCHANGE.read(0, {"keep": "Assassin, Duke"})
    assert EXCHANGE.read(0, {"keep": "Duke,Assassin"}).to_json() == {"keep": "Assassin, Duke"}


def test_the_schema_of_a_declaration_lists_what_is_legal() -> None:
    question = RICH.question(0)
    assert question.role == "active_player"
    assert question.schema["properties"]["action"]["enum"] == ["coup"]
    assert question.schema["properties"]["target"]["enum"] == ["P-2"]


@pytest.mark.parametrize(
    ("state", "seat", "role", "words"),
    [
        (TABLE, 0, "active_player", "It is your turn and you have 5 coins. Which action do you declare?"),
        (
            RICH,
            0,
            "active_player",
            "It is your turn and you have 10 coins. With 10 or more it has to be a coup. Which action do you declare?",
        ),
        (CLAIM, 2, "challenger", "P-0 has declared Tax, claiming Duke. Do you challenge the claim, or pass?"),
        (AID, 3, "blocker", "P-0 has declared Foreign Aid. Do you block it as Duke, or pass?"),
        (THEFT, 2, "blocker", "P-0 has declared Steal against P-2. Do you block it as Captain or Ambassador, or pass?"),
        (
            BLOCK,
            0,
            "block_challenger",
            "P-0 has declared Steal against P-2. P-2 claims Captain and blocks it. Do you challenge the block, or pass?",
        ),
        (LOSS, 1, "influence_loser", "Coup by P-0 costs you an influence. Which face-down card do you turn up?"),
        (PROOF, 0, "prover", "P-1 has challenged your claim of Duke. Show the card."),
        (EXCHANGE, 0, "exchanger", "You have drawn two cards. Which two cards do you keep?"),
    ],
)
def test_a_question_says_what_is_at_stake(state: State, seat: int, role: str, words: str) -> None:
    assert state.question(seat).role == role
    assert state.question(seat).text == words


def test_who_loses_a_challenge_is_told_why() -> None:
    lost = play(PROOF, (0, {"show": "Duke"}))
    assert lost.question(1).text == "P-0 has proven Duke, which you challenged. Which face-down card do you turn up?"
    caught = play(TABLE, does(0, "exchange"), challenges(2))
    assert caught.question(0).text.startswith("Your claim of Ambassador was challenged and is not proven.")
