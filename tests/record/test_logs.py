"""The list of a folder's logs: condition, filters, and an index that is only a cache."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from runner.record.log_folder import INDEX, read_index, summaries
from runner.record.log_paths import log_paths
from runner.record.log_summary import summarise
from runner.record.verify import verify_folder
from runner.record.writer import LogWriter
from tests.cli.command import complaint, tabletop
from tests.record.matches import small_log


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    path = await small_log(tmp_path / "logs" / "done.jsonl")
    raw = path.read_bytes()
    lines = raw.splitlines(keepends=True)
    path.with_name("stopped.jsonl").write_bytes(b"".join(lines[:20]))
    path.with_name("torn.jsonl").write_bytes(raw[:9000])
    path.with_name("changed.jsonl").write_bytes(raw[:5000] + b"!" + raw[5001:])
    path.with_name("empty.jsonl").write_bytes(b"")
    return path.parent


def states(folder: Path) -> dict[str, str]:
    return {name: found.state for name, found in summaries(folder).items()}


EXPECTED = {
    "changed.jsonl": "damaged",
    "done.jsonl": "finished",
    "empty.jsonl": "damaged",
    "stopped.jsonl": "resumable",
    "torn.jsonl": "resumable",
}


def test_each_log_has_its_condition(folder: Path) -> None:
    assert states(folder) == EXPECTED
    assert states(folder) == EXPECTED


def test_the_winners_are_named_with_their_seats_and_scores(tmp_path: Path) -> None:
    seats = ("--seat", "bot:random", "--seat", "bot:steady", "--seat", "bot:steady")
    match = ("play", "dixiquote", "--seed", "1", "--target", "1", *seats, "-q", "--json", "--log", "a.jsonl")
    result = json.loads(tabletop(tmp_path, *match).stdout)
    names, order = [seat["name"] for seat in result["seats"]], sorted(range(3), key=lambda seat: -result["scores"][seat])
    shown = tabletop(tmp_path, "logs", ".").stdout
    for seat in result["winners"]:
        assert ("random", "steady 1", "steady 2")[seat] in shown
    assert f"{names[order[0]]} {result['scores'][order[0]]}" in shown


def test_what_exams_and_coaches_keep_is_no_log_of_the_folder_above(folder: Path) -> None:
    positions = folder / "exams" / "positions" / "3f"
    positions.mkdir(parents=True)
    shutil.copy(folder / "done.jsonl", positions)
    for name in ("exams/positions/3f/positions.jsonl", "exams/a.answers.jsonl", "proposals.jsonl", "versions.jsonl"):
        (folder / name).write_text("{}\n")
    assert states(folder) == EXPECTED
    assert [path.name for path in log_paths(positions)] == ["done.jsonl"]


def test_the_whole_reason_stands_below_the_list_of_one_log(folder: Path) -> None:
    done = tabletop(folder, "logs", "changed.jsonl")
    assert done.stderr.startswith("changed.jsonl, line ")


def test_the_index_is_only_a_cache(folder: Path) -> None:
    states(folder)
    for content in ("", "{}", "[1]", '{"version": 1, "logs": {"done.jsonl": {"stamp": 0}}}', "[" * 9999):
        (folder / INDEX).write_text(content)
        assert states(folder) == EXPECTED
    (folder / "done.jsonl").write_bytes((folder / "stopped.jsonl").read_bytes())
    assert states(folder)["done.jsonl"] == "resumable"


def test_an_index_of_another_version_is_replaced(folder: Path) -> None:
    states(folder)
    index = json.loads((folder / INDEX).read_text())
    for changed in (
        {"logs": {name: [stamp, []] for name, (stamp, _) in index["logs"].items()}},
        {"logs": dict.fromkeys(index["logs"], 0)},
        {"version": 99},
    ):
        (folder / INDEX).write_text(json.dumps(index | changed))
        assert states(folder) == EXPECTED
    assert states(folder) == states(folder) == EXPECTED
    assert read_index(folder).keys() == EXPECTED.keys()


def test_logs_that_are_gone_leave_the_index_and_any_file_name_is_kept(folder: Path) -> None:
    states(folder)
    odd = os.fsdecode(b"\xff\x1b.jsonl")
    (folder / "done.jsonl").rename(folder / odd)
    assert states(folder)[odd] == "finished"
    assert read_index(folder).keys() == EXPECTED.keys() - {"done.jsonl"} | {odd}


def test_a_folder_that_cannot_hold_an_index_goes_without(folder: Path) -> None:
    (folder / INDEX).mkdir()
    assert states(folder) == EXPECTED


def test_two_processes_may_use_one_index(folder: Path) -> None:
    command = [sys.executable, "-m", "runner", "logs", str(folder), "--json"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for process in both:
        found = json.loads(process.communicate()[0])
        assert {Path(one["path"]).name: one["state"] for one in found} == EXPECTED
    assert read_index(folder).keys() == EXPECTED.keys()


def test_many_new_logs_are_read_by_several_processes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.record.log_folder._WORTH_PROCESSES", 2)
    assert states(folder) == EXPECTED


def test_the_index_spares_reading_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    states(folder)
    monkeypatch.setattr("runner.record.log_folder.summarise", lambda path: pytest.fail("read again"))
    assert states(folder) == EXPECTED


def test_a_match_being_played_is_running(folder: Path) -> None:
    writer = LogWriter(folder / "stopped.jsonl", resume=True)
    assert states(folder)["stopped.jsonl"] == "running"
    writer.close()
    assert states(folder)["stopped.jsonl"] == "resumable"


def test_the_command_filters(folder: Path) -> None:
    told = json.loads(tabletop(folder.parent, "logs", "--state", "resumable", "--game", "dixiquote", "--json").stdout)
    assert [Path(one["path"]).name for one in told] == ["stopped.jsonl", "torn.jsonl"]
    assert json.loads(tabletop(folder.parent, "logs", "--search", "nobody", "--json").stdout) == []
    shown = tabletop(folder.parent, "logs").stdout
    assert "5 logs: 2 damaged, 1 finished, 2 resumable" in shown
    assert "no log, folder or pack" in complaint(tabletop(folder.parent, "logs", "nowhere"))


async def test_a_summary_has_result_and_length(tmp_path: Path) -> None:
    found = summarise(await small_log(tmp_path / "match.jsonl"))
    assert (found.game, found.seed, len(found.seats)) == ("dixiquote", 4, 3)
    assert found.scores
    assert found.winners
    assert found.decisions > 10


def test_many_logs_are_verified_by_several_processes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = log_paths(folder)
    alone = list(verify_folder(paths))
    assert [Path(one.path).name for one in alone if one.state == "damaged"] == ["changed.jsonl", "empty.jsonl"]
    monkeypatch.setattr("runner.record.verify._WORTH_PROCESSES", 2)
    monkeypatch.setattr("runner.record.verify._CHUNK", 2)
    monkeypatch.setattr("runner.worker_processes.available_cpus", lambda: 2)
    assert list(verify_folder(paths)) == alone


def test_a_folder_is_verified_without_a_bar_in_a_pipe_and_ends_with_4_if_a_log_is_damaged(folder: Path) -> None:
    done = tabletop(folder, "replay", ".", "--verify")
    assert (done.returncode, done.stderr) == (4, "")
    assert "damaged    changed.jsonl  line " in done.stdout
    assert done.stdout.splitlines()[-1] == "5 logs: 2 damaged, 1 sound, 2 unfinished"


def test_a_game_that_there_is_not_is_named(folder: Path) -> None:
    done = tabletop(folder.parent, "logs", "--game", "Coup")
    assert done.returncode == 2
    assert 'There is no game "Coup": the games are "cat_in_the_box", "coup", ' in done.stderr
