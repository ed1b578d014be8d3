"""One seat of a match against bots as an environment of OpenEnv: `uvicorn tabletop_openenv:app` serves it."""

from __future__ import annotations

import asyncio
from queue import SimpleQueue
from threading import Thread
from typing import Any

from openenv.core.env_server import Action, Environment, Observation, State, create_app
from pydantic import Field

from runner.agents import environment
from runner.agents.model_agent import LlmAgent
from runner.agents.spec import BOT, MCP, Mcp
from runner.errors import PausedError, UsageError
from runner.llm.call import Attempt, OnAttempt
from runner.llm.client import Client
from runner.llm.outcome import Delivered, ModelReply
from runner.llm.request import UNRESTRICTED, AnswerForm, Model, Request
from runner.session.match_spec import ReadyMatch, ScheduledMatch, ready
from runner.session.session import Session


class Reply(Action):
    text: str = Field(description="The reply to the messages, with an answer as JSON in it.")


class Prompt(Observation):
    messages: list[dict[str, str]] = Field(default_factory=list, description="The prompt of a decision; none after the end.")
    result: dict[str, Any] = Field(default_factory=dict, description="The result of the match, after its end.")


class PostedReplies(Client):
    """A client that puts its calls into a queue. Their replies come in by another; None ends the match."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.said = SimpleQueue[Any](), SimpleQueue[str | None]()

    async def complete(self, request: Request, *, on_attempt: OnAttempt) -> Delivered:
        self.asked.put(request)
        if (text := await asyncio.to_thread(self.said.get)) is None:
            raise PausedError("The match was left.")
        outcome = Delivered(ModelReply(text, is_complete=True))
        await on_attempt(Attempt(1, request.body(), request.form, UNRESTRICTED, outcome, 0.0, 0.0, 0.0))
        return outcome

    def play(self, found: ReadyMatch, seat: int) -> None:
        """Play a match in which the seat answers by these queues; the last that comes out is its result, or an error."""
        model = Model("replies", "http://localhost", "", "none")
        agent = LlmAgent(self, model, AnswerForm.TEXT, found.pack)

        async def play() -> Any:
            async with Session(found, seated={seat: agent}) as session:
                return await session.run()

        try:
            self.asked.put(asyncio.run(play()))
        except BaseException as error:
            self.asked.put(error)


class TabletopEnvironment(Environment[Reply, Prompt, State]):
    """A match of any game. An invalid answer is asked again with what was wrong."""

    SUPPORTS_CONCURRENT_SESSIONS = True
    _client, _state = None, State()

    def reset(self, seed: Any = None, episode_id: Any = None, game: str = "coup", seat: int = 0, **match: Any) -> Prompt:
        """Deal a match: `opponents` are bots, `options` those of the game. UsageError or OptionError for what there is not."""
        self.close()
        others = tuple(match.pop("opponents", ("bot:steady", "bot:steady")))
        if not all(one.startswith(BOT) for one in others) or not 0 <= seat <= len(others):
            raise UsageError(f"opponents are bots such as bot:steady, and seat is a number from 0 to {len(others)}.")
        spec = {**match, "game": game, "seed": seed, "seats": (*others[:seat], MCP, *others[seat:]), "players": len(others) + 1}
        found = ready(ScheduledMatch.of(spec, "{}={!r}".format), environment.Environment(), asks=(Mcp,))
        self._seat, self._client, self._state = seat, PostedReplies(), State(episode_id=episode_id)
        Thread(target=self._client.play, args=(found, seat), daemon=True).start()
        return self._next()

    def step(self, action: Reply, timeout_s: float | None = None, **_: Any) -> Prompt:
        """Answer the prompt. The reward comes at the end: the seat's share of the win. UsageError without an open match."""
        if self._client is None:
            raise UsageError("There is no open match: reset deals one.")
        self._state.step_count += 1
        self._client.said.put(action.text)
        return self._next()

    def _next(self) -> Prompt:
        came = self._client.asked.get()
        if isinstance(came, Request):
            return Prompt(messages=[dict(message) for message in came.messages], reward=0.0)
        self._client = None
        if isinstance(came, BaseException):
            raise came
        return Prompt(result=came, done=True, reward=(self._seat in came["winners"]) / len(came["winners"]))

    @property
    def state(self) -> State:
        return self._state

    def close(self) -> None:
        """Leave the match."""
        if self._client is not None:
            self._client.said.put(None)
            self._client = None


app = create_app(TabletopEnvironment, Reply, Prompt, env_name="tabletop", max_concurrent_envs=64)
