"""Decision comparison: prompt packs compared by an exam, in which each answers the same graded decisions."""

from typing import Any

import games
from games.core import counted
from runner.agents.environment import Environment
from runner.agents.spec import with_pack
from runner.errors import UsageError
from runner.workshop.comparison import check_alike, check_models, pack_names
from runner.workshop.comparison_report import MARGIN, bare, money, points, rank_changes
from runner.workshop.comparison_request import ComparisonRequest
from runner.workshop.exam.exam import DECISIONS, Exam, ExamSpec
from runner.workshop.exam.exam_plan import ExamPlan, planned
from runner.workshop.exam.exam_results import PairRow, document_of
from runner.workshop.exam.examinee import Examined


def exam_of(request: ComparisonRequest, environment: Environment) -> tuple[Exam, ExamPlan]:
    """The exam of all packs with all models, each compared with the first pack of its model, and its plan. UsageError for what
    cannot be compared, and for a plan of its own that is too small."""
    game, own, names = games.load(request.game), request.own, pack_names(request.folders, request.own)
    models = request.specs(environment)
    check_models(game, models, environment)
    check_alike(game, request.folders, own)
    examined = [
        Examined(with_pack(model, folder), name if len(models) == 1 else f"{name}, {model}", settings)
        for model in models
        for folder, name, settings in zip(request.folders, names, own, strict=True)
    ]
    packs = len(names)
    compared = [(place * packs, place * packs + pack) for place in range(len(models)) for pack in range(1, packs)]
    number = request.until if isinstance(request.until, int) else request.decisions
    spec = ExamSpec(
        game=game.name,
        examined=examined,
        players=request.players,
        rules=request.rules,
        options=request.options,
        seed=1 if request.seed is None else request.seed,
        decisions=DECISIONS if number is None else number,
        until="sure" if request.until == "sure" or (number is None and request.budget) else "",
        margin=request.margin,
        budget=request.budget,
        concurrency=request.concurrency,
        compared=compared,
    )
    exam = Exam(spec, request.out, environment)
    plan = planned(exam, number is not None)
    if number is None and plan.shows is not None and plan.shows > 1:
        raise UsageError(
            f"{counted(plan.decisions, 'decision')} are too few to show anything; 5 points of win share take about"
            f" {plan.enough:,}. `--decisions {plan.decisions}` asks them."
        )
    return exam, plan


def decision_report(request: ComparisonRequest, exam: Exam, confirming: str) -> dict[str, Any]:
    """The document of the exam, with the verdict, and the order of models with each pack. `confirming` says how whole matches
    would confirm a difference."""
    results, models = exam.results, len(request.models)
    document, packs = document_of(results), len(exam.players) // models
    spent = sum(agent["cost"] for agent in document["agents"])
    what = f"{counted(results.decisions, 'decision')}, {money(spent)}"
    said = [_verdict(pair, exam, what, confirming, request.margin or MARGIN) for pair in document["pairs"]]
    names = [exam.players[pack].name.removesuffix(f", {request.models[0]}") for pack in range(packs)]
    kept = [-agent["given_up"] for agent in document["agents"]]
    ranks = rank_changes(names, kept, list(request.models))
    is_shown = any(pair["sure"] for pair in document["pairs"])
    return {"by": "decisions", **document, "verdict": " ".join(said), "shown": is_shown, "ranks": ranks, "spent": spent}


def _verdict(pair: PairRow, exam: Exam, what: str, confirming: str, wanted: float) -> str:
    """What to conclude on a pair of packs."""
    times = exam.results.population["decisions"]
    low, high, apart = (times * pair[end] for end in ("low", "high", "difference"))
    less, more = (pair["b"], pair["a"]) if apart > 0 else (pair["a"], pair["b"])
    least, most = sorted((abs(low), abs(high)))
    if pair["sure"]:
        gain = f"{points(abs(apart))} of win share a match better ({bare(least)} to {bare(min(1.0, most))})"
        return f"{less} gives up less than {more}: {gain}, {what}{confirming}."
    bound = f"No difference of {more} and {less} larger than {points(min(1.0, most))} of win share a match, {what}."
    if most <= wanted:
        return bound
    return f"{bound} {points(wanted)} take about {planned(exam, True).enough:,} decisions."
