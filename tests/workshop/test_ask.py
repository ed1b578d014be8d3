"""`tabletop prompts ask` over many decisions and players: a matrix with grades."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runner.record.reader import read_log
from runner.review.decision_review import review_decision, review_jobs
from runner.review.review_document import SEED
from runner.workshop.prompted_decision import PromptedDecision, prompted_decision, prompted_decisions
from tests.cli.command import complaint, tabletop

PLAYOUTS = 24


@pytest.fixture(autouse=True)
def few_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.workshop.asking.default_playouts", lambda game: PLAYOUTS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a pack, a match of Coup that reads it in one seat, and one in which the whole table does."""
    folder = tmp_path_factory.mktemp("ask")
    assert tabletop(folder, "prompts", "new", "mine", "coup", "--role", "active_player").returncode == 0
    template = folder / "mine" / "coup" / "active_player.j2"
    template.write_text(template.read_text().replace("Your", "YOUR"))
    seats = ("--seat", "offline+pack:mine", "--seat", "bot:steady", "--seed", "7", "--mistakes", "0.3", "-q")
    for words in (
        (*seats, "--log", "match.jsonl"),
        ("--seat", "offline", *seats[2:], "--prompts", "mine", "--log", "whole.jsonl"),
    ):
        done = tabletop(folder, "play", "coup", "--num-players", "2", *words)
        assert done.returncode == 0, done.stderr
    return folder


def asked(folder: Path, *words: str, **env: str) -> Any:
    done = tabletop(folder, "prompts", "ask", *words, "--json", "-q", **env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_all_decisions_are_read_at_once_as_each_is_read_alone(folder: Path) -> None:
    def facts(one: PromptedDecision) -> object:
        past = [(ask.number, ask.view, ask.question, ask.told, record) for ask, record in one.past]
        asked = one.ask.number, one.ask.view, one.ask.question, one.ask.told
        return one.at, one.state, one.asked, asked, past, one.attempts, one.action, one.how, one.header

    log = read_log(folder / "match.jsonl")
    found = list(prompted_decisions(log))
    assert [facts(one) for one in found] == [facts(prompted_decision(log, one.at)) for one in found]
    assert {one.how for one in found} >= {"answer"}
    assert max(len(one.past) for one in found) > 3


def test_every_player_is_asked_each_decision_and_graded_as_a_review_does(folder: Path) -> None:
    data = asked(folder, "match.jsonl", "--at", "1-3", "--pack", "built-in", "--pack", "mine", "--seat", "offline")
    assert [row["at"] for row in data["decisions"]] == [1, 2, 3]
    assert [one["player"] for one in data["players"]] == ["offline, built-in", "offline, mine"]
    assert [[one["pack"] for one in row["players"]] for row in data["decisions"]] == [["built-in", "mine"]] * 3
    job = review_jobs(read_log(folder / "match.jsonl"))[0][0]
    entry = review_decision(job, PLAYOUTS, SEED).entry
    assert entry is not None
    logged = data["decisions"][0]["logged_grade"]
    assert logged == {name: entry[name] for name in logged}  # type: ignore[literal-required]
    for row in data["decisions"]:
        known = {json.dumps(row["logged"]): row["logged_grade"]}
        for answer in (one for player in row["players"] for one in player["answers"]):
            grade = {
                name: answer[name] for name in ("share", "best", "best_share", "given_up", "se", "regret", "regret_se", "grade")
            }
            assert known.setdefault(json.dumps(answer["answer"]), grade) == grade
    for player, total in zip(data["players"], zip(*(row["players"] for row in data["decisions"]), strict=True), strict=True):
        regrets = [answer["regret"] for cell in total for answer in cell["answers"]]
        assert player["given_up"] == pytest.approx(max(0.0, sum(regrets) / 3), abs=1e-4)
        assert player["replies"] == player["legal"] == 3


def test_a_table_has_a_row_for_each_decision_and_a_line_for_each_player(folder: Path) -> None:
    done = tabletop(folder, "prompts", "ask", "match.jsonl", "--at", "1-2", "--seat", "offline", "--pack", "mine", "-q")
    head, first, second, logged, player = done.stdout.splitlines()
    assert head.split() == ["at", "seat", "role", "logged", "offline,", "mine"]
    made = [*prompted_decisions(read_log(folder / "match.jsonl"))][:2]
    expected = [[str(one.at), f"P-{one.ask.seat}", one.ask.question.role] for one in made]
    assert [first.split()[:3], second.split()[:3]] == expected
    assert logged.startswith("logged: gives up ")
    assert player.startswith("offline, mine: 2 of 2 legal, ")


def test_a_seat_is_asked_with_the_pack_it_played_with_and_the_answer_says_which(folder: Path) -> None:
    own = next(one.at for one in prompted_decisions(read_log(folder / "match.jsonl")) if one.ask.seat == 0)
    assert asked(folder, "match.jsonl", "--at", str(own), "--times", "1")["pack"] == "mine"
    assert asked(folder, "whole.jsonl", "--at", "1", "--times", "1")["pack"] == "mine"
    assert asked(folder, "match.jsonl", "--at", str(own), "--times", "1", "--pack", "built-in")["pack"] == "built-in"
    done = tabletop(folder, "prompts", "ask", "whole.jsonl", "--at", "1-1")
    assert "as played, pack mine: 1 of 1 legal" in done.stdout


def test_a_pack_that_has_changed_is_named_so_and_one_that_is_not_there_is_asked_for(folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "whole.jsonl"
    log.write_bytes((folder / "whole.jsonl").read_bytes())
    said = complaint(tabletop(tmp_path, "prompts", "ask", "whole.jsonl", "--at", "1"))
    assert "made with the prompt pack mine, which is not in this folder: specify its folder, or built-in, with --pack." in said
    assert tabletop(tmp_path, "prompts", "new", "mine", "coup", "--role", "challenger").returncode == 0
    assert asked(tmp_path, "whole.jsonl", "--at", "1", "--times", "1")["pack"] == "mine (changed since the match)"
    assert tabletop(tmp_path, "prompts", "render", "whole.jsonl", "--at", "1", "--pack", "built-in").returncode == 0


def test_decisions_of_a_bot_go_to_the_model_that_would_have_its_seat(folder: Path) -> None:
    data = asked(folder, "match.jsonl", "--at", "1-2", MODEL_PLAYER_1="offline/illegal")
    models = {0: "offline+pack:mine", 1: "offline/illegal"}
    assert {row["seat"] for row in data["decisions"]} == {*models}
    assert all(row["players"][0]["model"] == models[row["seat"]] for row in data["decisions"])
    assert data["players"][0]["legal"] == 1
    of_bot = next(str(row["at"]) for row in data["decisions"] if row["seat"] == 1)
    refused = tabletop(folder, "prompts", "ask", "match.jsonl", "--at", of_bot, MODEL_PLAYER_1="bot:random")
    assert f"Decision {of_bot} was made by bot:steady, and bot:random has P-1 by default" in complaint(refused)


def test_all_but_forced_decisions_are_asked(folder: Path) -> None:
    found = [one.at for one in prompted_decisions(read_log(folder / "whole.jsonl"))]
    done = tabletop(folder, "prompts", "ask", "whole.jsonl", "--at", "all")
    assert [int(line.split()[0]) for line in done.stdout.splitlines()[1 : len(found) + 1]] == found
    decisions = sum(1 for _ in read_log(folder / "whole.jsonl").of_kind("decision"))
    assert f"Left out: {decisions - len(found)} decision" in done.stderr


@pytest.mark.parametrize("blunders", [[1, 3], []])
def test_the_blunders_of_a_review_are_asked(folder: Path, blunders: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    graded = [{"decision": at, "grade": "blunder" if at in blunders else "good"} for at in range(1, 5)]
    monkeypatch.setattr("runner.cli.prompts.ask.reviewed", lambda log, follow: {"decisions": graded})
    assert [row["at"] for row in asked(folder, "match.jsonl", "--at", "blunders")["decisions"]] == blunders
    shown = tabletop(folder, "prompts", "ask", "match.jsonl", "--at", "blunders", "-q").stdout
    assert ("There is no such decision in this match." in shown) == (not blunders)


def test_a_budget_bounds_what_is_asked_and_what_was_answered_is_shown(folder: Path) -> None:
    words = ("prompts", "ask", "whole.jsonl", "--at", "1-3", "--budget-tokens", "15000", "--json", "-q")
    done = tabletop(folder, *words)
    assert done.returncode == 3
    assert "the budget of 15000 tokens has" in done.stderr
    (player,) = json.loads(done.stdout)["players"]
    assert 0 < player["replies"] < 3
    assert player["prompt_tokens"] + player["completion_tokens"] < 15_000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--at 0", "--at 0: the match has the decisions 1 to "),
        ("--at 2-999", "--at 2-999: the match has the decisions 1 to "),
        ("--at 3-2", "--at 3-2: the range runs backwards; say 2-3."),
        ("--at worst", "--at worst: expected a number, a range such as 1-20, all or blunders."),
        ("--at all --seat offline --seat bot:steady", "--seat bot:steady is not a model; only models get prompts"),
        ("--at all --seat nonesuch", "nonesuch"),
        ("--at all --pack nonesuch", "The prompt pack nonesuch is not a folder."),
    ],
)
def test_wrong_input_gets_one_sentence(words: str, said: str, folder: Path) -> None:
    done = tabletop(folder, "prompts", "ask", "whole.jsonl", *words.split())
    assert done.returncode == 2
    assert said in complaint(done)
