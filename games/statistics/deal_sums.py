"""Deal sums: terms added up deal by deal, and the figures of their sums with errors over deals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from operator import add
from typing import Generic, NamedTuple, Self, TypeVar

import games
from games.core import Placing, Rng
from games.statistics import figures
from games.statistics.document_types import FigureData, ResultData
from games.statistics.figures import within

Deal = tuple[str, str]
"""The kind of match and the name of the deal."""

MOST_BLOCKS = 250
"""More deals than this are grouped at random into this many blocks, which changes intervals by less than one percent."""


class DealBlocks(NamedTuple):
    """Deals in blocks, of which no kind of match has more than its share of `MOST_BLOCKS`. `weights` turn the square of what
    changes without a block into a part of the variance. `free` is the degrees of freedom: the blocks less one for each kind."""

    blocks: list[list[Deal]]
    weights: list[float]
    free: int

    @classmethod
    def of(cls, deals: Iterable[Deal]) -> Self:
        kinds: dict[str, list[Deal]] = {}
        for deal in sorted(deals):
            kinds.setdefault(deal[0], []).append(deal)
        most = max(2, MOST_BLOCKS // max(1, len(kinds)))
        groups = [_grouped(found, most) for found in kinds.values()]
        weights = [(len(group) - 1) / len(group) for group in groups for _ in group]
        return cls([block for group in groups for block in group], weights, len(weights) - len(kinds))

    @property
    def has_errors(self) -> bool:
        return self.free >= figures.FEWEST_FREE


def _grouped(deals: list[Deal], most: int) -> list[list[Deal]]:
    if len(deals) > most:
        deals = [*Rng(0).shuffled(deals)]
    number = min(len(deals), most)
    return [deals[place::number] for place in range(number)]


def summed(rows: Iterable[Sequence[float]]) -> list[float]:
    return [sum(column) for column in zip(*rows, strict=True)]


def effective_free(parts: Sequence[float], most: int) -> int:
    """Degrees of freedom for a figure whose data are spread over blocks like this: the number of equally large blocks that
    would count as much, less one (A. V. Carter, K. T. Schnepel and D. G. Steigerwald, Asymptotic Behavior of a t-Test Robust
    to Cluster Heterogeneity, Review of Economics and Statistics 99, 2017), at most `most`."""
    squares = sum(part * part for part in parts)
    return max(0, min(most, int(sum(parts) ** 2 / squares + 1e-9) - 1)) if squares else 0


class Parts(NamedTuple):
    """What each block of deals adds to the sums of some terms."""

    rows: list[list[float]]
    blocks: DealBlocks

    @property
    def sums(self) -> list[float]:
        return summed(self.rows)

    def beside(self, other: Parts) -> Parts:
        return Parts([[*own, *its] for own, its in zip(self.rows, other.rows, strict=True)], self.blocks)

    def free(self, term: int) -> int:
        """The degrees of freedom of a figure whose data are spread over deals as a term is."""
        return effective_free([row[term] for row in self.rows], self.blocks.free)

    def deals(self, term: int) -> float:
        """As many equally large deals would hold the data, by the spread of a term."""
        return (self.free(term) + 1) * sum(map(len, self.blocks.blocks)) / len(self.blocks.blocks)

    def errors(self, statistic: Callable[[list[float]], Sequence[float]]) -> list[float]:
        """The standard errors of some statistics of the sums, from their values without each block."""
        sums, squares = self.sums, list[list[float]]()
        whole = statistic(sums)
        for row, weight in zip(self.rows, self.blocks.weights, strict=True):
            rest = statistic([total - own for total, own in zip(sums, row, strict=True)])
            squares.append([weight * (one - other) ** 2 for one, other in zip(whole, rest, strict=True)])
        return [math.sqrt(square) for square in summed(squares)]

    def mean(self, above: int, below: int) -> FigureData:
        """A term for each unit of another, with Student's interval."""
        (error,) = self.errors(lambda sums: [ratio(sums, above, below)])
        return figures.student(ratio(self.sums, above, below), error, self.free(below))

    def share(self, above: int, below: int) -> FigureData:
        """The part that a term is of another, with an exact interval."""
        (error,) = self.errors(lambda sums: [ratio(sums, above, below)])
        value, number = ratio(self.sums, above, below), self.sums[below]
        return figures.share(value, error, number, self.deals(below), self.free(below))

    def difference(self, other: Parts, above: int, below: int, are_shares: bool = True) -> tuple[FigureData, float]:
        """The share less that of another on the same deals, or with Student's interval the mean less the other one; and the
        standard error."""
        width = len(self.sums)

        def both(sums: list[float]) -> list[float]:
            own, its = ratio(sums[:width], above, below), ratio(sums[width:], above, below)
            return [own, its, own - its]

        together = self.beside(other)
        (*_, value), (own, its, error) = both(together.sums), together.errors(both)
        if not are_shares:
            return figures.student(value, error, min(self.free(below), other.free(below))), error
        correlation = (own * own + its * its - error * error) / (2 * own * its) if own and its else 0.0
        most = 1 - 1 / max(1.0, min(self.deals(below), other.deals(below)))
        return figures.difference(self.share(above, below), other.share(above, below), min(correlation, most)), error


def ratio(sums: Sequence[float], above: int, below: int) -> float:
    """One sum divided by another; 0 where the latter is 0."""
    return sums[above] / sums[below] if sums[below] else 0.0


Key = TypeVar("Key")


class DealSums(Generic[Key]):
    """Sums of a number of terms for each agent, or another key, on each deal."""

    def __init__(self, terms: int) -> None:
        self._nothing = [0.0] * terms
        self._rows: dict[Deal, dict[Key, list[float]]] = {}

    def add(self, deal: Deal, key: Key, *terms: float) -> None:
        own = self._rows.setdefault(deal, {}).setdefault(key, self._nothing.copy())
        own[:] = map(add, own, terms)

    @property
    def keys(self) -> set[Key]:
        return {key for row in self._rows.values() for key in row}

    def parts(self, key: Key, blocks: DealBlocks | None = None) -> Parts:
        """What each block adds to the key's sums: of these deals, or of all that anything was added to."""
        found = blocks or self.blocks()
        rows = [summed(self._rows[deal].get(key, self._nothing) for deal in block) for block in found.blocks]
        return Parts(rows, found)

    def blocks(self) -> DealBlocks:
        return DealBlocks.of(self._rows)


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
