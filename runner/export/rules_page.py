"""Rules page: the rules of a game as one HTML page for people."""

import re

from markdown_it import MarkdownIt
from markupsafe import Markup

from games.core import Game
from runner.export.pages import render
from runner.game_folders import rules_text

_FOR_PROGRAMS = ("## Answers\n", "## Phases\n")
"""The sections of a RULES.md that describe the answers of programs and the code."""


def rules_page(game: Game) -> str:
    """The page, without the parts that are for programs."""
    sections = re.split(r"(?m)^(?=## )", rules_text(game))
    words = "".join(section for section in sections if not section.startswith(_FOR_PROGRAMS))
    written = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "link"]).render(words)
    return render("rules.html", title=game.title, words=Markup(written))
