"""Pages of deals that several matches played: who played each, and where they parted."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest

from runner.export.gallery.build_site import deal_pages
from tests.export.galleries import build
from tests.match.tables import bot
from tests.record.matches import played

SHORT = {"max_turns": 3}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gallery of two matches of one deal between bots of different seeds, and one of another deal."""
    folder = tmp_path_factory.mktemp("deals")

    async def play() -> None:
        for name, seed, bots in (("a", 1, "random"), ("b", 1, "steady"), ("c", 2, "random")):
            await played(folder / "logs" / f"{name}.jsonl", "coup", [bot("coup", bots) for _ in range(3)], seed, **SHORT)

    asyncio.run(play())
    build(folder / "logs", folder / "site")
    return folder / "site"


def test_a_deal_has_a_page_with_its_players_and_where_they_parted(site: Path) -> None:
    [deal] = json.loads((site / "deals.json").read_text())["deals"]
    assert [match["log"] for match in deal["matches"]] == ["a.jsonl", "b.jsonl"]
    first = deal["partings"][0]
    assert [one["matches"] for one in first["answers"]] == [[1], [2]]
    page = (site / deal["page"]).read_text()
    for match in deal["matches"]:
        assert f'href="../{match["page"]}"' in page
    text = re.sub("<[^>]*>", " ", page)
    assert all(one["answer"] in text for one in first["answers"])
    assert f'href="{deal["page"]}"' in (site / "deals.html").read_text()
    assert 'href="deals.html"' in (site / "index.html").read_text()


def test_the_public_view_has_no_deals(site: Path) -> None:
    public = build(site.parent / "logs", site.parent / "public", "public").first_page
    assert not (public.parent / "deals.html").exists()
    assert "deals.html" not in public.read_text()


def test_an_answer_in_hostile_words_is_text(site: Path) -> None:
    [deal] = json.loads((site / "deals.json").read_text())["deals"]
    deal["partings"][0]["answers"][0]["answer"] = "<script>alert(1)</script>\x1b[31m"
    page = dict(deal_pages([deal], "site"))[deal["page"]]
    assert "<script>alert" not in page
    assert "\x1b" not in page
