"""A server that drops the system message: noticed by the tokens of the first reply, in the prompts of every game."""

from __future__ import annotations

import pytest

import games
from runner.agents.environment import Environment
from runner.agents.model_seats import wording_agent
from runner.agents.protocol import DecisionRequest
from runner.agents.spec import parse_spec
from runner.llm.client import Client
from runner.llm.request import AnswerForm, Message, Request
from runner.prompting.pack import PromptPack
from tests.llm.odd_server import OddServer, completion, reply
from tests.llm.support import SCHEMA, SkippingClock, ask_with, model


def first_prompt(game: str) -> tuple[Message, ...]:
    state = games.load(game).begin(seed=1)
    agent = wording_agent(parse_spec("offline"), PromptPack(), Environment())
    ask = DecisionRequest.of(state, state.pending[0])
    return tuple(agent.messages(ask, agent.question(ask)))


def tokens(messages: tuple[Message, ...], letters_a_token: float) -> int:
    return round(sum(len(message["content"]) for message in messages) / letters_a_token)


@pytest.mark.parametrize("letters_a_token", [3.5, 4.0, 4.5])
@pytest.mark.parametrize("game", games.names())
async def test_a_dropped_system_message_is_moved(game: str, letters_a_token: float) -> None:
    prompt = first_prompt(game)
    alone, whole = tokens(prompt[1:], letters_a_token), tokens(prompt, letters_a_token)
    plays = [reply(completion(usage={"prompt_tokens": count})) for count in (alone, whole)]
    async with OddServer(plays) as server, Client(clock=SkippingClock().clock()) as client:
        asked = await ask_with(client, Request(model(server.base_url), prompt, SCHEMA, AnswerForm.STRICT_SCHEMA))
    assert asked.kinds == ["system_dropped", "delivered"]
    (moved,) = server.bodies[1]["messages"]
    assert moved == {"role": "user", "content": "\n\n".join(message["content"] for message in prompt)}
    assert asked.attempts[1].body["messages"] == [moved]


@pytest.mark.parametrize("letters_a_token", [3.2, 4.0, 5.0])
@pytest.mark.parametrize("game", games.names())
async def test_a_whole_prompt_is_left_as_it_is(game: str, letters_a_token: float) -> None:
    prompt = first_prompt(game)
    whole = reply(completion(usage={"prompt_tokens": tokens(prompt, letters_a_token)}))
    async with OddServer([whole]) as server, Client(clock=SkippingClock().clock()) as client:
        asked = await ask_with(client, Request(model(server.base_url), prompt, SCHEMA, AnswerForm.STRICT_SCHEMA))
    assert asked.kinds == ["delivered"]
