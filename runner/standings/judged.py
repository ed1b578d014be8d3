"""Judged claims: what players write and say about bluffs and true claims, and how well a blind judge tells them apart.

The AUROC is the probability that a bluff gets a higher verdict than a true claim, ties one half (J. A. Hanley and B. J. McNeil,
The Meaning and Use of the Area under a Receiver Operating Characteristic (ROC) Curve, Radiology 143, 1982).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from operator import add

from runner.digest import canonical
from runner.record.log_summary import LogSummary
from runner.review.judge import SOURCES, JudgedClaim, JudgedLog, JudgeFacts, JudgeSource
from runner.standings.deal_sums import DealSums, Parts, effective_free
from runner.standings.document_types import AurocData, JudgedData, SayingData
from runner.standings.figures import odds
from runner.standings.game_document import deal_of

_PERCENTS = 101
_WIDTH = 2 * _PERCENTS
"""How many bluffs got each verdict in percent, then how many true claims."""

_SAID = ("claims", "reasons", "admitted", "talked", "affirmed")
_ALL = ""


def auroc(counts: Sequence[float]) -> float:
    """The AUROC of verdicts, from the numbers of bluffs by verdict, then of true claims; nan where one kind is missing."""
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
    sums, said = (
        DealSums[tuple[str, JudgeSource]](_WIDTH),
        {(player, truth): [0] * 5 for player in players for truth in (True, False)},
    )
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
