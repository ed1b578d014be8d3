"""The examples of docs/log.md that need pandas, DuckDB and pyarrow, and Parquet read back by them."""

from __future__ import annotations

import re
import runpy
import sqlite3
from contextlib import chdir, closing
from pathlib import Path

import pytest

from runner.export.table_columns import TABLES
from tests.cli.command import ROOT, complaint, tabletop
from tests.export.folders import make_folder

_EXAMPLE = re.compile(r"<!-- example (\w+): (\w+)\.parquet -->\n```python\n(.*?)```", re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("pyarrow", reason="the extra `data` is not installed")
    folder = make_folder(tmp_path_factory.mktemp("logs"))
    for table in TABLES:
        done = tabletop(folder, "export", ".", "--table", table, "--parquet")
        assert (done.returncode, done.stdout) == (0, f"{table}.parquet\n"), done.stderr
    assert tabletop(folder, "export", ".", "--sqlite", "-o", "logs.sqlite").returncode == 0
    return folder


@pytest.mark.parametrize("library", ["duckdb", "pandas"])
def test_an_example_of_the_page_runs(library: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip(library)
    page = (ROOT / "docs" / "log.md").read_text(encoding="utf-8")
    (code,) = (code for name, _, code in _EXAMPLE.findall(page) if name == library)
    (folder / "example.py").write_text(code)
    with chdir(folder):
        runpy.run_path("example.py")
    assert "bot:random" in capsys.readouterr().out


@pytest.mark.parametrize("table", TABLES)
def test_parquet_has_the_rows_of_the_database_with_stable_types(table: str, folder: Path) -> None:
    duckdb, parquet = pytest.importorskip("duckdb"), pytest.importorskip("pyarrow.parquet")
    columns = TABLES[table].columns
    types = {"integer": "int64", "number": "double", "boolean": "bool", "time": "timestamp[ms, tz=UTC]"}
    schema = parquet.read_schema(folder / f"{table}.parquet")
    assert [(field.name, str(field.type)) for field in schema] == [(c.name, types.get(c.type, "string")) for c in columns]
    names = ", ".join(f'"{column.name}"' for column in columns if column.type not in ("boolean", "time", "number"))
    order = ", ".join(TABLES[table].key)
    with duckdb.connect() as connection:
        found = connection.execute(f"select {names} from '{folder}/{table}.parquet' order by {order}").fetchall()
        columns_of_csv = f"read_csv('{folder}/{table}.csv', all_varchar = true)"
        tabletop(folder, "export", ".", "--table", table, "--csv")
        count = connection.execute(f"select count(*) from {columns_of_csv}").fetchall()
    with closing(sqlite3.connect(folder / "logs.sqlite")) as database:
        assert found == database.execute(f"select {names} from {table} order by {order}").fetchall()
    assert count == [(len(found),)]


def test_parquet_without_pyarrow_is_refused_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.jsonl").write_text("{}\n")
    monkeypatch.setattr("runner.export.table_file.find_spec", lambda _: None)
    for words in (("--table", "seats"), ("--table", "seats", "-o", "new/seats.parquet"), ("--croissant", "-o", "new")):
        done = tabletop(tmp_path, "export", ".", *words, "--parquet")
        assert done.returncode == 2
        assert "Parquet needs pyarrow: `pip install 'tabletop-runner[data]'` installs it." in complaint(done)
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]
