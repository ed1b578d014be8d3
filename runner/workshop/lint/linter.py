"""Linter: the issues of a pack, and what its prompts cost. Templates are read here, and rendered in their pack's process."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import games
from games.core import Game
from runner.prompting.pack import PromptPack
from runner.prompting.template_errors import PromptError
from runner.workshop.lint.case_checks import OnProgress, check_pack
from runner.workshop.lint.issues import LintReport
from runner.workshop.prompt_cost import prompt_cost


def lint(pack: PromptPack, names: Sequence[str], matches: int, seed: int, on_progress: OnProgress) -> LintReport:
    """The issues of the prompts of these games; without a fault also what their prompts cost. UsageError for a pack that cannot
    be read."""
    found = [games.load(name) for name in names]
    report = check_pack(pack, found, matches, seed, on_progress)
    return report if report.faults else replace(report, costs={game.name: _costs(pack, game, on_progress) for game in found})


def _costs(pack: PromptPack, game: Game, on_progress: OnProgress) -> dict[str, dict[str, float]]:
    on_progress(f"{game.name}: counting tokens")
    packs = (pack,) if pack.folder is None else (PromptPack(), pack)
    with suppress(PromptError):
        return {one.name: prompt_cost(game, game.default_players, one).to_json() for one in packs}
    return {}
