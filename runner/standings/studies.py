"""Studies: what standings can add from the logs of agents: regret by review, honesty, beliefs, verdicts of judges on claims."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import add
from typing import Any, NamedTuple

from games.core import counted
from games.search.stated import BINS
from games.statistics.columns import totals_of
from games.statistics.deal_sums import Deal, DealSums, Parts, effective_free
from games.statistics.document_types import (
    AgentData,
    AurocData,
    BeliefData,
    FigureData,
    GameData,
    HonestyData,
    JudgedData,
    RegretData,
    SayingData,
)
from games.statistics.figures import odds, within
from runner.digest import canonical
from runner.record.log_folder import PerLog
from runner.record.log_summary import LogSummary
from runner.review.decision_review import DecisionEntry
from runner.review.judge import SOURCES, JudgedClaim, JudgedLog, JudgeFacts, JudgeSource
from runner.review.logged_answers import SeatSums
from runner.review.review_document import ReviewDocument
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
    wins, losses = _relative_width(agent["win_share"]), _relative_width(lost)
    return {
        **lost,
        "decisions": round(parts.sums[_DECISIONS]),
        "relative": parts.mean(_LOST, _BEST),
        "narrower": wins / losses if wins and losses else None,
        "policies": round(parts.sums[_POLICIES]),
        "expected": parts.mean(_EXPECTED, _POLICIES) if has_policies else None,
        "played": parts.mean(_PLAYED, _POLICIES) if has_policies else None,
    }


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


# -- what judges found ------------------------------------------------------------------------------------------------

_PERCENTS = 101
_WIDTH = 2 * _PERCENTS
"""How many bluffs got each verdict in percent, then how many true claims."""

_SAID = ("claims", "reasons", "admitted", "talked", "affirmed")
_ALL = ""


def auroc(counts: Sequence[float]) -> float:
    """The AUROC of verdicts, from the numbers of bluffs by verdict, then of true claims; nan where one kind is missing. It is
    the probability that a bluff gets a higher verdict than a true claim, ties one half (J. A. Hanley and B. J. McNeil, The
    Meaning and Use of the Area under a Receiver Operating Characteristic (ROC) Curve, Radiology 143, 1982)."""
    below = ahead = 0.0
    for bluffs, true in zip(counts[:_PERCENTS], counts[_PERCENTS:], strict=True):
        ahead += bluffs * (below + true / 2)
        below += true
    pairs = sum(counts[:_PERCENTS]) * below
    return ahead / pairs if pairs else math.nan


def judged(logs: Iterable[tuple[LogSummary, JudgedLog]]) -> list[JudgedData]:
    """What claims say, and the verdicts of each judge on them, of all players and of each."""
    judges = dict[str, tuple[JudgeFacts, list[tuple[LogSummary, list[JudgedClaim]]]]]()
    for log, found in logs:
        for facts, claims in found:
            judges.setdefault(canonical(dict(facts)), (facts, []))[1].append((log, claims))
    return [_judged(*one) for one in judges.values()]


def _judged(judge: JudgeFacts, matches: Sequence[tuple[LogSummary, list[JudgedClaim]]]) -> JudgedData:
    players = [_ALL, *dict.fromkeys(log.names[row.seat] for log, claims in matches for row, _ in claims)]
    sums = DealSums[tuple[str, JudgeSource]](_WIDTH)
    said = {(player, truth): [0] * 5 for player in players for truth in (True, False)}
    for log, claims in matches:
        counts = dict[tuple[str, JudgeSource], list[float]]()
        for row, verdicts in claims:
            is_true = row.claim is not None and row.claim.is_true
            facts = (True, row.denied is not None, bool(row.denied), row.affirmed is not None, bool(row.affirmed))
            for player in (_ALL, log.names[row.seat]):
                said[player, is_true] = list(map(add, said[player, is_true], facts))
                for source, percent in verdicts.items():
                    if percent is not None:
                        counts.setdefault((player, source), [0.0] * _WIDTH)[percent + _PERCENTS * is_true] += 1
        for key, own in counts.items():
            sums.add(deal_of(log), key, *own)
    blocks, figures = sums.blocks(), dict[str, SayingData]()
    for player in players:
        found = {str(source): _figure(sums.parts((player, source), blocks)) for source in SOURCES}
        bluffs, true = (dict(zip(_SAID, said[player, truth], strict=True)) for truth in (False, True))
        figures[player] = {"bluffs": bluffs, "true": true, "auroc": found}
    answers = [verdict for _, claims in matches for one in claims for verdict in one.verdicts.values()]
    return {
        "judge": judge["spec"],
        "model": str(judge["model"].get("model", "")),
        "prompts": str(judge["prompts"].get("pack", "")),
        "deals": len({deal_of(log) for log, _ in matches}),
        "verdicts": len(answers),
        "failed": answers.count(None),
        "all": figures.pop(_ALL),
        "players": figures,
    }


def _figure(parts: Parts) -> AurocData:
    """The AUROC with an interval over deals; without one where a deal has all of a kind, or nothing varies."""
    sums, value, kinds = parts.sums, auroc(parts.sums), (slice(_PERCENTS), slice(_PERCENTS, _WIDTH))
    free = min(effective_free([sum(row[kind]) for row in parts.rows], parts.blocks.free) for kind in kinds)
    (error,) = parts.errors(lambda sums: [auroc(sums)])
    found = None if math.isnan(value) else odds(value, error, free)
    return {"claims": round(sum(sums)), "bluffs": round(sum(sums[:_PERCENTS])), "figure": found}
