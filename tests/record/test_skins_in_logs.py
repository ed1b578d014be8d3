"""Matches with a skin: the same course as without, logs in the game's words, and all that continues from such a log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import games
from runner.api import Log, read_log
from runner.llm.skin import Skin
from runner.prompting.pack import PromptPack
from runner.prompting.vocabulary import named_skin, words_of
from tests.cli.command import tabletop
from tests.record.matches import short
from tests.record.reseal import records_of, resealed

SEATS = ("offline", "offline", "bot:steady")
AGENT = '[ada]\nmodel = "offline"\nmemory = "full"\nmemory_tokens = 2000\n'


def play(folder: Path, game: str, name: str, *words: str, seats: tuple[str, ...] = SEATS) -> Path:
    rules = {"max_turns": 8} if game == "coup" else short(game)
    options = [word for option, value in rules.items() for word in (f"--{option.replace('_', '-')}", str(value))]
    named = [word for seat in seats for word in ("--seat", seat)]
    rest = ("--seed", "5", "--mistakes", "0.2", "--talk", "--log", name, "-q")
    done = tabletop(folder, "play", game, *named, *options, *rest, *words)
    assert done.returncode == 0, done.stderr
    return folder / name


def course(log: Log) -> list[Any]:
    """What was asked, answered and decided, in words; not when, at what cost, nor what was received."""
    kept = ("kind", "seat", "question", "text", "view", "answer", "action", "why", "reason", "say", "how", "digest", "scores")
    return [{name: record.get(name) for name in kept} for record in map(dict, log.events)]


def answered(log: Log, seat: int) -> list[int]:
    """The numbers of the seat's decisions that it was asked for."""
    return [at for at, one in enumerate(log.decisions, 1) if one["seat"] == seat and one["how"] == "answer"]


def received(log: Log) -> Iterator[str]:
    for reply in replies(log):
        yield json.loads(reply["raw"])["choices"][0]["message"]["content"]


def replies(log: Log) -> Iterator[dict[str, Any]]:
    return (dict(reply) for attempt in log.attempts if (reply := attempt.get("reply")))


@pytest.mark.parametrize("game", games.names())
def test_a_match_is_the_same_with_and_without_a_skin(game: str, tmp_path: Path) -> None:
    plain = read_log(play(tmp_path, game, "plain.jsonl"))
    for skin in ("neutral", "7") if game == "coup" else ("neutral",):
        other = read_log(play(tmp_path, game, f"{skin}.jsonl", "--skin", skin))
        assert course(other) == course(plain)
        words = named_skin(skin, game, PromptPack())
        assert (other.header["skin"], other.header["skin_words"]) == (skin, words.words)
        assert "skin" not in plain.header
        assert [words.text(text) for text in received(other)] == [*received(plain)]
        assert [reply["text"] for reply in replies(other)] == [*received(plain)]
        own = {word.lower() for word in words.words}
        assert own & set().union(*map(words_of, received(plain)))
        assert not own & set().union(*map(words_of, received(other)))


@pytest.fixture(scope="module")
def skinned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("skinned")
    (folder / "agents.toml").write_text(AGENT)
    words = ("--skin", "neutral", "--reason", "always")
    return play(folder, "coup", "match.jsonl", *words, seats=("ada", "ada", "bot:search:5"))


def test_a_log_with_a_skin_is_verified_and_named_where_it_is_shown(skinned: Path) -> None:
    done = tabletop(skinned.parent, "replay", "match.jsonl", "--verify")
    assert done.returncode == 0, done.stderr
    shown = tabletop(skinned.parent, "replay", "match.jsonl", "--plain").stdout
    assert "rules house, skin neutral" in shown
    assert "Duke" in shown
    assert "Steward" not in shown
    done = tabletop(skinned.parent, "export", "match.jsonl", "--markdown", "-o", "-")
    assert "rules house, skin neutral" in done.stdout


def test_prompts_are_shown_as_the_model_read_them_or_in_other_words(skinned: Path) -> None:
    number = answered(read_log(skinned), 1)[0]
    shown = [
        tabletop(skinned.parent, "prompts", "render", "match.jsonl", "--at", str(number), *words).stdout
        for words in ((), ("--skin", "9"))
    ]
    assert all("These are exactly the messages that were sent." in text for text in shown)
    assert "Steward" in shown[0]
    assert not {"Duke", "Steward"} & {*shown[1].split()}
    found = json.loads(tabletop(skinned.parent, "prompts", "render", "match.jsonl", "--at", str(number), "--json").stdout)
    assert found["skin"] == "neutral"
    assert "Purge" in found["messages"][0]["content"]


def test_a_match_with_a_skin_is_resumed_to_the_same_end(skinned: Path, tmp_path: Path) -> None:
    lines = skinned.read_bytes().splitlines(keepends=True)
    (tmp_path / "agents.toml").write_text(AGENT)
    (tmp_path / "cut.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    done = tabletop(tmp_path, "resume", "cut.jsonl", "--trust-folder", "-q")
    assert done.returncode == 0, done.stderr
    whole, resumed = read_log(skinned), read_log(tmp_path / "cut.jsonl")
    assert [record["action"] for record in resumed.decisions] == [record["action"] for record in whole.decisions]
    words = Skin("", whole.header["skin_words"])
    own = {word.lower() for word in words.words}
    assert not own & set().union(*map(words_of, received(resumed)))


def test_a_fork_has_the_skin_of_its_parent(skinned: Path) -> None:
    done = tabletop(skinned.parent, "fork", "match.jsonl", "--at", "4", "--log", "fork.jsonl", "-q")
    assert done.returncode == 0, done.stderr
    log = read_log(skinned.parent / "fork.jsonl")
    assert log.header["skin_words"] == read_log(skinned).header["skin_words"]
    assert tabletop(skinned.parent, "replay", "fork.jsonl", "--verify").returncode == 0


def test_asking_again_uses_the_words_of_the_match(skinned: Path) -> None:
    number = answered(read_log(skinned), 0)[-1]
    done = tabletop(
        skinned.parent, "prompts", "ask", "match.jsonl", "--at", str(number), "--seat", "offline", "--times", "2", "--json"
    )
    assert json.loads(done.stdout)["legal"] == 2


def test_words_of_a_log_that_are_no_bijection_are_refused(skinned: Path, tmp_path: Path) -> None:
    records = records_of(skinned.read_bytes())[:9]
    records[0]["skin_words"] |= {"duke": "Captain"}
    (tmp_path / "agents.toml").write_text(AGENT)
    (tmp_path / "forged.jsonl").write_bytes(resealed(records))
    done = tabletop(tmp_path, "resume", "forged.jsonl", "--trust-folder", "-q")
    assert done.returncode == 2
    assert 'The skin "neutral" of the log: "captain" stands there twice' in done.stderr
