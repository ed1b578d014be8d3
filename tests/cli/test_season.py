"""`tabletop season`: what is fixed before the first call, one folder of all results, and its proof from the logs."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from runner.digest import digest_of
from tests.cli.command import tabletop

PLAN = """
agents = { a = "offline", b = "bot:steady" }
deals = 1
[[games]]
name = "coup"
players = [2]
"""
LOG = "logs/coup-2p/deal-00001-0001.jsonl"
SEASON = "seasons/plan"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("season")
    (folder / "plan.toml").write_text(PLAN)
    done = tabletop(folder, "season", "plan.toml", "-q", "--json")
    assert done.returncode == 0, done.stderr
    (folder / "said.json").write_text(done.stdout)
    return folder


@pytest.fixture
def copied(played: Path, tmp_path: Path) -> Path:
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_one_folder_has_all_and_is_proved_from_its_logs(played: Path) -> None:
    done = tabletop(played, "season", "--check", SEASON, "-q", "--json")
    assert (done.returncode, json.loads(done.stdout)) == (0, json.loads((played / "said.json").read_text()))
    names = ("index.html", "standings.html", "standings.json", "matches.csv", "croissant.json", "README.md", LOG)
    assert [name for name in (*names, "data/tabletop/tabletop/offline") if not (played / SEASON / name).exists()] == []
    commitment = json.loads((played / SEASON / "commitment.json").read_text())
    assert {"plan", "packs", "measure", "stops", "seeds", "created", "package"} == commitment.keys()
    created = json.loads((played / SEASON / LOG).read_text().partition("\n")[0])["created"]
    assert commitment["created"] <= created


def test_the_commitment_does_not_tell_the_seeds(played: Path) -> None:
    recorded = json.loads((played / SEASON / "logs" / "tournament.json").read_text())["plan"]
    assert str(recorded["seed"]) not in (played / SEASON / "commitment.json").read_text()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        (LOG, lambda data: data.replace(b'"seat":1', b'"seat":0', 1)),
        (LOG, lambda data: data[:-3] + bytes([data[-3] ^ 1]) + data[-2:]),
        (LOG, None),
        ("standings.json", lambda data: data + b" "),
        ("commitment.json", lambda data: data.replace(b'"deals": 1', b'"deals": 2')),
        ("new.html", lambda data: b"new"),
    ],
)
def test_any_changed_file_is_found_and_named(copied: Path, name: str, change: Callable[[bytes], bytes] | None) -> None:
    file = copied / SEASON / name
    if change is None:
        file.unlink()
    else:
        file.write_bytes(change(file.read_bytes() if file.exists() else b""))
    done = tabletop(copied, "season", "--check", SEASON, "-q")
    assert (done.returncode, done.stdout) == (4, "")
    assert name in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        (LOG, b'"how":"answer"', b'"how":"forced"', LOG),
        ("commitment.json", b'"deals": 1', b'"deals": 2', "committed to (plan)"),
        ("commitment.json", b'"seeds": "', b'"seeds": "0', "committed to (seeds)"),
        ("standings.json", b'"matches":', b'"matches":1', "standings.json does not follow from the logs"),
    ],
)
def test_a_change_is_found_even_where_its_digest_was_changed_too(
    copied: Path, name: str, old: bytes, new: bytes, says: str
) -> None:
    file, seal = copied / SEASON / name, copied / SEASON / "season.json"
    before = file.read_bytes()
    file.write_bytes(before.replace(old, new, 1))
    assert file.read_bytes() != before
    seal.write_text(seal.read_text().replace(digest_of(before), digest_of(file.read_bytes())))
    done = tabletop(copied, "season", "--check", SEASON, "-q")
    assert done.returncode == 4, done.stderr
    assert says in done.stderr


def test_a_season_may_end_when_its_answer_is_sure(tmp_path: Path) -> None:
    # with other seeds, a season may be sure so soon that ratings, with a rule of their own, establish nothing yet
    until = PLAN.replace("deals = 1", 'seed = 1\ndeals = 300\nuntil = "sure"').replace('"offline"', '"bot:random"')
    (tmp_path / "plan.toml").write_text(until)
    done = tabletop(tmp_path, "season", "plan.toml", "-q")
    assert done.returncode == 0, done.stderr
    commitment = json.loads((tmp_path / SEASON / "commitment.json").read_text())
    assert (commitment["plan"]["until"], commitment["stops"][:37]) == ("sure", "all pairs of agents are told apart in")
    played = len([*(tmp_path / SEASON).glob("logs/coup-2p/*.jsonl")])
    assert 20 < played < 600
    standings = json.loads((tmp_path / SEASON / "standings.json").read_text())
    assert standings["notes"][-1].startswith(f"{played} of at most 600 matches are played: ")
    assert [pair["is_established"] for game in standings["games"] for pair in game["meetings"]] == [True]
    proved = tabletop(tmp_path, "season", "--check", SEASON, "-q")
    assert proved.stdout.startswith(f"Proved from {played} logs"), proved.stderr
    (tmp_path / SEASON / LOG).unlink()
    seal = tmp_path / SEASON / "season.json"
    found = json.loads(seal.read_text())
    del found["files"][LOG]
    seal.write_text(json.dumps(found))
    gone = tabletop(tmp_path, "season", "--check", SEASON, "-q")
    assert (gone.returncode, gone.stderr.strip().endswith(f"{LOG} is missing.")) == (4, True), gone.stderr


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"tables": "pyarrow 0.1"}, "tables: pyarrow 0.1 is not here."),
        ({"package": "0.1"}, "pages, tables and records: those are of tabletop 0.1."),
    ],
)
def test_what_is_not_made_again_is_said(copied: Path, change: dict[str, str], says: str) -> None:
    seal = copied / SEASON / "season.json"
    seal.write_text(json.dumps(json.loads(seal.read_text()) | change))
    done = tabletop(copied, "season", "--check", SEASON)
    assert done.returncode == 0, done.stderr
    assert f"Note: as they were written, but not made again from the logs: {says}" in done.stderr


def test_a_season_that_stopped_resumes_under_the_same_commitment(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    stopped = tabletop(tmp_path, "season", "plan.toml", "-q", "--budget-tokens", "1")
    assert stopped.returncode == 3, stopped.stderr
    assert "tabletop season plan.toml -o seasons/plan" in stopped.stderr
    commitment = (tmp_path / SEASON / "commitment.json").read_bytes()
    assert not (tmp_path / SEASON / "season.json").exists()
    assert tabletop(tmp_path, "season", "--check", SEASON).returncode == 2
    done = tabletop(tmp_path, "season", "plan.toml", "-q")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / SEASON / "commitment.json").read_bytes() == commitment


@pytest.mark.parametrize(
    ("words", "plan", "says"),
    [
        (("season",), PLAN, "Name a plan to play, or with --check the folder of a season to prove."),
        (("season", "plan.toml", "--check", SEASON), PLAN, "Name a plan to play, or with --check"),
        (("season", "plan.toml"), "agents = 3", "The plan"),
        (("season", "plan.toml"), f'until = "soon"\n{PLAN}', "The plan: until"),
        (("season", "plan.toml"), f'until = "sure"\n{PLAN}', "holds another season (other plan, stops)."),
        (("season", "plan.toml"), PLAN.replace("deals = 1", "deals = 2"), "holds another season (other plan)."),
        (("season", "plan.toml", "-o", "logs"), PLAN, "logs holds other files"),
        (("season", "--check", "logs"), PLAN, "season.json"),
        (("season", "--check", "logs", "-o", "x"), PLAN, "--check writes nothing: leave -o out."),
        (("tournament", "plan.toml", "--deals", "0"), PLAN, '--deals "0": it has to be 1 or more.'),
        (("tournament", "plan.toml", "--rotation", "x"), PLAN, '--rotation "x"'),
    ],
)
def test_what_cannot_be_is_one_sentence(copied: Path, words: tuple[str, ...], plan: str, says: str) -> None:
    (copied / "plan.toml").write_text(plan)
    (copied / "logs").mkdir()
    (copied / "logs" / "note.txt").write_text("mine")
    done = tabletop(copied, *words, "-q")
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
