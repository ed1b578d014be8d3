"""Studies: what standings can add to the entry of each agent from its logs: regret by review, honesty, beliefs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from games.core import counted
from runner.record.log_summary import LogSummary
from runner.review.beliefs import BINS
from runner.review.decision_review import DecisionEntry
from runner.review.each_log import PerLog
from runner.review.logged_answers import SeatSums
from runner.review.review_document import ReviewDocument
from runner.standings.columns import totals_of
from runner.standings.deal_sums import Deal, DealSums
from runner.standings.document_types import AgentData, BeliefData, FigureData, GameData, HonestyData, RegretData
from runner.standings.figures import within
from runner.standings.game_document import deal_of


class Study(NamedTuple):
    """What is known of the agents of a game: the field of their entries that it fills, their figures by name, from the logs of
    the game and its standings, and notes."""

    field: str
    figures: Callable[[Sequence[LogSummary], GameData], Mapping[str, object]]
    notes: Sequence[str] = ()


def left_out(what: str, found: PerLog[Any]) -> list[str]:
    return [f"{what}: {one.place}" for one in found.unusable]


# -- regret -----------------------------------------------------------------------------------------------------------

Graded = tuple[Deal, Sequence[str], Sequence[DecisionEntry]]
"""A match: its deal, its agents by seat, and the decisions of its review that count."""

_LOST, _DECISIONS, _BEST, _POLICIES, _EXPECTED, _PLAYED, _TERMS = range(7)


def regret_study(found: PerLog[ReviewDocument]) -> Study:
    def figures(logs: Sequence[LogSummary], game: GameData) -> Mapping[str, object]:
        reviewed = ((log, found.found.get(log.digest)) for log in logs)
        graded = ((deal_of(log), log.names, own_decisions(review, log.fork_at)) for log, review in reviewed if review)
        return regrets(graded, game["agents"])

    notes = left_out("Not reviewed", found)
    playouts = Counter(review["playouts"] for review in found.found.values())
    if len(playouts) > 1:
        kinds = ", ".join(f"{number:,} in {counted(count, 'match')}" for number, count in sorted(playouts.items()))
        notes.append(f"Reviews differ in their playouts a decision: {kinds}.")
    return Study("given_up", figures, notes)


def own_decisions(review: ReviewDocument, fork_at: int) -> list[DecisionEntry]:
    """The decisions of a review without those that a fork copied. `fork_at` is its first own one; 0 for any other match."""
    return [one for one in review["decisions"] if one["decision"] >= fork_at]


def regrets(matches: Iterable[Graded], agents: Sequence[AgentData]) -> dict[str, RegretData]:
    """What each agent gave up in these matches; an agent without a graded decision is left out."""
    sums = DealSums[str | None](_TERMS)
    for deal, names, decisions in matches:
        sums.add(deal, None)
        for one in decisions:
            if one["grade"] != "forced":
                expected = one.get("expected_regret")
                known = (0.0, 0.0, 0.0) if expected is None else (1.0, expected, one["regret"])
                sums.add(deal, names[one["seat"]], one["regret"], 1, one["best_share"], *known)
    return {agent["agent"]: _regret(agent, sums) for agent in agents if agent["agent"] in sums.keys}


def _regret(agent: AgentData, sums: DealSums[str | None]) -> RegretData:
    parts = sums.parts(agent["agent"])
    lost, has_policies = parts.mean(_LOST, _DECISIONS), parts.sums[_POLICIES] > 0
    return {
        **lost,
        "decisions": round(parts.sums[_DECISIONS]),
        "relative": parts.mean(_LOST, _BEST),
        "narrower": _narrower(agent["win_share"], lost),
        "policies": round(parts.sums[_POLICIES]),
        "expected": parts.mean(_EXPECTED, _POLICIES) if has_policies else None,
        "played": parts.mean(_PLAYED, _POLICIES) if has_policies else None,
    }


def _narrower(wins: FigureData, lost: FigureData) -> float | None:
    first, second = _relative_width(wins), _relative_width(lost)
    return first / second if first and second else None


def _relative_width(figure: FigureData) -> float | None:
    low, high, value = figure["low"], figure["high"], figure["value"]
    return None if low is None or high is None or value <= 0 else (high - low) / value


# -- what was claimed and stated --------------------------------------------------------------------------------------


def honesty_study(found: PerLog[SeatSums]) -> Study:
    """The claims and challenges of each agent; None for one that neither claimed nor could challenge."""

    def figures(logs: Sequence[LogSummary], game: GameData) -> Mapping[str, object]:
        sums = {agent: _added(own) for agent, own in _by_agent(logs, found)}
        return {
            agent: totals_of(HonestyData, own)
            for agent, own in sums.items()
            if own["claims"] or own["windows"] or own["policies"]
        }

    return Study("honesty", figures, left_out("Claims not counted", found))


def belief_study(found: PerLog[SeatSums]) -> Study:
    def figures(logs: Sequence[LogSummary], game: GameData) -> Mapping[str, object]:
        return {agent: _belief(own) for agent, own in _by_agent(logs, found) if any(sums["asked"] for _, sums in own)}

    return Study("beliefs", figures, left_out("Beliefs not counted", found))


def _belief(own: Sequence[tuple[Deal, Counter[str]]]) -> Mapping[str, object]:
    total, sums = _added(own), DealSums[str](2)
    for deal, one in own:
        sums.add(deal, "brier", one["brier"], one["compared"])
    brier = within(sums.parts("brier").mean(0, 1), 0, 1)
    bins = [(total[f"stated {part}"], total[f"sum {part}"], total[f"true {part}"]) for part in range(BINS)]
    return {
        **totals_of(BeliefData, total),
        "interval": None if brier["low"] is None else [brier["low"], brier["high"]],
        "calibration": [{"stated": n, "mean": stated / n, "true": true / n} for n, stated, true in bins if n],
    }


def _by_agent(logs: Iterable[LogSummary], found: PerLog[SeatSums]) -> Iterator[tuple[str, Sequence[tuple[Deal, Counter[str]]]]]:
    agents: dict[str, list[tuple[Deal, Counter[str]]]] = {}
    for log in logs:
        for seat, sums in zip(log.seats, found.found.get(log.digest, ()), strict=False):
            agents.setdefault(seat.name, []).append((deal_of(log), sums))
    yield from agents.items()


def _added(own: Iterable[tuple[Deal, Counter[str]]]) -> Counter[str]:
    total = Counter[str]()
    for _, sums in own:
        total.update(sums)
    return total
