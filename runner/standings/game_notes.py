"""Game notes: sentences about what a table's ratings rest on, and what to be careful of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from games.core import counted
from runner.standings.combined import GUESSED_SPREAD
from runner.standings.deal_blocks import FEWEST_FREE
from runner.standings.fit_quality import FitQuality
from runner.standings.rated_match import RatedMatch
from runner.standings.rating_types import Anchor, KindSpread, PairRating, Rating
from runner.standings.standard import ESTABLISHED

FEW_DEALS = 10
"""With fewer deals, intervals hold less often than they say: `make campaign` measures it."""

_MOST_NAMED = 8


def game_notes(rating: Rating, matches: Sequence[RatedMatch], anchor: Anchor | None, held: Anchor | None) -> list[str]:
    """All notes on the ratings of some matches."""
    return [
        *_placing(matches),
        *_few(rating),
        *_not_established(rating.pairs),
        *_fit(rating),
        *(_combined(rating.kinds) if rating.kinds else ()),
        *_struck(matches),
        *_unbalanced(matches),
        *_unanchored(anchor, held),
    ]


def _placing(matches: Sequence[RatedMatch]) -> Iterator[str]:
    kinds = sorted({match.kind for match in matches if match.placing == "winners"})
    if kinds:
        yield f"Ratings of {', '.join(kinds)} count who wins, not the order of the others."


def _few(rating: Rating) -> Iterator[str]:
    if rating.free < FEWEST_FREE:
        yield f"Too few deals for intervals: {rating.deals}; at least {FEWEST_FREE + 1} of one kind are needed."
    elif rating.deals < FEW_DEALS:
        yield f"Few deals: {rating.deals}. With fewer than {FEW_DEALS}, intervals are rough and may be too narrow."


def _not_established(pairs: Sequence[PairRating]) -> Iterator[str]:
    found = [pair for pair in pairs if not pair.is_established]
    if found:
        shown = "; ".join(f"{pair.first} over {pair.second}" for pair in found[:_MOST_NAMED])
        more = f"; and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        yield f"Not established (chance alone brings one such difference more often than {ESTABLISHED:.0%}): {shown}{more}."


def _fit(rating: Rating) -> Iterator[str]:
    if rating.free >= FEWEST_FREE:
        yield (
            _fit_sentence(rating.fit)
            if rating.fit
            else (f"Fit: not checked. That needs line-ups that differ, each on {FEWEST_FREE + 1} deals or more.")
        )


def _fit_sentence(found: FitQuality) -> str:
    worst = found.worst
    gap = f"{worst.agent} at {', '.join(worst.lineup)} wins {worst.observed:.0%}, predicted {worst.expected:.0%}"
    points = f"{found.mean_gap * 100:.1f} percentage points"
    size = f"win shares at {counted(found.lineups, 'line-up')} differ from the predicted ones by {points} on average"
    if found.is_poor:
        depends = f"Strength depends on who else is at the table: {abs(worst.points):.0f} points there"
        return f"Warning: poor fit. {gap}. {depends}; {size}."
    return f"Fit: {size}; largest for its error: {gap} (probability by chance {found.chance:.2f})."


def _combined(found: KindSpread) -> Iterator[str]:
    kinds = ", ".join(sorted({kind for kind, _ in found.ratings}))
    if found.points is None:
        guess = f"{GUESSED_SPREAD:.0f} points"
        yield f"Combined over {kinds}. Too few deals show how agents differ between these; a deviation of {guess} is assumed."
    else:
        yield (
            f"Combined over {kinds}. Agents differ between these with a standard deviation of {found.points:.0f} points;"
            " the rating in each is shrunk towards the agent's mean accordingly."
        )


def _struck(matches: Iterable[RatedMatch]) -> Iterator[str]:
    if any(match.struck for match in matches):
        yield (
            "Ratings given that no seat was struck out condition on an outcome of the match: they favour an agent that is"
            " struck out when it is losing. Rank by the ratings of all matches."
        )


def _unbalanced(matches: Iterable[RatedMatch]) -> Iterator[str]:
    sat: dict[tuple[str, str], Counter[int]] = {}
    size: dict[str, int] = {}
    for match in matches:
        size[match.kind] = len(match.agents)
        for seat, agent in enumerate(match.agents):
            sat.setdefault((match.kind, agent), Counter())[seat] += 1
    if any(len({seats[seat] for seat in range(size[kind])}) > 1 for (kind, _), seats in sat.items()):
        yield "Not all agents had all seats equally often, so seat advantages may favour some of them."


def _unanchored(anchor: Anchor | None, held: Anchor | None) -> Iterator[str]:
    if anchor and not held:
        yield f"{anchor[0]} did not play here, so the mean rating is 1500."
