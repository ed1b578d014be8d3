"""`tabletop replay LOG`: step through a logged match, print it, or verify it."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from games.core import counted
from runner.cli.completion import complete_logs
from runner.cli.display_options import Thoughts, View
from runner.cli.lazy_groups import new_app
from runner.cli.newest_log import named_or_newest
from runner.cli.output import say, say_json
from runner.errors import Exit, LogDamagedError, UsageError
from runner.record.log_paths import has_logs

app = new_app()

UNKNOWN = "Without a digest or a signature from elsewhere, nothing shows that the file was not rewritten as a whole."


@dataclass(frozen=True, slots=True)
class Origin:
    """How a log is known to be the one that was published: by its digest, or by a signature. `sign` makes one."""

    digest: str | None = None
    sign: Path | None = None
    signed_by: Path | None = None

    def check(self, path: Path, digest: str) -> str:
        """Check or sign a log's digest; how the log is known, empty if it is not. DigestError when it is another log."""
        from runner.record.digest_list import check_digest_of, digest_of_option
        from runner.record.signatures import check_signature, sign, signature_path

        text, known = f"{digest}\n", []
        if self.digest is not None:
            check_digest_of(path, digest, digest_of_option(self.digest))
            known.append("as given")
        if self.signed_by is not None:
            check_signature(text, signature_path(path), self.signed_by)
            known.append(f"signed by the owner of {self.signed_by}")
        if self.sign is not None:
            sign(text, self.sign, signature_path(path))
            known.append(f"signed in {signature_path(path)}")
        return ", ".join(known)


@app.command()
def replay(
    log: Annotated[
        Path | None,
        typer.Argument(
            help="A log; the newest of a folder, or of logs by default. With --verify a folder: all its logs.",
            metavar="LOG",
            show_default=False,
            autocompletion=complete_logs,
        ),
    ] = None,
    verify: Annotated[bool, typer.Option("--verify", help="Replay the rules and check every line of the log.")] = False,
    at: Annotated[int, typer.Option("--at", help="Start after decision N.", metavar="N", min=0)] = 0,
    view: View = "all",
    speed: Annotated[
        float, typer.Option("--speed", help="Seconds per step during automatic play.", metavar="SECONDS", min=0.05)
    ] = 1.0,
    thoughts: Thoughts = False,
    plain: Annotated[bool, typer.Option("--plain", help="Print the match as text, as in a pipe.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="With --verify: print one JSON document.")] = False,
    digest: Annotated[
        str | None, typer.Option("--digest", help="With --verify: require the log that has this digest.", metavar="DIGEST")
    ] = None,
    sign: Annotated[
        Path | None, typer.Option("--sign", help="With --verify: sign the digest with an SSH key, in LOG.sig.", metavar="KEY")
    ] = None,
    signed_by: Annotated[
        Path | None,
        typer.Option("--signed-by", help="With --verify: check the signature LOG.sig by this key.", metavar="KEY.pub"),
    ] = None,
) -> None:
    """Step through a logged match, decision by decision; ? shows the keys.

    Examples: tabletop replay · tabletop replay match.jsonl --plain --view P-2 · tabletop replay logs --verify
    """
    origin = Origin(digest, sign, signed_by)
    is_folder = log is not None and has_logs(log)
    if origin != Origin() and (not verify or is_folder):
        raise UsageError(
            "--digest, --sign and --signed-by need --verify and one log; `tabletop logs DIR --digests` is for folders."
        )
    if as_json and not verify:
        raise UsageError("--json needs --verify; use `tabletop export LOG` to write a match as data.")
    if verify and log is not None and is_folder:
        _verify_folder(log, as_json)
        return
    path = named_or_newest(log)
    if verify:
        _verify(path, as_json, origin)
    elif plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _print_transcript(path, view, at, thoughts)
    else:
        from runner.screen.player.show import show

        show(path, view, at, speed, thoughts)


def _print_transcript(path: Path, view: str, at: int, has_thoughts: bool) -> None:
    from runner.record.highlights import highlights_of
    from runner.record.reader import read_sound_part
    from runner.record.replay import opening
    from runner.screen.consoles import results
    from runner.screen.highlight_list import print_highlights
    from runner.screen.narrator import Narrator
    from runner.screen.perspective import Perspective
    from runner.screen.result import result_screen
    from runner.screen.seat_labels import labels_of_records
    from runner.screen.seen_review import kept_seen_review
    from runner.screen.transcript import transcript

    log = read_sound_part(path)
    game, _ = opening(log.header)
    console = results()
    narrator = Narrator(Perspective.of(view, log.header["players"]), has_thoughts)
    for line in transcript(log, narrator, kept_seen_review(log), at):
        console.print(line, soft_wrap=True)
    if log.result is None:
        console.print("The match is unfinished; `tabletop resume` continues it.")
    else:
        console.print(result_screen(game, log.result))
    labelled = narrator.of(labels_of_records(log.latest_header["seats"]))
    print_highlights(console, game, highlights_of(log, narrator.perspective.sees_all), labelled)


def _verify(path: Path, as_json: bool, origin: Origin) -> None:
    from runner.record.reader import read_log
    from runner.record.verify import verify
    from runner.screen.transcript import verdict_line

    try:
        log = read_log(path)
        verdict = verify(log)
    except LogDamagedError as damage:
        if as_json:
            say_json({"path": str(path), "state": "damaged", "line": damage.line, "why": damage.why})
        raise
    known = origin.check(path, log.last)
    if as_json:
        state = "sound" if verdict.has_ended else "unfinished"
        facts = {"path": str(path), "state": state, "lines": verdict.lines, "decisions": verdict.decisions}
        say_json({**facts, "digest": log.last, "known": known})
    else:
        say(verdict_line(verdict.decisions, verdict.has_ended))
        say(f"Digest: {log.last}{f' ({known})' if known else ''}")
        if not known:
            say(UNKNOWN)


def _verify_folder(folder: Path, as_json: bool) -> None:
    from runner.record.log_paths import log_paths
    from runner.record.verify import verify_folder
    from runner.screen.progress_bar import with_progress
    from runner.screen.safe_text import clean

    paths = log_paths(folder)
    if not paths:
        raise UsageError(f"There are no logs (*.jsonl) in {folder}.")
    findings, counts = [], Counter[str]()
    for finding in with_progress(verify_folder(paths), len(paths), "verifying logs"):
        counts[finding.state] += 1
        if as_json:
            findings.append(finding)
        else:
            where = f"line {finding.line}: " if finding.line else ""
            say(f"{finding.state:<10} {clean(finding.path)}" + (f"  {where}{clean(finding.why)}" if finding.why else ""))
    if as_json:
        say_json({"logs": [finding.to_json() for finding in findings], "counts": counts})
    else:
        say(f"{counted(counts.total(), 'log')}: " + ", ".join(f"{count} {state}" for state, count in sorted(counts.items())))
    if counts["damaged"] or counts["unreadable"]:
        raise typer.Exit(Exit.DAMAGED)
