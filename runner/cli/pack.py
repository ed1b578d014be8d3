"""`tabletop pack DIR`: the finished logs of a folder in one compressed file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from games.core import counted
from runner.cli.lazy_groups import new_app
from runner.cli.output import say, say_json
from runner.cli.stopping import stoppable
from runner.errors import Exit, UsageError
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.record.packing import PackingReport

app = new_app()
_MOST_NAMED = 50
_DAMAGED = "damaged"


@app.command()
def pack(
    folder: Annotated[Path, typer.Argument(help="Folder with logs; sub-folders are included.", metavar="DIR")],
    out: Annotated[
        Path | None, typer.Option("--out", help="The pack to write. [default: DIR/DIR.pack]", metavar="FILE.pack")
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove the files of packed logs, once every log of the pack is verified.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Write the finished logs of a folder to one compressed file that every command reads. FILE.pack/NAME names a log in it.

    A later call packs what has finished since, in another file.

    Examples: tabletop pack logs · tabletop pack tournaments/spring --remove
    """
    from runner.record.packing import Packing

    if not folder.is_dir():
        raise UsageError(f"There is no folder {clean(folder, 200)}.")
    packing = Packing(folder, out)
    with stoppable("Packing", "packs that are complete"):
        packing.run(_followed)
        if remove:
            packing.remove()
    report = packing.report
    if not (report.logs or report.packed_before or report.left_out):
        raise UsageError(f"There are no logs (*.jsonl) to pack in {clean(folder, 200)}.")
    if as_json:
        say_json(_to_json(report))
    else:
        _print(report)
    if any(state == _DAMAGED for state, _ in report.left_out.values()):
        raise typer.Exit(Exit.DAMAGED)


def _followed(names: Iterable[str], total: int) -> Iterable[str]:
    from runner.screen.progress_bar import with_progress

    return with_progress(names, total, "Packing")


def _to_json(report: PackingReport) -> dict[str, object]:
    left_out = [{"path": name, "state": state, "why": why} for name, (state, why) in report.left_out.items()]
    return {
        "packs": [str(path) for path in report.packs],
        "logs": report.logs,
        "log_bytes": report.log_bytes,
        "pack_bytes": report.pack_bytes,
        "packed_before": report.packed_before,
        "removed": report.removed,
        "left_out": left_out,
    }


def _print(report: PackingReport) -> None:
    from runner.screen.consoles import print_note

    for name, (state, why) in [*report.left_out.items()][:_MOST_NAMED]:
        print_note(f"Not packed, {state}: {clean(name, 200)}" + (f": {clean(why, 500)}" if why else ""))
    if (more := len(report.left_out) - _MOST_NAMED) > 0:
        print_note(f"Not packed: {counted(more, 'more log')}.")
    print_note(_summary(report))
    for path in report.packs:
        say(clean(path, 5000))


def _summary(report: PackingReport) -> str:
    words = [f"{counted(report.logs, 'log')} packed"]
    if report.logs:
        words[0] += f", {report.log_bytes:,} bytes in {report.pack_bytes:,}"
    words += [f"{report.packed_before:,} packed before"] * bool(report.packed_before)
    words += [f"{counted(report.removed, 'file')} removed"] * bool(report.removed)
    return "; ".join(words) + "."
