"""`tabletop prompts compare GAME PACK PACK...`: which pack plays better, with an interval."""

from pathlib import Path
from typing import Annotated, Literal

import games
from runner.arena.experiment import until_of
from runner.cli.command_environment import load_environment
from runner.cli.options import (
    AsJson,
    DealSeed,
    ExperimentOptions,
    GameName,
    Quiet,
    RulesName,
    RulesOptions,
    argument,
    budget_option,
    option,
    output,
)
from runner.cli.output import same_command, say, say_json
from runner.cli.setting_options import option_values
from runner.record.log_paths import COMPARISONS
from runner.screen.consoles import live_status, print_note, results
from runner.workshop.comparing import comparing
from runner.workshop.comparison import ComparisonRequest

_RARE = "Rare"


def compare(
    game: GameName,
    packs: Annotated[list[str], argument("Folders of prompt packs, or built-in: two or more.", "PACK...")],
    by: Annotated[
        Literal["decisions", "matches"] | None,
        option("What is compared: graded decisions, or matches. [default: decisions, where a game can be graded]"),
    ] = None,
    players: Annotated[int | None, option("Number of players.", "N", "--num-players", "--players")] = None,
    model: Annotated[list[str] | None, option("Model that plays with every pack, repeatable.", "SPEC", "--seat")] = None,
    rules: RulesName = None,
    option: RulesOptions = None,
    decisions: Annotated[int | None, option("Number of decisions. [default: what the budget pays for]", "N", min=1)] = None,
    deals: Annotated[int | None, option("Number of deals, with a match of every pack on each.", "N", min=1)] = None,
    opponents: Annotated[
        str | None, option("By matches: who has all other seats. [default: bot:steady]", "SPEC", rich_help_panel=_RARE)
    ] = None,
    reason: Annotated[
        str | None,
        option(
            "Whether the model writes a reason before each answer: auto, always or never; with commas one for each pack.",
            "WHEN[,WHEN]",
            rich_help_panel=_RARE,
        ),
    ] = None,
    measure: Annotated[
        Literal["wins", "points", "invalid", "penalties", "tokens", "cost"],
        option("By matches: measure of the verdict.", rich_help_panel=_RARE),
    ] = "wins",
    seed: DealSeed = None,
    out: Annotated[Path, output("Folder in which all that was played is found again.", "DIR")] = COMPARISONS,
    budget: Annotated[float | None, budget_option("Maximum cost of the whole comparison in USD.")] = None,
    budget_tokens: Annotated[
        int | None, option("Maximum tokens of the whole comparison.", "N", min=1, rich_help_panel=_RARE)
    ] = None,
    concurrency: Annotated[int, option("What is asked at the same time.", "N", min=1, max=1000, rich_help_panel=_RARE)] = 16,
    quiet: Quiet = False,
    as_json: AsJson = False,
    *,
    ends: ExperimentOptions,
) -> None:
    """Compare packs with the same models on the same decisions or deals, and stop when the answer is sure.

    The same command resumes a comparison. What was asked before with the same prompts counts: after a change of one pack only
    that pack is asked again.

    Example: tabletop prompts compare GAME built-in my-prompts --seat openai/gpt-5-mini --budget 1
    """
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
        until=until_of(ends.until),
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
