"""`tabletop tournament --dry-run`: what would be played, and what it would take."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from games.core import counted
from runner.arena.plan import Plan
from runner.cli.output import say, say_json
from runner.screen.dashboard import duration

_SHOWN = 12


def print_estimate(plan: Plan, past: Path, as_json: bool) -> None:
    """Print the schedule in figures, decisions, cost and time, and then its first matches."""
    from runner.arena.schedule import schedule
    from runner.arena.tournament_estimate import estimate
    from runner.cli.environment import load_settings

    found = estimate(plan, load_settings(), past)
    if as_json:
        matches = [{"log": f.name, "seed": f.seed, "seats": [entrant.name for entrant in f.seats]} for f in schedule(plan)]
        say_json({**found, "schedule": matches})
        return
    for kind, count in found["tables"].items():
        say(f"{kind}: {counted(count, 'match')} on {counted(found['deals'][kind], 'deal')}")
    low, high = found["meetings"]
    say(f"Each two agents sit at one table {low if low == high else f'{low} to {high}'} times.")
    say(f"Decisions to be asked for: about {found['decisions']:,.0f}")
    for name, facts in found["agents"].items():
        usd = "cost unknown" if facts["usd"] is None else f"${facts['usd']:.2f}" if facts["usd"] else "free"
        tokens = f", {facts['prompt_tokens']:,.0f} tokens of prompts" if facts["prompt_tokens"] else ""
        say(f"  {name}: {counted(facts['decisions'], 'decision')}{tokens}, {usd}")
    whole = "unknown: a model has no prices" if found["usd"] is None else f"about ${found['usd']:.2f}"
    limit = f", at most ${plan.budget:g}" if plan.budget else ""
    say(f"Cost: {whole}{limit}. Time for models: about {duration(found['seconds'])}.")
    source = (
        f"matches of {', '.join(found['learnt_from_logs'])} in {past}" if found["learnt_from_logs"] else "matches between bots"
    )
    say(f"Estimated from {source}.")
    say("The schedule:")
    for fixture in islice(schedule(plan), _SHOWN):
        say(f"  {fixture.name}  seed {fixture.seed}: {', '.join(entrant.name for entrant in fixture.seats)}")
    if found["matches"] > _SHOWN:
        say(f"  … and {found['matches'] - _SHOWN} more: --json has all")
