"""`tabletop prompts tweak PACK`: a pack judged while it is edited."""

import asyncio
import signal
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from pathlib import Path

import games
from games.core import Game, listed
from runner.agents.environment import Environment
from runner.agents.spec import Spec, check_spec, is_model, seat_spec
from runner.cli.command_environment import load_environment
from runner.cli.options import OneGame, UsdBudget
from runner.cli.output import print_unusable, say_json
from runner.errors import UsageError
from runner.llm.budget import Budget
from runner.prompting.pack import PromptPack
from runner.record.log_folder import headers_of
from runner.record.log_paths import logs_in
from runner.screen.consoles import print_note, results
from runner.screen.full_screen import FullScreen
from runner.screen.keys import LiveKeys, keys_of, press
from runner.workshop.new_pack import games_of
from runner.workshop.tweak.pack_versions import PackVersions
from runner.workshop.tweak.tweak_page import TweakPage, summary_table
from runner.workshop.tweak.tweaking import DECISIONS, LOOK, TweakAsking, TweakEvent, Tweaking

TOKENS = 1_000_000
"""Tokens that a session may take where no budget is given."""


def tweak(
    pack: Path,
    game: OneGame = None,
    on: list[Path] | None = None,
    model: str | None = None,
    decisions: int = DECISIONS,
    budget: UsdBudget = None,
    budget_tokens: int | None = None,
    as_json: bool = False,
) -> None:
    """Judge a pack while you edit it: each save is checked, its prompts are compared, and a model is asked with both packs."""
    environment, used = load_environment(), PromptPack(pack)
    headers, unusable = headers_of([path for place in on or [] for path in logs_in(place)])
    print_unusable(unusable)
    found = games.load(game or _game(used, {header["game"] for header in headers.values()}))
    logs = [path for path, header in headers.items() if header["game"] == found.name]
    if on and not logs:
        raise UsageError(f"--on: there is no log of {found.title}.")
    tokens = TOKENS if budget is None and budget_tokens is None else budget_tokens
    asking = None
    if model is not None:
        from runner.workshop.exam.exam import Purse

        purse, players = Purse(Budget(budget, tokens)), headers[logs[0]]["players"] if logs else None
        asking = TweakAsking(_spec(model, environment, found), environment, purse, logs, decisions, players)
    is_live = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
    if asking is None and not is_live:
        print_note("No model is asked: --seat MODEL asks one after each save.")
    asyncio.run((_on_screen if is_live else _as_lines)(partial(Tweaking, PackVersions(pack), found, asking, logs=logs)))


def _game(pack: PromptPack, of_logs: Collection[str]) -> str:
    """The one game that a pack is for, or that the logs are of. UsageError for several."""
    named = of_logs or {*(pack.manifest.games if pack.manifest else ())} or {*games_of(pack)}
    if len(named) != 1:
        raise UsageError(f"Name one game with --game: {listed(sorted(named or games.names()))}.")
    return next(iter(named))


def _spec(model: str, environment: Environment, game: Game) -> Spec:
    """The model that is asked. UsageError for a SPEC that cannot be."""
    spec = seat_spec(model, environment)
    check_spec(spec, game, environment)
    if not is_model(spec):
        raise UsageError(f"--seat {spec} is not a model; only models get prompts.")
    if spec.pack is not None:
        raise UsageError(f"--seat {spec}: the pack is the one that is edited; leave +pack: out.")
    return spec


async def _as_lines(begin: Callable[..., Tweaking]) -> None:
    tweaking = begin(tell=say_json)
    _end_by_signal(tweaking)
    await tweaking.run()


async def _on_screen(begin: Callable[..., Tweaking]) -> None:
    page, screen, said = TweakPage(), FullScreen(results()), list[TweakEvent]()

    def tell(event: TweakEvent) -> None:
        said.append(event)
        page.take(event)
        if event["event"] != "summary":
            screen.show(page)

    tweaking = begin(tell=tell)
    keys = LiveKeys(lambda key: press(tweaking, keys_of("tweak"), key))
    _end_by_signal(tweaking)
    keys.start()
    drawing = asyncio.create_task(_follow_size(screen, page))
    try:
        await tweaking.run()
    finally:
        drawing.cancel()
        keys.stop()
        screen.hide()
    screen.leave([summary_table(said[-1]["versions"])])


async def _follow_size(screen: FullScreen, page: TweakPage) -> None:
    while True:
        await asyncio.sleep(LOOK)
        if screen.is_open:
            screen.show(page)


def _end_by_signal(tweaking: Tweaking) -> None:
    """Ctrl-C and `kill` end the session as `q` does: nothing is left that could be continued."""
    with suppress(RuntimeError, ValueError):  # only the main thread can
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, tweaking.quit)
