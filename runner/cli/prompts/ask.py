"""`tabletop prompts ask LOG --at N`: other answers to logged decisions, graded; several decisions and players as a matrix."""

import asyncio
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from games.core import counted
from games.search.grading import FAULTS
from runner.agents.environment import Environment
from runner.agents.log_trust import check_logged
from runner.agents.spec import ModelSpec, is_model, resolved, seat_spec
from runner.cli.command_environment import load_environment, with_trust
from runner.cli.options import LogOrNewest, UsdBudget, named_or_newest, pack_folder
from runner.cli.output import say, say_json
from runner.cli.prompts.logged_decision import heading
from runner.digest import canonical
from runner.errors import UsageError
from runner.llm.budget import Budget
from runner.prompting.pack import PromptPack
from runner.record.decisions import no_decision
from runner.record.reader import Log, read_sound_part
from runner.review.decision_review import grade_words
from runner.review.kept_reviews import reviewed
from runner.screen.consoles import live_status, print_note, report_loading, results, with_progress
from runner.screen.safe_text import clean
from runner.workshop.asking import MatrixColumn, QuestionMatrix, Respondent, Trial, TrialAsking, TrialReplies, grades, rows_of
from runner.workshop.prompted_decision import PromptedDecision, prompted_decision, prompted_decisions

ALL, BLUNDERS = "all", "blunders"
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")
_LONGEST_CELL = 300


def ask(
    at: str,
    log: LogOrNewest = None,
    model: list[str] | None = None,
    pack: list[Path] | None = None,
    times: int | None = None,
    budget: UsdBudget = None,
    budget_tokens: int | None = None,
    mistakes: float = 0.0,
    trust_folder: bool = False,
    quiet: bool = False,
    as_json: bool = False,
) -> None:
    """Ask models what they would decide, and grade their answers beside the logged ones."""
    environment = load_environment()
    found = read_sound_part(named_or_newest(log))
    players = _players(model or [], pack or [], environment)
    decisions = list(_decisions(found, at, quiet or as_json))
    if any(player.spec is None for player in players):
        for decision in {one.spec: one for one in decisions}.values():
            if is_model(spec := resolved(decision.spec, environment)):
                with_trust(trust_folder, partial(check_logged, {decision.ask.seat: spec}, (), environment, has_number=False))
    packs = PromptPack()
    trials = [[player.trial(decision, environment, packs) for decision in decisions] for player in players]
    is_single = at.isdecimal() and len(players) == 1
    report_loading()
    asking = _asked(
        trials, TrialAsking(environment, Budget(budget, budget_tokens), mistakes), times or (5 if is_single else 1), quiet
    )
    asked = asyncio.run(asking)
    columns = [MatrixColumn(one.name, *both) for one, both in zip(players, zip(trials, asked, strict=True), strict=True)]
    follow = partial(with_progress, what="grading answers", is_quiet=quiet or is_single)
    matrix = QuestionMatrix(decisions, columns, grades(decisions, asked, follow))
    if as_json:
        say_json(
            _single_json(matrix) if is_single else {"log": found.path.name, "game": found.header["game"], **matrix.to_json()}
        )
    elif is_single:
        _print_replies(matrix)
    else:
        _print_matrix(matrix, players)
    if (stop := next((one.stop for row in asked for one in row if one.stop is not None), None)) is not None:
        raise stop


def _players(seats: Sequence[str], packs: Sequence[Path], environment: Environment) -> list[Respondent]:
    """Every model with every pack; one whose SPEC names a pack has that one. UsageError for a seat that is no model."""
    specs = [seat_spec(text, environment) for text in seats]
    if other := next((spec for spec in specs if not is_model(spec)), None):
        raise UsageError(f"--seat {other} is not a model; only models get prompts: specify one with --seat.")
    known: list[PromptPack | None] = [PromptPack(pack_folder(folder)) for folder in packs] or [None]
    models: list[ModelSpec | None] = [*filter(is_model, specs)] or [None]
    return [Respondent(spec, pack) for spec in models for pack in ([None] if spec and spec.pack else known)]


def _decisions(log: Log, at: str, is_quiet: bool) -> Iterator[PromptedDecision]:
    """The decisions that `--at` names. UsageError for what names none."""
    if at.isdecimal():
        yield prompted_decision(log, int(at))
        return
    wanted = _RANGE.fullmatch(at)
    if wanted is None and at not in (ALL, BLUNDERS):
        raise UsageError(f"--at {clean(at)}: expected a number, a range such as 1-20, {ALL} or {BLUNDERS}.")
    last = sum(1 for _ in log.of_kind("decision"))
    first, end = (int(wanted[1]), int(wanted[2])) if wanted else (1, last)
    if end < first <= last:
        raise UsageError(f"--at {at}: the range runs backwards; say {end}-{first}.")
    if not 1 <= first <= end <= last:
        raise no_decision(at, last)
    numbers = {*range(first, end + 1)}
    if at == BLUNDERS:
        follow = partial(with_progress, what="reviewing decisions", is_quiet=is_quiet)
        numbers = {one["decision"] for one in reviewed(log, follow=follow)["decisions"] if one["grade"] == "blunder"}
    found = [one for one in prompted_decisions(log) if one.at in numbers]
    if (forced := len(numbers) - len(found)) and not is_quiet:
        print_note(f"Left out: {counted(forced, 'decision')} with one legal answer.")
    yield from found


async def _asked(
    trials: Sequence[Sequence[Trial]], asking: TrialAsking, times: int, is_quiet: bool
) -> list[list[TrialReplies]]:
    """The replies to each row of trials."""
    flat, done = [trial for row in trials for trial in row], count(1)
    with live_status(is_quiet) as show:
        async with asking:
            found = await asking.ask(flat, times, lambda: show(f"asking: {next(done)} of {len(flat) * times} replies"))
    size = len(trials[0])
    return [found[row * size : (row + 1) * size] for row in range(len(trials))]


def _single_json(matrix: QuestionMatrix) -> dict[str, Any]:
    (decision,), (column,) = matrix.decisions, matrix.columns
    (trial,), (found,) = column.trials, column.found
    return {
        "at": decision.at,
        "seat": decision.ask.seat,
        "role": decision.ask.question.role,
        "model": trial.spec.text,
        "pack": trial.pack_name,
        "logged": decision.action,
        "how": decision.how,
        "logged_grade": matrix.logged_grade(0),
        "legal": found.legal,
        "answers": dict(found.counts.most_common()),
        "graded": matrix.cell(column, 0),
        "replies": [asdict(reply) for reply in found.replies],
    }


def _print_replies(matrix: QuestionMatrix) -> None:
    (decision,), (column,) = matrix.decisions, matrix.columns
    (trial,), (found,) = column.trials, column.found
    total, logged = len(found.replies), None if decision.action is None else canonical(decision.action)
    shown = "struck out" if decision.action is None else json.dumps(decision.action, ensure_ascii=False)
    lines = [heading(decision), f"Logged ({decision.spec}, {decision.how}): {shown}{grade_words(matrix.logged_grade(0))}"]
    lines.append(f"{trial.spec}, pack {trial.pack_name}, asked {counted(total, 'time')}:")
    for one, (text, number) in zip(matrix.cell(column, 0), found.counts.most_common(), strict=True):
        same = "  = logged" if text == logged else ""
        lines.append(f"  {number:>4}  {number / total:>4.0%}  {text}{same}{grade_words(one)}")
    lines += [f"        wrong: {why}" for why in dict.fromkeys(reply.why for reply in found.replies if reply.wrong)]
    agrees = "" if logged is None else f", {found.counts[logged]} as logged"
    lines.append(f"{found.legal} of {total} legal{agrees}.")
    for line in lines:
        say(clean(line))
    say(f"{_tokens(matrix.player(column))}.")


def _tokens(player: Mapping[str, Any]) -> str:
    total = max(1, player["replies"])
    each = f"{player['prompt_tokens'] / total:,.0f} + {player['completion_tokens'] / total:,.0f} tokens per reply"
    return f"{each}, ${player['cost']:.4f} in total"


def _print_matrix(matrix: QuestionMatrix, players: Sequence[Respondent]) -> None:
    if not matrix.decisions:
        say("There is no such decision in this match.")
        return
    console, table = results(), Table(box=None, pad_edge=False)
    for name in ("at", "seat", "role", "logged", *(column.name for column in matrix.columns)):
        table.add_column(clean(name), overflow="fold")
    for row in rows_of(matrix):
        table.add_row(*(Text(clean(cell, _LONGEST_CELL)) for cell in row))
    console.print(table)
    say(f"logged: {_sums(matrix.logged())}.")
    for one, column in zip(players, matrix.columns, strict=True):
        player = matrix.player(column)
        legal = f"{player['legal']} of {player['replies']} legal, {player['as_logged']} as logged"
        pack = "" if one.pack else f", pack {', '.join(player['packs'])}"
        say(clean(f"{column.name}{pack}: {legal}; {_sums(player)}; {_tokens(player)}.", 1000))


def _sums(found: Mapping[str, Any]) -> str:
    """What graded answers come to, in words."""
    if found["given_up"] is None:
        return "nothing to grade"
    named = {name: found["grades"].get(name, 0) for name in FAULTS[::-1]}
    faults = [f"{number} {name if number == 1 else _MANY[name]}" for name, number in named.items() if number]
    mean = f"gives up {found['given_up']:.1%} of the win a graded answer ({found['graded']})"
    return ", ".join([mean, *faults])


_MANY = {"inaccuracy": "inaccuracies", "mistake": "mistakes", "blunder": "blunders"}
