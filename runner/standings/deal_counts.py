"""Deal counts: the facts of finished matches that ratings use, as counts of each deal that can be added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import games
from games.core import Placing
from runner.standings.deal_sums import Deal, DealBlocks, DealSums, Key
from runner.standings.document_types import ResultData
from runner.standings.figures import within


class RatedMatch(NamedTuple):
    """Agents, places, scores and wins by seat. Matches with the same `deal` differ only in who sat where. Matches of the same
    `kind` (game, rules, options, number of players) have the same seats. `places` start at 1, `wins` are shares of one win.
    `struck` are the seats that were struck out. `placing` says what places mean: with `winners` the order of all others is
    unknown."""

    kind: str
    deal: str
    agents: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[float, ...]
    wins: tuple[float, ...]
    struck: tuple[int, ...] = ()
    placing: Placing = "scores"


def rated_match(
    deal: Deal, agents: Iterable[str], scores: Sequence[float], winners: Sequence[int], struck: Iterable[int], placing: Placing
) -> RatedMatch:
    wins = tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(scores)))
    return RatedMatch(*deal, tuple(agents), places_of(scores, winners), tuple(scores), wins, tuple(struck), placing)


def placing_of(game: str) -> Placing:
    """What the places of a game mean; `winners`, which assumes least, for a game that is not installed."""
    return next((one.placing for one in games.registered().games if one.name == game), "winners")


def places_of(scores: Sequence[float], winners: Iterable[int]) -> tuple[int, ...]:
    """The place of each seat: winners are first, the others follow by score; equal scores share a place."""
    first = set(winners)
    worth = [(seat in first, 0 if seat in first else score) for seat, score in enumerate(scores)]
    return tuple(1 + sum(other > own for other in worth) for own in worth)


class PlacingStage(NamedTuple):
    """One stage: `chosen` came above the rest of `left`, level among themselves. Both are sorted agents, with an agent once for
    each of its seats. `kind` is the kind of match. `is_first`: these are the winners."""

    kind: str
    left: tuple[int, ...]
    chosen: tuple[int, ...]
    is_first: bool

    def renumbered(self, numbers: Mapping[int, int]) -> PlacingStage:
        left, chosen = (tuple(numbers[agent] for agent in agents) for agents in (self.left, self.chosen))
        return self._replace(left=left, chosen=chosen)


def choices_of(match: RatedMatch, agents: Sequence[int]) -> Iterator[PlacingStage]:
    """The stages that a match makes known; `agents` are the numbers of its agents by seat. Where only winners count, the order
    of the others is unknown, so there is one stage. Otherwise the stages end with one seat left."""
    seats = sorted(range(len(agents)), key=match.places.__getitem__)
    while len(seats) > 1:
        best = match.places[seats[0]]
        chosen = [seat for seat in seats if match.places[seat] == best]
        yield PlacingStage(match.kind, _numbers(agents, seats), _numbers(agents, chosen), len(seats) == len(agents))
        if match.placing == "winners":
            return
        seats = seats[len(chosen) :]


def _numbers(agents: Sequence[int], seats: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(agents[seat] for seat in seats))


class Counts:
    """What matches come to, deal by deal, for agents by number: the choices of each deal, of each block of deals (`parts`) and
    of all (`whole`); the matches, wins and scores of agents and of seats; how often the first of a pair, the smaller number,
    was ahead of the second, behind it, and level with it. `agents` may have some that played no match."""

    def __init__(self, matches: Sequence[RatedMatch], agents: Iterable[str] = ()) -> None:
        self.matches = matches
        self.agents = sorted({*agents, *(agent for match in matches for agent in match.agents)})
        self.deals: dict[Deal, Counter[PlacingStage]] = {}
        self.of_agents = DealSums[int](3)
        self.of_seats = DealSums[tuple[str, int]](3)
        self.pairs: dict[tuple[int, int], tuple[int, int, int]] = {}
        scores = [score for match in matches for score in match.scores]
        self.least, self.most = min(scores, default=0.0), max(scores, default=0.0)
        number = {agent: number for number, agent in enumerate(self.agents)}
        for match in matches:
            self._add(match, [number[agent] for agent in match.agents])
        self.blocks = DealBlocks.of(self.deals)
        self.parts = [_all(self.deals[deal] for deal in block) for block in self.blocks.blocks]
        self.whole = _all(self.parts)

    def _add(self, match: RatedMatch, numbers: Sequence[int]) -> None:
        deal = match.kind, match.deal
        self.deals.setdefault(deal, Counter()).update(choices_of(match, numbers))
        for seat, number in enumerate(numbers):
            self.of_agents.add(deal, number, 1, match.wins[seat], match.scores[seat])
            self.of_seats.add(deal, (match.kind, seat), 1, match.wins[seat], match.scores[seat])
        for one, other in combinations(sorted(range(len(numbers)), key=numbers.__getitem__), 2):
            if (pair := (numbers[one], numbers[other]))[0] != pair[1]:
                lead, (wins, losses, ties) = match.places[other] - match.places[one], self.pairs.get(pair, (0, 0, 0))
                self.pairs[pair] = (wins + (lead > 0), losses + (lead < 0), ties + (lead == 0))

    @property
    def kinds(self) -> list[str]:
        return sorted({kind for kind, _ in self.deals})

    def of_kind(self, kind: str) -> Counts:
        return Counts([match for match in self.matches if match.kind == kind])

    def free(self, agent: int) -> int:
        return self.of_agents.parts(agent, self.blocks).free(0)

    def results(self, of: DealSums[Key], key: Key) -> ResultData:
        """The results of an agent or of a seat. The interval of a mean score stays within the scores of the matches; that of a
        score of 0 or 1 is a share's."""
        parts, is_share = of.parts(key, self.blocks), (self.least, self.most) == (0, 1)
        mean = parts.share(2, 0) if is_share else within(parts.mean(2, 0), self.least, self.most)
        return {"matches": round(parts.sums[0]), "win_share": parts.share(1, 0), "mean_score": mean}


def _all(parts: Iterable[Counter[PlacingStage]]) -> Counter[PlacingStage]:
    whole = Counter[PlacingStage]()
    for part in parts:
        whole.update(part)
    return whole
