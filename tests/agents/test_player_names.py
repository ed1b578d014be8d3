"""NAME=SPEC: which texts name a player, which names there are, and where they are shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.core import Event
from games.core.sentence import labelled
from runner.agents.spec import (
    MOST_CELLS,
    Bot,
    Endpoint,
    Human,
    Named,
    Offline,
    Seat,
    cells,
    check_distinct,
    is_given,
    labels,
    name_fault,
    parse_spec,
    stands_for_seat,
    with_pack,
)
from runner.errors import UsageError
from runner.screen.narrator import event_line
from runner.screen.seat_labels import labels_of, reader_of

SPECS = (
    "openai/gpt-5-mini",
    "offline",
    "offline/illegal",
    "bot:steady",
    "human",
    "calm",
    "small@http://127.0.0.1:1/v1?api-version=1&x=2",
    "small@http://127.0.0.1:1/v1?a=b+pack:c=d",
    "offline+pack:folder=1",
)
WORDS = st.text(st.characters(categories=("L", "M", "N", "Zs", "P")), max_size=30)


@pytest.mark.parametrize("spec", SPECS)
def test_a_name_stands_before_a_spec_and_changes_nothing_else(spec: str) -> None:
    bare, named = parse_spec(spec), parse_spec(f"ada = {spec}")
    assert (bare.player, bare.named_text) == ("", spec)
    assert (named.player, named.text, named.named_text) == ("ada", spec, f"ada={spec}")
    assert type(named) is type(bare)
    assert named.pack == bare.pack


@given(WORDS, st.sampled_from(SPECS))
def test_every_allowed_name_can_be_given(name: str, spec: str) -> None:
    if name_fault(name) is None and name == name.strip():
        assert (parse_spec(f"{name}={spec}").player, parse_spec(f"{name}={spec}").text) == (name, spec)
        assert cells(name) <= MOST_CELLS
        assert "\n" not in name


@pytest.mark.parametrize(
    "name", ["P-2", "p2", "P_2", "2", "Ｐ-2", "human", "offline", "a,b", "a\tb", "-a", "x" * 21, "界" * 11, ""]
)
def test_a_name_is_no_seat_no_kind_of_player_and_short(name: str) -> None:
    assert name_fault(name) is not None


@pytest.mark.parametrize("name", ["ada", "Ada L.", "gpt-5.1", "x" * 20, "界" * 10, "हिन्दी", "Zoë_2"])
def test_a_name_may_be_of_any_script(name: str) -> None:
    assert name_fault(name) is None


def test_a_pack_of_its_own_keeps_the_name() -> None:
    assert with_pack(parse_spec("ada=offline"), None).player == "ada"
    assert with_pack(parse_spec("ada=offline"), Path("mine")).named_text == "ada=offline+pack:mine"


@pytest.mark.parametrize(
    ("seat", "label"),
    [
        (Seat(Bot("bot:steady", None, "steady"), "bot:steady", "bot", {}), "steady"),
        (Seat(Human("human", None), "human", "human", {}), "human"),
        (Seat(Offline("offline", None, "offline"), "offline model (my-pack)", "offline", {}), "offline"),
        (Seat(Offline("offline", None, "offline"), "offline", "offline", {}), "offline"),
        (Seat(Endpoint("small@http://h/v1", None, "small", "http://h/v1"), "small", "model", {}), "small"),
        (Seat(Endpoint("small@http://h/v1", None, "small", "http://h/v1"), "ada", "model", {}), "ada"),
        (Seat(Named("calm", None, "calm"), "calm", "model", {}), "calm"),
        (Seat(Named("calm", None, "calm"), "Ada", "model", {}), "Ada"),
    ],
)
def test_a_given_name_stands_in_place_of_the_seat(seat: Seat, label: str) -> None:
    assert labels([seat]) == (label,)
    assert is_given("ada", seat.spec)


def test_players_of_one_name_have_a_number_and_a_person_reads_you() -> None:
    calm, person = Seat(Named("calm", None, "calm"), "calm", "model", {}), Seat(Human("human", None), "human", "human", {})
    assert labels([calm, person, calm]) == ("calm 1", "human", "calm 2")
    assert labels_of([calm, person]) == ("calm", "human")
    assert (reader_of([calm, person], 1), reader_of([calm, person], 0), reader_of([calm, person], None)) == (1, None, None)
    assert labels_of([calm, person], 1) == ("calm", "you")


@pytest.mark.parametrize(
    ("specs", "names"),
    [
        (("openai/gpt-5-mini", "openai/gpt-5-mini", "x/gpt-5"), ("gpt-5-mini 1", "gpt-5-mini 2", "gpt-5")),
        (("bot:steady", "steady 1=bot:random", "bot:steady"), ("steady 2", "steady 1", "steady 3")),
        (("ada=offline", "offline", "bot:search:50", "py:bots:Ada"), ("ada", "offline", "search:50", "bots:Ada")),
        (("gguf:/models/qwen3-0.6b.gguf", "cmd:python3 tools/mine.py"), ("qwen3-0.6b", "mine.py")),
        (("x/P-1", "x/2"), ("P-1 1", "2 1")),
        (("p", "p", "x/P_"), ("p #1", "p #2", "P_")),
    ],
)
def test_players_without_a_name_have_a_short_one_of_what_plays(specs: tuple[str, ...], names: tuple[str, ...]) -> None:
    spec_of = map(parse_spec, specs)
    assert labels([Seat(spec, spec.player or spec.default_name, "test", {}) for spec in spec_of]) == names


@given(st.lists(st.text(min_size=1, max_size=30), min_size=2, max_size=8))
@example([" ", " "])
@example(["P", "p", "p #1"])
def test_no_two_players_have_one_name_and_none_that_of_a_seat(specs: list[str]) -> None:
    found = labels([{"spec": spec, "name": spec, "kind": "model"} for spec in specs])
    assert len({name.casefold() for name in found}) == len(specs)
    assert not any(map(stands_for_seat, found))


def test_two_seats_have_no_name_in_common() -> None:
    ada, other = (Seat(parse_spec(text), name, "offline", {}) for text, name in [("ada=offline", "ada"), ("offline", "Ada")])
    check_distinct([other, other])
    with pytest.raises(UsageError, match=r"Two players are called .* P-0 and P-1"):
        check_distinct([ada, other])


@given(st.text(max_size=40).map(lambda text: f"<{text} P-1>"))
def test_labels_enter_the_words_of_the_rules_and_not_those_of_players(said: str) -> None:
    event = Event("quote", f"P-0 says: “{said}” to P-1 and P-10.", {"seat": 0, "quote": [said]})
    assert labelled(event, ("ada (P-0)", "bob (P-1)")) == f"ada (P-0) says: “{said}” to bob (P-1) and P-10."
    assert labelled(event, ()) == event.text
    assert event_line(event, ("ada (P-0)", "bob (P-1)")).plain.startswith("ada (P-0) says: “")


@pytest.mark.parametrize("text", [" " * 100_000, "a" + " " * 100_000, "a " * 50_000, " " * 50_000 + "=" + " " * 50_000])
def test_a_long_spec_of_blanks_is_read_at_once(text: str) -> None:
    assert parse_spec(text)


def test_a_name_is_read_without_the_blanks_around_it() -> None:
    found = parse_spec("  ada b  =  bot:steady")
    assert (found.player, found.text) == ("ada b", "bot:steady")
