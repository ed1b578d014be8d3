"""Review documents: their fields, what is kept beside a log, restricted views, and the same bytes from the same numbers."""

from __future__ import annotations

import json
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from runner.record.reader import Log, read_log
from runner.review.decision_review import review_jobs
from runner.review.kept_reviews import kept_review, review_path, reviewed
from runner.review.review_document import FEWEST_PLAYOUTS, ReviewDocument, playouts_in, review_log
from runner.screen.consoles import LineClock, with_progress
from tests.cli.command import complaint, tabletop, tabletop_process
from tests.patience import PATIENCE
from tests.review.logs import PLAYOUTS, play

CONTRACT = {
    "document": {"log", "game", "playouts", "seed", "seats", "decisions", "chances", "not_graded"},
    "seats": {"seat", "player", "decisions", "given_up", "interval", "blunders", "mistakes"},
    "decisions": {"decision", "seat", "answer", "share", "best", "best_share", "given_up", "se", "grade"},
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log with its review."""
    path = play(tmp_path_factory.mktemp("played"))
    reviewed(read_log(path), PLAYOUTS)
    return path


@pytest.fixture
def log(played: Path, tmp_path: Path) -> Log:
    """A copy of it that a test may damage."""
    for path in (played, review_path(played)):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return read_log(tmp_path / played.name)


@pytest.fixture
def document(log: Log) -> ReviewDocument:
    found = kept_review(log)
    assert found is not None
    return found


def half(log: Log) -> str:
    """The first half of its lines: a match under way."""
    lines = log.path.read_text().splitlines(keepends=True)
    return "".join(lines[: len(lines) // 2])


def test_a_document_has_the_fields_of_the_contract(document: ReviewDocument) -> None:
    assert CONTRACT["document"] <= set(document)
    assert all(CONTRACT["seats"] <= set(one) for one in document["seats"])
    assert all(CONTRACT["decisions"] <= set(one) for one in document["decisions"])
    assert len(document["decisions"]) + len(document["not_graded"]) == len(document["chances"])


def test_what_is_given_up_is_the_difference_and_never_negative(document: ReviewDocument) -> None:
    for one in document["decisions"]:
        assert one["given_up"] == pytest.approx(max(0.0, one["best_share"] - one["share"]), abs=2e-4)
        assert (one["grade"] in ("best", "forced")) == (one["given_up"] == 0)
        assert (one["best"] == one["answer"]) or one["grade"] not in ("best", "forced")


def test_a_seat_has_the_raw_sums_beside_what_is_cut_at_0(document: ReviewDocument) -> None:
    for one in document["seats"]:
        graded = [entry for entry in document["decisions"] if entry["seat"] == one["seat"] and entry["grade"] != "forced"]
        assert one["regret"] == pytest.approx(sum(entry["regret"] for entry in graded), abs=1e-3)
        assert one["best_share"] == pytest.approx(sum(entry["best_share"] for entry in graded), abs=1e-3)
        assert one["given_up"] == pytest.approx(max(0.0, one["regret"] / len(graded)), abs=1e-3)
    assert any(entry["regret"] < 0 for entry in document["decisions"]), "one that is cut at 0 elsewhere"


def test_luck_and_skill_are_the_result_minus_the_start(document: ReviewDocument) -> None:
    for one in document["seats"]:
        assert one["luck"] is not None
        assert one["result"] is not None
        assert one["luck"] + one["skill"] == pytest.approx(one["result"] - one["start"], abs=3e-4)


def test_chances_of_all_seats_add_up_to_one(document: ReviewDocument) -> None:
    assert all(sum(row) == pytest.approx(1, abs=1e-3) for row in document["chances"])


def test_another_process_writes_the_same_bytes(played: Path) -> None:
    first = tabletop(played.parent, "review", played.name, "--playouts", "8", "--json")
    review_path(played).unlink()
    again = tabletop_process(played.parent, "review", played.name, "--playouts", "8", "--json", PYTHONHASHSEED="77")
    assert again.returncode == 0, again.stderr
    assert again.stdout == first.stdout


def test_other_settings_are_reviewed_again(log: Log) -> None:
    assert reviewed(log, PLAYOUTS, 2)["seed"] == 2
    kept = kept_review(log)
    assert kept is not None
    assert kept["seed"] == 2


# -- what is kept --------------------------------------------------------------------------------------------------------


def test_a_kept_review_is_not_made_again(log: Log) -> None:
    kept = json.loads(review_path(log.path).read_text())
    kept["review"]["seats"][0]["blunders"] = 77
    review_path(log.path).write_text(json.dumps(kept))
    assert reviewed(log, PLAYOUTS)["seats"][0]["blunders"] == 77


SPOILED: dict[str, Callable[[Any], Any]] = {
    "another version": lambda kept: kept.update(version="0"),
    "other code that grades": lambda kept: kept.update(code="0"),
    "no word of what graded": lambda kept: kept.pop("code"),
    "lines that were added since": lambda kept: kept["review"].update(digest="0"),
    "another game": lambda kept: kept["review"].update(game="coup"),
    "a share that is no number": lambda kept: kept["review"]["decisions"][0].update(share=float("nan")),
    "a share above 1": lambda kept: kept["review"]["chances"][0].__setitem__(0, 1.5),
    "a row too short": lambda kept: kept["review"]["chances"][0].pop(),
    "a decision too few": lambda kept: kept["review"]["decisions"].pop(),
    "a seat that is not there": lambda kept: kept["review"]["decisions"][0].update(seat=9),
    "a player who did not play": lambda kept: kept["review"]["seats"][0].update(player="mallory"),
    "an unknown grade": lambda kept: kept["review"]["decisions"][0].update(grade="brilliant"),
    "an endless luck": lambda kept: kept["review"]["seats"][0].update(luck=float("inf")),
    "no views": lambda kept: kept.pop("views"),
    "a view of another length": lambda kept: kept["views"].update(public=[]),
}


@pytest.mark.parametrize("spoil", SPOILED.values(), ids=SPOILED)
def test_a_file_that_does_not_fit_the_log_counts_as_none(spoil: Callable[[Any], Any], log: Log) -> None:
    kept = json.loads(review_path(log.path).read_text())
    spoil(kept)
    review_path(log.path).write_text(json.dumps(kept))
    assert kept_review(log) is None


@pytest.mark.parametrize("text", ["", "[]", "null", '{"version":', "[" * 100_000, "\x00"])
def test_a_file_that_is_no_review_counts_as_none(text: str, log: Log) -> None:
    review_path(log.path).write_text(text)
    assert kept_review(log) is None


def test_a_review_that_cannot_be_kept_is_shown_all_the_same(log: Log, document: ReviewDocument) -> None:
    review_path(log.path).unlink()
    review_path(log.path).mkdir()
    assert reviewed(log, PLAYOUTS) == document


# -- restricted views ------------------------------------------------------------------------------------------------------


def test_a_seat_sees_its_own_decisions_and_its_own_estimate(log: Log, document: ReviewDocument) -> None:
    assert kept_review(log, "P-1") is None
    found = reviewed(log, PLAYOUTS, view="P-1")
    assert kept_review(log, "P-1") == found
    assert found["view"] == "P-1"
    assert {one["seat"] for one in (*found["decisions"], *found["seats"])} == {1}
    assert len(found["chances"]) == len(document["chances"])
    assert found["chances"] != document["chances"]
    assert found["seats"][0]["start"] == found["chances"][0][1]


def test_the_public_sees_no_decision(log: Log) -> None:
    found = reviewed(log, PLAYOUTS, view="public")
    assert (found["view"], found["seats"], found["decisions"], found["not_graded"]) == ("public", [], [], [])


# -- which state a decision is reviewed from -------------------------------------------------------------------------------


@pytest.mark.parametrize(("ask", "is_together"), [("simultaneous", True), ("sequential", False)])
def test_seats_that_are_asked_together_are_reviewed_from_one_state(ask: str, is_together: bool, tmp_path: Path) -> None:
    jobs, _ = review_jobs(read_log(play(tmp_path, "coup.jsonl", "coup", 2, "--ask", ask)))
    assert any(job.asked != job.state for job in jobs) is is_together
    for job in jobs:
        assert job.seat in job.asked.pending
        assert job.asked.phase_id == job.state.phase_id
        assert job.asked.view(job.seat)["own"] == job.state.view(job.seat)["own"]
        assert job.answer is not None
        assert job.asked.read(job.seat, job.answer).to_json() == job.answer


# -- the command -----------------------------------------------------------------------------------------------------------


def test_a_folder_is_reviewed_log_by_log_and_damaged_ones_are_named(log: Log) -> None:
    text = log.path.read_text()
    (log.path.parent / "torn.jsonl").write_text(text[:-40])
    done = tabletop(log.path.parent, "review", ".", "--playouts", "8", "--json")
    assert done.returncode == 4
    assert "torn.jsonl" in done.stderr
    assert [one["log"] for one in json.loads(done.stdout)] == ["match.jsonl"]
    alone = tabletop(log.path.parent, "review", "torn.jsonl", "--playouts", "8")
    assert (alone.returncode, alone.stdout) == (4, "")


def test_documents_of_a_folder_are_not_held(log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Document(dict[str, Any]):
        """A document that can be asked whether it is still there."""

    made, alive = list[weakref.ref[Document]](), list[int]()

    def counted(*words: Any) -> Document:
        alive.append(sum(one() is not None for one in made))
        document = Document(reviewed(*words))
        made.append(weakref.ref(document))
        return document

    for number in range(2):
        (tmp_path / f"{number}.jsonl").write_text(half(log))
    monkeypatch.setattr("runner.review.kept_reviews.reviewed", counted)
    done = tabletop(tmp_path, "review", ".", "--playouts", "8", "--json")
    assert [one["log"] for one in json.loads(done.stdout)] == [*(f"{number}.jsonl" for number in range(2)), log.path.name]
    assert (len(alive), max(alive)) == (3, 0)


def test_a_folder_of_short_logs_is_not_silent_as_a_whole(log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clocks, tell = list[LineClock](), LineClock._tell

    def heard(clock: LineClock, *of: Any) -> None:
        clocks.append(clock)
        tell(clock, *of)

    monkeypatch.setattr("runner.screen.consoles._LINE_SECONDS", 0.001)
    monkeypatch.setattr("runner.screen.consoles.LineClock._tell", heard)
    for number in range(2):
        (tmp_path / f"{number}.jsonl").write_text(half(log))
    done = tabletop(tmp_path, "review", ".", "--playouts", "8")
    assert "log 2 of 3, reviewing decisions: " in done.stderr
    assert (len(clocks), len({*clocks})) == (2, 1)


def test_a_match_under_way_has_no_result(log: Log) -> None:
    (log.path.parent / "half.jsonl").write_text(half(log))
    done = tabletop(log.path.parent, "review", "half.jsonl", "--playouts", "8", "--json")
    assert done.returncode == 0, done.stderr
    assert {(one["result"], one["luck"]) for one in json.loads(done.stdout)["seats"]} == {(None, None)}


def test_seat_and_worst_choose_what_is_listed(log: Log) -> None:
    everything = tabletop(log.path.parent, "review", log.path.name, "--playouts", "8").stdout
    nothing = tabletop(log.path.parent, "review", log.path.name, "--playouts", "8", "--worst", "0").stdout
    assert everything.startswith(nothing.rstrip("\n").partition("Not graded")[0].rstrip())
    for seat in ("P-0", "p-2"):
        assert tabletop(log.path.parent, "review", log.path.name, "--playouts", "8", "--seat", seat).returncode == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--seat", "P-9"), 'There is no seat "P-9": the seats are P-0, P-1, P-2.'),
        (("--view", "P-9"), 'Unknown view "P-9"'),
        (("--playouts", "7"), "--playouts"),
        (("empty",), "There are no logs (*.jsonl) in empty."),
        (("match.jsonl", "--html", "page.html"), "--html takes no file: write --html -o page.html."),
        (("match.jsonl", "match.jsonl", "--html"), "--html is the page of one log: name one."),
    ],
)
def test_a_mistake_gets_one_sentence(words: tuple[str, ...], said: str, log: Log) -> None:
    (log.path.parent / "empty").mkdir()
    done = tabletop(log.path.parent, "review", "match.jsonl", "--playouts", "8", *words)
    assert done.returncode == 2
    assert said in complaint(done)


def test_playouts_by_time_are_as_many_as_fit_and_are_in_the_review(log: Log, tmp_path: Path) -> None:
    few = json.loads(tabletop(tmp_path, "review", log.path.name, "--seconds", "0.1", "--json", "-q").stdout)
    assert few["playouts"] >= 8
    again = json.loads(tabletop(tmp_path, "review", log.path.name, "--playouts", str(few["playouts"]), "--json", "-q").stdout)
    assert again == few
    both = tabletop(tmp_path, "review", log.path.name, "--seconds", "1", "--playouts", "8")
    assert (both.returncode, "--playouts and --seconds exclude each other." in both.stderr) == (2, True)


def test_more_time_is_for_more_playouts(log: Log) -> None:
    assert playouts_in(log, 0.001) == FEWEST_PLAYOUTS
    assert playouts_in(log, 1e6) > 100 * FEWEST_PLAYOUTS


def test_the_progress_of_a_review_counts_the_decisions_of_the_match(log: Log) -> None:
    come, totals = list[object](), list[int]()

    def follow(found: Iterable[Any], total: int) -> Iterator[Any]:
        totals.append(total)
        for one in found:
            come.append(one)
            yield one

    review_log(log, FEWEST_PLAYOUTS, follow=follow)
    jobs, _ = review_jobs(log)
    assert (totals, len(come)) == ([len(jobs)], len(jobs))


def test_off_a_terminal_a_line_tells_how_far_a_work_is_however_long_a_part_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    told, lines = threading.Event(), list[str]()

    def note(words: str) -> None:
        lines.append(words)
        told.set()

    def parts() -> Iterator[int]:
        for part in range(2):
            while f"reviewing decisions: {part} of 2" not in lines:
                assert told.wait(PATIENCE)
                told.clear()
            yield part

    monkeypatch.setattr("runner.screen.consoles._LINE_SECONDS", 0.01)
    monkeypatch.setattr("runner.screen.consoles.print_note", note)
    assert list(with_progress(parts(), 2, "reviewing decisions")) == [0, 1]
