"""Environment: one match an episode, its rewards by the result and, where wanted, by the regret of every decision."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, Self

import verifiers.v1 as vf
from pydantic import Field, model_validator
from verifiers.v1.configs.agent import agent_config_fields

import games
from games.search.policy import has_playing_policy
from runner.agents.agent_entries import AgentEntry
from runner.llm.request import AnswerForm, Model
from runner.match.records import ResultRecord
from runner.record.decisions import decisions
from runner.record.reader import Log, read_log
from runner.review.decision_review import DecisionEntry, review_decision, review_jobs
from runner.review.review_document import SEED
from runner.session.match_spec import ReadyMatch
from runner.session.session import Session, Source, new_log_path
from runner.worker_processes import in_order
from tabletop_v1.harness import TabletopHarnessConfig
from tabletop_v1.seat import Seat, TurnClient
from tabletop_v1.taskset import MOST_SEATS, TRAINABLE, MatchTask, TabletopConfig, ready_match, roles

LONGEST_REPLY = 4096
"""Tokens of a reply where the sampling of a role sets no bound."""

OF_MATCH = "tabletop"
"""The key of a trace's `info` that has what the match was for its seat."""


_PLAYER = vf.AgentConfig(runtime=vf.SubprocessConfig())
"""A role has no fields of its own: verifiers reads the roles of a trace back without this package."""


class TabletopEnvConfig(vf.EnvConfig):
    """The roles of up to eight players, and what their traces are rewarded for."""

    taskset: TabletopConfig = TabletopConfig()
    player0: vf.AgentConfig = _PLAYER
    player1: vf.AgentConfig = _PLAYER
    player2: vf.AgentConfig = _PLAYER
    player3: vf.AgentConfig = _PLAYER
    player4: vf.AgentConfig = _PLAYER
    player5: vf.AgentConfig = _PLAYER
    player6: vf.AgentConfig = _PLAYER
    player7: vf.AgentConfig = _PLAYER
    memory: Literal["none", "notes", "summary", "full"] = "none"
    """What models see of their past; "full" is one growing conversation, everything else a prompt for each decision."""
    memory_tokens: int = Field(16_000, ge=500)
    help: Literal["legal", "shape", "none"] = "legal"
    """Whether prompts list the legal answers, show their shape, or describe the fields in words."""
    advice: str | None = None
    """Hints on play in place of the prompt pack's; "none" leaves them out."""
    personas: dict[str, str] = Field(default_factory=dict)
    """A text about a player for its system message, by role."""
    regret: float = Field(0.0, ge=0)
    """Weight of the reward -(sum of regrets) of a seat's decisions, graded by search; 0: they are not graded."""
    playouts: int = Field(100, ge=8)
    """Playouts of a graded decision."""
    logs: Path | None = None
    """A folder that keeps the log of every match, for `tabletop replay`, `review` and `standings`."""

    @model_validator(mode="after")
    def _can_be_used(self) -> Self:
        if self.regret and not has_playing_policy(games.load(self.taskset.game)):
            raise ValueError(f"regret: {self.taskset.game} has no bot:steady to play matches out, so leave regret at 0")
        known = agent_config_fields(self)
        if wrong := sorted(self.personas.keys() - known.keys()):
            raise ValueError(f"personas has {wrong[0]}, which is no role: the roles are player0 to player{MOST_SEATS - 1}")
        for role, config in known.items():
            if config.harness is not None and not isinstance(config.harness, TabletopHarnessConfig):
                raise ValueError(
                    f"{role}.harness is {config.harness.id}: a seat has the harness of tabletop-v1, so leave it out"
                )
        return self


class TabletopEnv(vf.Env[TabletopEnvConfig]):
    """A match between roles of verifiers, bots and models of tabletop."""

    async def setup(self, agents: vf.Agents) -> None:
        """Only the players that are "trainable" learn."""
        for number, role in roles(self.config.taskset.seats).items():
            getattr(agents, role).trainable = self.config.taskset.seats[number] == TRAINABLE

    async def run(self, task: MatchTask, agents: vf.Agents) -> None:
        """Play the match to its end, and leave each seat's part of it in the `info` of its trace."""
        match = task.data.match
        playing = {seat: role for seat, role in enumerate(match["seats"]) if role in roles(self.config.taskset.seats).values()}
        entries = {role: self._entry(role, getattr(agents, role), task) for role in playing.values()}
        found = ready_match(match, entries)
        with TemporaryDirectory(prefix="tabletop-") as scratch:
            log = new_log_path(found.config.game, self.config.logs or Path(scratch))
            async with AsyncExitStack() as stack:
                seats = {seat: await _seated(stack, getattr(agents, role), task, found, role) for seat, role in playing.items()}
                async with Session(found, Source(log), seated=seats) as session:
                    result = await session.run()
            graded = await asyncio.to_thread(_graded, read_log(log), seats, self.config.playouts) if self.config.regret else {}
        for seat, player in seats.items():
            player.trace.info[OF_MATCH] = _part(result, seat) | ({"decisions": graded[seat]} if graded else {})

    def _entry(self, role: str, agent: vf.Agent, task: MatchTask) -> AgentEntry:
        """The role as tabletop describes a player: in prompts and in the header of the log."""
        config, own = (
            agent.config,
            self.config.model_dump(include={"memory", "memory_tokens", "help", "advice"}, exclude_none=True),
        )
        if agent.trainable and task.data.written is not None:
            own["advice"] = task.data.written
        persona, longest = self.config.personas.get(role, ""), _longest(config)
        return AgentEntry(model=config.model, base_url=config.client.base_url, max_tokens=longest, persona=persona, **own)

    async def finalize(self, task: MatchTask, episode: vf.Episode) -> None:
        """Reward every trace by its seat's share of the win, and where wanted by its regret."""
        for trace in episode.traces:
            part = trace.info[OF_MATCH]
            trace.record_reward("win_share", part["win_share"])
            trace.record_metrics({name: part[name] for name in ("score", "invalid", "strike_outs")})
            if "decisions" in part:
                trace.record_reward("regret", -sum(one["regret"] for one in part["decisions"]), self.config.regret)


def _longest(config: vf.AgentConfig) -> int:
    return config.sampling.max_tokens or LONGEST_REPLY


async def _seated(stack: AsyncExitStack, agent: vf.Agent, task: MatchTask, found: ReadyMatch, role: str) -> Seat:
    """A seat whose rollout is open as long as the stack."""
    client = TurnClient(await stack.enter_async_context(agent.interaction(task)))
    await stack.enter_async_context(client)
    state, config = client.trace.state, agent.config
    model = Model(config.model, state.endpoint, state.secret, "none", max_tokens=_longest(config), form=AnswerForm.TEXT)
    return Seat(client, model, found.pack, found.environment.agents[role].settings)


def _part(result: ResultRecord, seat: int) -> dict[str, Any]:
    """What the match was for a seat."""
    winners, counts = result["winners"], result["seats"][seat]
    share = seat in winners and 1 / len(winners)
    numbers = {"score": result["scores"][seat], "invalid": counts["mistakes"], "strike_outs": counts["penalties"]}
    return {"seat": seat, "win_share": float(share), "ending": result["ending"], **numbers}


def _graded(log: Log, seats: Mapping[int, Seat], playouts: int) -> dict[int, list[dict[str, Any]]]:
    """The graded decisions of some seats, each with the node of the trace that decided it."""
    asked = {one.number: one.question["question"] for one in decisions(log) if one.question is not None}
    jobs = [job for job in review_jobs(log)[0] if job.seat in seats and job.number in asked]
    found: dict[int, list[dict[str, Any]]] = {seat: [] for seat in seats}
    for one in in_order(partial(review_decision, playouts=playouts, seed=SEED), jobs):
        if one.entry is not None and one.entry["grade"] != "forced":
            found[one.seat].append(_grade(one.entry, seats[one.seat].nodes.get(asked[one.number])))
    return found


def _grade(entry: DecisionEntry, node: int | None) -> dict[str, Any]:
    return {"decision": entry["decision"], "node": node, "regret": entry["regret"], "grade": entry["grade"]}
