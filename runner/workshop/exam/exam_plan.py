"""Exam plan: what an exam costs, at most and about, and what it can show, before its first call."""

import asyncio
import math
from contextlib import suppress
from dataclasses import dataclass, replace

from runner.agents.spec import Offline
from runner.arena.estimate import ZERO, Range, list_prices, prompt_tokens, reply_tokens, total_cost
from runner.arena.experiment import needed, visible
from runner.errors import TabletopError
from runner.llm.budget import Prices
from runner.workshop.exam.exam import Exam
from runner.workshop.exam.examinee import Examinee
from runner.workshop.exam.positions import Position

_SAMPLE = 12
"""Positions that are looked at beforehand."""

_MOST_PAID = 2_000
"""Decisions that a budget alone pays for, however large it is."""

_APART = 0.2
"""The part of the questions that two players are taken to answer differently."""

_SMALL = 0.05
"""The difference in the share of the win a match that an exam should show."""


@dataclass(frozen=True, slots=True)
class ExamPlan:
    """`decisions` to be asked. What new answers cost in USD, about and at most (None: a price is unknown). `shows` is the
    difference in the share of the win a match that is found four times out of five between players who differ in a fifth of
    their answers (None: one player), `enough` the decisions that find one of 5 points."""

    decisions: int
    about: float | None
    most: float | None
    shows: float | None
    enough: int

    @property
    def text(self) -> str:
        """What it costs and shows, in sentences."""
        about = "cost unknown, as a price is" if self.about is None else f"about ${self.about:.4f}"
        cost = "free" if self.most == 0 else about if self.most is None else f"at most ${self.most:.4f}, {about}"
        said = f"{self.decisions} decisions a player: {cost}."
        if self.shows is None:
            return said
        said += f" They can show a difference of {100 * self.shows:.1f} points of the win a match"
        cannot = f" They cannot show {100 * _SMALL:.0f} points: that takes about {self.enough:,}."
        return f"{said} between players who answer one question in five differently.{cannot if self.shows > _SMALL else ''}"


def planned(exam: Exam, is_number_given: bool) -> ExamPlan:
    """The plan of an exam. Without a given number a budget says how many decisions there are: `exam.spec` is changed so."""
    some, budget, decisions = [*exam.sequence.first(min(exam.spec.decisions, _SAMPLE))], exam.spec.budget, exam.spec.decisions
    models, prices = [one for one in exam.players if one.wording is not None], dict[str, Prices]()
    with suppress(TabletopError):  # an endpoint that cannot be asked has no known prices
        prices = asyncio.run(list_prices([one.seat.spec for one in models], exam.environment))
    asked = ((one, position) for one in models for position in some)
    cost = total_cost(_cost(exam, one, position, prices) for one, position in asked if not exam.has_answer(one, position))
    each = None if cost is None else cost.likely / len(some)
    if budget and each and not is_number_given:
        decisions = max(1, min(_MOST_PAID, int(budget / each)))
        exam.spec = replace(exam.spec, decisions=decisions)
    if exam.spec.logs:
        decisions = len([*exam.sequence.first(decisions)])
    about, most = (None, budget) if cost is None else (usd * decisions / len(some) for usd in (cost.likely, cost.high))
    spread, is_alone = _spread(exam, some), len(exam.players) < 2
    return ExamPlan(
        decisions,
        about if about is None else min(about, budget or about),
        most if most is None else min(most, budget or most),
        None if is_alone else visible(spread, decisions),
        0 if is_alone else needed(spread, _SMALL),
    )


def _cost(exam: Exam, one: Examinee, position: Position, prices: dict[str, Prices]) -> Range | None:
    """What an answer costs in USD, at most with every strike; None where its price is unknown."""
    agent, ask, price = one.wording, exam.decision(position).ask, prices.get(one.seat.spec.text)
    if agent is None or isinstance(one.seat.spec, Offline):
        return ZERO
    prompt, longest = prompt_tokens(agent, ask), agent.most_reply_tokens
    if price is None:
        return None
    most = sum(price.cost(round(prompt.high + strike * longest), longest) for strike in range(ask.strikes))
    return Range(0.0, price.cost(round(prompt.likely), round(reply_tokens(agent).likely)), most)


def _spread(exam: Exam, some: list[Position]) -> float:
    """The standard deviation of the difference a match, position by position."""
    total = 0.0
    for position in some:
        losses = [one["loss"] for one in position["graded"] if one["answer"] is not None]
        mean = sum(losses) / len(losses)
        total += _APART * position["weight"] ** 2 * 2 * sum((loss - mean) ** 2 for loss in losses) / len(losses)
    candidates, of = sum(position["skipped"] + 1 for position in some), exam.sequence.population
    return of["scale"] * of["decisions"] * math.sqrt(total * len(some)) / max(1, candidates)
