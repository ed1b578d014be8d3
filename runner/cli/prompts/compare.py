"""`tabletop prompts compare PACK_A PACK_B`: which pack plays better, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import games
from games.core import Game
from runner.cli.completion import games_named
from runner.cli.output import say, say_json
from runner.cli.prompts.common import JsonFlag, new_app
from runner.errors import UsageError

if TYPE_CHECKING:
    from runner.workshop.compare.comparison_plan import Comparison
    from runner.workshop.compare.comparison_report import Report

app = new_app()
_BUILT_IN = "built-in"


class MeasureName(StrEnum):
    """What the verdict is about."""

    wins = "wins"
    points = "points"
    invalid = "invalid"
    penalties = "penalties"
    tokens = "tokens"
    cost = "cost"


@app.command()
def compare(
    pack_a: Annotated[Path, typer.Argument(help="A prompt pack, or built-in.", metavar="PACK_A")],
    pack_b: Annotated[Path, typer.Argument(help="Another one.", metavar="PACK_B")],
    game: Annotated[str, typer.Option("--game", help="The game to play.", metavar="GAME", autocompletion=games_named)],
    model: Annotated[
        str, typer.Option("--model", help="Who plays with both packs, a SPEC as for --seat.", metavar="SPEC")
    ] = "offline",
    against: Annotated[
        str | None, typer.Option("--against", help="Opponents in all other seats. [default: the packs meet]", metavar="SPEC")
    ] = None,
    players: Annotated[int | None, typer.Option("--num-players", "--players", help="How many play.", metavar="N")] = None,
    rules: Annotated[str | None, typer.Option("--rules", help="A preset of rules.", metavar="NAME")] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", help="An option of the rules: target_score=10.", metavar="NAME=VALUE")
    ] = None,
    deals: Annotated[int, typer.Option("--deals", help="Deals, of two matches each.", metavar="N", min=1)] = 20,
    null: Annotated[
        int | None, typer.Option("--null", help="Deals of A against itself. [default: as many]", metavar="N", min=0)
    ] = None,
    measure: Annotated[MeasureName, typer.Option("--measure", help="What the verdict is about.")] = MeasureName.wins,
    seed: Annotated[int, typer.Option("--seed", help="The seed of the first deal.", metavar="N")] = 1,
    out: Annotated[
        Path | None, typer.Option("--out", help="The folder for the logs. [default: comparisons/<A>-<B>-<game>]", metavar="DIR")
    ] = None,
    budget: Annotated[
        float | None, typer.Option("--budget", help="The most that all of it may cost, in USD.", metavar="USD")
    ] = None,
    concurrency: Annotated[int, typer.Option("--concurrency", help="Matches at once.", metavar="N", min=1)] = 50,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No narration, only the result.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Play two packs with the same model on the same deals in balanced seats, and one against itself for the noise.

    What has been played is in the folder; the same command goes on with the rest, and with more --deals.

    Example: tabletop prompts compare built-in my-prompts --game GAME --model openai/gpt-5-mini --deals 30 --budget 5
    """
    from runner.cli.environment import load_settings
    from runner.workshop.compare.comparison import results, run
    from runner.workshop.compare.comparison_report import report_of

    if budget is not None and budget <= 0:
        raise UsageError(f"--budget {budget}: it has to be more than 0 USD.")
    comparison = _comparison(
        games.load(game), (pack_a, pack_b), model, against, players, rules, option or [], deals, null, seed
    )
    settings = load_settings()
    _check_seats(comparison, settings)
    folder = out or _folder(comparison)
    try:
        run(comparison, folder, settings, budget, concurrency, _telling(quiet or as_json))
    finally:
        found = report_of(comparison, measure.value, results(comparison, folder)) if folder.is_dir() else None
        if found is not None and found.real.deals:
            _print(found, as_json)


def _comparison(
    game: Game,
    packs: tuple[Path, Path],
    model: str,
    against: str | None,
    players: int | None,
    rules: str | None,
    options: list[str],
    deals: int,
    null: int | None,
    seed: int,
) -> Comparison:
    from runner.agents.spec import parse_spec
    from runner.workshop.compare.comparison_plan import Comparison

    a, b = (None if str(pack) == _BUILT_IN else pack for pack in packs)
    values = _options(game, options)
    setup = game.set_up(players, seed, rules, values)
    return Comparison(
        game.name,
        setup.players,
        rules,
        values,
        (a, b),
        parse_spec(model),
        None if against is None else parse_spec(against),
        deals,
        deals if null is None else null,
        seed,
    )


def _options(game: Game, words: list[str]) -> dict[str, Any]:
    values = {}
    for word in words:
        name, mark, value = word.partition("=")
        name = name.strip().replace("-", "_")
        if not mark or name not in game.options:
            raise UsageError(f"--option {word}: it takes NAME=VALUE, and `tabletop rules {game.name} --options` has the names.")
        values[name] = game.options[name].parse(value.strip())
    return values


def _check_seats(comparison: Comparison, settings: Any) -> None:
    from runner.agents.factory import check_spec
    from runner.agents.resolve import model_of
    from runner.agents.spec import is_model
    from runner.prompting.pack import PromptPack

    game = games.load(comparison.game)
    if not is_model(comparison.model):
        raise UsageError(f"--model {comparison.model}: only a model reads prompts, so that there is nothing to compare.")
    check_spec(comparison.model, game, settings)
    if comparison.opponents is not None:
        check_spec(comparison.opponents, game, settings)
    model_of(comparison.model, settings)
    for folder in comparison.folders:
        _ = PromptPack(folder).name


def _folder(comparison: Comparison) -> Path:
    a, b = (_BUILT_IN if folder is None else folder.resolve().name for folder in comparison.folders)
    return Path("comparisons") / f"{a}-{b}-{comparison.game}"


def _telling(is_quiet: bool) -> Callable[[int, int], None]:
    from runner.screen.consoles import is_animated, narration

    console = narration()
    if is_quiet or not is_animated(console):
        return lambda done, total: None
    status = console.status("")
    status.start()
    return lambda done, total: status.update(f"{done} of {total} matches")


def _print(report: Report, as_json: bool) -> None:
    from runner.screen.safe_text import clean

    if as_json:
        say_json(report.to_json())
        return
    for line in report.lines():
        say(clean(line))
