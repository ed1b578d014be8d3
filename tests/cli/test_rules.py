"""`tabletop rules GAME --html`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import games
from tests.cli.command import complaint, tabletop


@pytest.mark.parametrize("game", games.names())
def test_the_rules_are_a_page_for_people(game: str, tmp_path: Path) -> None:
    done = tabletop(tmp_path, "rules", game, "--html")
    assert done.returncode == 0, done.stderr
    page = done.stdout
    assert page.startswith("<!doctype html>")
    assert f"<h1>{games.load(game).title}</h1>" in page
    assert "<h2>Invalid answers</h2>" in page
    assert not {"<h2>Answers</h2>", "<h2>Phases</h2>"} & {*re.findall("<h2>.*?</h2>", page)}
    assert page.count('tabindex="0"') == page.count("<table>") > 0, "keys scroll what is wider than the window"
    for odd in ("<th></th>", "phases.py", "{&quot;", "\n| ", "\n## "):
        assert odd not in page
    written = tabletop(tmp_path, "rules", game, "--html", "-o", "rules.html")
    assert written.stdout == "rules.html\n"
    assert (tmp_path / "rules.html").read_text() == page


def test_a_file_of_the_rules_needs_html(tmp_path: Path) -> None:
    assert complaint(tabletop(tmp_path, "rules", "coup", "-o", "rules.txt")) == "tabletop: --output goes with --html."
