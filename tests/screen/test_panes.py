"""The panes of a match: they fill the terminal, stay where they are, and leave out hands before scores, quote and votes."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator
from functools import cache
from io import StringIO
from itertools import cycle, islice, takewhile

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

import games
from games.core import Game, State
from games.core.scene import Scene
from games.scenes import Heading, scene_of
from runner.agents.protocol import Agent, AgentReply, DecisionRequest, Report
from runner.film.perspective import Perspective
from runner.screen.live import LiveScreen
from runner.screen.narrator import Narrator
from runner.screen.pane_layout import Header, MatchBody, MatchPanes, MenuPane, TablePane
from runner.screen.scene_rich import SceneTable
from runner.screen.seat_states import SeatState, SeatStates
from runner.screen.story import Story
from tests.match.tables import bot, match
from tests.screen.drawing import drawn

SIZES = ((40, 20), (60, 24), (80, 24), (100, 30), (120, 40), (200, 50))
LABELS = ("─ Story ─", "Story ────", "─ Thoughts and talk ─", "─ Table ─")
NUMBER = re.compile(r"^ \d ")
CARD = re.compile(r"\b(fan|sci|sur|his)-\d\d\b")


def states(game: Game, players: int, seed: int) -> Iterator[State]:
    state, chance = game.begin(players, seed), random.Random(seed)
    yield state
    while not state.has_ended:
        state = chance.choice(state.actions).next_state
        yield state


@cache
def played(name: str, players: int) -> list[State]:
    """The states of a match."""
    return [*states(games.load(name), players, 1)]


def scene_of_names(state: State, view: str) -> Scene:
    names = tuple(f"P-{seat}" for seat in range(state.setup.players))
    return scene_of(state.game, Perspective.of(view, state.setup.players).visible(state, names))


def page(state: State, width: int, height: int, view: str = "all", minds: bool = True, choices: int | None = None) -> list[str]:
    """The rows of a page; with `choices` a person plays, who chooses among this number of them, or (0) is not asked."""
    players, story = state.setup.players, Story()
    menu = MenuPane([Text("\n".join(f"{choice}  choice {choice}" for choice in range(choices)))]) if choices else None
    table = TablePane(
        SceneTable(scene_of_names(state, view), has_story=True, has_menu=bool(choices), is_asked=choices is not None)
    )
    names = tuple(f"P-{seat}" for seat in range(players))
    story.tell([Text(f"line {number}") for number in range(60)])
    panes = MatchPanes(
        title=Header(state.game, Heading.of(state), seed=state.setup.seed),
        body=MatchBody(table, story, minds, menu=menu, is_played=choices is not None),
        seats=SeatStates([SeatState() for _ in names], 0.0, 3, (), names),
        footer=Text("0:00", justify="right"),
        asked=1 if choices else 0,
    )
    return drawn(panes, width, height=height).removesuffix("\n").split("\n")


def places(lines: list[str]) -> dict[str, tuple[int, int]]:
    """Where the title of each pane stands."""
    return {label: (row, line.index(label)) for row, line in enumerate(lines) for label in LABELS if label in line}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", games.names())
def test_panes_fill_the_terminal_and_stay_while_the_match_runs(game: str, size: tuple[int, int]) -> None:
    width, height = size
    shown, found = played(game, games.load(game).players[-1]), set()
    for state in shown[:: max(1, len(shown) // 2)]:
        lines = page(state, width, height)
        assert len(lines) == height
        assert {cell_len(line) for line in lines} == {width}
        assert "line 59" in "\n".join(lines)
        found.add(tuple(places(lines).items()))
    assert len(found) == 1
    assert ("─ Table ─" in dict(*found)) == (width >= 110)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (100, 50)])
@pytest.mark.parametrize("game", games.names())
def test_a_question_moves_neither_the_story_nor_the_table(game: str, size: tuple[int, int]) -> None:
    rules = games.load(game)
    for players in (rules.players[0], rules.players[-1]):
        shown = [state for state in played(game, players) if not state.has_ended]
        for state, choices in zip(shown[:: max(1, len(shown) // 3)], cycle((5, 2))):
            still, lines = (page(state, *size, view="P-0", choices=number) for number in (0, choices))
            table = next(row for row, line in enumerate(still) if line.startswith("Table ─"))
            told = [line for line in still[1:table] if line.startswith("line ")]
            assert len(told) == table - 1 >= 3
            assert "line 59" in told[-1]
            assert lines[1 : table + 1] == still[1 : table + 1]
            rows = zip(lines[table + 1 : table + 6], still[table + 1 : table + 6], strict=True)
            assert all(one in (NUMBER.sub("   ", other), " " * size[0]) for one, other in rows), (lines, still)
            assert any(line.startswith("0  choice 0") for line in lines)


def test_the_rules_in_short_are_in_the_help() -> None:
    screen = LiveScreen(Console(file=StringIO(), width=100, height=40), Narrator(Perspective(sees_all=True)))
    asyncio.run(match("coup", [bot("coup")] * 3, 1, None, [screen]).run())
    assert "Bluff, and be the last player in" not in drawn(screen.page(), 100, height=40)
    screen.press("?")
    assert "Bluff, and be the last player in" in drawn(screen.page(), 100, height=40)


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("players", [6, 7, 8])
def test_dixiquote_for_many_shows_quote_cards_and_votes_and_no_bare_ids(players: int, width: int) -> None:
    height, with_cards = 24 if width == 80 else 20, 0
    first = takewhile(lambda state: state.round < 3, states(games.load("dixiquote"), players, 2))
    for state in islice(first, 0, None, 5):
        text = "\n".join(page(state, width, height))
        ids = [found for found in CARD.finditer(text) if text[found.end() :].lstrip(" ")[:1] in ("", "\n")]
        assert not ids
        assert "do not fit" not in text
        view = state.view(None)
        if view["quote"]:
            assert " says" in text
        for number, card in enumerate(view["table"], 1):
            assert re.search(rf"^ {number}  {re.escape(card['text'][:8])}", text, re.MULTILINE), text
        with_cards += bool(view["quote"] and view["table"])
    assert with_cards > 1


class Thinker(Agent):
    """A bot that answers once it is let."""

    needs_sync = False

    def __init__(self, agent: Agent, may_answer: asyncio.Event) -> None:
        self._agent = agent
        self._may_answer = may_answer

    async def answer(self, ask: DecisionRequest, report: Report) -> AgentReply:
        await self._may_answer.wait()
        return await self._agent.answer(ask, report)


async def test_seats_that_have_answered_say_so_while_one_before_them_thinks() -> None:
    may_answer, game = asyncio.Event(), "cat_in_the_box"
    console = Console(file=StringIO(), width=80, height=24, force_terminal=True, color_system=None)
    screen = LiveScreen(console, Narrator(Perspective(sees_all=True)))
    agents = [Thinker(bot(game), may_answer), bot(game), bot(game)]
    task = asyncio.create_task(match(game, agents, 1, None, [screen]).run())
    for _ in range(100):
        await asyncio.sleep(0)
    seats = drawn(screen.page(), 80, height=24).split("\n")[-3]
    assert re.search(r"Thinker . thinking .*BotAgent 1 ✓ answered .*BotAgent 2 ✓ answered", seats)
    may_answer.set()
    await task


def test_another_view_tells_the_story_again_as_it_may_know_it() -> None:
    async def shown() -> list[str]:
        console = Console(file=StringIO(), width=120, height=40, force_terminal=True, color_system=None)
        screen, game = LiveScreen(console, Narrator(Perspective(sees_all=True))), "cat_in_the_box"
        await match(game, [bot(game)] * 3, 1, None, [screen]).run()
        texts = [drawn(screen.page(), 120, height=200)]
        screen.press("v")
        return [*texts, drawn(screen.page(), 120, height=200)]

    all_views, public = asyncio.run(shown())
    assert "(it holds " in all_views
    assert "(it holds " not in public
    assert "plays a" in public


def test_lines_that_are_left_over_give_the_table_more_room() -> None:
    state = games.load("coup").begin(players=4, seed=3)
    seen = Perspective(sees_all=True).visible(state, ("ada", "bo", "cy", "di"))
    table = SceneTable(scene_of(games.load("coup"), seen), has_story=True)
    large = drawn(TablePane(table), 96, height=50)
    assert large.count("╭") == 8, "each card is drawn as a card"
    assert "\n".join(line.strip() for line in large.split("\n")).count("\n\nTurn 1") == 1, "a blank line between parts"
    assert drawn(TablePane(table), 96, height=14).count("╭") == 0
