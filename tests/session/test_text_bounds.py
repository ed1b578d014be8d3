"""What a new match may be given by each door: seeds of 63 bits, and texts of a bounded length. Older logs stay as they are."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import runner.api
from runner.agents.environment import Environment
from runner.agents.spec import length_fault, parse_spec
from runner.errors import UsageError
from runner.match.header import LARGEST_SEED
from runner.record.reader import read_log
from runner.record.verify import verify
from runner.serve.match_host import HostLimits, MatchHost
from runner.serve.match_tools import call
from tests.cli.command import complaint, tabletop
from tests.match.tables import bot
from tests.record.matches import played
from tests.record.reseal import records_of, resealed
from tests.serve.webs import web

LONG = "x" * 2**20
WRONG: Mapping[str, tuple[dict[str, Any], str]] = {
    "seed below 0": ({"seed": -1}, "seed"),
    "seed of 64 bits": ({"seed": LARGEST_SEED + 1}, "seed"),
    "seed of 100 bits": ({"seed": 10**30}, "seed"),
    "long SPEC": ({"seats": [f"cmd:{LONG}", "mcp"]}, "a SPEC has at most 4,096 characters"),
    "long model": ({"seats": [f"vendor/{LONG[:200]}", "mcp"]}, "the name of a model has at most 200 characters"),
    "long name": ({"seats": [f"{LONG[:41]}=bot:steady", "mcp"]}, "a name has at most 40 characters"),
    "long name to be normalised": ({"seats": ["a\u0301\u0327" * 2**18 + "=bot:steady", "mcp"]}, "characters"),
    "long skin": ({"skin": LONG}, "skin"),
    "long preset": ({"rules": LONG}, "preset"),
    "long game": ({"game": LONG}, "game"),
}
SEATS = ["bot:steady", "bot:random"]


def by_command(folder: Path, game: str = "coup", seats: Any = (), **settings: Any) -> str:
    words = [word for seat in seats for word in ("--seat", seat)]
    words += [word for name, value in settings.items() for word in (f"--{name}", str(value))]
    done = tabletop(folder, "play", game, "--num-players", "2", *words, "-q", "--log", "log.jsonl")
    return complaint(done) if done.returncode == 2 else f"exit status {done.returncode}"


def by_plan(folder: Path, game: str = "coup", seats: Any = SEATS, rules: str | None = None, **settings: Any) -> str:
    table = {"name": game, "players": 2} | ({} if rules is None else {"rules": rules})
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    lines += [f"agents = {json.dumps([*seats])}", "deals = 1", "[[games]]"]
    lines += [f"{name} = {json.dumps(value)}" for name, value in table.items()]
    (folder / "plan.toml").write_text("\n".join(lines), encoding="utf-8")
    done = tabletop(folder, "tournament", "plan.toml", "-q")
    return complaint(done) if done.returncode == 2 else f"exit status {done.returncode}"


def by_python(folder: Path, game: str = "coup", seats: Any = SEATS, **settings: Any) -> str:
    with pytest.raises((UsageError, ValueError)) as refused:
        runner.api.play(game, seats, log=folder / "log.jsonl", **settings)
    return str(refused.value)


@pytest.mark.parametrize("door", [by_command, by_plan, by_python])
@pytest.mark.parametrize("what", WRONG)
def test_what_is_out_of_bounds_is_one_short_sentence(what: str, door: Callable[..., str], tmp_path: Path) -> None:
    given, words = WRONG[what]
    said = door(tmp_path, **given)
    assert words in said
    assert len(said) < 1000
    assert not list(tmp_path.rglob("*.jsonl"))


@pytest.mark.parametrize("what", WRONG)
async def test_an_mcp_client_is_told_the_same(what: str, tmp_path: Path) -> None:
    host = MatchHost(Environment(), HostLimits(tmp_path))
    with pytest.raises((UsageError, ValueError)) as refused:
        await call(host, "new_match", {"game": "coup", "seats": ["mcp", "bot:steady"], **WRONG[what][0]})
    assert len(str(refused.value)) < 1000
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("seed", ["-1", str(LARGEST_SEED + 1)])
def test_a_comparison_is_told_the_same(seed: str, tmp_path: Path) -> None:
    words = ("prompts", "compare", "coup", "built-in", "built-in", "--seat", "offline", "--num-players", "2")
    done = tabletop(tmp_path, *words, "--seed", seed)
    assert done.returncode == 2
    assert complaint(done).startswith(f'tabletop: --seed "{seed}": it has to be ')


async def test_a_browser_is_told_the_same(tmp_path: Path) -> None:
    async with web(tmp_path) as server:
        for given, _ in WRONG.values():
            match = {name: [one[: 2**15] for one in value] if name == "seats" else value for name, value in given.items()}
            body = {
                "game": "coup",
                "seats": SEATS,
                **{name: one[: 2**15] if one == LONG else one for name, one in match.items()},
            }
            status, said = await server.post(f"{server.lobby}/tables", {"match": body})
            assert (status, len(said["error"]) < 1000) == (400, True)
    assert not list(tmp_path.glob("*.jsonl"))


def test_what_is_just_within_the_bounds_is_played(tmp_path: Path) -> None:
    for seed in (0, LARGEST_SEED):
        assert runner.api.play("coup", SEATS, seed=seed).header["seed"] == seed
    assert length_fault(parse_spec(f"cmd:{LONG[: 4096 - 4]}")) is None
    assert length_fault(parse_spec(f"vendor/{LONG[: 200 - 7]}")) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f'[calm]\nmodel = "v/{LONG[:200]}"\n', "the name of a model has at most 200 characters"),
        (f'[calm]\nmodel = "gguf:{LONG[:5000]}"\n', "a SPEC has at most 4,096 characters"),
        (f'[calm]\nmodel = "offline"\nname = "{LONG[:41]}"\n', "a name has at most 40 characters"),
        (f'[calm]\nmodel = "offline"\nbase_url = "http://{LONG}"\n', "at most 16,384 characters"),
        (f'[calm]\nprogram = "{LONG}"\n', "at most 16,384 characters"),
        (f'[calm]\nfunction = "a:{LONG}"\n', "at most 16,384 characters"),
    ],
)
def test_an_agent_has_the_same_bounds(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text(text)
    done = tabletop(tmp_path, "play", "coup", "--num-players", "2", "--seat", "calm", "--seat", "bot:steady", "-q")
    assert done.returncode == 5
    assert words in complaint(done)
    assert len(done.stderr) < 1000


@pytest.mark.parametrize("seed", [-1, 10**30])
async def test_a_log_of_an_older_version_is_read_and_resumed_whatever_its_seed(seed: int, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    await played(log, "coup", [bot("coup")] * 2, seed)
    header, *records, _ = records_of(log.read_bytes())
    seats = [{**seat, "spec": "bot:random"} for seat in header["seats"]]
    log.write_bytes(resealed([header | {"seats": seats}, *records]))
    assert not verify(read_log(log)).has_ended
    assert runner.api.resume(log).result["seed"] == seed  # type: ignore[index]
