"""Estimate: decisions, tokens, cost and time of a match before it is played; a tournament's is the sum of its matches'."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import games
from games.core import Setup
from runner.agents.environment import Settings
from runner.agents.protocol import Ask
from runner.agents.rollouts import SAMPLES, Rollouts, rollouts
from runner.agents.spec import Offline, Spec, is_model
from runner.agents.wording import wording_agent
from runner.arena.plan import Entrant, Plan
from runner.arena.schedule import Fixture, kind_of, schedule
from runner.arena.seat_costs import CostHistory, cost_histories, list_prices
from runner.match.config import MatchConfig
from runner.prompting.pack import PromptPack

if TYPE_CHECKING:
    from runner.agents.model_agent import LlmAgent
    from runner.llm.prices import Prices

SHORT_REPLY, LIKELY_REPLY, LONG_REPLY = 20, 400, 2000
"""Tokens of a reply without a history: an answer alone, with some reasoning, with much reasoning."""

_MOST_LETTERS, _LIKELY_LETTERS, _LEAST_LETTERS = 4.5, 4.0, 3.2
"""Characters per token, which depend on the tokenizer."""

_LIKELY_SECONDS = 8.0
"""Seconds per reply without a history."""


class Range(NamedTuple):
    """The lowest, the likely and the highest value of a quantity."""

    low: float
    likely: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Range:
        """The range of observed values."""
        return cls(min(values), sum(values) / len(values), max(values))

    def combined(self, function: Callable[..., float], *others: Range) -> Range:
        """The function of this range and others, end by end."""
        return Range(*map(function, self, *others))

    def plus(self, other: Range) -> Range:
        """The sum of two ranges."""
        return Range(self.low + other.low, self.likely + other.likely, self.high + other.high)

    def to_json(self) -> list[float]:
        """The three values."""
        return [round(value, 6) for value in self]


ZERO = Range(0, 0, 0)


@dataclass(frozen=True, slots=True)
class SeatEstimate:
    """One seat: decisions, tokens per prompt and per reply, cost in USD (None: unknown), seconds per reply."""

    spec: Spec
    decisions: Range
    prompt_tokens: Range = ZERO
    reply_tokens: Range = ZERO
    usd: Range | None = ZERO
    seconds: float = 0.0
    prices: Prices | None = None
    history: CostHistory | None = None

    @property
    def is_model(self) -> bool:
        """Whether a model has the seat."""
        return is_model(self.spec)

    @property
    def tokens(self) -> Range:
        """All tokens of the match."""
        return self.decisions.combined(lambda n, prompt, reply: n * (prompt + reply), self.prompt_tokens, self.reply_tokens)

    def to_json(self, seat: int) -> dict[str, object]:
        """The estimate as data."""
        return {
            "seat": seat,
            "spec": self.spec.text,
            "decisions": self.decisions.to_json(),
            "prompt_tokens": self.prompt_tokens.to_json(),
            "reply_tokens": self.reply_tokens.to_json(),
            "tokens": self.tokens.to_json(),
            "usd": self.usd.to_json() if self.usd else None,
            "usd_per_million": [self.prices.prompt * 1e6, self.prices.completion * 1e6] if self.prices else None,
            "past_matches": self.history.matches if self.history else 0,
        }


@dataclass(frozen=True, slots=True)
class MatchEstimate:
    """A match: its seats, and its steps, in each of which a model may have to answer."""

    seats: tuple[SeatEstimate, ...]
    steps: float

    @property
    def usd(self) -> Range | None:
        """The cost; None when a seat's is unknown."""
        return total_cost(seat.usd for seat in self.seats)

    @property
    def seconds(self) -> float:
        """The duration: one reply of the slowest model for each step in which a model answers."""
        models = sum(seat.is_model and not isinstance(seat.spec, Offline) for seat in self.seats)
        return self.steps * max(seat.seconds for seat in self.seats) * models / len(self.seats)


class Agent(NamedTuple):
    """The sum of an agent's seats in a tournament."""

    spec: str
    decisions: float
    prompt_tokens: float
    usd: Range | None
    has_history: bool


@dataclass(frozen=True, slots=True)
class TournamentEstimate:
    """A tournament: the sum of its matches for each agent, and the duration with its concurrency."""

    agents: dict[str, Agent]
    seconds: float

    @property
    def usd(self) -> Range | None:
        """The cost; None when an agent's is unknown."""
        return total_cost(agent.usd for agent in self.agents.values())


class Estimator:
    """Estimates matches with one prompt pack. `histories` and `prices` are by SPEC."""

    def __init__(
        self, pack: PromptPack, settings: Settings, histories: Mapping[str, CostHistory], prices: Mapping[str, Prices]
    ) -> None:
        self._pack, self._settings = pack, settings
        self._histories, self._prices = histories, prices

    def seat(self, spec: Spec, seat: int, setup: Setup, sampled: Rollouts) -> SeatEstimate:
        """The estimate of a SPEC in one seat."""
        decisions = Range.of(sampled.decisions(seat))
        if not is_model(spec):
            return SeatEstimate(spec, decisions)
        history, prices = self._histories.get(spec.text), self._prices.get(spec.text)
        if history is not None and history.decisions:
            count = history.decisions
            prompt, reply = Range.of([history.prompt_tokens / count]), Range.of([history.completion_tokens / count])
            seconds = history.seconds / count
        else:
            agent = wording_agent(spec, self._pack, setup, self._settings)
            prompt, seconds = _prompt_tokens(agent, seat, sampled), _LIKELY_SECONDS
            reply = Range(*(min(agent.most_reply_tokens, length) for length in (SHORT_REPLY, LIKELY_REPLY, LONG_REPLY)))
        if isinstance(spec, Offline):
            return SeatEstimate(spec, decisions, prompt, reply, history=history)
        usd = _cost(decisions, prompt, reply, history, prices)
        return SeatEstimate(spec, decisions, prompt, reply, usd, seconds, prices, history)


def estimate_match(config: MatchConfig, pack: PromptPack, settings: Settings, logs: Path) -> MatchEstimate:
    """The estimate of one match. `logs` is the folder with past matches."""
    specs, setup = [seat.spec for seat in config.seats], config.setup
    histories = cost_histories(logs, config.game.name)
    estimator = Estimator(pack, settings, histories, asyncio.run(list_prices(specs, settings)))
    sampled = _sampled(config.game.name, setup)
    seats = tuple(estimator.seat(spec, seat, setup, sampled) for seat, spec in enumerate(specs))
    return MatchEstimate(seats, sampled.length)


def estimate_tournament(plan: Plan, settings: Settings, logs: Path) -> TournamentEstimate:
    """The estimate of a plan."""
    pack = PromptPack(Path(plan.prompts) if plan.prompts else None)
    return estimate_fixtures(list(schedule(plan)), plan.entrants, plan.concurrency, pack, settings, logs)


def estimate_fixtures(
    fixtures: Sequence[Fixture], entrants: Sequence[Entrant], concurrency: int, pack: PromptPack, settings: Settings, logs: Path
) -> TournamentEstimate:
    """The estimate of some matches: those of one kind are sampled once. `logs` is the folder with past matches."""
    prices = asyncio.run(list_prices([entrant.spec for entrant in entrants], settings))
    histories = {game: cost_histories(logs, game) for game in {fixture.game for fixture in fixtures}}
    estimators = {game: Estimator(pack, settings, found, prices) for game, found in histories.items()}
    samples: dict[str, Rollouts] = {}
    known: dict[tuple[str, int, str], SeatEstimate] = {}
    seats: dict[str, list[SeatEstimate]] = {entrant.name: [] for entrant in entrants}
    durations = []
    for fixture in fixtures:
        setup, kind = _setup(fixture), kind_of(fixture)
        sampled = samples.get(kind) or samples.setdefault(kind, _sampled(fixture.game, setup))
        match = []
        for seat, entrant in enumerate(fixture.seats):
            key = kind, seat, entrant.spec.text
            if key not in known:
                known[key] = estimators[fixture.game].seat(entrant.spec, seat, setup, sampled)
            match.append(known[key])
            seats[entrant.name].append(known[key])
        durations.append(MatchEstimate(tuple(match), sampled.length).seconds)
    agents = {entrant.name: _agent(entrant.spec.text, seats[entrant.name]) for entrant in entrants}
    return TournamentEstimate(agents, max(max(durations, default=0.0), sum(durations) / concurrency))


def total(ranges: Iterable[Range]) -> Range:
    """The sum of ranges."""
    return reduce(Range.plus, ranges, ZERO)


def total_cost(costs: Iterable[Range | None]) -> Range | None:
    """The sum of costs; None when one is unknown."""
    known = list(costs)
    return None if None in known else total(cost for cost in known if cost is not None)


def _agent(spec: str, seats: Sequence[SeatEstimate]) -> Agent:
    prompts = sum(seat.decisions.likely * seat.prompt_tokens.likely for seat in seats)
    has_history = any(seat.history is not None for seat in seats)
    return Agent(spec, sum(seat.decisions.likely for seat in seats), prompts, total_cost(s.usd for s in seats), has_history)


def _setup(fixture: Fixture) -> Setup:
    return games.load(fixture.game).set_up(fixture.players, fixture.seed, fixture.rules, fixture.options)


def _sampled(game: str, setup: Setup) -> Rollouts:
    begin, options = games.load(game).begin, setup.options.to_json()
    return rollouts([begin(setup.players, setup.seed + sample, setup.rules, **options) for sample in range(SAMPLES)])


def _prompt_tokens(agent: LlmAgent, seat: int, sampled: Rollouts) -> Range:
    """Tokens per prompt of a seat, averaged over the first rollout.

    The prompt includes what the agent remembers: it is given the first legal answer of each earlier decision. Endpoints differ
    in whether they count the schema.
    """
    found = []
    for number, step in enumerate(sampled.matches[0]):
        if seat in step.seats:
            ask = Ask.of(step.state, seat, number)
            question = agent.question(ask)
            messages = agent.messages(ask, question)
            agent.remember(ask, {"reply": {"text": json.dumps(ask.answers()[0])}})
            letters = sum(len(message["content"]) for message in messages)
            whole = letters + len(json.dumps(question.schema))
            found.append(Range(letters / _MOST_LETTERS, whole / _LIKELY_LETTERS, whole / _LEAST_LETTERS))
    return ZERO.combined(lambda _, *values: sum(values) / len(values), *found) if found else ZERO


def _cost(decisions: Range, prompt: Range, reply: Range, history: CostHistory | None, prices: Prices | None) -> Range | None:
    """The cost of a seat: by its history, else by its prices; None without either."""
    if history is not None and history.usd:
        per_decision = history.usd / history.decisions
        return decisions.combined(lambda number: number * per_decision)
    if prices is None:
        return None
    costs = prompt.combined(lambda asked, answered: prices.cost(round(asked), round(answered)), reply)
    return decisions.combined(lambda number, usd: number * usd, costs)
