"""Playtest report: what playtests say about variants of a game, as one document, and two of them side by side."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.search.playtest import GameVariant, Played, PlaytestFigure, playtest_figures, playtest_variant
from games.search.samples import mean_and_error
from games.statistics.document_types import AgentData, FigureData
from games.statistics.figures import FEWEST_FREE, bounded, student, t_tail, within

_LEVEL = 0.05

ReportDocument = dict[str, Any]
"""The report, or a part of it: its game, figures and variants."""


def game_report(variants: Sequence[GameVariant], played: Played, models: Sequence[list[AgentData]]) -> ReportDocument:
    """The report on variants of one game from their matches. `models` are the figures of models in each of them."""
    own = [[(job, match) for job, match in played if job.variant == variant] for variant in variants]
    setup = variants[0].begin(0).setup
    return {
        "game": variants[0].game,
        "players": setup.players,
        "rules": setup.rules,
        "figures": [*_figures([dict(playtest_figures(some, setup.players)) for some in own])],
        "variants": [
            playtest_variant(variant, some) | {"models": found}
            for variant, some, found in zip(variants, own, models, strict=True)
        ],
    }


def _figures(variants: Sequence[Mapping[str, PlaytestFigure]]) -> Iterator[ReportDocument]:
    """Each figure of all variants with its 95 % interval over deals, and of two the second minus the first over the same deals.
    `sure`: the difference is not 0, with an error of 5 % for all figures together (Bonferroni)."""
    names = [name for name in variants[0] if all(one[name].values for one in variants)]
    for name in names:
        found, is_share = [one[name].values for one in variants], variants[0][name].is_share
        shown = [_figure([*values.values()]) for values in found]
        row = {"name": name, "is_share": is_share, "variants": [within(one, 0, 1) if is_share else one for one in shown]}
        if len(found) > 1:
            changes = [found[1][deal] - value for deal, value in found[0].items() if deal in found[1]]
            row |= {"difference": _figure(changes), "sure": _is_sure(changes, _LEVEL / len(names))}
        yield row


def _figure(values: Sequence[float]) -> FigureData:
    return student(*mean_and_error([*values]), len(values) - 1) if values else bounded(0.0)


def _is_sure(values: Sequence[float], level: float) -> bool:
    """Whether the mean of values is not 0, but for an error of this probability."""
    if len(values) <= FEWEST_FREE:
        return False
    mean, error = mean_and_error([*values])
    return mean != 0 and (not error or 2 * t_tail(abs(mean) / error, len(values) - 1) < level)
