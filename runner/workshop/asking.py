"""Asking: logged decisions put to models again, with the packs of their match or with others, within one budget."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self

from games.core import Answer, seat_name
from games.scenes import in_words
from games.search.grading import default_playouts
from games.search.policy import has_playing_policy
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
from runner.record.log_folder import FollowWork
from runner.record.replay import detached
from runner.review.decision_review import DecisionJob, Reviewed, grade_words, review_decision
from runner.review.review_document import SEED
from runner.session.session import new_client
from runner.worker_processes import in_order
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
        pack = self.pack or own or pack_played(decision, packs)
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


def pack_played(decision: PromptedDecision, packs: PromptPack) -> PromptPack:
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


Grades = Mapping[tuple[int, str], Reviewed]
"""What answers are worth, by the decision's number and the canonical answer. `review` finds the same of the logged answer."""


def grades(decisions: Sequence[PromptedDecision], asked: Sequence[Sequence[TrialReplies]], follow: FollowWork) -> Grades:
    """The grades of the logged answers and of all replies; those of a decision are compared in the same worlds. Empty for a
    game without a policy for playouts."""
    if not decisions or not has_playing_policy(game := decisions[0].game):
        return {}
    jobs = dict[tuple[int, str], DecisionJob]()
    for row, decision in enumerate(decisions):
        logged = {} if decision.action is None else {canonical(decision.action): decision.action}
        states = detached(decision.state), detached(decision.asked)
        for text, answer in {**logged, **{text: one for of in asked for text, one in of[row].answers.items()}}.items():
            jobs[decision.at, text] = DecisionJob(decision.at, *states, decision.ask.seat, answer)
    work = partial(review_decision, playouts=default_playouts(game), seed=SEED)
    with closing(in_order(work, [*jobs.values()])) as working:
        return dict(zip(jobs, follow(working, len(jobs)), strict=True))


class MatrixColumn(NamedTuple):
    """A player, and for each decision what it was asked with and its replies."""

    name: str
    trials: Sequence[Trial]
    found: Sequence[TrialReplies]


class QuestionMatrix(NamedTuple):
    """Decisions of a log by players. The logged answers are the first column wherever the matrix is shown."""

    decisions: Sequence[PromptedDecision]
    columns: Sequence[MatrixColumn]
    grades: Grades

    def cell(self, column: MatrixColumn, row: int) -> list[dict[str, Any]]:
        """The answers of a player to a decision, the most frequent first; those that are invalid have no answer."""
        decision, replies = self.decisions[row], column.found[row]
        why = {f"({one.wrong})": one.why for one in replies.replies if one.wrong}
        return [
            {
                "answer": replies.answers.get(text),
                "count": count,
                **({"wrong": text[1:-1], "why": why[text]} if text in why else {}),
            }
            | self._grade(decision, text)
            for text, count in replies.counts.most_common()
        ]

    def logged_grade(self, row: int) -> dict[str, Any]:
        """The grade of the logged answer to a decision; empty without one."""
        decision = self.decisions[row]
        return {} if decision.action is None else self._grade(decision, canonical(decision.action))

    def _grade(self, decision: PromptedDecision, answer: str) -> dict[str, Any]:
        found = self.grades.get((decision.at, answer))
        entry = None if found is None else found.entry
        names = ("share", "best", "best_share", "given_up", "se", "regret", "regret_se", "grade")
        return {} if entry is None else {name: value for name, value in entry.items() if name in names}

    def player(self, column: MatrixColumn) -> dict[str, Any]:
        """What a player's replies come to: `given_up` is the mean share of the win given up by one, None without a grade."""
        replies = [reply for found in column.found for reply in found.replies]
        cells = [one for row in range(len(self.decisions)) for one in self.cell(column, row)]
        logged = [canonical(decision.action) for decision in self.decisions]
        return {
            "player": column.name,
            "models": sorted({trial.spec.text for trial in column.trials}),
            "packs": sorted({trial.pack_name for trial in column.trials}),
            "replies": len(replies),
            "legal": sum(found.legal for found in column.found),
            "as_logged": sum(found.counts[text] for found, text in zip(column.found, logged, strict=True)),
            **_graded(cells),
            "prompt_tokens": sum(reply.prompt_tokens for reply in replies),
            "completion_tokens": sum(reply.completion_tokens for reply in replies),
            "cost": sum(reply.cost for reply in replies),
        }

    def logged(self) -> dict[str, Any]:
        """The same of the logged answers."""
        return _graded([{"count": 1, **self.logged_grade(row)} for row in range(len(self.decisions))])

    def to_json(self) -> dict[str, Any]:
        rows = [
            {
                "at": one.at,
                "seat": one.ask.seat,
                "role": one.ask.question.role,
                "logged": one.action,
                "how": one.how,
                "logged_grade": self.logged_grade(row) or None,
                "players": [
                    {
                        "model": column.trials[row].spec.text,
                        "pack": column.trials[row].pack_name,
                        "answers": self.cell(column, row),
                    }
                    for column in self.columns
                ],
            }
            for row, one in enumerate(self.decisions)
        ]
        return {"decisions": rows, "logged": self.logged(), "players": [self.player(column) for column in self.columns]}


def _graded(cells: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """How many answers are graded, the mean regret of these, and how many are named what."""
    found = [one for one in cells if one.get("grade", "forced") != "forced"]
    names, number = Counter[str](), sum(one["count"] for one in found)
    for one in found:
        names[one["grade"]] += one["count"]
    mean = sum(one["count"] * one["regret"] for one in found) / number if number else None
    return {"graded": number, "given_up": None if mean is None else round(max(0.0, mean), 4), "grades": dict(names)}


def rows_of(matrix: QuestionMatrix) -> list[list[str]]:
    """The matrix as a table of texts: decision, seat, logged answer, and each player's answers with their grades."""
    rows = []
    for row, decision in enumerate(matrix.decisions):
        logged = {"answer": decision.action, "count": 1, **matrix.logged_grade(row)}
        told = [[logged] if decision.action is not None else [], *(matrix.cell(column, row) for column in matrix.columns)]
        cells = ["; ".join(_worded(decision, one) for one in cell) or "–" for cell in told]
        rows.append([str(decision.at), seat_name(decision.ask.seat), decision.ask.question.role, *cells])
    return rows


def _worded(decision: PromptedDecision, one: Mapping[str, Any]) -> str:
    words = f"({one['wrong']})" if "wrong" in one else in_words(decision.asked, decision.ask.seat, one["answer"])[0]
    times = f" ×{one['count']}" if one["count"] > 1 else ""
    return f"{words}{times}{grade_words(one)}"
