"""Seeds of deals: derived from the tournament's, which is drawn once and kept; folders of older versions keep theirs."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.arena.plan import plan_of, read_plan
from runner.arena.schedule import schedule
from runner.arena.tournament_dir import MANIFEST, TournamentDir
from runner.errors import UsageError
from runner.match.header import LARGEST_SEED, deal_seed, new_seed
from tests.cli.command import tabletop
from tests.workshop.test_compare import comparison

PLAN: dict[str, Any] = {"games": ["coup"], "agents": ["bot:steady", "bot:random"], "deals": 3}
COUP = ("tournament", "--game", "coup", "--players", "2", "--workers", "1", "--seat", "bot:steady,bot:random")
TOURNAMENT = (*COUP, "--deals", "2")


def seeds(data: dict[str, Any]) -> list[int]:
    return list(dict.fromkeys(fixture.seed for fixture in schedule(plan_of(data))))


def logged_seeds(folder: Path) -> set[int]:
    return {json.loads(path.read_text(encoding="utf-8").partition("\n")[0])["seed"] for path in folder.rglob("deal-*.jsonl")}


def test_the_formula_is_the_documented_one() -> None:
    assert [deal_seed(5, deal) for deal in (1, 2)] == [911950755220601271, 8416957386873566332]
    assert seeds({**PLAN, "seed": 5}) == [deal_seed(5, deal) for deal in (1, 2, 3)]


@given(st.integers(0, LARGEST_SEED), st.integers(1, 1_000_000), st.integers(1, 1_000_000))
def test_seeds_of_deals_have_63_bits_and_differ(seed: int, deal: int, other: int) -> None:
    assert 0 <= deal_seed(seed, deal) <= LARGEST_SEED
    assert (deal_seed(seed, deal) == deal_seed(seed, other)) == (deal == other)


def test_a_drawn_seed_has_63_bits() -> None:
    drawn = {new_seed() for _ in range(100)}
    assert len(drawn) == 100
    assert 2**60 < max(drawn) <= LARGEST_SEED


def test_a_plan_without_a_seed_draws_one() -> None:
    assert plan_of(PLAN).seed != plan_of(PLAN).seed
    assert plan_of(PLAN).is_seed_drawn
    assert not plan_of({**PLAN, "seed": 5}).is_seed_drawn


def test_the_folder_keeps_a_drawn_seed(tmp_path: Path) -> None:
    assert tabletop(tmp_path, *TOURNAMENT).returncode == 0
    manifest = tmp_path / "tournaments" / "coup" / MANIFEST
    seed = json.loads(manifest.read_text(encoding="utf-8"))["plan"]["seed"]
    assert stat.S_IMODE(manifest.stat().st_mode) == 0o600
    more = tabletop(tmp_path, *TOURNAMENT[:-1], "3", "--json")
    assert more.returncode == 0, more.stderr
    assert logged_seeds(manifest.parent) == {deal_seed(seed, deal) for deal in (1, 2, 3)}
    assert json.loads(manifest.read_text(encoding="utf-8"))["plan"]["seed"] == seed


def test_a_dry_run_shows_no_seed_that_will_not_be_played(tmp_path: Path) -> None:
    assert ": bot:steady, bot:random" in tabletop(tmp_path, *TOURNAMENT, "--dry-run").stdout
    drawn = json.loads(tabletop(tmp_path, *TOURNAMENT, "--dry-run", "--json").stdout)
    assert {match["seed"] for match in drawn["schedule"]} == {None}
    named = json.loads(tabletop(tmp_path, *TOURNAMENT, "--seed", "5", "--dry-run", "--json").stdout)
    assert {match["seed"] for match in named["schedule"]} == {deal_seed(5, 1), deal_seed(5, 2)}


def test_a_folder_of_an_older_version_goes_on_with_its_deals(tmp_path: Path) -> None:
    old = plan_of({**PLAN, "seed": 1, "deal_seeds": "consecutive"})
    TournamentDir(tmp_path).record_plan(old)
    assert "deal_seeds" not in json.loads((tmp_path / MANIFEST).read_text(encoding="utf-8"))["plan"]
    again = TournamentDir(tmp_path).with_recorded_seeds(plan_of(PLAN))
    assert list(schedule(again)) == list(schedule(old))
    assert {fixture.seed for fixture in schedule(again)} == {1, 2, 3}
    TournamentDir(tmp_path).record_plan(again)
    with pytest.raises(UsageError, match="its seed: 1, not 5"):
        TournamentDir(tmp_path).record_plan(TournamentDir(tmp_path).with_recorded_seeds(plan_of({**PLAN, "seed": 5})))


def test_a_folder_of_an_older_version_goes_on_with_its_prompts_however_they_were_written(tmp_path: Path) -> None:
    plan = plan_of({**PLAN, "seed": 1, "prompts": "packs/mine/", "strikes": 2, "ask_forced": True})
    TournamentDir(tmp_path).record_plan(plan)
    manifest = tmp_path / MANIFEST
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"packs/mine"', '"packs/mine/"'), encoding="utf-8")
    assert plan_of(read_plan(manifest)) == plan.model_copy(update={"is_seed_drawn": False})
    TournamentDir(tmp_path).record_plan(plan)
    with pytest.raises(UsageError, match="its strikes: 2, not 3"):
        TournamentDir(tmp_path).record_plan(plan.model_copy(update={"strikes": 3}))


def test_another_kind_of_plan_keeps_its_seeds(tmp_path: Path) -> None:
    folder, manifest = TournamentDir(tmp_path, "comparison"), tmp_path / "comparison.json"
    drawn = plan_of(PLAN)
    facts = {"seed": drawn.seed, "deal_seeds": drawn.deal_seeds}
    folder.record(facts)
    assert stat.S_IMODE(manifest.stat().st_mode) == 0o600
    again = folder.with_recorded_seeds(plan_of(PLAN))
    assert (again.seed, again.deal_seeds) == (drawn.seed, "hashed")
    manifest.write_text(json.dumps({"seed": 1}), encoding="utf-8")
    assert folder.with_recorded_seeds(drawn).deal_seeds == "consecutive"
    for wrong in ({"seed": "x"}, {**facts, "secret": 5}, {**facts, "deal_seeds": "guessed"}, 7):
        manifest.write_text(json.dumps(wrong), encoding="utf-8")
        with pytest.raises(UsageError, match="is not the record of a comparison"):
            folder.with_recorded_seeds(drawn)


def test_a_comparison_with_a_named_seed_takes_a_secret_where_a_program_plays(tmp_path: Path) -> None:
    what = comparison(tmp_path, opponents="cmd:./player")
    assert what.plan.secret is not None
    experiment = what.experiment()
    experiment.folder.record(experiment.facts or {})
    assert comparison(tmp_path, opponents="cmd:./player").plan.secret == what.plan.secret
    assert comparison(tmp_path).plan.secret is None


def test_a_named_seed_takes_a_secret_where_a_program_plays_and_publishes_it(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text("import random\n\ndef play(ask):\n    return ask.rng.choice(ask.legal)\n")
    words = (*COUP[:-1], "bot:random,p=py:player:play", "--seed", "5", "--quiet", "--deals", "2")
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        done = tabletop(tmp_path, *words, "--output", folder.name)
        assert done.returncode == 0, done.stderr
        plan = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["plan"]
        assert logged_seeds(folder) == {deal_seed(5, deal, secret=plan["secret"]) for deal in (1, 2)}
    assert not logged_seeds(folders[0]) & logged_seeds(folders[1])
    assert tabletop(tmp_path, *words[:-1], "3", "--output", "one").returncode == 0
    assert len(logged_seeds(folders[0])) == 3
    dry = json.loads(tabletop(tmp_path, *words, "--output", "new", "--dry-run", "--json").stdout)
    assert {match["seed"] for match in dry["schedule"]} == {None}


def test_bots_play_the_deals_of_a_named_seed() -> None:
    assert seeds({**PLAN, "seed": 5}) == [deal_seed(5, deal) for deal in (1, 2, 3)]
    secret = "0f" * 16
    assert seeds({**PLAN, "seed": 5, "secret": secret}) == [deal_seed(5, deal, secret=secret) for deal in (1, 2, 3)]
    with pytest.raises(UsageError, match="secret"):
        plan_of({**PLAN, "secret": "short"})
