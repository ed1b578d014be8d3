"""A bug in a game of another package is that game's, in every verb: never a traceback, a full disk or a damaged log."""

from __future__ import annotations

import pickle
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import games
from games.core import GameFault, State
from runner import interrupts
from runner.workshop.new_pack import start_game
from tests.cli.command import tabletop
from tests.packaging.installed import on_path, write_package

GAME = "high_card"
BOTS = ("--seat", "bot:steady", "--seat", "bot:random", "--seed", "7")
DISK = "raise OSError(28, 'No space left on device')"
DAMAGE = "from runner.errors import LogDamagedError; raise LogDamagedError(3, 'the line is bad.')"
PLAY = ("play", GAME, *BOTS, "--log", "new.jsonl")
SEARCH = ("play", GAME, "--seat", "bot:search:8", *BOTS[2:], "--log", "new.jsonl")
FOLDER = [
    ("review", ".", "--playouts", "8"),
    ("gallery", ".", "-o", "../site"),
    ("export", ".", "--sqlite", "-o", "../x.sqlite"),
    ("replay", ".", "--verify"),
]
CASES: list[tuple[str, str, tuple[str, ...]]] = [
    ("deal", DISK, PLAY),
    ("apply", DISK, PLAY),
    ("apply", DAMAGE, ("resume", "part.jsonl")),
    ("apply", DISK, ("replay", "m.jsonl", "--verify")),
    ("apply", DAMAGE, ("fork", "m.jsonl", "--at", "3", "--log", "f.jsonl")),
    *(("apply", DISK, words) for words in FOLDER),
    ("to_json", "return {'hands': object()}", PLAY),
    ("to_json", "raise SystemExit(0)", ("replay", "m.jsonl", "--plain")),
    ("pending", "return None", PLAY),
    ("pending", "return None", ("export", "m.jsonl", "--markdown", "-o", "-")),
    ("round", "raise KeyError('round')", PLAY),
    ("answer_of", "return 7", PLAY),
    ("build_view", "return {1: object()}", PLAY),
    ("build_question", "return None", PLAY),
    ("legal_moves", "return 7", PLAY),
    ("legal_moves", "return ()", PLAY),
    ("apply", "while True: pass", PLAY),
    ("resample", "return None", PLAY),
    ("resample", DISK, ("review", "m.jsonl", "--playouts", "8")),
    ("remarks", "return 7", ("replay", "m.jsonl", "--plain")),
    ("readings", "return 7", SEARCH),
    ("readings", "return [Reading(1, [Style('', 1.0)], lambda world: (1, 2))]", SEARCH),
    ("readings", "return [Reading(1, [Style('', 1.0, lambda playing: 7)], lambda world: (1.0,))]", SEARCH),
    ("readings", "return [Reading(1, [Style('', 1.0, lambda playing: lambda *given: 1 / 0)], lambda world: (1.0,))]", SEARCH),
    ("claim", DISK, ("export", ".", "--csv", "--table", "claims", "-o", "-")),
    ("apply", DISK, ("prompts", "lint", "--game", GAME, "--matches", "1")),
    ("apply", DISK, ("tournament", "--game", GAME, "--seat", "bot:steady,bot:random", "--deals", "1", "-o", "t", "-q")),
]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The skeleton of a game, installed, and a folder with a finished and an unfinished log of it."""
    folder = tmp_path_factory.mktemp("sound")
    start_game(folder / "package", GAME)
    (folder / "package" / GAME).rename(folder / GAME)
    (folder / "logs").mkdir()
    with installed(folder):
        done = tabletop(folder / "logs", "play", GAME, *BOTS[:2], "--seat", "offline", *BOTS[4:], "--log", "m.jsonl", "-q")
    assert done.returncode == 0, done.stderr
    lines = (folder / "logs" / "m.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "logs" / "part.jsonl").write_bytes(b"".join(lines[:8]))
    return folder


@contextmanager
def installed(site: Path) -> Iterator[None]:
    write_package(site, GAME, (site / GAME / "__init__.py").read_text(encoding="utf-8"))
    with on_path(site):
        yield


def with_fault(package: Path, site: Path, hook: str, body: str) -> None:
    """A copy of the package in which one hook has another body."""
    shutil.copytree(package / GAME, site / GAME)
    imports = "from games.core.reading import Reading, Style\n"
    fault = f"\n\n{imports}def _fault(*given, **named):\n    {body}\n\n\n"
    facts, state = site / GAME / "__init__.py", site / GAME / "state.py"
    if hook in ("remarks", "claim", "readings"):
        source = facts.read_text(encoding="utf-8").replace("GAME = Game(", f"{fault}GAME = Game(\n    {hook}=_fault,")
        facts.write_text(source, encoding="utf-8")
    else:
        kind = {"pending": "property", "round": "property", "deal": "classmethod"}.get(hook, "")
        state.write_text(f"{state.read_text(encoding='utf-8')}{fault}State.{hook} = {kind}(_fault)\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("hook", "body", "words"), CASES, ids=lambda value: value[0] if isinstance(value, tuple) else value[:20]
)
def test_a_fault_of_a_game_is_named_in_every_verb(
    hook: str, body: str, words: tuple[str, ...], package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interrupts, "HOOK_SECONDS", 0.5)
    with_fault(package, tmp_path, hook, body)
    shutil.copytree(package / "logs", tmp_path / "logs")
    with installed(tmp_path):
        done = tabletop(tmp_path / "logs", *words)
    said = " ".join((done.stdout + done.stderr).split())
    assert f"a fault in game {GAME}, in {hook}: " in said
    assert done.returncode != 0 or words[0] == "export"
    for wrong in ("Traceback", "make room", "damaged", "Resume it", "unhandled"):
        assert wrong not in said
    files = [Path(name) for name in re.findall(r"traceback is in (\S+\.txt)", said)]
    logs = re.findall(r"(\S+\.jsonl) ends with the traceback", said)
    traces = [file.read_text(encoding="utf-8") for file in files]
    traces += [(tmp_path / "logs" / name).read_text(encoding="utf-8") for name in logs]
    assert traces
    assert all("in _fault" in trace or "Fault" in trace for trace in traces)


def test_a_sound_game_pays_with_nothing_but_time(package: Path) -> None:
    with installed(package):
        game = games.load(GAME)
        state = game.begin(players=2, seed=7)
        while not state.has_ended:
            state = state.actions[0].next_state
            assert pickle.loads(pickle.dumps(state)) == state
            assert game.from_json(state.to_json()) == state
        with pytest.raises(ValueError, match="no seat 5"):
            state.view(5)
        assert games.load("coup").state_type.__reduce__ is State.__reduce__


def test_what_is_lazy_is_guarded_too(package: Path, tmp_path: Path) -> None:
    with_fault(package, tmp_path, "describe_move", "return None")
    with installed(tmp_path):
        question = games.load(GAME).begin(players=2, seed=7).question(0)
        with pytest.raises(GameFault, match=f"a fault in game {GAME}, in describe_move: it gives None, and not a sequence"):
            len(question.choices)


def test_a_pickled_state_is_guarded_where_its_game_was_not_loaded(package: Path, tmp_path: Path) -> None:
    with_fault(package, tmp_path, "apply", DISK)
    with installed(tmp_path):
        pickled = pickle.dumps(games.load(GAME).begin(players=2, seed=7))
        games.load.cache_clear()
        with pytest.raises(GameFault, match=f"a fault in game {GAME}, in apply: OSError"):
            _ = pickle.loads(pickled).actions[0].next_state
