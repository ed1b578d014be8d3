"""Asking: logged decisions put to models again, with the packs of their match or with others, within one budget."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

from games.core import Answer
from runner.agents.environment import Environment
from runner.agents.model_agent import LlmAgent
from runner.agents.preflight import MatchSeats, start_local
from runner.agents.protocol import Mistake, unheard
from runner.agents.seat_kind import AgentContext
from runner.agents.settings import SeatSettings
from runner.agents.spec import Bot, ModelSpec, Offline, check_spec, fill_seats, is_model, resolved
from runner.digest import canonical
from runner.errors import TabletopError, UsageError
from runner.llm.budget import Budget
from runner.llm.client import Client
from runner.match.open_question import judge
from runner.prompting.pack import BUILT_IN, PromptPack, packs_below
from runner.session.session import new_client
from runner.workshop.prompted_decision import PromptedDecision

_AT_ONCE = 64
"""Decisions that are put to models at the same time; the limits of their endpoints may be lower."""


class Trial(NamedTuple):
    """A decision, who is asked with which settings, and the pack that words the prompt. `is_changed`: the seat played with a
    pack of that name whose texts were others."""

    decision: PromptedDecision
    spec: ModelSpec
    settings: SeatSettings
    pack: PromptPack
    is_changed: bool

    @property
    def pack_name(self) -> str:
        return f"{self.pack.name} (changed since the match)" if self.is_changed else self.pack.name


@dataclass(frozen=True)
class Respondent:
    """Who is asked: a model, None: that of the seat; decisions of others go to the model that has their seat by default. With a
    pack, None: that of the SPEC, else the one that the seat played with."""

    spec: ModelSpec | None = None
    pack: PromptPack | None = None

    @property
    def name(self) -> str:
        who = "as played" if self.spec is None else self.spec.text
        return who if self.pack is None else f"{who}, {self.pack.name}"

    def trial(self, decision: PromptedDecision, environment: Environment, packs: PromptPack) -> Trial:
        """What a decision is asked with; `packs` compiles each folder once. UsageError for a model or a pack that is not
        there, and for a seat whose default player is no model."""
        spec = self.spec or _own_model(decision, environment)
        check_spec(spec, decision.game, environment)
        settings = spec.settings(environment)
        if self.spec is None and spec.text == decision.spec.text:
            played = SeatSettings.of_record(decision.header["seats"][decision.ask.seat]).without(["mistakes"])
            settings = settings.model_copy(update=played.said)
        own = None if settings.prompts is None else packs.other(settings.prompts)
        pack = self.pack or own or _pack_played(decision, packs)
        was = decision.prompts
        is_changed = pack.name == was.get("pack") and pack.digests(decision.game.name) != was.get("templates")
        return Trial(decision, spec, settings.model_copy(update={"prompts": None}), pack, is_changed)


def _own_model(decision: PromptedDecision, environment: Environment) -> ModelSpec:
    seat, played = decision.ask.seat, resolved(decision.spec, environment)
    if not is_model(played) and not isinstance(played, Bot):
        raise UsageError(f"Decision {decision.at} was made by {played}; only models get prompts: specify one with --seat.")
    spec = played if is_model(played) else fill_seats((), decision.state.setup.players, environment).specs[seat]
    if not is_model(spec):
        why = f"Decision {decision.at} was made by {played}, and {spec} has P-{seat} by default"
        raise UsageError(f"{why}; only models get prompts: specify one with --seat.")
    return spec


def _pack_played(decision: PromptedDecision, packs: PromptPack) -> PromptPack:
    """The pack that a seat played with, from the current folder or the log's: the one with the same texts before one of the
    same name. UsageError without any."""
    name, game = decision.prompts.get("pack", BUILT_IN), decision.game.name
    if name == BUILT_IN:
        return packs
    places = dict.fromkeys(path.resolve() for path in (Path.cwd(), decision.log.path.parent))
    named = [packs.other(path) for place in places for path, found in packs_below(place) if found.name == name]
    named += [packs.other(path) for place in places if (path := place / Path(name).name).is_dir()]
    same = [pack for pack in named if pack.digests(game) == decision.prompts.get("templates")]
    if not named:
        why = f"Decision {decision.at} was made with the prompt pack {name}, which is not in this folder"
        raise UsageError(f"{why}: specify its folder, or {BUILT_IN}, with --pack.")
    return (same or named)[0]


@dataclass(frozen=True, slots=True)
class TrialReply:
    """One reply: its legal answer, or what was wrong; its tokens and cost."""

    answer: Answer | None
    wrong: str
    why: str
    text: str
    prompt_tokens: int
    completion_tokens: int
    cost: float
    latency: float


@dataclass(frozen=True, slots=True)
class TrialReplies:
    """All replies to a trial, and the error that stopped the rest."""

    replies: tuple[TrialReply, ...] = ()
    stop: TabletopError | None = None

    @property
    def counts(self) -> Counter[str]:
        return Counter(canonical(one.answer) if one.answer is not None else f"({one.wrong})" for one in self.replies)

    @property
    def answers(self) -> Mapping[str, Answer]:
        """The legal answers by their canonical text, in the order of their first reply."""
        return {canonical(one.answer): one.answer for one in self.replies if one.answer is not None}

    @property
    def legal(self) -> int:
        return sum(reply.answer is not None for reply in self.replies)


class TrialAsking:
    """Puts trials to models within a budget. An async context manager, which closes their clients."""

    def __init__(self, environment: Environment, budget: Budget, mistakes: float = 0.0) -> None:
        self._environment, self.budget, self._mistakes = environment, budget, mistakes
        self._clients, self._stack = dict[int, Client](), AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._stack.aclose()

    async def ask(
        self, trials: Sequence[Trial], times: int = 1, on_reply: Callable[[], object] = lambda: None
    ) -> list[TrialReplies]:
        """The replies to each trial, asked `times` times in the words of its match. The first TabletopError stops what is not
        asked yet; it is raised where there is not even one reply."""
        for trial in trials:
            table = MatchSeats(trial.decision.game, trial.decision.state.setup, [(trial.spec, trial.settings)])
            await start_local([table], trial.pack, self._environment)
        places, stops = asyncio.Semaphore(_AT_ONCE), list[TabletopError]()

        async def once(trial: Trial, number: int) -> TrialReply | TabletopError | None:
            async with places:
                try:
                    reply = None if stops else await self._reply(trial, number)
                except TabletopError as error:
                    stops.append(error)
                    return error
                on_reply()
                return reply

        found = await asyncio.gather(*(once(trial, number) for trial in trials for number in range(times)))
        if stops and not any(isinstance(one, TrialReply) for one in found):
            raise stops[0]
        return [_together(found[at : at + times]) for at in range(0, len(found), times)]

    async def _reply(self, trial: Trial, number: int) -> TrialReply:
        decision = trial.decision
        client = await self._client(number if isinstance(trial.spec, Offline) else 0)
        context = AgentContext(decision.game, decision.state.setup, trial.pack, self._environment, decision.skin, client)
        agent = await trial.spec.make(trial.settings, decision.ask.seat, context)
        for ask, record in decision.past:
            agent.remember(ask, record)
        return await _one(decision, agent)

    async def _client(self, number: int) -> Client:
        """The client of the n-th question: the offline model answers each of them by another seed."""
        if number not in self._clients:
            self._clients[number] = new_client(self.budget, number, self._mistakes)
            await self._stack.enter_async_context(self._clients[number])
        return self._clients[number]


def _together(found: Sequence[TrialReply | TabletopError | None]) -> TrialReplies:
    replies = tuple(one for one in found if isinstance(one, TrialReply))
    return TrialReplies(replies, next((one for one in found if isinstance(one, TabletopError)), None))


async def _one(decision: PromptedDecision, agent: LlmAgent) -> TrialReply:
    given = await agent.answer(decision.ask, unheard)
    verdict = judge(decision.state, decision.ask.seat, given)
    answer, wrong, why = (None, verdict.kind, verdict.why) if isinstance(verdict, Mistake) else (verdict.to_json(), "", "")
    reply = given.facts.get("reply") or {}
    usage = reply.get("usage") or {}
    tokens = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
    return TrialReply(answer, wrong, why, given.text, *tokens, reply.get("cost") or 0.0, given.facts.get("latency") or 0.0)
