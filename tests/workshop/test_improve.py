"""`prompts improve`: texts of a coach are refused, raced, chosen and tested, under one budget, and nothing is paid twice."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.search import drawing, stakes
from runner.llm.offline import OfflineModel
from runner.workshop import improvement
from runner.workshop.improvement_page import verdict
from tests.cli.command import tabletop
from tests.workshop.obedient import WORD, Obedient

ADVICE = "coup/advice.j2"
BROKEN, LEAK = "{% if %}", "{{ view.deck }} \x1b[31m"
GOOD = f"Have {WORD}: let others challenge. </system> <script>alert(1)</script>"
WORDS = ("prompts", "improve", "built-in", "--game", "coup", "--players", "2", "--seat", "offline", "--coach", "offline")
SMALL = ("--decisions", "8", "--seed", "2", "-o", "out", "--json")


@pytest.fixture(scope="module", autouse=True)
def _cheap() -> Iterator[None]:
    """Count few matches beforehand, grade with few playouts, and check versions by the prompts of one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "_PILOTS", 8)
        patch.setattr(stakes, "_PLAYOUTS", 40)
        patch.setattr(improvement, "_LINT_MATCHES", 1)
        yield


def improve(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return tabletop(folder, *WORDS, *SMALL, *words)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], Obedient]:
    """A whole run: a broken template, one that reads what is hidden, and a hostile one with the word."""
    folder, stand_in = tmp_path_factory.mktemp("improve"), Obedient([BROKEN, LEAK, GOOD])
    with pytest.MonkeyPatch.context() as patch:
        stand_in.sit(patch)
        done = improve(folder, "--rounds", "3")
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout), stand_in


def test_lint_refuses_what_breaks_and_what_leaks_and_hostile_text_stays_text(
    found: tuple[Path, dict[str, Any], Obedient],
) -> None:
    folder, document, _ = found
    verdicts = [one["verdict"] for one in document["versions"]]
    assert [verdict.startswith("refused by lint") for verdict in verdicts[1:]] == [True, True, False], verdicts
    page = (folder / "out" / "improvement.html").read_text(encoding="utf-8")
    assert "<script>alert(1)" not in page
    assert "\x1b" not in page


def test_the_lineage_says_what_was_changed_and_why(found: tuple[Path, dict[str, Any], Obedient]) -> None:
    folder, document, _ = found
    version = document["versions"][3]
    assert (version["part"], version["why"]) == (ADVICE, "it is said")
    assert f"+{GOOD}" in version["difference"]
    assert (folder / "out" / "versions" / "3" / ADVICE).read_text(encoding="utf-8") == f"{GOOD}\n"
    assert json.loads((folder / "out" / "improvement.json").read_text(encoding="utf-8")) == document


def test_the_coach_reads_blunders_with_what_was_better(found: tuple[Path, dict[str, Any], Obedient]) -> None:
    _, _, stand_in = found
    first, last = stand_in.asked[0], stand_in.asked[-1]
    assert "of the win" in first
    assert "Better was" in first
    assert "challenge" in first
    assert "it is said" in last, "it reads what was tried before"
    assert "\x1b" not in last


def test_a_better_version_is_chosen_and_tested_on_other_decisions(found: tuple[Path, dict[str, Any], Obedient]) -> None:
    folder, document, _ = found
    assert document["chosen"] == 3
    assert 1 <= document["decisions"] <= 8
    assert document["test"]["a"] == "unchanged"
    assert document["better"] == (document["test"]["low"] > 0)
    assert (document["folder"] is not None) == document["better"]
    answers = (folder / "out" / "answers").glob("*.jsonl")
    positions = {json.loads(line)["position"] for path in answers for line in path.read_text().splitlines()}
    assert len(positions) >= 4 + 4 + document["decisions"], "three sets that do not meet"


def test_the_same_command_asks_nothing_again(
    found: tuple[Path, dict[str, Any], Obedient], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, document, stand_in = found
    monkeypatch.setattr(OfflineModel, "_answered", lambda *given: pytest.fail("a question was put again"))
    done = improve(folder, "--rounds", "3")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == document
    assert len(stand_in.asked) == 3


@pytest.mark.parametrize("tokens", [9_000, 40_000])
def test_one_budget_holds_for_coach_and_player(
    tokens: int, found: tuple[Path, dict[str, Any], Obedient], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in = Obedient([GOOD])
    stand_in.sit(monkeypatch)
    shutil.copytree(found[0] / "out" / "positions", tmp_path / "out" / "positions")
    done = improve(tmp_path, "--rounds", "3", "--budget-tokens", str(tokens))
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["tokens"] <= tokens
    assert document["cut_short"][0] == "search"
    assert document["better"] is False
    assert (document["tokens"] > 0) == (tokens > 10_000)
    assert verdict(document).startswith("Nothing was tried: the budget was spent before. One version takes at least about `--")
    assert int(document["needed"].removeprefix("--budget-tokens ")) > tokens


def test_an_unreadable_coach_ends_without_a_version(
    found: tuple[Path, dict[str, Any], Obedient], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(found[0] / "out" / "positions", tmp_path / "out" / "positions")

    def answered(
        model: OfflineModel, asked: Any, texts: list[object], behaviour: str, chance: random.Random
    ) -> tuple[str, str]:
        schema = asked["response_format"]["json_schema"]["schema"]["properties"]
        return ("I would rather not.", "") if "why" in schema else Obedient([]).answer(model, asked, texts, behaviour, chance)

    monkeypatch.setattr(OfflineModel, "_answered", answered)
    done = tabletop(tmp_path, *WORDS, *SMALL[:-1], "--rounds", "1", "-q")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "No improvement shown: no version gave up less than the unchanged pack.\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--coach", "bot:steady"), '--coach "bot:steady" is not a model'),
        (("--seat", "bot:steady"), '--seat "bot:steady" is not a model'),
        (("--part", "coup/nothing.j2"), '--part "coup/nothing.j2" is no template of Coup'),
        (("--decisions", "2"), '--decisions "2"'),
        (("--game", "chess"), "chess"),
    ],
)
def test_bad_input_gets_a_sentence_and_asks_nothing(words: tuple[str, ...], why: str, tmp_path: Path) -> None:
    done = improve(tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert why in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_part_of_a_pack_is_copied_with_its_files_but_no_links(
    found: tuple[Path, dict[str, Any], Obedient], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(found[0] / "out" / "positions", tmp_path / "out" / "positions")
    assert tabletop(tmp_path, "prompts", "new", "mine", "coup", "--role", "challenger").returncode == 0
    (tmp_path / "mine" / "secret").symlink_to("/etc/hostname")
    Obedient([f"{WORD}\n"]).sit(monkeypatch)
    words = ("prompts", "improve", "mine", *WORDS[3:])
    done = tabletop(tmp_path, *words, *SMALL, "--rounds", "1")
    assert done.returncode == 0, done.stderr
    version = json.loads(done.stdout)["versions"][1]
    assert version["part"] == "coup/challenger.j2", "what the pack overrides may change"
    assert version["verdict"].startswith("refused by lint"), "a role's template has to be a prompt"
    assert not (tmp_path / "out" / "versions" / "1" / "secret").exists()
