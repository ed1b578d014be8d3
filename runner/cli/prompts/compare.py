"""`tabletop prompts compare PACK_A PACK_B`: which pack plays better, with an interval."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import games
from games.core import Game
from runner.cli.completion import complete_games
from runner.cli.lazy_groups import new_app
from runner.cli.option_groups import with_option_groups
from runner.cli.output import say, say_json
from runner.cli.prompts.common import JsonFlag
from runner.cli.reason_option import ReasonChoice, reason_of
from runner.cli.same_command import same_command
from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.agents.environment import Settings
    from runner.agents.settings import Reason
    from runner.workshop.compare.comparison_plan import Comparison
    from runner.workshop.compare.comparison_report import Report

app = new_app()
_BUILT_IN = "built-in"


class MeasureName(StrEnum):
    """Measure of the verdict."""

    wins = "wins"
    points = "points"
    invalid = "invalid"
    penalties = "penalties"
    tokens = "tokens"
    cost = "cost"


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """What both packs play."""

    game: Annotated[str, typer.Option("--game", help="Game to play.", metavar="GAME", autocompletion=complete_games)]
    model: Annotated[
        str, typer.Option("--model", help="Model that plays with both packs, a SPEC as for --seat.", metavar="SPEC")
    ] = "offline"
    against: Annotated[
        str | None,
        typer.Option("--against", help="Opponents in all other seats. [default: the packs meet]", metavar="SPEC"),
    ] = None
    players: Annotated[int | None, typer.Option("--num-players", "--players", help="Number of players.", metavar="N")] = None
    rules: Annotated[str | None, typer.Option("--rules", help="Rules preset.", metavar="NAME")] = None
    option: Annotated[
        list[str] | None, typer.Option("--option", help="Rules option, such as target_score=10.", metavar="NAME=VALUE")
    ] = None
    deals: Annotated[int, typer.Option("--deals", help="Number of deals, of two matches each.", metavar="N", min=1)] = 20
    null: Annotated[
        int | None,
        typer.Option("--null", help="Deals of A against itself. [default: as many as --deals]", metavar="N", min=0),
    ] = None
    reason: Annotated[
        str | None,
        typer.Option(
            "--reason",
            help="Whether the model writes a reason before each answer: auto, always or never; with a comma one for each pack.",
            metavar="WHEN[,WHEN]",
        ),
    ] = None
    measure: Annotated[MeasureName, typer.Option("--measure", help="Measure of the verdict.")] = MeasureName.wins
    seed: Annotated[
        int | None,
        typer.Option("--seed", help="Seed that the seeds of the deals follow from. [default: random]", metavar="N"),
    ] = None

    def comparison(self, packs: tuple[Path, Path]) -> Comparison:
        """The comparison of two packs."""
        from runner.agents.spec import parse_spec
        from runner.match.seeds import new_seed
        from runner.workshop.compare.comparison_plan import Comparison

        game = games.load(self.game)
        a, b = (None if str(pack) == _BUILT_IN else pack for pack in packs)
        values = _options(game, self.option or [])
        players = game.set_up(self.players, 0, self.rules, values).players
        null = self.deals if self.null is None else self.null
        model, against = parse_spec(self.model), None if self.against is None else parse_spec(self.against)
        counts, seed = (self.deals, null), new_seed() if self.seed is None else self.seed
        found = Comparison(game.name, players, self.rules, values, (a, b), model, against, *counts, seed)
        return replace(found, is_seed_drawn=self.seed is None, reasons=_reasons(self.reason))


@app.command()
@with_option_groups
def compare(
    pack_a: Annotated[Path, typer.Argument(help="Folder of a prompt pack, or built-in.", metavar="PACK_A")],
    pack_b: Annotated[Path, typer.Argument(help="Folder of another prompt pack, or built-in.", metavar="PACK_B")],
    options: MatchOptions,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the logs. [default: comparisons/<A>-<B>-<game>]", metavar="DIR")
    ] = None,
    budget: Annotated[
        float | None, typer.Option("--budget", help="Maximum cost of the whole comparison in USD.", metavar="USD")
    ] = None,
    concurrency: Annotated[int, typer.Option("--concurrency", help="Concurrent matches.", metavar="N", min=1)] = 50,
    patience: Annotated[
        float,
        typer.Option("--patience", help="Seconds to retry matches that an outage stopped.", metavar="SECONDS", min=0),
    ] = 60.0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only the result.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Compare two packs with the same model, deals and balanced seats, and one pack with itself to measure the noise.

    The same command resumes a comparison; with more --deals it continues one.

    Example: tabletop prompts compare built-in my-prompts --game GAME --model openai/gpt-5-mini --deals 30 --budget 5
    """
    from runner.arena.match_runner import ExecutorOptions
    from runner.cli.config_files import load_settings
    from runner.screen.match_counter import match_counter
    from runner.workshop.compare.comparison import results, run, with_recorded_seeds
    from runner.workshop.compare.comparison_report import report_of

    if budget is not None and budget <= 0:
        raise UsageError(f"--budget {budget}: expected more than 0 USD.")
    comparison = options.comparison((pack_a, pack_b))
    settings = load_settings()
    comparison = comparison.resolved(settings)
    _check_seats(comparison, settings)
    folder = out or _folder(comparison)
    comparison = with_recorded_seeds(comparison, folder)
    engine = ExecutorOptions(patience=patience)
    try:
        with match_counter(quiet or as_json) as show:
            run(comparison, folder, settings, budget, concurrency, engine, show, same_command(budget))
    finally:
        measure = options.measure.value
        found = report_of(comparison, measure, results(comparison, folder)) if folder.is_dir() else None
        if found is not None and found.real.deals:
            _print(found, as_json)


def _reasons(text: str | None) -> tuple[Reason | None, Reason | None]:
    """For both packs whether the model is asked for reasons. UsageError for other words."""
    if text is None:
        return None, None
    words = text.split(",")
    if len(words) > 2 or not {*words} <= {*ReasonChoice}:
        raise UsageError(f"--reason {text}: expected auto, always or never, or two of them, such as always,never.")
    return reason_of(ReasonChoice(words[0])), reason_of(ReasonChoice(words[-1]))


def _options(game: Game, words: list[str]) -> dict[str, object]:
    values = {}
    for word in words:
        name, mark, value = word.partition("=")
        name = name.strip().replace("-", "_")
        if not mark or name not in game.options:
            raise UsageError(f"--option {word}: expected NAME=VALUE; `tabletop rules {game.name} --options` lists the names.")
        values[name] = game.options[name].parse(value.strip())
    return values


def _check_seats(comparison: Comparison, settings: Settings) -> None:
    from runner.agents.factory import check_spec
    from runner.agents.resolve import model_of
    from runner.agents.spec import is_model
    from runner.prompting.pack import PromptPack

    game = games.load(comparison.game)
    if not is_model(comparison.model):
        raise UsageError(f"--model {comparison.model}: only models get prompts, so there is nothing to compare.")
    check_spec(comparison.model, game, settings)
    if comparison.opponents is not None:
        check_spec(comparison.opponents, game, settings)
    model_of(comparison.model, settings)
    for folder in comparison.folders:
        _ = PromptPack(folder).name


def _folder(comparison: Comparison) -> Path:
    a, b = (_BUILT_IN if folder is None else folder.resolve().name for folder in comparison.folders)
    reasons = [reason for reason in dict.fromkeys(comparison.reasons) if reason]
    return Path("comparisons") / "-".join((a, b, comparison.game, *reasons))


def _print(report: Report, as_json: bool) -> None:
    from runner.screen.safe_text import clean

    if as_json:
        say_json(report.to_json())
        return
    for line in report.lines():
        say(clean(line))
