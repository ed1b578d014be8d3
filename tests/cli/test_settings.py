"""Settings files: one fault harms nothing else, misspelt names are noticed, defaults stand under the flags."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runner.agents.environment import misspelt
from runner.record.reader import read_log
from tests.cli.command import complaint, tabletop

AGENTS = """
[calm]
model = "offline"
[bad]
modle = "x"
["bot:mine"]
model = "x"
"""
DEFAULTS = """
[defaults]
players = 5
target = 2
rounds = 1
speed = 0
view = "public"
[defaults.coup]
players = 3
max_turns = 4
view = "P-1"
"""


def test_agents_lists_the_sound_and_names_the_faulty(tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text(AGENTS)
    done = tabletop(tmp_path, "agents", DEFAULT_MODEL="clam", MODEL_PLAYER_1="calm", MODEL_PLAYER_2="bot:odd")
    assert done.returncode == 5
    assert done.stdout.startswith("calm: model offline\n")
    assert "WRONG agents.toml, agent bad: modle is not known; did you mean model?\n" in done.stdout
    assert 'an agent cannot be called "bot:mine"' in done.stdout
    assert 'WRONG DEFAULT_MODEL: There is no seat "clam": ' in done.stdout
    assert "Did you mean calm?\n" in done.stdout
    assert 'WRONG MODEL_PLAYER_2: There is no bot "bot:odd"' in done.stdout
    found = json.loads(tabletop(tmp_path, "agents", "--json").stdout)
    assert ([agent["agent"] for agent in found["agents"]], len(found["wrong"])) == (["calm"], 2)


def test_a_match_without_the_faulty_agent_plays_and_one_with_it_says_why(tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text(AGENTS)
    words = ("play", "coup", "--players", "2", "--max-turns", "2", "-q", "--log", "log.jsonl", "--seat", "bot:steady", "--seat")
    assert tabletop(tmp_path, *words, "calm").returncode == 0
    refused = tabletop(tmp_path, *words, "bad")
    assert refused.returncode == 5
    assert "agent bad: modle is not known; did you mean model? Correct it, or name another seat" in complaint(refused)


def test_doctor_goes_on_after_a_fault(tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text(AGENTS)
    done = tabletop(
        tmp_path, "doctor", "--no-trial", "--json", DEFAULT_MODEL="clam", MODEL_PLAYER_0="offline", DEFAULT_MODLE="x"
    )
    wrong = [found["what"] for found in json.loads(done.stdout) if found["state"] == "wrong"]
    assert (done.returncode, len(wrong)) == (5, 3)
    assert any("did you mean DEFAULT_MODEL?" in found["what"] for found in json.loads(done.stdout))
    assert "offline" in {found["about"] for found in json.loads(done.stdout)}


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("OPENROUTER_API_KY", "OPENROUTER_API_KEY"),
        ("openrouter_api_key", "OPENROUTER_API_KEY"),
        ("MODEL_PLAYER_O", "MODEL_PLAYER_0"),
        ("MODEL_PLAYR_3", "MODEL_PLAYER_3"),
        ("DEFAULT_MODLE", "DEFAULT_MODEL"),
        ("TABLETOP_SPEED", ""),
    ],
)
def test_misspelt_variables_are_noticed(name: str, meant: str) -> None:
    assert list(misspelt([name])) == [(name, meant)]
    assert not list(misspelt([name], also_known=[name]))


def test_keys_of_other_services_are_no_misspelling() -> None:
    others = ("XAI_API_KEY", "GROQ_API_KEY", "OPENAI_API_BASE", "ANTHROPIC_API_KEY", "AI21_API_KEY", "PATH", "NO_COLOR")
    assert not list(misspelt([*others, "OPENAI_API_KEY", "MODEL_PLAYER_0"]))


def test_a_misspelt_variable_is_noted_once_on_standard_error(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("MODEL_PLAYER_O=bot:steady\n")
    done = tabletop(tmp_path, "agents", "--json")
    assert done.returncode == 0
    note = "Note: MODEL_PLAYER_O is no variable of tabletop and has no effect; did you mean MODEL_PLAYER_0?\n"
    assert done.stderr == note


def header(folder: Path, *words: str) -> dict[str, Any]:
    done = tabletop(folder, "play", *words, "--seat", "bot:steady", "--log", "log.jsonl")
    assert done.returncode == 0, done.stderr
    found = read_log(folder / "log.jsonl").header
    (folder / "log.jsonl").unlink()
    return {**found, **found["options"], "said": done.stderr}


def test_defaults_stand_under_the_flags(tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text(DEFAULTS)
    (tmp_path / ".env").write_text("DEFAULT_MODEL=bot:steady\n")
    found = header(tmp_path, "dixiquote")
    assert (found["players"], found["target_score"], found["max_rounds"]) == (5, 2, 1)
    found = header(tmp_path, "dixiquote", "--players", "3", "--target", "4", "--max-rounds", "2")
    assert (found["players"], found["target_score"], found["max_rounds"]) == (3, 4, 2)
    found = header(tmp_path, "coup")
    assert (found["players"], found["max_turns"]) == (3, 4)
    assert "(only steady 2)" in found["said"]
    assert "(only steady 1)" not in found["said"]
    assert "(only steady 2)" not in header(tmp_path, "coup", "--view", "public")["said"]
    assert header(tmp_path, "coup", "--rules", "house")["max_turns"] is None
    assert json.loads(tabletop(tmp_path, "agents", "--json").stdout)["defaults"]["target"] == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[defaults]\ntraget = 3", "[defaults]: traget is not known; did you mean target?"),
        ('[defaults]\nspeed = "fast"', '[defaults]: speed cannot be "fast": it has to be a number.'),
        ('[defaults]\nview = "mine"', '[defaults]: view cannot be "mine": it has to be all, public or a seat such as P-2.'),
        ("[defaults.cuop]\nplayers = 3", '[defaults.cuop]: there is no game "cuop"; did you mean coup?'),
        ("[defaults.coup]\nplayers = 30", "[defaults.coup]: Coup is for 2 to 6 players, not 30."),
        ("[defaults.coup]\nmax_turns = 0", "[defaults.coup]: max_turns cannot be 0: it takes a whole number from 1 up"),
        ("[defaults.coup]\nturns = 1", "[defaults.coup]: turns is not known; did you mean max_turns?"),
        ("defaults = 3", "defaults has to be a table, [defaults]."),
    ],
)
def test_faulty_defaults_get_one_sentence(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text(text)
    done = tabletop(tmp_path, "play", "coup", "--seat", "bot:steady", "-q")
    assert (done.returncode, said in complaint(done)) == (5, True), done.stderr
    assert f"WRONG agents.toml{': ' if text.startswith('d') else ', '}{said}" in tabletop(tmp_path, "agents").stdout
