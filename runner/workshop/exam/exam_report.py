"""Exam report: what an exam has found as a page of tables, for the terminal and for a browser."""

import json
import shlex
from collections import defaultdict
from collections.abc import Callable, Iterator

from games.core import counted, listed, seat_name
from runner.agents.spec import Human
from runner.export.table_pages import PageSection, TablePage
from runner.screen.safe_text import clean
from runner.standings.tables import TextTable
from runner.workshop.exam.exam import Exam
from runner.workshop.exam.exam_results import Answered, ExamResults, PairRow, best_of

_MOST_POSITIONS, _MOST_CHOICES = 10, 12
_LIMITS = (
    "Decisions are graded one at a time, as if everybody played like bot:steady afterwards. Long plans, mixed strategies and"
    " bluffs that only a reader of them punishes are worth more or less than their grades; whole matches tell."
)


def report_of(exam: Exam, has_prompts: bool = False) -> TablePage:
    """The report on what all players have answered so far; `has_prompts`: with the prompts of the positions that it shows."""
    results = exam.results
    title = f"Exam: {exam.game.title}, {counted(results.players, 'player')}"
    roles = _losses(results, "Given up a decision by role (decisions)", lambda one: one.position["role"])
    overview = [_agents(results), roles, _losses(results, "Given up a decision by choice (answers)", _kind)]
    if len(results.agents) > 1:
        overview = [overview[0], _pairs(results), *overview[1:], _changes(results)]
    places = results.differing() if len(results.agents) > 1 else results.costliest
    shown = enumerate(places[:_MOST_POSITIONS], 1)
    sections = [_position(exam, results.answered[place], number, has_prompts) for number, place in shown]
    of = "logged matches" if exam.spec.logs else f"matches of bots of mixed strength, seed {exam.spec.seed}"
    lead = (
        f"{verdict(results)} {counted(results.decisions, 'decision')} of {of}, drawn by what is at stake and weighted back."
        f" A seat has {results.population['decisions']:.1f} decisions like these in a match. Shares are of the win."
    )
    return TablePage(title, clean(lead, 2000), overview, sections, [*_notes(exam)])


def _notes(exam: Exam) -> Iterator[str]:
    if (gain := exam.results.gain) is not None:
        yield f"Positions drawn evenly would have to be {gain:.1f} times as many to tell as much."
    yield from (f"{one.name} is a person, for reference." for one in exam.players if isinstance(one.seat.spec, Human))
    if words := exam.game.free_text:
        yield f"Free text is not graded: no position asks for the {listed(words, 'and')}; the other decisions are."
    if any(one.grade["answer"] is None for row in exam.results.answered for one in row):
        yield "Too many invalid answers cost what the rules make of them, and at most as much as the largest stakes."
    yield _LIMITS


def verdict(results: ExamResults) -> str:
    """What the exam shows, in one sentence."""
    if results.pairs:
        rows = sorted(results.pairs, key=lambda row: -abs(row["difference"]))
        return "; ".join(_said(results, row) for row in rows[:3]) + "."
    row = results.agent(0)
    bounds = _match(results, row["low"], row["high"])
    return f"{row['agent']} gives up {100 * row['per_match']:.1f} % of the win a match ({bounds})."


def _said(results: ExamResults, row: PairRow) -> str:
    low, high = sorted((abs(row["low"]), abs(row["high"])))
    if not row["sure"]:
        most = 100 * high * results.population["decisions"]
        bound = f"surely no more than {most:.1f} points of the win a match" if most < 100 else "so few decisions bound nothing"
        return f"{row['a']} and {row['b']} are not told apart: {bound}"
    less, more = (row["b"], row["a"]) if row["difference"] > 0 else (row["a"], row["b"])
    points = f"{_match(results, abs(row['difference']))} points of the win a match"
    return f"{less} gives up less than {more}: {points} ({_match(results, low, high)})"


def _match(results: ExamResults, *shares: float) -> str:
    """Shares of the win a decision as percentages of a match."""
    whole = (100 * share * results.population["decisions"] for share in shares)
    return " to ".join(f"{max(-100.0, min(100.0, share)):.1f}" for share in whole)


def _agents(results: ExamResults) -> TextTable:
    rows = []
    for place in range(len(results.agents)):
        row, seconds = results.agent(place), sum(one[place].tally.seconds for one in results.answered)
        given = f"{100 * row['given_up']:.2f} %", f"{100 * row['low']:.2f} to {100 * row['high']:.2f}"
        match = f"{100 * row['per_match']:.1f} %", _match(results, row["low"], row["high"])
        used = f"{100 * row['invalid']:.1f} %", f"{row['tokens']:,}", f"${row['cost']:.4f}", f"{seconds:.1f}"
        rows.append((row["agent"], *given, *match, *used))
    headers = ("Player", "Given up a decision", "95 %", "A match", "95 %", "Invalid", "Tokens", "Cost", "Seconds")
    return TextTable("Share of the win given up", headers, tuple(rows))


def _pairs(results: ExamResults) -> TextTable:
    rows = []
    for row in results.pairs:
        other = results.differing((results.agents.index(row["a"]), results.agents.index(row["b"])))
        bounds, sure = _match(results, row["low"], row["high"]), "yes" if row["sure"] else "no"
        rows.append((row["a"], row["b"], f"{_match(results, row['difference'])} %", bounds, sure, str(len(other))))
    headers = ("Player", "Other", "More given up a match", "95 %", "Sure", "Different answers")
    return TextTable("Differences, paired by position", headers, tuple(rows), 2)


def _kind(one: Answered) -> str:
    return f"{one.position['role']}: {one.grade['choice']}"


def _losses(results: ExamResults, title: str, kind: Callable[[Answered], str]) -> TextTable:
    """What each player gives up a decision of each kind; those first that cost most."""
    found: dict[str, list[list[Answered]]] = defaultdict(lambda: [[] for _ in results.agents])
    for row in results.answered:
        for place, one in enumerate(row):
            found[kind(one)][place].append(one)
    costs = {name: [[one.position["weight"] * one.loss for one in own] for own in of] for name, of in found.items()}
    ranked = sorted(costs, key=lambda name: -sum(map(sum, costs[name])))[:_MOST_CHOICES]
    rows = [(name, *(_cell(of, cost) for of, cost in zip(found[name], costs[name], strict=True))) for name in ranked]
    return TextTable(title, ("", *results.agents), tuple(rows))


def _cell(of: list[Answered], losses: list[float]) -> str:
    weight = sum(one.position["weight"] for one in of)
    return f"{100 * max(0.0, sum(losses) / weight):.2f} % ({len(of)})" if of else "-"


def _changes(results: ExamResults) -> TextTable:
    """How often each player made a choice where it could be made; the choices that differ most first."""
    could, made = defaultdict[str, float](float), defaultdict[str, list[float]](lambda: [0.0] * len(results.agents))
    for row in results.answered:
        position = row[0].position
        for choice in {one["choice"] for one in position["graded"]}:
            could[f"{position['role']}: {choice}"] += position["weight"]
        for place, one in enumerate(row):
            made[_kind(one)][place] += position["weight"]
    shares = {kind: [weight / could[kind] for weight in weights] for kind, weights in made.items()}
    ranked = sorted(shares.items(), key=lambda kind: min(kind[1]) - max(kind[1]))[:_MOST_CHOICES]
    rows = tuple((kind, *(f"{100 * share:.0f} %" for share in own)) for kind, own in ranked)
    return TextTable("What changes: how often a choice was made where it could be", ("", *results.agents), rows)


def _position(exam: Exam, answered: list[Answered], number: int, has_prompts: bool) -> PageSection:
    """A position, with the answers of all players and the best one."""
    position, names = answered[0].position, exam.results.agents
    shares = [f"{name} {100 * one.grade['share']:.0f} %" for name, one in zip(names, answered, strict=True)]
    of = {json.dumps(best_of(position)["answer"]): list[str]()}
    for name, one in zip(names, answered, strict=True):
        of.setdefault(json.dumps(one.grade["answer"]), []).append(name)
    rows = []
    for grade in sorted(position["graded"], key=lambda grade: -grade["share"]):
        if (said := json.dumps(grade["answer"])) in of:
            words = ", ".join(map(str, (grade["answer"] or {"": grade["choice"]}).values()))
            rows.append((words, f"{100 * grade['share']:.1f} %", f"{100 * grade['se']:.1f}", ", ".join(of[said])))
    notes = [f"{name}: {clean(one.reason, 1000)}" for name, one in zip(names, answered, strict=True) if one.reason]
    log = shlex.quote(clean(position["log"], 5000))
    notes.append(f"`tabletop prompts render {log} --at {position['at']}` shows the decision.")
    asked, prompt = exam.shown(position, has_prompts)
    title = f"{number}. {seat_name(position['seat'])}, {position['role']}, {position['phase']}: {', '.join(shares)}"
    table = TextTable("Answers", ("Answer", "Share of the win", "±", "Of"), tuple(rows))
    return PageSection(f"position-{number}", clean(title, 200), clean(asked, 600), [], [table], notes, prompt)
