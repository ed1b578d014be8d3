"""`tabletop standings DIR`: ratings from the logs of a folder."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from runner.cli.options import Adjusted
from runner.cli.output import STDOUT, default_file, stoppable, write_result
from runner.errors import UsageError
from runner.record.log_folder import summaries
from runner.record.log_paths import base_of
from runner.record.verify import check_digests, read_digests
from runner.screen.consoles import results, with_progress
from runner.screen.safe_text import json_text

if TYPE_CHECKING:
    from games.statistics.document_types import StandingsData
    from games.statistics.strengths import Anchor


def standings(
    folder: Path,
    anchor: str | None = None,
    pool: list[str] | None = None,
    quiet: bool = False,
    as_json: bool = False,
    as_csv: bool = False,
    as_markdown: bool = False,
    digests: Path | None = None,
    review: bool = False,
    sequential: bool = False,
    adjust: Adjusted = None,
    forks: bool = False,
    honesty: bool = False,
    beliefs: bool = False,
    html: bool = False,
    svg: bool = False,
    to: Path | None = None,
) -> None:
    """Rate the players of many logs, with intervals, pairs, seats, mistakes, cost and playing style."""
    from runner.record.log_folder import per_log
    from runner.review.honesty import seat_beliefs, seat_honesty
    from runner.review.judge import folder_verdicts
    from runner.review.kept_reviews import folder_reviews
    from runner.standings.comparability import pooled
    from runner.standings.document import folder_matches
    from runner.standings.document import standings as work_out
    from runner.standings.luck import luck_study
    from runner.standings.studies import belief_study, honesty_study, regret_study

    kinds = {"json": as_json, "csv": as_csv, "md": as_markdown, "html": html, "svg": svg}
    chosen = [name for name, is_chosen in kinds.items() if is_chosen]
    if len(chosen) > 1 or (to is not None and not chosen):
        raise UsageError("Choose one of --json, --csv, --markdown, --html and --svg.")
    if digests is not None:
        check_digests(summaries(folder), read_digests(digests))
    follow = partial(partial, with_progress, is_quiet=quiet)
    with stoppable(*(("The review",) if review else ("The calculation", ""))):
        matches = folder_matches(folder, pooled(pool or []), _anchor(anchor), forks)
        logs, studies = [*matches.logs], []
        if review:
            studies.append(regret_study(folder_reviews(logs, follow(what="reviewing matches"))))
        if honesty:
            studies.append(honesty_study(per_log(seat_honesty, logs, follow(what="reading claims"))))
        if beliefs:
            studies.append(belief_study(per_log(seat_beliefs, logs, follow(what="reading beliefs"))))
        if adjust:
            studies.append(luck_study(matches.logs, adjust, base_of(folder), follow(what="valuing deals")))
        verdicts = folder_verdicts(logs, follow(what="reading verdicts"))
        found = work_out(matches, is_sequential=sequential, studies=studies, verdicts=verdicts)
    if not chosen:
        from runner.screen.dashboard import standings_screen

        results().print(standings_screen(found))
        return
    default = STDOUT if as_json else default_file(folder, f"standings.{chosen[0]}")
    write_result(to or default, _written(found, chosen[0], to))


def _written(found: StandingsData, kind: str, to: Path | None) -> str | bytes:
    from runner.export.pages import to_png
    from runner.export.table_pages import markdown, rating_picture, standings_csv, standings_page

    if kind == "svg":
        picture = rating_picture(found)
        return to_png(picture) if to is not None and to.suffix == ".png" else picture
    if kind == "json":
        return f"{json_text(found, sys.stdout.encoding or 'utf-8')}\n"
    return {"csv": standings_csv, "md": markdown, "html": standings_page}[kind](found)


def _anchor(word: str | None) -> Anchor | None:
    from games.statistics.strengths import MEAN

    if word is None:
        return None
    name, mark, value = word.rpartition("=")
    try:
        return (name, float(value)) if mark else (word, MEAN)
    except ValueError:
        return word, MEAN
