"""Estimate output: `tabletop play GAME --estimate` and `tabletop tournament --dry-run`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from games.core import counted, seat_name
from runner.agents.spec import Offline
from runner.cli.output import say, say_json
from runner.screen.dashboard import duration
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.agents.environment import Settings
    from runner.arena.estimate import Agent, MatchEstimate, Range, SeatEstimate, TournamentEstimate
    from runner.arena.plan import Plan
    from runner.arena.schedule import Fixture
    from runner.cli.model_options import ModelOptions
    from runner.match.config import MatchConfig
    from runner.prompting.pack import PromptPack
    from runner.workshop.bench.bench_run import Bench
    from runner.workshop.bench.suite import Suite

LOGS = Path("logs")
_SHOWN = 12
_OF_DRAWN_SEED = ", with seats and seeds that are drawn at the start; --seed N fixes them"


def print_match_estimate(
    config: MatchConfig, pack: PromptPack, settings: Settings, models: ModelOptions, as_json: bool, logs: Path = LOGS
) -> None:
    """Print decisions, tokens and cost of each seat and their sum; nothing is played and no model is asked."""
    from runner.arena.estimate import estimate_match

    found = estimate_match(config, pack, settings, logs)
    cautions = config.game.cautions(config.setup.players, config.setup.options)
    notes = [*_sources(found, logs), *_verdicts(found, models), *cautions]
    if as_json:
        say_json(_match_document(config, found, notes))
        return
    say(f"{config.game.title} with {len(found.seats)} players, an estimate: nothing is played, no model is asked.")
    for seat, one in enumerate(found.seats):
        say(f"{seat_name(seat)} {clean(one.spec.named_text)}: {_seat_text(one)}")
    cost = "unknown" if found.usd is None else _money(found.usd)
    say(f"Cost of the match: {cost}. Time: about {duration(found.seconds)}.")
    for note in notes:
        say(f"- {note}")


def _match_document(config: MatchConfig, found: MatchEstimate, notes: list[str]) -> dict[str, object]:
    return {
        "game": config.game.name,
        "players": len(found.seats),
        "seats": [seat.to_json(number) for number, seat in enumerate(found.seats)],
        "usd": found.usd.to_json() if found.usd else None,
        "seconds": round(found.seconds),
        "notes": notes,
    }


def _seat_text(seat: SeatEstimate) -> str:
    decisions = f"{_range(seat.decisions)} decisions"
    if not seat.is_model:
        return f"{decisions}, free"
    cost = "cost unknown" if seat.usd is None else _money(seat.usd)
    tokens = f"{_range(seat.prompt_tokens)} prompt tokens and {_range(seat.reply_tokens)} reply tokens"
    return f"{decisions} with {tokens} each, {cost}"


def _range(found: Range) -> str:
    low, high = f"{found.low:,.0f}", f"{found.high:,.0f}"
    return low if low == high else f"{low} to {high}"


def _money(found: Range) -> str:
    if not found.high:
        return "free"
    return f"${found.low:.4f} to ${found.high:.4f}, likely ${found.likely:.4f}"


def _sources(found: MatchEstimate, logs: Path) -> Iterator[str]:
    """What the estimate is based on, and what is unknown."""
    from runner.agents.rollouts import SAMPLES

    yield f"Decisions are those of {SAMPLES} matches between bots; forced ones cost nothing."
    for spec, seat in {seat.spec: seat for seat in found.seats if seat.is_model}.items():
        if isinstance(spec, Offline):
            yield f"{clean(spec.text)} is built in and costs nothing."
        else:
            yield f"{clean(spec.text)}: {_prices(seat)}; {_history(seat, logs)}."


def _prices(seat: SeatEstimate) -> str:
    if seat.prices is None:
        known = "its cost is that of past matches" if seat.usd else "its cost is unknown"
        return f"no price is known, neither from its endpoint's list nor from agents.toml, so {known}"
    return f"${seat.prices.prompt * 1e6:g} in and ${seat.prices.completion * 1e6:g} out per million tokens"


def _history(seat: SeatEstimate, logs: Path) -> str:
    if seat.history is None or not seat.history.decisions:
        return f"there is no past match of this game in {logs}/, so the length of its replies is a guess"
    past = f"{counted(seat.history.decisions, 'decision')} in {counted(seat.history.matches, 'past match')}"
    return f"tokens per decision are those of {past} in {logs}/"


def _verdicts(found: MatchEstimate, models: ModelOptions) -> Iterator[str]:
    """Whether the match is likely to fit the budgets."""
    if models.budget is not None:
        usd = found.usd
        verdict = "cannot be judged: a cost is unknown" if usd is None else _verdict(models.budget, usd)
        yield f"The budget of {models.budget:g} USD {verdict}."
    if models.budget_tokens is not None:
        from runner.arena.estimate import total

        tokens = total(seat.tokens for seat in found.seats if seat.is_model)
        verdict = _verdict(models.budget_tokens, tokens)
        yield f"The budget of {models.budget_tokens} tokens {verdict}: the match takes {_range(tokens)}."


def _verdict(budget: float, needed: Range) -> str:
    return "is too small" if needed.low > budget else "may be too small" if needed.high > budget else "should suffice"


def print_tournament_estimate(plan: Plan, settings: Settings, past: Path, as_json: bool) -> None:
    """Print the schedule's size, decisions, cost and time, and its first matches."""
    from runner.arena.estimate import estimate_tournament
    from runner.arena.schedule import schedule

    found, fixtures = estimate_tournament(plan, settings, past), list(schedule(plan))
    if as_json:
        say_json(_tournament_document(found, fixtures, plan.is_seed_drawn))
        return
    _print_schedule_size(fixtures)
    say(f"Decisions to be asked for: about {sum(agent.decisions for agent in found.agents.values()):,.0f}")
    for name, agent in found.agents.items():
        say(f"  {name}: {_agent_text(agent)}")
    whole = "unknown: a model has no prices" if found.usd is None else f"about ${found.usd.likely:.2f}"
    limit = f", at most ${plan.budget:g}" if plan.budget else ""
    say(f"Cost: {whole}{limit}. Time for models: about {duration(found.seconds)}.")
    learnt = _with_history(found)
    source = f"matches of {', '.join(learnt)} in {past}" if learnt else "matches between bots"
    say(f"Estimated from {source}.")
    say(f"The schedule{_OF_DRAWN_SEED if plan.is_seed_drawn else ''}:")
    for fixture in islice(fixtures, _SHOWN):
        seed = "" if plan.is_seed_drawn else f"  seed {fixture.seed}"
        say(f"  {fixture.name}{seed}: {', '.join(entrant.name for entrant in fixture.seats)}")
    if len(fixtures) > _SHOWN:
        say(f"  … and {len(fixtures) - _SHOWN} more: --json has all")


def print_bench_estimate(
    bench: Bench, chosen: Suite, settings: Settings, concurrency: int, budget: float | None, as_json: bool
) -> None:
    """Print the matches of a bench, with the decisions, cost and time of its model; nothing is played, no model is asked."""
    from runner.arena.estimate import estimate_fixtures
    from runner.prompting.pack import PromptPack

    fixtures = chosen.fixtures(bench.model)
    entrants = chosen.entrants(bench.model)
    found = estimate_fixtures(fixtures, entrants, concurrency, PromptPack(), settings, bench.logs)
    model = found.agents[bench.model.name]
    if as_json:
        say_json(
            {
                "suite": {"version": chosen.version, "digest": chosen.digest},
                "model": bench.model.name,
                "matches": len(fixtures),
                "tables": dict(_matches(fixtures)),
                "decisions": model.decisions,
                "prompt_tokens": model.prompt_tokens,
                "usd": model.usd.likely if model.usd else None,
                "usd_range": model.usd.to_json() if model.usd else None,
                "seconds": found.seconds,
            }
        )
        return
    deals = _deals(fixtures)
    for kind, count in _matches(fixtures).items():
        say(f"{kind}: {counted(count, 'match')} on {counted(deals[kind], 'deal')}")
    say(f"{clean(bench.model.name)}: {_agent_text(model)}")
    whole = "unknown: the model has no prices" if model.usd is None else _money(model.usd)
    limit = f", at most ${budget:g}" if budget else ""
    say(f"Cost: {whole}{limit}. Time for the model: about {duration(found.seconds)}.")
    say(f"Estimated from {'its matches in ' + str(bench.logs) if model.has_history else 'matches between bots'}.")


def _print_schedule_size(fixtures: list[Fixture]) -> None:
    deals = _deals(fixtures)
    for kind, count in _matches(fixtures).items():
        say(f"{kind}: {counted(count, 'match')} on {counted(deals[kind], 'deal')}")
    low, high = _meetings(fixtures)
    say(f"Each pair of agents sits at one table {low if low == high else f'{low} to {high}'} times.")


def _agent_text(agent: Agent) -> str:
    usd = "cost unknown" if agent.usd is None else f"${agent.usd.likely:.2f}" if agent.usd.likely else "free"
    tokens = f", {agent.prompt_tokens:,.0f} prompt tokens" if agent.prompt_tokens else ""
    return f"{counted(agent.decisions, 'decision')}{tokens}, {usd}"


def _tournament_document(found: TournamentEstimate, fixtures: list[Fixture], is_seed_drawn: bool) -> dict[str, object]:
    agents = {
        name: {
            "spec": agent.spec,
            "decisions": agent.decisions,
            "prompt_tokens": agent.prompt_tokens,
            "usd": agent.usd.likely if agent.usd else None,
        }
        for name, agent in found.agents.items()
    }
    return {
        "matches": len(fixtures),
        "deals": _deals(fixtures),
        "tables": dict(_matches(fixtures)),
        "meetings": _meetings(fixtures),
        "decisions": sum(agent.decisions for agent in found.agents.values()),
        "agents": agents,
        "usd": found.usd.likely if found.usd else None,
        "seconds": found.seconds,
        "learnt_from_logs": _with_history(found),
        "schedule": [
            {
                "log": fixture.name,
                "seed": None if is_seed_drawn else fixture.seed,
                "seats": [entrant.name for entrant in fixture.seats],
            }
            for fixture in fixtures
        ],
    }


def _with_history(found: TournamentEstimate) -> list[str]:
    return sorted(name for name, agent in found.agents.items() if agent.has_history)


def _matches(fixtures: list[Fixture]) -> Counter[str]:
    """The number of matches of each kind."""
    from runner.arena.schedule import kind_of

    return Counter(map(kind_of, fixtures))


def _deals(fixtures: list[Fixture]) -> dict[str, int]:
    """The number of deals of each kind."""
    from runner.arena.schedule import kind_of

    return dict(Counter(kind for kind, _ in {(kind_of(fixture), fixture.seed) for fixture in fixtures}))


def _meetings(fixtures: list[Fixture]) -> list[int]:
    """How often the pair that meets least and the one that meets most sit at one table."""
    from runner.arena.schedule import meetings

    counts = meetings(fixtures).values()
    return [min(counts, default=0), max(counts, default=0)]
