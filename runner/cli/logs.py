"""`tabletop logs DIR` and `tabletop pack DIR`: the logged matches of a folder, and its finished logs in one compressed file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

import games
from games.core import counted, listed, quoted, seat_name
from runner.cli.options import OneGame
from runner.cli.output import STDOUT, say, say_json, stoppable, write_result
from runner.errors import Exit, UsageError
from runner.record.decisions import SaidText, found_in
from runner.record.log_folder import copies, summaries
from runner.record.log_paths import LOGS, base_of, refuse_missing
from runner.record.log_summary import LogState, LogSummary
from runner.record.notes import kept_notes
from runner.record.verify import digest_lines
from runner.screen.consoles import print_note, results, with_progress
from runner.screen.log_list import MOST_ROWS, log_list
from runner.screen.safe_text import clean, plain

if TYPE_CHECKING:
    from runner.record.packing import PackingReport

_MOST_COPIES = 20
_MOST_NAMED = 50
_AROUND = 60
"""Letters that are shown before and behind words that were searched for."""


def logs(
    folder: Path = LOGS,
    game: OneGame = None,
    state: LogState | None = None,
    search: str | None = None,
    as_json: bool = False,
    digests: bool = False,
    to: Path | None = None,
) -> None:
    """List the logged matches of a folder, newest first: date, state, winners, scores, number of decisions, cost."""
    if to is not None and not digests:
        raise UsageError("-o is the file of the digests: add --digests.")
    refuse_missing(folder)
    logs, base = summaries(folder), base_of(folder)
    if game is not None and game not in (known := {*games.names(), *(found.game for found in logs.values() if found.game)}):
        raise UsageError(f"There is no game {quoted(game)}: the games are {listed(sorted(known))}.")
    if digests:
        write_result(to or STDOUT, digest_lines(logs))
        return

    texts = {} if search is None else {name: found_in(base / name, search) for name in logs}

    def is_wanted(name: str) -> bool:
        found = logs[name]
        is_of_game = game is None or found.game == game
        has_seat = search is None or any(search.casefold() in f"{one.name} {one.spec}".casefold() for one in found.seats)
        return is_of_game and (has_seat or bool(texts[name])) and state in (None, found.state)

    copied = copies(logs)
    newest = sorted(sorted(logs.items()), key=lambda item: item[1].created, reverse=True)  # those without a time last
    chosen = [(base / name, found) for name, found in newest if is_wanted(name)]
    if as_json:
        of = {base / copy: str(base / name) for copy, name in copied.items()}
        said = {base / name: {"found": [one._asdict() for one in texts[name]]} for name in texts}
        facts = ({"path": str(path), **_facts(found), "notes": kept_notes(path)} for path, found in chosen)
        say_json(
            [{**fact, "copy_of": of.get(path), **said.get(path, {})} for fact, (path, _) in zip(facts, chosen, strict=True)]
        )
        return
    noted = {path.relative_to(base): len(kept_notes(path)) for path, _ in chosen[:MOST_ROWS]}
    results().print(log_list([(path.relative_to(base), found) for path, found in chosen], noted))
    if len(chosen) == 1 and chosen[0][1].state is LogState.DAMAGED:
        print_note(clean(f"{chosen[0][0]}, {chosen[0][1].why}", 700))
    _print_texts([(path, one) for path, _ in chosen for one in texts.get(str(path.relative_to(base)), ())], search or "")
    twins = [f"{copy} of {name}" for copy, name in copied.items() if is_wanted(copy)]
    if twins:
        more = [f"{len(twins) - _MOST_COPIES:,} more"] if len(twins) > _MOST_COPIES else []
        results().print(plain(f"Copies: {', '.join(twins[:_MOST_COPIES] + more)}. Standings count a match once."))
    forks = [(name, found) for name, found in logs.items() if found.is_fork and name not in copied and is_wanted(name)]
    if forks:
        named = ", ".join(f"{name} of {found.fork_of} at decision {found.fork_at}" for name, found in forks)
        results().print(plain(f"Forks: {named}. Standings count forks with --forks."))


def _print_texts(found: Sequence[tuple[Path, SaidText]], words: str) -> None:
    for path, one in found[:_MOST_NAMED]:
        whose = one.kind if one.seat is None else f"{seat_name(one.seat)} ({one.kind})"
        where = f"{path}, decision {one.decision}, {whose}"
        results().print(plain(f"{where}: {_around(one.text, words)}"), soft_wrap=True)
    if (more := len(found) - _MOST_NAMED) > 0:
        print_note(f"Left out: {counted(more, 'more text')}; --json has all.")


def _around(text: str, words: str) -> str:
    """The part of a text around the words in it."""
    at = max(0, text.casefold().find(words.casefold()) - _AROUND)
    end = at + len(words) + 2 * _AROUND
    return ("…" if at else "") + text[at:end] + ("…" if end < len(text) else "")


def _facts(found: LogSummary) -> dict[str, object]:
    names = ("state", "game", "created", "seed", "scores", "winners", "decisions", "cost", "digest", "why")
    players = {"seats": found.names, "specs": [seat.spec for seat in found.seats]}
    fork = {"fork_of": found.fork_of or None, "fork_at": found.fork_at or None}
    return {name: getattr(found, name) for name in names} | players | fork


def pack(folder: Path, out: Path | None = None, remove: bool = False, quiet: bool = False, as_json: bool = False) -> None:
    """Write the finished logs of a folder to one compressed file that every command reads. FILE.pack/NAME names a log in it."""
    from runner.record.packing import Packing

    refuse_missing(folder)
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder.")
    packing = Packing(folder, out)
    with stoppable("Packing", "packs that are complete"):
        packing.run(partial(with_progress, what="Packing", is_quiet=quiet))
        if remove:
            packing.remove()
    report = packing.report
    if not (report.logs or report.packed_before or report.left_out):
        raise UsageError(f"There are no logs (*.jsonl) to pack in {folder}.")
    if as_json:
        left_out = [{"path": name, "state": state, "why": why} for name, (state, why) in report.left_out.items()]
        say_json({**vars(report), "packs": [str(path) for path in report.packs], "left_out": left_out})
    else:
        _print_packed(report, quiet)
    if any(state == LogState.DAMAGED for state, _ in report.left_out.values()):
        raise typer.Exit(Exit.DAMAGED)


def _print_packed(report: PackingReport, is_quiet: bool) -> None:
    for name, (state, why) in [*report.left_out.items()][:_MOST_NAMED]:
        print_note(f"Not packed, {state}: {clean(name, 200)}" + (f": {clean(why, 500)}" if why else ""))
    if (more := len(report.left_out) - _MOST_NAMED) > 0:
        print_note(f"Not packed: {counted(more, 'more log')}.")
    if not is_quiet:
        words = [f"{counted(report.logs, 'log')} packed"]
        if report.logs:
            words[0] += f", {report.log_bytes:,} bytes in {report.pack_bytes:,}"
        words += [f"{report.packed_before:,} packed before"] * bool(report.packed_before)
        words += [f"{counted(report.removed, 'file')} removed"] * bool(report.removed)
        print_note("; ".join(words) + ".")
    for path in report.packs:
        say(clean(path, 5000))
