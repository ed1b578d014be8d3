"""The documents are true: examples print what they claim, links lead somewhere, pictures are of this version."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import games
import runner.api
from runner.agents import environment as settings
from runner.cli.app import PANELS
from tools import api_page, import_graph, pictures, site_check
from tools.examples import DOCUMENTS, ROOT, Example, Shell, environment, renewed, run_examples

VERBS = {name for verbs in PANELS.values() for name in verbs}

each_document = pytest.mark.parametrize("name", DOCUMENTS)
MOST_LINES = 250
MOST_WORDS_OF_SKILLS = 1_500


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def variables() -> Iterator[dict[str, str]]:
    with environment() as found:
        yield found


@each_document
def test_examples_print_what_they_claim(name: str, variables: dict[str, str], tmp_path: Path) -> None:
    for example, real in run_examples(text_of(name), Shell(tmp_path, variables)):
        assert example.holds(real), f"make docs writes it again. $ {example.command} prints\n{real}"


@each_document
def test_links_lead_somewhere(name: str) -> None:
    folder = (ROOT / name).parent
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`(?!\])", "", text_of(name), flags=re.DOTALL | re.MULTILINE)
    targets = re.findall(r"\]\((?!https?://)([^)#]*)(?:#([^)]*))?\)", prose)
    assert [path for path, _ in targets if not (folder / path).exists()] == []
    pages = [(folder / path if path else ROOT / name, anchor) for path, anchor in targets if anchor]
    assert [anchor for page, anchor in pages if anchor not in anchors(page.read_text(encoding="utf-8"))] == []


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub and MkDocs make them."""
    headings = re.findall(r"^#+ (.*)", text, re.MULTILINE)
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


@pytest.mark.parametrize("name", games.names())
def test_a_picture_is_of_this_version(name: str) -> None:
    path = pictures.FOLDER / f"{name}.svg"
    assert path.read_text(encoding="utf-8") == pictures.picture(games.load(name)) + "\n", "make docs draws it again"


@pytest.mark.parametrize("name", games.names())
def test_a_recording_is_of_this_version(name: str) -> None:
    path = pictures.FOLDER / f"{name}.cast"
    assert path.read_text(encoding="utf-8") == pictures.recording(games.load(name)), "make docs draws it again"


def test_the_import_graph_is_of_this_version() -> None:
    assert import_graph.PICTURE.read_text(encoding="utf-8") == import_graph.drawing(), "make docs draws it again"


def test_the_python_reference_is_of_this_version() -> None:
    assert api_page.FILE.read_text(encoding="utf-8") == api_page.page(), "make docs writes it again"


def test_the_python_reference_has_all_of_the_python_interface() -> None:
    assert set(runner.api.__all__) == set(api_page.PARTS["runner.api"])
    names = [name for module in api_page.PARTS for name in api_page.PARTS[module]]
    assert [name for name in names if f"### {name}\n" not in api_page.page()] == []


def test_the_readme_is_short_and_shows_every_verb() -> None:
    readme = text_of("README.md")
    assert readme.count("\n") <= MOST_LINES
    assert [verb for verb in VERBS if f"`tabletop {verb}" not in readme] == []


def test_every_page_is_in_the_menu_of_the_site() -> None:
    menu = set(re.findall(r"^ +- .*?([\w-]+\.md)$", text_of("mkdocs.yml"), re.MULTILINE))
    assert menu == {path.name for path in (ROOT / "docs").glob("*.md")}


def test_the_list_for_language_models_has_every_page_and_every_skill() -> None:
    told = text_of("docs/llms.txt")
    menu = re.findall(r"^ +- (.*?): ([\w-]+)\.md$", text_of("mkdocs.yml"), re.MULTILINE)
    assert re.findall(r"^- \[(.*)\]\(([\w-]+)\.html\)$", told, re.MULTILINE) == menu
    skills = {path.parent.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "skills").glob("*/SKILL.md")}
    heads = {name: re.match(r"---\nname: (.*)\ndescription: (.*)\n---\n", text) for name, text in skills.items()}
    assert [name for name, head in heads.items() if head is None or head[1] != name] == []
    lines = {f"- [{name}](skills/{name}/SKILL.html): {head[2]}" for name, head in heads.items() if head}
    assert lines == set(re.findall(r"^- .*SKILL\.html.*$", told, re.MULTILINE))
    assert len(" ".join(skills.values()).split()) <= MOST_WORDS_OF_SKILLS


def test_the_example_settings_name_every_variable_that_is_read() -> None:
    named = set(re.findall(r"^(?:# )?([A-Z][A-Z0-9_]+)=", text_of(".env.example"), re.MULTILINE))
    read = {
        settings.KEY_VARIABLE,
        settings.OTHER_KEY_VARIABLE,
        settings.BASE_URL_VARIABLE,
        settings.KEY_HOSTS_VARIABLE,
        settings.DEFAULT_MODEL_VARIABLE,
        settings.seat_variable(0),
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


def test_renewed_output_keeps_what_was_left_out() -> None:
    claimed = "Game … rules\n…\ntook … s\nP-0 wins\n"
    assert (
        Example("", claimed).renewed("Game 1 rules\na\nb\ntook 3 s\nP-0 has won\n")
        == "Game … rules\n…\ntook … s\nP-0 has won\n"
    )


@pytest.mark.parametrize(
    ("claimed", "real", "written"),
    [
        ('{"a":1,"at":"…","hash":"…"}', '{"a":1,"b":2,"at":"10:15","hash":"9f"}', '{"a":1,"b":2,"at":"…","hash":"…"}'),
        ("Log: … (replay it)", "The Log: a.jsonl (replay it)", "The Log: … (replay it)"),
        ("took … s, of which …", "took 3 s, and of which 2 asleep", "took … s, and of which …"),
        ("… in all", "3 in both", "… in both"),
        ("paid $… for it", "Nothing was paid.", "Nothing was paid."),
    ],
)
def test_a_line_that_has_changed_is_still_left_out_in_part(claimed: str, real: str, written: str) -> None:
    assert Example("", f"{claimed}\n").renewed(f"{real}\n") == f"{written}\n"


def test_a_renewed_document_has_real_output_and_its_hidden_commands_and_files(tmp_path: Path) -> None:
    page = '```text title="x.txt"\nhello\n```\n<!-- console\n$ cp x.txt y.txt\n-->\n```console\n$ cat y.txt\n{}```\n'
    runner = Shell(tmp_path, dict(os.environ))
    assert renewed(page.format("goodbye\n"), runner) == page.format("hello\n")


@pytest.mark.parametrize(
    ("name", "text", "is_foreign"),
    [
        ("a.html", '<script src="https://cdn.example/x.js"></script>', True),
        ("a.html", '<link rel="stylesheet" href="//fonts.example/x.css">', True),
        ("a.html", '<link rel="canonical" href="https://docs.example/">', False),
        ("a.html", '<a href="https://example.org">read</a><img src="x.svg">', False),
        ("a.css", "@import 'https://fonts.example/x.css'; a{background:url(x.png)}", True),
    ],
)
def test_what_a_site_loads_from_elsewhere(name: str, text: str, is_foreign: bool, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert bool(list(site_check.foreign_loads(tmp_path))) is is_foreign
