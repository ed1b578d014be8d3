"""Arguments that the command line rejects: one sentence with the option, the value and the remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner import child_processes
from tests.cli.command import complaint, tabletop, tabletop_process


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("play coup --seed x", '--seed "x": it has to be a whole number.'),
        ("play --seat bot:steady coup", "Unknown option --seat before GAME: see `tabletop play -h`."),
        ("play coup --sed 1", "Unknown option --sed: did you mean --seed?"),
        ("logs --zzz", "Unknown option --zzz: see `tabletop logs -h`."),
        ("play coup --mistakes 3", '--mistakes "3": it has to be 1 or less.'),
        ("play coup --seed", "--seed needs a value: see `tabletop play coup -h`."),
        ("play coup --quiet=3", "--quiet takes no value: see `tabletop play coup -h`."),
        ("resume", "No log is named, and there is no folder logs: name a log or a folder of logs."),
        ("pley", 'There is no command "pley": did you mean play?'),
        ("cuop", 'There is no command "cuop": did you mean coup?'),
        ("play coop", 'There is no game "coop": did you mean coup?'),
        ("play coup --seat bot:stedy", 'There is no bot "bot:stedy" for Coup: did you mean bot:steady?'),
        ("play coup --zzz", "Unknown option --zzz: see `tabletop play coup -h`."),
        ("play --out x", "--out is called --output now."),
        ("play coup --estimate", "--estimate is called --dry-run now."),
        ("tournament --estimate", "--estimate is called --dry-run now."),
        ("bench offline --estimate", "--estimate is called --dry-run now."),
        ("tournament --agents a,b", "--agents is called --seat now."),
        ("standings . --html page.html", "--html takes no file: write --html -o page.html."),
        ("export m.jsonl --png", "--png is gone: write `--svg -o FILE.png`."),
        ("logs --seat ada", "--seat is called --search now."),
        ("standings . --digests list", "--digests is called --check-digests now."),
        ("tournament --engine ray", "--engine is gone: `--ray` plays on Ray."),
        ("tournament --address 10.0.0.1:6379", "--address is gone: set RAY_ADDRESS, which `--ray` follows."),
        ("prompts list --game coup", "--game is gone: name the game alone, as in `tabletop prompts list GAME`."),
        ("prompts new mine --game coup", "--game is gone: name the game alone, as in `tabletop prompts new DIR GAME`."),
        (
            "prompts compare a b --game coup",
            "--game is gone: the game comes first, as in `tabletop prompts compare GAME PACK PACK...`.",
        ),
        ("play coup --speed -1", '--speed "-1": it has to be 0 or more.'),
        ("bench offline --budget 0", "--budget 0.0: expected more than 0 USD."),
        ("resume a.jsonl --seat", "--seat needs a value: see `tabletop resume -h`."),
        ("play coup --bellief", "Unknown option --bellief: did you mean --belief?"),
        ("resume a b", 'Too many words, from "b" on: see `tabletop resume -h`.'),
        ("logs --state odd", "--state \"odd\": it has to be one of 'finished', 'resumable', 'running', 'failed', 'damaged'."),
    ],
)
def test_a_word_that_cannot_be_taken_gets_one_sentence(words: str, sentence: str, tmp_path: Path) -> None:
    done = tabletop(tmp_path, *words.split())
    assert done.returncode == 2
    assert complaint(done) == f"tabletop: {sentence}"
    assert done.stderr.count("\n") == 1


def test_no_word_at_all_is_answered_with_the_help(tmp_path: Path) -> None:
    bare, verb = tabletop(tmp_path), tabletop(tmp_path, "play")
    assert (bare.returncode, bare.stdout[:15], bare.stderr) == (0, "Usage: tabletop", "")
    assert (verb.returncode, verb.stdout, verb.stderr.strip()[:20]) == (2, "", "Usage: tabletop play")


STATUSES = [("games", 0), ("play coup --seed x", 2), ("replay torn", 4), ("play coup --seat a/b", 5)]


@pytest.mark.parametrize(("words", "status"), STATUSES)
def test_a_process_of_its_own_prints_the_same_and_leaves_with_that_status(words: str, status: int, tmp_path: Path) -> None:
    (tmp_path / "torn").write_text("{}\n")
    own, here = tabletop_process(tmp_path, *words.split()), tabletop(tmp_path, *words.split())
    assert own.returncode == here.returncode == status
    assert (own.stdout, own.stderr) == (here.stdout, here.stderr)


def test_ctrl_c_while_the_command_is_loaded_ends_it_without_a_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(child_processes, "collect_seldom", interrupted)
    done = tabletop(tmp_path, "games")
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "tabletop: interrupted.\n")
