"""`tabletop replay LOG`: step through a logged match, print it, or verify it."""

import shlex
import sys
from collections import Counter
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import typer

from games.core import counted
from runner.cli.casting import UNCAST, CasterOptions
from runner.cli.options import LogOrNewest, View, named_or_newest
from runner.cli.output import is_agreed, say, say_json, stoppable
from runner.errors import Exit, LogDamagedError, TabletopError, UsageError
from runner.film.perspective import EVERYTHING, Perspective
from runner.record.decisions import highlights_of
from runner.record.log_paths import has_logs, logs_in
from runner.record.reader import read_sound_part
from runner.record.replay import opening
from runner.record.verify import check_digest_of, digest_of_option
from runner.screen.consoles import print_note, results, with_progress
from runner.screen.narrator import Narrator
from runner.screen.safe_text import clean
from runner.screen.transcript import Comments

_MOST_NAMED = 9
UNKNOWN = "Without a digest or a signature from elsewhere, nothing shows that the file was not rewritten as a whole."


def replay(
    log: LogOrNewest = None,
    other: LogOrNewest = None,
    verify: bool = False,
    at: int = 0,
    casting: CasterOptions = UNCAST,
    view: View = "all",
    speed: float = 1.0,
    thoughts: bool = False,
    still: bool = False,
    plain: bool = False,
    as_json: bool = False,
    digest: str | None = None,
) -> None:
    """Step through a logged match, decision by decision; ? shows the keys."""
    casting.check(is_shown=not verify and other is None)
    if log is not None and other is not None:
        if verify or at or view != EVERYTHING:
            raise UsageError(
                "Two logs are shown side by side from their beginning, with everything: omit --verify, --at and --view."
            )
        _print_side_by_side(log, other)
        return
    is_folder = log is not None and has_logs(log)
    if digest is not None and (not verify or is_folder):
        raise UsageError("--digest needs --verify and one log; `tabletop standings DIR --check-digests FILE` is for folders.")
    if as_json and not verify:
        raise UsageError("--json needs --verify; use `tabletop export LOG` to write a match as data.")
    if verify and log is not None and is_folder:
        _verify_folder(log, as_json)
        return
    path = named_or_newest(log)
    if verify:
        _verify(path, as_json, digest)
    elif plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _print_transcript(path, view, at, thoughts, casting)
    else:
        with casting.coming(path, view) as comments:
            _step_through(path, view, at, speed, thoughts, not still, comments)


def _step_through(
    path: Path, view: str, at: int, speed: float, has_thoughts: bool, has_motion: bool, comments: Comments
) -> None:
    from runner.cli.app import app
    from runner.cli.prompt_editor import edit_prompt
    from runner.screen.keys import Keyboard
    from runner.screen.replay_page import show
    from runner.screen.replay_viewer import ASK, DEAL, EDIT

    while True:
        verb, at, line = show(path, view, at, speed, has_thoughts, has_motion, comments)
        words = [*verb.split(), str(path), "--at", str(at)]
        if not verb:
            return
        if verb not in (ASK, DEAL, EDIT):
            app(words, prog_name="tabletop", standalone_mode=False)
            return
        try:
            if verb == DEAL:
                _print_same_deal(path)
            elif verb == EDIT:
                edit_prompt(path, at, line)
            elif is_agreed(f"Ask decision {at} again with `{shlex.join(['tabletop', *words])}`?"):
                app(words, prog_name="tabletop", standalone_mode=False)
            else:
                continue
        except TabletopError as error:
            print_note(error.sentence)
        with Keyboard() as keyboard:
            print_note("-- any key: back --")
            while keyboard.read(60.0) is None:
                pass


def _print_same_deal(path: Path) -> None:
    """Print a log beside the newest other one of its deal, and name the rest."""
    from runner.export.side_by_side import same_deals

    if not (found := same_deals(path)):
        print_note(f"No other log beside {clean(path, 5000)} has this deal: `tabletop fork` or `prompts compare` makes one.")
        return
    _print_side_by_side(path, found[0])
    for one in found[1 : 1 + _MOST_NAMED]:
        print_note(f"The same deal, too: `{clean(shlex.join(['tabletop', 'replay', str(path), str(one)]), 9000)}`")


def _print_side_by_side(a: Path, b: Path) -> None:
    from runner.export.side_by_side import side_by_side
    from runner.workshop.bench_page import bench_screen

    page = side_by_side(read_sound_part(a), read_sound_part(b))
    results().print(bench_screen(page._replace(lead=page.title)))


def _print_transcript(path: Path, view: str, at: int, has_thoughts: bool, casting: CasterOptions) -> None:
    from runner.screen.result import print_highlights, result_screen
    from runner.screen.seen_review import kept_seen_review
    from runner.screen.transcript import transcript

    log = read_sound_part(path)
    game, _ = opening(log.header)
    console = results()
    narrator = Narrator(Perspective.of_header(view, log.header), has_thoughts)
    comments = casting.comments(log, narrator.perspective, at)
    for line in transcript(log, narrator, kept_seen_review(log), at, comments):
        console.print(line, soft_wrap=True)
    if log.result is None:
        console.print("The match is unfinished; `tabletop resume` continues it.")
    else:
        console.print(result_screen(game, log.result))
    labelled = narrator.of(log.latest_header["seats"])
    print_highlights(console, game, highlights_of(log, narrator.perspective.sees_all), labelled)


def _verify(path: Path, as_json: bool, digest: str | None) -> None:
    from runner.record.verify import verify_file
    from runner.screen.transcript import verdict_line

    try:
        log, verdict = verify_file(path)
    except LogDamagedError as damage:
        if as_json:
            say_json({"path": str(path), "state": "damaged", "line": damage.line, "why": damage.why})
        raise
    if digest is not None:
        check_digest_of(path, log.last, digest_of_option(digest))
    if as_json:
        state = "sound" if verdict.has_ended else "unfinished"
        facts = {"path": str(path), "state": state, "lines": verdict.lines, "decisions": verdict.decisions}
        say_json({**facts, "digest": log.last, "known": "" if digest is None else "as given"})
        return
    say(verdict_line(verdict.decisions, verdict.has_ended))
    if log.damage is not None:
        say(f"Note: {log.damage}")
    say(f"Digest: {log.last}" + ("" if digest is None else " (as given)"))
    if digest is None:
        say(UNKNOWN)


def _verify_folder(folder: Path, as_json: bool) -> None:
    from runner.record.verify import verify_folder

    paths = logs_in(folder)
    findings, counts = [], Counter[str]()
    with stoppable("The check", ""), closing(with_progress(verify_folder(paths), len(paths), "verifying logs")) as working:
        for finding in working:
            counts[finding.state] += 1
            if as_json:
                findings.append(finding)
            else:
                where = f"line {finding.line}: " if finding.line else ""
                say(f"{finding.state:<10} {clean(finding.path)}" + (f"  {where}{clean(finding.why)}" if finding.why else ""))
    if as_json:
        say_json({"logs": [asdict(finding) for finding in findings], "counts": counts})
    else:
        say(f"{counted(counts.total(), 'log')}: " + ", ".join(f"{count} {state}" for state, count in sorted(counts.items())))
    if counts["damaged"] or counts["unreadable"]:
        raise typer.Exit(Exit.DAMAGED)
