"""`tabletop games`, `tabletop rules GAME` and `tabletop new-game NAME`: what can be played, rules, a game of your own."""

from pathlib import Path

from games import load, registered
from games.search.policy import bot_names
from runner.cli.options import GameName
from runner.cli.output import STDOUT, say, say_json, write_result
from runner.errors import UsageError
from runner.game_folders import rules_text
from runner.screen.consoles import print_note, results
from runner.screen.safe_text import clean


def games(as_json: bool = False) -> None:
    """List the games: number of players, rules presets, bots."""
    found = registered().games
    for error in registered().broken:
        print_note(clean(str(error), 2000))
    if as_json:
        facts = [
            {
                "name": game.name,
                "title": game.title,
                "summary": game.summary,
                "players": [game.players[0], game.players[-1]],
                "presets": list(game.presets),
                "bots": list(bot_names(game)),
                "rules_version": game.rules_version,
            }
            for game in found
        ]
        say_json(facts)
        return
    from rich.table import Table

    rows = Table(box=None, pad_edge=False)
    for name in ("Game", "Players", "Rules", "Bots", "Summary"):
        rows.add_column(name, no_wrap=name in ("Game", "Players"))
    for game in found:
        span = f"{game.players[0]}-{game.players[-1]}"
        rows.add_row(game.name, span, ", ".join(game.presets), ", ".join(bot_names(game)), game.summary)
    results().print(rows)


def rules(
    game: GameName,
    phases: bool = False,
    mermaid: bool = False,
    options: bool = False,
    measures: bool = False,
    interface: bool = False,
    html: bool = False,
    out: Path | None = None,
) -> None:
    """Show the rules of a game."""
    found = load(game)
    if out is not None and not html:
        raise UsageError("--output goes with --html.")
    if mermaid:
        say(found.phases.to_mermaid(), end="")
    elif phases:
        for phase in found.phases:
            say(f"{phase.id:>3}  {phase.name}: {phase.description}")
            if phase.decides:
                say(f"     decides: {phase.decides}")
            for edge in phase.edges:
                ruling = f"  [ruling {edge.ruling}]" if edge.ruling else ""
                say(f"     -> {edge.to:>2}  {found.phases.by_id(edge.to).name}{': ' if edge.when else ''}{edge.when}{ruling}")
    elif options:
        for name, option in found.options.items():
            say(f"{name} = {'built in' if option.convert else str(option.default).lower()}")
            say(f"    {option.help}" + (f"; takes {option.takes}" if not option.convert else ""))
        for preset, values in found.presets.items():
            changed = ", ".join(f"{name}={str(value).lower()}" for name, value in values.items()) or "the defaults"
            say(f"preset {preset}: {changed}")
    elif interface:
        from games.search.interface import interface_page

        say(interface_page(found), end="")
    elif measures:
        for measure in found.measures:
            say(f"{measure.name} ({'share' if measure.is_share else 'amount'})\n    {measure.about}")
    elif not (words := rules_text(found)):
        raise UsageError(f"The package of {found.title} has no RULES.md: see --phases and --options.")
    elif html:
        from runner.export.pages import rules_page

        write_result(out or STDOUT, rules_page(found))
    elif (console := results()).is_terminal:
        from rich.markdown import Markdown

        console.print(Markdown(words))
    else:
        say(words, end="")


def new_game(name: str, out: Path | None = None) -> None:
    """Write a package with a small game, to be changed into one of your own: rules, bots, prompts, screen, tests."""
    from runner.workshop.new_pack import start_game

    folder = Path(name) if out is None else out
    for written in start_game(folder, name):
        say(str(folder / written))
    say("")
    say(f"Next: `pip install --editable {folder}`, then `tabletop play {name} --seat bot:steady`.")
