"""The recipes of CONTRIBUTING.md, followed: each applies, is in style, and turns its tests from red to green."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recipes.recipe import ROOT, Recipe, recipes

RECIPES = recipes()
COPIED = ("games", "runner", "tests", "tools", "prompts", "decks", "docs")
each_recipe = pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.patch.stem)


def run(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A module of Python in a tree."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    command = (sys.executable, "-m", *words)
    return subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)


def outcomes(tree: Path) -> dict[str, str]:
    """Whether the named tests of all recipes pass, each with the cases that it has."""
    named = sorted({test for recipe in RECIPES for test in recipe.tests})
    done = run(tree, "pytest", "-n", "0", "-p", "no:cacheprovider", "-rA", "-q", *named)
    return {test: outcome for outcome, test in re.findall(r"^(PASSED|FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree, with what Python has compiled of it: a changed file is compiled again. A recipe that has just been
    followed is undone there."""
    folder = tmp_path_factory.mktemp("recipes")
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("goldens"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder)
    for recipe in RECIPES:
        if recipe.is_followed(folder):
            recipe.apply(folder, "--reverse")
    return folder


@each_recipe
def test_a_recipe_applies_by_itself(recipe: Recipe) -> None:
    if not recipe.is_followed(ROOT):
        recipe.apply(ROOT, "--check")


def test_what_the_recipes_ask_for_is_red_before_and_green_after(tree: Path) -> None:
    for recipe in RECIPES:
        recipe.apply_tests(tree)
    before = outcomes(tree)
    for recipe in RECIPES:
        recipe.apply_rest(tree)
    after = outcomes(tree)
    files = sorted(path for recipe in RECIPES for path in recipe.files if path.endswith(".py"))
    assert (run(tree, "ruff", "check", *files).stdout, run(tree, "ruff", "format", "--check", "-q", *files).stdout) == (
        "All checks passed!\n",
        "",
    )
    assert set(after.values()) == {"PASSED"}
    for recipe in RECIPES:
        for test in recipe.tests:
            assert "FAILED" in [outcome for name, outcome in before.items() if name.startswith(test)], (
                f"{test} is green without"
            )


def paragraphs() -> Iterator[tuple[str, str]]:
    """The recipes as CONTRIBUTING.md has them: the heading of each and its text."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    yield from re.findall(r"^\*\*(An? [\w ]+)\.\*\* (.*?)(?=^\*\*|^#)", text, re.DOTALL | re.MULTILINE)
    yield "Your first change", text.partition("## Your first change\n")[2].partition("\n## ")[0]


@each_recipe
def test_contributing_names_what_a_recipe_changes(recipe: Recipe) -> None:
    told = dict(paragraphs())[recipe.heading]
    assert f"(tests/recipes/{recipe.patch.name})" in told, "the recipe links its patch"
    changed = [path for path in recipe.changed if not path.startswith("tests/")]
    names = ("docs" if path.startswith("docs/") else path.rpartition("/")[2] for path in changed)
    assert [name for name in names if name not in told] == []


def test_each_recipe_is_one_of_contributing() -> None:
    assert {recipe.heading for recipe in RECIPES} <= {heading for heading, _ in paragraphs()}
