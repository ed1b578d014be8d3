"""`tabletop prompts improve PACK`: a coach proposes texts, which are tested on graded decisions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import games
from runner.agents.spec import seat_spec
from runner.cli.command_environment import load_environment
from runner.cli.options import AsJson, Quiet, argument, budget_option, option, output
from runner.cli.output import same_command, say_json, stoppable
from runner.match.header import LARGEST_SEED
from runner.screen.consoles import live_status, narration, results

if TYPE_CHECKING:
    from runner.workshop.improvement import Improvement

_BUILT_IN = "built-in"


def improve(
    pack: Annotated[Path, argument("Folder of a prompt pack, or built-in.", "PACK")],
    *,
    game: Annotated[str, option("Game.", "GAME", "--game")],
    players: Annotated[int | None, option("Number of players at the table.", "N", "--num-players", "--players")] = None,
    seat: Annotated[str, option("Model that plays with the pack.", "SPEC", "--seat")],
    coach: Annotated[str, option("Model that proposes texts.", "SPEC", "--coach")],
    part: Annotated[
        list[str] | None,
        option("Template that may change, repeatable. [default: those of the pack, else the advice]", "TEMPLATE", "--part"),
    ] = None,
    seed: Annotated[int, option("Seed of decisions and choices.", "N", min=0, max=LARGEST_SEED)] = 1,
    budget: Annotated[float | None, budget_option("Maximum cost of coach and player together in USD.")] = None,
    budget_tokens: Annotated[int | None, option("Maximum tokens of coach and player together.", "N", min=1)] = None,
    rounds: Annotated[int, option("Number of proposals.", "N", min=1, max=1000)] = 6,
    decisions: Annotated[int, option("Decisions of the final test.", "N", min=8)] = 120,
    tokens: Annotated[int, option("Maximum tokens of a prompt.", "N", min=1)] = 8000,
    out: Annotated[Path | None, output("Folder for versions and answers. [default: improvements/<PACK>-<GAME>]", "DIR")] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Let a coach rewrite texts of a pack, and test the best version once on decisions that nobody has seen.

    The coach reads the player's costliest decisions with what was better. Versions race on the same decisions. The last line
    is the interval of the final test; "no improvement shown" is a normal end. The same command continues.

    Example: tabletop prompts improve my-prompts --game coup --seat openai/gpt-5-mini --coach openai/gpt-5 --budget 2
    """
    environment, is_narrating = load_environment(), not (quiet or as_json)
    with stoppable("The improvement", "versions and answers"):
        from runner.arena.match_runner import stopped_by
        from runner.workshop.improvement import Improvement, ImproveSpec

        spec = ImproveSpec(
            pack=None if str(pack) == _BUILT_IN else pack,
            game=games.load(game).name,
            seat=seat_spec(seat, environment),
            coach=seat_spec(coach, environment),
            parts=part or (),
            players=players,
            seed=seed,
            rounds=rounds,
            decisions=decisions,
            most_tokens=tokens,
            budget=budget,
            budget_tokens=budget_tokens,
        )
        folder = out or Path("improvements") / f"{pack.resolve().name}-{spec.game}"
        found = Improvement(spec, folder, environment)
        with live_status(not is_narrating) as show:
            stop = stopped_by(found.run(show))
        _report(found, folder, as_json, is_narrating)
    if stop is not None:
        stop.why, stop.remedy = f"The improvement is stopped: {stop.why}", same_command(budget, budget_tokens)
        raise stop


def _report(found: Improvement, folder: Path, as_json: bool, is_narrating: bool) -> None:
    from runner.record.writer import write_file
    from runner.workshop.bench_page import bench_screen
    from runner.workshop.improvement_page import improvement_page, verdict

    document = found.document()
    page = improvement_page(document)
    write_file(folder / "improvement.html", page.html("prompts improve"))
    write_file(folder / "improvement.json", json.dumps(document, indent=1) + "\n")
    if as_json:
        say_json(document)
        return
    if is_narrating:
        results().print(bench_screen(page._replace(sections=[], lead="")))
        narration().print(f"Wrote {folder / 'improvement.html'}", soft_wrap=True)
    results().print(verdict(document), markup=False, highlight=False, soft_wrap=True)
