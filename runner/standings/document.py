"""Standings document: what the logs in a folder say about the agents that played, as one JSON document."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

from games.core.errors import OptionError
from runner.arena.plan_file import plan_of, read_plan
from runner.arena.schedule import schedule
from runner.arena.tournament_dir import MANIFEST
from runner.errors import TabletopError, UsageError
from runner.record.log_folder import summaries
from runner.record.log_summary import LogSummary
from runner.review.folder_reviews import FolderReviews
from runner.standings.agent_names import told_apart
from runner.standings.agent_stats import AgentStats, agent_stats, measure_kinds
from runner.standings.bootstrap import FEWEST_FREE
from runner.standings.comparability import check_pool
from runner.standings.document_types import (
    AgentData,
    FigureData,
    GameData,
    MeetingData,
    RatingData,
    SeatData,
    StandingsData,
)
from runner.standings.given_up import given_up, review_notes
from runner.standings.left_out import ENDED, check_any_ended, counted_logs
from runner.standings.rated_match import RatedMatch, rated_match
from runner.standings.rating import DRAWS, ESTABLISHED, AgentRating, Anchor, Figure, PairRating, Rating, SeatRating, rate

ALL_GAMES = "all games"
_MOST_NAMED = 8


Reviewing = Callable[[Sequence[Path]], FolderReviews]
"""Makes the reviews of logs."""


def standings(
    folder: Path,
    may_pool: Collection[str] = (),
    anchor: Anchor | None = None,
    draws: int = DRAWS,
    reviewing: Reviewing | None = None,
    forks: bool = False,
    by_spec: bool = False,
) -> StandingsData:
    """The standings of a folder, with what each agent gives up a decision if there is somebody who reviews. Forks count if
    `forks` says so.

    A name that stands for several SPECs is several agents, unless `may_pool` has agents; `by_spec`: even then.

    UsageError when its matches may not be pooled or none has ended, AllDamagedError when every log is damaged.
    """
    found = summaries(folder)
    if not found:
        raise UsageError(f"There are no logs (*.jsonl) in {folder}.")
    chosen = counted_logs(found, forks)
    check_any_ended(chosen, folder)
    ended, counts = chosen.ended, chosen.counts
    if by_spec or "agents" not in may_pool:
        ended = told_apart(ended)
    groups: dict[str, list[LogSummary]] = {}
    for log in ended:
        groups.setdefault(log.game, []).append(log)
    notes = {game: check_pool(game, logs, may_pool) for game, logs in groups.items()}
    if "games" in may_pool and len(groups) > 1:
        notes = {ALL_GAMES: [note for game in groups for note in notes[game]]}
        groups = {ALL_GAMES: ended}
    base = folder.parent if folder.is_file() else folder
    reviews = reviewing([base / name for name in chosen.names]) if reviewing else None
    return {
        "folder": str(folder),
        "logs": dict(counts),
        "left_out": chosen.left_out(),
        "notes": [
            *chosen.notes(),
            *_missing(folder, counts[ENDED] + counts["failed"]),
            *(review_notes(reviews) if reviews else ()),
        ],
        "games": [
            _with_reviews(_game(game, logs, notes[game], anchor, draws), logs, reviews, draws)
            for game, logs in sorted(groups.items())
        ],
    }


def _with_reviews(game: GameData, logs: Sequence[LogSummary], reviews: FolderReviews | None, draws: int) -> GameData:
    """The standings of a game with what each agent gives up; as they are without reviews."""
    if reviews is None:
        return game
    rated = ((_rated(log), reviews.of(log.digest)) for log in logs)
    graded = [((match.kind, match.deal), match.agents, review) for match, review in rated if review]
    found = given_up(graded, game["agents"], draws) if graded else {}
    return game | {"agents": [agent | {"given_up": found.get(agent["agent"])} for agent in game["agents"]]}


def _missing(folder: Path, played: int) -> list[str]:
    """A sentence about the matches that a tournament's plan still lacks, if the folder has a plan that can be read."""
    try:
        total = sum(1 for _ in schedule(plan_of(read_plan(folder / MANIFEST))))
    except (TabletopError, OptionError):
        return []
    if total <= played:
        return []
    return [f"{total - played} of {total} matches are missing: `tabletop tournament {folder}` plays them."]


def _rated(log: LogSummary) -> RatedMatch:
    """A match for the ratings. The same deal is the same game, rules, options, number of players and seed."""
    kind = f"{log.game} with {len(log.seats)}"
    deal = f"{log.game} {log.conditions} {sorted(log.options.items())} {log.seed}"
    return rated_match(kind, deal, log.names, log.scores, log.winners, any(seat.penalties for seat in log.seats))


def _game(game: str, logs: Sequence[LogSummary], notes: list[str], anchor: Anchor | None, draws: int) -> GameData:
    """The standings of one pool of matches."""
    matches = [_rated(log) for log in logs]
    agents = {agent for match in matches for agent in match.agents}
    if anchor is not None and anchor[0] not in agents:
        raise UsageError(f"There is no agent {anchor[0]} to anchor ratings to: there is {', '.join(sorted(agents))}.")
    rating, clean = rate(matches, draws, anchor), [match for match in matches if not match.has_penalty]
    without = _ratings_without_penalties(clean, anchor, draws) if len(clean) < len(matches) else {}
    stats, shares = agent_stats(logs), measure_kinds(sorted({log.game for log in logs}))
    return {
        "game": game,
        "matches": rating.matches,
        "deals": rating.deals,
        "matches_with_penalties": len(matches) - len(clean),
        "agents": [_agent(one, stats[one.agent], shares, without.get(one.agent)) for one in rating.agents],
        "meetings": [_meeting(pair) for pair in rating.pairs],
        "seats": [_seat(seat) for seat in rating.seats],
        "notes": [*notes, *_notes(rating, matches)],
    }


def _ratings_without_penalties(clean: Sequence[RatedMatch], anchor: Anchor | None, draws: int) -> dict[str, RatingData]:
    if not clean:
        return {}
    has_anchor = anchor is not None and any(anchor[0] in match.agents for match in clean)
    found = rate(clean, draws, anchor if has_anchor else None).agents
    return {one.agent: {"rating": _figure(one.rating), "matches": one.matches} for one in found}


def _figure(figure: Figure) -> FigureData:
    bounds = figure.interval
    return {"value": figure.value, "low": bounds.low if bounds else None, "high": bounds.high if bounds else None}


def _agent(found: AgentRating, stats: AgentStats, shares: dict[str, bool], without: RatingData | None) -> AgentData:
    return {
        "agent": found.agent,
        "rating": _figure(found.rating),
        "ranks": list(found.ranks),
        "matches": found.matches,
        "win_share": _figure(found.win_share),
        "mean_score": _figure(found.mean_score),
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
    }


def _meeting(pair: PairRating) -> MeetingData:
    return {
        "agents": [pair.first, pair.second],
        "wins": pair.outcome.wins,
        "losses": pair.outcome.losses,
        "ties": pair.outcome.ties,
        "difference": _figure(pair.difference),
        "error": pair.error if math.isfinite(pair.error) else None,
        "chance": pair.chance,
        "is_established": pair.is_established,
    }


def _seat(seat: SeatRating) -> SeatData:
    figures = _figure(seat.win_share), _figure(seat.mean_score)
    return {"kind": seat.kind, "seat": seat.seat, "matches": seat.matches, "win_share": figures[0], "mean_score": figures[1]}


def _notes(rating: Rating, matches: Iterable[RatedMatch]) -> list[str]:
    notes = []
    if rating.free < FEWEST_FREE:
        notes.append(f"Too few deals for intervals: {rating.deals}; at least {FEWEST_FREE + 1} of one kind are needed.")
    open_pairs = [pair for pair in rating.pairs if not pair.is_established]
    if open_pairs:
        shown = "; ".join(f"{pair.first} over {pair.second}" for pair in open_pairs[:_MOST_NAMED])
        more = f"; and {len(open_pairs) - _MOST_NAMED} more" if len(open_pairs) > _MOST_NAMED else ""
        notes.append(f"Not established (chance alone brings it more often than {ESTABLISHED:.0%}): {shown}{more}.")
    if not _is_balanced(matches):
        notes.append("Not all agents had all seats equally often, so seat advantages may favour some of them.")
    return notes


def _is_balanced(matches: Iterable[RatedMatch]) -> bool:
    sat: dict[tuple[str, str], Counter[int]] = {}
    size: dict[str, int] = {}
    for match in matches:
        size[match.kind] = len(match.agents)
        for seat, agent in enumerate(match.agents):
            sat.setdefault((match.kind, agent), Counter())[seat] += 1
    return all(len({seats[seat] for seat in range(size[kind])}) == 1 for (kind, _), seats in sat.items())
