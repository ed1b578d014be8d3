"""Exam plan: what an exam costs, at most and about, and what it can show, before its first call."""

from __future__ import annotations

import asyncio
import math
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from runner.agents.spec import Offline, is_model
from runner.arena.estimate import list_prices, prompt_tokens, reply_tokens
from runner.errors import TabletopError
from runner.workshop.exam.exam import Exam
from runner.workshop.exam.positions import Position

if TYPE_CHECKING:
    from runner.agents.model_agent import LlmAgent
    from runner.llm.budget import Prices
    from runner.workshop.exam.examinee import Examinee

_SAMPLE = 12
"""Positions that are looked at beforehand."""

_MOST_PAID = 2_000
"""Decisions that a budget alone pays for, however large it is."""

_APART = 0.2
"""The part of the questions that two players are taken to answer differently."""

_PER_DIFFERENCE = 4.0
"""Standard errors of a difference that is found with a power of 0.8, looking after every decision."""

_SMALL = 0.05
"""The difference in the share of the win a match that an exam should show."""


@dataclass(frozen=True, slots=True)
class ExamPlan:
    """`decisions` to be asked. What new answers cost in USD, about and at most (None: a price is unknown), and the prompt and
    reply tokens that they take. `shows` is the difference in the share of the win a match that is found four times out of five
    between players who differ in a fifth of their answers; None for one player. `enough` decisions find one of 5 points."""

    decisions: int
    about: float | None
    most: float | None
    tokens: int
    found: int
    shows: float | None
    enough: int

    @property
    def cost(self) -> str:
        if self.most is None:
            return "cost unknown, as a price is"
        about = "unknown otherwise, as a price is" if self.about is None else f"about ${self.about:.4f}"
        return f"at most ${self.most:.4f}, {about}" if self.most else "free"

    @property
    def text(self) -> str:
        """What it costs and shows, in sentences."""
        known = f" {self.found} answers to the first positions are there already." if self.found else ""
        said = f"{self.decisions} decisions a player: {self.cost}, about {self.tokens:,} tokens.{known}"
        if self.shows is None:
            return said
        said += f" They can show a difference of {100 * self.shows:.1f} points of the win a match"
        return f"{said} between players who answer one question in five differently.{self.too_few}"

    @property
    def too_few(self) -> str:
        """What this number cannot show; empty where it is large enough."""
        if self.shows is None or self.shows <= _SMALL:
            return ""
        return f" They cannot show {100 * _SMALL:.0f} points: that takes about {self.enough:,}."


def planned(exam: Exam, is_number_given: bool) -> ExamPlan:
    """The plan of an exam. Without a given number a budget says how many decisions there are: `exam.spec` is changed so."""
    some = [*exam.sequence.first(min(exam.spec.decisions, _SAMPLE))]
    models = [one for one in exam.players if one.wording is not None]
    asked = [(one, position) for one in models for position in some]
    new = [(one, position) for one, position in asked if not exam.has_answer(one, position)]
    prices: dict[str, Prices] = {}
    with suppress(TabletopError):  # an endpoint that cannot be asked has no known prices
        prices = asyncio.run(list_prices([one.seat.spec for one in models], exam.environment))
    costs = [_cost(exam, one, position, prices) for one, position in new]
    is_priced = all(usd is not None for usd, _, _ in costs)
    part = 1 / max(1, len(some))
    about = sum(usd[0] for usd, _, _ in costs if usd) * part
    budget, decisions = exam.spec.budget, exam.spec.decisions
    if budget and about and not is_number_given:
        decisions = max(1, min(_MOST_PAID, int(budget / about)))
        exam.spec = replace(exam.spec, decisions=decisions)
    if exam.spec.logs:
        decisions = min(decisions, len([*exam.sequence.first(decisions)]))
    most = sum(usd[1] for usd, _, _ in costs if usd) * part * decisions
    about *= decisions
    if budget:
        about, most = min(about, budget), min(most, budget) if is_priced else budget
    spread = _spread(exam, some)
    shows = _PER_DIFFERENCE * spread / math.sqrt(decisions) if len(exam.players) > 1 else None
    return ExamPlan(
        decisions,
        about if is_priced else None,
        most if is_priced or budget else None,
        round(sum(tokens for _, tokens, _ in costs) * part * decisions),
        len(asked) - len(new),
        shows,
        math.ceil((_PER_DIFFERENCE * spread / _SMALL) ** 2),
    )


def _cost(
    exam: Exam, one: Examinee, position: Position, prices: dict[str, Prices]
) -> tuple[tuple[float, float] | None, float, LlmAgent]:
    """What an answer costs about and at most, every strike taken, in USD; its tokens."""
    agent, decision = one.wording, exam.decision(position)
    assert agent is not None
    prompt, reply = prompt_tokens(agent, decision.ask), reply_tokens(agent)
    tokens = prompt.likely + reply.likely
    if isinstance(one.seat.spec, Offline) or not is_model(one.seat.spec):
        return (0.0, 0.0), tokens, agent
    price = prices.get(one.seat.spec.text)
    if price is None:
        return None, tokens, agent
    about = price.cost(round(prompt.likely), round(reply.likely))
    most = agent.most_reply_tokens
    longest = sum(price.cost(round(prompt.high + strike * most), most) for strike in range(decision.ask.strikes))
    return (about, longest), tokens, agent


def _spread(exam: Exam, some: list[Position]) -> float:
    """The standard deviation of the difference a match, position by position."""
    population = exam.sequence.population
    total = 0.0
    for position in some:
        losses = [one["loss"] for one in position["graded"] if one["answer"] is not None]
        mean = sum(losses) / len(losses)
        total += _APART * position["weight"] ** 2 * 2 * sum((loss - mean) ** 2 for loss in losses) / len(losses)
    candidates = sum(position["skipped"] + 1 for position in some)
    return population["scale"] * population["decisions"] * math.sqrt(total * len(some)) / max(1, candidates)
