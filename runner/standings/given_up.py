"""Given up: the share of the win that each agent gives up a decision, by reviews of its matches, with intervals over deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from games.core import counted
from runner.review.folder_reviews import FolderReviews
from runner.review.review_document import ReviewDocument
from runner.standings.bootstrap import Blocks, blocks_of, interval
from runner.standings.count_matrix import Deal, Vector
from runner.standings.document_types import AgentData, FigureData, GivenUpData

Graded = tuple[Deal, Sequence[str], ReviewDocument]
"""A match: its deal, its agents by seat, and its review."""


def given_up(matches: Iterable[Graded], agents: Sequence[AgentData], draws: int) -> dict[str, GivenUpData]:
    """What each agent gave up in these matches; an agent without a graded decision is left out."""
    number = {agent["agent"]: place for place, agent in enumerate(agents)}
    blocks = blocks_of(_rows(matches, number))
    total, drawn = blocks.total, list(blocks.draws(draws if interval([0.0], blocks) else 0))
    return {
        agent["agent"]: _of_agent(agent, place, total, drawn, blocks)
        for place, agent in enumerate(agents)
        if total[2 * place + 1]
    }


def _rows(matches: Iterable[Graded], number: Mapping[str, int]) -> dict[Deal, Vector]:
    """For each deal the sum of the regrets and the number of graded decisions, agent by agent."""
    rows: dict[Deal, Vector] = {}
    for deal, names, review in matches:
        row = rows.setdefault(deal, [0.0] * (2 * len(number)))
        for one in review["decisions"]:
            if one["grade"] != "forced":
                at = 2 * number[names[one["seat"]]]
                row[at] += one["regret"]
                row[at + 1] += 1
    return rows


def _of_agent(agent: AgentData, place: int, total: Vector, drawn: Sequence[Vector], blocks: Blocks) -> GivenUpData:
    regret, decisions = total[2 * place : 2 * place + 2]
    means = [vector[2 * place] / vector[2 * place + 1] for vector in drawn if vector[2 * place + 1]]
    bounds = interval(means, blocks) if means else None
    figure: FigureData = {
        "value": regret / decisions,
        "low": bounds.low if bounds else None,
        "high": bounds.high if bounds else None,
    }
    return {**figure, "decisions": round(decisions), "narrower": _narrower(agent["win_share"], figure)}


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
