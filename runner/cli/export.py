"""`tabletop export`: a logged match as a web page, asciicast, Markdown or CSV; the logs of a folder as tables of data."""

from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import typer

from games.core import counted
from runner.cli.casting import UNCAST, CasterOptions
from runner.cli.options import LogOrNewest, View, named_or_newest
from runner.cli.output import STDOUT, default_file, note_new_folder, print_unusable, say, stoppable, write_result
from runner.errors import UsageError
from runner.film.perspective import EVERYTHING, Perspective
from runner.record.log_folder import exit_of
from runner.record.log_paths import LOGS, has_logs, logs_in, place_of, refuse_missing
from runner.record.reader import Log, read_log
from runner.screen.consoles import print_note, with_progress
from runner.screen.safe_text import clean


def export(
    log: LogOrNewest = None,
    other: str | None = None,
    html: bool = False,
    cast: bool = False,
    markdown: bool = False,
    csv: bool = False,
    table: Literal[
        "matches", "seats", "decisions", "attempts", "claims", "judged", "beliefs", "policies", "choices", "talk", "reviews"
    ]
    | None = None,
    parquet: bool = False,
    sqlite: bool = False,
    croissant: bool = False,
    eee: bool = False,
    svg: bool = False,
    eval_: bool = False,
    otlp: bool = False,
    at: int | None = None,
    to: Path | None = None,
    casting: CasterOptions = UNCAST,
    view: View = "all",
    speed: float = 1.5,
    thoughts: bool = False,
    quiet: bool = False,
) -> None:
    """Write a logged match as a web page, asciicast, Markdown, CSV, picture or trace, or many logs as tables of data."""
    kinds = {"html": html, "cast": cast, "md": markdown, "csv": csv, "svg": svg, "parquet": parquet, "sqlite": sqlite}
    kinds |= {"eval": eval_, "otlp.json": otlp, "eee": eee}
    chosen = [name for name, is_chosen in kinds.items() if is_chosen] or ["csv"] * croissant
    if table is not None and log is None and not chosen:
        from runner.export.table_columns import TABLES, described

        say(described(TABLES[table]))
        return
    if len(chosen) != 1:
        *words, last = (*(_WORDS.get(name, name) for name in kinds), "croissant")
        raise UsageError(f"Choose one of {', '.join(f'--{word}' for word in words)} and --{last}.")
    if at is not None and not svg:
        raise UsageError("--at chooses the table that --svg shows: add --svg.")
    url = other if otlp else None
    if other is not None and "://" in other and not otlp:
        raise UsageError("A URL belongs to --otlp.")
    if (csv or eval_ or otlp) and view != EVERYTHING:
        raise UsageError("--csv, --eval and --otlp have every seat: omit --view.")
    kind = chosen[0]
    casting.check(is_shown=html and other is None)
    if log is not None and other is not None and url is None:
        _write_side_by_side(log, Path(other), kind, to, view)
        return
    if croissant or eee:
        _write_dataset(log or LOGS, kind, table, to, quiet)
        return
    if table is not None or parquet or sqlite:
        if view != EVERYTHING or thoughts:
            raise UsageError("Tables have every seat and its reasons: omit --view and --thoughts.")
        _write_tables(log or LOGS, kind, table, to, quiet)
        return
    source = named_or_newest(log)
    if csv and has_logs(folder := log or LOGS) and len(logs_in(folder)) > 1:
        print_note("It is one of several logs: --table decisions --csv takes all.")
    if svg and to is not None and to.suffix == ".png":
        kind = "png"
    found, place = read_log(source), to or place_of(source).with_suffix(f".{kind}")
    if kind == "html":
        _write_page(found, place, view, thoughts, casting)
    elif url is not None:
        from runner.export.otlp import to_otlp
        from runner.llm.otlp_collector import send_traces

        say(clean(send_traces(url, to_otlp(found, thoughts)), 5000))
    else:
        write_result(place, _written(found, kind, view, speed, thoughts, at))


def _write_side_by_side(a: Path, b: Path, kind: str, to: Path | None, view: str) -> None:
    from runner.export.side_by_side import side_by_side

    if kind != "html" or view != EVERYTHING:
        raise UsageError("Two logs are written side by side as one page, with everything: choose --html, and omit --view.")
    place = to or place_of(a).with_suffix(f".{place_of(b).stem}.html")
    write_result(place, side_by_side(read_log(a), read_log(b)).html("export"))


_WORDS = {"md": "markdown", "otlp.json": "otlp"}
"""The options of kinds whose files end otherwise."""


def _write_page(log: Log, to: Path, view: str, has_thoughts: bool, casting: CasterOptions) -> None:
    """Write the page of a match, and beside it a preview for links to it unless the page goes to a stream."""
    from runner.export.match_pictures import preview_file
    from runner.export.page.match_page import match_page
    from runner.record.decisions import decisions
    from runner.record.writer import write_file
    from runner.screen.seen_review import kept_seen_review

    eye, replayed = Perspective.of_header(view, log.header), list(decisions(log))
    is_file = to != STDOUT and (to.is_file() or not to.exists())
    comments = casting.comments(log, eye)
    ending, content = preview_file(log.header, replayed, eye)
    picture = to.with_suffix(ending).name if is_file else ""
    kept = kept_seen_review(log)
    page = match_page(
        log, eye.name, kept, replayed=replayed, has_thoughts=has_thoughts, picture=quote(picture), comments=comments
    )
    write_result(to, page)
    if picture:
        write_file(to.with_suffix(ending), content)


def _write_tables(logs: Path, kind: str, name: str | None, to: Path | None, is_quiet: bool) -> None:
    """Write a table, or a database of all. UsageError for options that do not fit, that of `none_left` for no log."""
    from runner.export.table_columns import TABLES
    from runner.export.table_file import table_file, write_rows

    is_database = kind == "sqlite"
    if is_database and name is not None:
        raise UsageError("--sqlite has all tables: omit --table.")
    if kind not in ("csv", "parquet", "sqlite"):
        raise UsageError(f"{logs}: --{kind} shows one log, not a folder or a table: choose --csv or --parquet.")
    if name is None and not is_database:
        raise UsageError(f"Choose a table: --table {'|'.join(TABLES)}.")
    if to == STDOUT and kind != "csv":
        raise UsageError("Only CSV is written to standard output: name a file.")
    names, file = list(TABLES) if name is None else [name], to or default_file(logs, f"{name or 'logs'}.{kind}")
    paths = logs_in(logs)
    note_new_folder(file)
    follow = partial(with_progress, what="Logs", is_quiet=is_quiet)
    with table_file(None if to == STDOUT else file, kind, name) as write:
        _, unusable = write_rows(logs, paths, dict.fromkeys(names, write), follow)
    print_unusable(unusable)
    if to != STDOUT:
        say(clean(file, 5000))


def _write_dataset(logs: Path, kind: str, name: str | None, to: Path | None, is_quiet: bool) -> None:
    """Write a dataset, or evaluation records, into a folder. UsageError for options that do not fit."""
    from runner.export.dataset import write_dataset, write_records
    from runner.export.table_columns import TABLES
    from runner.standings.comparability import pooled
    from runner.standings.document import folder_matches

    if kind not in ("csv", "parquet", "eee"):
        raise UsageError("--croissant describes tables: choose --csv or --parquet.")
    if to is None or to == STDOUT:
        raise UsageError("Name a folder for what is written: -o DIR.")
    refuse_missing(logs, only_many=True)
    if kind == "eee":
        matches = folder_matches(logs, pooled(["all"]), by_spec=True)
        for note in matches.counted.notes():
            print_note(clean(note, 700))
        for path in write_records(matches, to):
            say(clean(path, 5000))
        return
    follow = partial(with_progress, what="Logs", is_quiet=is_quiet)
    print_unusable(write_dataset(logs, to, [name] if name else list(TABLES), kind, logs.resolve().name, follow))
    say(clean(to, 5000))


def _written(log: Log, kind: str, view: str, speed: float, has_thoughts: bool, at: int | None) -> str | bytes:
    from runner.export.match_pictures import match_plot, position_picture
    from runner.export.otlp import to_otlp
    from runner.export.pages import to_png
    from runner.export.table_file import to_csv
    from runner.export.transcripts import to_cast, to_markdown
    from runner.screen.narrator import Narrator
    from runner.screen.seen_review import kept_seen_review

    narrator = Narrator(Perspective.of_header(view, log.header), has_thoughts).of(log.header["seats"])
    match kind:
        case "csv":
            return to_csv(log, has_thoughts)
        case "otlp.json":
            return to_otlp(log, has_thoughts)
        case "eval":
            if find_spec("inspect_ai") is None:
                raise UsageError("--eval needs inspect_ai: `pip install 'tabletop-runner[inspect]'` installs it.")
            from runner.export.inspect_log import to_inspect

            return to_inspect(log)
        case "md":
            return to_markdown(log, narrator)
        case "cast":
            return to_cast(log, narrator, speed)
    drawn = match_plot(log, narrator, kept_seen_review(log)) if at is None else position_picture(log, at, narrator)
    return drawn if kind == "svg" else to_png(drawn)


def gallery(folder: Path, out: Path, view: Literal["all", "public"] = "all", title: str = "", quiet: bool = False) -> None:
    """Write a static site of replays and standings: a page per match, per player, and for all, each with JSON beside it."""
    from runner.export.gallery.build_site import build_site

    with stoppable("The gallery", "the pages that are written"):
        built = build_site(folder, out, view, partial(with_progress, what="Matches", is_quiet=quiet), title)
    print_unusable(built.unusable)
    if not quiet:
        done = [f"{counted(built.made, 'match')} new or changed", f"{built.kept:,} up to date"]
        print_note(", ".join(done + [f"{counted(built.removed, 'file')} removed"] * bool(built.removed)) + ".")
    say(clean(built.first_page, 5000))
    if built.unusable:
        raise typer.Exit(exit_of(built.unusable))
