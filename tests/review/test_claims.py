"""Claims of a log: rows of claims and challenges, and reasons that deny what is claimed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games.core.claim import denies
from runner.record.reader import read_log
from runner.review.honesty import claim_rows
from tests.match.tables import bot
from tests.record.matches import played
from tests.record.reseal import records_of, resealed


@pytest.mark.parametrize(
    "reason",
    [
        "I do not have a Duke. I claim it all the same.",
        "P-1 is rich. I don't have Duke, but nobody knows.",
        "I don’t actually hold the Duke.",
        "I have no Duke.",
        "I will bluff: three coins are worth it.",
        "I'm bluffing.",
        "Best is to bluff Duke now.",
        "Pretending to have a Duke is safe.",
    ],
)
def test_a_plain_denial_is_found(reason: str) -> None:
    assert denies(reason, "Duke")


@pytest.mark.parametrize(
    "reason",
    [
        "",
        "I have a Duke.",
        "P-1 does not have a Duke.",
        "I do not have a Captain.",
        "If I do not have a Duke, a challenge costs me.",
        "I could bluff Duke.",
        "I am not bluffing: I hold Duke.",
        "P-2 is bluffing.",
        "Nobody thinks that I do not have a Dukedom.",
    ],
)
def test_anything_else_is_none(reason: str) -> None:
    assert not denies(reason, "Duke")


async def test_every_claim_and_every_chance_to_challenge_has_a_row(tmp_path: Path) -> None:
    await played(tmp_path / "log.jsonl", "coup", [bot("coup")] * 3, 5)
    log = read_log(tmp_path / "log.jsonl")
    rows = list(claim_rows(log))
    actions = [record["action"] for _, record in log.of_kind("decision")]
    claims = [row for row in rows if row.claim]
    assert [row.number for row in claims] == [n for n, action in enumerate(actions, 1) if _is_claim(action or {})]
    challenged = [row.number for row in rows if row.doubt and row.doubt.is_challenged]
    assert challenged == [n for n, action in enumerate(actions, 1) if action == {"response": "challenge"}]
    for row in rows:
        assert row.denied is None
        assert row.doubt is None or 0 <= row.doubt.chance <= 1
    certain = [row.doubt for row in rows if row.doubt and row.doubt.chance in (0, 1)]
    assert all(doubt.claim.is_true == (doubt.chance == 0) for doubt in certain)


async def test_reasons_are_compared_with_claims(tmp_path: Path) -> None:
    await played(tmp_path / "log.jsonl", "coup", [bot("coup")] * 3, 5)
    records = records_of((tmp_path / "log.jsonl").read_bytes())
    for record in records:
        if record["kind"] == "attempt":
            record["reason"] = "I have no Duke, Captain, Assassin or Ambassador. I am bluffing."
    (tmp_path / "changed.jsonl").write_bytes(resealed(records))
    rows = [row for row in claim_rows(read_log(tmp_path / "changed.jsonl")) if row.claim]
    assert rows
    assert {row.denied for row in rows} == {True}


def _is_claim(action: dict[str, Any]) -> bool:
    return action.get("action") in ("tax", "assassinate", "steal", "exchange") or "block" in str(action.get("response"))
