"""Logs are their owner's, no link leads out of a log's folder, and no special file is taken for a log."""

from __future__ import annotations

import os
import stat
from itertools import product
from pathlib import Path

import pytest

from runner.errors import UsageError
from runner.files import make_private_folder
from runner.record.log_folder import INDEX, read_index, summaries
from runner.record.writer import LogWriter
from tests.cli.command import complaint, tabletop
from tests.record.matches import small_log
from tests.record.special_files import SPECIAL

VERBS = {
    "verify": ("replay", "FILE", "--verify"),
    "replay": ("replay", "FILE", "--plain"),
    "watch": ("watch", "FILE", "--wait", "0", "--plain"),
    "resume": ("resume", "FILE"),
    "fork": ("fork", "FILE", "--at", "1"),
    "export": ("export", "FILE", "--csv", "-o", "-"),
    "render": ("prompts", "render", "FILE", "--at", "1"),
    "ask": ("prompts", "ask", "FILE", "--at", "1"),
    "playback": ("play", "dixiquote", "--playback", "FILE"),
    "log": ("play", "dixiquote", "--seat", "bot:random", "--log", "FILE"),
    "plan": ("tournament", "FILE"),
    "digests": ("standings", ".", "--check-digests", "FILE"),
    "deck": ("play", "dixiquote", "--deck", "FILE"),
    "pack": ("play", "dixiquote", "--seat", "offline", "--prompts", "FILE"),
}


def permissions(path: Path) -> str:
    return oct(stat.S_IMODE(path.stat().st_mode))[2:]


@pytest.mark.parametrize(("verb", "kind"), [case for case in product(VERBS, SPECIAL) if case != ("pack", "folder")])
def test_no_verb_reads_a_special_file(verb: str, kind: str, tmp_path: Path) -> None:
    SPECIAL[kind](tmp_path / "file.jsonl")
    done = tabletop(tmp_path, *(word.replace("FILE", "file.jsonl") for word in VERBS[verb]))
    assert done.returncode in (2, 4), done.stderr
    assert complaint(done)


@pytest.mark.parametrize("kind", sorted(SPECIAL.keys() - {"loop"}))
@pytest.mark.parametrize("name", [".env", "agents.toml"])
def test_no_special_file_is_read_for_settings(name: str, kind: str, tmp_path: Path) -> None:
    SPECIAL[kind](tmp_path / name)
    done = tabletop(tmp_path, "agents")
    assert (done.returncode, complaint(done).startswith(f"tabletop: {name} cannot be read: ")) == (5, True)


@pytest.mark.parametrize("kind", SPECIAL)
async def test_one_special_file_stops_no_folder(kind: str, tmp_path: Path) -> None:
    await small_log(tmp_path / "match.jsonl")
    SPECIAL[kind](tmp_path / "other.jsonl")
    states = {name: found.state for name, found in summaries(tmp_path).items()}
    assert states.pop("match.jsonl") == "finished"
    assert set(states.values()) <= {"damaged"}


async def test_logs_are_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        path = await small_log(tmp_path / "one" / "two" / "match.jsonl")
        summaries(path.parent)
    finally:
        os.umask(before)
    assert [permissions(one) for one in (path, path.with_name(INDEX), path.parent, path.parent.parent)] == [
        "600",
        "600",
        "700",
        "700",
    ]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    make_private_folder(folder)
    (folder / "out.jsonl").symlink_to(tmp_path / "elsewhere.jsonl")
    with pytest.raises(UsageError, match="is a link out of its folder"):
        LogWriter(folder / "out.jsonl")
    assert not (tmp_path / "elsewhere.jsonl").exists()
    (folder / "within.jsonl").symlink_to("match.jsonl")
    LogWriter(folder / "within.jsonl").close()


async def test_a_file_that_the_name_of_the_index_leads_to_stays_as_it_is(tmp_path: Path) -> None:
    await small_log(tmp_path / "match.jsonl")
    summaries(tmp_path)
    assert read_index(tmp_path)
    (tmp_path / INDEX).rename(tmp_path / "theirs.json")
    before = (tmp_path / "theirs.json").read_bytes()
    (tmp_path / INDEX).symlink_to("theirs.json")
    assert summaries(tmp_path)["match.jsonl"].state == "finished"
    assert (tmp_path / "theirs.json").read_bytes() == before
