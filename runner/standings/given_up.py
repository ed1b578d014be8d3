"""Given up: the share of the win that each agent gives up a decision, by reviews of its matches, with intervals over deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from games.core import counted
from runner.review.folder_reviews import FolderReviews
from runner.review.review_document import DecisionEntry, ReviewDocument
from runner.standings.deal_blocks import deal_blocks, free_of
from runner.standings.deal_counts import Deal
from runner.standings.document_types import AgentData, FigureData, GivenUpData
from runner.standings.figures import effective_free, ratio_error, share

_SUMS = 3
Vector = Sequence[float]
Graded = tuple[Deal, Sequence[str], Sequence[DecisionEntry]]
"""A match: its deal, its agents by seat, and the decisions of its review that count."""


def own_decisions(review: ReviewDocument, fork_at: int) -> list[DecisionEntry]:
    """The decisions of a review without those that a fork copied. `fork_at` is its first own one; 0 for any other match."""
    return [one for one in review["decisions"] if one["decision"] >= fork_at]


def given_up(matches: Iterable[Graded], agents: Sequence[AgentData]) -> dict[str, GivenUpData]:
    """What each agent gave up in these matches; an agent without a graded decision is left out."""
    number = {agent["agent"]: place for place, agent in enumerate(agents)}
    rows = _rows(matches, number)
    blocks = deal_blocks(rows)
    sums = [[sum(column) for column in zip(*(rows[deal] for deal in block.deals), strict=True)] for block in blocks]
    weights = [block.weight for block in blocks]
    return {
        agent["agent"]: _of_agent(agent, [row[_SUMS * place : _SUMS * (place + 1)] for row in sums], weights, free_of(blocks))
        for place, agent in enumerate(agents)
        if any(row[_SUMS * place + 1] for row in sums)
    }


def _rows(matches: Iterable[Graded], number: Mapping[str, int]) -> dict[Deal, list[float]]:
    """For each deal and agent: the sum of the regrets, the number of graded decisions, the sum of the best answers' shares."""
    rows: dict[Deal, list[float]] = {}
    for deal, names, decisions in matches:
        row = rows.setdefault(deal, [0.0] * (_SUMS * len(number)))
        for one in decisions:
            if one["grade"] != "forced":
                at = _SUMS * number[names[one["seat"]]]
                row[at] += one["regret"]
                row[at + 1] += 1
                row[at + 2] += one["best_share"]
    return rows


def _of_agent(agent: AgentData, sums: Sequence[Vector], weights: Sequence[float], free: int) -> GivenUpData:
    lost, decisions, best = zip(*sums, strict=True)
    own = effective_free(decisions, free)
    mean, relative = (_ratio(lost, below, weights, own) for below in (decisions, best))
    narrower = _narrower(agent["win_share"], mean)
    return {**mean, "decisions": round(sum(decisions)), "relative": relative, "narrower": narrower}


def _ratio(above: Vector, below: Vector, weights: Sequence[float], free: int) -> FigureData:
    """One sum divided by another; 0 where the latter is 0."""
    value = sum(above) / sum(below) if sum(below) else 0.0
    bounds = share(value, ratio_error(above, below, weights), free).interval
    return {"value": value, "low": bounds.low if bounds else None, "high": bounds.high if bounds else None}


def _narrower(wins: FigureData, lost: FigureData) -> float | None:
    """How many times narrower the second interval is than the first, each measured by its value."""
    first, second = _relative_width(wins), _relative_width(lost)
    return first / second if first and second else None


def _relative_width(figure: FigureData) -> float | None:
    low, high, value = figure["low"], figure["high"], figure["value"]
    return None if low is None or high is None or value <= 0 else (high - low) / value


def review_notes(found: FolderReviews) -> list[str]:
    """Sentences about matches without a review, and about reviews that differ in their settings."""
    notes = [f"Not reviewed: {path.name}: {why.rstrip('.')}." for path, why in found.refused.items()]
    playouts = Counter(review["playouts"] for review in found.reviews.values())
    if len(playouts) > 1:
        kinds = ", ".join(f"{number:,} in {counted(count, 'match')}" for number, count in sorted(playouts.items()))
        notes.append(f"Reviews differ in their playouts a decision: {kinds}.")
    return notes
