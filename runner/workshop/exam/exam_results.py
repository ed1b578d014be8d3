"""Exam results: what players give up, and how they differ, with intervals that hold however often one looks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple, Self

from typing_extensions import TypedDict

from games.core import Action
from games.statistics.weighted_mean import WeightedMean
from runner.digest import canonical
from runner.match.records import AttemptRecord
from runner.match.tally import Tally
from runner.workshop.exam.positions import AnswerGrade, Population, Position

ERROR_RATE = 0.05
_DIGITS = 6


class AgentRow(TypedDict):
    """A player: the share of the win that it gives up a decision, with its interval, and what that comes to in a match; the
    part of its answers that was invalid; tokens, and cost in USD."""

    agent: str
    given_up: float
    low: float
    high: float
    per_match: float
    invalid: float
    tokens: int
    cost: float


class PairRow(TypedDict):
    """How much more a player gives up than another a decision, on the same positions. `sure`: the interval excludes 0."""

    a: str
    b: str
    difference: float
    low: float
    high: float
    sure: bool


class ExamDocument(TypedDict):
    """`decisions` is the number of positions that all players have answered. `positions` has where each is (`log`, `at`), its
    `best` answer, and by the player's name the `answer`, what it gives up, from 0, how often it was `invalid`, its `reason`."""

    game: str
    players: int
    decisions: int
    agents: list[AgentRow]
    pairs: list[PairRow]
    positions: list[dict[str, Any]]


class Answered(NamedTuple):
    """What a player answered at a position: its grade, its attempts counted, and the reason of the last."""

    position: Position
    grade: AnswerGrade
    tally: Tally
    attempts: int
    reason: str

    @classmethod
    def of(cls, position: Position, attempts: Sequence[AttemptRecord], action: Action | None) -> Self:
        said = canonical(None if action is None else action.to_json())
        grade = next(one for one in position["graded"] if canonical(one["answer"]) == said)
        tally, answers = Tally(), [one for one in attempts if one["outcome"] in ("answer", "mistake")]
        for one in attempts:
            tally.add_attempt(one)
        return cls(position, grade, tally, len(answers), str(answers[-1].get("reason", "")) if answers else "")

    @property
    def loss(self) -> float:
        return self.grade["loss"]

    @property
    def weighted(self) -> float:
        return self.position["weight"] * self.loss


@dataclass
class ExamResults:
    """What an exam has found so far: the answers of all players at the first positions, in their order. `margin`: players that
    are surely nearer together than this share of the win a match are told apart enough. `compared`: the pairs that are
    compared, by default all."""

    game: str
    players: int
    agents: Sequence[str]
    population: Population
    margin: float | None = None
    compared: Sequence[tuple[int, int]] = ()

    def __post_init__(self) -> None:
        self.answered = list[list[Answered]]()
        mean = partial(WeightedMean, self.population["bound"], self.population["scale"])
        self._own = [mean(ERROR_RATE) for _ in self.agents]
        pairs = self.compared or list(combinations(range(len(self.agents)), 2))
        self._pairs = {pair: mean(ERROR_RATE / len(pairs)) for pair in pairs}

    def of(self, places: Sequence[int]) -> Self | None:
        """Nothing found so far, of some of the players; None where no pair of them is compared."""
        pairs = [(places.index(a), places.index(b)) for a, b in self._pairs if a in places and b in places]
        return replace(self, agents=[self.agents[place] for place in places], compared=pairs) if pairs else None

    def add(self, answered: list[Answered]) -> None:
        """Take the answers of all players at the next position."""
        self.answered.append(answered)
        for one, mean in zip(answered, self._own, strict=True):
            mean.add(one.loss, one.position["weight"], one.position["skipped"])
        for (a, b), mean in self._pairs.items():
            position = answered[a].position
            mean.add(answered[a].loss - answered[b].loss, position["weight"], position["skipped"])

    @property
    def decisions(self) -> int:
        return len(self.answered)

    @property
    def is_sure(self) -> bool:
        """Whether each pair of players is told apart, or is surely near together."""
        near = self.margin and self.margin / (self.population["scale"] * self.population["decisions"])
        return all(one.sequence.sure or (near and one.sequence.within(near)) for one in self._pairs.values())

    def agent(self, place: int) -> AgentRow:
        own, times = [row[place] for row in self.answered], self.population["decisions"]
        given_up, low, high = (min(1.0, max(0.0, value)) for value in self._own[place].interval)
        invalid = sum(one.tally.mistakes for one in own) / max(1, sum(one.attempts for one in own))
        return AgentRow(
            agent=self.agents[place],
            given_up=given_up,
            low=low,
            high=high,
            per_match=round(min(1.0, given_up * times), _DIGITS),
            invalid=round(invalid, _DIGITS),
            tokens=sum(one.tally.prompt_tokens + one.tally.completion_tokens for one in own),
            cost=round(sum(one.tally.cost for one in own), _DIGITS),
        )

    def pair(self, a: int, b: int) -> PairRow:
        (difference, low, high), sure = self._pairs[a, b].interval, self._pairs[a, b].sequence.sure
        return PairRow(a=self.agents[a], b=self.agents[b], difference=difference, low=low, high=high, sure=sure)

    @property
    def pairs(self) -> list[PairRow]:
        return [self.pair(*pair) for pair in self._pairs]

    @property
    def gain(self) -> float | None:
        """How many times more positions drawn evenly would tell as much, by the differences of pairs, or the losses of one."""
        if self.population["most"] == 0 or not self.answered:
            return None
        total = sum(row[0].position["skipped"] + 1 for row in self.answered)
        even = own = 0.0
        for row in self.answered:
            weight, losses = row[0].position["weight"], [one.loss for one in row]
            for value in [a - b for a, b in combinations(losses, 2)] or losses:
                even, own = even + weight * value**2, own + weight**2 * value**2
        return round(even * total / (own * self.decisions), 2) if own else None

    def differing(self, *pairs: tuple[int, int]) -> list[int]:
        """The places of the positions at which the players of a pair, by default of any that is compared, gave different
        answers, those with the largest difference first."""
        found = dict[int, float]()
        for place, row in enumerate(self.answered):
            both = [(row[a], row[b]) for a, b in pairs or self._pairs]
            if apart := [abs(a.weighted - b.weighted) for a, b in both if a.grade["answer"] != b.grade["answer"]]:
                found[place] = max(apart)
        return sorted(found, key=lambda place: -found[place])

    @property
    def costliest(self) -> list[int]:
        """The places of all positions, those first at which the first player gave up most."""
        return sorted(range(self.decisions), key=lambda place: -self.answered[place][0].weighted)


def document_of(results: ExamResults) -> ExamDocument:
    """The results as one JSON document."""
    return {
        "game": results.game,
        "players": results.players,
        "decisions": results.decisions,
        "agents": [results.agent(place) for place in range(len(results.agents))],
        "pairs": results.pairs,
        "positions": [_row(results, number, row) for number, row in enumerate(results.answered, 1)],
    }


def best_of(position: Position) -> AnswerGrade:
    """The answer with the largest share of the win."""
    return max((one for one in position["graded"] if one["answer"] is not None), key=lambda one: one["share"])


def _row(results: ExamResults, number: int, row: Sequence[Answered]) -> dict[str, Any]:
    position: Mapping[str, Any] = row[0].position
    answers = {
        name: {"answer": one.grade["answer"], "given_up": max(0.0, one.loss), "invalid": one.tally.mistakes}
        | {"reason": one.reason}
        for name, one in zip(results.agents, row, strict=True)
    }
    where = {name: position[name] for name in ("log", "at", "seat", "role", "phase", "weight")}
    return {"number": number, **where, "best": best_of(row[0].position)["answer"], "answers": answers}
