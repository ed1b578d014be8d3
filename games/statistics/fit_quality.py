"""Fit quality: how well the model predicts the win shares of each line-up of agents that was played, and whether an agent's
wins depend on who else sits at the table.

For the latter, the winners of all matches of a kind are fitted by Plackett and Luce's model. Where an agent sits with another
copy of itself, or with another agent, its wins there less the expected ones are tested against zero. Errors are those of a
jackknife over deals that allows for the fit, and the permitted error is shared among all tests.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from games.statistics.deal_sums import Counts, DealBlocks, Parts, PlacingStage, RatedMatch, ratio
from games.statistics.document_types import FitData, OwnPairingData, PairingEffectsData, PairingShareData
from games.statistics.figures import FEWEST_FREE, rescaled, t_tail
from games.statistics.plackett_luce import POINTS, Fit, Left, fit, solve, surplus

POOR = 0.01
"""A fit is poor when a true model would bring such a gap less often than this, corrected for the number of gaps."""

LARGE = 30.0
"""In rating points: a smaller gap is no poor fit, however certain it is."""

_NOTHING = 1e-6
"""A smaller variance of wins per match is that of line-ups which the fit follows exactly."""

_FEWEST_EXPECTED = 5.0
"""With fewer wins or defeats expected, an agent is not compared (W. G. Cochran, The chi-square test, 1952)."""

_LEAST = 0.001
"""Smaller shares count as this in points."""

MATCHES, SEATS, WINS, EXPECTED = range(4)
"""The terms of an item at some line-ups."""


def gap_points(observed: float, expected: float) -> float:
    """The difference of the odds of two shares in rating points."""
    one, other = (min(max(share, _LEAST), 1 - _LEAST) for share in (observed, expected))
    return POINTS * (math.log(one / (1 - one)) - math.log(other / (1 - other)))


class Gap(NamedTuple):
    """An item at some line-ups: its share of the wins, the share that a fit expects, the difference by its error, and the
    degrees of freedom."""

    item: int
    lineups: Sequence[Left]
    matches: float
    observed: float
    expected: float
    studentised: float
    free: int

    def chance(self, gaps: int) -> float:
        """The probability that chance alone brings any of that number of gaps."""
        return min(1.0, 2 * gaps * t_tail(abs(self.studentised), self.free))


class LineUps:
    """What was won at each line-up, by the choices of winners in each block, against what a fit expects. `moves` are the
    influences of the blocks on the fit: it follows the same matches, for which errors allow."""

    def __init__(
        self, fitted: Fit, parts: Iterable[Mapping[PlacingStage, float]], blocks: DealBlocks, moves: Sequence[Sequence[float]]
    ) -> None:
        self._fitted, self._blocks, self._moves = fitted, blocks, moves
        self.rows = dict[Left, list[tuple[int, PlacingStage, float]]]()
        for number, part in enumerate(parts):
            for choice, times in part.items():
                if choice.is_first:
                    self.rows.setdefault((choice.kind, choice.left), []).append((number, choice, times))

    def of(self, item: int, lineups: Iterable[Left]) -> Parts:
        """The matches of an item at some line-ups that it sits at, its seats there, its wins and the expected ones."""
        found = [[0.0] * 4 for _ in self._blocks.blocks]
        for number, choice, times in (row for left in lineups for row in self.rows[left]):
            means = self._fitted.expected[choice.kind, choice.left].mean
            shares = [mean for one, mean in zip(choice.left, means, strict=False) if one == item]
            terms = 1, len(shares), choice.chosen.count(item) / len(choice.chosen), sum(shares)
            found[number] = [total + times * term for total, term in zip(found[number], terms, strict=True)]
        return Parts(found, self._blocks)

    def gap(self, item: int, lineups: Sequence[Left]) -> Gap | None:
        """The gap of an item; None where it can hardly differ from the fit."""
        parts = self.of(item, lineups)
        matches, _, wins, expected = parts.sums
        square = sum(
            weight * (row[WINS] - row[EXPECTED] - followed) ** 2
            for weight, row, followed in zip(self._blocks.weights, parts.rows, self._followed(item, lineups), strict=True)
        )
        if square < _NOTHING * matches:
            return None
        studentised = (wins - expected) / math.sqrt(square)
        return Gap(item, lineups, matches, wins / matches, expected / matches, studentised, parts.free(MATCHES))

    def _followed(self, item: int, lineups: Iterable[Left]) -> Iterator[float]:
        """How many of the expected wins each block brings by its influence on the fit."""
        slopes = dict[int, float]()
        for _, choice, times in (row for left in lineups for row in self.rows[left]):
            expected = self._fitted.expected[choice.kind, choice.left]
            for place, parameter in enumerate(expected.parameters):
                slope = sum(expected.covariance[seat][place] for seat, one in enumerate(choice.left) if one == item)
                slopes[parameter] = slopes.get(parameter, 0.0) + times * slope
        return (sum(slope * move[parameter] for parameter, slope in slopes.items()) for move in self._moves)


def fit_quality(lineups: LineUps, names: Sequence[str]) -> FitData | None:
    """How well line-ups fit that were played in enough blocks; None without one that can differ from the fit. The worst gap is
    the largest in points among those that chance hardly explains, or the largest for its error without one. `names` are those
    of the items."""
    found = (lineups.gap(item, [left]) for left in lineups.rows if len(set(left[1])) > 1 for item in sorted(set(left[1])))
    gaps = [gap for gap in found if gap is not None and gap.free >= FEWEST_FREE and _is_compared(gap)]
    if not gaps:
        return None
    certain = [gap for gap in gaps if gap.chance(len(gaps)) < POOR]
    worst = max(certain or gaps, key=lambda gap: abs(gap_points(gap.observed, gap.expected) if certain else gap.studentised))
    chance = worst.chance(len(gaps))
    return {
        "lineups": len({gap.lineups[0] for gap in gaps}),
        "mean_gap": sum(abs(gap.observed - gap.expected) for gap in gaps) / len(gaps),
        "worst": {
            "agent": names[worst.item],
            "lineup": [names[item] for item in worst.lineups[0][1]],
            "observed": worst.observed,
            "expected": worst.expected,
        },
        "chance": chance,
        "is_poor": chance < POOR and abs(gap_points(worst.observed, worst.expected)) >= LARGE,
    }


def _is_compared(gap: Gap) -> bool:
    return min(gap.expected, 1 - gap.expected) * gap.matches >= _FEWEST_EXPECTED


LARGE_EFFECT = 0.03
"""A smaller gap between win shares is no warning, however well it is established."""

WARNED = 0.05
"""The probability of any warning where nothing depends on who else plays."""

FEWEST_TOGETHER = 9
"""There is no test with fewer degrees of freedom: that takes 10 deals on which both agents sat together."""


def pairing_effects(matches: Sequence[RatedMatch]) -> PairingEffectsData:
    """Self-play against cross-play, for each kind of match apart, and warnings, the most certain first."""
    counts = Counts(matches)
    kinds = [_Kind(kind, counts.of_kind(kind)) for kind in counts.kinds]
    tests = [test for kind in kinds for test in kind.tests()]
    warned = [
        (chance, kind, agent, other, gap)
        for kind, agent, other, gap in tests
        if (chance := gap.chance(len(tests))) < WARNED and abs(gap.observed - gap.expected) >= LARGE_EFFECT
    ]
    return {
        "own": [own for kind in kinds for own in kind.own()],
        "warnings": [
            {
                "agent": agent,
                "company": other,
                "kind": kind,
                "win_share": gap.observed,
                "expected": gap.expected,
                "chance": chance,
            }
            for chance, kind, agent, other, gap in sorted(warned, key=lambda test: (test[0], test[2], test[3], test[1]))
        ],
    }


class _Kind:
    """The matches of one kind, and the fit of their winners."""

    def __init__(self, kind: str, counts: Counts) -> None:
        self._kind, self._agents = kind, counts.agents
        parts = [Counter({stage: n for stage, n in part.items() if stage.is_first}) for part in counts.parts]
        fitted = fit(sum(parts, Counter[PlacingStage]()), len(self._agents))
        # the influence of a block to the first order is enough for a correction
        moves = [solve(fitted.lower, surplus(fitted, part)) for part in parts]
        self._lineups = LineUps(fitted, parts, counts.blocks, moves)

    def own(self) -> list[OwnPairingData]:
        """Self-play against cross-play, if any agent sat both with and without another copy of itself."""
        found = [
            ([left for left in self._lineups.rows if left[1].count(item) == 1], self._with(item, item))
            for item, _ in enumerate(self._agents)
        ]
        if not any(alone and with_own for alone, with_own in found):
            return []
        return [
            {"agent": agent, "kind": self._kind, "alone": self._share(item, alone), "with_own": self._share(item, with_own)}
            for item, (agent, (alone, with_own)) in enumerate(zip(self._agents, found, strict=True))
        ]

    def tests(self) -> Iterator[tuple[str, str, str, Gap]]:
        """For the kind, every agent and every other, or its own kind, how the wins at tables with both differ from the expected
        ones; none where it always or never sits so, or on too few deals."""
        for item, agent in enumerate(self._agents):
            for other, name in enumerate(self._agents):
                lefts = self._with(item, other)
                if 0 < len(lefts) < sum(item in left[1] for left in self._lineups.rows):
                    gap = self._lineups.gap(item, lefts)
                    if gap is not None and gap.free >= FEWEST_TOGETHER:
                        yield self._kind, agent, name, gap

    def _with(self, item: int, other: int) -> list[Left]:
        """The line-ups with both, or with two of the same."""
        return [left for left in self._lineups.rows if item in left[1] and left[1].count(other) > (item == other)]

    def _share(self, item: int, lefts: Sequence[Left]) -> PairingShareData | None:
        if not lefts:
            return None
        parts, players = self._lineups.of(item, lefts), len(lefts[0][1])
        expected = players * ratio(parts.sums, EXPECTED, SEATS)
        return {**rescaled(parts.share(WINS, SEATS), players), "matches": round(parts.sums[MATCHES]), "expected": expected}


_MOST_NAMED = 8


def pairing_effects_notes(found: PairingEffectsData) -> list[str]:
    """A warning for every agent whose wins depend on another."""
    return [
        f"Warning: {one['agent']} wins {one['win_share']:.0%} of {one['kind']} with"
        f" {'another copy of itself' if one['agent'] == one['company'] else one['company']} at the table, where its strength"
        f" explains {one['expected']:.0%} (probability by chance {one['chance']:.3f}). Its rating depends on who else plays."
        for one in found["warnings"][:_MOST_NAMED]
    ]
