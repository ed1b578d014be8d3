"""Exam report: what an exam has found as a page of tables, for the terminal and for a browser."""

from __future__ import annotations

import json
import shlex
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.core import counted, listed, seat_name
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
    overview = [_agents(results), *([_pairs(results)] if results.pairs else []), _by_role(results), _by_choice(results)]
    if len(results.agents) > 1:
        overview.append(_changes(results))
    sections = [_position(exam, place, number, has_prompts) for number, place in enumerate(_shown(results))]
    return TablePage(title, _lead(exam), overview, sections, [*_notes(exam)])


def _lead(exam: Exam) -> str:
    results = exam.results
    of = "logged matches" if exam.spec.logs else f"matches of bots of mixed strength, seed {exam.spec.seed}"
    return (
        f"{clean(verdict(results))} {counted(results.decisions, 'decision')} of {of}, drawn by what is at stake and weighted"
        f" back. A seat has"
        f" {results.population['decisions']:.1f} decisions like these in a match. Shares are of the win."
    )


def _notes(exam: Exam) -> Iterator[str]:
    results = exam.results
    if (gain := results.gain) is not None:
        yield f"Positions drawn evenly would have to be {gain:.1f} times as many to tell as much."
    if words := exam.game.free_text:
        yield f"Free text is not graded: no position asks for the {listed(words, 'and')}; the other decisions are."
    if any(one.grade["answer"] is None for row in results.answered for one in row):
        yield "Too many invalid answers cost what the rules make of them, and at most as much as the largest stakes."
    yield _LIMITS


def verdict(results: ExamResults) -> str:
    """What the exam shows, in one sentence."""
    if not results.pairs:
        row = results.agent(0)
        bounds = _bounds(results, row["low"], row["high"])
        return f"{row['agent']} gives up {100 * row['per_match']:.1f} % of the win a match ({bounds})."
    rows = sorted(results.pairs, key=lambda row: -abs(row["difference"]))
    return "; ".join(_said(results, row) for row in rows[:3]) + "."


def _said(results: ExamResults, row: PairRow) -> str:
    times = results.population["decisions"]
    less, more = (row["b"], row["a"]) if row["difference"] > 0 else (row["a"], row["b"])
    low, high = sorted((abs(row["low"]), abs(row["high"]))) if row["sure"] else (row["low"], row["high"])
    if row["sure"]:
        points = f"{100 * abs(row['difference']) * times:.1f} points of the win a match"
        return f"{less} gives up less than {more}: {points} ({100 * low * times:.1f} to {100 * high * times:.1f})"
    most = min(1.0, max(abs(low), abs(high)) * times)
    return f"{row['a']} and {row['b']} are not told apart: surely no more than {100 * most:.1f} points of the win a match"


def percent(share: float) -> str:
    return f"{100 * share:.2f} %"


def _bounds(results: ExamResults, low: float, high: float) -> str:
    times = 100 * results.population["decisions"]
    return f"{max(-100.0, low * times):.1f} to {min(100.0, high * times):.1f}"


def _agents(results: ExamResults) -> TextTable:
    headers = ("Player", "Given up a decision", "95 %", "A match", "95 %", "Invalid", "Tokens", "Cost", "Seconds")
    rows = []
    for place in range(len(results.agents)):
        row = results.agent(place)
        seconds = sum(one[place].tally.seconds for one in results.answered)
        rows.append(
            (
                *(row["agent"], percent(row["given_up"]), f"{100 * row['low']:.2f} to {100 * row['high']:.2f}"),
                *(
                    f"{100 * row['per_match']:.1f} %",
                    _bounds(results, row["low"], row["high"]),
                    f"{100 * row['invalid']:.1f} %",
                ),
                *(f"{row['tokens']:,}", f"${row['cost']:.4f}", f"{seconds:.1f}"),
            )
        )
    return TextTable("Share of the win given up", headers, tuple(rows))


def _pairs(results: ExamResults) -> TextTable:
    headers = ("Player", "Other", "More given up a match", "95 %", "Sure", "Different answers")
    rows, times, place = [], results.population["decisions"], {name: number for number, name in enumerate(results.agents)}
    for row in results.pairs:
        other = len(results.differing(place[row["a"]], place[row["b"]]))
        difference = f"{100 * row['difference'] * times:+.1f} %"
        sure = "yes" if row["sure"] else "no"
        rows.append((row["a"], row["b"], difference, _bounds(results, row["low"], row["high"]), sure, str(other)))
    return TextTable("Differences, paired by position", headers, tuple(rows), 2)


class _Sum(NamedTuple):
    """Weighted answers, their weighted losses, and how many answers they are."""

    weight: float = 0.0
    loss: float = 0.0
    answers: int = 0

    def and_of(self, one: Answered) -> _Sum:
        weight = one.position["weight"]
        return _Sum(self.weight + weight, self.loss + weight * one.loss, self.answers + 1)

    @property
    def text(self) -> str:
        return f"{percent(self.loss / self.weight)} ({self.answers})" if self.answers else "-"


def _by_role(results: ExamResults) -> TextTable:
    found: dict[str, list[_Sum]] = defaultdict(lambda: [_Sum()] * len(results.agents))
    for row in results.answered:
        for place, one in enumerate(row):
            found[one.position["role"]][place] = found[one.position["role"]][place].and_of(one)
    rows = tuple((role, *(one.text for one in sums)) for role, sums in sorted(found.items()))
    return TextTable("Given up a decision by role (decisions)", ("Role", *results.agents), rows)


def _by_choice(results: ExamResults) -> TextTable:
    """By kind of choice, those first that cost most."""
    found: dict[str, list[_Sum]] = defaultdict(lambda: [_Sum()] * len(results.agents))
    for row in results.answered:
        for place, one in enumerate(row):
            kind = f"{one.position['role']}: {one.grade['choice']}"
            found[kind][place] = found[kind][place].and_of(one)
    ranked = sorted(found.items(), key=lambda kind: -sum(one.loss for one in kind[1]))[:_MOST_CHOICES]
    rows = tuple((kind, *(one.text for one in sums)) for kind, sums in ranked)
    return TextTable("Given up a decision by choice (answers)", ("Choice", *results.agents), rows)


def _changes(results: ExamResults) -> TextTable:
    """How often each player made a choice where it could be made; the choices that differ most first."""
    could, made = defaultdict[str, float](float), defaultdict[str, list[float]](lambda: [0.0] * len(results.agents))
    for row in results.answered:
        position = row[0].position
        for choice in {one["choice"] for one in position["graded"]}:
            could[f"{position['role']}: {choice}"] += position["weight"]
        for place, one in enumerate(row):
            made[f"{position['role']}: {one.grade['choice']}"][place] += position["weight"]
    shares = {kind: [weight / could[kind] for weight in weights] for kind, weights in made.items()}
    ranked = sorted(shares.items(), key=lambda kind: min(kind[1]) - max(kind[1]))[:_MOST_CHOICES]
    rows = tuple((kind, *(f"{100 * share:.0f} %" for share in own)) for kind, own in ranked)
    return TextTable("What changes: how often a choice was made where it could be", ("Choice", *results.agents), rows)


def _shown(results: ExamResults) -> Sequence[int]:
    """The places of the positions with the largest gains and losses: between the first two players, or of the only one."""
    if len(results.agents) > 1:
        return results.differing(0, 1)[:_MOST_POSITIONS]
    places = range(results.decisions)
    worst = sorted(places, key=lambda place: -results.answered[place][0].loss * results.answered[place][0].position["weight"])
    return worst[:_MOST_POSITIONS]


def _position(exam: Exam, place: int, number: int, has_prompts: bool) -> PageSection:
    results, row = exam.results, exam.results.answered[place]
    position = row[0].position
    about = f"{seat_name(position['seat'])}, {position['role']}, {position['phase']}"
    gains = [f"{name} {100 * (0.0 - one.loss):+.1f} %" for name, one in zip(results.agents, row, strict=True)][:2]
    who = defaultdict[str, list[str]](list)
    for name, one in zip(results.agents, row, strict=True):
        who[json.dumps(one.grade["answer"])].append(name)
    ranked = sorted(position["graded"], key=lambda one: -one["share"])
    shown = [one for one in ranked if json.dumps(one["answer"]) in who or one is best_of(position)]
    rows = tuple(
        (
            _words(one["answer"]),
            f"{100 * one['share']:.1f} %",
            f"{100 * one['se']:.1f}",
            ", ".join(who[json.dumps(one["answer"])]),
        )
        for one in shown
    )
    table = TextTable("Answers", ("Answer", "Share of the win", "±", "Of"), rows)
    log = shlex.quote(clean(position["log"], 5000))
    notes = [f"{name}: {clean(one.reason, 1000)}" for name, one in zip(results.agents, row, strict=True) if one.reason]
    notes.append(f"`tabletop prompts render {log} --at {position['at']}` shows the decision.")
    asked, prompt = exam.shown(position, has_prompts)
    title = f"{number + 1}. {about}: {', '.join(gains)}"
    return PageSection(f"position-{number + 1}", clean(title), clean(asked, 600), [], [table], notes, prompt)


def _words(answer: object) -> str:
    if not isinstance(answer, dict):
        return "struck out"
    return ", ".join(str(value) for value in answer.values())
