"""`make quick`: what has changed, which tests that may break, and which of them are worth their time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tools import costs
from tools.changes import ROOT, Change, changes
from tools.choice import ALWAYS, MUST, Candidate, Choice, Reach, Suite, choose
from tools.dependencies import LOADERS, PATCHES, READERS, Project
from tools.import_graph import imported, modules
from tools.quick import arguments, told
from tools.wording import Corpus, Wording, text_of

PROJECT = Project()
SUITE = Suite(PROJECT, costs.read())
WHOLE = {"runner/errors.py", "games/core/state.py", "runner/files.py", "runner/worker_processes.py", "tests/cli/command.py"} | {
    "pyproject.toml",
    "tests/conftest.py",
}


def touched(path: str) -> Choice:
    """What is chosen when a line has been added to a file."""
    text = PROJECT.text(path)
    return choose(Reach(SUITE, [Change(path, text, f"{text}\n# More.\n")]).candidates())


# -- what has changed --------------------------------------------------------------------------------------------------------


class Checkout:
    """A repository of its own, with a first commit on `main`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.git("init", "-q", "-b", "main")
        for name, value in (("name", "Ann"), ("email", "ann@example.org")):
            self.git("config", f"user.{name}", value)
        self.write("a.py", "a = 1\n")
        self.write("b.py", "b = 1\n")
        self.commit()

    def git(self, *words: str) -> None:
        subprocess.run(("git", *words), cwd=self.root, check=True, capture_output=True)

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, encoding="utf-8")

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", "More")

    @property
    def changed(self) -> dict[str, tuple[str, str]]:
        return {change.path: (change.before, change.now.strip()) for change in changes(self.root)}


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_the_tree_the_index_new_files_and_commits_since_main_count(checkout: Checkout) -> None:
    checkout.git("checkout", "-qb", "work")
    checkout.write("a.py", "a = 2\n")
    checkout.commit()
    checkout.write("b.py", "b = 2\n")
    checkout.git("add", "b.py")
    checkout.write("b.py", "b = 1\n")
    checkout.write("a name of blanks é.txt", "new")
    assert checkout.changed == {
        "a.py": ("a = 1", "a = 2"),
        "b.py": ("b = 1", "b = 1"),
        "a name of blanks é.txt": ("", "new"),
    }


def test_a_file_that_is_gone_and_its_new_name_both_count(checkout: Checkout) -> None:
    checkout.git("mv", "a.py", "c.py")
    assert checkout.changed == {"a.py": ("a = 1", ""), "c.py": ("", "a = 1")}


def test_a_clone_has_the_commits_that_its_upstream_lacks(checkout: Checkout) -> None:
    clone = Checkout.__new__(Checkout)
    clone.root = checkout.root / "clone"
    checkout.git("clone", "-q", ".", "clone")
    clone.write("a.py", "a = 3\n")
    subprocess.run(("git", "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qam", "x"), cwd=clone.root, check=True)
    assert clone.changed == {"a.py": ("a = 1", "a = 3")}


def test_when_nothing_differs_the_last_commit_counts(checkout: Checkout) -> None:
    checkout.write("a.py", "a = 4\n")
    checkout.commit()
    assert checkout.changed == {"a.py": ("a = 1", "a = 4")}


# -- what depends on what ----------------------------------------------------------------------------------------------------


def test_every_import_is_a_dependency() -> None:
    for name, path in [*modules().items()][::6]:
        here = path.relative_to(ROOT).as_posix()
        for target in imported(path):
            found = target if target in modules() else target.rpartition(".")[0]
            if found in modules() and found != name:
                assert modules()[found].relative_to(ROOT).as_posix() in PROJECT.direct[here], (here, target)


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("runner/errors.py", "tests/llm/test_failures.py"),
        ("games/coup/transitions.py", "tests/contract/test_playthroughs.py"),
        ("prompts/shared/system.j2", "tests/prompting/test_built_in.py"),
        ("decks/situations.json", "tests/games/dixiquote/test_situation_deck.py"),
        ("docs/bots.md", "tests/docs/test_seat_examples.py"),
        ("docs/play.md", "tests/docs/test_examples.py"),
        ("docs/examples/bot.py", "tests/docs/test_seat_examples.py"),
        ("docs/log.schema.json", "tests/record/test_format.py"),
        ("docs/pictures/coup.svg", "tests/docs/test_examples.py"),
        ("runner/match/records.py", "tests/record/test_format.py"),
        ("runner/export/page/page.css", "tests/export/test_export.py"),
        ("runner/workshop/skeleton/package/state.py.txt", "tests/packaging/test_new_game.py"),
        ("tests/cli/command.py", "tests/record/test_resume.py"),
        ("tests/record/victim.py", "tests/record/test_kill.py"),
        ("tests/terminal/goldens/coup-60.txt", "tests/terminal/test_goldens.py"),
        ("tests/contract/playthroughs/coup-house.txt", "tests/contract/test_playthroughs.py"),
        ("tests/conftest.py", "tests/cli/test_output.py"),
        ("tools/log_schema.py", "tests/record/test_format.py"),
        ("integrations/verifiers/tabletop_v1/env.py", "tests/integrations/test_verifiers.py"),
        ("games/coup/RULES.md", "tests/contract/test_every_game.py"),
        (".ci/run", "tests/packaging/test_packages.py"),
        ("games/coup/choices.py", "tests/recipes/test_recipes.py"),
        ("games/coup/bluffs.py", "tests/tools/test_faults.py"),
    ],
)
def test_what_a_file_can_break(path: str, test: str) -> None:
    assert path in PROJECT.files
    assert path in PROJECT.distances(test)


def test_no_loader_or_reader_is_gone() -> None:
    assert {*LOADERS, *READERS.values(), PATCHES} <= PROJECT.files


# -- words -------------------------------------------------------------------------------------------------------------------

LONG = "It is long enough to have words of its own"


@pytest.fixture
def wording() -> Wording:
    change = Change("games/x.py", f'def f():\n    return "{LONG}"\n', 'def f():\n    return "It is short"\n')
    return Wording([change], Corpus([text_of(f'assert "{LONG}, and more"'), text_of("def test_f(): pass")]))


def test_a_text_quotes_words_that_a_change_takes_away(wording: Wording) -> None:
    assert wording.quoting(text_of('"enough to have"')) == 1.0
    assert wording.quoting(text_of('"have enough to"', "It is short")) == 0.0


def test_a_text_is_like_a_change_by_the_names_that_few_have(wording: Wording) -> None:
    assert wording.likeness(text_of("long words")) > wording.likeness(text_of("nothing shared")) == 0.0


# -- what is chosen ----------------------------------------------------------------------------------------------------------


def test_a_deck_is_part_of_its_game() -> None:
    assert PROJECT.games_of("decks/situations.json") == {"dixiquote"}
    assert PROJECT.games_of("games/coup/view.py") == PROJECT.games_of("prompts/coup/rules.j2") == {"coup"}
    assert PROJECT.games_of("games/core/state.py") == PROJECT.games_of("runner/errors.py") == frozenset()


@pytest.mark.parametrize("path", sorted(WHOLE))
def test_what_nearly_everything_depends_on_brings_tests_of_many_rooms(path: str) -> None:
    modules = touched(path).modules
    assert len(modules) >= 10
    assert len({module.split("/")[1] for module in modules}) >= 4


@pytest.mark.parametrize(
    "path", ["games/core/state.py", "games/coup/transitions.py", "games/oriflamme/cards/spy.py", "decks/situations.json"]
)
def test_rules_bring_the_contract_and_the_playthroughs(path: str) -> None:
    assert {"tests/contract/test_every_game.py", "tests/contract/test_playthroughs.py"} <= {*touched(path).modules}


def test_the_rules_of_a_game_bring_the_pages_that_play_it() -> None:
    pages = {one.name.partition("[")[2] for one in touched("games/coup/transitions.py").run if "claim[" in one.name}
    assert {"README.md]", "docs/play.md]", "docs/log.md]", "docs/how-a-decision-is-made.md]"} <= pages


def test_the_rules_of_a_game_bring_no_test_that_is_named_for_another() -> None:
    choice = touched("games/coup/transitions.py")
    assert [one.name for one in choice.run if "riflamme" in one.name or "dixi" in one.name.lower()] == []
    assert "--deselect=tests/contract/test_every_game.py::TestDixiQuote" in arguments(choice)
    assert "tests/games/coup/test_coup_rules.py" in choice.modules


def test_words_bring_the_pages_that_print_them() -> None:
    path = "games/coup/choices.py"
    text = PROJECT.text(path)
    change = Change(path, text, text.replace("nobody can stop it", "it cannot be stopped"))
    names = {one.name for one in choose(Reach(SUITE, [change]).candidates()).run}
    assert "tests/prompting/test_coup.py" in names
    assert "tests/docs/test_examples.py::test_examples_print_what_they_claim[docs/play.md]" in names


def test_a_test_that_has_changed_is_run_whatever_it_costs() -> None:
    assert "tests/cli/test_folder_modules.py" in touched("tests/cli/test_folder_modules.py").modules


@pytest.mark.parametrize("path", ["CHANGELOG.md", ".gitignore", "constraints-ray.txt"])
def test_any_change_brings_at_least_the_layers(path: str) -> None:
    assert {*ALWAYS} <= {*touched(path).modules}


def test_a_module_that_is_gone_is_within_reach_of_its_importers() -> None:
    project = Project(gone=["runner/llm/address.py"])
    assert "runner/llm/address.py" in project.distances("tests/llm/test_secrets.py")


def test_the_most_worth_for_its_time_is_chosen_and_the_rest_is_named() -> None:
    choice = choose(
        [
            Candidate("t/a.py", "", 5.0, 10.0),
            Candidate("t/a.py", "t/a.py::x", 4.0, 9.0),
            Candidate("t/b.py", "", 2.0, 1.0),
            Candidate("t/b.py", "t/b.py::y", 1.0, 8.0),
            Candidate("t/b.py", "t/b.py::beside", 0.0, 0.0),
            Candidate("t/c.py", "", 99.0, MUST),
        ],
        seconds=9.0,
    )
    assert {one.name for one in choice.run} == {"t/c.py", "t/b.py", "t/b.py::y", "t/a.py"}
    assert sorted(arguments(choice)) == ["--deselect=t/a.py::x", "--deselect=t/b.py::beside", "t/a.py", "t/b.py", "t/c.py"]
    assert told(choice.left_out) == (
        "Left out, though the change is within their reach: t 1 (about 4 s). "
        "`python -m tools.quick --left-out` names them, `make test` runs them.\n"
    )
    assert told([]) == ""


def test_a_dear_test_of_a_class_brings_the_class() -> None:
    choice = choose([Candidate("a", "", 1.0, 1.0), Candidate("a", "a::T", 1.0, 1.0), Candidate("a", "a::T::x", 1.0, 50.0)], 3.0)
    assert {one.name for one in choice.run} == {"a", "a::T", "a::T::x"}


def test_what_is_chosen_for_a_room_takes_about_a_minute() -> None:
    for path in ("runner/llm/retry_policy.py", "runner/match/loop.py", "runner/screen/panes.py", "games/coup/actions.py"):
        if path in PROJECT.files:
            assert sum(one.seconds for one in touched(path).run) <= 70


# -- costs -------------------------------------------------------------------------------------------------------------------


def test_costs_are_read_as_they_were_written(tmp_path: Path) -> None:
    spent = {
        "a.py::x": (0.1, 0.1),
        "a.py::y": (0.1, 0.1),
        "a.py::z[a b]": (3.0, 4.0),
        "b.py::waits": (0.0, 10.0),
        "a.py::T::q[::]": (0.1, 0.1),
    }
    file = tmp_path / "costs.txt"
    file.write_text(costs.written(costs.evened(spent)))
    assert costs.read(file) == {"a.py": 0.2, "a.py::z[a b]": 3.0, "b.py::waits": 2.3, "a.py::T": 0.1}
    assert costs.read(tmp_path / "none.txt") == {}


def test_most_modules_of_tests_have_a_known_cost() -> None:
    known = {name.partition("::")[0] for name in costs.read()}
    assert len(known & {*PROJECT.tests}) > 0.8 * len(PROJECT.tests), "make costs measures them"


# -- the command -----------------------------------------------------------------------------------------------------------


def test_the_list_needs_nothing_but_python_and_pytest(tmp_path: Path) -> None:
    own = set(sys.stdlib_module_names) | {
        "tools",
        "_pytest",
        "pytest",
        "pluggy",
        "iniconfig",
        "packaging",
        "pygments",
        "py",
    }
    code = "import sys; from tools import quick; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run(
        (sys.executable, "-c", code), cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    loaded: Sequence[str] = [name for name in done.stdout.split() if not name.startswith("_")]
    assert {"games", "runner", "pydantic", "rich", "typer"} & {*loaded} == set()
    assert [name for name in loaded if name not in own and name != "sitecustomize"] == []
