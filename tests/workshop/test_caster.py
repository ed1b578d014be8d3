"""The caster: each of its sentences stands on facts that the view may know, on every way to show a match, or is not shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import games
from games.core import PHASE, State
from games.core.sentence import labelled
from games.highlights import remarked, remarks_on
from runner.agents.environment import Environment
from runner.film.perspective import Perspective
from runner.prompting.pack import PromptPack
from runner.prompting.vocabulary import stems_of
from runner.record.decisions import DecisionList, highlights_of
from runner.record.reader import read_sound_part
from runner.screen.replay_page import Page
from runner.screen.replay_viewer import Viewer
from runner.workshop.caster import MOST_MOMENTS, Caster, Facts, Moment, stands
from tests.cli.command import complaint, tabletop
from tests.review.judging import StandIn, served
from tests.screen.drawing import drawn
from tests.screen.terminal import Terminal
from tests.screen.test_live_controls import played

PLAY = (
    "play",
    "coup",
    "--seat",
    "ada=bot:steady",
    "--seat",
    "ada2=bot:random",
    "--seat",
    "bob=bot:steady",
    "--seed",
    "5",
    "-q",
)
FACT = re.compile(r'^(\d+): "(.*)"$', re.MULTILINE)
SAID = re.compile(r"caster, some: (.*)")
RIGHT, WRONG, LOOSE = "What a turn", "Nobody expected it", "How lovely"
HOSTILE = "\u202e[bold]what a[/bold] <script>turn</script>"


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("played")
    assert tabletop(folder, *PLAY, "--log", "a.jsonl").returncode == 0
    return (folder / "a.jsonl").read_bytes()


@pytest.fixture
def log(tmp_path: Path, content: bytes) -> Path:
    (tmp_path / "a.jsonl").write_bytes(content)
    return tmp_path / "a.jsonl"


def sentences(system: str, user: str) -> str:
    """On the last fact: a sentence about somebody else, one without facts, a hostile one, a right one, one without a fact."""
    number, fact = FACT.findall(user)[-1]
    cited = [int(number)]
    who = re.findall(r"\b(ada2|ada|bob)\b", fact) or ["The"]
    other = next(name for name in ("bob", "ada", "ada2") if name not in who)
    found = [(f"{WRONG} of {other}.", cited), (f"{LOOSE}, {who[0]}.", []), (f"{HOSTILE} for {who[0]}.", cited)]
    found += [(f"{RIGHT}, {who[0]}.", cited), (f"{LOOSE}, {who[0]}.", [int(number) + 1])]
    return json.dumps({"sentences": [{"text": text, "facts": facts} for text, facts in found]})


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    with served(StandIn(sentences)) as found:
        yield found


def check(lines: list[str]) -> None:
    """Two sentences a highlight: the right one, and the hostile one without what it does to a terminal or a page."""
    assert 2 <= len(lines) <= 2 * MOST_MOMENTS
    for hostile, right in zip(lines[::2], lines[1::2], strict=True):
        assert hostile.startswith("[bold]what a[/bold] <script>turn</script> for ")
        assert right.startswith(f"{RIGHT}, ")


def test_a_piped_replay_prints_what_stands_below_its_decision_and_changes_no_log(log: Path, stand_in: StandIn) -> None:
    before, plain = log.read_bytes(), tabletop(log.parent, "replay", log.name)
    done = tabletop(log.parent, "replay", log.name, "--caster", f"some@{stand_in.url}")
    assert (done.returncode, done.stderr) == (0, "")
    check(SAID.findall(done.stdout))
    assert [line for line in done.stdout.splitlines() if "caster, " not in line] == plain.stdout.splitlines()
    assert (log.read_bytes(), [file.name for file in log.parent.iterdir()]) == (before, ["a.jsonl"])
    first = next(place for place, line in enumerate(done.stdout.splitlines()) if "caster, " in line)
    assert any("✦" in line for line in done.stdout.splitlines()[first - 3 : first])
    assert len(stand_in.asked) <= MOST_MOMENTS


def test_a_page_has_the_comments_as_text_of_a_model(log: Path, stand_in: StandIn) -> None:
    done = tabletop(log.parent, "export", log.name, "--html", "-o", "-", "--caster", f"some@{stand_in.url}")
    assert done.returncode == 0, done.stderr
    data = json.loads(re.findall(r'<script type="application/json" id="data">(.*?)</script>', done.stdout, re.DOTALL)[0])
    found = [
        [data["texts"][line[1]] for step in data["steps"] for line in step["seen"][eye][1] if line[0] == "caster"]
        for eye in range(len(data["eyes"]))
    ]
    check([text.removeprefix("caster, some: ") for text in found[0]])
    assert not any(found[1:])
    assert "<script>turn" not in done.stdout


def test_who_watches_is_told_of_the_last_highlight_of_what_has_happened(log: Path, stand_in: StandIn) -> None:
    done = tabletop(log.parent, "watch", log.name, "--plain", "--caster", f"some@{stand_in.url}")
    assert (done.returncode, len(stand_in.asked)) == (0, 1)
    check(SAID.findall(done.stdout))


@pytest.mark.parametrize("verb", [["watch", "--view", "public"], ["replay", "--at", "1000"]])
def test_a_screen_shows_them_marked_and_waits_for_none(verb: list[str], log: Path, stand_in: StandIn) -> None:
    decisions = sum('"kind":"decision"' in line for line in log.read_text(encoding="utf-8").splitlines())
    words = [str(decisions) if word == "1000" else word for word in verb]
    screen = Terminal(words[0], log.name, *words[1:], "--caster", f"some@{stand_in.url}", folder=log.parent, height=50)
    screen.wait_for("caster, some: [bold]what a[/bold] <script>turn</script>")
    screen.type("q")
    assert screen.ended() == 0


@pytest.mark.parametrize("verb", ["watch", "replay"])
def test_nobody_waits_for_a_caster_that_does_not_answer(verb: str, log: Path) -> None:
    screen = Terminal(verb, log.name, "--caster", "offline/slow", folder=log.parent, height=50)
    screen.wait_for("Press any key to go on." if verb == "watch" else "? keys")
    screen.type("q")
    assert screen.ended() == 0


@pytest.mark.parametrize("verb", [["replay"], ["export", "--html", "-o", "-"], ["watch", "--plain"]])
def test_without_a_key_one_sentence_says_so_and_all_else_is_as_without_a_caster(verb: list[str], log: Path) -> None:
    plain, done = (tabletop(log.parent, verb[0], log.name, *verb[1:], *more) for more in ((), ("--caster", "vendor/model")))
    assert (done.returncode, done.stdout) == (0, plain.stdout)
    note, _, rest = done.stderr.partition("\n")
    assert note == (
        "Note: there is no caster. vendor/model needs a key: put OPENROUTER_API_KEY=... into .env or the environment."
    )
    assert rest == plain.stderr


def test_the_offline_model_says_nothing_that_stands(log: Path) -> None:
    done = tabletop(log.parent, "replay", log.name, "--caster", "offline")
    assert (done.returncode, done.stderr) == (0, "")
    assert "caster" not in done.stdout


def test_a_budget_ends_the_comments_and_nothing_else(log: Path) -> None:
    with served(StandIn(sentences, cost=0.04)) as stand_in:
        done = tabletop(log.parent, "replay", log.name, "--caster", f"some@{stand_in.url}")
    assert (done.returncode, len(stand_in.asked)) == (0, 1)
    assert done.stderr.startswith("Note: the caster has stopped: the budget of 0.05 USD has ")
    check(SAID.findall(done.stdout))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["replay", "a.jsonl", "--caster", "bot:steady"], '--caster "bot:steady" is not a model: only a model can comment'),
        (["replay", "a.jsonl", "--budget", "1"], "--budget is for the caster: add --caster SPEC."),
        (["replay", "a.jsonl", "--verify", "--caster", "offline"], "--caster comments on one match that is shown to people"),
        (
            ["watch", "a.jsonl", "--json-events", "--caster", "offline"],
            "--caster comments on one match that is shown to people",
        ),
        (["export", "a.jsonl", "--csv", "--caster", "offline"], "--caster comments on one match that is shown to people"),
    ],
)
def test_what_cannot_be_commented_on_is_refused(words: list[str], why: str, log: Path) -> None:
    done = tabletop(log.parent, *words)
    assert done.returncode == 2
    assert complaint(done).startswith(f"tabletop: {why}")


def test_comments_are_shown_in_the_view_that_the_caster_had(log: Path) -> None:
    viewer = Viewer(DecisionList(read_sound_part(log)), Perspective(sees_all=True), comments={1: ["caster, x: Duke."]})
    viewer.go(1)
    assert "caster, x: Duke." in drawn(Page(viewer), 100, height=30)
    viewer.turn(1)
    assert "caster" not in drawn(Page(viewer), 100, height=30)


def test_a_live_screen_tells_only_what_its_view_may_know() -> None:
    screen, _ = played()
    everything, public = Perspective(sees_all=True), Perspective()
    for view, seen, is_told in ((everything, everything, True), (public, everything, False), (public, public, True)):
        if f"view v {view.name}" not in drawn(screen.page(), 200, height=40):
            screen.press("v")
        screen.viewer.comment(f"caster, x: {view.name} {seen.name}.", seen)
        screen.draw()
        assert (f"caster, x: {view.name} {seen.name}." in drawn(screen.page(), 200, height=40)) is is_told


@pytest.mark.parametrize("view", ["all", "public", "P-1"])
def test_a_moment_is_a_highlight_of_the_view(view: str, log: Path) -> None:
    found = read_sound_part(log)
    caster = Caster("offline", Environment(), found.header, Perspective.of(view, 3))
    moments = caster.moments(found)
    highlights = highlights_of(found, view == "all")
    said = {(one.number, remarked(labelled(one.event, caster.labels), one.remark.text)) for one in highlights}
    assert {(one.number, one.facts[one.place - 1]) for one in moments} <= said
    assert [one.number for one in moments] == sorted({one.number for one in moments})
    assert len(moments) == min(MOST_MOMENTS, len({one.number for one in highlights})) > 0


NAMES, STEMS = ("ada", "ada 2", "P-0", "P-1"), stems_of("coup", PromptPack())
FACTS = "ada 2 does not have Duke (bluff caught).\nada 2 pays 7 coins and blocks ada."


@pytest.mark.parametrize(
    ("text", "is_shown"),
    [
        ("Caught: ada 2 had no Duke!", True),
        ("The Duke was never there, and seven coins are gone.", True),
        ("Ada 2's blocking was a bluff.", True),
        ("Bob had no Duke.", False),
        ("ada 2 had no Captain.", False),
        ("ada 2 had no captain.", False),
        ("ada 2 pays 8 coins.", False),
        ("ada 2 pays twice.", False),
        ("P-1 pays.", False),
        ("ada 2 is challenged.", False),
        ("ada 2 beats Анна.", False),
        ("ada 2 pays ½ of it.", False),
        ("What a lovely evening.", False),
    ],
)
def test_a_sentence_says_no_more_of_whom_what_and_how_many_than_its_facts(text: str, is_shown: bool) -> None:
    assert stands(text, FACTS, NAMES, STEMS) is is_shown


def test_a_name_within_another_one_is_another_player() -> None:
    assert not stands("ada pays.", "ada 2 pays 7 coins.", NAMES, STEMS)
    assert stands("ada pays.", "ada pays 7 coins.", NAMES, STEMS)


@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize("view", ["public", "P-0", "P-1"])
def test_facts_are_what_the_view_may_know(game: str, view: str) -> None:
    """Of every event and remark of a match the caster has exactly those that its view may know."""
    state: State = games.load(game).begin(seed=3)
    seen, known, hidden = Perspective.of(view, state.setup.players), set[str](), set[str]()
    facts, rng = Facts(seen, ()), games.core.Rng.of("caster", game)
    number, moments = 0, list[Moment]()
    while not state.has_ended and number < 150:
        state, number = rng.choice(state.actions).next_state, number + 1
        remarks = remarks_on(state, state.events)
        for place, event in enumerate(state.events):
            of: list[Any] = [one for one in remarks if one.event == place]
            public = [one.text for one in of if one.is_public]
            (known if event.kind != PHASE and event.reaches(seen.seat) else hidden).add(labelled(event, ()))
            known |= {remarked(labelled(event, ()), *public)} if event.reaches(seen.seat) else set()
            hidden |= {one.text for one in of if not one.is_public and one.text}
        if (found := facts.take(number, state.events, remarks)) is not None:
            moments.append(found)
    told = {fact for moment in moments for fact in moment.facts}
    bare = {fact for fact in told if "(" not in fact}
    assert bare <= known
    assert not {fact for fact in told if any(fact.endswith(f"({secret}).") for secret in hidden - known)}
