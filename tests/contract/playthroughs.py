"""Playthroughs: one match for every game and preset, decision by decision, as text to compare with what the rules do now.

`python -m tests.contract.playthroughs --write` writes them again, which is right only together with a new `rules_version`.
A decision has three lines: who decides in which phase, what was decided and what was legal; the digest of the state and the
fields that changed; the digests of the public view and of every seat's view.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import games
from games.core import Action, Game, Rng, State

FOLDER = Path(__file__).parent / "playthroughs"
SEED = 20
STRIKE_OUTS = 25
"""One decision in this many is a strike-out."""

DIGITS = 12
MISSING = object()


def tables() -> list[tuple[str, str]]:
    """Every game with each of its presets."""
    return [(name, preset) for name in games.names() for preset in games.load(name).presets]


def file_of(name: str, preset: str) -> Path:
    """The file of a playthrough."""
    return FOLDER / f"{name}-{preset}.txt"


def heading(game: Game, preset: str) -> str:
    """The first line of a playthrough."""
    return f"{game.name}, rules {preset}, version {game.rules_version}, {game.default_players} players, seed {SEED}"


def played(game: Game, preset: str) -> Iterator[str]:
    """The lines of a playthrough."""
    rng = Rng.of("playthrough", game.name, preset)
    state = game.begin(seed=SEED, rules=preset)
    yield heading(game, preset)
    yield from facts_of(state, {})
    number = 0
    while not state.has_ended:
        number += 1
        seat = rng.choice(state.pending)
        actions = sorted(state.actions_of(seat), key=words_of)
        is_struck_out = rng.below(STRIKE_OUTS) == 0
        action = rng.choice(actions)
        legal = ", ".join(map(words_of, actions))
        decided = "is struck out" if is_struck_out else words_of(action)
        yield f"{number}. P-{seat} in phase {state.phase.id} {state.phase.name}: {decided} (legal: {legal})"
        before, state = state, state.strike_out(seat) if is_struck_out else action.next_state
        yield from facts_of(state, before.to_json())
    yield f"Result: scores {data_of(state.scores)}, winners {data_of(state.winners)}"


def facts_of(state: State, before: dict[str, Any]) -> Iterator[str]:
    """The digested state with the fields that are not as before, and its views. A new option changes nothing: no setup, and no
    options of a view."""
    left_out = {"setup", *state.game.undigested}
    data = {name: value for name, value in state.to_json().items() if name not in left_out}
    changed = {name: value for name, value in data.items() if before.get(name, MISSING) != value}
    yield f"   state {digest(data)} {data_of(changed)}"
    views = [f"P-{seat} {view_digest(state, seat)}" for seat in range(state.setup.players)]
    yield f"   views public {view_digest(state, None)}, {', '.join(views)}"


def view_digest(state: State, seat: int | None) -> str:
    """A short name for what a seat sees."""
    return digest({name: value for name, value in state.view(seat).items() if name != "options"})


def words_of(action: Action) -> str:
    """The answer of an action without the names of its fields."""
    return " ".join(value if isinstance(value, str) else data_of(value) for value in action.to_json().values())


def data_of(value: object) -> str:
    """A value as JSON."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def digest(data: object) -> str:
    """A short name for a piece of data."""
    return sha256(data_of(data).encode()).hexdigest()[:DIGITS]


def text_of(name: str, preset: str) -> str:
    """The playthrough of a game and a preset by the rules as they are."""
    return "".join(f"{line}\n" for line in played(games.load(name), preset))


def main() -> None:
    """Write every playthrough and remove those of games and presets that are no more."""
    FOLDER.mkdir(exist_ok=True)
    for path in set(FOLDER.iterdir()) - {file_of(*table) for table in tables()}:
        path.unlink()
    for table in tables():
        file_of(*table).write_text(text_of(*table), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main() if sys.argv[1:] == ["--write"] else __doc__)
