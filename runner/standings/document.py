"""Standings: what the logs in a folder say about those who played, as one JSON document."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from games.core import counted
from games.core.errors import OptionError
from runner.agents.environment import Settings
from runner.arena.plan_file import plan_of, read_plan
from runner.arena.schedule import schedule
from runner.arena.tournament_dir import MANIFEST
from runner.errors import AllDamagedError, TabletopError, UsageError
from runner.standings.agent_stats import conducts, measure_kinds
from runner.standings.bootstrap import FEWEST_FREE
from runner.standings.comparability import check_pool
from runner.standings.facts_index import summaries
from runner.standings.match_facts import PLAYED_BACK, Summary
from runner.standings.rated_match import Played, places_of
from runner.standings.rating import DRAWS, ESTABLISHED, Anchor, Figure, Meeting, Rated, Rating, rate

ALL_GAMES = "all games"
_MOST_NAMED = 8


def standings(
    folder: Path,
    may_pool: Collection[str] = (),
    anchor: Anchor | None = None,
    draws: int = DRAWS,
    settings: Settings | None = None,
) -> dict[str, Any]:
    """The standings of a folder. UsageError when its matches may not be counted together, or none
    has ended, AllDamagedError when no log can be read."""
    found = summaries(folder)
    ended = {name: log for name, log in found.items() if log["state"] == "ended"}
    if all(log["state"] == "damaged" for log in found.values()):
        raise AllDamagedError(" ".join(_damaged(found)))
    if not ended:
        matches = counted(len(found), "match")
        raise UsageError(f"None of {matches} in {folder} has ended.")
    groups: dict[str, list[Summary]] = {}
    for log in ended.values():
        groups.setdefault(log["game"], []).append(log)
    notes = {game: check_pool(game, matches, may_pool) for game, matches in groups.items()}
    if "games" in may_pool and len(groups) > 1:
        notes = {ALL_GAMES: [note for game in groups for note in notes[game]]}
        groups = {ALL_GAMES: list(ended.values())}
    states = Counter(log["state"] for log in found.values())
    tables = [_Table(matches, anchor, draws).to_json(game, notes[game]) for game, matches in sorted(groups.items())]
    return {
        "folder": str(folder),
        "logs": dict(states),
        "notes": [*_left_out(found), *_missing(folder, len(ended), settings or Settings())],
        "games": tables,
    }


def _missing(folder: Path, ended: int, settings: Settings) -> list[str]:
    """What the plan of a tournament still lacks, if the folder is one whose agents are known here."""
    try:
        total = sum(1 for _ in schedule(plan_of(read_plan(folder / MANIFEST), settings)))
    except (TabletopError, OptionError):
        return []
    if total <= ended:
        return []
    return [f"{total - ended} of {total} matches are missing: `tabletop tournament {folder}` goes on with them."]


def _left_out(found: dict[str, Summary]) -> list[str]:
    notes = []
    unfinished = sum(log["state"] == "unfinished" for log in found.values())
    if unfinished:
        notes.append(f"Left out: {counted(unfinished, 'unfinished match')}, which favours quick and sound agents: finish them.")
    if again := sum(log["state"] == PLAYED_BACK for log in found.values()):
        notes.append(f"Left out: {counted(again, 'match')} played back from recorded answers.")
    return [*notes, *_damaged(found)]


def _damaged(found: dict[str, Summary]) -> list[str]:
    damaged = [f"{name}: {log['why']}" for name, log in found.items() if log["state"] == "damaged"]
    more = len(damaged) - _MOST_NAMED
    rest = [f"{more} more damaged logs are left out."] if more > 0 else []
    return [f"Left out, damaged: {text}." for text in damaged[:_MOST_NAMED]] + rest


def played(log: Summary) -> Played:
    """A match as ratings see it. The same deal is the same game, rules, options, number of players and seed."""
    kind = f"{log['game']} with {log['players']}"
    deal = f"{log['game']} {log['about']} {sorted(log['options'].items())} {log['seed']}"
    return Played(
        kind,
        deal,
        tuple(log["agents"]),
        places_of(log["scores"], log["winners"]),
        tuple(log["scores"]),
        tuple(1 / len(log["winners"]) if seat in log["winners"] else 0.0 for seat in range(log["players"])),
        any(seat["penalties"] for seat in log["seats"]),
    )


class _Table:
    """The standings of one pool of matches."""

    def __init__(self, matches: Sequence[Summary], anchor: Anchor | None, draws: int) -> None:
        self._logs = matches
        self._played = [played(log) for log in matches]
        agents = {agent for match in self._played for agent in match.agents}
        if anchor is not None and anchor[0] not in agents:
            raise UsageError(f"There is no agent {anchor[0]} to anchor ratings to: there is {', '.join(sorted(agents))}.")
        self._rating = rate(self._played, draws, anchor)
        calm = [match for match in self._played if not match.is_struck]
        self._struck = len(self._played) - len(calm)
        keeps_anchor = anchor is not None and any(anchor[0] in match.agents for match in calm)
        self._calm = rate(calm, draws, anchor if keeps_anchor else None) if calm and self._struck else None

    def to_json(self, game: str, notes: list[str]) -> dict[str, Any]:
        found, shares = conducts(self._logs), measure_kinds(sorted({log["game"] for log in self._logs}))
        rating = self._rating
        calm = {rated.agent: rated for rated in self._calm.agents} if self._calm else {}
        return {
            "game": game,
            "matches": rating.matches,
            "deals": rating.deals,
            "matches_with_penalties": self._struck,
            "agents": [
                {**_rated(rated), **found[rated.agent].to_json(shares), "without_penalties": _other(calm.get(rated.agent))}
                for rated in rating.agents
            ],
            "meetings": [_meeting(meeting) for meeting in rating.meetings],
            "seats": [
                {"kind": s.kind, "seat": s.seat, "matches": s.matches}
                | {"win_share": _figure(s.win_share), "mean_score": _figure(s.mean_score)}
                for s in rating.seats
            ],
            "notes": [*notes, *_notes(rating, self._played)],
        }


def _figure(figure: Figure) -> dict[str, Any]:
    span = figure.interval
    return {"value": figure.value, "low": span.low if span else None, "high": span.high if span else None}


def _rated(rated: Rated) -> dict[str, Any]:
    return {
        "agent": rated.agent,
        "rating": _figure(rated.rating),
        "ranks": list(rated.ranks),
        "matches": rated.matches,
        "win_share": _figure(rated.win_share),
        "mean_score": _figure(rated.mean_score),
    }


def _other(rated: Rated | None) -> dict[str, Any] | None:
    return None if rated is None else {"rating": _figure(rated.rating), "matches": rated.matches}


def _meeting(meeting: Meeting) -> dict[str, Any]:
    return {
        "agents": [meeting.first, meeting.second],
        "wins": meeting.outcome.wins,
        "losses": meeting.outcome.losses,
        "ties": meeting.outcome.ties,
        "difference": _figure(meeting.difference),
        "error": meeting.error if math.isfinite(meeting.error) else None,
        "chance": meeting.chance,
        "is_established": meeting.is_established,
    }


def _notes(rating: Rating, matches: Iterable[Played]) -> list[str]:
    notes = []
    if rating.free < FEWEST_FREE:
        notes.append(
            f"Too few for intervals: {counted(rating.deals, 'deal')}; it takes {FEWEST_FREE + 1} at least of one kind."
        )
    open_pairs = [m for m in rating.meetings if not m.is_established]
    if open_pairs:
        shown = "; ".join(f"{m.first} over {m.second}" for m in open_pairs[:_MOST_NAMED])
        more = f"; and {len(open_pairs) - _MOST_NAMED} more" if len(open_pairs) > _MOST_NAMED else ""
        notes.append(f"Not established (chance alone brings it more often than {ESTABLISHED:.0%}): {shown}{more}.")
    if any(not m.have_met for m in rating.meetings):
        notes.append("Some agents are joined by no chain of matches: their ratings cannot be compared.")
    if not _is_balanced(matches):
        notes.append("Agents did not have all seats equally often, so that seats may favour some of them.")
    return notes


def _is_balanced(matches: Iterable[Played]) -> bool:
    sat: dict[tuple[str, str], Counter[int]] = {}
    size: dict[str, int] = {}
    for match in matches:
        size[match.kind] = len(match.agents)
        for seat, agent in enumerate(match.agents):
            sat.setdefault((match.kind, agent), Counter())[seat] += 1
    return all(len({seats[seat] for seat in range(size[kind])}) == 1 for (kind, _), seats in sat.items())
