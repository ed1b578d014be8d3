"""What standings make of logs: all outputs, what they refuse, what they keep."""

from __future__ import annotations

import csv
import json
import shutil
import xml.etree.ElementTree
from pathlib import Path
from typing import Any

import pytest

from games.statistics.pair_ratings import deals_needed
from runner.errors import UsageError
from runner.export.table_pages import markdown, standings_csv, standings_page
from runner.record.log_folder import INDEX
from runner.standings.comparability import pooled
from runner.standings.document import folder_matches, standings
from tests.cli.command import complaint, offline_server, tabletop
from tests.conftest import Here


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament between bots and the offline model, mistakes and all."""
    folder = tmp_path_factory.mktemp("played")
    words = ("--game", "dixiquote", "--players", "3", "--option", "target_score=3", "--mistakes", "0.3", "--seed", "1")
    agents = ("--seat", "off=offline,bot:steady,bot:random", "--deals", "5", "-o", "t", "-q", "--workers", "1")
    done = tabletop(folder, "tournament", *words, *agents)
    assert done.returncode == 0, done.stderr
    return folder / "t"


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "t"))


def agent(found: dict[str, Any], name: str) -> dict[str, Any]:
    return next(a for a in found["games"][0]["agents"] if a["agent"] == name)


def test_everything_is_in_the_document(played: Path) -> None:
    found = standings(folder_matches(played))
    game = found["games"][0]
    assert (game["matches"], game["deals"], len(game["meetings"]), len(game["seats"])) == (30, 5, 3, 3)
    off = agent(found, "off")
    assert all(off["rates"][kind] > 0 for kind in ("unreadable", "illegal", "truncated"))
    assert off["prompt_tokens"] > 0
    assert sum(off["ranks"]) == pytest.approx(1)
    assert set(off["measures"]) == {"quote split the vote", "found the Storyteller's card", "votes won by own card"}
    assert agent(found, "bot:steady")["mistakes"] == 0
    assert sum(a["win_share"]["value"] for a in game["agents"]) == pytest.approx(1)


def test_the_order_of_logs_and_what_is_kept_change_nothing(copy: Path) -> None:
    (copy / INDEX).unlink(missing_ok=True)
    first = standings(folder_matches(copy))
    assert (copy / INDEX).exists()
    assert standings(folder_matches(copy)) == first
    for place, path in enumerate(sorted(copy.rglob("*.jsonl"))):
        path.rename(path.with_name(f"{(place * 7) % 30:03d}.jsonl"))
    again = standings(folder_matches(copy))
    assert agent(again, "off")["rating"]["value"] == pytest.approx(agent(first, "off")["rating"]["value"])


def test_a_changed_log_is_left_out_and_named(copy: Path) -> None:
    path = sorted(copy.rglob("*.jsonl"))[3]
    path.write_bytes(path.read_bytes().replace(b'"winners":[', b'"winners":[0,', 1))
    found = standings(folder_matches(copy))
    assert found["logs"] == {"ended": 29, "damaged": 1}
    assert path.name in found["notes"][0]
    assert found["notes"][1] == f"1 of 30 matches are missing: `tabletop tournament {copy}` plays them."
    for other in copy.rglob("*.jsonl"):
        if other != path:
            other.unlink()
    alone = tabletop(copy.parent, "standings", "t")
    assert alone.returncode == 4
    assert path.name in complaint(alone)


def test_an_unfinished_match_is_left_out_and_counted(copy: Path) -> None:
    path = sorted(copy.rglob("*.jsonl"))[3]
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    found = standings(folder_matches(copy))
    assert found["logs"]["unfinished"] == 1
    assert "1 unfinished" in found["notes"][0]


def test_other_options_are_not_pooled_unless_told(copy: Path, here: Here) -> None:
    words = ("play", "dixiquote", "--players", "3", "--target", "2", "-q", "--log", "t/other.jsonl")
    seats = ("--seat", "bot:random", "--seat", "bot:steady", "--seat", "bot:steady")
    assert here(copy.parent, *words, *seats).returncode == 0
    said = complaint(here(copy.parent, "standings", "t"))
    assert "target_score: 2 in 1 match, 3 in 30 matches" in said
    assert "--pool options" in said
    done = here(copy.parent, "standings", "t", "--pool", "options", "--json")
    notes = json.loads(done.stdout)["games"][0]["notes"]
    assert any("target_score" in note for note in notes)
    assert any("all seats equally often" in note for note in notes)


def test_other_prompts_are_not_pooled_unless_told(copy: Path, here: Here) -> None:
    pack = copy.parent / "pack" / "dixiquote"
    pack.mkdir(parents=True)
    (pack / "voter.j2").write_text('{% call message("user") %}Vote. {{ question.text }}{% endcall %}')
    words = ("play", "dixiquote", "--players", "3", "--target", "3", "-q", "--log", "t/other.jsonl", "--prompts", "pack")
    assert here(copy.parent, *words, *["--seat", "offline"] * 3).returncode == 0
    assert "different prompts" in complaint(here(copy.parent, "standings", "t"))
    assert standings(folder_matches(copy, pooled(["all"])))["logs"] == {"ended": 31}


@pytest.mark.parametrize(("setting", "words"), [('help = "none"', ()), ('memory = "summary"', ()), ("", ("--rated",))])
def test_help_memory_and_rated_play_are_kept_apart(setting: str, words: tuple[str, ...], tmp_path: Path, here: Here) -> None:
    """The same agent, asked in another manner, is not counted as the same."""
    name = setting.partition(" ")[0] or "rated"
    play = ("play", "dixiquote", "--players", "3", "--target", "1", "--hopeless", "0", "-q", *["--seat", "calm"] * 3)
    with offline_server() as url:
        for number, (settings, more) in enumerate([("", ()), (setting, words)]):
            (tmp_path / "agents.toml").write_text(f'[calm]\nmodel = "m"\nbase_url = "{url}"\n{settings}\n')
            assert here(tmp_path, *play, *more, "--log", f"t/{number}.jsonl").returncode == 0
    said = complaint(here(tmp_path, "standings", "t"))
    assert f"The agent calm did not always play with the same {name}" in said
    assert "--pool agents" in said
    if words:
        again = here(tmp_path, "play", "dixiquote", "--playback", "t/0.jsonl", "--log", "t/again.jsonl", "-q")
        assert again.returncode == 0
        (tmp_path / "t" / "1.jsonl").unlink()
        assert "1 match played back" in here(tmp_path, "standings", "t").stdout


def test_the_preset_for_another_arena_is_named(tmp_path: Path, here: Here) -> None:
    (tmp_path / "agents.toml").write_text('[far]\nmodel = "offline"\nhelp = "kaggle"\n[near]\nmodel = "offline"\n')
    seats = ["--seat", "far", "--seat", "near", "--seat", "near"]
    assert here(tmp_path, "play", "dixiquote", "--max-rounds", "1", "-q", *seats, "--log", "t/0.jsonl").returncode == 0
    said = here(tmp_path, "standings", "t").stdout
    assert 'far played with help = "kaggle": no list of legal answers, high reasoning effort.' in " ".join(said.split())
    assert "near played with" not in said


def test_words_of_pool_are_checked() -> None:
    with pytest.raises(UsageError, match="--pool nonesuch: there is"):
        pooled(["prompts,nonesuch"])


def test_an_anchor_that_did_not_play_is_refused(played: Path) -> None:
    with pytest.raises(UsageError, match="no agent nobody"):
        standings(folder_matches(played, anchor=("nobody", 1500)))


def test_documents_hold_every_agent(played: Path) -> None:
    found = standings(folder_matches(played))
    found["games"][0]["agents"][0]["agent"] = "<b>=evil|name"
    text = standings_page(found)
    assert not [word for word in ("<b>", "http:", "https:", "<script") if word in text]
    for drawing in text.split("<figure>")[1:]:
        xml.etree.ElementTree.fromstring(f"<figure>{drawing.split('</figure>')[0]}</figure>")
    assert "\\<b\\>=evil\\|name" in markdown(found)
    rows = list(csv.DictReader(standings_csv(found).splitlines()))
    assert len(rows) == 3
    assert float(rows[0]["rating"]) >= float(rows[1]["rating"]) >= float(rows[2]["rating"])


def test_cost_is_plotted_against_strength_where_agents_differ_in_it(played: Path) -> None:
    found = standings(folder_matches(played))
    title, agents = "Rating with 95 % interval, and USD a match", found["games"][0]["agents"]
    for agent in agents:
        agent["cost_per_match"] = 0.0
    assert title not in standings_page(found)
    agents[0]["cost_per_match"] = 0.5
    figure = standings_page(found).split(title)[-1].split("</figure>")[0]
    assert figure.count("<circle") == len(agents) == 3
    assert "$0.5000" in figure


def test_outputs_of_the_command(played: Path, here: Here) -> None:
    folder = played.parent
    shown = here(folder, "standings", "t").stdout
    assert "Ratings, with 95 % intervals over deals" in shown
    assert "How they play" in shown
    for kind, name, start in (
        ("--markdown", "standings.md", "# Standings of t"),
        ("--csv", "standings.csv", "game,agent,rating"),
    ):
        assert here(folder, "standings", "t", kind).stdout == f"t/{name}\n"
        assert (folder / "t" / name).read_text().startswith(start)
        assert here(folder, "standings", "t", kind, "-o", "-").stdout == (folder / "t" / name).read_text()
    assert here(folder, "standings", "t", "--html", "-o", "page.html").returncode == 0
    assert here(folder, "standings", "t", "--svg", "-o", "ratings.svg").returncode == 0
    assert "ratings with 95 % intervals" in (folder / "ratings.svg").read_text(encoding="utf-8")
    assert (folder / "page.html").read_text().startswith("<!doctype html>")
    assert "Choose one of" in complaint(here(folder, "standings", "t", "--csv", "--json"))
    assert "There is no log, folder or pack nowhere." in complaint(here(folder, "standings", "nowhere"))


def test_power_asks_for_more_deals_for_smaller_differences(played: Path, here: Here) -> None:
    game = standings(folder_matches(played))["games"][0]
    few, many = deals_needed(game, 200), deals_needed(game, 50)
    assert all(one["deals"] <= other["deals"] for one, other in zip(few, many, strict=True))
    assert many[0]["deals"] == pytest.approx(16 * game["deals"] * (few[0]["error"] / 200) ** 2 * 14.3, rel=0.4)
    assert "deals show" in here(played.parent, "tournament", "t", "--power", "100").stdout


def test_a_dry_run_plays_nothing(tmp_path: Path, here: Here) -> None:
    words = (
        "tournament",
        "--game",
        "dixiquote",
        "--seat",
        "offline,bot:steady,bot:random,x=bot:steady",
        "--deals",
        "2",
        "--seed",
        "1",
    )
    done = here(tmp_path, *words, "--dry-run", "--json")
    found = json.loads(done.stdout)
    assert (found["matches"], len(found["schedule"]), found["usd"]) == (48, 48, 0.0)
    assert found["agents"]["offline"]["prompt_tokens"] > 10_000
    lines = here(tmp_path, *words, "--dry-run").stdout.splitlines()
    at = lines.index("The schedule:")
    assert any(line.startswith("Cost: ") for line in lines[:at])
    assert (len(lines) - at, lines[-1]) == (14, "  … and 36 more: --json has all")
    assert list(tmp_path.iterdir()) == []
