"""Comparison plan: the two packs, the model, and the matches to play."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from runner.agents.named_spec import resolved
from runner.agents.settings import Reason
from runner.agents.spec import Offline, Spec, with_pack
from runner.arena.plan import Entrant
from runner.arena.schedule import Fixture
from runner.digest import digest_of
from runner.match.seeds import DealSeeds, deal_seed
from runner.prompting.pack import PromptPack

if TYPE_CHECKING:
    from runner.agents.environment import Settings

A, B, OTHER = "A", "B", "opponent"
REAL, NULL = "packs", "null"
"""The two halves: A against B, and A against A under both names."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Packs A and B (None: the built-in one) with one model on `deals` deals, and A against itself on `null_deals`.

    Without opponents the packs meet at one table, and each has every seat once per deal. With opponents each pack plays the
    same deal from the same seat against the same opponents. `is_seed_drawn`: nobody named the seed.
    `reasons`: for A and for B whether the model is asked for reasons; None: as its agent says.
    """

    game: str
    players: int
    rules: str | None
    options: Mapping[str, object]
    folders: tuple[Path | None, Path | None]
    model: Spec
    opponents: Spec | None
    deals: int
    null_deals: int
    seed: int
    deal_seeds: DealSeeds = "hashed"
    is_seed_drawn: bool = False
    reasons: tuple[Reason | None, Reason | None] = (None, None)

    def resolved(self, settings: Settings) -> Comparison:
        """The comparison with the programs and functions that names stand for."""
        against = None if self.opponents is None else resolved(self.opponents, settings)
        return replace(self, model=resolved(self.model, settings), opponents=against)

    @property
    def names(self) -> tuple[str, str]:
        """The names of both sides, which differ: the pack, and whether its model is asked for reasons if that is given."""
        names = [PromptPack(folder).name for folder in self.folders]
        sides = [
            name if reason is None else f"{name}, reason {reason}" for name, reason in zip(names, self.reasons, strict=True)
        ]
        return (sides[0], sides[1]) if sides[0] != sides[1] else (f"{sides[0]} (A)", f"{sides[1]} (B)")

    def to_json(self) -> dict[str, object]:
        """What must not change when a comparison is resumed: everything but the number of deals; packs by their digests."""
        packs = [PromptPack(folder).to_json(self.game) for folder in self.folders]
        return {
            "game": self.game,
            "players": self.players,
            "rules": self.rules,
            "options": dict(self.options),
            "model": self.model.text,
            "opponents": self.opponents and self.opponents.text,
            "seed": self.seed,
            "packs": packs,
            **({"deal_seeds": "hashed"} if self.deal_seeds == "hashed" else {}),
            **({"reasons": list(self.reasons)} if any(self.reasons) else {}),
        }


@dataclass(frozen=True, slots=True)
class Deal:
    """The two matches of one deal, and the side of each seat in both."""

    half: str
    number: int
    fixtures: tuple[Fixture, Fixture]
    sides: tuple[tuple[str, ...], tuple[str, ...]]


def deals(comparison: Comparison) -> Iterator[Deal]:
    """The deals of both halves in turn, so that a comparison that stops early has some of each."""
    for number in range(max(comparison.deals, comparison.null_deals)):
        if number < comparison.deals:
            yield _deal(comparison, REAL, number)
        if number < comparison.null_deals:
            yield _deal(comparison, NULL, number)


def _deal(comparison: Comparison, half: str, number: int) -> Deal:
    first = _sides(comparison, number)
    second = tuple({A: B, B: A}.get(side, side) for side in first)
    if comparison.opponents is not None:
        second = tuple(B if side == A else side for side in first)
    fixtures = tuple(_fixture(comparison, half, number, place, sides) for place, sides in enumerate((first, second), 1))
    return Deal(half, number, (fixtures[0], fixtures[1]), (first, second))


def _sides(comparison: Comparison, number: int) -> tuple[str, ...]:
    """The side of each seat in a deal's first match: half of the seats at random, or one seat among opponents."""
    players = comparison.players
    if comparison.opponents is not None:
        return tuple(A if seat == number % players else OTHER for seat in range(players))
    share = players // 2 + (players % 2 and number % 2)
    chosen = random.Random(f"seats {comparison.seed} {number}").sample(range(players), share)
    return tuple(A if seat in chosen else B for seat in range(players))


def _fixture(comparison: Comparison, half: str, number: int, place: int, sides: tuple[str, ...]) -> Fixture:
    a, b = comparison.folders
    specs = {A: with_pack(comparison.model, a), B: with_pack(comparison.model, a if half == NULL else b)}
    specs |= {OTHER: comparison.opponents} if comparison.opponents is not None else {}
    reasons = {A: comparison.reasons[0], B: comparison.reasons[0 if half == NULL else 1]}
    name = f"{half}/deal-{number + 1:05d}-{place}.jsonl"
    return Fixture(
        name=name,
        game=comparison.game,
        players=comparison.players,
        seed=deal_seed(comparison.seed, number + 1, comparison.deal_seeds),
        rules=comparison.rules,
        options=comparison.options,
        seats=tuple(Entrant(side, specs[side]) for side in sides),
        offline_seed=_offline_seed(comparison, name),
        reasons=tuple(reasons.get(side) for side in sides),
    )


def _offline_seed(comparison: Comparison, name: str) -> int | None:
    """A seed of its own for each match of the offline model, which answers the same prompt in the same way otherwise."""
    return int(digest_of(f"{comparison.seed} {name}")[:8], 16) if isinstance(comparison.model, Offline) else None
