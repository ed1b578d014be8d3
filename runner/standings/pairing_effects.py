"""Pairing effects: whether an agent's wins depend on who else sits at the table, beyond what the strengths of all explain.

The winners of all matches of a kind are fitted by Plackett and Luce's model. Where an agent sits with another copy of itself,
or with another agent, its wins there less the expected ones are tested against zero. Errors are those of a jackknife over deals
that allows for the fit, and the permitted error is shared among all tests.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from runner.standings.deal_counts import Counts, PlacingStage, RatedMatch
from runner.standings.deal_sums import ratio
from runner.standings.document_types import OwnPairingData, PairingEffectsData, PairingShareData
from runner.standings.figures import rescaled
from runner.standings.fit_quality import EXPECTED, MATCHES, SEATS, WINS, Gap, LineUps
from runner.standings.plackett_luce import Left, fit, solve, surplus

LARGE = 0.03
"""A smaller gap between win shares is no warning, however well it is established."""

WARNED = 0.05
"""The probability of any warning where nothing depends on who else plays."""

FEWEST_FREE = 9
"""There is no test with fewer degrees of freedom: that takes 10 deals on which both agents sat together."""


def pairing_effects(matches: Sequence[RatedMatch]) -> PairingEffectsData:
    """Self-play against cross-play, for each kind of match apart, and warnings, the most certain first."""
    counts = Counts(matches)
    kinds = [_Kind(kind, counts.of_kind(kind)) for kind in counts.kinds]
    tests = [test for kind in kinds for test in kind.tests()]
    warned = [
        (chance, kind, agent, other, gap)
        for kind, agent, other, gap in tests
        if (chance := gap.chance(len(tests))) < WARNED and abs(gap.observed - gap.expected) >= LARGE
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
                    if gap is not None and gap.free >= FEWEST_FREE:
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
