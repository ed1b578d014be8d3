"""Highlights: what a log has of them, for every view and for a view that may not know all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import games
from games.core import Event, Remark
from games.highlights import Highlight, best, highlight_counts, remarked
from runner.cli.display_options import DisplayOptions
from runner.export.transcripts import to_cast, to_markdown
from runner.film.perspective import Perspective
from runner.record.decisions import decisions, highlights_of, remarks_on_decision
from runner.record.reader import read_log
from runner.screen.narrator import Narrator
from tests.match.tables import bot
from tests.record.matches import played, short


async def test_a_log_has_highlights_with_the_numbers_of_their_decisions(tmp_path: Path) -> None:
    await played(tmp_path / "log.jsonl", "coup", [bot("coup")] * 3, 3)
    log = read_log(tmp_path / "log.jsonl")
    found, public = highlights_of(log, sees_all=True), highlights_of(log, sees_all=False)
    assert public
    assert public == [highlight for highlight in found if highlight.remark.is_public]
    assert {highlight.kind for highlight in found} > {highlight.kind for highlight in public}
    decided = [record["seat"] for _, record in log.of_kind("decision")]
    for highlight in found:
        if highlight.event.kind in ("declaration", "block"):
            assert decided[highlight.number - 1] == highlight.remark.seat


async def test_the_best_are_the_weightiest_in_order_of_play(tmp_path: Path) -> None:
    await played(tmp_path / "log.jsonl", "coup", [bot("coup")] * 4, 5)
    found = highlights_of(read_log(tmp_path / "log.jsonl"), sees_all=True)
    chosen = best(found)
    assert len(chosen) == 3
    assert [highlight.number for highlight in chosen] == sorted(highlight.number for highlight in chosen)
    assert min(one.remark.weight for one in chosen) >= max(one.remark.weight for one in found if one not in chosen)
    counts = highlight_counts(games.load("coup"), found)
    assert sum(counts.values()) == len(found)
    assert next(iter(counts)) == "bluffs told"


def test_of_equal_weights_the_best_are_of_different_kinds() -> None:
    event = Event("any", "P-0 acts.", {})
    kinds = ("out", "out", "caught", "out", "bluff", "caught")
    found = [Highlight(number, 1, event, Remark(0, "", kind, 0, 5)) for number, kind in enumerate(kinds, 1)]
    assert [one.number for one in best(found)] == [4, 5, 6]
    assert [one.number for one in best([*found, found[0]._replace(number=7, remark=Remark(0, "", "out", 0, 6))])] == [5, 6, 7]


def test_remarks_stand_in_brackets_within_the_sentence() -> None:
    assert remarked("P-0 claims Duke.", "bluff") == "P-0 claims Duke (bluff)."
    assert remarked("P-0 claims Duke.", "bluff", "the third") == "P-0 claims Duke (bluff, the third)."
    assert remarked("P-0 claims Duke.", "") == "P-0 claims Duke."
    assert remarked("“What?”", "true") == "“What?” (true)"


@pytest.mark.parametrize("sees_all", [True, False])
async def test_a_recording_has_a_marker_at_each_highlight_of_the_view(tmp_path: Path, sees_all: bool) -> None:
    await played(tmp_path / "log.jsonl", "coup", [bot("coup")] * 3, 5, max_turns=4)
    log = read_log(tmp_path / "log.jsonl")
    narrator = Narrator(Perspective(sees_all=sees_all))
    events = [json.loads(line) for line in to_cast(log, narrator, 0.5).splitlines()[1:]]
    markers = [label for _, kind, label in events if kind == "m"]
    found = highlights_of(log, sees_all)
    numbers = [*dict.fromkeys(highlight.number for highlight in found)]
    assert len(markers) == len(numbers)
    for highlight in found:
        assert narrator.highlight(highlight).plain in markers[numbers.index(highlight.number)]
    assert any("(bluff)" in label for label in markers) == sees_all


@pytest.mark.parametrize("path", sorted((Path(__file__).parent / "stored").glob("*.jsonl")), ids=lambda path: path.stem)
def test_an_old_log_has_highlights_too(path: Path) -> None:
    assert highlights_of(read_log(path), sees_all=True)


@pytest.mark.parametrize("game", games.names())
async def test_a_markdown_page_has_the_remarks_of_its_view(tmp_path: Path, game: str) -> None:
    await played(tmp_path / "log.jsonl", game, [bot(game)] * 3, 5, **short(game))
    log = read_log(tmp_path / "log.jsonl")
    own = [(one.events, remark) for one in decisions(log) for remark in remarks_on_decision(one) if not remark.is_public]
    full, public = (to_markdown(log, Narrator(Perspective(sees_all=sees_all))) for sees_all in (True, False))
    assert own
    for _, remark in own:
        assert f"({remark.text}" in full or f", {remark.text}" in full
        assert f"({remark.text})" not in public
    assert public.count("✦") == len({(one.number, one.remark.event) for one in highlights_of(log, sees_all=False)})


async def test_the_result_as_json_has_the_highlights_of_the_view(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await played(tmp_path / "log.jsonl", "coup", [bot("coup")] * 3, 5)
    log = read_log(tmp_path / "log.jsonl")
    assert log.result is not None
    for sees_all in (True, False):
        display = DisplayOptions(as_json=True, is_quiet=True)
        display.print_result(games.load("coup"), log.result, log.path, Perspective(sees_all=sees_all))
        found = json.loads(capsys.readouterr().out)
        assert [one["decision"] for one in found["highlights"]] == [one.number for one in highlights_of(log, sees_all)]
        assert found["winners"] == log.result["winners"]
