"""Positions: decisions that matches of bots of mixed strength have led to, or logged matches, drawn by what is at stake.

Game, options, number of players and seed fix their sequence. A candidate is drawn evenly among the graded decisions of all
matches, one a match at most, and accepted with a known probability in proportion to its stakes. So the mean of losses, each
divided by its probability, and 0 for candidates that are passed over, is the mean loss of a decision.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from typing_extensions import TypedDict

import games
from games.core import PHASE, Action, Policy, Rng, State, random_policy
from games.search.policy import playing_policy
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.agents.seat import Seat
from runner.agents.spec import parse_spec
from runner.digest import digest_of_state
from runner.errors import PausedError
from runner.match.config import MatchConfig
from runner.match.loop import Match
from runner.record.reader import read_log
from runner.record.writer import LogSink, LogWriter
from runner.review.decision_review import review_jobs
from runner.workshop.exam.stakes import AnswerGrade, is_gradable, stakes

SURE_SPREAD = 0.5
"""Stakes from which on a candidate is always accepted. Smaller ones are accepted in proportion."""

_CARELESS = (0.0, 0.1, 0.3, 0.6)
"""The parts of their moves that the bots of the matches make at random."""

_PILOTS = 200
"""Matches whose decisions are counted first."""

_OF_A_LOG = 8
"""Decisions of a log that are graded, to draw one of them."""


class Position(TypedDict):
    """A decision that players are asked: decision `at` of `log`, with its answers graded. `skipped` candidates were passed over
    before it; a loss counts `weight` times. `digest` is that of the state and the seat."""

    match: int
    skipped: int
    log: str
    at: int
    seat: int
    role: str
    phase: str
    digest: str
    weight: float
    spread: float
    graded: Sequence[AnswerGrade]


class Population(TypedDict):
    """What positions are drawn from: `most` graded decisions of a match at most, `decisions` of a seat in a match on average. A
    weighted loss is from -`bound` to `bound`; its mean times `scale` is the loss of a decision."""

    most: int
    decisions: float
    bound: float
    scale: float


class _Step(NamedTuple):
    """Seats that were asked in one state, their actions, and those that were applied before the phase changed."""

    asked: State
    actions: Mapping[int, Action]
    applied: Sequence[int]


class Candidate(NamedTuple):
    """Where a graded decision is: the state in which the seat is asked, and the decision's number in the match."""

    state: State
    seat: int
    at: int


@dataclass(frozen=True)
class Drawing:
    """The matches of bots that candidates come from. `role` restricts the decisions to those with its prompt."""

    game: str
    players: int
    rules: str | None
    options: Mapping[str, Any]
    seed: int
    role: str | None = None
    most: int = 0

    def pilot(self) -> Population:
        """What the matches hold, from some that are not examined. `most` is beyond what nearly all matches have."""
        counts = [len(self.places(self.steps(-number))) for number in range(1, _PILOTS + 1)]
        most = max(counts) * 5 // 4
        return Population(most=most, decisions=sum(counts) / len(counts) / self.players, bound=1.0, scale=1.0)

    def steps(self, match: int) -> list[_Step]:
        """A match, played by bots of mixed strength."""
        rng = Rng.of("exam", self.seed, match)
        state = games.load(self.game).begin(self.players, rng.next() >> 1, self.rules, **self.options)
        bots, found = [_bot(rng.choice(_CARELESS), state) for _ in range(self.players)], list[_Step]()
        while not state.has_ended:
            actions = {seat: bots[seat](state, seat, Rng(rng.next())) for seat in state.pending}
            applied, asked = list[int](), state
            for seat, action in actions.items():
                state, events = action.on(state).next_with_events()
                applied.append(seat)
                if any(event.kind == PHASE for event in events):
                    break
            found.append(_Step(asked, actions, applied))
        return found

    def places(self, steps: Sequence[_Step]) -> list[Candidate]:
        """The decisions of a match that can be examined."""
        found, at = list[Candidate](), 0
        for step in steps:
            for seat in step.applied:
                at += 1
                if is_gradable(step.asked, seat) and self.role in (None, step.asked.question(seat).role):
                    found.append(Candidate(step.asked, seat, at))
        return found[: self.most or None]

    def candidate(self, folder: Path, match: int) -> Position | bool:
        """The position of a match, its log written into `folder`; whether a candidate was passed over where there is none."""
        steps = self.steps(match)
        places, chance = self.places(steps), Rng.of("exam", self.seed, match, "draw")
        if (drawn := chance.below(self.most)) >= len(places):
            return False
        place = places[drawn]
        found = stakes(place.state, place.seat, "exam", self.seed, match)
        if chance.random() >= (accepted := min(1.0, found.spread / SURE_SPREAD)):
            return True
        path = folder / f"{match}.jsonl"
        asyncio.run(_write(path, steps, place.at))
        return _position(match, path, place, 1 / accepted, found.spread, found.graded)

    def of_log(self, path: Path) -> tuple[Position | None, float, int]:
        """The position of a logged match, drawn among some of its decisions by their stakes; those of the whole match, and how
        many of its decisions can be graded. LogDamagedError where it does not follow from the rules."""
        log = read_log(path)
        jobs = [job for job in review_jobs(log)[0] if is_gradable(job.asked, job.seat)]
        jobs = [job for job in jobs if self.role in (None, job.asked.question(job.seat).role)]
        chance = Rng.of("exam", self.seed, log.last)
        some = chance.shuffled(jobs)[:_OF_A_LOG]
        found = [stakes(job.asked, job.seat, "exam", self.seed, log.last, job.number) for job in some]
        total, at = sum(one.spread for one in found), chance.random()
        if not total:
            return None, 0.0, len(jobs)
        sums = accumulate(one.spread for one in found)
        drawn = next((place for place, below in enumerate(sums) if at * total < below), len(some) - 1)
        job, stake, whole = some[drawn], found[drawn], total * len(jobs) / len(some)
        place = Candidate(job.asked, job.seat, job.number)
        return _position(0, path, place, whole / stake.spread, stake.spread, stake.graded), whole, len(jobs)


def _position(
    match: int, path: Path, place: Candidate, weight: float, spread: float, graded: Sequence[AnswerGrade]
) -> Position:
    state, seat, at = place
    return Position(
        match=match,
        skipped=0,
        log=str(path),
        at=at,
        seat=seat,
        role=state.question(seat).role,
        phase=state.phase.name,
        digest=f"{digest_of_state(state)}:{seat}",
        weight=weight,
        spread=spread,
        graded=graded,
    )


def _bot(careless: float, state: State) -> Policy:
    """The bot of playouts, with some of its moves at random."""
    steady = playing_policy(state.game)

    def decide(state: State, seat: int, rng: Rng) -> Action:
        return (random_policy if rng.random() < careless else steady)(state, seat, rng)

    return decide


@dataclass
class _Scripted(Agent):
    """Gives the answers of a match that has been played; where they end, the log ends."""

    answers: deque[Any] = field(default_factory=deque)
    needs_sync = False

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        if not self.answers:
            raise PausedError("the position is reached.")
        return AgentReply(self.answers.popleft())


async def _write(path: Path, steps: Sequence[_Step], at: int) -> None:
    """Write the log of a match up to the step with decision `at`."""
    first = steps[0].asked
    agents, made = [_Scripted() for _ in range(first.setup.players)], 0
    for step in steps:
        for seat, action in step.actions.items():
            if len(step.asked.actions_of(seat)) > 1:
                agents[seat].answers.append(action.to_json())
        if (made := made + len(step.applied)) >= at:
            break
    bot = parse_spec("bot:steady")
    seats = tuple(Seat(bot, bot.default_name, bot.kind, {}) for _ in agents)
    path.unlink(missing_ok=True)
    writer = LogWriter(path)
    try:
        with suppress(PausedError):
            await Match(MatchConfig(games.load(first.game.name), first.setup, seats, {}), agents, [LogSink(writer)]).run()
    finally:
        writer.close()
