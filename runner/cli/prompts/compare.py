"""`tabletop prompts compare GAME PACK_A PACK_B`: which pack plays better, with an interval."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_args

import games
from runner.agents.environment import Environment
from runner.agents.factory import check_spec
from runner.agents.model_seats import model_of
from runner.agents.named_spec import resolved
from runner.agents.settings import DEFAULT_SETTINGS, Reason, SeatSettings
from runner.agents.spec import is_model, parse_spec
from runner.arena.match_runner import ExecutorOptions
from runner.arena.plan import GamePlan
from runner.cli.command_environment import load_environment
from runner.cli.options import (
    AsJson,
    DealSeed,
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
from runner.errors import UsageError
from runner.prompting.pack import PromptPack
from runner.screen.dashboard import match_counter
from runner.screen.safe_text import clean
from runner.workshop.comparison import Comparison, comparison_of, lines_of, report_of, results, run

_BUILT_IN = "built-in"


def compare(
    game: GameName,
    pack_a: Annotated[Path, argument("Folder of a prompt pack, or built-in.", "PACK_A")],
    pack_b: Annotated[Path, argument("Folder of another prompt pack, or built-in.", "PACK_B")],
    players: Annotated[int | None, option("Number of players.", "N", "--num-players", "--players")] = None,
    model: Annotated[str, option("Model that plays with both packs.", "SPEC", "--seat")] = "offline",
    opponents: Annotated[str | None, option("Opponents in all other seats. [default: the packs meet]", "SPEC")] = None,
    rules: RulesName = None,
    option: RulesOptions = None,
    deals: Annotated[int, option("Number of deals, of two matches each.", "N", min=1)] = 20,
    null: Annotated[int | None, option("Deals of A against itself. [default: as many as --deals]", "N", min=0)] = None,
    reason: Annotated[
        str | None,
        option(
            "Whether the model writes a reason before each answer: auto, always or never; with a comma one for each pack.",
            "WHEN[,WHEN]",
        ),
    ] = None,
    measure: Annotated[
        Literal["wins", "points", "invalid", "penalties", "tokens", "cost"], option("Measure of the verdict.")
    ] = "wins",
    seed: DealSeed = None,
    out: Annotated[Path | None, output("Folder for the logs. [default: comparisons/<A>-<B>-<game>]", "DIR")] = None,
    budget: Annotated[float | None, budget_option("Maximum cost of the whole comparison in USD.")] = None,
    concurrency: Annotated[int, option("Concurrent matches.", "N", min=1)] = 50,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Compare two packs with the same model, deals and balanced seats, and one pack with itself to measure the noise.

    The same command resumes a comparison; with more --deals it continues one.

    Example: tabletop prompts compare GAME built-in my-prompts --seat openai/gpt-5-mini --deals 30 --budget 5
    """
    environment, played = load_environment(), games.load(game)
    a, b = (None if str(pack) == _BUILT_IN else pack for pack in (pack_a, pack_b))
    values = option_values(played, option or [])
    table = GamePlan(played.name, (played.set_up(players, 0, rules, values).players,), rules, values, deals)
    player = resolved(parse_spec(model), environment)
    others = None if opponents is None else resolved(parse_spec(opponents), environment)
    settings: dict[str, Any] = {"is_seed_drawn": seed is None, "budget": budget, "concurrency": concurrency}
    settings |= {} if seed is None else {"seed": seed}
    rest = deals if null is None else null
    comparison = comparison_of(table, (a, b), player, others, rest, _reasons(reason), **settings)
    _check_seats(comparison, environment)
    names = [_BUILT_IN if one is None else one.resolve().name for one in (a, b)]
    reasons = [why for side in comparison.plan.agents if (why := side.settings.said.get("reason"))]
    folder = out or Path("comparisons") / "-".join([*names, played.name, *dict.fromkeys(reasons)])
    comparison = comparison.with_recorded_seeds(folder)
    is_of_another = False
    try:
        with match_counter(quiet or as_json) as show:
            run(comparison, folder, environment, show, same_command(budget), ExecutorOptions())
    except UsageError:
        is_of_another = True
        raise
    finally:
        has_results = folder.is_dir() and not is_of_another
        found = report_of(comparison, measure, results(comparison, folder)) if has_results else None
        if found is not None and found["packs"]["deals"] and as_json:
            say_json(found)
        elif found is not None and found["packs"]["deals"]:
            for line in lines_of(comparison, found):
                say(clean(line))


def _reasons(text: str | None) -> tuple[SeatSettings, SeatSettings]:
    """For both packs whether the model is asked for reasons. UsageError for other words."""
    if text is None:
        return DEFAULT_SETTINGS, DEFAULT_SETTINGS
    words = text.split(",")
    if len(words) > 2 or not {*words} <= {*get_args(Reason)}:
        raise UsageError(f"--reason {text}: expected auto, always or never, or two of them, such as always,never.")
    return SeatSettings(reason=cast(Reason, words[0])), SeatSettings(reason=cast(Reason, words[-1]))


def _check_seats(comparison: Comparison, environment: Environment) -> None:
    if not is_model(comparison.model):
        raise UsageError(f"--seat {comparison.model}: only models get prompts, so there is nothing to compare.")
    for spec in (comparison.model, *(one.spec for one in comparison.plan.opponents)):
        check_spec(spec, games.load(comparison.plan.games[0].game), environment)
    model_of(comparison.model, environment)
    for folder in comparison.folders:
        _ = PromptPack(folder).name
