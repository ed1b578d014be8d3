"""Log paths: the logs of a folder, in files and in packs. `FILE.pack/NAME` is the path of a log in a pack."""

import os
from pathlib import Path

from runner.errors import TabletopError, UsageError

LOGS = Path("logs")
"""The default folder of logs."""

PACK = ".pack"
"""The suffix of a pack."""

LOG, _PACKS = ".jsonl", f"*{PACK}"
_GIT = b"PACK"
"""The first bytes of a pack of Git, which has the same suffix."""


def is_pack(path: Path) -> bool:
    """Whether a file is named as a pack and is not one of Git's."""
    if path.suffix != PACK:
        return False
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(len(_GIT)) != _GIT
    except OSError:
        return True


def pack_of(log: Path) -> Path | None:
    """The pack that a path leads into; None for any other path."""
    return next((above for above in log.parents if above.suffix == PACK and above.is_file()), None)


def name_in(pack: Path, log: Path) -> str:
    return log.relative_to(pack).as_posix()


def place_of(log: Path) -> Path:
    """The path beside which the files of a log are: its own, or for a packed log the one it has in the pack's folder."""
    pack = pack_of(log)
    return log if pack is None else pack.parent / log.relative_to(pack)


def unpacked_name(name: str) -> str:
    """The name of a log in a folder without the packs on its way: the name of the file that was packed."""
    *above, last = name.split("/")
    return "/".join([*(part for part in above if not part.endswith(PACK)), last])


def has_logs(path: Path) -> bool:
    """Whether a path is that of many logs: a folder or a pack."""
    return path.is_dir() or is_pack(path)


def exists(logs: Path) -> bool:
    """Whether there is a file, a folder, or a pack where a path leads into one."""
    return logs.exists() or pack_of(logs) is not None


def base_of(logs: Path) -> Path:
    """The path that the names of logs are relative to: a folder or a pack itself, or what holds a single log."""
    return logs if has_logs(logs) else logs.parent


def log_paths(logs: Path) -> list[Path]:
    """The logs of a folder and its sub-folders, packed ones included, or of a pack, in order; of a log's path that one. A pack
    or a sub-folder that cannot be read is among them itself: reading it as a log says why."""
    if is_pack(logs):
        return sorted(_packed(logs))
    if not logs.is_dir():
        return [logs]
    found = set[Path]()
    for above, folders, files in os.walk(logs, onerror=lambda error: found.add(Path(error.filename))):
        for path in (Path(above, name) for name in (*folders, *files)):
            if path.suffix == PACK:
                found.update(_packed(path) if is_pack(path) else ())
            elif path.name.endswith(LOG):
                found.add(path)
    return sorted(found)


def refuse_missing(logs: Path, only_many: bool = False) -> None:
    """UsageError for a path where no log, folder or pack is; with `only_many`, for a single log too."""
    if not exists(logs):
        raise UsageError(f"There is no log, folder or pack {logs}.")
    if only_many and not has_logs(logs):
        raise UsageError(f"{logs} is no folder or pack.")


def logs_in(folder: Path) -> list[Path]:
    """The paths of `log_paths`. UsageError without any."""
    refuse_missing(folder)
    if not (found := log_paths(folder)):
        raise UsageError(f"There are no logs (*.jsonl) in {folder}.")
    return found


def journal_of(log: Path) -> Path:
    """The journal of the calls of a log's match, which is there while any are in flight."""
    return log.parent / f".{log.name}.calls"


def size_of(log: Path) -> int:
    """The bytes of a log. OSError or TabletopError when it cannot be found out."""
    from runner.record.pack_file import members

    pack = pack_of(log)
    return log.stat().st_size if pack is None else members(pack)[name_in(pack, log)].file_size


def modified_of(log: Path) -> int:
    """When a log or its pack was last written, in ns; 0 where that cannot be found out."""
    try:
        return (pack_of(log) or log).stat().st_mtime_ns
    except OSError:
        return 0


def find_log(folder: Path, name: str) -> Path:
    """The path of the log that a folder has under a name: in a file, or else in a pack directly in the folder."""
    path = folder / name
    if path.exists():
        return path
    from runner.record.pack_file import members

    packs = (pack for pack in sorted(folder.glob(_PACKS)) if is_pack(pack))
    return next((pack / name for pack in packs if name in members(pack)), path)


def _packed(pack: Path) -> list[Path]:
    from runner.record.pack_file import members

    try:
        return [pack / name for name in members(pack)]
    except TabletopError:
        return [pack]
