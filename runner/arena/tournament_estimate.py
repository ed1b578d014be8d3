"""What a tournament would take: matches, decisions, money and time, from a few matches between bots, prices and past logs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import games
from games.core import State
from runner.agents.environment import Settings
from runner.agents.factory import prompt_options
from runner.agents.spec import Offline, is_model, needs_client, parse_spec
from runner.arena.list_prices import prices_of
from runner.arena.plan import Plan
from runner.arena.rollouts import LETTERS_A_TOKEN, asked_in
from runner.arena.schedule import Fixture, meetings, schedule
from runner.prompting.pack import PromptPack, prompt_context
from runner.standings.facts_index import summaries

if TYPE_CHECKING:
    from runner.llm.prices import Prices

_SAMPLES = 3
_REPLY_TOKENS = 400
_SECONDS_A_DECISION = 8.0


@dataclass(frozen=True, slots=True)
class Sampled:
    """What a match between bots was like: decisions asked for a match, decisions one after the other, tokens of a prompt."""

    decisions: float
    chain: float
    tokens: float


@dataclass(frozen=True, slots=True)
class Past:
    """What an agent took in past matches, for one decision."""

    usd: float
    seconds: float
    tokens: float


def estimate(plan: Plan, settings: Settings, past: Path | None) -> dict[str, Any]:
    """The schedule in figures, and what it would take. What nobody can know is None."""
    fixtures = list(schedule(plan))
    samples = {kind: _sample(fixture, plan) for kind, fixture in _one_of_each(fixtures).items()}
    learnt = _learnt(past)
    prices = _prices(plan, settings)
    agents: dict[str, dict[str, Any]] = {
        entrant.name: {"spec": entrant.spec.text, "decisions": 0.0, "prompt_tokens": 0.0, "usd": 0.0}
        for entrant in plan.entrants
    }
    for fixture in fixtures:
        sample = samples[_kind(fixture)]
        for entrant in fixture.seats:
            share = sample.decisions / fixture.players
            agents[entrant.name]["decisions"] += share
            agents[entrant.name]["prompt_tokens"] += share * sample.tokens * is_model(entrant.spec)
    for name, facts in agents.items():
        facts["usd"] = _usd(facts, learnt.get(name), prices.get(name))
    return {
        "matches": len(fixtures),
        "deals": {kind: len({f.seed for f in fixtures if _kind(f) == kind}) for kind in samples},
        "tables": {kind: sum(_kind(f) == kind for f in fixtures) for kind in samples},
        "meetings": _spread(fixtures),
        "decisions": sum(facts["decisions"] for facts in agents.values()),
        "agents": agents,
        "usd": _sum(facts["usd"] for facts in agents.values()),
        "seconds": _seconds(plan, fixtures, samples, learnt),
        "learnt_from_logs": sorted(set(learnt) & set(agents)),
    }


def _kind(fixture: Fixture) -> str:
    return fixture.name.partition("/")[0]


def _one_of_each(fixtures: Iterable[Fixture]) -> dict[str, Fixture]:
    found: dict[str, Fixture] = {}
    for fixture in fixtures:
        found.setdefault(_kind(fixture), fixture)
    return found


def _spread(fixtures: list[Fixture]) -> list[int]:
    counts = meetings(fixtures).values()
    return [min(counts), max(counts)] if counts else [0, 0]


def _sum(values: Iterable[float | None]) -> float | None:
    found = list(values)
    return None if any(value is None for value in found) else sum(value or 0.0 for value in found)


def _usd(facts: dict[str, Any], past: Past | None, prices: Prices | None) -> float | None:
    """What an agent's decisions would cost: as in the past, else by its prices; None when nobody knows."""
    spec = parse_spec(facts["spec"])
    if not is_model(spec) or isinstance(spec, Offline):
        return 0.0
    if past is not None and past.usd:
        return float(facts["decisions"] * past.usd)
    return None if prices is None else prices.cost(int(facts["prompt_tokens"]), int(facts["decisions"]) * _REPLY_TOKENS)


def _seconds(plan: Plan, fixtures: list[Fixture], samples: dict[str, Sampled], learnt: dict[str, Past]) -> float | None:
    """How long the matches of models take with so many at once; those between bots hardly count."""
    chains = []
    for fixture in fixtures:
        models = [e for e in fixture.seats if is_model(e.spec) and not isinstance(e.spec, Offline)]
        pace = max((learnt[e.name].seconds if e.name in learnt else _SECONDS_A_DECISION for e in models), default=0.0)
        chains.append(samples[_kind(fixture)].chain * pace * len(models) / fixture.players)
    return max(max(chains, default=0.0), sum(chains) / plan.concurrency)


def _sample(fixture: Fixture, plan: Plan) -> Sampled:
    """A few matches between bots, with the prompts a model would have got in the first of them."""
    game = games.load(fixture.game)
    pack = PromptPack(Path(plan.prompts) if plan.prompts else None)
    has_models = needs_client(entrant.spec for entrant in plan.entrants)
    decisions = chain = 0
    letters: list[int] = []
    for sample in range(_SAMPLES):
        state = game.begin(fixture.players, fixture.seed + sample, fixture.rules, **fixture.options)
        for asked in asked_in(state):
            decisions += len(asked.seats)
            chain += 1
            if sample == 0 and has_models:
                letters.append(_letters(asked.state, asked.seats[0], pack))
    tokens = sum(letters) / len(letters) / LETTERS_A_TOKEN if letters else 0.0
    return Sampled(decisions / _SAMPLES, chain / _SAMPLES, tokens)


def _letters(state: State, seat: int, pack: PromptPack) -> int:
    context = prompt_context(state.view(seat), state.question(seat), prompt_options(state.setup), False)
    messages = pack.render(state.game.name, state.question(seat).role, context)
    return sum(len(message["content"]) for message in messages)


def _learnt(past: Path | None) -> dict[str, Past]:
    """What each agent took for a decision in the logs of a folder; nothing where there are none."""
    if past is None or not past.is_dir() or not any(past.rglob("*.jsonl")):
        return {}
    sums: dict[str, list[float]] = {}
    for log in summaries(past).values():
        for name, seat in zip(log.get("agents", ()), log.get("seats", ()), strict=False):
            found = sums.setdefault(name, [0.0, 0.0, 0.0, 0.0])
            tokens = seat["prompt_tokens"] + seat["completion_tokens"]
            for place, value in enumerate((seat["decisions"], seat["cost"], seat["seconds"], tokens)):
                found[place] += value
    return {name: Past(usd / n, seconds / n, tokens / n) for name, (n, usd, seconds, tokens) in sums.items() if n}


def _prices(plan: Plan, settings: Settings) -> dict[str, Prices]:
    """The prices of each agent whose model has any."""
    found = asyncio.run(prices_of([entrant.spec for entrant in plan.entrants], settings))
    return {entrant.name: found[entrant.spec] for entrant in plan.entrants if entrant.spec in found}
