"""Standings document: what the logs in a folder say about the agents that played, as one JSON document."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from games.core.errors import OptionError
from runner.arena.plan_file import plan_of, read_plan
from runner.arena.schedule import schedule
from runner.arena.tournament_dir import MANIFEST
from runner.errors import TabletopError, UsageError
from runner.record.log_folder import summaries
from runner.record.log_paths import base_of
from runner.record.log_summary import LogSummary
from runner.review.folder_reviews import FolderReviews
from runner.standings.adjusted import AdjustedMatch, adjusted
from runner.standings.agent_honesty import FolderHonesty, honesty
from runner.standings.agent_names import told_apart
from runner.standings.comparability import pools
from runner.standings.document_types import GameData, StandingsData
from runner.standings.folder_luck import FolderLuck, luck_notes
from runner.standings.game_document import game_document, rated
from runner.standings.given_up import given_up, own_decisions, review_notes
from runner.standings.left_out import ENDED, check_any_ended, counted_logs
from runner.standings.rating import DRAWS
from runner.standings.rating_types import Anchor

Reviewing = Callable[[Sequence[Path]], FolderReviews]
"""Makes the reviews of logs."""

Adjusting = Callable[[Mapping[Path, LogSummary]], FolderLuck]
"""Finds the luck in matches."""

Reckoning = Callable[[Sequence[Path]], FolderHonesty]
"""Sums up the claims and challenges of logs."""


def standings(
    folder: Path,
    may_pool: Collection[str] = (),
    anchor: Anchor | None = None,
    draws: int = DRAWS,
    reviewing: Reviewing | None = None,
    forks: bool = False,
    by_spec: bool = False,
    is_sequential: bool = False,
    adjusting: Adjusting | None = None,
    reckoning: Reckoning | None = None,
) -> StandingsData:
    """The standings of a folder. Forks count if `forks` says so.

    `reviewing` adds what each agent gives up a decision, `reckoning` its honesty, `adjusting` its win share without luck. With
    `is_sequential` the intervals of pairs hold at every number of deals. A name that stands for several SPECs is several
    agents, unless `may_pool` has agents; `by_spec`: even then.

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
    _check_anchor(anchor, ended)
    found_pools = pools(ended, may_pool)
    base = base_of(folder)
    paths = [base / name for name in chosen.names]
    reviews = reviewing(paths) if reviewing else None
    claims = reckoning(paths) if reckoning else None
    luck = adjusting(dict(zip(paths, chosen.ended, strict=True))) if adjusting else None
    return {
        "folder": str(folder),
        "logs": dict(counts),
        "left_out": chosen.left_out(),
        "notes": [
            *chosen.notes(),
            *_missing(folder, counts[ENDED] + counts["failed"]),
            *(review_notes(reviews) if reviews else ()),
            *(luck_notes(luck, base) if luck else ()),
        ],
        "games": [
            _with_luck(
                _with_honesty(
                    _with_reviews(game_document(*pool, anchor, draws, is_sequential), pool.logs, reviews), pool.logs, claims
                ),
                pool.logs,
                luck,
            )
            for pool in found_pools
        ],
    }


def _check_anchor(anchor: Anchor | None, logs: Sequence[LogSummary]) -> None:
    """UsageError for an anchor that did not play."""
    agents = {name for log in logs for name in log.names}
    if anchor is not None and anchor[0] not in agents:
        raise UsageError(f"There is no agent {anchor[0]} to anchor ratings to: there is {', '.join(sorted(agents))}.")


def _with_reviews(game: GameData, logs: Sequence[LogSummary], reviews: FolderReviews | None) -> GameData:
    """The standings of a game with what each agent gives up; as they are without reviews."""
    if reviews is None:
        return game
    played = ((rated(log), reviews.of(log.digest), log.fork_at) for log in logs)
    graded = [((one.kind, one.deal), one.agents, own_decisions(review, at)) for one, review, at in played if review]
    found = given_up(graded, game["agents"]) if graded else {}
    return game | {"agents": [agent | {"given_up": found.get(agent["agent"])} for agent in game["agents"]]}


def _with_luck(game: GameData, logs: Sequence[LogSummary], luck: FolderLuck | None) -> GameData:
    """The standings of a game with adjusted win shares; as they are without the luck of its matches."""
    if luck is None:
        return game
    played = ((rated(log), luck.found.get(log.digest)) for log in logs)
    matches = [AdjustedMatch((match.kind, match.deal), match.agents, match.wins, *found) for match, found in played if found]
    figures = adjusted(matches) if matches else {}
    return game | {"agents": [agent | {"adjusted": figures.get(agent["agent"])} for agent in game["agents"]]}


def _with_honesty(game: GameData, logs: Sequence[LogSummary], claims: FolderHonesty | None) -> GameData:
    """The standings of a game with the honesty of each agent; as they are without claims."""
    if claims is None:
        return game
    found = honesty(logs, claims)
    return game | {"agents": [agent | {"honesty": found.get(agent["agent"])} for agent in game["agents"]]}


def _missing(folder: Path, played: int) -> list[str]:
    """A sentence about the matches that a tournament's plan still lacks, if the folder has a plan that can be read."""
    try:
        total = sum(1 for _ in schedule(plan_of(read_plan(folder / MANIFEST))))
    except (TabletopError, OptionError):
        return []
    if total <= played:
        return []
    return [f"{total - played} of {total} matches are missing: `tabletop tournament {folder}` plays them."]
