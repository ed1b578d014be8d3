"""`tabletop gallery`: what a site holds, what a second run makes again, what is never touched."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner import worker_processes
from runner.errors import AllDamagedError, UsageError
from runner.export.gallery import match_files
from runner.export.gallery.build_site import build_site
from runner.export.gallery.match_files import INDEX, SiteIndex, WrittenMatch, json_name, page_name
from tests.cli.command import tabletop
from tests.export.galleries import build, contents, make_logs
from tests.record.matches import erring, played
from tests.record.reseal import records_of, resealed

LINK = re.compile(r'<a [^>]*?href="([^"]*)"')


@pytest.fixture(scope="module", autouse=True)
def quickly() -> Iterator[None]:
    """One process, and pages of matches that are made at once; other tests look at real ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_processes, "available_cpus", lambda: 1)
        patch.setattr(
            match_files, "match_page", lambda log, view, *_, **__: f'<meta content="default-src {log.path.name} {view}">'
        )
        yield


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with logs in `logs`, and their gallery in `site`."""
    folder = tmp_path_factory.mktemp("gallery")
    build(make_logs(folder / "logs"), folder / "site")
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of it, to change."""
    shutil.copytree(made, tmp_path / "copy")
    return tmp_path / "copy"


def document(site: Path, name: str = "index.json") -> dict[str, object]:
    return dict(json.loads((site / name).read_text(encoding="utf-8")))


def test_every_link_leads_to_a_page_and_every_page_has_a_document(made: Path) -> None:
    site = made / "site"
    pages = list(site.rglob("*.html"))
    assert len(pages) == 2 + 3 + len(document(site)["players"])
    for page in pages:
        assert json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))
        text = page.read_text(encoding="utf-8")
        assert 'content="default-src ' in text
        for link in LINK.findall(text):
            parts = urlsplit(unescape(link))
            assert not parts.scheme
            assert not parts.netloc
            assert not parts.path or (page.parent / parts.path).is_file(), link


def test_the_style_sheet_has_a_colour_for_each_class_of_a_plot(made: Path) -> None:
    text = (made / "site" / "standings.html").read_text(encoding="utf-8")
    style = text.partition("<style>")[2].partition("</style>")[0]
    used = {name for names in re.findall(r'<(?:line|circle|rect|text)[^>]* class="([^"]+)"', text) for name in names.split()}
    assert {"fill-ink", "fill-quiet", "fill-mark", "stroke-faint"} <= used
    assert [name for name in sorted(used) if f".{name} {{" not in style] == []


def test_standings_without_probabilities_of_ranks_have_no_table_of_them(made: Path) -> None:
    game, *_ = document(made / "site", "standings.json")["games"]
    assert not any(agent["ranks"] for agent in game["agents"])
    assert "Probability of each rank" not in (made / "site" / "standings.html").read_text(encoding="utf-8")


def test_the_document_says_what_was_played(made: Path) -> None:
    found = document(made / "site")
    assert {match["log"]: (match["state"], match["is_reviewed"]) for match in found["matches"]} == {
        "coup1.jsonl": ("finished", True),
        "coup2.jsonl": ("finished", False),
        "deep/paused.jsonl": ("resumable", False),
    }
    assert found["left_out"][0].startswith("damaged.jsonl, line ")
    assert [game["game"] for game in found["leaders"]] == ["coup"]
    lengths = {match["page"]: match["decisions"] for match in found["matches"]}
    assert all(moment["decision"] <= 0.7 * lengths[moment["page"]] for moment in found["moments"]), "the ending stays hidden"
    weights = [moment["weight"] for moment in found["moments"]]
    assert weights == sorted(weights, reverse=True)
    assert len(weights) == len({moment["page"] for moment in found["moments"]})


def test_highlights_come_first_then_matches_told_apart_by_players_and_a_moment_with_hidden_results(made: Path) -> None:
    text = (made / "site" / "index.html").read_text(encoding="utf-8")
    assert text.index('id="moments"') < text.index('id="matches"') < text.index('id="leaders"')
    lengths = {match["page"]: match["decisions"] for match in document(made / "site")["matches"]}
    told = re.findall(r'class="moment">✦ <a href="([^"#]*)#d(\d+)">[^<]+<', text)
    assert told
    assert all(int(number) <= lengths[page] * 0.7 for page, number in told)
    titles = re.findall(r'class="name"><img [^>]*><a [^>]*>([^<]*)</a>', text)
    assert len(titles) == 3
    pictures = re.findall(r'<img src="([^"]*)" alt=""', text)
    assert len(pictures) == 3
    assert all((made / "site" / name).read_text(encoding="utf-8").startswith("<svg ") for name in pictures)
    assert all(title.startswith("Coup: ") for title in titles)
    assert all(len(set(players := title[6:].split(", "))) == len(players) for title in titles)
    assert text.count('title="won">★') == sum(line.count("★") for line in re.findall(r'<span class="ending">.*', text)) > 0
    assert "body:has(#results:not(:checked)) .ending { display: none; }" in text


def test_a_pool_too_small_for_intervals_has_no_order(made: Path) -> None:
    text = (made / "site" / "index.html").read_text(encoding="utf-8")
    assert document(made / "site")["leaders"][0]["agents"][0]["rating"]["low"] is None
    assert "Too few deals for intervals, and so for an order." in text
    assert '<ol class="leaders">' not in text


def test_a_gallery_has_the_title_that_it_is_given(folder: Path) -> None:
    (folder / "logs" / "damaged.jsonl").unlink()
    assert tabletop(folder, "gallery", "logs", "-o", "site", "--title", "Spring <cup>").returncode == 0
    assert "<h1>Spring &lt;cup&gt;</h1>" in (folder / "site" / "index.html").read_text(encoding="utf-8")


def test_a_player_has_graded_decisions_where_a_match_is_reviewed(made: Path) -> None:
    players = [json.loads(path.read_text(encoding="utf-8")) for path in (made / "site" / "players").glob("*.json")]
    reviewed = [player for player in players if player["is_reviewed"]]
    assert reviewed
    for player in reviewed:
        lost = [grade["given_up"] for grade in player["worst"]]
        assert lost == sorted(lost, reverse=True)
        assert all(grade["rise"] > 0 and grade["grade"] == "best" for grade in player["best"])
    assert all(game["standing"]["agent"] == player["player"] for player in players for game in player["games"])


def test_a_match_that_has_not_ended_is_shown_in_the_public_view(made: Path) -> None:
    shown = {match["log"]: match for match in document(made / "site")["matches"]}
    assert (shown["coup2.jsonl"]["view"], shown["deep/paused.jsonl"]["view"]) == ("all", "public")
    assert shown["deep/paused.jsonl"]["seed"] is None
    assert shown["coup2.jsonl"]["seed"] == 2


def test_the_public_gallery_has_neither_grades_nor_secret_highlights(folder: Path) -> None:
    build(folder / "logs", folder / "public", "public")
    everything, public = document(folder / "site"), document(folder / "public")
    assert {match["view"] for match in public["matches"]} == {"public"}
    assert not any(match["grades"] or match["seed"] for match in public["matches"])
    counts = [sum(len(match["moments"]) for match in found["matches"]) for found in (public, everything)]
    assert counts[0] < counts[1]


def test_the_public_gallery_counts_nothing_that_is_hidden(folder: Path) -> None:
    def measures(site: Path) -> list[object]:
        found = json.loads((site / "standings.json").read_text(encoding="utf-8"))
        return [agent["measures"] for game in found["games"] for agent in game["agents"]]

    build(folder / "logs", folder / "public", "public")
    assert all(measures(folder / "site"))
    assert not any(measures(folder / "public"))


def test_names_of_pages_have_128_bits(made: Path) -> None:
    pages = list((made / "site" / "matches").glob("*.html"))
    assert pages
    assert all(re.fullmatch(r".*-[0-9a-f]{32}\.html", path.name) for path in pages)


def test_a_second_run_makes_nothing(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (folder / "site").rglob("*.*")}
    built = build(folder / "logs", folder / "site")
    assert (built.made, built.kept, built.removed) == (0, 3, 0)
    assert {path: path.stat().st_mtime_ns for path in (folder / "site").rglob("*.*")} == before


def test_the_same_folder_gives_the_same_bytes(folder: Path, made: Path) -> None:
    build(folder / "logs", folder / "other")
    assert contents(folder / "other") == contents(made / "site")


async def test_only_what_changed_is_made_again_and_what_is_gone_is_removed(folder: Path) -> None:
    logs, site = folder / "logs", folder / "site"
    (site / "CNAME").write_text("example.org")
    await played(logs / "third.jsonl", "coup", erring("coup", 3), 5, max_turns=1)
    assert build(logs, site)[1:4] == (1, 3, 0)
    (logs / "third.jsonl").unlink()
    (logs / "deep" / "paused.jsonl").unlink()
    built = build(logs, site)
    assert (built.made, built.kept) == (0, 2)
    assert len(list((site / "matches").iterdir())) == 6
    assert len(list((site / "players").iterdir())) == 2 * len(document(site)["players"])
    assert (site / "CNAME").read_text() == "example.org"


def test_a_page_that_was_changed_or_deleted_is_made_again(folder: Path, made: Path) -> None:
    first, second, _ = sorted((folder / "site" / "matches").glob("*.json"))
    first.write_text("{}")
    second.with_suffix(".html").unlink()
    (folder / "site" / "index.html").unlink()
    assert build(folder / "logs", folder / "site").made == 2
    assert contents(folder / "site") == contents(made / "site")


def test_every_file_that_is_not_as_it_was_written_is_written_again(folder: Path, made: Path) -> None:
    site, whole = folder / "site", contents(made / "site")
    for name, data in whole.items():
        for changed in (b"", data[:-1] + b"?"):
            (site / name).write_bytes(changed)
            assert build(folder / "logs", site).made == name.startswith("matches/"), name
            assert (site / name).read_bytes() == data, name
    for name in whole:
        (site / name).write_bytes(b"")
    assert build(folder / "logs", site).made == 3
    assert contents(site) == whole


def test_a_power_cut_after_a_run_is_mended_by_the_next(folder: Path, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced, real = set[int](), os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (synced.add(os.fstat(file).st_ino), real(file)))
    build(folder / "logs", folder / "other")
    for path in (folder / "other").rglob("*"):
        if path.is_file() and path.stat().st_ino not in synced:
            path.write_bytes(b"")
    build(folder / "logs", folder / "other")
    assert contents(folder / "other") == contents(made / "site")


def test_the_page_of_a_match_that_has_not_ended_follows_what_its_log_says(folder: Path) -> None:
    log = folder / "logs" / "deep" / "paused.jsonl"
    before, *start, pause = log.stat(), *records_of(log.read_bytes())
    log.write_bytes(resealed([*start, pause | {"why": pause["why"][::-1]}]))
    os.utime(log, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert log.stat().st_size == before.st_size
    assert build(folder / "logs", folder / "site").made == 1


def test_a_run_that_was_stopped_continues(folder: Path, made: Path) -> None:
    def stop(found: Iterable[WrittenMatch], total: int) -> Iterator[WrittenMatch]:
        yield next(iter(found))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_site(folder / "logs", folder / "other", "all", stop)
    assert (folder / "other" / INDEX).is_file()
    assert build(folder / "logs", folder / "other")[1:3] == (2, 1)
    assert contents(folder / "other") == contents(made / "site")


@pytest.mark.parametrize(
    ("site", "words"),
    [
        ("logs/site", "inside the folder of logs"),
        ("logs", "inside the folder of logs"),
        ("full", "holds mine.txt, which no gallery wrote"),
        ("file", "is not a folder"),
        ("linked", "is a link"),
    ],
)
def test_a_site_that_is_not_its_own_is_refused(site: str, words: str, folder: Path) -> None:
    (folder / "full").mkdir()
    (folder / "full" / "mine.txt").write_text("mine")
    (folder / "file").write_text("mine")
    shutil.copytree(folder / "site", folder / "linked")
    shutil.rmtree(folder / "linked" / "matches")
    (folder / "linked" / "matches").symlink_to(folder / "full")
    with pytest.raises(UsageError, match=words):
        build(folder / "logs", folder / site)
    assert [path.name for path in (folder / "full").iterdir()] == ["mine.txt"]


def test_a_file_of_somebody_else_is_not_overwritten(folder: Path) -> None:
    site = folder / "site"
    index = json.loads((site / INDEX).read_text())
    (site / INDEX).write_text(
        json.dumps(index | {"files": {name: one for name, one in index["files"].items() if name != "index.html"}})
    )
    with pytest.raises(UsageError, match=r"index\.html was not written by the gallery"):
        build(folder / "logs", site)


def test_an_index_of_a_stranger_removes_nothing_but_pages(folder: Path) -> None:
    victim = folder / "victim.html"
    victim.write_text("mine")
    index = json.loads((folder / "site" / INDEX).read_text())
    index["files"] |= dict.fromkeys(["../victim.html", str(victim), "matches/../../victim.html"], "")
    (folder / "site" / INDEX).write_text(json.dumps(index))
    build(folder / "logs", folder / "site")
    assert victim.read_text() == "mine"


async def test_hostile_names_stay_text(tmp_path: Path) -> None:
    logs = tmp_path / "<b>logs"
    logs.mkdir()
    await played(logs / "<img src=x onerror=alert(1)>.jsonl", "coup", erring("coup", 3), 1, max_turns=1)
    build(logs, tmp_path / "site")
    for page in [*(tmp_path / "site").glob("*.html"), *(tmp_path / "site" / "players").glob("*.html")]:
        assert not re.search(r"<(img (?!src=.(?:\.\./)?matches/)|b[ >](?!.*★))", page.read_text(encoding="utf-8")), page


def test_the_command_names_damaged_logs_and_says_where_the_site_is(folder: Path) -> None:
    done = tabletop(folder, "gallery", "logs", "-o", "site")
    assert done.returncode == 4
    assert done.stdout == "site/index.html\n"
    assert "Left out, damaged: damaged.jsonl, line " in done.stderr
    assert "0 matches new or changed, 3 up to date." in done.stderr
    (folder / "logs" / "damaged.jsonl").unlink()
    assert tabletop(folder, "gallery", "logs", "-o", "site").returncode == 0


def test_a_folder_without_a_sound_log_has_no_gallery(folder: Path) -> None:
    for name in ("coup1.jsonl", "coup2.jsonl", "deep/paused.jsonl"):
        (folder / "logs" / name).unlink()
    with pytest.raises(AllDamagedError):
        build(folder / "logs", folder / "fresh")
    (folder / "logs" / "damaged.jsonl").unlink()
    for logs in ("logs", "missing"):
        with pytest.raises(UsageError, match=r"There (are no logs|is no log)"):
            build(folder / logs, folder / "fresh")
    assert not (folder / "fresh").exists()


def test_the_gallery_of_an_older_version_is_made_again(folder: Path, made: Path) -> None:
    index = json.loads((folder / "site" / INDEX).read_text())
    (folder / "site" / INDEX).write_text(json.dumps({"version": 1, "files": [*index["files"]], "matches": {}}))
    assert build(folder / "logs", folder / "site").made == 3
    assert contents(folder / "site") == contents(made / "site")


@settings(max_examples=50)
@given(name=st.text(), other=st.text())
def test_names_of_pages_are_safe_and_differ(tmp_path_factory: pytest.TempPathFactory, name: str, other: str) -> None:
    page, site = page_name("players", name), tmp_path_factory.getbasetemp()
    SiteIndex(files={page: "", json_name(page): ""}).write(site)
    assert SiteIndex.read(site).files.keys() == {page, json_name(page)}
    assert (page == page_name("players", other)) == (name == other)
