"""A seat with `memory = "full"`: its conversation grows in place, and tells the whole past once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import pytest

import games
from games.core import Event, Rng
from games.core.recap import latest_events
from runner.agents import conversation as conversation_module
from runner.agents.model_agent import LlmAgent
from runner.agents.protocol import DecisionRequest
from runner.agents.settings import SeatSettings
from runner.llm.client import Client
from runner.llm.request import OPENROUTER, AnswerForm, Body, Message, Model
from runner.prompting.pack import PromptPack
from tools.bench.prompts import GOAL, MODELS, shares

PACK = PromptPack()
MARKED = Model("anthropic/claude-sonnet-4.5", OPENROUTER, "", "none")


def conversation(game: str, memory_tokens: int) -> Iterator[tuple[DecisionRequest, list[Message], Body]]:
    """Each question to P-1 in a match of bots, with the messages that a model is sent and the request's body."""
    state = games.load(game).begin(players=4, seed=5)
    settings = SeatSettings(memory="full", memory_tokens=memory_tokens)
    agent = LlmAgent(Client(), MARKED, AnswerForm.TEXT, PACK, settings)
    number = 0
    while not state.has_ended:
        seat, number = state.pending[0], number + 1
        ask = DecisionRequest.of(state, seat, number)
        if seat == 1:
            question = agent.question(ask)
            messages = agent.messages(ask, question)
            yield ask, messages, agent.request(ask, question, messages).body()
            agent.remember(ask, {"reply": {"text": "..."}, "reason": ""})
        state = state.game.bots["steady"](state, seat, Rng.of("conversation", number)).next_state


@pytest.mark.parametrize(("game", "told"), [("dixiquote", "Round {}, Storyteller"), ("coup", "Turn {}: P-")])
@pytest.mark.parametrize("memory_tokens", [4000, 16_000])
def test_the_past_is_in_the_conversation_also_after_its_older_half_was_dropped(
    game: str, told: str, memory_tokens: int
) -> None:
    lengths = []
    for ask, messages, _ in conversation(game, memory_tokens):
        lengths.append(len(messages))
        text = "\n".join(message["content"] for message in messages)
        for past in ask.view["history"][-12:]:
            assert told.format(past.get("round", past.get("turn"))) in text
    if memory_tokens == 4000:
        assert any(after < before for before, after in pairwise(lengths))


def test_the_question_and_the_first_message_carry_a_cache_mark() -> None:
    before: list[Message] = []
    for _, messages, body in conversation("coup", 16_000):
        marked = [place for place, message in enumerate(body["messages"]) if "cache_control" in message]
        assert marked == [0, len(messages) - 1]
        if len(messages) > len(before) > 0:
            assert messages[: len(before)] == before
        before = messages


@pytest.mark.parametrize("game", ["cat_in_the_box", "dixiquote"])
def test_most_of_a_prompt_was_in_the_prompt_before(game: str) -> None:
    found = shares(games.load(game), 5, SeatSettings(memory="full"), MODELS[0]).found
    assert sum(found) / len(found) > GOAL - 0.01


def test_a_summary_costs_a_third_of_the_conversation() -> None:
    summary, full = (
        shares(games.load("coup"), 3, SeatSettings(memory=memory), MODELS[0]).tokens for memory in ("summary", "full")
    )
    assert summary < full / 3


def test_a_summary_has_events_that_were_told_before_a_remembered_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the game's account is made of events alone."""
    game = SimpleNamespace(recap=latest_events, free_text=())
    monkeypatch.setattr(conversation_module, "games", SimpleNamespace(load=lambda name: game))
    agent = LlmAgent(Client(), MARKED, AnswerForm.TEXT, PACK, SeatSettings(memory="summary"))
    asks = [
        replace(DecisionRequest.of(games.load("coup").begin(players=3, seed=5), 0, number), told=[Event("told", about, {})])
        for number, about in enumerate(("the first thing", "the second thing"), 1)
    ]
    agent.remember(asks[0], {"reply": {"text": "..."}})
    text = "".join(message["content"] for message in agent.messages(asks[1], agent.question(asks[1])))
    assert text.index("the first thing") < text.index("the second thing")


@pytest.mark.parametrize("game", games.names())
def test_the_first_message_is_the_same_for_every_role(game: str) -> None:
    assert len({messages[0]["content"] for _, messages, _ in conversation(game, 500)}) == 1
