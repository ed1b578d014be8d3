"""Standings document: what the logs in a folder say about the agents that played, as one JSON document."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, cast

from games.core import OptionError
from games.statistics.document_types import GameData, StandingsData
from games.statistics.strengths import Anchor
from runner.agents.spec import HUMAN, is_given, parse_spec
from runner.arena.plan import Plan, plan_of, read_plan
from runner.arena.schedule import schedule
from runner.arena.tournament_dir import MANIFEST
from runner.errors import TabletopError, UsageError
from runner.record.log_folder import PerLog
from runner.record.log_paths import base_of
from runner.record.log_summary import LogSummary
from runner.review.judge import JudgedLog
from runner.standings.comparability import ENDED, FAILED, CountedLogs, Pool, counted_logs, pools
from runner.standings.game_document import game_document
from runner.standings.rating import DRAWS
from runner.standings.studies import Study, judged, left_out

_NO_VERDICTS = PerLog[JudgedLog]({})


def with_distinct_names(logs: Sequence[LogSummary]) -> list[LogSummary]:
    """The logs, where a given name that stands for several SPECs has its SPEC beside it: `ada (openai/gpt-5-mini)`."""
    specs: dict[str, set[str]] = {}
    for name, spec in {(seat.name, seat.spec) for log in logs for seat in log.seats}:
        if is_given(name, parse_spec(spec)):
            specs.setdefault(name, set()).add(spec)
    shared = {name for name, found in specs.items() if len(found) > 1}
    return [
        log._replace(
            seats=tuple(seat._replace(name=f"{seat.name} ({seat.spec})") if seat.name in shared else seat for seat in log.seats)
        )
        for log in logs
    ]


def _with_agreed_names(log: LogSummary) -> LogSummary:
    """The log, where people who did not agree that results show their names are all called human."""
    return log._replace(seats=tuple(seat._replace(name=HUMAN) if seat.consent is False else seat for seat in log.seats))


def _people(logs: Sequence[LogSummary]) -> Iterator[str]:
    """A sentence about people who agreed that results show their names."""
    if named := sorted({seat.name for log in logs for seat in log.seats if seat.consent}):
        yield f"People who agreed to be named: {', '.join(named)}. Others count together as {HUMAN}."


class FolderMatches(NamedTuple):
    """The matches of a folder that may be rated, in pools, and the agent that ratings are anchored to."""

    folder: Path
    counted: CountedLogs
    pools: list[Pool]
    anchor: Anchor | None

    @property
    def logs(self) -> dict[Path, LogSummary]:
        base = base_of(self.folder)
        return {base / name: log for name, log in self.counted.ended.items()}


def folder_matches(
    folder: Path, may_pool: Collection[str] = (), anchor: Anchor | None = None, forks: bool = False, by_spec: bool = False
) -> FolderMatches:
    """The matches of a folder. Forks count if `forks` says so. A name that stands for several SPECs is several agents, unless
    `may_pool` has agents; `by_spec`: even then. UsageError when matches may not be pooled, none has ended or the anchor did not
    play; AllDamagedError when every log is damaged."""
    found = counted_logs(folder, forks)
    ended = [_with_agreed_names(log) for log in found.ended.values()]
    if by_spec or "agents" not in may_pool:
        ended = with_distinct_names(ended)
    agents = {name for log in ended for name in log.names}
    if anchor is not None and anchor[0] not in agents:
        raise UsageError(f"There is no agent {anchor[0]} to anchor ratings to: there is {', '.join(sorted(agents))}.")
    return FolderMatches(folder, found, pools(ended, may_pool), anchor)


def standings(
    matches: FolderMatches,
    draws: int = DRAWS,
    is_sequential: bool = False,
    studies: Sequence[Study] = (),
    verdicts: PerLog[JudgedLog] = _NO_VERDICTS,
) -> StandingsData:
    """The standings of some matches. `draws` are those for the probabilities of ranks. With `is_sequential`, or a plan that
    ends once it is sure, the intervals of pairs hold at every number of deals. `studies` add figures of each agent, `verdicts`
    what judges found of claims."""
    logs, counts, plan = matches.counted, matches.counted.counts, _plan(matches.folder)
    is_sequential = is_sequential or (plan is not None and plan.until is not None)
    return {
        "folder": str(matches.folder),
        "logs": dict(counts),
        "left_out": logs.excluded(),
        "notes": [
            *logs.notes(),
            *_people([log for pool in matches.pools for log in pool.logs]),
            *([] if plan is None else _missing(plan, matches.folder, counts[ENDED] + counts[FAILED])),
            *(note for study in studies for note in study.notes),
            *left_out("Verdicts not counted", verdicts),
        ],
        "games": [
            _studied(game_document(pool, matches.anchor, draws, is_sequential), pool.logs, studies)
            | _judged(pool.logs, verdicts.found)
            for pool in matches.pools
        ],
    }


def _studied(game: GameData, logs: Sequence[LogSummary], studies: Sequence[Study]) -> GameData:
    for study in studies:
        found = study.figures(logs, game)
        for agent in game["agents"]:
            cast(dict[str, object], agent)[study.field] = found.get(agent["agent"])
    return game


def _judged(logs: Sequence[LogSummary], verdicts: Mapping[str, JudgedLog]) -> GameData:
    found = judged((log, verdicts.get(log.digest, [])) for log in logs)
    return cast(GameData, {"judged": found} if found else {})


def _plan(folder: Path) -> Plan | None:
    """The plan of a tournament's folder, if it has one that can be read."""
    try:
        return plan_of(read_plan(folder / MANIFEST))
    except (TabletopError, OptionError):
        return None


def _missing(plan: Plan, folder: Path, played: int) -> list[str]:
    """A sentence about the matches that a tournament's plan still lacks."""
    if (total := sum(1 for _ in schedule(plan))) <= played:
        return []
    if plan.until is not None:
        return [f"{played} of at most {total} matches are played: none begins once every pair is surely told apart."]
    return [f"{total - played} of {total} matches are missing: `tabletop tournament {folder}` plays them."]
