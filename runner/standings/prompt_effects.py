"""Prompt effects: what models do by the order of choices (position bias), and in other words than the game's own (skins)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from runner.record.choice_places import KINDS
from runner.record.log_summary import OWN_WORDS, LogSummary
from runner.standings.deal_counts import RatedMatch
from runner.standings.deal_sums import DealSums, ratio
from runner.standings.document_types import BiasData, SkinData
from runner.standings.figures import rescaled


def position_bias(matches: Iterable[tuple[RatedMatch, LogSummary]]) -> Iterator[BiasData]:
    """How much more often than chance would each agent whose choices were shuffled takes the first, the last, the shortest."""
    sums = DealSums[tuple[str, str]](3)
    for match, log in matches:
        for seat in log.seats:
            for kind, terms in seat.places.items():
                sums.add((match.kind, match.deal), (seat.name, kind), *terms)
    for agent, kind in sorted(sums.keys, key=lambda key: (key[0], KINDS.index(key[1]))):
        parts = sums.parts((agent, kind))
        answers, taken, expected = parts.sums
        yield {
            "agent": agent,
            "place": kind,
            "answers": round(answers),
            "taken": taken / answers,
            "expected": expected / answers,
            "excess": rescaled(parts.share(1, 0), plus=-expected / answers),
        }


_MATCHES, _WINS, _ANSWERS, _INVALID = range(4)


def skin_effects(matches: Iterable[tuple[RatedMatch, LogSummary]]) -> Iterator[SkinData]:
    """Each model with each skin that it played with, beside the same model with the game's own words; none without those."""
    sums = DealSums[tuple[str, str]](4)
    for match, log in matches:
        for seat, wins in zip(log.seats, match.wins, strict=True):
            if seat.prompt_tokens:
                invalid = sum(seat.mistakes.values())
                sums.add((match.kind, match.deal), (seat.name, str(log.conditions["skin"])), 1, wins, seat.answers, invalid)
    blocks = sums.blocks()
    for agent, skin in sorted(sums.keys):
        if skin == OWN_WORDS or (agent, OWN_WORDS) not in sums.keys:
            continue
        there, here = (sums.parts((agent, words), blocks) for words in (skin, OWN_WORDS))
        yield {
            "agent": agent,
            "skin": skin,
            "matches": round(there.sums[_MATCHES]),
            "own_matches": round(here.sums[_MATCHES]),
            "win_share": there.share(_WINS, _MATCHES),
            "own_win_share": here.share(_WINS, _MATCHES),
            "difference": there.difference(here, _WINS, _MATCHES)[0],
            "mistake_rate": ratio(there.sums, _INVALID, _ANSWERS),
            "own_mistake_rate": ratio(here.sums, _INVALID, _ANSWERS),
            "mistake_difference": there.difference(here, _INVALID, _ANSWERS, are_shares=False)[0],
        }
