"""Estimate output: what matches may cost, as `--dry-run` prints it, and how many deals `--power` needs."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from games.core import counted, seat_name
from games.search.sample_matches import SAMPLES
from games.statistics.pair_ratings import POWER, deals_needed, quantiles
from runner.agents.environment import Environment
from runner.agents.spec import Offline
from runner.arena.estimate import AgentCost, MatchEstimate, Range, SeatEstimate, estimate_match, money, total
from runner.arena.experiment import Experiment
from runner.arena.plan import Plan
from runner.arena.schedule import Fixture, kind_of, meetings, schedule
from runner.cli.output import say, say_json
from runner.errors import UsageError
from runner.record.log_paths import LOGS, log_paths
from runner.screen.dashboard import duration
from runner.screen.safe_text import clean
from runner.session.match_spec import MatchSpec, ReadyMatch
from runner.standings.document import folder_matches, standings
from runner.standings.rating import planned_power
from runner.workshop.bench_suite import Bench

_SHOWN = 12
_CAUTION = (
    "Choose the number of deals before you look at ratings: stopping once a difference is established makes errors more"
    " likely. `tabletop standings DIR --sequential` allows it."
)
_OF_DRAWN_SEED = ", with seats and seeds that are drawn at the start; --seed N fixes them"


def print_match_estimate(ready: ReadyMatch, as_json: bool) -> None:
    """Print decisions, tokens and cost of each seat and their sum; nothing is played and no model is asked."""
    config = ready.config
    found = estimate_match(config, ready.pack, ready.environment, LOGS)
    cautions = config.game.cautions(config.setup.players, config.setup.options)
    notes = [*_sources(found), *_verdicts(found, ready.spec), *cautions]
    if as_json:
        seats = [seat.to_json(number) for number, seat in enumerate(found.seats)]
        facts = {"game": config.game.name, "players": len(seats), "seats": seats}
        usd = found.usd.to_json() if found.usd else None
        say_json({**facts, "usd": usd, "seconds": round(found.seconds), "notes": notes})
        return
    say(f"{config.game.title} with {len(found.seats)} players, an estimate: nothing is played, no model is asked.")
    for seat, one in enumerate(found.seats):
        say(f"{seat_name(seat)} {clean(one.spec.named_text)}: {_seat_text(one)}")
    say(f"Cost of the match: {money(found.usd)}. Time: about {duration(found.seconds)}.")
    for note in notes:
        say(f"- {note}")


def _seat_text(seat: SeatEstimate) -> str:
    decisions = f"{_range(seat.decisions)} decisions"
    if not seat.is_model:
        return f"{decisions}, free"
    cost = money(seat.usd, "cost unknown")
    tokens = f"{_range(seat.prompt_tokens)} prompt tokens and {_range(seat.reply_tokens)} reply tokens"
    return f"{decisions} with {tokens} each, {cost}"


def _range(found: Range) -> str:
    low, high = f"{found.low:,.0f}", f"{found.high:,.0f}"
    return low if low == high else f"{low} to {high}"


def _sources(found: MatchEstimate) -> Iterator[str]:
    yield f"Decisions are those of {SAMPLES} matches between bots; forced ones cost nothing."
    for spec, seat in {seat.spec: seat for seat in found.seats if seat.is_model}.items():
        if isinstance(spec, Offline):
            yield f"{clean(spec.text)} is built in and costs nothing."
            continue
        if seat.prices is None:
            known = "its cost is that of past matches" if seat.usd else "its cost is unknown"
            prices = f"no price is known, neither from its endpoint's list nor from agents.toml, so {known}"
        else:
            prices = f"${seat.prices.prompt * 1e6:g} in and ${seat.prices.completion * 1e6:g} out per million tokens"
        past = f"there is no past match of this game in {LOGS}/, so the length of its replies is a guess"
        if seat.history is not None and seat.history.decisions:
            matches = f"{counted(seat.history.decisions, 'decision')} in {counted(seat.history.matches, 'past match')}"
            past = f"tokens per decision are those of {matches} in {LOGS}/"
        yield f"{clean(spec.text)}: {prices}; {past}."


def _verdicts(found: MatchEstimate, spec: MatchSpec) -> Iterator[str]:
    if spec.budget is not None:
        usd = found.usd
        verdict = "cannot be judged: a cost is unknown" if usd is None else _verdict(spec.budget, usd)
        yield f"The budget of {spec.budget:g} USD {verdict}."
    if spec.budget_tokens is not None:
        tokens = total(seat.tokens for seat in found.seats if seat.is_model)
        verdict = _verdict(spec.budget_tokens, tokens)
        yield f"The budget of {spec.budget_tokens} tokens {verdict}: the match takes {_range(tokens)}."


def _verdict(budget: float, needed: Range) -> str:
    return "is too small" if needed.low > budget else "may be too small" if needed.high > budget else "should suffice"


def print_tournament_estimate(experiment: Experiment, environment: Environment, as_json: bool) -> None:
    plan, found = experiment.plan, experiment.estimate(environment)
    fixtures = list(schedule(plan))
    counts = meetings(fixtures).values()
    low, high = min(counts, default=0), max(counts, default=0)
    learnt = sorted(name for name, agent in found.agents.items() if agent.has_history)
    decisions = sum(agent.decisions for agent in found.agents.values())
    matches = [(one.name, None if plan.is_seed_drawn else one.seed, [seat.name for seat in one.seats]) for one in fixtures]
    if as_json:
        say_json(
            {
                **_sizes(fixtures),
                "meetings": [low, high],
                "decisions": decisions,
                "agents": {name: {"spec": agent.spec, **_agent_facts(agent)} for name, agent in found.agents.items()},
                "usd": found.usd.likely if found.usd else None,
                "seconds": found.seconds,
                "learnt_from_logs": learnt,
                "schedule": [{"log": name, "seed": seed, "seats": seats} for name, seed, seats in matches],
            }
        )
        return
    _print_sizes(fixtures)
    say(f"Each pair of agents sits at one table {low if low == high else f'{low} to {high}'} times.")
    say(f"Decisions to be asked for: about {decisions:,.0f}")
    for name, agent in found.agents.items():
        say(f"  {name}: {_agent_text(agent)}")
    whole = "unknown: a model has no prices" if found.usd is None else f"about ${found.usd.likely:.2f}"
    _print_cost(whole, plan, f"Time for models: about {duration(found.seconds)}.")
    source = f"matches of {', '.join(learnt)} in {experiment.folder.path}" if learnt else "matches between bots"
    say(f"Estimated from {source}.")
    say(f"The schedule{_OF_DRAWN_SEED if plan.is_seed_drawn else ''}:")
    for name, seed, seats in matches[:_SHOWN]:
        say(f"  {name}{'' if seed is None else f'  seed {seed}'}: {', '.join(seats)}")
    if len(matches) > _SHOWN:
        say(f"  … and {len(matches) - _SHOWN} more: --json has all")


def print_bench_estimate(bench: Bench, experiment: Experiment, environment: Environment, as_json: bool) -> None:
    """Print the matches of a bench, with the decisions, cost and time of its model; nothing is played, no model is asked."""
    plan, found = experiment.plan, experiment.estimate(environment)
    fixtures = list(schedule(plan))
    model = found.agents[bench.model.name]
    if as_json:
        suite = {"version": bench.suite.version, "digest": bench.suite.digest}
        sizes = {name: size for name, size in _sizes(fixtures).items() if name != "deals"}
        usd = model.usd.to_json() if model.usd else None
        facts = {**_agent_facts(model), "usd_range": usd, "seconds": found.seconds}
        say_json({"suite": suite, "model": bench.model.name, **sizes, **facts})
        return
    _print_sizes(fixtures)
    say(f"{clean(bench.model.name)}: {_agent_text(model)}")
    whole = money(model.usd, "unknown: the model has no prices")
    _print_cost(whole, plan, f"Time for the model: about {duration(found.seconds)}.")
    say(f"Estimated from {f'its matches in {bench.logs}' if model.has_history else 'matches between bots'}.")


def _print_cost(cost: str, plan: Plan, time: str) -> None:
    say(f"Cost: {cost}{f', at most ${plan.budget:g}' if plan.budget else ''}. {time}")


def _sizes(fixtures: Sequence[Fixture]) -> dict[str, Any]:
    seeds: dict[str, list[int]] = {}
    for fixture in fixtures:
        seeds.setdefault(kind_of(fixture), []).append(fixture.seed)
    deals = {kind: len({*some}) for kind, some in seeds.items()}
    return {"matches": len(fixtures), "deals": deals, "tables": {kind: len(some) for kind, some in seeds.items()}}


def _print_sizes(fixtures: Sequence[Fixture]) -> None:
    sizes = _sizes(fixtures)
    for kind, tables in sizes["tables"].items():
        say(f"{kind}: {counted(tables, 'match')} on {counted(sizes['deals'][kind], 'deal')}")


def _agent_text(agent: AgentCost) -> str:
    usd = "cost unknown" if agent.usd is None else f"${agent.usd.likely:.2f}" if agent.usd.likely else "free"
    tokens = f", {agent.prompt_tokens:,.0f} prompt tokens" if agent.prompt_tokens else ""
    return f"{counted(agent.decisions, 'decision')}{tokens}, {usd}"


def _agent_facts(agent: AgentCost) -> dict[str, object]:
    usd = agent.usd.likely if agent.usd else None
    return {"decisions": agent.decisions, "prompt_tokens": agent.prompt_tokens, "usd": usd}


def print_power(plan: Plan, folder: Path, points: float, as_json: bool) -> None:
    """Print how many deals show a rating difference of `points` for each pair of agents: from the matches played in a folder,
    or a guess before any."""
    if points <= 0:
        raise UsageError(f"--power {points:g}: expected a rating difference of more than 0 points.")
    tables: list[dict[str, Any]]
    if is_guess := not (folder.is_dir() and log_paths(folder)):
        planned = planned_power(schedule(plan), points)
        tables = [{"game": game, "players": players, "deals": 0, "pairs": found} for (game, players), found in planned.items()]
    else:
        tables = [
            {"game": one["game"], "players": one["players"], "deals": one["deals"], "pairs": deals_needed(one, points)}
            for one in standings(folder_matches(folder))["games"]
        ]
    if as_json:
        say_json({"points": points, "power": POWER, "is_guess": is_guess, "games": tables})
        return
    for table in tables:
        pairs, deals = table["pairs"], counted(table["deals"], "deal")
        of = f" with {table['players']} players" if table["players"] else ""
        source = "a guess for equal agents before any match" if is_guess else f"from {deals}"
        say(f"{table['game']}{of}: deals needed to show a difference of {points:g} points in {POWER:.0%} of cases, {source}")
        for pair in pairs:
            needed = f"about {counted(pair['deals'] or 0, 'deal')}"
            if not is_guess and (pair["deals"] is None or pair["error"] is None):
                needed = "unknown; too few deals, or no difference so far"
            elif not is_guess:
                shown = f"{deals} show {pair['error'] * quantiles(len(pairs)):.0f} points"
                needed = f"{counted(pair['deals'], 'deal')} ({shown})"
            say(f"  {' and '.join(pair['agents'])}: {needed}")
    say(_CAUTION)
