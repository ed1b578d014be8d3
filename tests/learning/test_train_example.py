"""The example of training: a short run beats random play."""

from __future__ import annotations

import runpy

from tests.cli.command import ROOT


def test_a_trained_policy_beats_random_play() -> None:
    example = runpy.run_path(str(ROOT / "docs" / "examples" / "train.py"))
    untrained, policy = (example["train"]("coup", 2, matches) for matches in (0, 200))
    before, after = (example["win_rate"]("coup", 2, one, 150) for one in (untrained, policy))
    assert after > max(0.55, before)
