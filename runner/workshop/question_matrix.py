"""Question matrix: what several players answer to the same logged decisions, with the grade of every answer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any, NamedTuple

from games.core import seat_name
from games.scenes import in_words
from games.search.grading import default_playouts
from games.search.policy import has_playing_policy
from runner.digest import canonical
from runner.record.replay import detached
from runner.review.decision_review import DecisionJob, Reviewed, grade_words, review_decision
from runner.review.each_log import FollowWork
from runner.review.review_document import SEED
from runner.worker_processes import in_order
from runner.workshop.asking import Trial, TrialReplies
from runner.workshop.prompted_decision import PromptedDecision

Grades = Mapping[tuple[int, str], Reviewed]
"""What answers are worth, by the decision's number and the canonical answer. `review` finds the same of the logged answer."""


def grades(decisions: Sequence[PromptedDecision], asked: Sequence[Sequence[TrialReplies]], follow: FollowWork) -> Grades:
    """The grades of the logged answers and of all replies; those of a decision are compared in the same worlds. Empty for a
    game without a policy for playouts."""
    if not decisions or not has_playing_policy(game := decisions[0].game):
        return {}
    jobs = dict[tuple[int, str], DecisionJob]()
    for row, decision in enumerate(decisions):
        logged = {} if decision.action is None else {canonical(decision.action): decision.action}
        states = detached(decision.state), detached(decision.asked)
        for text, answer in {**logged, **{text: one for of in asked for text, one in of[row].answers.items()}}.items():
            jobs[decision.at, text] = DecisionJob(decision.at, *states, decision.ask.seat, answer)
    work = partial(review_decision, playouts=default_playouts(game), seed=SEED)
    with closing(in_order(work, [*jobs.values()])) as working:
        return dict(zip(jobs, follow(working, len(jobs)), strict=True))


class MatrixColumn(NamedTuple):
    """A player, and for each decision what it was asked with and its replies."""

    name: str
    trials: Sequence[Trial]
    found: Sequence[TrialReplies]


class QuestionMatrix(NamedTuple):
    """Decisions of a log by players. The logged answers are the first column wherever the matrix is shown."""

    decisions: Sequence[PromptedDecision]
    columns: Sequence[MatrixColumn]
    grades: Grades

    def cell(self, column: MatrixColumn, row: int) -> list[dict[str, Any]]:
        """The answers of a player to a decision, the most frequent first; those that are invalid have no answer."""
        decision, replies = self.decisions[row], column.found[row]
        why = {f"({one.wrong})": one.why for one in replies.replies if one.wrong}
        return [
            {
                "answer": replies.answers.get(text),
                "count": count,
                **({"wrong": text[1:-1], "why": why[text]} if text in why else {}),
            }
            | self._grade(decision, text)
            for text, count in replies.counts.most_common()
        ]

    def logged_grade(self, row: int) -> dict[str, Any]:
        """The grade of the logged answer to a decision; empty without one."""
        decision = self.decisions[row]
        return {} if decision.action is None else self._grade(decision, canonical(decision.action))

    def _grade(self, decision: PromptedDecision, answer: str) -> dict[str, Any]:
        found = self.grades.get((decision.at, answer))
        entry = None if found is None else found.entry
        names = ("share", "best", "best_share", "given_up", "se", "regret", "grade")
        return {} if entry is None else {name: value for name, value in entry.items() if name in names}

    def player(self, column: MatrixColumn) -> dict[str, Any]:
        """What a player's replies come to: `given_up` is the mean share of the win that one gives up, None if none of them can
        be graded."""
        replies = [reply for found in column.found for reply in found.replies]
        cells = [one for row in range(len(self.decisions)) for one in self.cell(column, row)]
        logged = [canonical(decision.action) for decision in self.decisions]
        return {
            "player": column.name,
            "models": sorted({trial.spec.text for trial in column.trials}),
            "packs": sorted({trial.pack_name for trial in column.trials}),
            "replies": len(replies),
            "legal": sum(found.legal for found in column.found),
            "as_logged": sum(found.counts[text] for found, text in zip(column.found, logged, strict=True)),
            **_graded(cells),
            "prompt_tokens": sum(reply.prompt_tokens for reply in replies),
            "completion_tokens": sum(reply.completion_tokens for reply in replies),
            "cost": sum(reply.cost for reply in replies),
        }

    def logged(self) -> dict[str, Any]:
        """The same of the logged answers."""
        return _graded([{"count": 1, **self.logged_grade(row)} for row in range(len(self.decisions))])

    def to_json(self) -> dict[str, Any]:
        rows = [
            {
                "at": one.at,
                "seat": one.ask.seat,
                "role": one.ask.question.role,
                "logged": one.action,
                "how": one.how,
                "logged_grade": self.logged_grade(row) or None,
                "players": [
                    {
                        "model": column.trials[row].spec.text,
                        "pack": column.trials[row].pack_name,
                        "answers": self.cell(column, row),
                    }
                    for column in self.columns
                ],
            }
            for row, one in enumerate(self.decisions)
        ]
        return {"decisions": rows, "logged": self.logged(), "players": [self.player(column) for column in self.columns]}


def _graded(cells: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """How many answers are graded, the mean regret of these, and how many are named what."""
    found = [one for one in cells if one.get("grade", "forced") != "forced"]
    names, number = Counter[str](), sum(one["count"] for one in found)
    for one in found:
        names[one["grade"]] += one["count"]
    mean = sum(one["count"] * one["regret"] for one in found) / number if number else None
    return {"graded": number, "given_up": None if mean is None else round(max(0.0, mean), 4), "grades": dict(names)}


def rows_of(matrix: QuestionMatrix) -> list[list[str]]:
    """The matrix as a table of texts: decision, seat, logged answer, and each player's answers with their grades."""
    rows = []
    for row, decision in enumerate(matrix.decisions):
        logged = {"answer": decision.action, "count": 1, **matrix.logged_grade(row)}
        told = [[logged] if decision.action is not None else [], *(matrix.cell(column, row) for column in matrix.columns)]
        cells = ["; ".join(_worded(decision, one) for one in cell) or "–" for cell in told]
        rows.append([str(decision.at), seat_name(decision.ask.seat), decision.ask.question.role, *cells])
    return rows


def _worded(decision: PromptedDecision, one: Mapping[str, Any]) -> str:
    words = f"({one['wrong']})" if "wrong" in one else in_words(decision.asked, decision.ask.seat, one["answer"])[0]
    times = f" ×{one['count']}" if one["count"] > 1 else ""
    return f"{words}{times}{grade_words(one)}"
