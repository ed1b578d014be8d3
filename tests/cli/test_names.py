"""Players with names, personas and advice: kept in logs, shown to people, and told to no other player."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from runner.record.reader import Log, read_log
from tests.cli.command import complaint, tabletop

PLAY = ("play", "dixiquote", "--max-rounds", "1", "--seed", "4", "-q")
AGENTS = """
[quick]
model = "offline"
name = "Mr Quick"
persona = "You are a poet who never rhymes."
advice = "Quote rivers."
[plain]
model = "offline/fenced"
advice = "NONE"
"""
SEATS = ("ada=offline", "quick", "bob=bot:steady", "eve=plain")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of named players, some of agents with texts."""
    found = tmp_path_factory.mktemp("names")
    (found / "agents.toml").write_text(AGENTS)
    done = tabletop(found, *PLAY, *(word for seat in SEATS for word in ("--seat", seat)), "--log", "m.jsonl", "--json")
    assert done.returncode == 0, done.stderr
    names = [seat["name"] for seat in json.loads(done.stdout)["seats"]]
    assert names == ["ada", "Mr Quick", "bob", "eve"]
    return found


@pytest.fixture(scope="module")
def log(folder: Path) -> Log:
    return read_log(folder / "m.jsonl")


def test_the_header_has_specs_names_and_texts(log: Log) -> None:
    found = [(seat["spec"], seat["name"], seat.get("persona"), seat.get("advice")) for seat in log.header["seats"]]
    poet = ("quick", "Mr Quick", "You are a poet who never rhymes.", "Quote rivers.")
    assert found == [("offline", "ada", None, None), poet, ("bot:steady", "bob", None, None), ("plain", "eve", None, "none")]


def test_no_prompt_names_a_player_or_a_model(log: Log) -> None:
    told = dict.fromkeys(range(4), "")
    for _, attempt in log.of_kind("attempt"):
        if attempt.get("request"):
            told[attempt["seat"]] += json.dumps(log.messages(attempt), ensure_ascii=False)
    hidden = re.compile(r"\b(ada|Mr Quick|bob|eve|quick|plain|offline|bot:steady|fenced)\b")
    assert [hidden.findall(text) for text in told.values()] == [[], [], [], []]
    assert all("P-2" in told[seat] for seat in (0, 1, 3))


def test_persona_and_advice_reach_their_own_seat_alone(log: Log) -> None:
    for _, attempt in log.of_kind("attempt"):
        if attempt.get("request"):
            system, *rest = (message["content"] for message in log.messages(attempt))
            is_poet = attempt["seat"] == 1
            assert ("You are a poet who never rhymes." in system, "Quote rivers." in system) == (is_poet, is_poet)
            assert ("## Advice" in system) == (attempt["seat"] != 3)
            assert not any("poet" in text or "rivers" in text for text in rest)


def test_a_logged_prompt_is_rendered_with_the_texts_of_its_seat(folder: Path, log: Log) -> None:
    asked = [record["seat"] for _, record in log.of_kind("decision") if record["how"] == "answer"]
    done = tabletop(folder, "prompts", "render", "m.jsonl", "--at", str(asked.index(1) + 1), "--json")
    found = json.loads(done.stdout)
    assert (found["seat"], found["diff"]) == (1, [])
    assert "never rhymes" in found["messages"][0]["content"]


def test_names_stand_in_place_of_seats(folder: Path) -> None:
    lines = tabletop(folder, "replay", "m.jsonl", "--plain").stdout
    assert re.search(r"Votes: (ada|Mr Quick|bob|eve)", lines)
    assert not re.search(r"P-\d (gave|gives|plays|votes)", lines)
    exported = tabletop(folder, "export", "m.jsonl", "--csv", "-o", "-").stdout
    assert ",P-1,Mr Quick," in exported
    found = json.loads(tabletop(folder, "logs", ".", "--json", "--search", "steady").stdout)
    assert (found[0]["seats"], found[0]["specs"]) == (
        ["ada", "Mr Quick", "bob", "eve"],
        ["offline", "quick", "bot:steady", "plain"],
    )


def test_names_stay_with_players_who_go_on(folder: Path) -> None:
    changes = ("--seat", "Bob=offline", "--seat", "P-3=ivy=bot:steady")
    assert tabletop(folder, "fork", "m.jsonl", "--at", "3", *changes, "--log", "f.jsonl", "-q").returncode == 0
    seats = read_log(folder / "f.jsonl").header["seats"]
    assert [seat["name"] for seat in seats] == ["ada", "Mr Quick", "Bob", "ivy"]
    assert seats[1]["persona"] == "You are a poet who never rhymes."
    same = tabletop(folder, "fork", "m.jsonl", "--at", "3", "--seat", "P-2=ada=offline", "--log", "g.jsonl", "-q")
    assert "Two players are called" in complaint(same)


def test_a_recording_keeps_its_names(folder: Path) -> None:
    assert tabletop(folder, *PLAY[:2], "--playback", "m.jsonl", "--log", "again.jsonl", "-q").returncode == 0
    assert [seat["name"] for seat in read_log(folder / "again.jsonl").header["seats"]] == ["ada", "Mr Quick", "bob", "eve"]


@pytest.mark.parametrize(
    ("seat", "said"),
    [
        ("P-1=offline", 'A player cannot be called "P-1": that stands for a seat.'),
        ("a,b=offline", "a name has letters, digits, blanks and the signs - _ ."),
        ("ada=", "write NAME=SPEC, as in ada=offline."),
        ("ada=nobody", 'There is no seat "nobody"'),
    ],
)
def test_a_wrong_name_is_a_sentence(seat: str, said: str, tmp_path: Path) -> None:
    assert said in complaint(tabletop(tmp_path, *PLAY, "--seat", seat, "--seat", "offline", "--seat", "offline"))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('name = "P-1"', "that stands for a seat"),
        ('name = "a\\nb"', "a name has letters"),
        (f'persona = "{"x" * 2001}"', "persona"),
        ("advice = 3", "advice"),
    ],
)
def test_a_wrong_text_of_an_agent_is_a_sentence(line: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text(f'[calm]\nmodel = "offline"\n{line}\n')
    done = tabletop(tmp_path, "agents")
    assert done.returncode == 5
    assert said in done.stdout


def test_the_agents_and_free_seats_are_listed_with_their_names(folder: Path) -> None:
    done = tabletop(folder, "agents", MODEL_PLAYER_1="zoe=offline", DEFAULT_MODEL="bot:steady")
    assert "quick: model offline, name Mr Quick, persona You are a poet who never rhymes., advice Quote rivers." in done.stdout
    assert "free seats P-1: zoe=offline" in done.stdout


def test_a_view_can_be_named_by_the_player(folder: Path) -> None:
    by_name, by_seat = (tabletop(folder, "replay", "m.jsonl", "--plain", "--view", view).stdout for view in ("ADA", "P-0"))
    assert by_name == by_seat != ""
    assert "or its player's name" in complaint(tabletop(folder, "replay", "m.jsonl", "--plain", "--view", "nobody"))
