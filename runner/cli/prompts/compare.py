"""`tabletop prompts compare GAME PACK PACK...`: which pack plays better, with an interval."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import games
from runner.agents.environment import Environment
from runner.arena.experiment import until_of
from runner.arena.match_runner import ExecutorOptions
from runner.cli.command_environment import load_environment
from runner.cli.options import (
    AsJson,
    DealSeed,
    DryRun,
    GameName,
    IsReviewed,
    Margin,
    Quiet,
    RulesName,
    RulesOptions,
    UntilWhen,
    argument,
    budget_option,
    option,
    output,
)
from runner.cli.output import same_command, say, say_json
from runner.cli.setting_options import option_values
from runner.screen.consoles import print_note
from runner.screen.dashboard import match_counter
from runner.screen.safe_text import clean
from runner.workshop.comparison_report import lines_of, report_of
from runner.workshop.comparison_request import ComparisonRequest, outlook_of


def compare(
    game: GameName,
    packs: Annotated[list[str], argument("Folders of prompt packs, or built-in: two or more.", "PACK...")],
    players: Annotated[int | None, option("Number of players.", "N", "--num-players", "--players")] = None,
    model: Annotated[list[str] | None, option("Model that plays with every pack, repeatable.", "SPEC", "--seat")] = None,
    opponents: Annotated[str, option("Opponent in all other seats.", "SPEC")] = "bot:steady",
    rules: RulesName = None,
    option: RulesOptions = None,
    deals: Annotated[int | None, option("Number of deals, on each of which every player has one match.", "N", min=1)] = None,
    until: UntilWhen = None,
    margin: Margin = None,
    reason: Annotated[
        str | None,
        option(
            "Whether the model writes a reason before each answer: auto, always or never; with commas one for each pack.",
            "WHEN[,WHEN]",
        ),
    ] = None,
    measure: Annotated[
        Literal["wins", "points", "invalid", "penalties", "tokens", "cost"], option("Measure of the verdict.")
    ] = "wins",
    seed: DealSeed = None,
    out: Annotated[Path, output("Folder for the logs of all comparisons.", "DIR")] = Path("comparisons"),
    budget: Annotated[float | None, budget_option("Maximum cost of the whole comparison in USD.")] = None,
    is_dry_run: DryRun = False,
    is_reviewed: IsReviewed = False,
    concurrency: Annotated[int | None, option("Concurrent matches. [default: 16, with --deals 50]", "N", min=1)] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Compare packs with the same models, deals, seats and opponents, and stop when the answer is sure.

    The same command resumes a comparison. What was played before with the same prompts counts: after a change of one pack only
    that pack plays again.

    Example: tabletop prompts compare GAME built-in my-prompts --seat openai/gpt-5-mini --budget 5
    """
    request = ComparisonRequest(
        game=games.load(game).name,
        packs=packs,
        models=model or ("offline",),
        players=players,
        rules=rules,
        options=option_values(games.load(game), option or []),
        opponents=opponents,
        reason=reason,
        measure=measure,
        deals=deals,
        until=until_of(until),
        margin=margin and margin / 100,
        seed=seed,
        budget=budget,
        concurrency=concurrency,
        out=out,
    )
    _by_matches(request, load_environment(), is_dry_run, is_reviewed, quiet, as_json)


def _by_matches(
    request: ComparisonRequest, environment: Environment, is_dry_run: bool, is_reviewed: bool, quiet: bool, as_json: bool
) -> None:
    comparison = request.comparison(environment)
    outlook = outlook_of(request, comparison, environment)
    if is_dry_run:
        say_json({"by": "matches", **outlook.to_json()}) if as_json else say(f"{outlook.matches:,} matches. {outlook.text}")
        return
    if not quiet:
        print_note(outlook.text)
    experiment = comparison.experiment(comparison.differences(request.margin) if request.stops_when_sure else None, is_reviewed)
    try:
        with match_counter(quiet or as_json) as show:
            progress, has_run = experiment.run(environment, show, ExecutorOptions())
    finally:
        if results := comparison.results():
            data = report_of(comparison, results, request.measure, request.margin)
            if as_json:
                say_json(data)
            else:
                for line in lines_of(comparison, data):
                    say(clean(line))
    experiment.check(progress, has_run, same_command(request.budget))
