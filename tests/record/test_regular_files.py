"""Only regular files of a bounded size are read, and nothing waits for a writer."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.errors import Exit, UnreadableFileError
from runner.files import open_regular, read_regular, read_regular_text
from tests.record.special_files import SPECIAL


@pytest.mark.parametrize("kind", SPECIAL)
def test_special_files_are_refused_in_a_sentence(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    SPECIAL[kind](path)
    with pytest.raises(UnreadableFileError, match=r"^The plan .*file.toml cannot be read: .*\.$") as refused:
        read_regular(path, "The plan")
    assert (refused.value.exit, refused.value.is_missing) == (Exit.USAGE, False)


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    path.write_bytes(b"a\r\nb\rc\n")
    assert read_regular_text(path, "The plan", 7) == "a\nb\nc\n"
    with pytest.raises(UnreadableFileError, match="it is larger than 6 bytes"):
        read_regular(path, "The plan", 6)
    with open_regular(path, "The log", 7) as file:
        path.write_bytes(b"longer now")
        assert file.read() == b"longer now"


def test_what_is_not_there_and_what_is_not_text_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match="No such file") as missing:
        read_regular(tmp_path / "nothing", "The plan")
    assert missing.value.is_missing
    for name in ("a\0b", "n" * 5000):
        with pytest.raises(UnreadableFileError):
            read_regular(tmp_path / name, "The plan")
    (tmp_path / "latin").write_bytes(b"\xe9")
    with pytest.raises(UnreadableFileError, match="not text in UTF-8"):
        read_regular_text(tmp_path / "latin", "The plan")
