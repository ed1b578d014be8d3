"""The documented format is that of real logs, and logs of every schema go on being read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import games
from runner.agents.protocol import Agent
from runner.errors import PausedError
from runner.record.log_summary import summarise
from runner.record.reader import SCHEMA, read_log
from runner.record.verify import verify
from tests.cli.command import ROOT, tabletop
from tests.match.tables import Failing, bot
from tests.record.hostile import hostile_log
from tests.record.matches import erring, gone_on, played, short
from tools.log_schema import text

STORED = Path(__file__).parent / "stored"
DOCUMENT = json.loads((ROOT / "docs" / "log.schema.json").read_text(encoding="utf-8"))
LINE = Draft202012Validator(DOCUMENT)
BY_KIND = {name: Draft202012Validator({**DOCUMENT, "oneOf": [{"$ref": f"#/$defs/{name}"}]}) for name in DOCUMENT["$defs"]}


def check(path: Path) -> set[str]:
    """Hold every line against the schema of its kind; the kinds there were."""
    records = [json.loads(line) for line in path.read_bytes().splitlines()]
    for number, record in enumerate(records, 1):
        errors = [f"line {number}: {error.message}" for error in BY_KIND[record["kind"]].iter_errors(record)]
        assert not errors, errors
    return {record["kind"] for record in records}


def test_the_schema_is_that_of_the_record_types() -> None:
    assert (ROOT / "docs" / "log.schema.json").read_text(encoding="utf-8") == text(), "`make docs` writes it"


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(DOCUMENT)
    assert not LINE.is_valid({"kind": "guess"})


@pytest.mark.parametrize("game", games.names())
async def test_logs_of_every_game_are_as_documented(game: str, tmp_path: Path) -> None:
    for players in (games.load(game).players[0], games.load(game).players[-1]):
        path = tmp_path / f"{players}.jsonl"
        await played(path, game, erring(game, players, 0.5), 2, **short(game, 1))
        assert {"header", "shared", "question", "attempt", "decision", "phase", "result"} <= check(path)


async def test_stopped_and_hostile_logs_are_as_documented(tmp_path: Path) -> None:
    path = tmp_path / "stopped.jsonl"
    agents: list[Agent] = [bot("dixiquote"), Failing(), bot("dixiquote")]
    with pytest.raises(PausedError):
        await played(path, "dixiquote", agents, 1, max_rounds=1)
    await gone_on(path, [bot("dixiquote")] * 3)
    assert {"pause", "resumed"} <= check(path)
    check(await hostile_log(tmp_path / "hostile.jsonl"))


def test_logs_of_the_command_and_forked_ones_are_as_documented(tmp_path: Path) -> None:
    words = ("play", "dixiquote", "--seed", "1", "--max-rounds", "1", "--quiet", "--mistakes", "0.3", "--log", "match.jsonl")
    assert tabletop(tmp_path, *words).returncode == 0
    check(tmp_path / "match.jsonl")
    assert tabletop(tmp_path, "fork", "match.jsonl", "--at", "2", "--quiet", "--log", "fork.jsonl").returncode == 0
    check(tmp_path / "fork.jsonl")


def test_there_is_a_stored_log_of_every_schema() -> None:
    assert {path.stem for path in STORED.glob("*.jsonl")} == {f"schema-{number}" for number in range(1, SCHEMA + 1)}


def test_matches_of_both_schemas_count_together() -> None:
    summaries = [summarise(path) for path in STORED.glob("*.jsonl")]
    assert len({summary.conditions["schema"] for summary in summaries}) == 1


@pytest.mark.parametrize("path", sorted(STORED.glob("*.jsonl")), ids=lambda path: path.stem)
def test_stored_logs_still_replay(path: Path) -> None:
    assert verify(read_log(path)).has_ended


def test_every_field_is_described_and_every_kind_is_on_the_page() -> None:
    page = (ROOT / "docs" / "log.md").read_text(encoding="utf-8")
    for name, kind in DOCUMENT["$defs"].items():
        fields = kind.get("properties", {}).items()
        assert [field for field, schema in fields if "const" not in schema and "description" not in schema] == [], name
    kinds = (option["$ref"].rpartition("/")[2] for option in DOCUMENT["oneOf"])
    assert [kind for kind in kinds if f"`{kind}`" not in page] == []
