"""Examinee: a player of an exam, made for each position, where it answers from what its seat knows."""

import shlex
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from games.core import Action, Game
from runner.agents.bot_seats import bot_agent
from runner.agents.environment import Environment
from runner.agents.function_agent import FunctionAgent
from runner.agents.model_agent import LlmAgent
from runner.agents.model_seats import own_pack, wording_agent
from runner.agents.protocol import Agent
from runner.agents.seat_kind import AgentContext
from runner.agents.settings import DEFAULT_SETTINGS, SeatSettings, merge
from runner.agents.spec import Bot, Function, Program, Seat, Spec, check_spec, describe_seat, is_model
from runner.digest import canonical, code_of, digest_of
from runner.match.open_question import OpenQuestion, Verdict, decided
from runner.match.records import AttemptRecord
from runner.prompting.pack import PromptPack
from runner.worker_processes import ProcessPool
from runner.workshop.prompted_decision import PromptedDecision

Keep = Callable[[AttemptRecord], Awaitable[None]]


@dataclass(frozen=True)
class Examined:
    """Who is examined, as it is asked for: a SPEC, its name in the report, settings of its own, a function given as it is."""

    spec: Spec
    name: str = ""
    settings: SeatSettings = DEFAULT_SETTINGS
    function: Callable[..., Any] | None = None


@dataclass(frozen=True)
class Examinee:
    """A player that has been checked. Several with one SPEC have different values of `copy`, and answer independently. `digest`
    is that of all that makes it the same player, but for its prompts; of a function that was given as it is, its place."""

    seat: Seat
    name: str
    copy: int
    digest: str
    function: Callable[..., Any] | None
    wording: LlmAgent | None
    pack: PromptPack

    def prompts(self, decision: PromptedDecision) -> list[dict[str, str]]:
        """The first messages at a decision; none for a player that reads no prompts."""
        own, ask = self.wording, decision.ask
        return [] if own is None else [dict(one) for one in own.messages(ask, own.question(ask))]

    async def agent(self, seat: int, context: AgentContext, pool: ProcessPool | None) -> Agent:
        """Who answers for a seat. TabletopError for one that is not available."""
        if self.function is not None:
            return FunctionAgent(self.function)
        if isinstance(self.seat.spec, Bot):
            return bot_agent(self.seat.spec, context.game, pool)
        return await self.seat.spec.make(self.seat.settings, seat, context)

    async def answer(
        self, decision: PromptedDecision, kept: Sequence[AttemptRecord], new_agent: Callable[[], Awaitable[Agent]], keep: Keep
    ) -> tuple[list[AttemptRecord], Action | None]:
        """All attempts at a decision and the action, None after too many invalid answers. What is `kept` is not asked again;
        `keep` takes every further attempt before it counts."""
        ask, state = decision.ask, decision.state
        ask = replace(ask, setup=ask.setup._replace(seed=ask.setup.seed + self.copy), told=() if kept else ask.told)
        asked: Any = {"kind": "question", "question": ask.number, "seat": ask.seat}
        question, attempts = OpenQuestion(asked, state, can_talk=False, asking=lambda: ask), list[AttemptRecord]()

        async def take(record: AttemptRecord, verdict: Verdict | None = None) -> None:
            await keep(record)
            attempts.append(record)
            question.add(record, verdict)

        attempts += kept
        for record in kept:
            question.add(record, None)
        if not question.is_decided:
            agent = await new_agent()
            try:
                for earlier, attempt in (*decision.past, *((ask, dict(record)) for record in kept)):
                    agent.remember(earlier, attempt)
                await decided(question, state, agent, take)
            finally:
                await agent.end((), None)
        return attempts, question.action


def examinees(asked: Sequence[Examined], game: Game, environment: Environment, asks: Sequence[type[Spec]]) -> list[Examinee]:
    """The players of an exam, checked. UsageError or AccountError for one that cannot play, before any call."""
    found, times, called, pack = list[Examinee](), Counter[str](), Counter[str](), PromptPack()
    for one in asked:
        if one.function is None:
            check_spec(one.spec, game, environment, asks)
        seat = describe_seat(one.spec, environment, merge(one.spec.settings(environment), DEFAULT_SETTINGS, one.settings))
        own = own_pack(seat.settings, pack)
        wording = wording_agent(one.spec, pack, environment, seat.settings) if is_model(one.spec) else None
        who = {"spec": one.spec.who, **seat.identity, **seat.settings.to_json(), "code": _code(one.spec, game)}
        same = canonical([who, str(own.folder)])
        times[same] += 1
        digest = digest_of(canonical([who, game.name, times[same]])) if one.function is None else f"function {len(found)}"
        label = f" ({own.name})" if own is not pack else ""
        own_name = seat.name if one.function is None else seat.name.rpartition(":")[2].rpartition(".")[2]
        name = one.name or (own_name if one.spec.given_name(environment) else f"{own_name}{label}")
        called[name] += 1  # several with the same name are numbered
        name = f"{name} ({called[name]})" if called[name] > 1 else name
        found.append(Examinee(seat, name, times[same] - 1, digest, one.function, wording, own))
    return found


def _code(spec: Spec, game: Game) -> str:
    """The digest of the code that plays, as far as it is files of this machine: a player whose code has changed is another."""
    if isinstance(spec, Bot):
        return code_of(game.name)
    paths = list[Path]()
    if isinstance(spec, Program):
        paths = [Path(word) for word in shlex.split(spec.command)]
    elif isinstance(spec, Function) and spec.module != "__main__":
        paths = [Path(f"{spec.module.replace('.', '/')}.py")]
        if not paths[0].is_file() and "." not in spec.module and (there := find_spec(spec.module)) and there.origin:
            paths = [Path(there.origin)]
    return "".join(digest_of(path.read_bytes()) for path in paths if path.is_file())
