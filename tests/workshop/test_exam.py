"""Exams: the same positions for everybody, fair weights, graded once, answers found again whatever stopped the exam."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import games
from games.core import decks
from games.search import drawing, stakes
from games.search.drawing import Candidate, Drawing, Step
from games.search.grading import is_gradable
from games.search.stakes import AnswerStake
from runner import worker_processes
from runner.agents.environment import Environment
from runner.agents.function_agent import FunctionAsk
from runner.agents.spec import parse_spec
from runner.api import compare, lint
from runner.api import exam as exam_of
from runner.digest import code_of
from runner.errors import PausedError, UsageError
from runner.llm.offline import OfflineModel
from runner.match.records import AttemptRecord
from runner.record.reader import read_log
from runner.workshop import pack_check
from runner.workshop.exam import exam as exam_module
from runner.workshop.exam import exam_report
from runner.workshop.exam.exam import AnswerKey, Exam, ExamSpec, KeptAnswers
from runner.workshop.exam.exam_results import Answered, ExamResults, document_of
from runner.workshop.exam.examinee import Examined
from runner.workshop.exam.positions import AnswerGrade, Population, PositionSequence
from tests.cli.command import complaint, environment, offline_server, start, tabletop
from tests.patience import PATIENCE

GAME = "cat_in_the_box"
FEW = 4


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Grade in this process and with few playouts, and count few matches beforehand."""
    monkeypatch.setattr(worker_processes, "available_cpus", lambda: 1)
    monkeypatch.setattr(drawing, "_PILOTS", 8)
    monkeypatch.setattr(stakes, "_PLAYOUTS", 40)
    monkeypatch.setattr(pack_check, "_MATCHES", 1)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the first positions of an exam, and no answers."""
    folder = tmp_path_factory.mktemp("exam")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_processes, "available_cpus", lambda: 1)
        patch.setattr(drawing, "_PILOTS", 8)
        patch.setattr(stakes, "_PLAYOUTS", 40)
        sequence = PositionSequence(Drawing(games.load(GAME).begin(3), 1), (), folder)
        assert len([*sequence.first(FEW)]) == FEW
        sequence.close()
    return folder


@pytest.fixture
def folder(graded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(graded, tmp_path / "exams"))


def spec_of(*players: str | Callable[..., Any], decisions: int = FEW, **more: Any) -> ExamSpec:
    examined = [
        Examined(parse_spec(player)) if isinstance(player, str) else Examined(parse_spec("py:here:it"), function=player)
        for player in players
    ]
    return ExamSpec(game=GAME, players=3, examined=examined, decisions=decisions, **more)


def held(folder: Path, *players: str | Callable[..., Any], **more: Any) -> Exam:
    """An exam after its end."""
    exam = Exam(spec_of(*players, **more), folder, Environment())
    asyncio.run(exam.run(lambda results: None))
    return exam


def digests(exam: Exam) -> list[str]:
    return [row[0].position["digest"] for row in exam.results.answered]


def kept(folder: Path) -> list[bytes]:
    return [line for path in sorted(folder.glob("answers/*.jsonl")) for line in path.read_bytes().splitlines()]


def first_legal(ask: FunctionAsk) -> Any:
    return (ask.legal or [{}])[0]


# -- positions -------------------------------------------------------------------------------------------------------


def test_positions_are_the_same_for_everybody_and_a_larger_number_appends(folder: Path, tmp_path: Path) -> None:
    whole = digests(held(folder, "bot:steady"))
    assert len({*whole}) == FEW
    other = held(tmp_path / "other", "bot:random", first_legal, decisions=2)
    assert digests(other) == whole[:2]
    assert digests(held(tmp_path / "other", "bot:random", decisions=3)) == whole[:3]


def test_grades_are_kept_so_that_a_second_exam_needs_no_search(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stakes, "playing_world", lambda *given: pytest.fail("it was graded again"))
    found = held(folder, "bot:steady", "bot:random").results
    assert found.decisions == FEW
    with pytest.raises(pytest.fail.Exception):
        held(folder, "bot:steady", decisions=FEW + 1)


class _Chance:
    """Random numbers that are given, in their order."""

    def __init__(self, drawn: int, at: float) -> None:
        self._drawn, self._at = drawn, at

    def below(self, bound: int) -> int:
        return self._drawn

    def random(self) -> float:
        return self._at


def test_weighted_losses_add_up_to_the_mean_loss_of_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every way to draw one of three decisions and to accept it, each as often as it happens. The first look at the second one
    shows less than is at stake."""
    spreads, losses, most, steps = ((0.4, 0.1), (0.2, 0.3), (0.7, 0.9)), (0.05, 0.3, -0.2), 5, 1000
    monkeypatch.setattr(Drawing, "candidates", lambda *_: _places())
    monkeypatch.setattr(drawing, "Stakes", lambda _, seat, *keys: _Graded(losses[seat], *spreads[seat]))
    begin = games.load(GAME).begin(3)
    total, what = 0.0, Drawing(begin, 1, most=most)
    for drawn in range(most):
        for step in range(steps):
            chance = SimpleNamespace(below=lambda bound, drawn=drawn: drawn, random=lambda step=step: (step + 0.5) / steps)
            monkeypatch.setattr(drawing, "Rng", SimpleNamespace(of=lambda *keys, chance=chance: chance))
            outcome = what.draw(0, [Step(begin, {}, range(3))])
            if isinstance(outcome, bool):
                assert outcome == (drawn < 3)
            else:
                value = outcome.weight * outcome.answers[0].loss
                assert abs(value) <= 1.0
                total += value
    assert total / (3 * steps) == pytest.approx(sum(losses) / 3, abs=2e-3)


def _places() -> list[Candidate]:
    state = games.load(GAME).begin(3, 1)
    return [Candidate(state, seat, seat + 1) for seat in range(3)]


class _Graded:
    """Stakes that are given: of an answer with this loss, and the bounds on the spread, the last of them the spread itself."""

    def __init__(self, loss: float, *spreads: float) -> None:
        self.answers, self.spread = (AnswerStake({}, "", 0.0, 0.0, loss),), spreads[-1]
        self._spreads = spreads

    def spreads(self) -> Iterator[float]:
        yield from self._spreads


def _graded(loss: float) -> AnswerGrade:
    return {"answer": {}, "choice": "", "share": 0.0, "se": 0.0, "loss": loss}


def test_positions_that_two_processes_have_drawn_count_once(folder: Path) -> None:
    (index,) = folder.rglob("positions.jsonl")
    population, *lines = index.read_text().splitlines(keepends=True)
    index.write_text("".join([population, lines[0], *lines, lines[0][:20]]))
    whole = [one["match"] for one in PositionSequence(Drawing(games.load(GAME).begin(3), 1), (), folder).first(FEW)]
    assert len({*whole}) == FEW


def test_other_weights_of_the_bots_make_other_grades(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code_of.cache_clear()
    begin = Drawing(games.load(GAME).begin(3), 1)
    kept = PositionSequence(begin, (), folder).folder
    with monkeypatch.context() as patched:
        patched.setattr(decks, "built_in", lambda: b"other weights")
        code_of.cache_clear()
        assert PositionSequence(begin, (), folder).folder != kept
    code_of.cache_clear()
    assert PositionSequence(begin, (), folder).folder == kept


def test_losses_are_within_the_stakes_and_of_all_answers(graded: Path) -> None:
    sequence = PositionSequence(Drawing(games.load(GAME).begin(3), 1), (), graded)
    for position in sequence.first(FEW):
        losses = [one["loss"] for one in position["graded"] if one["answer"] is not None]
        assert [one["choice"] for one in position["graded"] if one["answer"] is None] == ["struck out"]
        assert max(losses) - min(losses) <= position["spread"] + 1e-4
        assert 1 / min(1.0, position["spread"] / 0.5) - 1e-9 <= position["weight"] <= 1 / position["spread"] + 1e-9


def test_positions_of_logs_are_drawn_by_their_stakes(graded: Path, tmp_path: Path) -> None:
    logs, damaged = sorted(graded.rglob("[0-9]*.jsonl"))[:2], tmp_path / "damaged.jsonl"
    damaged.write_bytes(logs[0].read_bytes().replace(b":1,", b":2,"))
    exam = held(tmp_path, "bot:steady", first_legal, logs=[damaged, *logs], decisions=9)
    found = exam.results
    assert [one.name for one in exam.left_out] == ["damaged.jsonl"]
    assert 1 <= found.decisions <= 2
    population = found.population
    for row in found.answered:
        position = row[0].position
        assert Path(position["log"]) in [log.absolute() for log in logs]
        assert abs(position["weight"] * position["spread"]) <= population["bound"] * 1.001
    assert population["scale"] == pytest.approx(1 / (3 * population["decisions"]))


def test_a_draw_in_a_log_is_fair(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every way to draw one of three decisions, each as often as it happens: the mean is the loss of the whole match."""
    spreads, losses, steps = (0.1, 0.2, 0.5), (0.1, -0.1, 0.4), 1000
    monkeypatch.setattr(drawing, "Stakes", lambda _, seat, *keys: _Graded(losses[seat], spreads[seat]))
    found, what = list[float](), Drawing(games.load(GAME).begin(3), 1)
    for step in range(steps):
        chance = SimpleNamespace(shuffled=tuple, random=lambda step=step: (step + 0.5) / steps)
        monkeypatch.setattr(drawing, "Rng", SimpleNamespace(of=lambda *keys, chance=chance: chance))
        outcome, whole = what.draw_one(_places(), "log")
        assert outcome is not None
        assert whole == pytest.approx(sum(spreads))
        found.append(outcome.weight * outcome.answers[0].loss)
    assert sum(found) / steps == pytest.approx(sum(losses), abs=2e-3)
    assert max(map(abs, found)) <= sum(spreads) + 1e-9


# -- players ---------------------------------------------------------------------------------------------------------


def test_a_player_that_does_not_vary_differs_from_itself_by_nothing(folder: Path) -> None:
    found = document_of(held(folder, first_legal, first_legal).results)
    assert [agent["agent"] for agent in found["agents"]] == ["it", "it (2)"]
    (pair,) = found["pairs"]
    assert (pair["difference"], pair["sure"]) == (0.0, False)
    assert pair["low"] < 0 < pair["high"]


def test_the_positions_of_any_pair_that_differs_are_shown(folder: Path) -> None:
    def last_legal(ask: FunctionAsk) -> Any:
        return (ask.legal or [{}])[-1]

    found = held(folder, first_legal, first_legal, last_legal)
    places = found.results.differing()
    assert found.results.differing((0, 1)) == []
    assert places == found.results.differing((0, 2)) != []
    titles = [section.title for section in exam_report.report_of(found).sections]
    assert len(titles) == min(10, len(places))
    assert [name for name in found.results.agents if f"{name} " not in titles[0]] == []


def test_one_spec_given_twice_is_two_players_who_answer_independently(folder: Path) -> None:
    found = held(folder, "offline", "offline").results
    assert [*found.agents] == ["offline model", "offline model (2)"]
    assert found.differing()
    assert len([*folder.glob("answers/*.jsonl")]) == 2


def test_an_invalid_answer_is_asked_again_with_the_mistake(folder: Path) -> None:
    def careless(ask: FunctionAsk) -> Any:
        return first_legal(ask) if ask.mistakes else {"play": "nonsense"}

    found = document_of(held(folder, careless, first_legal).results)
    assert [agent["invalid"] for agent in found["agents"]] == [0.5, 0.0]
    assert found["pairs"][0]["difference"] == 0.0, "the answer counts in the end"


def test_too_many_invalid_answers_cost_what_the_rules_make_of_them(folder: Path) -> None:
    found = held(folder, lambda ask: None).results
    for (one,) in found.answered:
        assert (one.grade["answer"], one.tally.mistakes, one.attempts) == (None, 3, 3)
    assert document_of(found)["agents"][0]["invalid"] == 1.0


def test_a_function_sees_its_seat_and_gets_no_state(folder: Path) -> None:
    seats = []

    def look(ask: FunctionAsk) -> Any:
        seats.append(ask.seat)
        return first_legal(ask)

    found = held(folder, look).results
    assert sorted(seats) == sorted(row[0].position["seat"] for row in found.answered)


# -- answers that are found again ------------------------------------------------------------------------------------


def test_answers_are_found_again_in_any_folder_below(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = document_of(held(folder, "offline", "bot:random").results)
    lines = kept(folder)
    (folder / "answers").rename(folder / "earlier")
    monkeypatch.setattr(OfflineModel, "respond", lambda *given: pytest.fail("it was asked again"), raising=False)
    assert document_of(held(folder, "offline", "bot:random").results) == first
    assert not kept(folder)
    assert len(lines) == 2 * FEW


@pytest.mark.parametrize("cut", [0, 1, 40])
def test_what_a_kill_left_goes_on_and_loses_nothing(folder: Path, cut: int) -> None:
    whole = document_of(held(folder, "offline").results)
    (path,) = folder.glob("answers/*.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2]) + lines[2][: len(lines[2]) - cut if cut else 0])
    again = document_of(held(folder, "offline").results)
    assert again == whole
    assert len([line for line in kept(folder) if _is_whole(line)]) == FEW + (cut == 1 and 0)


def _is_whole(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def test_another_prompt_is_asked_anew_and_the_other_player_is_found_again(folder: Path, tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    (pack / GAME).mkdir(parents=True)
    (pack / "pack.toml").write_text('name = "mine"\n')
    held(folder, "offline", decisions=2)
    built_in = Path("prompts") / GAME / "advice.j2"
    source = built_in.read_text() if built_in.exists() else ""
    (pack / GAME / "advice.j2").write_text(f"{source}\nThink of the score.\n")
    before = len(kept(folder))
    found = held(folder, "offline", f"offline+pack:{pack}", decisions=2).results
    assert [*found.agents] == ["offline model", "offline model (mine)"]
    assert len(kept(folder)) == before + 2, "only the changed prompts were asked"


def test_answers_that_are_found_again_count_towards_the_budget_once(folder: Path) -> None:
    exam = Exam(spec_of("offline", budget=1.0), folder, Environment())
    key: Any = ("player", "position", "")
    attempts: Any = [{"charged": 0.25, "charged_tokens": 10}]
    exam._charge(key, attempts)
    exam._charge(key, attempts)
    exam.close()
    assert (exam.budget.usd, exam.budget.spent_usd, exam.budget.spent_tokens) == (1.0, 0.25, 10)


def test_an_exam_that_stops_keeps_what_was_answered_before(folder: Path) -> None:
    asked = []

    def leave(ask: FunctionAsk) -> Any:
        asked.append(ask.seat)
        if len(asked) == 3:
            raise PausedError("no more.")
        return first_legal(ask)

    exam = Exam(spec_of("offline", leave, concurrency=1), folder, Environment())
    with pytest.raises(PausedError, match="no more"):
        asyncio.run(exam.run(lambda results: None))
    assert exam.results.decisions == 2
    assert len(kept(folder)) == 3, "the answer beside the one that failed is kept"


def test_it_stops_as_soon_as_every_pair_is_told_apart() -> None:
    population: Population = {"most": 9, "decisions": 10.0, "bound": 1.0, "scale": 1.0}
    results = ExamResults("coup", 3, ["a", "b"], population)
    number = 0
    while not results.is_sure:
        number += 1
        results.add([_answered(0.0), _answered(0.5)])
    assert 10 < number < 200
    assert results.pairs[0]["sure"]
    near = ExamResults("coup", 3, ["a", "b"], population, margin=2.0)
    for _ in range(number):
        near.add([_answered(0.1), _answered(0.1)])
    assert near.is_sure, "surely nearer together than the margin"


def _answered(loss: float) -> Answered:
    position: Any = {"skipped": 1, "weight": 1.0, "graded": [_graded(loss)], "role": "voter"}
    attempts: Any = [{"outcome": "answer", "reason": "so"}]
    action: Any = SimpleNamespace(to_json=dict)
    return Answered.of(position, attempts, action)


def test_the_gain_over_drawing_evenly_is_that_of_the_variances() -> None:
    population: Population = {"most": 9, "decisions": 10.0, "bound": 1.0, "scale": 1.0}
    results = ExamResults("coup", 3, ["a"], population)
    results.add([_answered(0.5)])
    assert results.gain == 2.0, "one of two candidates was asked, and the other had nothing at stake"


def test_a_loss_that_search_estimates_below_nothing_is_shown_as_nothing(folder: Path) -> None:
    exam = Exam(spec_of("bot:steady"), folder, Environment())
    row = _answered(-0.25)
    row.position.update(seat=0, phase="", log="", at=1)  # type: ignore[call-arg]
    exam.results.add([row._replace(grade={**row.grade, "share": 0.0})])
    exam.close()
    (position,) = document_of(exam.results)["positions"]
    assert position["answers"]["bot:steady"]["given_up"] == 0
    assert exam_report._losses(exam.results, "", lambda one: "voter").rows == (("voter", "0.00 % (1)"),)


# -- the command and Python ------------------------------------------------------------------------------------------


def test_the_document_has_exactly_its_fields(folder: Path) -> None:
    done = tabletop(
        folder.parent,
        "exam",
        GAME,
        "--players",
        "3",
        "--seat",
        "bot:steady",
        "--seat",
        "new=offline",
        "--decisions",
        "3",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [*found] == ["game", "players", "decisions", "agents", "pairs", "positions"]
    assert (found["game"], found["players"], found["decisions"], len(found["positions"])) == (GAME, 3, 3, 3)
    assert [agent["agent"] for agent in found["agents"]] == ["bot:steady", "new"]
    assert {*found["agents"][0]} == {"agent", "given_up", "low", "high", "per_match", "invalid", "tokens", "cost"}
    assert {*found["pairs"][0]} == {"a", "b", "difference", "low", "high", "sure"}
    assert all(0 <= agent["low"] <= agent["given_up"] <= agent["high"] for agent in found["agents"])
    assert all(0 <= agent["per_match"] <= 1 for agent in found["agents"])
    assert found["agents"][1]["tokens"] > 0


def test_the_report_names_verdict_roles_choices_and_positions(folder: Path) -> None:
    words = ("exam", GAME, "--players", "3", "--seat", "bot:steady", "--seat", "offline", "--decisions", str(FEW))
    done = tabletop(folder.parent, *words)
    assert done.returncode == 0, done.stderr
    assert "They cannot show 5 points" in done.stderr
    for part in ("are not told apart", "by role", "by choice", "What changes", "Positions drawn evenly", "prompts render"):
        assert part in done.stdout
    shown = next(line for line in done.stdout.splitlines() if "tabletop prompts render" in line).split("`")[1].split()
    assert tabletop(folder.parent, *shown[1:]).returncode == 0
    page = tabletop(folder.parent, *words, "--html")
    assert page.returncode == 0, page.stderr
    html = (folder / f"{GAME}.html").read_text()
    assert "<summary>Prompt</summary>" in html
    assert "Differences, paired by position" in html


def test_a_dry_run_asks_nobody(folder: Path) -> None:
    words = ("exam", GAME, "--players", "3", "--seat", "offline", "--seat", "bot:steady", "--decisions", "3", "--dry-run")
    told = tabletop(folder.parent, *words)
    assert (told.returncode, kept(folder)) == (0, [])
    assert "3 decisions a player: free" in told.stdout
    found = json.loads(tabletop(folder.parent, *words, "--json").stdout)
    assert (found["decisions"], found["most"]) == (3, 0.0)
    assert found["shows"] > 0.05
    assert found["enough"] > 3


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "needs a player"),
        (("--seat", "offline", "--decisions", "0"), "--decisions 0: at least one"),
        (("--seat", "offline", "--until", "soon"), "--until soon: expected sure"),
        (("--seat", "offline", "--until", "sure"), "compares players: name at least two"),
        (("--seat", "offline", "--margin", "5"), "as --margin too, compares players: name at least two"),
        (("--seat", "offline", "--role", "cat"), f"has no role cat: it has {', '.join(games.load(GAME).roles)}"),
        (("--seat", "bot:none"), 'no bot "bot:none"'),
        (("--seat", "mcp"), "MCP client"),
        (("--seat", "offline", "--on", "nowhere"), "There is no log, folder or pack nowhere"),
    ],
)
def test_what_cannot_be_examined_is_said_in_one_sentence(words: tuple[str, ...], why: str, tmp_path: Path) -> None:
    done = tabletop(tmp_path, "exam", GAME, *words)
    assert done.returncode == 2
    assert why in complaint(done)
    assert not [*tmp_path.iterdir()]


def test_a_function_that_there_is_not_stops_nothing_that_could_resume(folder: Path) -> None:
    done = tabletop(folder.parent, "exam", GAME, "--players", "3", "--seat", "py:nosuch:it", "--decisions", "1")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith('tabletop: The seat "py:nosuch:it" names the module nosuch')


def test_a_game_without_the_bot_of_playouts_cannot_be_graded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("runner.workshop.exam.exam.has_playing_policy", lambda game: False)
    with pytest.raises(UsageError, match="cannot be examined"):
        Exam(spec_of("bot:random"), tmp_path, Environment())


def test_a_pack_with_a_fault_is_refused_before_anything_is_played(folder: Path, tmp_path: Path) -> None:
    role = next(iter(games.load(GAME).roles))
    (tmp_path / "pack" / GAME).mkdir(parents=True)
    (tmp_path / "pack" / "pack.toml").write_text('name = "mine"\n')
    (tmp_path / "pack" / GAME / f"{role}.j2").write_text("\n{{ view.nothing_of_the_kind }}\n")
    with pytest.raises(UsageError, match=rf"{role}\.j2:2"):
        Exam(spec_of("offline", f"offline+pack:{tmp_path / 'pack'}"), folder, Environment())
    assert not kept(folder)
    assert lint(tmp_path / "pack", GAME, matches=2)["faults"]


def test_a_pack_that_breaks_in_the_middle_is_named_and_costs_its_own_pack_alone(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    template = tmp_path / "brittle" / GAME / "advice.j2"
    template.parent.mkdir(parents=True)
    monkeypatch.setattr(exam_module, "check_faults", lambda pack, game: None)
    last = held(folder, "bot:steady").results.answered[-1][0].position
    state = exam_module.prompted_decision(read_log(Path(last["log"])), last["at"]).state
    hand = state.view(last["seat"])["own"]
    template.write_text("Be bold.\n{% if own == " + repr(hand) + " %}{{ own['no' ~ 'thing'] }}{% endif %}")
    players = "offline", f"offline+pack:{template.parents[1]}", "bot:random"
    exam = Exam(spec_of(*players), folder, Environment())
    with pytest.raises(UsageError, match=rf"{GAME}/advice.j2, line 2 cannot be rendered with the pack .*/brittle: .*'nothing'"):
        asyncio.run(exam.run(lambda results: None))
    assert [exam.results.decisions, exam.results.agents] == [FEW, ["offline model", "bot:random"]]
    assert [(one["a"], one["b"]) for one in exam.results.pairs] == [("offline model", "bot:random")]
    alone = Exam(spec_of(*players[:2]), folder, Environment())
    with pytest.raises(UsageError):
        asyncio.run(alone.run(lambda results: None))
    assert alone.results.decisions == FEW - 1
    template.write_text("Be bold.")
    assert held(folder, *players).results.decisions == FEW


def test_python_takes_functions_and_specs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    found = exam_of(GAME, {"mine": first_legal, "bot": "bot:steady"}, players=3, decisions=2)
    assert (found["decisions"], [agent["agent"] for agent in found["agents"]]) == (2, ["mine", "bot"])
    with pytest.raises(UsageError, match="is a list"):
        exam_of(GAME, "bot:steady")


def test_a_function_of_the_script_that_runs_is_examined(folder: Path) -> None:
    script = (
        "from runner.api import exam\n"
        "def bold(ask): return ask.legal[-1]\n"
        f"print(exam('{GAME}', {{'bold': bold}}, players=3, decisions=1, out='exams')['agents'][0]['agent'])"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=folder.parent, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("bold\n", "")


def test_free_text_is_not_graded_and_the_report_says_so() -> None:
    game = games.load("dixiquote")
    exam: Any = SimpleNamespace(game=game, players=[], results=SimpleNamespace(gain=None, answered=[]))
    assert any("Free text is not graded" in note and "quote" in note for note in exam_report._notes(exam))
    asked = game.begin(4, 1)
    while "quote" not in asked.question(asked.pending[0]).schema["properties"]:
        asked = asked.actions[0].next_state
    assert not is_gradable(asked, asked.pending[0])


def test_ctrl_c_stops_it_with_the_command_that_continues(folder: Path) -> None:
    (folder.parent / "slow.py").write_text(
        "import pathlib, time\n"
        "def it(ask):\n"
        "    marks = pathlib.Path('asked')\n"
        "    marks.write_text(marks.read_text() + 'x' if marks.exists() else 'x')\n"
        "    if len(marks.read_text()) == 3:\n"
        "        time.sleep(600)\n"
        "    return ask.legal[0]\n"
    )
    words = ("exam", GAME, "--players", "3", "--seat", "py:slow:it", "--decisions", str(FEW), "--concurrency", "1", "--json")
    process = start(folder.parent, *words)
    marks = folder.parent / "asked"
    while not (marks.exists() and len(marks.read_text()) == 3):
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 3, err
    assert "The same command resumes it" in err
    assert json.loads(out)["decisions"] == 2
    done = tabletop(folder.parent, *words)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["decisions"] == FEW
    assert len(marks.read_text()) == FEW + 1, "only the one that was interrupted is asked again"


def test_a_call_that_the_budget_may_not_pay_for_is_not_made(folder: Path) -> None:
    words = ("exam", GAME, "--players", "3", "--seat", "dear", "--decisions", str(FEW), "--json")
    with offline_server() as url:
        prices = "[dear.prices]\nprompt = 1000\ncompletion = 0\n"
        (folder.parent / "agents.toml").write_text(f'[dear]\nmodel = "m"\nbase_url = "{url}"\nmax_tokens = 100\n{prices}')
        first = tabletop(folder.parent, *words, "--budget", "5")
        assert first.returncode == 3
        assert "the budget of 5 USD" in first.stderr
        assert "--budget 10`" in first.stderr
        assert (json.loads(first.stdout)["decisions"], kept(folder)) == (0, [])
        again = tabletop(folder.parent, *words, "--budget", "100")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["decisions"] == FEW


def test_tokens_bound_an_exam_and_a_larger_limit_goes_on(folder: Path) -> None:
    words = ("exam", GAME, "--players", "3", "--seat", "offline", "--decisions", str(FEW), "--json", "-q")
    first = tabletop(folder.parent, *words, "--budget-tokens", "900")
    again = shlex.join(["tabletop", *words, "--budget-tokens"])
    assert first.returncode == 3
    assert first.stderr.startswith("tabletop: The exam is stopped: the budget of 900 tokens has 900 left, and the next call")
    assert first.stderr.endswith(f" resumes it: `{again} 900`; if the budget is spent, with `{again} 1800`.\n")
    assert first.stderr.count("\n") == 1
    assert (json.loads(first.stdout)["decisions"], kept(folder)) == (0, [])
    done = tabletop(folder.parent, *words, "--budget-tokens", "9000000")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["decisions"] == FEW
    free = tabletop(folder.parent, *words[:-2], "--budget-tokens", "900", "--dry-run")
    assert (free.returncode, "nothing is asked" in free.stdout) == (0, True)


@pytest.mark.parametrize("verb", [("exam", "coup", "--seat", "offline"), ("prompts", "compare", "coup", "built-in", "pack")])
@pytest.mark.parametrize(("tokens", "says"), [("0", "1 or more"), ("-3", "1 or more"), ("1.5", "a whole number")])
def test_a_wrong_number_of_tokens_is_refused(verb: tuple[str, ...], tokens: str, says: str, tmp_path: Path) -> None:
    done = tabletop(tmp_path, *verb, "--budget-tokens", tokens)
    assert (done.returncode, complaint(done)) == (2, f'tabletop: --budget-tokens "{tokens}": it has to be {says}.')


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"budget_tokens": 0}, "budget_tokens=0: expected more than 0 tokens."),
        ({"budget_tokens": "x"}, "budget_tokens='x': expected more than 0 tokens."),
        ({"budget": 0}, "budget=0: expected more than 0 USD."),
        ({"token": 5}, " has no setting 'token'."),
    ],
)
def test_python_refuses_a_wrong_budget(wrong: dict[str, Any], says: str) -> None:
    for ask in (lambda: exam_of(GAME, ["offline"], **wrong), lambda: compare(GAME, ["built-in", "pack"], **wrong)):
        with pytest.raises(UsageError, match=re.escape(says)):
            ask()


def test_python_stops_at_the_limit_of_tokens_and_goes_on(folder: Path) -> None:
    def asked(tokens: int) -> Any:
        return exam_of(GAME, ["offline"], out=folder, players=3, decisions=FEW, budget_tokens=tokens)

    with pytest.raises(PausedError, match="the budget of 900 tokens has 900 left"):
        asked(900)
    assert kept(folder) == []
    assert asked(9_000_000)["decisions"] == FEW


def test_the_same_seed_draws_the_same_matches() -> None:
    what = Drawing(games.load(GAME).begin(3), 5)
    one, other = what.steps(3), what.steps(3)
    assert [step.asked for step in one] == [step.asked for step in other]
    assert what.steps(4)[0].asked != one[0].asked
    assert replace(what, seed=6).steps(3)[0].asked != one[0].asked


@pytest.mark.parametrize(
    ("one", "other", "is_found"),
    [("improvements/a-coup", "exams", True), ("exams", "improvements/b-coup", True), ("own/a", "exams", False)],
)
def test_answers_below_the_default_folders_are_found_from_each(
    one: str, other: str, is_found: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    key, attempt = AnswerKey("player", "position", "prompts"), {"kind": "attempt", "outcome": "answer"}
    with closing(KeptAnswers(Path(one), ["player"])) as answers:
        asyncio.run(answers.keep(key, True, cast(AttemptRecord, attempt)))
    with closing(KeptAnswers(Path(other), ["player"])) as answers:
        assert answers.of(key) == [attempt] * is_found


def test_a_person_answers_at_the_terminal_beside_the_others(graded: Path, tmp_path: Path) -> None:
    shutil.copytree(graded, tmp_path / "exams")
    words = ("exam", GAME, "--players", "3", "--seat", "ada=human", "--seat", "bot:steady")
    assert tabletop(tmp_path, *words, "--dry-run").stdout.startswith("ada, bot:steady: nothing is asked. 20 decisions a player")
    command = [sys.executable, "-m", "runner", *words, "--decisions", "2", "--json"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment(), input="1\n" * 40, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert re.findall(r"ada · (\d of \d) · ", done.stderr) == ["1 of 2", "2 of 2"]
    assert not re.search(r"(P-\d) +\1|until my turn", done.stderr)
    found = json.loads(done.stdout)
    assert (found["decisions"], [one["agent"] for one in found["agents"]]) == (2, ["ada", "bot:steady"])
    assert all(position["answers"]["ada"]["answer"] for position in found["positions"])
