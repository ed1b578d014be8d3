"""Strength: how often `bot:search` wins against copies of another bot, with 95 % intervals, and what a decision costs.

`python -m tools.campaigns.strength --game coup --players 3 --playouts 50 200 --matches 200` plays what is missing of these
matches, in two processes, and prints a table. Results are kept in build/strength: the next call continues there, with those of
the same code of rules, bots and search alone. In match number n the searching bot has seat n modulo the number of players, and
the cards of seed n: deals and the number of matches are fixed beforehand. `--against` names other opponents than `steady`:
`search:200`, `plain:200`, the same with worlds that follow the cards alone, or OpenSpiel's tree search with 100 simulations,
`ismcts:100` (tools/campaigns/ismcts.py).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache, partial
from hashlib import blake2b
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import games
from games.core import Action, Game, Policy, Rng, State
from games.search.playouts import shares_of
from games.search.policy import PLAYOUTS, bot_of, playing_policy, search_policy
from games.search.worlds import Worlds

GAMES = ("coup", "oriflamme", "cat_in_the_box")
FOLDER = Path("build/strength")
_NORMAL_95 = 1.96


class Cell(NamedTuple):
    """One row of the table: who plays whom at what."""

    game: str
    players: int
    bot: str
    against: str

    @property
    def file(self) -> Path:
        """Where the results of its matches are kept; a change of the code begins another file."""
        name = f"{self.game}-{self.players}-{self.bot}-{self.against}-{policies(self.game)}.jsonl"
        return FOLDER / name.replace(":", "_")


@cache
def policies(game: str) -> str:
    """A digest of the code that decides: rules, bots and beliefs of a game, search, and what all games share."""
    root = Path(games.__file__).parent
    files = sorted(file for room in ("core", "search", game) for file in (root / room).rglob("*.py"))
    return blake2b(b"".join(file.read_bytes() for file in files), digest_size=4).hexdigest()


class Played(NamedTuple):
    """A match: the share of the win, and the processor seconds of the decisions with a choice: of the bot, of the others."""

    match: int
    share: float
    seconds: float
    decisions: int
    slowest: float
    others_seconds: float = 0.0
    others_decisions: int = 0


def play(cell: Cell, match: int) -> Played:
    """One match, the bot in seat `match` modulo the number of players."""
    game = games.load(cell.game)
    hero = match % cell.players
    own, other = (_policy_of(game, name) for name in (cell.bot, cell.against))
    state = game.begin(players=cell.players, seed=match)
    rng, spent, others = Rng.of("strength", match), [0.0], [0.0]
    while pending := state.pending:
        seat = pending[0]
        if len(state.actions_of(seat)) == 1:
            state = state.actions_of(seat)[0].next_state
        else:
            started = time.process_time()
            action = _choice(own if seat == hero else other, state, seat, rng)
            (spent if seat == hero else others).append(time.process_time() - started)
            state = action.next_state
    share = shares_of(state)[hero]
    return Played(match, share, sum(spent), len(spent) - 1, max(spent), sum(others), len(others) - 1)


def _policy_of(game: Game, name: str) -> Policy:
    if name.startswith("plain:"):
        return search_policy(int(name.removeprefix("plain:")), playing_policy(game), plain_worlds)
    if not name.startswith("ismcts"):
        return bot_of(game, name)
    from tools.campaigns.ismcts import ismcts_of  # needs the extra `openspiel`

    return ismcts_of(name)


def plain_worlds(state: State, seat: int) -> Worlds:
    return Worlds(partial(state.resample, seat))


def _choice(policy: Policy, state: State, seat: int, rng: Rng) -> Action:
    chosen = policy(state.resample(seat, rng), seat, rng)
    return chosen.on(state)


def results(cell: Cell) -> dict[int, Played]:
    """The matches of a cell played so far."""
    if not cell.file.exists():
        return {}
    lines = cell.file.read_text(encoding="utf-8").splitlines()
    return {played.match: played for played in (Played(*json.loads(line)) for line in lines)}


def row(cell: Cell, found: Mapping[int, Played]) -> str:
    """A line of the table."""
    shares = [played.share for played in found.values()]
    count, mean = len(shares), sum(shares) / len(shares)
    error = sqrt(sum((share - mean) ** 2 for share in shares) / max(1, count - 1) / count)
    low, high = max(0.0, mean - _NORMAL_95 * error), min(1.0, mean + _NORMAL_95 * error)
    decisions = sum(played.decisions for played in found.values())
    cost = sum(played.seconds for played in found.values()) / max(1, decisions)
    others = sum(played.others_seconds for played in found.values()) / max(1, sum(p.others_decisions for p in found.values()))
    slowest = max(played.slowest for played in found.values())
    return (
        f"| {cell.game} | {cell.players} | {cell.bot} | {cell.against} | {count} | {mean:.1%} ({low:.1%} to {high:.1%}) |"
        f" {mean * cell.players:.2f} | {cost:.3f} s | {slowest:.2f} s | {others:.3f} s |"
    )


def missing(cells: Iterable[Cell], matches: int) -> Iterator[tuple[Cell, int]]:
    """The matches still to be played, the same number of each cell first."""
    done = {cell: results(cell) for cell in cells}
    for match in range(matches):
        yield from ((cell, match) for cell, found in done.items() if match not in found)


def run(cells: Sequence[Cell], matches: int, jobs: int) -> None:
    """Play what is missing, and keep each result as soon as it is there."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(jobs) as pool:
        playing = {pool.submit(play, cell, match): cell for cell, match in missing(cells, matches)}
        for number, future in enumerate(as_completed(playing), 1):
            with playing[future].file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(future.result()) + "\n")
            sys.stderr.write(f"\r{number} of {len(playing)} ")
            sys.stderr.flush()


def table(cells: Iterable[Cell]) -> Iterator[str]:
    """The table of what has been played so far."""
    columns = ("game", "players", "bot", "against", "matches", "share of wins (95 %)", "times the fair share")
    yield f"| {' | '.join(columns)} | a decision | slowest | of the others |"
    yield f"{'|---' * (len(columns) + 3)}|"
    yield from (row(cell, found) for cell in cells if (found := results(cell)))


def _cells(arguments: argparse.Namespace) -> list[Cell]:
    return [
        Cell(game, players, f"search:{playouts}", against)
        for game in arguments.game
        for players in arguments.players or games.load(game).players
        if players in games.load(game).players
        for playouts in arguments.playouts
        for against in arguments.against
    ]


def main() -> None:
    """Read the command line, play, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", nargs="+", default=GAMES, choices=GAMES)
    parser.add_argument("--players", nargs="+", type=int)
    parser.add_argument("--playouts", nargs="+", type=int, default=[PLAYOUTS])
    parser.add_argument("--against", nargs="+", default=["steady"])
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    cells = _cells(arguments)
    try:
        run(cells, arguments.matches, arguments.jobs)
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")
    sys.stdout.write("".join(f"{line}\n" for line in table(cells)))


if __name__ == "__main__":
    main()
