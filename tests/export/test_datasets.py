"""Datasets for hubs: tables with a Croissant document and a card, and records for Every Eval Ever."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from runner.export.table_columns import TABLES
from tests.cli.command import complaint, tabletop
from tests.export.eval_schema import EVALUATION

PLAYERS = ("--game", "coup", "--players", "2", "--seat", "ada=offline", "--seat", "bot:steady", "--option", "max_turns=3")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("logs")
    done = tabletop(made, "tournament", *PLAYERS, "--deals", "6", "--workers", "1", "-q", "-o", "spring")
    assert done.returncode == 0, done.stderr
    return made


@pytest.fixture(scope="module")
def dataset(folder: Path) -> Path:
    done = tabletop(folder, "export", "spring", "--croissant", "-o", "data", "-q")
    assert (done.returncode, done.stdout) == (0, "data\n"), done.stderr
    return folder / "data"


def document(dataset: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((dataset / "croissant.json").read_text(encoding="utf-8"))
    return found


def test_a_document_names_its_files_by_their_digests(dataset: Path) -> None:
    files = document(dataset)["distribution"]
    assert {file["name"] for file in files} == {path.name for path in dataset.glob("*.csv")}
    assert {"matches.csv", "seats.csv", "decisions.csv", "attempts.csv"} <= {file["name"] for file in files}
    for file in files:
        assert file["sha256"] == hashlib.sha256((dataset / file["contentUrl"]).read_bytes()).hexdigest()
        assert (file["@type"], file["encodingFormat"]) == ("cr:FileObject", "text/csv")


def test_every_column_is_a_field_with_its_type_and_meaning(dataset: Path) -> None:
    types = {"integer": "sc:Integer", "number": "sc:Float", "boolean": "sc:Boolean", "time": "sc:DateTime"}
    for records in document(dataset)["recordSet"]:
        table = TABLES[records["name"]]
        header = next(csv.reader((dataset / f"{table.name}.csv").read_text(encoding="utf-8").splitlines()))
        assert [field["source"]["extract"]["column"] for field in records["field"]] == header
        assert [field["dataType"] for field in records["field"]] == [types.get(one.type, "sc:Text") for one in table.columns]
        assert [field["description"] for field in records["field"]] == [one.meaning for one in table.columns]
        assert records["key"] == [{"@id": f"{table.name}/{name}"} for name in table.key]
        assert {field["source"]["fileObject"]["@id"] for field in records["field"]} == {f"{table.name}.csv"}


def test_the_fields_of_responsible_ai_are_there_and_no_licence_is_chosen(dataset: Path) -> None:
    found = document(dataset)
    assert found["conformsTo"] == ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"]
    fields = ("dataCollection", "dataLimitations", "dataBiases", "dataUseCases", "personalSensitiveInformation")
    assert all(len(found[f"rai:{field}"]) > 40 for field in fields)
    assert "license" not in found
    cited = re.search(r'^title: "(.*)"$', Path("CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited is not None
    assert f"title = {{{cited[1]}}}" in found["citeAs"]


def test_the_card_has_a_configuration_for_each_table(dataset: Path) -> None:
    head, body = re.fullmatch(r"---\n(.*?)---\n(.*)", (dataset / "README.md").read_text(encoding="utf-8"), re.DOTALL).groups()  # type: ignore[union-attr]
    configs = re.findall(r"- config_name: (\w+)\n  data_files: (\S+)\n", head)
    assert configs == [(name.removesuffix(".csv"), name) for name in [f["name"] for f in document(dataset)["distribution"]]]
    assert "size_categories:\n- n<1K\n" in head
    assert "license" not in head
    assert "| `matches` | 12 | one row for each log |" in body


@pytest.mark.filterwarnings("ignore")  # of its own and of those that it uses
def test_the_reference_implementation_takes_the_document(dataset: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant")  # `make doors` has it
    found = mlcroissant.Dataset(str(dataset / "croissant.json"))
    assert not found.metadata.ctx.issues.errors
    assert [one.rpartition("schema.org/")[2] for one in found.metadata.ctx.issues.warnings] == [
        'license" is recommended, but does not exist.'
    ]
    rows = {one.uuid: len(list(found.records(one.uuid))) for one in found.metadata.record_sets}
    assert rows.keys() == {one["name"] for one in document(dataset)["recordSet"]}
    assert rows["matches"] == 12


def test_a_season_has_parquet_where_pyarrow_is_installed(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="the extra `data` is not installed")
    (tmp_path / "plan.toml").write_text('agents = ["bot:random", "bot:steady"]\ngames = ["coup"]\ndeals = 1\n')
    assert tabletop(tmp_path, "season", "plan.toml", "-q").returncode == 0
    season = tmp_path / "seasons" / "plan"
    assert (season / "matches.parquet").exists()
    assert not (season / "matches.csv").exists()
    assert "data_files: matches.parquet" in (season / "README.md").read_text()
    proved = tabletop(tmp_path, "season", "--check", "seasons/plan")
    assert (proved.returncode, "not made again" in proved.stderr) == (0, False)


def test_one_table_alone_and_the_same_logs_give_the_same_dataset(folder: Path) -> None:
    for out in ("one", "other"):
        assert tabletop(folder, "export", "spring", "--table", "seats", "--croissant", "-q", "-o", out).returncode == 0
    names = ["README.md", "croissant.json", "seats.csv"]
    assert sorted(path.name for path in (folder / "one").iterdir()) == names
    assert [(folder / "one" / name).read_bytes() == (folder / "other" / name).read_bytes() for name in names] == [True] * 3


def test_a_record_follows_the_schema_and_is_the_same_again(folder: Path) -> None:
    written = tabletop(folder, "export", "spring", "--eee", "-o", "records").stdout.splitlines()
    assert [re.sub(r"[0-9a-f]{8}-[0-9a-f-]+", "ID", name) for name in written] == [
        "records/data/tabletop/tabletop/offline/ID.json"
    ]
    text = (folder / written[0]).read_text(encoding="utf-8")
    record = json.loads(text)
    Draft202012Validator(EVALUATION).validate(record)
    assert tabletop(folder, "export", "spring", "--eee", "-o", "records").stdout.splitlines() == written
    assert (folder / written[0]).read_text(encoding="utf-8") == text


def test_records_name_the_logs_that_they_leave_out(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "spring", tmp_path / "spring")
    (tmp_path / "spring" / "torn.jsonl").write_text("{}\n")
    done = tabletop(tmp_path, "export", "spring", "--eee", "-o", "records")
    assert done.returncode == 0
    assert "Left out, damaged: torn.jsonl: line 1: the line is cut short or does not end in its hash." in done.stderr


def test_a_record_has_the_figures_of_the_standings(folder: Path) -> None:
    [name] = tabletop(folder, "export", "spring", "--eee", "-o", "records").stdout.splitlines()
    results = json.loads((folder / name).read_text(encoding="utf-8"))["evaluation_results"]
    scores = {one["metric_config"]["metric_id"]: one["score_details"] for one in results}
    [game] = json.loads(tabletop(folder, "standings", "spring", "--json", "-q").stdout)["games"]
    ada = next(agent for agent in game["agents"] if agent["agent"] == "ada")
    assert scores["tabletop.win_share"]["score"] == ada["win_share"]["value"]
    assert scores["tabletop.win_share"]["uncertainty"]["confidence_interval"]["lower"] == ada["win_share"]["low"]
    assert scores["tabletop.rating"]["score"] == ada["rating"]["value"]
    assert scores["tabletop.invalid_answers"]["score"] == ada["mistake_rate"]
    assert {one["source_data"]["additional_details"]["matches"] for one in results} == {"12"}
    assert {one["evaluation_name"] for one in results} == {"tabletop.coup.2-players"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("spring", "--eee"), "Name a folder for what is written: -o DIR."),
        (("spring", "--croissant", "-o", "-"), "Name a folder for what is written: -o DIR."),
        (("spring", "--croissant", "--html", "-o", "x"), "--croissant describes tables: choose --csv or --parquet."),
        (
            ("spring", "--croissant", "-o", "spring/tournament.json"),
            "spring/tournament.json is not a folder: name another one.",
        ),
        (("nothing", "--eee", "-o", "x"), "There is no log, folder or pack nothing."),
    ],
)
def test_bad_input_is_a_sentence(words: tuple[str, ...], said: str, folder: Path) -> None:
    assert complaint(tabletop(folder, "export", *words)) == f"tabletop: {said}"


def test_bots_alone_have_no_record(tmp_path: Path) -> None:
    played = tabletop(
        tmp_path,
        "play",
        "coup",
        "--num-players",
        "2",
        "--seat",
        "bot:steady",
        "--seat",
        "bot:random",
        "--seed",
        "1",
        "-q",
        "--log",
        "logs/match.jsonl",
    )
    assert played.returncode == 0, played.stderr
    said = complaint(tabletop(tmp_path, "export", "logs", "--eee", "-o", "x"))
    assert said == "tabletop: logs: no model has played a match to its end, so there is nothing to record."
