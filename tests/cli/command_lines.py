"""Command lines and settings files by chance: valid ones of every verb, some with a mistake put in."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import games

Words = list[str]

JUNK = (
    "",
    "-1",
    "0",
    "1e400",
    "nan",
    "10" * 20,
    "ä\x1b[31m",
    "x" * 5000,
    "--",
    "P-9",
    "None",
    "1,,2",
    "=",
    "../..",
    "*",
    "\udcff",
)
"""Values that hardly any option takes."""

SEATS = ("bot:random", "bot:steady", "offline", "offline/mistakes=0.3", "calm", "bot:random", "bot:steady")
SHORT = {"coup": ("--max-turns", "3"), "dixiquote": ("--max-rounds", "1"), "oriflamme": (), "cat_in_the_box": ()}
AGENTS = (
    '[calm]\nmodel = "offline"\ntemperature = 0.5\nmax_tokens = 400\nmemory = "notes"\nhelp = "shape"\n',
    '[calm]\nmodel = "offline"\n[other]\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\nprovider = {only = ["a"]}\n',
    '[calm]\nmodel = "offline"\n[defaults]\nplayers = 4\ntarget = 3\nrounds = 1\nspeed = 0\nview = "public"\n',
    '[calm]\nmodel = "offline"\n[defaults.coup]\nplayers = 3\nmax_turns = 4\nview = "P-0"\n',
)
VARIABLES = (
    "DEFAULT_MODEL=offline\n",
    "MODEL_PLAYER_0=bot:steady\nMODEL_PLAYER_1=calm\nDEFAULT_MODEL=bot:random\n",
    "# nothing\nOPENAI_API_KEY=\n",
)
PLAN = """deals = 1
seed = {seed}
rotation = "random"
schedule = "round-robin"
concurrency = 4
mistakes = 0.1
budget = 1.0
[agents]
steady = "bot:steady"
random = "{seat}"
[[games]]
name = "{game}"
players = {players}
"""


def command_line(rng: random.Random, log: Path) -> Words:
    """A command line that is valid in a folder with the files of `write_settings`."""
    kinds: list[Callable[[], Words]] = [lambda: _play(rng)] * 10 + [lambda: _tournament(rng)] * 4
    kinds += [lambda: ["fork", str(log), "--at", str(rng.randrange(1, 9)), "--log", "fork.jsonl", "-q"]] * 2
    kinds += [lambda: _reading(rng, log)] * 2
    return rng.choice(kinds)()


def _play(rng: random.Random) -> Words:
    game = games.load(rng.choice(games.names()))
    players = rng.choice(list(game.players)[:3])
    words = ["play", game.name, "--players", str(players), "--seed", str(rng.randrange(999)), *SHORT.get(game.name, ())]
    for _ in range(players):
        words += ["--seat", rng.choice(SEATS)]
    for option in rng.sample(sorted(game.options.values()), rng.randrange(2)):
        if option.choices and option.choices != (False, True) and None not in option.choices:
            words += [f"--{option.name.replace('_', '-')}", str(rng.choice(option.choices))]
    extra = (["-q"], ["--json"], ["--json-events"], ["--plain"], ["--budget", "1"], ["--view", "public"], ["--mistakes", "0.2"])
    return [
        *words,
        *rng.choice(extra),
        *rng.choice(([], ["--log", "new/log.jsonl"], ["--ask", "sequential"], ["--strikes", "1"])),
    ]


def _tournament(rng: random.Random) -> Words:
    flags = ([], ["--deals", "1"], ["--dry-run"], ["--json"], ["--budget-tokens", "100000"])
    return ["tournament", "plan.toml", "--workers", "1", "--patience", "0", "-q", *rng.choice(flags)]


def _reading(rng: random.Random, log: Path) -> Words:
    return list(
        rng.choice(
            (
                ["replay", str(log), "--plain"],
                ["replay", "--verify", str(log.parent)],
                ["export", str(log), "--html", "-o", "page.html"],
                ["standings", str(log.parent), "--json"],
                ["logs", str(log.parent), "--state", "finished"],
                ["resume", str(log), "-q"],
                ["prompts", "render", str(log), "--at", "1"],
                ["prompts", "list"],
                ["prompts", "new", "pack"],
                ["agents", "--json"],
                ["doctor", "--no-trial"],
                ["rules", "coup", "--phases"],
                ["models", "--endpoint", "offline"],
                ["games", "--json"],
            )
        )
    )


def mutated(words: Words, rng: random.Random) -> Words:
    """The command line with one mistake; the verb stays."""
    words, at = list(words), rng.randrange(1, len(words) + 1)
    match rng.randrange(5):
        case 0:
            words[at : at + 1] = []
        case 1:
            words.insert(at, rng.choice(JUNK))
        case 2:
            words[at:at] = words[at : at + 2]
        case 3:
            words[at : at + 1] = [rng.choice(JUNK)]
        case _:
            words.append(rng.choice(("--seat", "--seed=x", "--zzz", "--view=P-0", "--thoughts", "--quiet", "--rules=official")))
    return words


def write_settings(folder: Path, rng: random.Random, faults: float) -> None:
    """The files agents.toml, .env and plan.toml of a folder, each with a mistake at this rate."""
    game = games.load(rng.choice(games.names()))
    plan = PLAN.format(seed=rng.randrange(99), seat=rng.choice(SEATS), game=game.name, players=game.players[0])
    for name, text in (("agents.toml", rng.choice(AGENTS)), (".env", rng.choice(VARIABLES)), ("plan.toml", plan)):
        found = _garbled(text, rng) if rng.random() < faults else text
        (folder / name).write_text(found, encoding="utf-8", errors="surrogatepass")


def _garbled(text: str, rng: random.Random) -> str:
    """A text with a value replaced, or a piece of a line lost, doubled or changed."""
    lines = text.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    name, mark, _ = lines[at].partition("=")
    match rng.randrange(4):
        case 0 if mark:
            values = (
                "-1",
                "0",
                '""',
                "[]",
                "{}",
                "true",
                "1e400",
                "nan",
                '"x"',
                "[1, 2, 2]",
                "9" * 30,
                "{a = 1}",
                '"' + "x" * 5000 + '"',
            )
            lines[at] = f"{name}= {rng.choice(values)}\n"
        case 1:
            lines[at : at + 1] = []
        case 2:
            lines[at:at] = [lines[at]]
        case _:
            place = rng.randrange(len(lines[at]))
            lines[at] = lines[at][:place] + rng.choice("=[]\"'#\x00é{}.,\n9") + lines[at][place + 1 :]
    return "".join(lines)
