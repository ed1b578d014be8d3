"""Estimate: decisions, tokens, cost and time of a match before it is played; a tournament's is the sum of its matches'."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import games
from games.core import Rng, Setup
from games.search.playouts import look_ahead
from games.search.policy import playing_policy, playouts_of
from games.search.sample_matches import SAMPLES, SampleMatches, sample_matches
from runner.agents.environment import Environment
from runner.agents.model_seats import model_without_key, wording_agent
from runner.agents.protocol import DecisionRequest
from runner.agents.settings import SeatSettings
from runner.agents.spec import Bot, Offline, Spec, is_model
from runner.arena.plan import Plan
from runner.arena.schedule import kind_of, schedule
from runner.match.header import MatchConfig
from runner.prompting.pack import PromptPack
from runner.record.log_folder import originals, summaries
from runner.record.log_summary import LogState, SeatSummary

if TYPE_CHECKING:
    from runner.agents.model_agent import LlmAgent
    from runner.llm.budget import Prices


class CostHistory(NamedTuple):
    """What a SPEC used in finished matches of a game: sums over its decisions."""

    matches: int
    decisions: int
    cost: float
    prompt_tokens: int
    completion_tokens: int
    seconds: float


def cost_histories(logs: Path, game: str) -> dict[str, CostHistory]:
    seats: dict[str, list[SeatSummary]] = {}
    for log in originals(summaries(logs)):
        if log.game == game and log.state is LogState.FINISHED and not log.is_playback and not log.is_fork:
            for seat in log.seats:
                seats.setdefault(seat.spec, []).append(seat)
    sums = {spec: [sum(getattr(seat, name) for seat in own) for name in CostHistory._fields[1:]] for spec, own in seats.items()}
    return {spec: CostHistory(len(own), *sums[spec]) for spec, own in seats.items()}


async def list_prices(specs: Iterable[Spec], environment: Environment) -> dict[str, Prices]:
    """The prices of each SPEC that its agent or its endpoint's public list states; no key is needed and nothing is charged."""
    from runner.llm.client import Client
    from runner.llm.model_list import find

    found: dict[str, Prices] = {}
    async with Client() as client:
        for spec in dict.fromkeys(specs):
            if is_model(spec) and not isinstance(spec, Offline):
                model = model_without_key(spec, environment)
                entry = None if model.prices else find(await client.models(model), model.name)
                if prices := model.prices or (entry and entry.prices):
                    found[spec.text] = prices
    return found


_REPLIES = (20, 400, 2000)
"""Tokens of a reply without a history: an answer alone, with some reasoning, with much reasoning."""

_MOST_CHARACTERS, _LIKELY_CHARACTERS, _LEAST_CHARACTERS = 4.5, 4.0, 3.2
"""Characters per token, which depend on the tokenizer."""

_LIKELY_SECONDS = 8.0


class Range(NamedTuple):
    """The lowest, the likely and the highest value of a quantity."""

    low: float
    likely: float
    high: float

    def combined(self, function: Callable[..., float], *others: Range) -> Range:
        return Range(*map(function, self, *others))

    def to_json(self) -> list[float]:
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
        return is_model(self.spec)

    @property
    def tokens(self) -> Range:
        return self.decisions.combined(lambda n, prompt, reply: n * (prompt + reply), self.prompt_tokens, self.reply_tokens)

    def to_json(self, seat: int) -> dict[str, object]:
        return {
            "seat": seat,
            "spec": self.spec.text,
            **{name: getattr(self, name).to_json() for name in ("decisions", "prompt_tokens", "reply_tokens", "tokens")},
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
        return total_cost(seat.usd for seat in self.seats)

    @property
    def seconds(self) -> float:
        """The duration: one reply of the slowest model for each step in which a model answers, and searches of bots."""
        replies = [seat.seconds for seat in self.seats if seat.is_model and not isinstance(seat.spec, Offline)]
        searches = sum(seat.decisions.likely * seat.seconds for seat in self.seats if not seat.is_model)
        return self.steps * max(replies, default=0.0) * len(replies) / len(self.seats) + searches


class AgentCost(NamedTuple):
    """The sum of an agent's seats in a tournament."""

    spec: str
    decisions: float
    prompt_tokens: float
    usd: Range | None
    has_history: bool


@dataclass(frozen=True, slots=True)
class TournamentEstimate:
    """A tournament: the sum of its matches for each agent, and the duration with its concurrency."""

    agents: dict[str, AgentCost]
    seconds: float

    @property
    def usd(self) -> Range | None:
        return total_cost(agent.usd for agent in self.agents.values())


class _Estimator:
    """Estimates matches with one prompt pack; those of one kind are sampled once. `logs` is the folder with past matches."""

    def __init__(self, pack: PromptPack, environment: Environment, specs: Iterable[Spec], logs: Path) -> None:
        self._pack, self._environment = pack, environment
        self._prices, self._history = asyncio.run(list_prices(specs, environment)), cache(partial(cost_histories, logs))
        self._samples: dict[str, SampleMatches] = {}
        self._seats: dict[tuple[str, int, str, SeatSettings], SeatEstimate] = {}

    def match(self, kind: str, game: str, setup: Setup, players: Iterable[tuple[Spec, SeatSettings]]) -> MatchEstimate:
        if kind not in self._samples:
            begin, options, seeds = games.load(game).begin, setup.options.to_json(), range(setup.seed, setup.seed + SAMPLES)
            self._samples[kind] = sample_matches([begin(setup.players, seed, setup.rules, **options) for seed in seeds])
        sampled, seats = self._samples[kind], []
        for seat, (spec, settings) in enumerate(players):
            key = kind, seat, spec.text, settings
            if key not in self._seats:
                self._seats[key] = self._seat(spec, settings, seat, sampled, self._history(game).get(spec.text))
            seats.append(self._seats[key])
        return MatchEstimate(tuple(seats), sampled.length)

    def _seat(
        self, spec: Spec, settings: SeatSettings, seat: int, sampled: SampleMatches, history: CostHistory | None
    ) -> SeatEstimate:
        counts, prices = sampled.decisions(seat), self._prices.get(spec.text)
        decisions = Range(min(counts), sum(counts) / len(counts), max(counts))
        if not is_model(spec):
            playouts = (playouts_of(spec.name) if isinstance(spec, Bot) else None) or 0
            return SeatEstimate(spec, decisions, seconds=playouts and playouts * _playout_seconds(sampled))
        if history is not None and (count := history.decisions):
            prompt, reply = (Range(*[tokens / count] * 3) for tokens in (history.prompt_tokens, history.completion_tokens))
            seconds = history.seconds / count
        else:
            agent = wording_agent(spec, self._pack, self._environment, settings)
            prompt, seconds = _prompt_tokens(agent, seat, sampled), _LIKELY_SECONDS
            reply = reply_tokens(agent)
        if isinstance(spec, Offline):
            return SeatEstimate(spec, decisions, prompt, reply, history=history)
        usd = _cost(decisions, prompt, reply, history, prices)
        return SeatEstimate(spec, decisions, prompt, reply, usd, seconds, prices, history)


def estimate_match(config: MatchConfig, pack: PromptPack, environment: Environment, logs: Path) -> MatchEstimate:
    estimator = _Estimator(pack, environment, [seat.spec for seat in config.seats], logs)
    return estimator.match("", config.game.name, config.setup, [(seat.spec, seat.settings) for seat in config.seats])


def estimate_tournament(plan: Plan, environment: Environment, logs: Path) -> TournamentEstimate:
    estimator = _Estimator(PromptPack(plan.prompts), environment, [entrant.spec for entrant in plan.entrants], logs)
    seats: dict[str, list[SeatEstimate]] = {entrant.name: [] for entrant in plan.entrants}
    durations = []
    for fixture in schedule(plan):
        players = [(one.spec, one.merged(fixture.table, environment)) for one in fixture.seats]
        match = estimator.match(kind_of(fixture), fixture.game, fixture.setup, players)
        for entrant, seat in zip(fixture.seats, match.seats, strict=True):
            seats[entrant.name].append(seat)
        durations.append(match.seconds)
    agents = {entrant.name: _agent(entrant.spec.text, seats[entrant.name]) for entrant in plan.entrants}
    return TournamentEstimate(agents, max(max(durations, default=0.0), sum(durations) / plan.concurrency))


def _playout_seconds(sampled: SampleMatches) -> float:
    middles = [match[len(match) // 2].state for match in sampled.matches if match]
    began = time.process_time()
    for number, state in enumerate(middles):
        look_ahead(state, playing_policy(state.game), Rng.of("timed", number))
    return (time.process_time() - began) / max(1, len(middles))


def total(ranges: Iterable[Range]) -> Range:
    return Range(*map(sum, zip(ZERO, *ranges, strict=True)))


def total_cost(costs: Iterable[Range | None]) -> Range | None:
    """The sum of costs; None when one is unknown."""
    known = list(costs)
    return None if None in known else total(cost for cost in known if cost is not None)


def money(found: Range | None, unknown: str = "unknown") -> str:
    if found is None:
        return unknown
    return f"${found.low:.4f} to ${found.high:.4f}, likely ${found.likely:.4f}" if found.high else "free"


def _agent(spec: str, seats: Sequence[SeatEstimate]) -> AgentCost:
    prompts = sum(seat.decisions.likely * seat.prompt_tokens.likely for seat in seats)
    has_history = any(seat.history is not None for seat in seats)
    return AgentCost(spec, sum(seat.decisions.likely for seat in seats), prompts, total_cost(s.usd for s in seats), has_history)


def _prompt_tokens(agent: LlmAgent, seat: int, sampled: SampleMatches) -> Range:
    """Tokens per prompt of a seat, averaged over the first rollout. The prompt includes what the agent remembers: it is given
    the first legal answer of each earlier decision. Endpoints differ in whether they count the schema."""
    found = []
    for number, step in enumerate(sampled.matches[0]):
        if seat in step.seats:
            ask = DecisionRequest.of(step.state, seat, number)
            found.append(prompt_tokens(agent, ask))
            agent.remember(ask, {"reply": {"text": json.dumps(ask.answers()[0])}})
    return ZERO.combined(lambda _, *values: sum(values) / len(values), *found) if found else ZERO


def prompt_tokens(agent: LlmAgent, ask: DecisionRequest) -> Range:
    """The tokens of the prompt of a question."""
    question = agent.question(ask)
    characters = sum(len(message["content"]) for message in agent.messages(ask, question))
    whole = characters + len(json.dumps(question.schema))
    return Range(characters / _MOST_CHARACTERS, whole / _LIKELY_CHARACTERS, whole / _LEAST_CHARACTERS)


def reply_tokens(agent: LlmAgent) -> Range:
    """The tokens of a reply of a model without a history."""
    return Range(*(min(agent.most_reply_tokens, length) for length in _REPLIES))


def _cost(decisions: Range, prompt: Range, reply: Range, history: CostHistory | None, prices: Prices | None) -> Range | None:
    """The cost of a seat: by its history, else by its prices; None without either."""
    if history is not None and history.cost:
        per_decision = history.cost / history.decisions
        return decisions.combined(lambda number: number * per_decision)
    if prices is None:
        return None
    costs = prompt.combined(lambda asked, answered: prices.cost(round(asked), round(answered)), reply)
    return decisions.combined(lambda number, usd: number * usd, costs)
