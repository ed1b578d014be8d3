"""Packs from others: what is damaged, too large or out of place is refused with one sentence and exit status 4."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.errors import TabletopError
from runner.record import log_paths
from runner.record.log_folder import summaries
from runner.record.log_paths import PackDamagedError, members, open_member
from runner.record.log_summary import LogState
from tests.cli.command import complaint, tabletop
from tests.record.packs import forged, packed, season


def _set(**fields: int) -> Callable[[ZipInfo], None]:
    def change(entry: ZipInfo) -> None:
        for name, value in fields.items():
            setattr(entry, name, value)

    return change


NAMES = {
    "above the folder": ("../a.jsonl", "is no path within a folder"),
    "above a folder within": ("b/../../a.jsonl", "is no path within a folder"),
    "from the root": ("/etc/a.jsonl", "is no path within a folder"),
    "a dot": ("./a.jsonl", "is no path within a folder"),
    "a folder of Windows": ("..\\a.jsonl", "is no path within a folder"),
    "another suffix": ("a.sh", "does not end in .jsonl"),
    "a long name": (f"{'a' * 300}.jsonl", "is longer than 250 bytes"),
}

ENTRIES = {
    "a terabyte": (_set(file_size=2**40), "more than 50 times its size"),
    "a size beyond all": (_set(file_size=2**63 - 1), "more than 50 times its size"),
    "of no size": (_set(file_size=0), "is empty, or too large"),
    "one place": (_set(header_offset=0), "its logs share bytes"),
    "beyond the end": (_set(compress_size=2**20), "its logs share bytes"),
    "a place before the file": (_set(header_offset=2**33), "its logs share bytes"),
    "encrypted": (_set(flag_bits=1), "is encrypted"),
    "another method": (_set(compress_type=12), "compressed by another method"),
}


@pytest.mark.parametrize("what", NAMES)
def test_a_hostile_name_is_refused(what: str, tmp_path: Path) -> None:
    name, why = NAMES[what]
    with pytest.raises(PackDamagedError) as found:
        members(forged(tmp_path / "x.pack", [name]))
    assert why in found.value.sentence


@pytest.mark.parametrize("what", ENTRIES)
def test_a_hostile_entry_is_refused(what: str, tmp_path: Path) -> None:
    change, why = ENTRIES[what]
    with pytest.raises(PackDamagedError) as found:
        members(forged(tmp_path / "x.pack", ["a.jsonl", "b.jsonl"], change=change))
    assert why in found.value.sentence


def test_no_logs_too_many_and_one_name_twice_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert log_paths.MOST_LOGS == 100_000
    monkeypatch.setattr(log_paths, "MOST_LOGS", 1000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        twice = forged(tmp_path / "twice.pack", ["a.jsonl", "a.jsonl"])
    many = forged(tmp_path / "many.pack", [f"{number}.jsonl" for number in range(1001)], method=0)
    cases = {twice: "is there twice", many: "more than 1,000 logs", forged(tmp_path / "none.pack", []): "has no logs"}
    for pack, why in cases.items():
        with pytest.raises(PackDamagedError, match=why):
            members(pack)


def test_a_pack_of_an_earlier_version_says_where_to_read_on(tmp_path: Path) -> None:
    (tmp_path / "old.pack").write_bytes(b"\x28\xb5\x2f\xfd frames TTPACK01")
    with pytest.raises(PackDamagedError, match=r"it is of version 0\.2\.0: see `Packs` in docs/log\.md"):
        members(tmp_path / "old.pack")


def test_a_member_gives_no_more_and_no_less_than_the_list_says(tmp_path: Path) -> None:
    for name, fields in (("more", {"file_size": 2}), ("less", {"file_size": 4}), ("sum", {"CRC": 1})):
        pack = forged(tmp_path / f"{name}.pack", ["a.jsonl"], change=_set(**fields))
        with pytest.raises(PackDamagedError, match=r"the content of a\.jsonl was changed or cut short"):
            open_member(pack, "a.jsonl")


@pytest.mark.parametrize("method", [ZIP_DEFLATED, ZIP_BZIP2, ZIP_LZMA])
def test_a_bomb_of_100_kb_is_refused_before_it_is_read(method: int, tmp_path: Path) -> None:
    bomb = forged(tmp_path / "x.pack", ["a.jsonl"], b"[" * 2**24, method=method)
    with pytest.raises(PackDamagedError, match="more than 50 times its size"):
        members(bomb)


@pytest.mark.parametrize(
    "verb", [("logs", "."), ("standings", "."), ("replay", ".", "--verify"), ("export", ".", "--sqlite", "-o", "x")]
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
        assert complaint(done).endswith("The pack bad.pack is damaged: it is no sound zip archive (File is not a zip file).")


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
