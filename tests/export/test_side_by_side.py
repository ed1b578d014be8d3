"""`tabletop replay A B` and `export A B --html`: two matches of a deal, aligned by decision."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.export.side_by_side import same_deals, side_by_side
from runner.film.perspective import Perspective
from runner.record.decisions import DecisionList
from runner.record.reader import read_log
from runner.screen.replay_viewer import Viewer
from tests.cli.command import complaint, tabletop


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Matches: `a` and its copy, `b` of the same deal with another player, `c` of another deal, and one of another game."""
    folder = tmp_path_factory.mktemp("sides")
    play = ("play", "coup", "--num-players", "2", "-q", "--seat")
    seats = {"a": "bot:steady", "b": "bot:random"}
    for name, seat in seats.items():
        assert tabletop(folder, *play, seat, "--seat", "bot:steady", "--seed", "3", "--log", f"{name}.jsonl").returncode == 0
    assert tabletop(folder, *play, "bot:steady", "--seat", "bot:steady", "--seed", "4", "--log", "c.jsonl").returncode == 0
    other = (
        "play",
        "oriflamme",
        "--seat",
        "bot:random",
        "--seat",
        "bot:random",
        "--seat",
        "bot:random",
        "-q",
        "--log",
        "o.jsonl",
    )
    assert tabletop(folder, *other).returncode == 0
    (folder / "copy.jsonl").write_bytes((folder / "a.jsonl").read_bytes())
    return folder


def test_the_first_difference_of_a_deal_is_named_and_every_differing_answer_has_a_row(folder: Path) -> None:
    logs = [read_log(folder / f"{name}.jsonl") for name in "ab"]
    made = [[record for _, record in log.of_kind("decision")] for log in logs]
    first = next(at for at, (a, b) in enumerate(zip(*made, strict=False)) if a["action"] != b["action"])
    (section,) = side_by_side(*logs).sections
    assert section.lead.startswith(f"The same deal. First difference: decision {first + 1} (P-{made[0][first]['seat']}, ")
    players, answers = section.tables
    assert [row[:3] for row in players.rows] == [
        ("A", "P-0", "bot:steady"),
        ("A", "P-1", "bot:steady"),
        ("B", "P-0", "bot:random"),
        ("B", "P-1", "bot:steady"),
    ]
    assert answers.rows[0][:2] == (str(first + 1), str(first + 1))
    assert answers.rows[0][4].startswith("= ")
    for one, other, seat, *_ in answers.rows:
        pair = made[0][int(one) - 1], made[1][int(other) - 1]
        assert {f"P-{record['seat']}" for record in pair} == {seat}
        assert pair[0]["action"] != pair[1]["action"]


def test_a_copy_has_no_difference_and_another_deal_is_said(folder: Path) -> None:
    same = tabletop(folder, "replay", "a.jsonl", "copy.jsonl").stdout
    assert "The same deal. All decisions are the same." in same
    assert "Answers that differ" not in same
    assert "Different deals (seed)." in tabletop(folder, "replay", "a.jsonl", "c.jsonl").stdout


def test_grades_stand_beside_answers_where_a_review_is_kept(folder: Path) -> None:
    assert tabletop(folder, "review", "a.jsonl", "--playouts", "8", "-q").returncode == 0
    shown = tabletop(folder, "replay", "a.jsonl", "b.jsonl").stdout
    row = next(line for line in shown.splitlines() if " = " in line)
    assert any(grade in row for grade in (": best", ": good", ": inaccuracy", ": mistake", ": blunder"))
    assert "a.jsonl has no grades" not in shown
    assert "b.jsonl has no grades: `tabletop review b.jsonl` makes them." in shown


def test_a_page_has_what_the_text_has(folder: Path) -> None:
    assert tabletop(folder, "export", "a.jsonl", "b.jsonl", "--html").stdout == "a.b.html\n"
    page = (folder / "a.b.html").read_text()
    assert "First difference: decision " in page
    assert "Answers that differ" in page


def test_logs_with_one_name_are_told_apart_by_their_folders(folder: Path, tmp_path: Path) -> None:
    for place, name in (("one", "a"), ("two", "b")):
        (tmp_path / place).mkdir()
        (tmp_path / place / "deal.jsonl").write_bytes((folder / f"{name}.jsonl").read_bytes())
    shown = tabletop(tmp_path, "replay", "one/deal.jsonl", "two/deal.jsonl").stdout
    assert "one/deal.jsonl (A), two/deal.jsonl (B)" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("replay a.jsonl o.jsonl", "a.jsonl is a match of coup, o.jsonl one of oriflamme: name two of one game."),
        ("replay a.jsonl nonesuch.jsonl", "nonesuch.jsonl"),
        ("replay a.jsonl b.jsonl --verify", "omit --verify, --at and --view"),
        ("export a.jsonl b.jsonl --csv", "choose --html"),
    ],
)
def test_wrong_input_gets_one_sentence(words: str, said: str, folder: Path) -> None:
    done = tabletop(folder, *words.split())
    assert done.returncode == 2
    assert said in complaint(done)


def test_the_other_logs_of_a_deal_are_found_without_copies(folder: Path) -> None:
    assert same_deals(folder / "a.jsonl") == [folder / "b.jsonl"]
    assert same_deals(folder / "c.jsonl") == []


def test_a_deal_is_found_in_the_folders_beside_its_own_under_one_output(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = {"a": "out/plan/one", "b": "out/plan/two", "c": "out/plan/two"}
    for name, place in places.items():
        (tmp_path / place).mkdir(parents=True, exist_ok=True)
        (tmp_path / place / f"{name}.jsonl").write_bytes((folder / f"{name}.jsonl").read_bytes())
    (tmp_path / "out" / "plan" / "comparison.json").touch()
    (tmp_path / "b.jsonl").write_bytes((folder / "b.jsonl").read_bytes())
    assert same_deals(tmp_path / places["a"] / "a.jsonl") == [tmp_path / places["b"] / "b.jsonl"]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out" / "other").mkdir()
    (tmp_path / places["b"] / "b.jsonl").rename("out/other/b.jsonl")
    assert same_deals(Path(places["a"]) / "a.jsonl") == [Path("out/other/b.jsonl")]
    assert same_deals(Path("out/other/b.jsonl")) == [Path(places["a"]) / "a.jsonl"]
    assert not Path(".tabletop-index.json").exists()


def test_a_key_of_the_replay_leaves_for_the_other_log_where_the_view_may_know_it(folder: Path) -> None:
    viewer = Viewer(DecisionList(read_log(folder / "a.jsonl")), Perspective())
    viewer.press("d")
    assert (viewer.verb, "everything" in viewer.said) == ("", True)
    viewer.perspective = Perspective(sees_all=True)
    viewer.press("d")
    assert (viewer.verb, viewer.has_quit) == ("deal", True)
