"""`tabletop bench`: one document for the same replies, resumed after a stop, next to what was benched before."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from runner import worker_processes
from runner.arena import match_runner
from runner.workshop import bench_suite
from tests.arena.paid_server import paid_server
from tests.cli.command import complaint, tabletop
from tests.workshop.small_suite import small_suite

LITTLE = ("--games", "coup", "--deals", "1")


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small suite, and no processes for its few matches and reviews."""
    monkeypatch.setattr(bench_suite, "load_suite", small_suite)
    for module in (match_runner, worker_processes):
        monkeypatch.setattr(module, "available_cpus", lambda: 1)


def test_the_same_answers_give_the_same_document_anywhere(tmp_path: Path) -> None:
    for folder in ("one", "other"):
        done = tabletop(tmp_path, "bench", "bot:random", "--deals", "1", "-o", folder, "-q")
        assert done.returncode == 0, done.stderr
    one, other = ((tmp_path / folder / "bot-random.json").read_bytes() for folder in ("one", "other"))
    assert one == other
    tables = json.loads(one)["tables"]
    assert [(table["game"], table["matches"], table["planned"]) for table in tables] == [("coup", 4, 12), ("oriflamme", 6, 6)]
    assert all(table["agent"]["given_up"]["decisions"] > 0 for table in tables)
    assert [sum(one["wins"] + one["losses"] + one["ties"] for one in table["against"]) for table in tables] == [4, 12]


def test_recorded_replies_give_the_same_document_on_another_machine(tmp_path: Path) -> None:
    first = tabletop(tmp_path, "bench", "offline", *LITTLE, "-o", "here", "--json")
    assert first.returncode == 0, first.stderr
    shutil.copytree(tmp_path / "here" / "offline", tmp_path / "there" / "offline")
    logs = {path: path.read_bytes() for path in (tmp_path / "there").rglob("*.jsonl")}
    second = tabletop(tmp_path, "bench", "offline", *LITTLE, "-o", "there", "--json")
    assert json.loads(second.stdout) == json.loads(first.stdout)
    assert (tmp_path / "here" / "offline.json").read_bytes() == (tmp_path / "there" / "offline.json").read_bytes()
    assert logs == {path: path.read_bytes() for path in (tmp_path / "there").rglob("*.jsonl")}, "nothing was asked again"
    agent = json.loads(first.stdout)["tables"][0]["agent"]
    assert agent["answers"] > 0
    assert agent["seconds"] > 0


def test_a_spent_budget_pauses_with_the_matches_so_far_and_the_same_command_continues(tmp_path: Path) -> None:
    with paid_server(0.0) as takings:
        words = ("bench", f"mini=offline@{takings.url}", *LITTLE, "--concurrency", "1", "-q")
        stopped = tabletop(tmp_path, *words, "--budget", "0.05")
        assert stopped.returncode == 3, stopped.stderr
        assert "the budget of 0.05 USD" in stopped.stderr
        assert sum(takings.charged) <= 0.05
        again = re.search(r"`tabletop (bench [^`]*--budget 0\.1)`", stopped.stderr)
        assert again is not None, stopped.stderr
        assert again[1].count("--budget") == 1
        asked = len(takings.asked)
        done = tabletop(tmp_path, *words, "--budget", "5")
        assert done.returncode == 0, done.stderr
        assert len(takings.asked) > asked
    found = json.loads((tmp_path / "benches" / "mini.json").read_text())
    assert found["tables"][0]["matches"] == 4
    assert re.fullmatch(r"built-in \([0-9a-f]{8}\)", found["tables"][0]["prompts"])
    assert found["tables"][0]["agent"]["cost"] == pytest.approx(sum(takings.charged), abs=1e-5)


def test_a_dry_run_says_what_it_costs_and_asks_nobody(tmp_path: Path) -> None:
    with paid_server(0.0) as takings:
        done = tabletop(tmp_path, "bench", f"offline@{takings.url}", *LITTLE, "--dry-run", "--budget", "2")
        data = tabletop(tmp_path, "bench", f"offline@{takings.url}", *LITTLE, "--dry-run", "--json")
    assert takings.asked == []
    assert "coup-2p: 4 matches on 1 deal" in done.stdout
    assert re.search(r"Cost: \$\d.* at most \$2\. Time for the model: about \d", done.stdout)
    found = json.loads(data.stdout)
    assert found["matches"] == 4
    assert found["usd_range"][0] < found["usd"] < found["usd_range"][2]
    assert list(tmp_path.iterdir()) == []


def test_the_page_has_the_models_that_were_benched_before_on_the_same_suite(tmp_path: Path) -> None:
    for words in (("bot:random", *LITTLE), ("again=bot:random", *LITTLE)):
        done = tabletop(tmp_path, "bench", *words)
        assert done.returncode == 0, done.stderr
    assert re.search(r"(?m)^steady \(bot:steady\)  +1500 +held", done.stdout)
    assert re.search(r"(?m)^again +\d+ +-", done.stdout)
    assert re.search(r"(?m)^bot:random +\d+ +-", done.stdout)
    assert "again: 4 of 12 matches of the suite." in done.stdout
    old = tmp_path / "benches" / "bot-random.json"
    changed = json.loads(old.read_text())
    changed["suite"] = {"version": 0, "digest": "none"}
    old.write_text(json.dumps(changed))
    (tmp_path / "benches" / "broken.json").write_text("[]")
    page = tabletop(tmp_path, "bench", "again=bot:random", *LITTLE, "--html", "-q")
    assert page.returncode == 0
    text = (tmp_path / "benches" / "again.html").read_text()
    assert "default-src 'none'" in text
    assert "http" not in re.sub(r"http-equiv|http://www\.w3\.org/2000/svg", "", text)
    assert "bot:random is left out: it was benched on another suite (version 0" in text
    assert "broken.json is not a document of <code>tabletop bench</code>" in text


WRONG = (
    (("human",), "is a person at the terminal"),
    (("steady=bot:random",), "steady is the name of a reference"),
    (("bot:random", "--games", "chess"), '--games chess: suite 1 has "coup" and "oriflamme"'),
    (("bot:random", "--budget", "0"), "--budget 0"),
    (("bot:random", "--budget", "nan"), "--budget nan"),
)


@pytest.mark.parametrize(("words", "said"), WRONG)
def test_a_wrong_call_is_refused_in_one_sentence(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = tabletop(tmp_path, "bench", *words)
    assert done.returncode == 2
    assert said in complaint(done)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_another_bench_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tabletop(tmp_path, "bench", "me=bot:random", *LITTLE, "-q").returncode == 0
    refused = tabletop(tmp_path, "bench", "me=bot:steady", *LITTLE)
    assert refused.returncode == 2
    assert "holds another bench: its spec differs" in complaint(refused)
    monkeypatch.setattr(bench_suite, "load_suite", lambda: small_suite(2))
    refused = tabletop(tmp_path, "bench", "me=bot:random", *LITTLE)
    assert "holds another bench: its suite differs" in complaint(refused)
