"""Exam: players answer the same positions, one after the other, until there is enough; nothing is asked or graded twice."""

import asyncio
import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, closing, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import games
from games.core import Game, counted
from games.search.drawing import Drawing
from games.search.policy import has_playing_policy
from games.statistics.power import needed, visible
from runner.agents.environment import Environment
from runner.agents.log_trust import trust_played
from runner.agents.model_seats import model_of
from runner.agents.preflight import MatchSeats, start_local
from runner.agents.protocol import Person
from runner.agents.seat_kind import AgentContext
from runner.agents.spec import Bot, Human, Offline, is_model
from runner.arena.estimate import ZERO, Range, list_prices, prompt_tokens, reply_tokens, total_cost
from runner.child_processes import available_cpus
from runner.digest import canonical, digest_of
from runner.errors import TabletopError, UsageError
from runner.llm.budget import Budget, Prices
from runner.llm.client import Client
from runner.match.records import AttemptRecord
from runner.match.tally import charged_tokens
from runner.prompting.pack import PromptPack
from runner.prompting.template_errors import PromptError
from runner.record.log_folder import Unusable, headers_of
from runner.record.log_paths import ANSWERS, COMPARISONS, EXAMS, IMPROVEMENTS
from runner.record.reader import read_log
from runner.session.session import new_client
from runner.worker_processes import ProcessPool
from runner.workshop.exam.exam_results import Answered, ExamResults
from runner.workshop.exam.examinee import Examined, Examinee, examinees
from runner.workshop.exam.kept_lines import KeptLines, kept_lines
from runner.workshop.exam.positions import Position, PositionSequence
from runner.workshop.pack_check import check_faults
from runner.workshop.prompted_decision import PromptedDecision, prompted_decision

DECISIONS, OF_A_PERSON = 200, 20
"""Positions of an exam, and of one with a person, unless something else says how many."""

_REMEMBERED = 256
"""Decisions that are kept in memory."""

Until = Literal["", "sure"]


@dataclass(frozen=True, kw_only=True)
class ExamSpec:
    """What an exam is: who is examined, and on which positions. `until` "sure": it stops as soon as every pair of players is
    told apart, or with `margin` is surely nearer together than that share of the win a match. `logs`: positions of these logs.
    `budget` in USD and `budget_tokens` bound what all answers of the exam cost, those found again among them. `compared` are
    the pairs of players that are told apart, by number, by default all."""

    game: str
    examined: Sequence[Examined]
    players: int | None = None
    rules: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 1
    decisions: int = DECISIONS
    role: str | None = None
    logs: Sequence[Path] = ()
    until: Until = ""
    margin: float | None = None
    budget: float | None = None
    budget_tokens: int | None = None
    concurrency: int = 16
    mistakes: float = 0.0
    compared: Sequence[tuple[int, int]] = ()

    @property
    def drawing(self) -> Drawing:
        """The drawing of its positions. UsageError or OptionError for a game without grades, a role it lacks, no decisions."""
        game = games.load(self.game)
        if not has_playing_policy(game) or not game.has_worlds:
            raise UsageError(
                f"{game.title} cannot be examined: its decisions cannot be graded without `bot:steady` and worlds to search."
            )
        if self.role is not None and self.role not in game.roles:
            raise UsageError(f"{game.title} has no role {self.role}: it has {', '.join(game.roles)}.")
        if self.decisions < 1:
            raise UsageError(f"--decisions {self.decisions}: at least one is needed.")
        if not self.examined:
            raise UsageError("An exam needs a player: name one with --seat.")
        if self.until and len(self.examined) < 2:
            raise UsageError("--until sure, as --margin too, compares players: name at least two with --seat.")
        return Drawing(game.begin(self.players, 0, self.rules, **self.options), self.seed, self.role)


class AnswerKey(NamedTuple):
    """What an answer is found again by: the digests of the player, the position, and the prompts that were read."""

    player: str
    position: str
    prompts: str


class KeptAnswers:
    """The attempts of players, found again in any file of answers below a folder, and appended to a file of each player. The
    default folders, and those in them, count as one."""

    def __init__(self, folder: Path, players: Sequence[str]) -> None:
        self._folder, self._files = folder, dict[str, KeptLines]()
        self._known = dict[AnswerKey, tuple[Path, list[AttemptRecord]]]()
        default = (COMPARISONS, EXAMS, IMPROVEMENTS)
        folders = {folder} if {*default}.isdisjoint((folder, *folder.parents)) else default
        for path in sorted(path for one in folders for path in one.rglob(f"*{ANSWERS}")):
            for line in kept_lines(path):
                with suppress(KeyError, TypeError):
                    key = AnswerKey(*(str(line[name]) for name in AnswerKey._fields))
                    of, attempts = self._known.setdefault(key, (path, []))
                    if key.player in players and of == path and line["attempt"]["kind"] == "attempt":
                        attempts.append(line["attempt"])

    def of(self, key: AnswerKey) -> list[AttemptRecord]:
        """The attempts so far, those of this run too."""
        return [*self._known[key][1]] if key in self._known else []

    async def keep(self, key: AnswerKey, is_on_disk: bool, attempt: AttemptRecord) -> None:
        """Keep an attempt; if it is to be found again, it is on the disk afterwards."""
        path = self._folder / "answers" / f"{key.player}{ANSWERS}"
        if is_on_disk:
            await self._files.setdefault(key.player, KeptLines(path)).keep({**key._asdict(), "attempt": attempt})
        self._known.setdefault(key, (path, []))[1].append(attempt)

    def close(self) -> None:
        for file in self._files.values():
            file.close()


@dataclass
class Purse:
    """The budget of one exam or of several, and the answers whose cost was counted in it."""

    budget: Budget
    charged: set[AnswerKey] = field(default_factory=set)


class Exam:
    """An exam in a folder, with its `results` so far. `person` asks who is at the terminal; `left_out`: logs of no use."""

    def __init__(
        self,
        spec: ExamSpec,
        folder: Path,
        environment: Environment,
        person: Person | None = None,
        *,
        purse: Purse | None = None,
        is_checked: bool = False,
    ) -> None:
        """Check everything that can be. UsageError, OptionError or AccountError before any call. `purse`: the budget of several
        exams in place of the spec's; `is_checked`: the packs have no faults."""
        spec, left_out = _of_logs(spec)
        self.spec = spec
        self.folder, self.environment, self._person = folder, environment, person
        drawing, asks = spec.drawing, () if person is None else (Human,)
        self.game: Game = games.load(spec.game)
        self.players = examinees(spec.examined, self.game, environment, asks)
        if sum(isinstance(one.seat.spec, Human) for one in self.players) > 1:
            raise UsageError("One person at most can be examined at a terminal: keep one `human`.")
        trust_played([one.seat.spec for one in self.players if one.function is None], environment)
        for pack in {one.pack.folder: one.pack for one in self.players if one.wording is not None}.values():
            if not is_checked:
                check_faults(pack, self.game)
        self.sequence = PositionSequence(drawing, spec.logs, folder)
        self.left_out = [*left_out, *self.sequence.left_out]
        self.answers = KeptAnswers(folder, [one.digest for one in self.players])
        names = [one.name for one in self.players]
        self.results = ExamResults(
            spec.game, drawing.begin.setup.players, names, self.sequence.population, spec.margin, spec.compared
        )
        self._purse = purse or Purse(Budget(spec.budget, spec.budget_tokens))
        self.budget = self._purse.budget
        # To find a decision, the match is played again up to there.
        self._decision = lru_cache(_REMEMBERED)(lambda log, at: prompted_decision(read_log(Path(log)), at))
        self._asking = dict[AnswerKey, asyncio.Lock]()
        self._clients: dict[str, Client] = {}
        self._pool: ProcessPool | None = None

    async def run(self, on_progress: Callable[[ExamResults], object]) -> None:
        """Ask until there is enough. TabletopError when it stops before; `results` has what all players have answered. Players
        with a pack that breaks are left out from then on; the others continue while there is a pair of them to compare."""
        faults = list[PromptError]()
        async with AsyncExitStack() as stack:
            stack.callback(self.close)
            await self._prepare(stack)
            while not faults or self._leave_out(faults[-1].pack):
                try:
                    await self._ask(on_progress)
                    break
                except PromptError as fault:
                    faults.append(fault)
        if faults:
            raise UsageError(str(faults[0])) from faults[0]

    async def _ask(self, on_progress: Callable[[ExamResults], object]) -> None:
        waiting, positions = deque[asyncio.Task[list[Answered]]](), self.sequence.first(self.spec.decisions)
        try:
            while (position := await _following(positions)) is not None or waiting:
                if position is not None:
                    waiting.append(asyncio.create_task(self._all(position)))
                while waiting and (position is None or len(waiting) >= self.spec.concurrency or waiting[0].done()):
                    self.results.add(await waiting[0])
                    waiting.popleft()
                    on_progress(self.results)
                    if self.spec.until == "sure" and self.results.is_sure:
                        return
        except asyncio.CancelledError:
            for task in waiting:
                task.cancel()
            raise
        finally:  # answers that are on their way are kept
            await asyncio.gather(*waiting, return_exceptions=True)

    def _leave_out(self, pack: Path | None) -> bool:
        """Begin again without the players that have a pack; False, and nothing changes, where no pair is left to compare."""
        left = [place for place, one in enumerate(self.players) if one.wording is None or one.pack.folder != pack]
        if (results := self.results.of(left)) is not None:
            self.players, self.results = [self.players[place] for place in left], results
        return results is not None

    def close(self) -> None:
        """End the processes that grade, and close the files."""
        self.sequence.close()
        self.answers.close()

    def decision(self, position: Position) -> PromptedDecision:
        """The decision at a position, as players are asked it."""
        return self._decision(position["log"], position["at"])

    def shown(self, position: Position, has_prompt: bool) -> tuple[str, str]:
        """The question at a position, and the prompt of the first player that reads prompts; empty without one."""
        decision = self.decision(position)
        reader = next((one for one in self.players if one.wording is not None), None) if has_prompt else None
        prompt = [] if reader is None else reader.prompts(decision)
        return decision.ask.question.text, "\n\n".join(f"[{one['role']}]\n{one['content']}" for one in prompt)

    async def _prepare(self, stack: AsyncExitStack) -> None:
        """Make everything that players need to be asked. AccountError for a key that is missing."""
        from runner.llm.rate_limiter import RateLimiters

        rates = RateLimiters()
        models = [(one.seat.spec, one.seat.settings) for one in self.players if is_model(one.seat.spec)]
        for spec, settings in models:
            model_of(spec, self.environment, settings)
        table = MatchSeats(self.game, self.spec.drawing.begin.setup, models)
        await start_local([table], PromptPack(), self.environment, self.spec.concurrency)
        if any(isinstance(one.seat.spec, Bot) for one in self.players):
            self._pool = stack.enter_context(closing(ProcessPool(available_cpus())))
        for one in self.players:
            if is_model(one.seat.spec):
                client = new_client(self.budget, self.spec.seed + one.copy, self.spec.mistakes, rates)
                self._clients[one.digest] = await stack.enter_async_context(client)

    async def _all(self, position: Position) -> list[Answered]:
        """What all players answer at a position, asked at the same time; if one fails, what the others say is kept."""
        decision = await asyncio.to_thread(self.decision, position)
        asked = (self._one(one, position, decision) for one in self.players)
        found = await asyncio.gather(*asked, return_exceptions=True)
        if failed := [one for one in found if isinstance(one, BaseException)]:
            raise failed[0]
        return [one for one in found if not isinstance(one, BaseException)]

    async def _one(self, one: Examinee, position: Position, decision: PromptedDecision) -> Answered:
        key, log = _key(one, position, decision), self.folder / "answers" / Path(position["log"]).name
        of_game = self.game, decision.state.setup, one.pack, self.environment, decision.skin
        context = AgentContext(*of_game, self._clients.get(one.digest), self.spec.mistakes, self._person, log)
        async with self._asking.setdefault(key, asyncio.Lock()):  # players with the same prompts share an answer
            kept = self.answers.of(key)
            self._charge(key, kept)
            new_agent = partial(one.agent, decision.ask.seat, context, self._pool)
            keep = partial(self.answers.keep, key, one.function is None)
            return Answered.of(position, *await one.answer(decision, kept, new_agent, keep))

    def _charge(self, key: AnswerKey, kept: Sequence[AttemptRecord]) -> None:
        """Count once what was paid for answers that are found again."""
        if key in self._purse.charged:
            return
        self._purse.charged.add(key)
        self.budget.spent_usd += sum(one.get("charged") or 0.0 for one in kept)
        self.budget.spent_tokens += sum(map(charged_tokens, kept))


async def _following(positions: Iterator[Position]) -> Position | None:
    """The next position, drawn off the event loop; None after the last. Cancelled, it waits for the one that is being drawn."""
    coming = asyncio.ensure_future(asyncio.to_thread(next, positions, None))
    try:
        return await asyncio.shield(coming)
    except asyncio.CancelledError:
        await asyncio.wait([coming])
        raise


def _key(player: Examinee, position: Position, decision: PromptedDecision) -> AnswerKey:
    prompts = player.prompts(decision)
    return AnswerKey(player.digest, position["digest"], digest_of(canonical(prompts)) if prompts else "")


def _of_logs(spec: ExamSpec) -> tuple[ExamSpec, list[Unusable]]:
    """An exam on logs: those of the game and of one number of players, that of the first unless it is given; and those that
    cannot be read. UsageError where there is none of the game, the error of `none_left` where none can be read."""
    headers, left_out = headers_of(spec.logs)
    found = {path: header["players"] for path, header in headers.items() if header["game"] == spec.game}
    players = spec.players or next(iter(found.values()), None)
    logs = [path for path, number in found.items() if number == players]
    if spec.logs and not logs:
        raise UsageError(f"--on: there is no log of {games.load(spec.game).title} with this number of players.")
    return replace(spec, logs=logs, players=players), left_out


_SAMPLE = 12
"""Positions that are looked at beforehand."""

_MOST_PAID = 2_000
"""Decisions that a budget alone pays for, however large it is."""

_APART = 0.2
"""The part of the questions that two players are taken to answer differently."""

_SMALL = 0.05
"""The difference in the share of the win a match that an exam should show."""


@dataclass(frozen=True, slots=True)
class ExamPlan:
    """`decisions` to be asked. What new answers cost in USD, about and at most (None: a price is unknown). `shows` is the
    difference in the share of the win a match that is found four times out of five between players who differ in a fifth of
    their answers (None: one player), `enough` the decisions that find one of 5 points."""

    decisions: int
    about: float | None
    most: float | None
    shows: float | None
    enough: int

    @property
    def text(self) -> str:
        """What it costs and shows, in sentences."""
        about = "cost unknown, as a price is" if self.about is None else f"about ${self.about:.4f}"
        cost = "free" if self.most == 0 else about if self.most is None else f"at most ${self.most:.4f}, {about}"
        said = f"{counted(self.decisions, 'decision')} a player: {cost}."
        if self.shows is None:
            return said
        said += f" They can show a difference of {min(100.0, 100 * self.shows):.1f} points of the win a match"
        cannot = f" They cannot show {100 * _SMALL:.0f} points: that takes about {self.enough:,}."
        return f"{said} between players who answer one question in five differently.{cannot if self.shows > _SMALL else ''}"


def planned(exam: Exam, is_number_given: bool) -> ExamPlan:
    """The plan of an exam. Without a given number a budget says how many decisions there are: `exam.spec` is changed so."""
    some, budget, decisions = [*exam.sequence.first(min(exam.spec.decisions, _SAMPLE))], exam.spec.budget, exam.spec.decisions
    models, prices = [one for one in exam.players if one.wording is not None], dict[str, Prices]()
    with suppress(TabletopError):  # an endpoint that cannot be asked has no known prices
        prices = asyncio.run(list_prices([one.seat.spec for one in models], exam.environment))
    asked = [(one, at) for one in models for at in some if not exam.answers.of(_key(one, at, exam.decision(at)))]
    cost = total_cost(_cost(exam, one, position, prices) for one, position in asked)
    each = None if cost is None else cost.likely / len(some)
    if budget and each and not is_number_given:
        exam.spec = replace(exam.spec, decisions=max(1, min(_MOST_PAID, int(budget / each))))
    if exam.spec.logs:
        decisions = len([*exam.sequence.first(decisions)])
    about, most = (None, budget) if cost is None else (usd * decisions / len(some) for usd in (cost.likely, cost.high))
    spread, is_alone = _spread(exam, some), len(exam.players) < 2
    return ExamPlan(
        decisions,
        about if about is None else min(about, budget or about),
        most if most is None else min(most, budget or most),
        None if is_alone else visible(spread, decisions),
        0 if is_alone else needed(spread, _SMALL),
    )


def _cost(exam: Exam, one: Examinee, position: Position, prices: dict[str, Prices]) -> Range | None:
    """What an answer costs in USD, at most with every strike; None where its price is unknown."""
    agent, ask, price = one.wording, exam.decision(position).ask, prices.get(one.seat.spec.text)
    if agent is None or isinstance(one.seat.spec, Offline):
        return ZERO
    prompt, longest = prompt_tokens(agent, ask), agent.most_reply_tokens
    if price is None:
        return None
    most = sum(price.cost(round(prompt.high + strike * longest), longest) for strike in range(ask.strikes))
    return Range(0.0, price.cost(round(prompt.likely), round(reply_tokens(agent).likely)), most)


def _spread(exam: Exam, some: list[Position]) -> float:
    """The standard deviation of the difference a match, position by position."""
    total = 0.0
    for position in some:
        losses = [one["loss"] for one in position["graded"] if one["answer"] is not None]
        mean = sum(losses) / len(losses)
        total += _APART * position["weight"] ** 2 * 2 * sum((loss - mean) ** 2 for loss in losses) / len(losses)
    candidates, of = sum(position["skipped"] + 1 for position in some), exam.sequence.population
    return of["scale"] * of["decisions"] * math.sqrt(total * len(some)) / max(1, candidates)
