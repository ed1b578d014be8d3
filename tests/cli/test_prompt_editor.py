"""The editor at the template line that worded a prompt: a pack of one's own, a built-in template, no editor."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.cli import prompt_editor
from runner.cli.prompt_editor import edit_prompt, written_at
from runner.errors import UsageError
from runner.prompting.pack import PromptPack
from runner.record.reader import read_log
from runner.workshop.new_pack import start_pack
from runner.workshop.prompted_decision import prompted_decision
from tests.cli.command import tabletop

EDITOR = """#!/bin/sh
printf '%s\\n' "$@" > opened
"""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("edited")
    words = ("--num-players", "2", "--seed", "1", "-q", "--log", "m.jsonl", "--max-turns", "2")
    assert tabletop(folder, "play", "coup", "--seat", "offline", "--seat", "bot:random", *words).returncode == 0
    return folder / "m.jsonl"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    editor = tmp_path / "editor"
    editor.write_text(EDITOR)
    editor.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"{editor} --wait")
    return tmp_path


def asked(log: Path) -> list[str]:
    """The lines of the first prompt that are sentences."""
    text = "\n".join(message["content"] for message in prompted_decision(read_log(log), 1).messages(PromptPack(), 1))
    return [line.strip() for line in text.splitlines() if len(line.strip()) > 40]


def test_every_fixed_sentence_of_a_prompt_is_found_in_its_template(log: Path) -> None:
    pack, found = PromptPack(), 0
    role = prompted_decision(read_log(log), 1).ask.question.role
    templates = [pack.source(name) for name in pack.names("coup")]
    for sentence in (one for one in asked(log) if any(one in source for source in templates)):
        name, line = written_at(pack, f"coup/{role}.j2", sentence)
        source = pack.source(name).splitlines()[line - 1]
        if sentence in pack.source(name):
            found += 1
            assert sentence in " ".join(source.split())
    assert found > 3


def test_a_part_of_a_wrapped_line_is_found_and_nothing_is_the_first_line() -> None:
    pack = PromptPack()
    name, line = next(
        (name, number)
        for name in pack.names("coup")
        for number, text in enumerate(pack.source(name).splitlines(), 1)
        if len(text) > 80 and "{" not in text
    )
    whole = pack.source(name).splitlines()[line - 1]
    assert written_at(pack, name, whole[20:70].strip()) == (name, line)
    assert written_at(pack, name, "") == (name, 1)
    assert written_at(pack, name, "❦") == (name, 1)


def test_a_part_of_a_wrapped_line_with_computed_words_is_found() -> None:
    pack, name = PromptPack(), "coup/rules.j2"
    places = {text: number for number, text in enumerate(pack.source(name).splitlines(), 1)}
    (line,) = (number for text, number in places.items() if text.startswith("A game of bluff for {{"))
    shown = "A game of bluff for 3 players, P-0 to P-2. Each player has face-down cards, called influences, that nobody"
    for width in (75, 40, 60):
        assert written_at(pack, name, shown[:width]) == (name, line)
    assert written_at(pack, name, shown[8:60]) == (name, line)


def test_a_built_in_template_is_copied_when_the_user_agrees(
    log: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = asked(log)[0]
    monkeypatch.setattr(prompt_editor, "is_agreed", lambda question: False)
    edit_prompt(log, 1, sentence)
    assert not (folder / "my-prompts").exists()
    monkeypatch.setattr(prompt_editor, "is_agreed", lambda question: True)
    edit_prompt(log, 1, sentence)
    option, place, path = (folder / "opened").read_text().splitlines()
    assert option == "--wait"
    assert (folder / path).is_relative_to(folder / "my-prompts")
    assert "tabletop prompts tweak my-prompts --game coup --on" in " ".join(capsys.readouterr().err.split())
    assert 1 <= int(place.removeprefix("+")) <= len((folder / path).read_text().splitlines())


def test_a_pack_of_ones_own_is_opened_unasked(log: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    role = prompted_decision(read_log(log), 1).ask.question.role
    start_pack(folder / "mine", None, (), [f"coup/{role}.j2"])
    template = folder / "mine" / "coup" / f"{role}.j2"
    template.write_text(template.read_text().replace("{% endcall", "\nThis sentence is mine alone.\n{% endcall", 1))
    words = ("--prompts", "mine", "--num-players", "2", "--seed", "1", "-q", "--log", "own.jsonl", "--max-turns", "2")
    assert tabletop(folder, "play", "coup", "--seat", "offline", "--seat", "bot:random", *words).returncode == 0
    monkeypatch.setattr(prompt_editor, "is_agreed", lambda question: pytest.fail(question))
    edit_prompt(folder / "own.jsonl", 1, "This sentence is mine")
    _, place, path = (folder / "opened").read_text().splitlines()
    assert Path(path).resolve() == template
    assert template.read_text().splitlines()[int(place[1:]) - 1] == "This sentence is mine alone."


@pytest.mark.parametrize(
    ("editor", "said"), [("", "No editor is named"), ("'vi", "is no command"), ("no-such-editor", "cannot be started")]
)
def test_a_missing_editor_is_a_sentence(
    editor: str, said: str, log: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", editor)
    monkeypatch.setattr(prompt_editor, "is_agreed", lambda question: True)
    with pytest.raises(UsageError, match=said):
        edit_prompt(log, 1, "")
