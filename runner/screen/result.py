"""Result screen: the end of a match, and its highlights."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from games.core import Game, as_told, counted, seat_name, win
from games.highlights import Highlight, best, highlight_counts
from games.telling import place_told, quoted
from runner.match.records import ResultRecord
from runner.review.costliest import Costliest
from runner.screen.line_breaks import ByWidth, hanging
from runner.screen.narrator import Narrator
from runner.screen.palette import GOOD, QUIET, TITLE, seat_text
from runner.screen.safe_text import clean, plain
from runner.screen.seat_labels import labels_of
from runner.screen.seen_review import percent


def result_screen(game: Game, result: ResultRecord, you: int | None = None, out: Sequence[int] = ()) -> RenderableType:
    """Final scores with the mistakes and the cost of each seat, and why the match ended; `you` and `out` as in `verdict`."""
    facts = Text(clean(f"seed {result['seed']}, rules {result['rules']}"), style=QUIET)
    standings = ByWidth(lambda width: _standings(game, result, width))
    return Group(standings, *map(Text, earlier_players(result)), Text(verdict(result, you, out)), facts)


def earlier_players(result: ResultRecord) -> Iterator[str]:
    """A line for each player who had a seat before its last one, and took tokens."""
    for seat in result["seats"]:
        for player in seat.get("earlier", ()):
            if tokens := player["prompt_tokens"] + player["completion_tokens"]:
                who = f"{seat_name(seat['seat'])} was {clean(player['name'])} before"
                yield f"{who}: {tokens:,} tokens, ${player['cost']:.4f}, {counted(player['mistakes'], 'invalid answer')}."


def verdict(result: ResultRecord, you: int | None = None, out: Sequence[int] = ()) -> str:
    """Who won, and why; `you`: the seat of the reader, who is told their place, too; `out`: who was out, in that order."""
    labels = labels_of(result["seats"])
    who = as_told(win(result["winners"], ""), labels, you) if result["winners"] else "nobody wins"
    told = f"{who}: {'; '.join(as_told(clean(reason), labels, you) for reason in result['ending'])}."
    place = you if you not in result["winners"] else None
    return told if place is None else f"{told} {place_told(result['scores'], result['winners'], place, out)}"


def _standings(game: Game, result: ResultRecord, width: int) -> Iterator[Table]:
    """A row for each seat, the best score first; columns of counts that are all zero say nothing and are left out."""
    is_narrow, is_tight = width < _ROOM_FOR_FULL_TITLES, width < _ROOM_FOR_ALL
    title, labels = f"{game.title}: result", labels_of(result["seats"])
    order = sorted(range(result["players"]), key=lambda seat: -result["scores"][seat])
    seats = [result["seats"][seat] for seat in order]
    counts = {
        "Inv." if is_narrow else "Invalid": [f"{seat['mistakes']}" for seat in seats],
        "Pen." if is_narrow else "Penalties": [f"{seat['penalties']}" for seat in seats],
        "Tokens": [f"{used:,}" if (used := seat["prompt_tokens"] + seat["completion_tokens"]) else "-" for seat in seats],
        "Cost": [f"${seat['cost']:.4f}" if seat["cost"] else "-" for seat in seats],
    }
    kept = [name for name, values in counts.items() if {*values} - {"0", "-"} and not (is_tight and name != "Cost")]
    rows = Table(title=title, title_style=TITLE, title_justify="left", box=None, header_style=QUIET, pad_edge=False)
    rows.add_column("", no_wrap=True)
    rows.add_column("Seat", no_wrap=True)
    rows.add_column("Player", min_width=10)
    for name in ("Score", *kept):
        rows.add_column(name, justify="right", no_wrap=True)
    for place, seat in enumerate(order):
        won = Text("★ wins", style="bold green") if seat in result["winners"] else ""
        figures = (str(result["scores"][seat]), *(counts[name][place] for name in kept))
        rows.add_row(won, seat_text(seat), plain(labels[seat]), *figures)
    yield rows


def costliest_line(found: Costliest, labels: Sequence[str], you: int | None = None, who: str = "") -> Text:
    """The costliest decision of a seat in one sentence; `who` is its player, empty for the reader."""
    graded = counted(found["decisions"], "graded decision")
    if (worst := found.get("worst")) is None:
        whose = f"{who}, graded" if who else "Your decisions"
        return Text(f"{whose}: none of {graded} gave up 5 % of the win or more.", GOOD)
    entry, where = worst["entry"], f"{found['round_word']} {worst['round']}"
    played, better = (quoted(clean(as_told(worst[which], labels, you), 100)) for which in ("played", "better"))
    lost, share, best = (percent(entry[which]) for which in ("given_up", "share", "best_share"))
    head = f"{who}: " if who else "Your "
    knew = "that seat" if who else "you"
    return Text.assemble(
        (f"{head}costliest decision: {entry['decision']}, {where}. ", TITLE),
        f"{played} cost {who or 'you'} {lost} of the win; better: {better} ({best}, not {share}, from what {knew} knew).",
    )


_ROOM_FOR_FULL_TITLES, _ROOM_FOR_ALL = 76, 54


def print_log(console: Console, log: Path) -> None:
    """Print the path of the log, which is never broken; on a terminal also the commands that use it."""
    name = clean(log, 4096)
    if not console.is_terminal:
        console.print(Text(f"Log: {name} (tabletop replay {name})"), soft_wrap=True)
        return
    console.print(Text(f"Log: {name}"), soft_wrap=True)
    console.print(Group(*(hanging(Text(f"  tabletop {verb:<20}{what}", style=QUIET)) for verb, what in _NEXT)))


_NEXT = (
    ("replay LOG", "step through the match"),
    ("fork LOG --at N", "play on from decision N"),
    ("export LOG --html", "write a web page"),
)


def highlight_lines(game: Game, highlights: Sequence[Highlight], narrator: Narrator) -> list[Text]:
    """A line of counts and one for each of the best highlights, with its decision; nothing where there are none."""
    if not highlights:
        return []
    counts = " · ".join(f"{words} {count}" for words, count in highlight_counts(game, highlights).items())
    lines = [Text("Highlights: ", style=TITLE) + Text(counts)]
    for one in best(highlights):
        lines.append(Text(f"  decision {one.number}, {game.round_word} {one.round}: ", style=QUIET) + narrator.highlight(one))
    return lines


def print_highlights(console: Console, game: Game, highlights: Sequence[Highlight], narrator: Narrator) -> None:
    """Print the list: on a terminal broken at words, elsewhere with each highlight on one line."""
    is_narrow = console.is_terminal and not console.is_dumb_terminal
    for line in highlight_lines(game, highlights, narrator):
        console.print(Group(hanging(line)), soft_wrap=not is_narrow)  # in a group it keeps its way to wrap
