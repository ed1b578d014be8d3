"""Packs: every command reads a log in a pack as it reads the file, and `pack` removes nothing that it has not verified."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.api import read_logs
from runner.arena.tournament_dir import TournamentDir
from runner.errors import DigestError
from runner.record.log_folder import summaries
from runner.record.log_paths import log_paths
from runner.record.packing import Packing
from runner.record.reader import open_log, read_log
from tests.cli.command import complaint, tabletop
from tests.record.packs import packed, season
from tests.record.verbs import VERBS, words_of

NAMES = ("a.jsonl", "sub/b.jsonl", "sub/c.jsonl")
TIMED = ("fork", "playback")
"""Commands that write a new log, whose digest depends on the time."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return season(tmp_path_factory.mktemp("played"), NAMES)


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "logs"))


def pack(folder: Path, *words: str) -> dict[str, object]:
    done = tabletop(folder.parent, "pack", folder.name, "--json", *words)
    assert done.returncode in (0, 4), done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb not in ("resume", *TIMED)])
def test_every_command_says_the_same_of_a_log_in_a_pack(verb: str, played: Path, tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir(), outside.mkdir()
    shutil.copy(played / "a.jsonl", outside / "a.jsonl")
    packed(inside / "x.pack", [played / "a.jsonl"], played)
    one = tabletop(outside, *words_of(verb, "a.jsonl", "coup", at=3))
    other = tabletop(inside, *words_of(verb, "x.pack/a.jsonl", "coup", at=3))
    assert one.returncode == 0, one.stderr
    assert other.returncode == 0, other.stderr
    assert other.stdout.replace("x.pack/", "").split() == one.stdout.split()


@pytest.mark.parametrize("verb", TIMED)
def test_a_match_is_played_from_a_log_in_a_pack(verb: str, played: Path, tmp_path: Path) -> None:
    packed(tmp_path / "x.pack", [played / "a.jsonl"], played)
    done = tabletop(tmp_path, *words_of(verb, "x.pack/a.jsonl", "coup", at=3))
    assert done.returncode == 0, done.stderr


def test_packing_removes_files_only_when_told_to_and_keeps_every_byte(folder: Path) -> None:
    before = {name: (folder / name).read_bytes() for name in NAMES}
    digests = {name: log.digest for name, log in summaries(folder).items()}
    assert pack(folder)["logs"] == 3
    assert all((folder / name).exists() for name in NAMES)
    again = pack(folder, "--remove")
    assert (again["packs"], again["packed_before"], again["removed"]) == ([], 3, 3)
    assert list(folder.rglob("*.jsonl")) == []
    file = folder / "logs.pack"
    for name, data in before.items():
        with open_log(file / name) as log:
            assert log.read() == data
    assert {name: log.digest for name, log in summaries(file).items()} == digests
    assert len(list(read_logs(folder))) == len(list(read_logs(file))) == 3


def test_what_finished_later_goes_into_a_second_pack(folder: Path) -> None:
    (late := folder / "late.jsonl").write_bytes((folder / "a.jsonl").read_bytes())
    late.rename(folder.parent / "late.jsonl")
    pack(folder, "--remove")
    (folder.parent / "late.jsonl").rename(folder / "later.jsonl")
    assert pack(folder, "--remove")["packs"] == ["logs/logs-2.pack"]
    assert [path.relative_to(folder).as_posix() for path in log_paths(folder)] == [
        "logs-2.pack/later.jsonl",
        *(f"logs.pack/{name}" for name in NAMES),
    ]


def test_unfinished_and_damaged_logs_stay_and_are_named(folder: Path) -> None:
    lines = (folder / "a.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "open.jsonl").write_bytes(b"".join(lines[:5]))
    (folder / "bad.jsonl").write_bytes(b"".join([*lines[:3], b"{}\n"]))
    done = tabletop(folder.parent, "pack", "logs", "--remove")
    assert done.returncode == 4
    assert "Not packed, resumable: open.jsonl\n" in done.stderr
    assert "Not packed, damaged: bad.jsonl: line 4" in done.stderr
    assert sorted(path.name for path in folder.rglob("*.jsonl")) == ["bad.jsonl", "open.jsonl"]


def test_nothing_is_removed_when_a_log_changes_while_it_is_packed(folder: Path) -> None:
    def changed(names: Iterable[str], _: int) -> Iterator[str]:
        for name in names:
            (folder / "sub" / "b.jsonl").write_bytes((folder / "a.jsonl").read_bytes())
            yield name

    with pytest.raises(DigestError, match=r"sub/b\.jsonl was changed while it was packed"):
        Packing(folder).run(changed)
    assert sorted(path.name for path in folder.rglob("*.*") if not path.name.startswith(".")) == [
        "a.jsonl",
        "b.jsonl",
        "c.jsonl",
    ]


def test_a_file_that_changed_after_it_was_packed_stays(folder: Path) -> None:
    packing = Packing(folder)
    packing.run(lambda names, _: names)
    (folder / "a.jsonl").write_bytes((folder / "sub/b.jsonl").read_bytes())
    packing.remove()
    assert [path.name for path in folder.rglob("*.jsonl")] == ["a.jsonl"]


def test_a_list_of_digests_fits_files_and_packs(folder: Path) -> None:
    assert tabletop(folder.parent, "logs", "logs", "--digests", "-o", "list").returncode == 0
    pack(folder, "--remove")
    for logs in ("logs", "logs/logs.pack"):
        done = tabletop(folder.parent, "standings", logs, "--check-digests", "list")
        assert done.returncode == 0, done.stderr


def test_a_tournament_counts_its_packed_matches_as_played(folder: Path) -> None:
    tournament = TournamentDir(folder)
    before = [tournament.result(name) for name in NAMES]
    pack(folder, "--remove")
    assert None not in before
    assert [tournament.result(name) for name in NAMES] == before
    assert tournament.result("sub/missing.jsonl") is None


def test_a_packed_log_has_the_records_of_its_file(folder: Path) -> None:
    log = read_log(packed(folder / "x.pack", [folder / name for name in NAMES], folder) / "sub/c.jsonl")
    assert log.records == read_log(folder / "sub/c.jsonl").records


def test_files_of_a_packed_log_are_beside_the_place_of_its_file(folder: Path) -> None:
    pack(folder, "--remove")
    at = "logs/logs.pack/sub/b.jsonl"
    assert tabletop(folder.parent, "export", at, "--markdown").stdout == "logs/sub/b.md\n"
    assert tabletop(folder.parent, "review", at, "--playouts", "8", "--json").returncode == 0
    assert (folder / "sub" / ".b.jsonl.review.json").exists()
    done = tabletop(folder.parent, "fork", at, "--at", "2", "--quiet")
    assert done.returncode == 0, done.stderr
    assert (folder / "sub" / "b-fork2-1.jsonl").exists()


def test_any_tool_opens_a_pack(folder: Path) -> None:
    pack(folder)
    done = subprocess.run([sys.executable, "-m", "zipfile", "-e", "logs.pack", "out"], cwd=folder, check=True)
    assert done.returncode == 0
    assert {name: (folder / "out" / name).read_bytes() for name in NAMES} == {
        name: (folder / name).read_bytes() for name in NAMES
    }


def test_packing_with_remove_run_again_is_content(folder: Path) -> None:
    for words in (("pack", "logs", "--remove"), ("pack", "logs", "--remove"), ("pack", "logs")):
        done = tabletop(folder.parent, *words)
        assert done.returncode == 0, done.stderr
    assert "3 packed before" in done.stderr


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.binary(min_size=1, max_size=50), st.integers(1, 2_000)), min_size=1, max_size=8))
def test_whatever_is_packed_is_read_again(contents: list[tuple[bytes, int]]) -> None:
    with TemporaryDirectory() as name:
        folder, logs = Path(name), {}
        for number, (piece, times) in enumerate(contents):
            path = folder / f"{number}.jsonl"
            path.write_bytes(data := piece * times)
            logs[path] = data
        file = packed(folder / "x.pack", [*logs], folder)
        for path, data in logs.items():
            with open_log(file / path.name) as log:
                assert log.read() == data


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("pack", "logs", "-o", "logs.zst"), "the name of a pack ends in .pack, such as logs.pack."),
        (("pack", "logs", "-o", "logs/old.pack"), "exists already: name another file."),
        (("pack", "nowhere"), "There is no log, folder or pack nowhere."),
        (("resume", "logs/old.pack/a.jsonl"), "holds only matches that have ended"),
        (("replay", "logs/old.pack/z.jsonl", "--plain"), "the pack has no log of this name."),
        (("export", "logs/a.jsonl", "--html", "-o", "logs/old.pack"), "is a pack of logs, which nothing is written over"),
    ],
)
def test_what_cannot_be_done_with_a_pack_is_said(words: tuple[str, ...], why: str, folder: Path) -> None:
    packed(folder / "old.pack", [folder / "a.jsonl"], folder)
    done = tabletop(folder.parent, *words)
    assert (done.returncode, why in complaint(done)) == (2, True), done.stderr
