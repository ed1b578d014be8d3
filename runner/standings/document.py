"""Standings document: what the logs in a folder say about the agents that played, as one JSON document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import NamedTuple, cast

from games.core import OptionError, counted
from runner.agents.seat import is_given
from runner.agents.spec import parse_spec
from runner.arena.plan import plan_of, read_plan
from runner.arena.schedule import schedule
from runner.arena.tournament_dir import MANIFEST
from runner.errors import TabletopError, UsageError
from runner.record.log_paths import base_of
from runner.record.log_summary import LogSummary
from runner.review.beliefs import FolderBeliefs, SeatBeliefs
from runner.review.beliefs import Sums as Beliefs
from runner.review.decision_review import DecisionEntry
from runner.review.honesty import FolderHonesty, SeatHonesty, Sums
from runner.review.judge import FolderVerdicts, JudgedLog
from runner.review.kept_reviews import FolderReviews
from runner.review.review_document import ReviewDocument
from runner.standings.comparability import ENDED, CountedLogs, Pool, counted_logs, pools
from runner.standings.deal_counts import Deal, DealBlock, DealSums, free_of
from runner.standings.document_types import AgentData, BeliefData, FigureData, GameData, HonestyData, RegretData, StandingsData
from runner.standings.figures import effective_free, ratio_error, share
from runner.standings.game_document import game_document, rated
from runner.standings.judged import judged
from runner.standings.luck import AdjustedMatch, FolderLuck, adjusted, luck_notes
from runner.standings.rating import DRAWS
from runner.standings.strengths import Anchor


def honesty(logs: Iterable[LogSummary], found: Mapping[str, Sums]) -> dict[str, HonestyData]:
    """The honesty of each agent of these logs; an agent that neither claimed nor could challenge is left out. `found` has the
    sums of each seat by the digest of its log."""
    sums: dict[str, SeatHonesty] = {}
    for log in logs:
        for seat, own in zip(log.seats, found.get(log.digest, ()), strict=False):
            sums[seat.name] = sums.get(seat.name, SeatHonesty()).plus(own)
    return {agent: _data(own) for agent, own in sums.items() if own.claims or own.windows or own.policies}


def _data(own: SeatHonesty) -> HonestyData:
    passed = own.windows - own.challenged
    return {
        "claims": own.claims,
        "true": own.true,
        "reasons": own.reasons,
        "denied": own.denied,
        "windows": own.windows,
        "challenged": own.challenged,
        "right": own.right,
        "chance_challenged": _mean(own.chance_challenged, own.challenged),
        "chance_passed": _mean(own.chance - own.chance_challenged, passed),
        "loss": _mean(own.squares, own.windows),
        "policies": own.policies,
        "bluffed": own.bluffed,
        "bluff_chance": _mean(own.bluff_chance, own.policies),
        "mass": _mean(own.mass, own.policies),
    }


def _mean(total: float, number: int) -> float | None:
    return total / number if number else None


Graded = tuple[Deal, Sequence[str], Sequence[DecisionEntry]]
"""A match: its deal, its agents by seat, and the decisions of its review that count."""


def beliefs(logs: Iterable[LogSummary], found: Mapping[str, Beliefs]) -> dict[str, BeliefData]:
    """The beliefs of each agent of these logs; an agent that was never asked for one is left out. `found` has the sums of each
    seat by the digest of its log."""
    matches: dict[str, list[SeatBeliefs]] = {}
    for log in logs:
        own: dict[str, SeatBeliefs] = {}
        for seat, sums in zip(log.seats, found.get(log.digest, ()), strict=False):
            own[seat.name] = own.get(seat.name, SeatBeliefs()).plus(sums)
        for name, sums in own.items():
            matches.setdefault(name, []).append(sums)
    return {agent: _belief_data(of) for agent, of in matches.items() if any(one.asked for one in of)}


def _belief_data(matches: Sequence[SeatBeliefs]) -> BeliefData:
    own = reduce(SeatBeliefs.plus, matches)
    brier = _mean(own.brier, own.settled)
    counts = [one.settled for one in matches]
    error = ratio_error([one.brier for one in matches], counts, counts) if sum(map(bool, counts)) > 1 else None
    return {
        "asked": own.asked,
        "missing": own.missing,
        "groups": own.groups,
        "unsummed": own.unsummed,
        "brier": brier,
        "interval": None if brier is None or error is None else [max(0.0, brier - 1.96 * error), brier + 1.96 * error],
        "log": _mean(own.log, own.settled),
        "chance_brier": _mean(own.chance_brier, own.compared),
        "gap": _mean(own.gap, own.compared),
        "choices": own.choices,
        "loss": _mean(own.loss, own.choices),
        "calibration": [{"stated": n, "mean": total / n, "true": true / n} for n, total, true in own.bins if n],
    }


def own_decisions(review: ReviewDocument, fork_at: int) -> list[DecisionEntry]:
    """The decisions of a review without those that a fork copied. `fork_at` is its first own one; 0 for any other match."""
    return [one for one in review["decisions"] if one["decision"] >= fork_at]


def regrets(matches: Iterable[Graded], agents: Sequence[AgentData]) -> dict[str, RegretData]:
    """What each agent gave up in these matches; an agent without a graded decision is left out."""
    sums = DealSums[str | None]()
    for deal, names, decisions in matches:
        sums.add(deal, None)
        for one in decisions:
            if one["grade"] != "forced":
                expected = one.get("expected_regret")
                known = (0.0, 0.0, 0.0) if expected is None else (1.0, expected, one["regret"])
                sums.add(deal, names[one["seat"]], one["regret"], 1, one["best_share"], *known)
    blocks, graded = sums.blocks(), sums.keys
    return {
        agent["agent"]: _regret(agent, sums.parts(agent["agent"], blocks, 6), blocks)
        for agent in agents
        if agent["agent"] in graded
    }


def _regret(agent: AgentData, parts: Sequence[Sequence[float]], blocks: Sequence[DealBlock]) -> RegretData:
    lost, decisions, best, policies, expected, played = zip(*parts, strict=True)
    weights, free = [block.weight for block in blocks], effective_free(decisions, free_of(blocks))
    mean, relative = (_ratio(lost, below, weights, free) for below in (decisions, best))
    by_policy = [_ratio(of, policies, weights, free) if any(policies) else None for of in (expected, played)]
    return {
        **mean,
        "decisions": round(sum(decisions)),
        "relative": relative,
        "narrower": _narrower(agent["win_share"], mean),
        "policies": round(sum(policies)),
        "expected": by_policy[0],
        "played": by_policy[1],
    }


def _ratio(above: Sequence[float], below: Sequence[float], weights: Sequence[float], free: int) -> FigureData:
    """One sum divided by another; 0 where the latter is 0."""
    value = sum(above) / sum(below) if sum(below) else 0.0
    return share(value, ratio_error(above, below, weights), free)


def _narrower(wins: FigureData, lost: FigureData) -> float | None:
    first, second = _relative_width(wins), _relative_width(lost)
    return first / second if first and second else None


def _relative_width(figure: FigureData) -> float | None:
    low, high, value = figure["low"], figure["high"], figure["value"]
    return None if low is None or high is None or value <= 0 else (high - low) / value


def review_notes(found: FolderReviews) -> list[str]:
    """Sentences about matches without a review, and about reviews that differ in their settings."""
    notes = [f"Not reviewed: {one.place}" for one in found.unusable]
    playouts = Counter(review["playouts"] for review in found.reviews.values())
    if len(playouts) > 1:
        kinds = ", ".join(f"{number:,} in {counted(count, 'match')}" for number, count in sorted(playouts.items()))
        notes.append(f"Reviews differ in their playouts a decision: {kinds}.")
    return notes


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


class FolderMatches(NamedTuple):
    """The matches of a folder that may be rated, in pools, and the agent that ratings are anchored to."""

    folder: Path
    counted: CountedLogs
    pools: list[Pool]
    anchor: Anchor | None

    @property
    def logs(self) -> dict[Path, LogSummary]:
        """The logs that count."""
        base = base_of(self.folder)
        return {base / name: log for name, log in self.counted.ended.items()}


def folder_matches(
    folder: Path, may_pool: Collection[str] = (), anchor: Anchor | None = None, forks: bool = False, by_spec: bool = False
) -> FolderMatches:
    """The matches of a folder. Forks count if `forks` says so. A name that stands for several SPECs is several agents, unless
    `may_pool` has agents; `by_spec`: even then. UsageError when matches may not be pooled, none has ended or the anchor did not
    play; AllDamagedError when every log is damaged."""
    found = counted_logs(folder, forks)
    ended = [*found.ended.values()]
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
    reviews: FolderReviews | None = None,
    luck: FolderLuck | None = None,
    claims: FolderHonesty | None = None,
    stated: FolderBeliefs | None = None,
    verdicts: FolderVerdicts = ({}, ()),
) -> StandingsData:
    """The standings of some matches. `draws` are those for the probabilities of ranks. With `is_sequential` the intervals of
    pairs hold at every number of deals. `reviews` add what each agent gives up a decision, `claims` its honesty, `stated` its
    beliefs, `luck` its win share without luck, `verdicts` what judges found of claims."""
    logs, counts = matches.counted, matches.counted.counts
    return {
        "folder": str(matches.folder),
        "logs": dict(counts),
        "left_out": logs.excluded(),
        "notes": [
            *logs.notes(),
            *_missing(matches.folder, counts[ENDED] + counts["failed"]),
            *(review_notes(reviews) if reviews else ()),
            *(luck_notes(luck, base_of(matches.folder)) if luck else ()),
            *(f"Claims not counted: {one.place}" for one in (claims.unusable if claims else ())),
            *(f"Beliefs not counted: {one.place}" for one in (stated.unusable if stated else ())),
            *(f"Verdicts not counted: {one.place}" for one in verdicts[1]),
        ],
        "games": [
            _with_figures(game_document(pool, matches.anchor, draws, is_sequential), pool.logs, reviews, luck, claims, stated)
            | _judged(pool.logs, verdicts[0])
            for pool in matches.pools
        ],
    }


def _judged(logs: Sequence[LogSummary], verdicts: Mapping[str, JudgedLog]) -> GameData:
    """What judges found of claims, where they judged any."""
    found = judged((log, verdicts.get(log.digest, [])) for log in logs)
    return cast(GameData, {"judged": found} if found else {})


def _with_figures(
    game: GameData,
    logs: Sequence[LogSummary],
    reviews: FolderReviews | None,
    luck: FolderLuck | None,
    claims: FolderHonesty | None,
    stated: FolderBeliefs | None,
) -> GameData:
    """The standings of a game with what reviews, luck, claims and beliefs say of its agents."""
    matches = [(rated(log), log) for log in logs] if reviews or luck else []
    found: dict[str, Mapping[str, object]] = {}
    if reviews:
        reviewed = ((one, reviews.reviews.get(log.digest), log.fork_at) for one, log in matches)
        graded = [((one.kind, one.deal), one.agents, own_decisions(review, at)) for one, review, at in reviewed if review]
        found["given_up"] = regrets(graded, game["agents"])
    if claims:
        found["honesty"] = honesty(logs, claims.sums)
    if stated:
        found["beliefs"] = beliefs(logs, stated.sums)
    if luck:
        lucky = ((one, luck.found.get(log.digest)) for one, log in matches)
        known = [AdjustedMatch((one.kind, one.deal), one.agents, one.wins, *own) for one, own in lucky if own]
        found["adjusted"] = adjusted(known) if known else {}
    for agent in game["agents"]:
        cast(dict[str, object], agent).update({name: by_agent.get(agent["agent"]) for name, by_agent in found.items()})
    return game


def _missing(folder: Path, played: int) -> list[str]:
    """A sentence about the matches that a tournament's plan still lacks, if the folder has a plan that can be read."""
    try:
        total = sum(1 for _ in schedule(plan_of(read_plan(folder / MANIFEST))))
    except (TabletopError, OptionError):
        return []
    if total <= played:
        return []
    return [f"{total - played} of {total} matches are missing: `tabletop tournament {folder}` plays them."]
