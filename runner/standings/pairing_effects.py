"""Pairing effects: whether an agent's wins depend on who else sits at the table, beyond what the strengths of all explain.

The winners of all matches of a kind are fitted by Plackett and Luce's model. Where an agent sits with another copy of itself,
or with another agent, its wins there less the expected ones are tested against zero. Errors are those of a jackknife over deals
that allows for the fit, and the permitted error is shared among all tests.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from runner.standings.deal_counts import Counts, PlacingStage, RatedMatch
from runner.standings.document_types import DependenceData, OwnPairingData, PairingEffectsData, PairingShareData
from runner.standings.figures import DealSample, effective_free, figure, ratio_error, t_tail
from runner.standings.fit_quality import Wins, free_at, tables_of, wins_at
from runner.standings.linear_system import solve
from runner.standings.plackett_luce import Fit, Left, fit, surplus

LARGE = 0.03
"""A smaller gap between win shares is no warning, however well it is established."""

WARNED = 0.05
"""The probability of any warning where nothing depends on who else plays."""

FEWEST_FREE = 9
"""There is no test with fewer degrees of freedom: that takes 10 deals on which both agents sat together."""

_NOTHING = 1e-9


def pairing_effects(matches: Sequence[RatedMatch]) -> PairingEffectsData:
    """Self-play against cross-play, for each kind of match apart, and warnings, the most certain first."""
    counts = Counts.of(matches)
    kinds = [_Kind(kind, counts.of_kind(kind)) for kind in sorted({kind for kind, _ in counts.deals})]
    tests = [test for kind in kinds for test in kind.tests()]
    for test in tests:
        test["chance"] = min(1.0, test["chance"] * len(tests))
    warned = [test for test in tests if test["chance"] < WARNED and abs(test["win_share"] - test["expected"]) >= LARGE]
    warned.sort(key=lambda test: (test["chance"], test["agent"], test["company"], test["kind"]))
    return {"own": [own for kind in kinds for own in kind.own()], "warnings": warned}


class _Kind:
    """The matches of one kind, and the fit of their winners."""

    def __init__(self, kind: str, counts: Counts) -> None:
        self._kind, self._agents = kind, counts.agents
        self._sample = DealSample.of(counts)
        self._blocks = [Counter({stage: n for stage, n in part.items() if stage.is_first}) for part in self._sample.parts]
        self._tables = tables_of(self._blocks)
        self._lefts = [[left for left in self._tables if item in left[1]] for item, _ in enumerate(self._agents)]

    @cached_property
    def _fitted(self) -> Fit:
        return fit(sum(self._blocks, Counter[PlacingStage]()), len(self._agents))

    @cached_property
    def _moves(self) -> list[list[float]]:
        """The influence of each block on the fit, to the first order, which is enough for a correction."""
        return [solve(self._fitted.lower, surplus(self._fitted, block)) for block in self._blocks]

    def own(self) -> list[OwnPairingData]:
        """Self-play against cross-play, if any agent sat both with and without another copy of itself."""
        lefts = [
            ([left for left in of if left[1].count(item) == 1], self._with(item, item)) for item, of in enumerate(self._lefts)
        ]
        if not any(alone and with_own for alone, with_own in lefts):
            return []
        return [
            {"agent": agent, "kind": self._kind, "alone": self._share(item, alone), "with_own": self._share(item, with_own)}
            for item, (agent, (alone, with_own)) in enumerate(zip(self._agents, lefts, strict=True))
        ]

    def tests(self) -> list[DependenceData]:
        """A test for every agent at tables with every other and with its own kind; chances are those of one test."""
        items = range(len(self._agents))
        found = (self._test(item, other) for item in items for other in items)
        return [test for test in found if test is not None]

    def _with(self, item: int, other: int) -> list[Left]:
        most = 1 if item == other else 0
        return [left for left in self._lefts[item] if left[1].count(other) > most]

    def _rows(self, lefts: Iterable[Left]) -> list[tuple[int, PlacingStage, float]]:
        return [row for left in lefts for row in self._tables[left]]

    def _wins(self, item: int, lefts: Iterable[Left]) -> Wins:
        return wins_at(item, self._rows(lefts), self._fitted, len(self._blocks))

    def _share(self, item: int, lefts: Sequence[Left]) -> PairingShareData | None:
        if not lefts:
            return None
        sat, players = self._wins(item, lefts), len(lefts[0][1])
        seats = sum(sat.seats)
        error = players * ratio_error(sat.wins, sat.seats, self._sample.weights)
        found = figure(players * sum(sat.wins) / seats, error, effective_free(sat.matches, self._sample.free))
        low = None if found["low"] is None else max(0.0, found["low"])
        return {**found, "low": low, "matches": round(sum(sat.matches)), "expected": players * sum(sat.expected) / seats}

    def _test(self, item: int, other: int) -> DependenceData | None:
        """The test of one agent at tables with another; None where it always or never sits so, or on too few deals."""
        lefts = self._with(item, other)
        free = free_at(self._rows(lefts), self._sample.free)
        if free < FEWEST_FREE or len(lefts) == len(self._lefts[item]):
            return None
        sat = self._wins(item, lefts)
        if (square := sat.variance(self._sample.weights, self._moves)) < _NOTHING:
            return None
        matches = sum(sat.matches)
        return {
            "agent": self._agents[item],
            "company": self._agents[other],
            "kind": self._kind,
            "win_share": sum(sat.wins) / matches,
            "expected": sum(sat.expected) / matches,
            "chance": 2 * t_tail(abs(sat.surplus) / math.sqrt(square), free),
        }


_MOST_NAMED = 8


def pairing_effects_notes(found: PairingEffectsData) -> list[str]:
    """A warning for every agent whose wins depend on another."""
    return [
        f"Warning: {one['agent']} wins {one['win_share']:.0%} of {one['kind']} with"
        f" {'another copy of itself' if one['agent'] == one['company'] else one['company']} at the table, where its strength"
        f" explains {one['expected']:.0%} (probability by chance {one['chance']:.3f}). Its rating depends on who else plays."
        for one in found["warnings"][:_MOST_NAMED]
    ]
