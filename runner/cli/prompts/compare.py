"""`tabletop prompts compare GAME PACK PACK...`: which pack plays better, with an interval."""

from pathlib import Path
from typing import Literal

import games
from runner.arena.experiment import until_of
from runner.cli.command_environment import load_environment
from runner.cli.options import DealSeed, ExperimentOptions, GameName, UsdBudget
from runner.cli.output import same_command, say, say_json
from runner.cli.setting_options import option_values
from runner.record.log_paths import COMPARISONS
from runner.screen.consoles import live_status, print_note, results
from runner.workshop.comparing import comparing
from runner.workshop.comparison import ComparisonRequest

_RARE = "Rare"


def compare(
    game: GameName,
    packs: list[str],
    by: Literal["decisions", "matches"] | None = None,
    players: int | None = None,
    model: list[str] | None = None,
    rules: str | None = None,
    option: list[str] | None = None,
    decisions: int | None = None,
    deals: int | None = None,
    opponents: str | None = None,
    reason: str | None = None,
    measure: Literal["wins", "points", "invalid", "penalties", "tokens", "cost"] = "wins",
    seed: DealSeed = None,
    out: Path = COMPARISONS,
    budget: UsdBudget = None,
    budget_tokens: int | None = None,
    concurrency: int = 16,
    quiet: bool = False,
    as_json: bool = False,
    *,
    ends: ExperimentOptions,
) -> None:
    """Compare packs with the same models on the same decisions or deals, and stop when the answer is sure."""
    request = ComparisonRequest(
        game=games.load(game).name,
        packs=packs,
        models=model or ("offline",),
        players=players,
        rules=rules,
        options=option_values(games.load(game), option or []),
        opponents=opponents or "bot:steady",
        reason=reason,
        measure=measure,
        deals=deals,
        decisions=decisions,
        until=until_of(ends.until, ends.margin),
        margin=ends.share,
        seed=seed,
        budget=budget,
        budget_tokens=budget_tokens,
        concurrency=concurrency,
        out=out,
        is_reviewed=ends.is_reviewed,
        adjust=ends.adjust,
    )
    found = comparing(request, by, load_environment())
    if ends.is_dry_run:
        say_json(found.plan) if as_json else say(found.outlook)
        return
    if not quiet:
        print_note(found.outlook)
    try:
        with live_status(quiet or as_json) as show:
            found.run(show, same_command(budget, budget_tokens))
    finally:
        if (data := found.data()) is not None:
            if as_json:
                say_json(data)
            else:
                for part in found.screen(data):
                    results().print(part, soft_wrap=isinstance(part, str), markup=False, highlight=False)
