"""Skin effects: what an agent wins, and how often its answers are invalid, in other words than the game's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from runner.record.log_summary import OWN_WORDS, LogSummary
from runner.standings.deal_counts import Deal, DealBlock, DealSums, RatedMatch, free_of, summed
from runner.standings.document_types import FigureData, SkinData
from runner.standings.figures import effective_free, figure, jackknife_error, share

_WIDTH = 4
Parts = Sequence[Sequence[float]]
"""For each block of deals matches, wins, answers and invalid answers."""


def skin_effects(matches: Iterable[tuple[RatedMatch, LogSummary]]) -> list[SkinData]:
    """Each model with each skin that it played with, beside the same model with the game's own words; none without those."""
    sums = DealSums[tuple[str, str]]()
    for match, log in matches:
        deal: Deal = (match.kind, match.deal)
        for seat, wins in zip(log.seats, match.wins, strict=True):
            if seat.prompt_tokens:
                terms = (1.0, wins, float(seat.answers), float(sum(seat.mistakes.values())))
                sums.add(deal, (seat.name, str(log.conditions["skin"])), *terms)
    blocks = sums.blocks()
    return list(_effects(sums, blocks))


def _effects(sums: DealSums[tuple[str, str]], blocks: Sequence[DealBlock]) -> Iterator[SkinData]:
    weights = [block.weight for block in blocks]
    for agent, skin in sorted(sums.keys):
        if skin == OWN_WORDS or (agent, OWN_WORDS) not in sums.keys:
            continue
        there, here = (sums.parts((agent, words), blocks, _WIDTH) for words in (skin, OWN_WORDS))
        both = [[*one, *other] for one, other in zip(there, here, strict=True)]
        free = effective_free([part[0] + part[_WIDTH] for part in both], free_of(blocks))

        yield {
            "agent": agent,
            "skin": skin,
            "matches": round(sum(part[0] for part in there)),
            "own_matches": round(sum(part[0] for part in here)),
            "win_share": _share(there, weights, free),
            "own_win_share": _share(here, weights, free),
            "difference": _difference(both, weights, free, 0),
            "mistake_rate": _rate(summed(there)[3], summed(there)[2]),
            "own_mistake_rate": _rate(summed(here)[3], summed(here)[2]),
            "mistake_difference": _difference(both, weights, free, 2),
        }


def _share(parts: Parts, weights: Sequence[float], free: int) -> FigureData:
    whole = summed(parts)
    error = jackknife_error(parts, weights, lambda sums: _rate(sums[1], sums[0]))
    return share(_rate(whole[1], whole[0]), error, free)


def _difference(parts: Parts, weights: Sequence[float], free: int, place: int) -> FigureData:
    """The difference of a rate; `parts` have the figures with the skin before those without, at `place` what the rate is of."""

    def of(sums: Sequence[float]) -> float:
        return _rate(sums[place + 1], sums[place]) - _rate(sums[place + _WIDTH + 1], sums[place + _WIDTH])

    return figure(of(summed(parts)), jackknife_error(parts, weights, of), free)


def _rate(above: float, below: float) -> float:
    return above / below if below else 0.0
