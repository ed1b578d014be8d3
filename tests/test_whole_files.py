"""Files that commands write: a kill at any write and a full disk leave the old file or the new one, and no link is followed."""

from __future__ import annotations

import json
import os
import random
import re
import resource
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest

from runner.__main__ import main
from runner.errors import UsageError
from runner.files import whole_file, write_whole
from runner.record.log_folder import summaries
from tests.cli.command import ROOT, complaint, tabletop, tabletop_process
from tests.record.packs import season

KILLS = 12 if "TABLETOP_CAMPAIGN" in os.environ else 2
"""How many kills a verb gets of each kind: between its writes, and within one."""

WRITERS: Mapping[str, tuple[Sequence[str], str]] = {
    "page": (("export", "a.jsonl", "--html", "-o", "out.html"), "out.html"),
    "table": (("export", ".", "--table", "attempts", "--csv", "-o", "out.csv"), "out.csv"),
    "database": (("export", ".", "--sqlite", "-o", "out.sqlite"), "out.sqlite"),
    "digests": (("logs", ".", "--digests", "-o", "out.txt"), "out.txt"),
    "review": (("review", "a.jsonl", "--playouts", "8", "--json"), ".a.jsonl.review.json"),
    "gallery": (("gallery", ".", "-o", "../site"), "../site/index.html"),
    "pack": (("pack", "."), "DIR.pack"),
}
"""Verbs that write files, one for each way to write, each with one of its files."""

CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.chmod", "fcntl.flock"}
"""Events of the interpreter before which a verb is killed, and files that it opens to write."""

OWN_WRITERS = {
    *("runner/errors.py", "runner/process_keeper.py"),
    *("runner/files.py", "runner/record/writer.py", "runner/record/writer.py"),
    "runner/workshop/exam/kept_lines.py",
    *("runner/arena/tournament_dir.py", "runner/agents/program_agent.py"),
    *(
        "runner/record/writer.py",
        "runner/record/packing.py",
        "runner/__main__.py",
        "runner/errors.py",
        "runner/screen/consoles.py",
    ),
}
"""Modules that open files to write: whole files, what is only appended to, locks, devices, archives, temporary files."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return season(tmp_path_factory.mktemp("played"), ["a.jsonl", "b.jsonl"])


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "DIR"))


@pytest.mark.parametrize("verb", WRITERS)
def test_a_kill_at_any_write_leaves_old_or_new(verb: str, folder: Path) -> None:
    words, name = WRITERS[verb]
    with_old(folder, verb)
    old = content(folder)
    restored(folder, old)
    assert tabletop(folder, *words).returncode == 0  # in this process, so that its children have the modules loaded
    new = content(folder)
    changed = {path: data for path, data in new.items() if data != old.get(path)}
    assert os.path.normpath(f"DIR/{name}") in changed
    killed = 0
    for moment in moments(verb, max(map(len, changed.values()))):
        restored(folder, old)
        killed += run(folder, words, moment) != 0
        parts = {path.relative_to(folder.parent).as_posix() for path in folder.parent.rglob(".*.part")}
        for path, data in content(folder).items():
            is_list = path.endswith("-gallery.json") and json.loads(data)  # written twice: what is there, what was there too
            assert path in parts or is_list or data in (old.get(path), new.get(path)), path
        again = tabletop_process(folder, *words) if parts else tabletop(folder, *words)
        assert again.returncode == 0, again.stderr
        assert content(folder) == new
    assert killed >= KILLS


def content(folder: Path) -> dict[str, bytes]:
    """All files that a verb may have written, but for caches."""
    files = (path for path in folder.parent.rglob("*") if path.is_file() and not path.name.startswith(".tabletop-index"))
    return {path.relative_to(folder.parent).as_posix(): path.read_bytes() for path in files}


def with_old(folder: Path, verb: str) -> None:
    """Put a file of before into the place of the one that a verb writes, where a verb replaces one."""
    words, name = WRITERS[verb]
    if verb == "gallery":
        (folder / "b.jsonl").rename(folder.parent / "later")
        assert tabletop(folder, *words).returncode == 0
        (folder.parent / "later").rename(folder / "b.jsonl")
    elif verb == "review":
        assert tabletop(folder, *words[:3], "9", "--json").returncode == 0
    elif verb != "pack":
        (folder / name).write_bytes(b"old\n" * 20_000)


def restored(folder: Path, old: Mapping[str, bytes]) -> None:
    for path in content(folder):
        if path not in old:
            (folder.parent / path).unlink()
    for path, data in old.items():
        (folder.parent / path).write_bytes(data)
        os.utime(folder.parent / path, (0, 0))


def moments(verb: str, largest: int) -> Iterator[Callable[[], None]]:
    """What prepares a process to be killed: before one of its changes of files, or at a byte of one."""
    rng = random.Random(verb)
    yield from (partial(kill_at_change, number) for number in rng.sample(range(1, 2 * KILLS + 1), KILLS))
    yield from (partial(kill_at_size, rng.randrange(largest)) for _ in range(KILLS))


def kill_at_change(number: int) -> None:
    """Have this process killed before the change of files with this number."""
    left = [number]

    def hook(event: str, about: tuple[object, ...]) -> None:
        is_opened = event == "open" and isinstance(about[2], int) and about[2] & (os.O_WRONLY | os.O_RDWR) != 0
        if event in CHANGES or (is_opened and not str(about[0]).startswith(("/tmp", "/dev"))):
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def kill_at_size(size: int) -> None:
    """Have this process killed when it writes behind this byte of a file."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def fail_at_size(size: int) -> None:
    """Have every file of this process end at this byte, as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def run(folder: Path, words: Sequence[str], prepare: Callable[[], None]) -> int:
    """The status of a verb in a child of this process, negative if it was killed."""
    child = os.fork()
    if not child:
        try:
            prepare()
            os.chdir(folder)
            sys.argv = ["tabletop", *words]
            sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 -- open until the end
            main()
        except SystemExit as leaving:
            os._exit(int(leaving.code or 0))
        finally:
            os._exit(70)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("verb", WRITERS)
def test_a_full_disk_leaves_the_file_of_before(verb: str, folder: Path) -> None:
    words, _ = WRITERS[verb]
    with_old(folder, verb)
    summaries(folder)
    old = content(folder)
    assert run(folder, words, partial(fail_at_size, 10)) in ((0, 3) if verb == "review" else (2, 3))  # a review is printed
    assert content(folder) == old


def test_no_link_is_followed_and_a_live_file_is_left_alone(folder: Path, tmp_path: Path) -> None:
    (own := tmp_path / "own").write_text("keep")
    for name in (".a.jsonl.review.json", ".a.jsonl.review.json.new", "out.html", "tournament.json.new", ".ledger"):
        (folder / name).symlink_to(own)
    assert tabletop(folder, "review", "a.jsonl", "--playouts", "8", "--json").returncode == 0
    for words in (("standings", ".", "--html", "-o", "out.html"), ("export", "a.jsonl", "--html", "-o", "out.html")):
        assert "a link out of its folder" in complaint(tabletop(folder, *words))
    with whole_file(folder / "x", "The file") as file:
        assert tabletop_process(folder, "logs", ".", "--digests", "-o", "list").returncode == 0
        assert Path(str(file.name)).exists()
    assert (own.read_text(), (folder / "x").exists()) == ("keep", True)


def test_the_next_process_removes_what_a_killed_one_left(folder: Path) -> None:
    left = folder / f".{'0f' * 16}.part"
    left.write_text("half")
    assert tabletop_process(folder, "logs", ".", "--digests", "-o", "list").returncode == 0
    assert not left.exists()


def test_a_replaced_file_keeps_its_permissions_and_a_private_one_is_its_owners(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for before, is_private, after in ((0o640, False, 0o640), (0o644, True, 0o600)):
        path.touch()
        path.chmod(before)
        write_whole(path, "text", "The file", is_private=is_private)
        assert path.stat().st_mode & 0o777 == after
    with pytest.raises(UsageError, match=r"The file .*nowhere/file cannot be written: No such file or directory"):
        write_whole(tmp_path / "nowhere" / "file", "text", "The file")


def test_files_are_written_in_one_way() -> None:
    """But for what is appended to, locks, pipes and devices, in the modules that are named."""
    found = {path.relative_to(ROOT).as_posix() for path in (ROOT / "runner").rglob("*.py") if _WRITING.search(path.read_text())}
    assert found == OWN_WRITERS


_WRITING = re.compile(r"""\.write_(?:text|bytes)\(|\bopen\([^)\n]*["'][rb]?[wxa+]|O_CREAT|O_WRONLY|O_RDWR|NamedTemp|mkstemp""")
"""How Python opens a file to write."""
