"""Every phase of every game, as real terminals of five sizes show it."""

from __future__ import annotations

import itertools

import pytest
from rich.cells import cell_len

import games
from games.scenes import script_of
from tests.terminal.captures import HAS_TMUX, HEAD, SIZES, VOICES, file_of, goldens, voices
from tests.terminal.positions import chosen

CORNERS = ("╭╮", "┌┐", "┏┓", "┗┛")
KEPT = [pytest.param(game, width, id=f"{game}-{width}") for game in games.names() for width in SIZES]


def screens(game: str, width: int) -> dict[str, list[str]]:
    text = file_of(game, width).read_text(encoding="utf-8")
    parts = (part.rstrip("\n").split("\n") for part in f"\n{text}".split(f"\n{HEAD}")[1:])
    return {phase: lines for phase, *lines in parts}


@pytest.mark.skipif(not HAS_TMUX, reason="tmux is not installed: what a real terminal shows cannot be captured")
@pytest.mark.parametrize("width", SIZES)
def test_a_terminal_shows_what_is_kept(width: int) -> None:
    """`python -m tests.terminal --write` takes them anew; look at what changed."""
    found = goldens(width)
    assert set(found) == set(games.names())
    for game, text in found.items():
        assert text == file_of(game, width).read_text(encoding="utf-8"), f"{game} at {width} columns is drawn otherwise"


@pytest.mark.skipif(not HAS_TMUX, reason="tmux is not installed: what a real terminal shows cannot be captured")
@pytest.mark.parametrize("width", VOICES)
def test_a_terminal_shows_thoughts_and_talk_as_kept(width: int) -> None:
    assert voices(width) == file_of("voices", width).read_text(encoding="utf-8")


@pytest.mark.parametrize("width", VOICES)
def test_thoughts_and_talk_fit_the_terminal(width: int) -> None:
    shown = screens("voices", width)
    assert len(shown) == len(games.names())
    for lines in shown.values():
        text = "\n".join(lines)
        assert len(lines) <= VOICES[width]
        assert max(map(cell_len, lines)) <= width
        assert "do not fit" not in text
        assert " thinks: " in text
        is_high = VOICES[width] == max(VOICES.values())  # elsewhere the thoughts that follow fill the story
        assert "llama3: “I am only here for the coins.”" in text or not is_high


@pytest.mark.parametrize("game", games.names())
def test_every_phase_that_somebody_meets_is_among_them(game: str) -> None:
    shown = {position.phase for position in chosen()[game]}
    asked = {phase.name for phase in games.load(game).phases if phase.decides}
    assert shown >= asked, "python -m tests.terminal --write positions takes a screen of each"
    assert any("game over" in phase.casefold() for phase in shown)


@pytest.mark.parametrize(("game", "width"), KEPT)
def test_nothing_is_too_wide_broken_or_missing(game: str, width: int) -> None:
    kept = screens(game, width)
    assert [*kept] == [position.phase for position in chosen()[game]]
    for phase, lines in kept.items():
        assert len(lines) <= SIZES[width]
        assert max(map(cell_len, lines)) <= width
        assert all(line.count(left) == line.count(right) for line in lines for left, right in CORNERS)
        assert "do not fit" not in "\n".join(lines)
        if phase != [*kept][-1]:
            check_of_a_match(game, phase, lines, width)
        check_boards(lines)


PLAYERS = ("gpt-5-mini", "claude-haiku-4.5", "steady", "offline", "llama3", "random")
"""What the seats of the positions are called."""


def check_of_a_match(game: str, phase: str, lines: list[str], width: int) -> None:
    """The whole screen is used: header, panes, every seat with what it does, and what was spent."""
    assert len(lines) == SIZES[width]
    header = f"{games.load(game).title} · {games.load(game).round_word} "
    assert lines[0].startswith(header)
    titles = {one.name: script_of(games.load(game)).titles.get(one.id, one.name) for one in games.load(game).phases}
    assert titles[phase] in lines[0] or width == 40
    assert "seed " in lines[0] or width < 80
    assert any(story_of(lines)), f"the story of {phase} is empty"
    players = next(position.players for position in chosen()[game] if position.phase == phase)
    seats = " ".join(lines[-4:-1])
    assert all(name[:2] in seats for name in PLAYERS[:players]), "a name may be cut"
    assert "12 s" in seats
    assert all(word in lines[-1] for word in (" tokens, $", " of $2.50 · 0:12"))


def story_of(lines: list[str]) -> list[str]:
    """The lines of the story: below its title, within its pane where it has one."""
    row = next(row for row, line in enumerate(lines) if line.startswith("Story") or "─ Story ─" in line)
    left, right = 0, len(lines[row])
    if not lines[row].startswith("Story"):
        left = lines[row].index("╭", lines[row].index("Story ─") - 3) + 1
        right = lines[row].index("╮", left)
    last = -3 if left == 0 else None
    return [line[left:right].strip(" │") for line in lines[row + 1 : last] if line[left:right].strip(" │╰╯─")]


def check_boards(lines: list[str]) -> None:
    """Boards keep their right edge from the first line to the last."""
    for number, line in enumerate(lines):
        if line.startswith("┌"):
            edge = line.index("┐")
            board = [*itertools.takewhile(lambda row: row[:1] in "┌│├└", lines[number:])]
            assert all(row[edge] in "┐│┤┘" for row in board)
            assert board[-1][0] == "└"


def test_results_name_everything_at_every_width() -> None:
    for game, width in itertools.product(games.names(), SIZES):
        *_, (_, lines) = screens(game, width).items()
        text = "\n".join(lines)
        assert all(word in text for word in ("wins", "$0.0123"))
        named = ("result", "★ wins", "Score", "Inv", "Pen", "Tokens", "Cost", "13,023")
        assert all(word in text for word in named) or width == 40
        assert all(f"tabletop {verb} LOG" in text for verb in ("replay", "fork", "export"))
