"""Highlights: what a log has of them, for every view and for a view that may not know all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import games
from runner.export.cast import to_cast
from runner.record.highlights import best, highlight_counts, highlights_of, remarked
from runner.record.reader import read_log
from runner.screen.narrator import Narrator
from runner.screen.perspective import Perspective
from tests.match.tables import bot
from tests.record.matches import played


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


def test_remarks_stand_in_brackets_within_the_sentence() -> None:
    assert remarked("P-0 claims Duke.", "bluff") == "P-0 claims Duke (bluff)."
    assert remarked("P-0 claims Duke.", "bluff", "the third") == "P-0 claims Duke (bluff, the third)."
    assert remarked("P-0 claims Duke.", "") == "P-0 claims Duke."
    assert remarked("“What?”", "true") == "“What?” (true)"


@pytest.mark.parametrize("sees_all", [True, False])
async def test_a_recording_has_a_marker_at_each_highlight_of_the_view(tmp_path: Path, sees_all: bool) -> None:
    await played(tmp_path / "log.jsonl", "coup", [bot("coup")] * 4, 5)
    log = read_log(tmp_path / "log.jsonl")
    narrator = Narrator(Perspective(sees_all=sees_all))
    events = [json.loads(line) for line in to_cast(log, narrator, 0.5).splitlines()[1:]]
    markers = {round(time / 0.5): label for time, kind, label in events if kind == "m"}
    found = highlights_of(log, sees_all)
    assert markers.keys() == {highlight.number for highlight in found}
    for highlight in found:
        assert narrator.highlight(highlight).plain in markers[highlight.number]
    assert any("(bluff)" in label for label in markers.values()) == sees_all
