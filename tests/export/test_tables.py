"""The tables of data: what their rows say, and that every format holds the same."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from runner import worker_processes
from runner.export import table_file
from runner.export.log_rows import rows_of
from runner.export.table_columns import TABLES
from runner.export.table_file import csv_cell, folder_cells
from runner.record.decisions import decisions
from runner.record.log_folder import Unusable
from runner.record.log_paths import log_paths
from runner.record.log_summary import summarise
from runner.record.reader import read_log, read_sound_part
from runner.review.kept_reviews import kept_review, reviewed
from tests.cli.command import ROOT, complaint, tabletop
from tests.export.folders import DAMAGED, GOOD, make_folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = make_folder(tmp_path_factory.mktemp("logs"))
    reviewed(read_log(made / "coup.jsonl"), 8)
    return made


@pytest.fixture(scope="module")
def database(folder: Path) -> Path:
    path = folder / "logs.sqlite"
    done = tabletop(folder, "export", ".", "--sqlite", "-o", path.name)
    assert (done.returncode, done.stdout) == (0, "logs.sqlite\n"), done.stderr
    assert all(f"Left out, damaged: {name}, line 1" in done.stderr or "damaged.jsonl, line" in done.stderr for name in DAMAGED)
    return path


def asked(database: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(query).fetchall()


def test_a_database_has_every_sound_log_with_keys_that_hold(database: Path) -> None:
    assert [name for (name,) in asked(database, "select log from matches order by log")] == sorted(GOOD)
    assert asked(database, "pragma foreign_key_check") == []
    assert asked(database, "pragma integrity_check") == [("ok",)]
    assert len(asked(database, "select name from sqlite_master where type = 'index' and sql is not null")) >= 8
    states = dict(asked(database, "select log, state from matches"))
    assert (states["coup.jsonl"], states["paused.jsonl"], states["torn.jsonl"]) == ("finished", "resumable", "resumable")


@pytest.mark.parametrize("name", GOOD)
def test_rows_add_up_to_what_the_summary_of_a_log_says(name: str, folder: Path, database: Path) -> None:
    found = summarise(folder / name)
    facts = "state, game, seed, scores, winners, round(charged, 6), digest"
    ((state, game, seed, scores, winners, charged, digest),) = asked(
        database, f"select {facts} from matches where log = '{name}'"
    )
    assert (state, game, seed, charged, digest or "") == (
        found.state,
        found.game,
        found.seed,
        round(found.cost, 6),
        found.digest,
    )
    assert json.loads(scores or "[]") == list(found.scores)
    assert json.loads(winners or "[]") == list(found.winners)
    facts = "player, spec, mistakes, failures, prompt_tokens, completion_tokens, round(cost, 6)"
    rows = asked(database, f"select {facts} from seats where log = '{name}' order by seat")
    assert rows == [
        (s.name, s.spec, sum(s.mistakes.values()), s.failures, s.prompt_tokens, s.completion_tokens, round(s.cost, 6))
        for s in found.seats
    ]
    ((count,),) = asked(database, f"select count(*) from decisions where log = '{name}'")
    assert count == found.decisions


def test_a_fork_names_its_parent_and_its_seats_count_from_its_decision_on(folder: Path, database: Path) -> None:
    facts = "fork_of, fork_at, fork_match, (select match from matches where log = 'coup.jsonl')"
    for table in ("matches", "seats"):
        for of, at, parent, match in asked(database, f"select {facts} from {table} where log = 'fork.jsonl'"):
            assert (of, at, parent) == ("coup.jsonl", 9, match)
    rows = asked(database, "select decisions - forced, penalties, measures from seats where log = 'fork.jsonl' order by seat")
    found = [(seat.decisions, seat.penalties, seat.measures) for seat in summarise(folder / "fork.jsonl").seats]
    assert [(decisions, penalties, json.loads(measures)) for decisions, penalties, measures in rows] == found
    (own,) = asked(database, "select count(*) from decisions where log = 'fork.jsonl' and not copied")
    assert own == asked(database, "select decisions + penalties from matches where log = 'fork.jsonl'")[0]


@pytest.mark.parametrize("name", ["coup.jsonl", "talk.jsonl", "deep/er/small.jsonl"])
def test_decisions_are_those_of_the_replayed_match(name: str, folder: Path) -> None:
    log = read_log(folder / name)
    rows = rows_of(log, name)["decisions"]
    replayed = [decision for decision in decisions(log) if decision.record is not None]
    assert len(rows) == len(replayed)
    for row, decision in zip(rows, replayed, strict=True):
        assert decision.record is not None
        assert (row["decision"], row["line"], row["how"]) == (decision.number, decision.line, decision.record["how"])
        assert (row["phase"], row["phase_name"]) == (decision.before.phase_id, decision.before.phase.name)
        assert row.get("round") in (decision.before.round, None)
        assert (row.get("round") is None) == (decision.question is None)
        assert row["attempts"] == len(decision.attempts)


def test_attempts_belong_to_their_decisions_and_have_their_times(database: Path) -> None:
    counted = "select log, decision, count(*) from attempts where decision is not null group by log, decision"
    assert asked(database, counted) == asked(
        database, "select log, decision, attempts from decisions where attempts > 0 order by log, decision"
    )
    assert asked(database, "select count(*) from attempts where at is null") == [(0,)]
    assert asked(database, "select count(*) from decisions where at is null") == [(0,)]
    late = "select count(*) from attempts a join decisions d using (log, decision) where a.at > d.at and not a.copied"
    assert asked(database, late) == [(0,)]


def test_talk_and_reasons_are_in_the_rows_of_their_decisions(database: Path, folder: Path) -> None:
    said = [(r["question"], r["text"]) for _, r in read_log(folder / "talk.jsonl").of_kind("talk")]
    assert said
    assert said == asked(
        database, "select question, talk from decisions where log = 'talk.jsonl' and talk is not null order by at, question"
    )
    assert asked(database, "select count(*) from decisions where log = 'talk.jsonl' and how = 'answer' and reason is null") == [
        (0,)
    ]


def test_talk_has_a_row_for_each_line_that_became_public(database: Path, folder: Path) -> None:
    said = [(line, r["seat"], r["question"], r["text"]) for line, r in read_log(folder / "talk.jsonl").of_kind("talk")]
    assert said == asked(database, "select line, seat, question, text from talk where log = 'talk.jsonl' order by line")
    joined = "select count(*) from talk t join decisions d using (log, decision) where t.text = d.talk and t.round = d.round"
    assert asked(database, joined) == asked(database, "select count(*) from talk")


def test_reviews_have_a_row_for_each_graded_decision(database: Path, folder: Path) -> None:
    review = kept_review(read_log(folder / "coup.jsonl"))
    assert review is not None
    names = ("decision", "seat", "share", "best_share", "given_up", "se", "regret", "regret_se", "grade")
    facts = ", ".join((*names, "playouts"))
    wanted = [(*(value for name, value in one.items() if name in names), 8) for one in review["decisions"]]
    assert asked(database, f"select {facts} from reviews order by decision") == wanted
    assert {log for (log,) in asked(database, "select log from reviews")} == {"coup.jsonl"}
    answers = "select count(*) from reviews r join decisions d using (log, decision) where r.answer = d.action"
    assert asked(database, answers) == [(len(wanted),)]


def test_every_row_of_a_seat_says_whether_it_won(database: Path) -> None:
    for table in ("decisions", "attempts", "talk", "reviews", "claims"):
        differs = f"select count(*) from {table} t join seats s using (log, seat) where t.won is not s.won"
        assert asked(database, differs) == [(0,)]
    assert asked(database, "select count(*) from decisions where log = 'paused.jsonl' and won is not null") == [(0,)]


def test_decisions_have_the_view_that_a_model_was_shown(folder: Path, database: Path) -> None:
    log = read_log(folder / "talk.jsonl")
    views = [log.expand(record["view"]) for _, record in log.of_kind("question")]
    rows = asked(database, "select view from decisions where log = 'talk.jsonl' and question is not null order by question")
    assert [json.loads(view) for (view,) in rows] == views[: len(rows)]
    bots = "select count(*) from decisions where log = 'fork.jsonl' and not copied and view is not null"
    assert asked(database, bots) == [(0,)]


def test_what_a_fork_copied_is_marked_and_not_summed(database: Path) -> None:
    ((parent, at),) = asked(database, "select fork_of, fork_at from matches where log = 'fork.jsonl'")
    assert (parent, at) == ("coup.jsonl", 9)
    assert asked(database, "select max(decision) from decisions where log = 'fork.jsonl' and copied") == [(8,)]
    ((own,),) = asked(database, "select count(*) from attempts where log = 'fork.jsonl' and not copied")
    assert asked(database, "select attempts from matches where log = 'fork.jsonl'") == [(own,)]
    assert asked(database, "select sum(attempts) from seats where log = 'fork.jsonl'") == [(own,)]


@pytest.mark.parametrize("table", TABLES)
def test_csv_has_the_rows_of_the_database(table: str, folder: Path, database: Path) -> None:
    done = tabletop(folder, "export", ".", "--table", table, "--csv", "-o", "-")
    assert done.returncode == 0
    found = list(csv.reader(io.StringIO(done.stdout)))
    assert found[0] == [column.name for column in TABLES[table].columns]
    booleans = [place for place, column in enumerate(TABLES[table].columns) if column.type == "boolean"]
    rows = [list(row) for row in asked(database, f"select * from {table}")]
    for row in rows:
        for place in booleans:
            row[place] = None if row[place] is None else bool(row[place])
    assert found[1:] == [["" if value is None else str(csv_cell(value)) for value in row] for row in rows]


def test_hostile_text_stays_text(folder: Path, database: Path) -> None:
    texts = [reply for (reply,) in asked(database, "select reply from attempts where log = 'hostile.jsonl'")]
    assert any("=HYPERLINK" in text[:12] for text in texts)
    assert any("line\nbreak\r\nreturn\u2028separator\ufffdnul" in text for text in texts)
    assert any(len(text) > 50_000 for text in texts)
    done = tabletop(folder, "export", "hostile.jsonl", "--table", "attempts", "--csv", "-o", "-")
    rows = list(csv.reader(io.StringIO(done.stdout)))
    assert len(rows) == len(texts) + 1
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "@", "\t")) or len(cell) > 30_100]
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", done.stdout)


def test_a_cell_keeps_to_the_type_of_its_column() -> None:
    wrong = {"seed": 2**70, "strike": "2", "latency": float("inf"), "repaired": 1, "at": "yesterday", "what": {"a": 1}}
    row = TABLES["attempts"].row(wrong)
    assert [row[name] for name in wrong] == [None, None, None, None, None, '{"a": 1}']
    assert TABLES["attempts"].row({"reply": "a\0b\ud800c"})["reply"] == "a\ufffdb\ufffdc"


def test_several_processes_read_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables, paths = list(TABLES), log_paths(folder)
    one = list(folder_cells(folder, paths, tables))
    monkeypatch.setattr(table_file, "_WORTH_PROCESSES", 0)
    monkeypatch.setattr(worker_processes, "available_cpus", lambda: 2)
    assert list(folder_cells(folder, paths, tables)) == one
    assert [found.name for found in one if isinstance(found, Unusable)] == list(DAMAGED)


def test_a_database_holds_what_several_models_state_before_one_decision(tmp_path: Path) -> None:
    seats = [word for _ in range(3) for word in ("--seat", "offline")]
    words = ("--belief", "--seed", "1", "--max-turns", "3", "-q", "--log", "match.jsonl")
    assert tabletop(tmp_path, "play", "coup", *seats, *words).returncode == 0
    done = tabletop(tmp_path, "export", "match.jsonl", "--sqlite", "-o", "match.sqlite")
    assert done.returncode == 0, done.stderr
    stated = sum(len(record.get("belief", ())) for _, record in read_log(tmp_path / "match.jsonl").of_kind("attempt"))
    assert asked(tmp_path / "match.sqlite", "select count(*) from beliefs") == [(stated,)]


def test_old_logs_have_rows_too() -> None:
    for path in sorted((ROOT / "tests" / "record" / "stored").rglob("*.jsonl")):
        log = read_sound_part(path)
        rows = rows_of(log, path.name)
        assert rows["matches"][0]["decisions"] == sum(row["how"] != "strike_out" for row in rows["decisions"])


@pytest.mark.parametrize("name", TABLES)
def test_the_command_lists_the_columns(name: str, tmp_path: Path) -> None:
    head, *lines = tabletop(tmp_path, "export", "--table", name).stdout.splitlines()
    assert head.startswith(f"{name}: one row for each ")
    assert [line.split(maxsplit=2) for line in lines] == [[c.name, c.type, c.meaning] for c in TABLES[name].columns]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((".", "--table", "seats"), "Choose one of"),
        ((".", "--table", "seats", "--html"), "shows one log"),
        ((".", "--table", "seats", "--csv", "--view", "P-1"), "omit --view"),
        ((".", "--sqlite", "-o", "x.db", "--table", "seats"), "omit --table"),
        ((".", "--sqlite", "-o", "-"), "name a file"),
        (("none", "--table", "seats", "--csv"), "There is no log, folder or pack none."),
        (("nothing", "--table", "seats", "--csv"), "There are no logs (*.jsonl) in nothing."),
        ((".", "--table", "seats", "--csv", "-o", "coup.jsonl"), "coup.jsonl is a log"),
        ((".", "--table", "seats", "--csv", "-o", "coup.jsonl/x.csv"), "cannot be written"),
        ((".", "--sqlite", "-o", "nothing"), "not a regular file"),
    ],
)
def test_a_mistake_gets_one_sentence(words: tuple[str, ...], says: str, folder: Path) -> None:
    (folder / "nothing").mkdir(exist_ok=True)
    done = tabletop(folder, "export", *words)
    assert done.returncode == 2
    assert says in complaint(done)


def test_a_file_is_replaced_and_its_folder_made(folder: Path) -> None:
    target = folder / "new" / "here.csv"
    words = ("export", "coup.jsonl", "--table", "seats", "--csv", "-o", "new/here.csv")
    assert tabletop(folder, *words).returncode == 0
    target.write_text("old")
    assert tabletop(folder, *words).returncode == 0
    assert len(target.read_text().splitlines()) == 4
    assert [path.name for path in target.parent.iterdir()] == ["here.csv"]


def test_only_damaged_logs_are_an_error_and_leave_no_file(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("{}\n")
    done = tabletop(tmp_path, "export", ".", "--table", "seats", "--csv")
    assert done.returncode == 4
    assert "a.jsonl, line 1" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]
