"""Packs from others: what is damaged, too large or out of place is refused with one sentence and exit status 4."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.errors import TabletopError
from runner.record.log_folder import summaries
from runner.record.log_summary import LogState
from runner.record.pack_file import PackDamagedError, members, open_member
from runner.record.pack_frames import compressed
from runner.record.pack_index import LARGEST_INDEX, MOST_LOGS
from tests.cli.command import complaint, tabletop
from tests.record.packs import forged, packed, season

LOG = b"{}\n"
FRAME = compressed(LOG)
SIZE = len(FRAME)
BOMB = compressed(b"\0" * 2**24)

INDEXES = {
    "no list": ({}, "its index is no list of frames"),
    "no frames": ([], "its index is no list of frames"),
    "not JSON": (b"[" * 100_000, "its index is no list of frames"),
    "a word for a size": ([[SIZE, [["a.jsonl", "3"]]]], "its index is no list of frames"),
    "a size below 1": ([[SIZE, [["a.jsonl", 0]]]], "its index is no list of frames"),
    "a frame of no size": ([[0, [["b.jsonl", 3]]], [SIZE, [["a.jsonl", 3]]]], "its index is no list of frames"),
    "frames beyond the end": ([[SIZE + 1, [["a.jsonl", 3]]]], "its index does not fit its size"),
    "above the folder": ([[SIZE, [["../a.jsonl", 3]]]], "is no path within a folder"),
    "above a folder within": ([[SIZE, [["b/../../a.jsonl", 3]]]], "is no path within a folder"),
    "from the root": ([[SIZE, [["/etc/a.jsonl", 3]]]], "is no path within a folder"),
    "a dot": ([[SIZE, [["./a.jsonl", 3]]]], "is no path within a folder"),
    "a zero byte": ([[SIZE, [["a\0.jsonl", 3]]]], "is no path within a folder"),
    "another suffix": ([[SIZE, [["a.sh", 3]]]], "does not end in .jsonl"),
    "a long name": ([[SIZE, [[f"{'a' * 300}.jsonl", 3]]]], "is longer than 250 bytes"),
    "one name twice": ([[SIZE, [["a.jsonl", 1], ["a.jsonl", 2]]]], "is there twice"),
    "a terabyte": ([[SIZE, [[f"{number}.jsonl", 2**30] for number in range(1024)]]], "more than 200 times its size"),
    "too many": ([[SIZE, [[f"{number}.jsonl", 1] for number in range(MOST_LOGS + 1)]]], "more than 100,000 logs"),
    "a bomb": (b" " * (LARGEST_INDEX + 1), "its index is larger than 32 MiB"),
}


@pytest.mark.parametrize("what", INDEXES)
def test_a_hostile_index_is_refused(what: str, tmp_path: Path) -> None:
    index, why = INDEXES[what]
    with pytest.raises(PackDamagedError) as found:
        members(forged(tmp_path / "x.pack", FRAME, index))
    assert why in found.value.sentence


def test_a_frame_gives_no_more_and_no_less_than_the_index_says(tmp_path: Path) -> None:
    with open_member(forged(tmp_path / "bomb.pack", BOMB, [[len(BOMB), [["a.jsonl", 5]]]]), "a.jsonl") as log:
        assert log.read() == b"\0" * 5
    for name, frames in (("short", [[SIZE, [["a.jsonl", 4]]]]), ("cut", [[SIZE - 1, [["a.jsonl", 4]]], [1, [["b.jsonl", 1]]]])):
        pack = forged(tmp_path / f"{name}.pack", FRAME, frames)
        with pytest.raises(PackDamagedError):
            open_member(pack, "a.jsonl")


@pytest.mark.parametrize(
    "verb", [("logs", "."), ("standings", "."), ("replay", ".", "--verify"), ("export", ".", "--sqlite", "x")]
)
def test_a_folder_with_a_damaged_pack_names_it(verb: tuple[str, ...], tmp_path: Path) -> None:
    season(tmp_path, ["a.jsonl"])
    (tmp_path / "bad.pack").write_bytes(b"no pack")
    assert summaries(tmp_path)["bad.pack"].state is LogState.DAMAGED
    done = tabletop(tmp_path, *verb)
    assert done.returncode in (0, 4)
    assert "bad.pack" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_damaged_pack_by_its_name_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "bad.pack").write_bytes(b"no pack at all")
    for words in (("replay", "bad.pack/a.jsonl", "--plain"), ("standings", "bad.pack")):
        done = tabletop(tmp_path, *words)
        assert done.returncode == 4
        assert complaint(done).endswith("The pack bad.pack is damaged: it does not end with an index.")


def test_a_pack_of_git_is_no_pack(tmp_path: Path) -> None:
    (tmp_path / "pack-1.pack").write_bytes(b"PACK\0\0\0\2")
    assert summaries(tmp_path) == {}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = season(tmp_path_factory.mktemp("sound"), ["a.jsonl", "b.jsonl"])
    return packed(folder / "x.pack", [folder / "a.jsonl", folder / "b.jsonl"], folder).read_bytes()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**20), st.integers(1, 255), st.booleans())
def test_a_changed_byte_is_noticed_and_nothing_else_is_read(sound: bytes, where: int, change: int, is_cut: bool) -> None:
    place = where % len(sound)
    changed = sound[:place] + bytes([sound[place] ^ change]) + sound[place + 1 :]
    with TemporaryDirectory() as name:
        (pack := Path(name, "x.pack")).write_bytes(changed[:place] if is_cut else changed)
        found = summaries(pack)
        assert len(found) <= 2
        for log in found.values():
            assert log.state in (LogState.FINISHED, LogState.DAMAGED)
            assert log.state is LogState.DAMAGED or log.digest in digests_of(sound, name)


def digests_of(sound: bytes, folder: str) -> set[str]:
    """The digests of the logs of a pack."""
    (pack := Path(folder, "sound.pack")).write_bytes(sound)
    return {log.digest for log in summaries(pack).values()}


def test_a_pack_that_cannot_be_opened_is_said(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.pack")
    with pytest.raises(TabletopError):
        open_member(tmp_path / "x.pack", "a.jsonl")
