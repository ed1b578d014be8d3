"""Comparison: two candidates of a decision in common worlds, beside what the policy of the playouts does there."""

from __future__ import annotations

from dataclasses import dataclass, field

from games.core import Action, Policy, Rng
from games.search.playouts import Playout, look_ahead, reach
from games.search.worlds import Worlds


@dataclass(slots=True)
class Comparison:
    """The deciding seat's share of the win world by world: with the first candidate, with the second one, and in the first of
    those worlds with the policy's own choice. `cut` of the `playouts` were stopped before the end of the match."""

    first: list[float] = field(default_factory=list)
    second: list[float] = field(default_factory=list)
    usual: list[float] = field(default_factory=list)
    playouts: int = 0
    cut: int = 0

    @property
    def differences(self) -> list[float]:
        """By how much the second candidate is better, world by world."""
        return [other - own for own, other in zip(self.first, self.second, strict=True)]

    def _count(self, end: Playout) -> Playout:
        self.playouts += 1
        self.cut += end.is_cut
        return end

    def play(self, pair: tuple[Action, Action], worlds: Worlds, rng: Rng, policy: Policy, with_usual: bool) -> None:
        """Play two candidates in one more world, and the choice of the policy if asked for. Where that is one of the two, its
        playout serves for both, so that their difference has no noise."""
        chance, seat = Rng(rng.next()), pair[0].seat
        world = worlds(chance)
        policy = worlds.seated(policy, world, chance)
        world, is_due = reach(world, seat, policy, chance)
        if is_due:
            usual = policy(world, seat, Rng(chance.next())) if with_usual else None
            ends = [self._count(look_ahead(action.on(world).next_state, policy, Rng(chance.word), world)) for action in pair]
            same = next((end for end, action in zip(ends, pair, strict=True) if usual and usual.move == action.move), None)
            if usual:
                ends.append(same or self._count(look_ahead(usual.next_state, policy, Rng(chance.word), world)))
        else:
            ends = [self._count(look_ahead(world, policy, chance))] * 3
        self.first.append(ends[0].shares[seat])
        self.second.append(ends[1].shares[seat])
        if with_usual:
            self.usual.append(ends[2].shares[seat])
