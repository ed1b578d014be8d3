"""Prompt packs: overriding, the sandbox, what is in reach, and complaints that name file and line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import games
from runner.errors import UsageError
from runner.prompting.pack import PromptPack, prompt_context

VOTER = "dixiquote/voter.j2"


def context() -> dict[str, Any]:
    state = games.load("dixiquote").begin(seed=1)
    seat = state.pending[0]
    return prompt_context(state.view(seat), state.question(seat), {}, False)


def pack(folder: Path, text: str, name: str = VOTER) -> PromptPack:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return PromptPack(folder)


def test_a_folder_overrides_one_file_and_the_rest_is_built_in(tmp_path: Path) -> None:
    mine = pack(tmp_path, '{% call message("user") %}Mine for {{ me | seat }}{% endcall %}')
    assert mine.render("dixiquote", "voter", context()) == [{"role": "user", "content": "Mine for P-0"}]
    mine, built_in = mine.digests("dixiquote"), PromptPack().digests("dixiquote")
    assert {name for name in built_in if mine[name] != built_in[name]} == {VOTER}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{% call message("user") %}\n\n{{ view.nonesuch }}{% endcall %}', ["voter.j2, line 3", "nonesuch"]),
        ('{% call message("user") %}\n{{ mispelt }}{% endcall %}', ["voter.j2, line 2", "mispelt"]),
        ('{% call message("user") %}{% if %}{% endcall %}', ["voter.j2, line 1"]),
        ('{% call message("king") %}x{% endcall %}', ["king", "system, user, assistant"]),
        ("{# a remark #}\njust words", ["voter.j2, line 2", "outside of its messages"]),
        ('{% include "nonesuch.j2" %}', ["nonesuch.j2"]),
        ('{% call message("user") %}{{ view.__class__.__mro__ }}{% endcall %}', ["voter.j2, line 1"]),
        ('{% call message("user") %}{{ view.update(a=1) }}{% endcall %}', ["voter.j2, line 1"]),
        ('{% call message("user") %}{{ ""["__cla" ~ "ss__"] }}{% endcall %}', ["voter.j2, line 1"]),
        ('{% call message("user") %}{{ "{0.__class__}".format(view) }}{% endcall %}', ["voter.j2, line 1"]),
        ('{% call message("user") %}{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}{% endcall %}', ["without an end"]),
        ('{% call message("user") %}{{ 1 // 0 }}{% endcall %}', ["voter.j2, line 1"]),
        ('{% call message("user") %}{% for i in range(10**9) %}x{% endfor %}{% endcall %}', ["voter.j2", "Range too big"]),
    ],
)
def test_a_template_that_is_wrong_is_named_with_its_line(text: str, said: list[str], tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refusal:
        pack(tmp_path, text).render("dixiquote", "voter", context())
    assert [part for part in said if part not in str(refusal.value)] == []


def test_only_view_question_and_options_are_in_reach() -> None:
    assert set(context()) == {
        "view",
        "own",
        "me",
        "question",
        "fields",
        "options",
        "prints_schema",
        "lists_legal",
        "lists_singly",
        "prints_form",
        "notes",
        "told",
        "talk",
        "persona",
        "advice",
        "recap",
        "stated",
    }


def test_a_file_outside_of_the_pack_is_out_of_reach(tmp_path: Path) -> None:
    (tmp_path / "secret.j2").write_text("secret")
    with pytest.raises(UsageError, match="no prompt template"):
        pack(tmp_path / "pack", '{% include "../secret.j2" %}').render("dixiquote", "voter", context())


@pytest.mark.parametrize(("files", "size"), [(2_001, 0), (30, 199_000)])
def test_a_pack_that_is_too_large_is_refused(files: int, size: int, tmp_path: Path) -> None:
    folder = tmp_path / "many" / "dixiquote"
    folder.mkdir(parents=True)
    for number in range(files):
        (folder / f"{number}.j2").write_bytes(b"x" * size)
    with pytest.raises(UsageError, match=r"many is too large: it has more than 2000 files and folders or 5 MB"):
        PromptPack(tmp_path / "many").digests("dixiquote")


def test_the_template_is_named_whatever_it_lacks(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError,
        match=r"dixiquote/voter.j2, line 1 cannot be rendered with the pack .*: 'list' object has no attribute 'items'",
    ):
        pack(tmp_path, '{% call message("user") %}{{ [] | dictsort }}{% endcall %}').render("dixiquote", "voter", context())
