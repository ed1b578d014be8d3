"""`tabletop prompts improve PACK`: a coach proposes texts, which are tested on graded decisions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import games
from runner.agents.spec import seat_spec
from runner.cli.command_environment import load_environment
from runner.cli.options import Seed, UsdBudget
from runner.cli.output import same_command, say_json, stoppable
from runner.record.log_paths import IMPROVEMENTS
from runner.screen.consoles import live_status, narration, results

if TYPE_CHECKING:
    from runner.workshop.improvement import Improvement

_BUILT_IN = "built-in"


def improve(
    pack: Path,
    *,
    game: str,
    players: int | None = None,
    seat: str,
    coach: str,
    part: list[str] | None = None,
    seed: Seed = 1,
    budget: UsdBudget = None,
    budget_tokens: int | None = None,
    rounds: int = 6,
    decisions: int = 120,
    tokens: int = 8000,
    out: Path | None = None,
    quiet: bool = False,
    as_json: bool = False,
) -> None:
    """Let a coach rewrite texts of a pack, and test the best version once on decisions that nobody has seen."""
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
        folder = out or IMPROVEMENTS / f"{pack.resolve().name}-{spec.game}"
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
