"""Web lobby: the games, the tables and the logs that a host sees, a new match as the browser describes it, and the gallery."""

import asyncio
from pathlib import Path

import games
from games.core import Game, seat_name
from games.search.policy import bot_names
from games.search.sample_matches import usual_decisions
from runner.agents.spec import Human, known_names
from runner.arena.estimate import estimate_match, money
from runner.export.gallery.build_site import build_site
from runner.export.gallery.match_files import SiteIndex
from runner.record.log_folder import summaries
from runner.record.log_summary import LogState, LogSummary
from runner.screen.safe_text import clean
from runner.serve.match_tools import game_facts
from runner.serve.web_host import AGAIN, GO_ON, PLAY, Grant, NewTable, WebHost
from runner.serve.web_match import WebFacts, WebMatch
from runner.session.match_spec import ready

_KINDS = {".html": "text/html", ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png"}
_MOST_LISTED = 20


async def lobby_of(host: WebHost) -> WebFacts:
    """All that the lobby shows."""
    logs = await asyncio.to_thread(summaries, host.folder)
    open_here = {path.name for path, _ in host.tables}
    newest = sorted(logs.items(), key=lambda one: one[1].ended or one[1].created, reverse=True)
    paused = [_of_log(name, log) for name, log in newest if log.state is LogState.RESUMABLE and name not in open_here]
    own = host.served.state.tables
    ended = [_ended(host, name, log) for name, log in newest if log.state is LogState.FINISHED and name in own]
    return {
        "games": [await asyncio.to_thread(_game, game) for game in map(games.load, games.names())],
        "agents": known_names(host.environment),
        "budget": host.budget,
        "tables": [_table(host, path, match) for path, match in host.tables if not match.has_ended][::-1],
        "paused": paused[:_MOST_LISTED],
        "over": ended[:_MOST_LISTED],
        "ended": sum(log.state is LogState.FINISHED for log in logs.values()),
        "troubles": [clean(sentence, 600) for sentence in host.troubles.values()],
    }


def _game(game: Game) -> WebFacts:
    return {
        **game_facts(game),
        "decisions": usual_decisions(game.name),
        "bots": [f"bot:{name}" for name in bot_names(game)],
        "options": [
            {"name": one.name, "help": one.help, "takes": one.takes, "default": str(one.default)}
            for one in game.options.values()
            if one.convert is None
        ],
    }


def _table(host: WebHost, path: Path, match: WebMatch) -> WebFacts:
    config, people = match.ready.config, match.ready.people
    links = [[host.link(Grant(path, seat, what)) for what in (PLAY, AGAIN, GO_ON)] for seat in range(len(config.seats))]
    return {
        "log": path.name,
        "title": config.game.title,
        "seats": [
            {
                "seat": seat_name(number),
                "who": _who(one.called, one.spec),
                "link": links[number][0] if number in people else None,
            }
            for number, one in enumerate(config.seats)
        ],
        "grants": {number: dict(zip(("again", "go_on"), links[number][1:], strict=True)) for number in people},
        "watch": host.watch_link(path),
        "waiting": match.waiting,
        "gathers": match.gathers,
        "state": "playing" if match.is_running else str(match.why_stopped),
    }


def _who(name: str, spec: object) -> str:
    who = "a person" if isinstance(spec, Human) else clean(spec, 60)
    return f"{name} ({who})" if name else who


def _of_log(name: str, log: LogSummary) -> WebFacts:
    title = games.load(log.game).title if log.game in games.names() else clean(log.game, 60)
    return {"log": name, "title": title, "when": clean(log.ended or log.created, 32), "names": clean(", ".join(log.names), 200)}


def _ended(host: WebHost, name: str, log: LogSummary) -> WebFacts:
    winners = [[seat, clean(log.names[seat], 60)] for seat in log.winners]
    return {**_of_log(name, log), "winners": winners, "page": f"/t/{host.watch_link(host.folder / name)}/page"}


def estimate_of(host: WebHost, new: NewTable) -> str:
    """What a match may cost, in words. UsageError or OptionError for what cannot be played. It asks endpoints for prices."""
    specs = host.checked(new.spec)
    match = ready(new.spec.model_copy(update={"players": len(specs)}), host.environment, asks=(Human,))
    WebMatch.check(new.rules, match)
    found = estimate_match(match.config, match.pack, host.environment, host.folder)
    if not any(seat.is_model for seat in found.seats):
        return "No model plays: the match costs nothing."
    bounds = [f"{amount:g} USD" for amount in (new.spec.budget, host.budget) if amount is not None]
    bound = f" It stops before it costs more than {bounds[0]}." if bounds else ""
    return f"Cost of the match: {money(found.usd)}.{bound}"


def site_file(host: WebHost, name: str) -> tuple[bytes, str] | None:
    """A file of the gallery of a folder, as the server wrote it, and its media type; None where there is none. The first page
    and the standings are made again where logs have changed. UsageError while there are no logs."""
    site = host.served.site
    if name in ("index.html", "standings.html"):
        build_site(host.folder, site, "all", lambda outcomes, _: outcomes, "Matches of this server")
    content = SiteIndex.read(site).content(site, name)
    return None if content is None else (content, _KINDS[Path(name).suffix])
