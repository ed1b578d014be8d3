"""Before the end no restricted view shows the seed, in any verb and form: whoever has it can deal the match again.

Neither does it show any digest of the log: digests of states and views confirm a guess at what is hidden.
"""

from __future__ import annotations

import asyncio
import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from runner.film.perspective import Perspective
from runner.record.decisions import DecisionList
from runner.record.reader import read_log, read_sound_part
from runner.record.replay import replay
from runner.screen.live import LiveScreen
from runner.screen.narrator import Narrator
from runner.screen.replay_page import Page
from runner.screen.replay_viewer import Viewer
from tests.cli.command import tabletop

SEED = "8765432198765"
PLAY = ("play", "dixiquote", "--num-players", "3", "--seat", "offline", "--seat", "bot:steady", "--seat", "bot:steady")
STOPPED = (*PLAY, "--seed", SEED, "--budget-tokens", "10000")
WITH_PERSON = ("play", "coup", "--num-players", "2", "--seat", "human", "--seat", "bot:steady", "--seed", SEED)
LIVE = ((), ("--plain",), ("--json",), ("--json-events",), ("--quiet",), ("--quiet", "--json"), ("--json-events", "--thoughts"))
EXPORTS = ("--html", "--cast", "--markdown")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the log of a match that a spent budget has paused."""
    found = tmp_path_factory.mktemp("match")
    assert tabletop(found, *STOPPED, "-q", "--log", "log.jsonl").returncode == 3
    return found


def secrets(log: Path) -> set[str]:
    """The seed of a log's match, and every digest in the log."""
    digests = set(re.findall(r"\b[0-9a-f]{32}\b", log.read_text(encoding="utf-8")))
    assert len(digests) > 5
    return {SEED, *digests}


def leaks(text: str, log: Path) -> list[str]:
    return [secret for secret in secrets(log) if secret in text]


def shown(folder: Path, *words: str) -> str:
    done = tabletop(folder, *words)
    assert done.returncode in (0, 3), done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("view", ["public", "P-1"])
@pytest.mark.parametrize("form", LIVE)
def test_a_match_that_is_played_or_watched(form: tuple[str, ...], view: str, folder: Path, tmp_path: Path) -> None:
    played = shown(tmp_path, *STOPPED, *form, "--view", view)
    log = next(tmp_path.rglob("*.jsonl"))
    assert not leaks(played, log)
    assert not leaks(shown(folder, "watch", "log.jsonl", "--until-paused", *form, "--view", view), folder / "log.jsonl")


@pytest.mark.parametrize("form", LIVE)
def test_a_match_of_a_person_whose_view_is_the_default(form: tuple[str, ...], tmp_path: Path) -> None:
    played = shown(tmp_path, *WITH_PERSON, *form)
    log = next(tmp_path.rglob("*.jsonl"))
    assert not leaks(played + shown(tmp_path, "resume", str(log), *form), log)


@pytest.mark.parametrize("view", ["public", "P-1"])
def test_a_replay_and_every_export(view: str, folder: Path) -> None:
    log = folder / "log.jsonl"
    assert not leaks(shown(folder, "replay", "log.jsonl", "--plain", "--view", view), log)
    for form in EXPORTS:
        assert not leaks(shown(folder, "export", "log.jsonl", form, "--view", view, "-o", "-"), log), form


def terminals(log: Path, perspective: Perspective) -> str:
    """Everything that the live screen and the replay viewer draw."""
    out = StringIO()
    console = Console(file=out, force_terminal=True, width=100, height=200, color_system=None)
    asyncio.run(_drawn(LiveScreen(console, Narrator(perspective, has_thoughts=True)), log))
    listed = DecisionList(read_sound_part(log))
    viewer = Viewer(listed, perspective, has_thoughts=True)
    for key in ("enter", "?", *["right", "enter"] * (viewer.decisions.last + 1), "v", "right", "v"):
        viewer.press(key)
        console.print(Page(viewer))
    return out.getvalue()


async def _drawn(screen: LiveScreen, log: Path) -> None:
    for _, event in replay(read_log(log)):
        await screen.emit(event)
        screen.draw()
    screen.hide()


@pytest.mark.parametrize("perspective", [Perspective(), Perspective(seat=1)])
def test_terminals(perspective: Perspective, folder: Path) -> None:
    assert not leaks(terminals(folder / "log.jsonl", perspective), folder / "log.jsonl")


def test_the_view_of_all_shows_the_seed(folder: Path) -> None:
    log = folder / "log.jsonl"
    for words in (
        ("watch", "log.jsonl", "--until-paused", "--json-events"),
        ("watch", "log.jsonl", "--until-paused", "--json"),
        ("replay", "log.jsonl"),
        *(("export", "log.jsonl", form, "-o", "-") for form in ("--html", "--markdown")),
    ):
        assert SEED in leaks(shown(folder, *words), log), words
    assert SEED in terminals(log, Perspective(sees_all=True))


def test_the_result_shows_the_seed(tmp_path: Path) -> None:
    done = tabletop(tmp_path, *PLAY, "--seed", SEED, "--max-rounds", "1", "--view", "P-1", "--plain")
    assert SEED not in done.stderr
    assert f"seed {SEED}" in done.stdout
