"""A review on the page of a match: each view gets what it may know, and hostile text stays text."""

from __future__ import annotations

import asyncio
import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from runner.export.page.match_page import match_page
from runner.record.reader import Log, read_log
from runner.review.kept_reviews import restricted
from runner.review.review_document import ReviewDocument
from runner.screen.seen_review import SeenReview, kept_seen_review
from tests.cli.command import tabletop
from tests.export.test_export import Tags, page_data
from tests.record.hostile import HOSTILE, hostile_log
from tests.record.matches import SMALL, erring, played
from tests.screen.reviews import keep, written_review


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    path = tmp_path_factory.mktemp("page") / "match.jsonl"
    asyncio.run(played(path, "dixiquote", erring("dixiquote", 3, 0.1), 4, **SMALL | {"max_rounds": 1}))
    return read_log(path)


@pytest.fixture(scope="module")
def document(log: Log) -> ReviewDocument:
    document = written_review(log)
    keep(log, document, public=[[0.5, 0.3, 0.2] for _ in document["chances"]])
    return document


@pytest.fixture(scope="module")
def page(log: Log, document: ReviewDocument) -> str:
    return match_page(log, "all", review=kept_seen_review(log))


def reviews(page: str) -> dict[str, Any]:
    data: Any = page_data(page)
    return dict(zip(data["eyes"], data["reviews"], strict=True))


def test_a_page_of_everything_has_the_shares_after_every_decision(page: str, document: ReviewDocument) -> None:
    found = reviews(page)["all"]
    assert len(found["chances"]) == len(document["chances"]) + 1
    assert sum(found["chances"][-1]) == pytest.approx(1, abs=0.01)
    assert [int(number) for number in found["grades"]] == [one["decision"] for one in document["decisions"]]
    assert [seat["seat"] for seat in found["seats"]] == [0, 1, 2]


def test_each_view_has_its_own_part(page: str) -> None:
    found = reviews(page)
    assert list(found) == ["all", "public", "P-0", "P-1", "P-2"]
    assert found["public"]["chances"][0] == [0.5, 0.3, 0.2]
    assert not found["public"]["grades"]
    assert not found["public"]["seats"]
    for seat in range(3):
        own = found[f"P-{seat}"]
        assert own["chances"] == []
        assert {grade["seat"] for grade in own["grades"].values()} == {seat}
        assert [one["seat"] for one in own["seats"]] == [seat]


@pytest.mark.parametrize("view", ["public", "P-1"])
def test_a_restricted_page_holds_nothing_of_the_others(log: Log, document: ReviewDocument, page: str, view: str) -> None:
    text = json.dumps(reviews(match_page(log, view, review=kept_seen_review(log))))
    true_shares = json.dumps([round(share, 3) for share in document["chances"][3]])
    assert true_shares in json.dumps(reviews(page))
    assert true_shares not in text
    assert ('"seat": 1' in text) == (view == "P-1")
    assert '"seat": 0' not in text
    assert '"seat": 2' not in text


def test_a_review_for_one_view_makes_a_page_of_that_view(log: Log, document: ReviewDocument) -> None:
    own = restricted(document, "P-1", document["chances"])
    review = SeenReview(log, own)
    data: Any = page_data(match_page(log, "P-1", review=review))
    assert len(data["reviews"]) == 1
    assert {grade["seat"] for grade in data["reviews"][0]["grades"].values()} == {1}


def test_a_page_without_a_review_has_no_place_for_one(log: Log) -> None:
    data: Any = page_data(match_page(log, "public"))
    assert data["reviews"] == []


def test_the_policy_allows_the_script_of_the_page_alone(page: str) -> None:
    script = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(script) == 1
    assert f"script-src 'sha256-{b64encode(sha256(script[0].encode()).digest()).decode()}'" in page


async def test_a_hostile_review_adds_no_tags(tmp_path: Path) -> None:
    log = read_log(await hostile_log(tmp_path / "hostile.jsonl"))
    document = written_review(log)
    for number, entry in enumerate(document["decisions"]):
        entry["best"] = {"card": HOSTILE[number % len(HOSTILE)].replace("\ud800", "")}
    with_review, without = Tags(), Tags()
    with_review.feed(match_page(log, "P-1", review=SeenReview(log, document)))
    without.feed(match_page(log, "P-1"))
    assert with_review.seen == without.seen


@pytest.mark.parametrize("words", ["export match.jsonl --html -o", "review match.jsonl --playouts 400 --html -o"])
def test_the_verbs_write_the_kept_review_into_the_page(log: Log, document: ReviewDocument, words: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = tabletop(log.path.parent, *words.split(), str(page))
    assert done.returncode == 0, done.stderr
    data: Any = page_data(page.read_text(encoding="utf-8"))
    assert len(data["reviews"][0]["grades"]) == len(document["decisions"])
