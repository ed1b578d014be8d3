"""The documents say what is: examples print what they claim, links lead somewhere, pictures are of this version."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import games
from runner.agents import environment
from runner.cli.app import VERBS
from tools import pictures
from tools.examples import DOCUMENTS, ROOT, Example, Shell, examples

each_document = pytest.mark.parametrize("name", DOCUMENTS)


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@each_document
def test_examples_print_what_they_claim(name: str, tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    found = examples(text_of(name))
    assert found
    for example in found:
        real = shell.run(example.command)
        assert example.holds(real), f"make docs writes it anew. $ {example.command} prints\n{real}"


@each_document
def test_links_lead_somewhere(name: str) -> None:
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text_of(name))
    assert [target for target in targets if not (ROOT / target).exists()] == []


@pytest.mark.parametrize("path", sorted(pictures.FOLDER.glob("*.svg")), ids=lambda path: path.stem)
def test_a_picture_is_of_this_version(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == pictures.picture(games.load(path.stem)) + "\n", "make docs draws it anew"


def test_the_readme_shows_every_verb() -> None:
    readme = text_of("README.md")
    assert [verb for verb in VERBS if f"tabletop {verb}" not in readme] == []


def test_the_example_settings_name_every_variable_that_is_read() -> None:
    named = set(re.findall(r"^(?:# )?([A-Z][A-Z0-9_]+)=", text_of(".env.example"), re.MULTILINE))
    read = {
        environment.KEY_VARIABLE,
        environment.OTHER_KEY_VARIABLE,
        environment.DEFAULT_MODEL_VARIABLE,
        environment.seat_variable(0),
        "NO_COLOR",
    }
    assert read == {name for name in named if not re.fullmatch(r"MODEL_PLAYER_[1-9]", name)}


@pytest.mark.parametrize(
    ("claimed", "real", "holds"),
    [
        ("a\n", "a\n", True),
        ("a\n", "a\nb\n", False),
        ("a\n…\n", "a\nb\nc\n", True),
        ("a … c\n", "a b c\n", True),
        ("a.c\n", "abc\n", False),
        ("", "", True),
        ("", "a\n", False),
    ],
)
def test_what_an_example_claims(claimed: str, real: str, holds: bool) -> None:
    assert Example("", claimed).holds(real) is holds
