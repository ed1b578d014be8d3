"""`tabletop gallery DIR --out SITE`: a static site of replays and standings."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from games.core import counted
from runner.cli.lazy_groups import new_app
from runner.cli.output import say
from runner.cli.stopping import stoppable
from runner.errors import Exit
from runner.screen.safe_text import clean

if TYPE_CHECKING:
    from runner.export.gallery.build_site import Built
    from runner.export.gallery.match_files import MatchOutcome

app = new_app()
_MOST_NAMED = 50


class SiteView(StrEnum):
    """Whose knowledge the pages of finished matches show."""

    all = "all"
    public = "public"


@app.command()
def gallery(
    folder: Annotated[Path, typer.Argument(help="Folder with logs; sub-folders are included.", metavar="DIR")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the site.", metavar="SITE")],
    view: Annotated[
        SiteView,
        typer.Option("--view", help="What pages of finished matches show: all, or what the public may know.", metavar="VIEW"),
    ] = SiteView.all,
) -> None:
    """Write a static site of replays and standings: a page per match, per player, and for all, each with JSON beside it.

    The same command makes only what is new or changed. Open SITE/index.html, or put SITE on a web server.

    Example: tabletop gallery tournaments/spring --out site
    """
    from runner.export.gallery.build_site import build_site

    with stoppable("The gallery", "the pages that are written"):
        built = build_site(folder, out, view.value, _followed)
    _print(built)
    say(clean(built.first_page, 5000))
    if built.damaged:
        raise typer.Exit(Exit.DAMAGED)


def _followed(found: Iterable[MatchOutcome], total: int) -> Iterable[MatchOutcome]:
    from runner.screen.progress_bar import with_progress

    return with_progress(found, total, "Matches")


def _print(built: Built) -> None:
    from runner.screen.consoles import print_note

    for sentence in built.damaged[:_MOST_NAMED]:
        print_note(f"Left out, damaged: {sentence}")
    if (more := len(built.damaged) - _MOST_NAMED) > 0:
        print_note(f"Left out: {counted(more, 'more damaged log')}.")
    done = [f"{counted(built.made, 'match')} new or changed", f"{built.kept:,} up to date"]
    print_note(", ".join(done + [f"{counted(built.removed, 'file')} removed"] * bool(built.removed)) + ".")
