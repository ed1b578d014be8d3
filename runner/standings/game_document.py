"""Game document: the standings of one table, that is of one pool of matches, as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from sys import intern

from runner.record.log_summary import LogSummary
from runner.standings.agent_stats import AgentStats, agent_stats, measure_kinds
from runner.standings.company import company
from runner.standings.company_table import company_data, company_notes
from runner.standings.document_types import (
    AgentData,
    FigureData,
    FitData,
    ForfeitData,
    GameData,
    MeetingData,
    RatingData,
    SeatData,
    SpreadData,
)
from runner.standings.figures import Figure
from runner.standings.fit_quality import FitQuality
from runner.standings.forfeits import forfeits
from runner.standings.game_notes import game_notes
from runner.standings.rated_match import RatedMatch, placing_of, rated_match
from runner.standings.rating import rate
from runner.standings.rating_types import AgentRating, Anchor, PairRating, Rating, SeatRating


def rated(log: LogSummary) -> RatedMatch:
    """A match for the ratings. The same deal is the same game, rules, options, number of players and seed."""
    kind = intern(f"{log.game} with {len(log.seats)}")
    deal = intern(f"{log.game} {log.conditions} {sorted(log.options.items())} {log.seed}")
    struck = (number for number, seat in enumerate(log.seats) if seat.penalties)
    return rated_match(kind, deal, log.names, log.scores, log.winners, struck, placing_of(log.game))


def game_document(
    game: str,
    players: int | None,
    logs: Sequence[LogSummary],
    notes: Sequence[str],
    anchor: Anchor | None,
    draws: int,
    is_sequential: bool,
) -> GameData:
    """The standings of one pool of matches; `players` is None where their number differs."""
    matches = [rated(log) for log in logs]
    held = anchor if anchor and any(anchor[0] in match.agents for match in matches) else None
    rating, clean = rate(matches, draws, held, is_sequential), [match for match in matches if not match.struck]
    has_struck = len(clean) < len(matches)
    without = _without_penalties(clean, held) if has_struck else {}
    earned = forfeits(matches) if has_struck else {}
    around = company(matches)
    stats, shares = agent_stats(logs), measure_kinds(sorted({log.game for log in logs}))
    agents = (_agent(one, stats[one.agent], shares, without.get(one.agent), earned.get(one.agent)) for one in rating.agents)
    return {
        "game": game,
        "players": players,
        "matches": rating.matches,
        "deals": rating.deals,
        "matches_with_penalties": len(matches) - len(clean),
        "agents": list(agents),
        "meetings": [_meeting(pair) for pair in rating.pairs],
        "seats": [_seat(seat) for seat in rating.seats],
        "fit": _fit(rating.fit) if rating.fit else None,
        "kinds": _spread(rating),
        "company": company_data(around),
        "notes": [*notes, *game_notes(rating, matches, anchor, held), *company_notes(around)],
    }


def _without_penalties(clean: Sequence[RatedMatch], anchor: Anchor | None) -> dict[str, RatingData]:
    """The ratings of matches in which no seat was struck out."""
    if not clean:
        return {}
    held = anchor if anchor and any(anchor[0] in match.agents for match in clean) else None
    return {one.agent: {"rating": figure_data(one.rating), "matches": one.matches} for one in rate(clean, 0, held).agents}


def figure_data(figure: Figure) -> FigureData:
    """A figure as JSON."""
    bounds = figure.interval
    return {"value": figure.value, "low": bounds.low if bounds else None, "high": bounds.high if bounds else None}


def _agent(
    found: AgentRating,
    stats: AgentStats,
    shares: dict[str, bool],
    without: RatingData | None,
    earned: ForfeitData | None,
) -> AgentData:
    return {
        "agent": found.agent,
        "rating": figure_data(found.rating),
        "ranks": list(found.ranks),
        "matches": found.matches,
        "win_share": figure_data(found.win_share),
        "mean_score": figure_data(found.mean_score),
        "decisions": stats.decisions,
        "answers": stats.answers,
        "penalties": stats.penalties,
        "failures": stats.failures,
        "prompt_tokens": stats.prompt_tokens,
        "completion_tokens": stats.completion_tokens,
        "cost": stats.cost,
        "seconds": stats.seconds,
        "mistakes": stats.mistakes.total(),
        "mistake_kinds": dict(sorted(stats.mistakes.items())),
        "rates": {kind: count / stats.answers for kind, count in sorted(stats.mistakes.items())},
        "mistake_rate": stats.mistake_rate,
        "cost_per_match": stats.cost / stats.matches,
        "latency": stats.latency,
        "longest_latency": stats.longest_latency,
        "measures": stats.measures(shares),
        "without_penalties": without,
        "forfeits": earned,
        "by_kind": dict(found.by_kind),
    }


def _meeting(pair: PairRating) -> MeetingData:
    return {
        "agents": [pair.first, pair.second],
        "wins": pair.outcome.wins,
        "losses": pair.outcome.losses,
        "ties": pair.outcome.ties,
        "difference": figure_data(pair.difference),
        "error": pair.error if math.isfinite(pair.error) else None,
        "chance": pair.chance,
        "is_established": pair.is_established,
    }


def _seat(seat: SeatRating) -> SeatData:
    figures = figure_data(seat.win_share), figure_data(seat.mean_score)
    return {"kind": seat.kind, "seat": seat.seat, "matches": seat.matches, "win_share": figures[0], "mean_score": figures[1]}


def _fit(found: FitQuality) -> FitData:
    worst = found.worst
    return {
        "lineups": found.lineups,
        "mean_gap": found.mean_gap,
        "worst": {
            "agent": worst.agent,
            "lineup": list(worst.lineup),
            "observed": worst.observed,
            "expected": worst.expected,
        },
        "chance": found.chance,
        "is_poor": found.is_poor,
    }


def _spread(rating: Rating) -> SpreadData | None:
    """How agents differ between the kinds of match that a rating combines."""
    found = rating.kinds
    return {"kinds": sorted({kind for kind, _ in found.ratings}), "spread": found.points} if found else None
