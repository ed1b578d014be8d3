"""`tabletop prompts` from outside: start, see, check, render and ask."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from runner.prompting.pack import Manifest, PromptPack
from runner.record.reader import read_log
from runner.workshop import asking
from runner.workshop.prompted_decision import PromptedDecision, prompted_decision
from tests.cli.command import complaint, tabletop

SEATS = ("--seat", "offline+pack:mine", "--seat", "offline", "--seat", "bot:steady")
PLAY = ("play", "dixiquote", "--num-players", "3", "--seed", "4", "--max-rounds", "3", "--mistakes", "0.3", "-q")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a pack and a match in which one seat reads it."""
    folder = tmp_path_factory.mktemp("workshop")
    assert tabletop(folder, "prompts", "new", "mine", "dixiquote", "--role", "voter").returncode == 0
    voter = folder / "mine" / "dixiquote" / "voter.j2"
    voter.write_text(voter.read_text().replace("You play for points", "You play to win"))
    done = tabletop(folder, *PLAY, *SEATS, "--log", "match.jsonl")
    assert done.returncode == 0, done.stderr
    return folder


@cache
def decisions(folder: Path) -> list[PromptedDecision]:
    """Each decision of a model."""
    log = read_log(folder / "match.jsonl")
    count = sum(1 for _ in log.of_kind("decision"))
    return [found for number in range(1, count + 1) if (found := prompted_decision(log, number)).attempts]


def test_the_header_says_which_pack_each_seat_reads(folder: Path) -> None:
    header = read_log(folder / "match.jsonl").header
    own, built_in = header["seats"][0]["prompts"], header["prompts"]
    assert own["pack"] == "mine"
    assert "prompts" not in header["seats"][1]
    differ = {name for name, digest in built_in["templates"].items() if own["templates"][name] != digest}
    assert differ == {"dixiquote/voter.j2"}


def test_every_message_of_a_match_is_rendered_word_for_word(folder: Path) -> None:
    found = decisions(folder)
    assert any(len(decision.attempts) > 1 for decision in found)
    for decision in found:
        pack = PromptPack(folder / "mine" if decision.ask.seat == 0 else None)
        for attempt in range(1, len(decision.attempts) + 1):
            assert decision.messages(pack, attempt) == decision.sent(attempt)


def test_another_pack_is_shown_with_what_is_different(folder: Path) -> None:
    at = next(found.at for found in decisions(folder) if found.ask.seat == 0 and found.ask.question.role == "voter")
    done = tabletop(folder, "prompts", "render", "match.jsonl", "--at", str(at))
    assert "-You play to win" in done.stdout
    assert "+You play for points" in done.stdout
    same = tabletop(folder, "prompts", "render", "match.jsonl", "--at", str(at), "--pack", "mine")
    assert "exactly the messages that were sent" in same.stdout


def test_a_decision_is_put_to_a_model_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "default_playouts", lambda game: 8)
    line = ("prompts", "ask", "match.jsonl", "--at", "1", "--seat", "offline", "--times", "12", "--mistakes", "0.5")
    facts = json.loads(tabletop(folder, *line, "--json").stdout)
    assert len(facts["replies"]) == sum(facts["answers"].values()) == 12
    assert 0 < facts["legal"] < 12
    assert facts["logged"]
    shown = tabletop(folder, *line).stdout
    assert f"{facts['legal']} of 12 legal" in shown
    assert "tokens per reply, $" in shown


def test_a_pack_gets_more_templates_and_keeps_its_own(tmp_path: Path) -> None:
    assert tabletop(tmp_path, "prompts", "new", "bold", "dixiquote", "--role", "voter").returncode == 0
    voter, manifest = tmp_path / "bold" / "dixiquote" / "voter.j2", tmp_path / "bold" / "pack.toml"
    voter.write_text("mine")
    manifest.write_text('version = "2"  # as played\n' + manifest.read_text().replace('version = "1"\n', ""))
    added = tabletop(tmp_path, "prompts", "new", "bold", "coup", "--role", "challenger")
    assert added.stdout == "bold/coup/challenger.j2\n"
    again = tabletop(tmp_path, "prompts", "new", "bold", "dixiquote", "--role", "voter", "--part", "coup/advice.j2")
    assert again.stdout == "bold/coup/advice.j2\n"
    assert again.stderr == "bold/dixiquote/voter.j2 exists already and stays as it is.\n"
    assert voter.read_text() == "mine"
    assert manifest.read_text().startswith('version = "2"  # as played\n')
    assert PromptPack(tmp_path / "bold").manifest == Manifest(name="bold", version="2", games=("dixiquote", "coup"))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("prompts render match.jsonl --at 999", "--at 999"),
        ("prompts render match.jsonl --at 1 --attempt 9", "--attempt 9"),
        ("prompts render nonesuch.jsonl --at 1", "nonesuch.jsonl"),
        ("prompts ask match.jsonl --at 1 --seat bot:steady", "--seat"),
        ("prompts ask match.jsonl --at 1 --seat nonesuch", "nonesuch"),
        ("prompts show dixiquote nonesuch", "nonesuch"),
        ("prompts show nonesuch voter", "nonesuch"),
        ("prompts lint nonesuch", "nonesuch"),
        ("prompts new mine", "say what to add with GAME, --role or --part"),
        ("prompts new .", "is not empty and has no pack.toml"),
        ("prompts new other --role voter", "GAME"),
        ("prompts new other dixiquote --role nonesuch", "nonesuch"),
        ("prompts new other --part nonesuch.j2", "nonesuch"),
        ("prompts diff nonesuch", "nonesuch"),
        ("prompts compare dixiquote built-in mine --seat bot:steady", "bot"),
        ("prompts compare dixiquote built-in nonesuch", "nonesuch"),
        ("prompts compare dixiquote built-in mine --option colour=red", "colour"),
        ("prompts nonesuch", "nonesuch"),
        ("play dixiquote --seat bot:steady+pack:mine", "reads no prompts"),
        ("prompts ask match.jsonl --at 1 --seat bot:steady", "--seat bot:steady is not a model; only models get prompts"),
        ("play dixiquote --seat offline+pack:nonesuch", "nonesuch"),
    ],
)
def test_wrong_input_gets_one_sentence(line: str, said: str, folder: Path) -> None:
    done = tabletop(folder, *line.split())
    assert done.returncode == 2
    assert said in complaint(done)


def test_lint_names_what_is_wrong_and_has_its_exit_status(folder: Path, tmp_path: Path) -> None:
    sound = tabletop(folder, "prompts", "lint", "mine", "--matches", "2")
    assert sound.returncode == 0, sound.stdout
    assert "no fault" in sound.stdout
    (tmp_path / "dixiquote").mkdir()
    (tmp_path / "dixiquote" / "voter.j2").write_text('{% call message("user") %}\n{{ view.qoute }}{% endcall %}')
    broken = tabletop(folder, "prompts", "lint", str(tmp_path), "--game", "dixiquote", "--matches", "2")
    assert broken.returncode == 2
    assert f"{tmp_path}/dixiquote/voter.j2:2: 'dict object' has no attribute 'qoute'" in broken.stdout
    words = ("tournament", "--game", "dixiquote", "--seat", "offline,bot:steady", "--players", "3", "--deals", "1")
    played = tabletop(tmp_path, *words, "--prompts", str(tmp_path), "-o", "t", "-q", "--json", "--workers", "1")
    assert played.returncode == 2, "as `play` has it"
    assert {stop["stop"] for stop in json.loads(played.stdout)["stopped"].values()} == {"usage"}
    assert "has no attribute 'qoute'" in played.stderr


@pytest.mark.parametrize("folder_name", ["empty", ""])
def test_lint_of_a_folder_without_templates_says_so(folder_name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = tabletop(tmp_path, "prompts", "lint", folder_name)
    assert done.returncode == 2
    assert f"There is no template in {folder_name or '.'}: " in complaint(done)


def test_what_there_is_is_listed_shown_and_compared(folder: Path) -> None:
    listed = json.loads(tabletop(folder, "prompts", "list", "--pack", "mine", "--json").stdout)
    packs = {row["template"]: row["pack"] for row in listed["templates"] if row["game"] == "dixiquote"}
    assert packs["dixiquote/voter.j2"] == "mine"
    assert packs["dixiquote/rules.j2"] == "built-in"
    assert [pack["name"] for pack in listed["packs"]] == ["mine"]
    assert "(mine: " in tabletop(folder, "prompts", "show", "dixiquote", "voter", "--pack", "mine").stdout
    assert "+You play to win" in tabletop(folder, "prompts", "diff", "mine").stdout
    variables = json.loads(tabletop(folder, "prompts", "variables", "dixiquote", "voter", "--matches", "6", "--json").stdout)[
        "variables"
    ]
    names = {row["name"] for row in variables}
    assert {"view.quote", "view.table[].text", "view.history[].cards[].owner", "options.scoring", "me"} <= names
    assert "view.hands" not in names
